"""The game kinds that Meldboard plays, in one explicit list."""

from __future__ import annotations

from engine.errors import BadInput
from engine.gin import GIN, HOLLYWOOD, OKLAHOMA
from engine.manipulation import MANIPULATION
from engine.variant import Variant

VARIANTS: tuple[Variant, ...] = (MANIPULATION, GIN, HOLLYWOOD, OKLAHOMA)


def find_variant(key: str) -> Variant:
    """Return the game kind with a key.

    :raises BadInput: naming the keys there are.

    >>> find_variant("manipulation").name
    'Manipulation'
    """
    for variant in VARIANTS:
        if variant.key == key:
            return variant
    known = ", ".join(variant.key for variant in VARIANTS)
    raise BadInput(f"variant {key!r} is unknown; known are: {known}")
