"""Whose eyes a replay is seen with: everybody's cards, the public's view, or one seat's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.errors import NotFound

PUBLIC = "public"


class Perspective(NamedTuple):
    """A viewer's place at a replay."""

    key: str
    """``open``, ``public`` or the number of a seat, as it stands in an address."""
    also: str = ""
    """What else the addresses of steps are to say."""

    def sees(self, seat: int) -> bool:
        """Say whether a seat's cards are shown, as far as they are known."""
        return self.key in ("open", str(seat))

    @property
    def is_open(self) -> bool:
        """Whether every hand is shown that is known."""
        return self.key == "open"

    @property
    def query(self) -> str:
        """What an address says of it after its step; nothing for the usual one."""
        return ("" if self.is_open else f"&as={self.key}") + self.also


OPEN = Perspective("open")


def perspective_of(asked: str | None, seats: int) -> Perspective:
    """Return the perspective that an address asks for, by default the open one.

    :raises NotFound: naming those there are.
    """
    keys = (OPEN.key, PUBLIC, *map(str, range(seats)))
    if asked is None or asked in keys:
        return Perspective(asked or OPEN.key)
    raise NotFound(f"there is no view {asked!r}; views are {', '.join(keys)}")


def after(seen: Perspective, seats: int) -> str:
    """Return the key of the perspective that follows one: open, public, then seat by seat.

    >>> [after(Perspective(key), 2) for key in ("open", "public", "0", "1")]
    ['public', '0', '1', 'open']
    """
    keys = (OPEN.key, PUBLIC, *map(str, range(seats)))
    return keys[(keys.index(seen.key) + 1) % len(keys)]


def choices(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the keys of all perspectives with their names for people."""
    seats = [(str(seat), f"As {name}") for seat, name in enumerate(names)]
    return [(OPEN.key, "All hands open"), (PUBLIC, "Public view"), *seats]
