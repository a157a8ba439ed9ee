"""How a reader wants pages to look and be used: theme, deck and keys, kept in cookies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

CHOICES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "theme": (("auto", "Auto"), ("light", "Light"), ("dark", "Dark")),
    "deck": (("2", "Two colours"), ("4", "Four colours")),
    "keys": (("on", "On"), ("off", "Off")),
}
"""What each cookie may hold, the default first, with its name for people."""

MAX_AGE_S = 366 * 24 * 3600


class Look(NamedTuple):
    """A reader's choice."""

    theme: str
    deck: str
    keys: str
    """Whether single keys are shortcuts, as on the page of a game."""

    @property
    def themes(self) -> tuple[tuple[str, str], ...]:
        """The themes that can be chosen."""
        return CHOICES["theme"]

    @property
    def decks(self) -> tuple[tuple[str, str], ...]:
        """The decks that can be chosen."""
        return CHOICES["deck"]

    @property
    def switches(self) -> tuple[tuple[str, str], ...]:
        """Shortcuts by single keys: on or off."""
        return CHOICES["keys"]


def look_of(cookies: Mapping[str, str]) -> Look:
    """Return the look that cookies ask for; what they cannot mean is the default.

    >>> look_of({"theme": "dark", "deck": "7"})
    Look(theme='dark', deck='2', keys='on')
    """
    return Look(*(allowed(name, cookies.get(name)) for name in Look._fields))


def allowed(name: str, value: str | None) -> str:
    """Return a value if it is one of the choices, else the default."""
    values = [key for key, _ in CHOICES[name]]
    return value if value in values else values[0]
