"""Whether a field can be seated in every phase of a tournament, and what would work if not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from engine import knobs
from engine.errors import BadInput
from engine.variant import Variant, seat_count
from tournaments.formats import find_format
from tournaments.formats.base import Format


class Seated(Protocol):
    """A phase as far as its tables go: of a spec, or a stored one."""

    @property
    def format(self) -> str:
        """Key of the format."""

    @property
    def options(self) -> Mapping[str, Any]:
        """Every option of the format."""

    @property
    def top(self) -> int:
        """How many of the phase before take part; 0: all."""

    @property
    def duplicate(self) -> bool:
        """Whether all tables of a round play the same deals."""


def phase_sizes(phases: Iterable[Seated], entrants: int) -> list[int]:
    """Return the number of entrants of each phase for so many, if nobody leaves."""
    sizes: list[int] = []
    for phase in phases:
        before = sizes[-1] if sizes else entrants
        sizes.append(min(phase.top, before) if phase.top else before)
    return sizes


def unseated(variant: Variant, phases: Sequence[Seated], entrants: int) -> tuple[int, str] | None:
    """Return the number of the first phase that cannot seat its part of a field, and why.

    None if all can. The reason says what would work.
    """
    for number, (phase, size) in enumerate(
        zip(phases, phase_sizes(phases, entrants), strict=True), 1
    ):
        try:
            _check(variant, phase, size)
        except BadInput as error:
            return number, str(error)
    return None


def _check(variant: Variant, phase: Seated, entrants: int) -> None:
    chosen = find_format(phase.format)
    options = knobs.parse(chosen.options, phase.options)
    sizes = chosen.table_sizes(entrants, options)
    if phase.duplicate and len(sizes) > 1:
        raise BadInput(
            f"duplicate boards need tables of one size, but {entrants} entrants of a"
            f" {phase.format} make tables of {' and '.join(map(str, sizes))};"
            f"{_even(chosen, entrants, options)}"
        )
    for seated in sizes:
        if seated not in variant.seats:
            raise BadInput(
                f"a table of {seated} is not possible; {variant.key} is played by"
                f" {seat_count(variant)}"
            )


def _even(chosen: Format, entrants: int, options: Any) -> str:
    """Return which numbers of entrants near this one make tables of one size, in words."""
    found = []
    for step in (-1, 1):
        for number in range(entrants + step, entrants + 12 * step, step):
            with suppress(BadInput):
                if len(chosen.table_sizes(number, options)) == 1:
                    found.append(str(number))
                    break
    return f" {' or '.join(found)} entrants would do" if found else " choose another format"
