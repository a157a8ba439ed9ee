"""The formats of tournaments, in one explicit list."""

from __future__ import annotations

from engine.errors import BadInput
from tournaments.formats.base import Format
from tournaments.formats.final import FINAL
from tournaments.formats.gauntlet import GAUNTLET
from tournaments.formats.knockout import KNOCKOUT
from tournaments.formats.ladder import LADDER
from tournaments.formats.round_robin import ROUND_ROBIN
from tournaments.formats.swiss import SWISS

FORMATS: dict[str, Format] = {
    format_.key: format_ for format_ in (ROUND_ROBIN, SWISS, KNOCKOUT, FINAL, GAUNTLET, LADDER)
}


def find_format(key: str) -> Format:
    """Return the format with a key.

    :raises BadInput: naming the keys there are.

    >>> find_format("round_robin").name
    'Round robin'
    """
    try:
        return FORMATS[key]
    except KeyError:
        known = ", ".join(FORMATS)
        raise BadInput(f"format {key!r} is unknown; known are: {known}") from None
