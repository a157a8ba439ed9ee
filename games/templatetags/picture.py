"""Tags by which a game kind's template says what lies on the picture of its table."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString

from engine.cards import Card
from games.pages.picture import Felt
from games.templatetags.meldboard import Placed

register = template.Library()


@register.simple_tag
def lay(
    felt: Felt, label: str, faces: Sequence[Card | Placed], tag: str = "", change: str = ""
) -> SafeString:
    """Lay a group of cards under a label, with what the turn did to it."""
    return felt.lay(label, faces, tag, str(change))


@register.simple_tag
def tell(felt: Felt, *words: object) -> SafeString:
    """Write a line of words."""
    return felt.tell(" ".join(map(str, words)))
