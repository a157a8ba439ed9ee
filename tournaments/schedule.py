"""When things happen: wall-clock times of a zone, and what starts the rounds.

Times are stored in UTC. An organiser writes them as the clocks on the wall of a zone show them; a
time that those clocks leave out is refused, and of one that they show twice the first is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

from engine.errors import BadInput

MAX_MINUTES = 60 * 24 * 14
"""Longest pause between two rounds, and longest wait for somebody: two weeks."""
MAX_TIMES = 200
"""Rounds on a calendar."""
YEARS = range(2000, 3000)
"""Years that times may be in, so that every zone has them."""


class Pace(StrEnum):
    """What starts the next round when the last one is over."""

    FLOW = "flow"
    """It starts at once."""
    HAND = "hand"
    """The organiser opens it."""
    INTERVAL = "interval"
    """It starts after a pause."""
    CALENDAR = "calendar"
    """It starts at its own time."""


PACE_WORDS = {
    Pace.FLOW: "start as soon as the last one is over",
    Pace.HAND: "are opened by the organiser, who also ends the last",
    Pace.INTERVAL: "start after a pause",
    Pace.CALENDAR: "start at their own times",
}
"""How rounds start, said of them."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a tournament and its rounds start."""

    zone: str = "UTC"
    """IANA name of the zone that times are written in."""
    start: datetime | None = None
    """In UTC; None: the organiser starts it."""
    pace: Pace = Pace.FLOW
    minutes: int = 0
    """The pause of :attr:`Pace.INTERVAL`."""
    times: tuple[datetime, ...] = ()
    """In UTC, of rounds 1, 2, … of :attr:`Pace.CALENDAR`; later ones the organiser opens."""
    no_show: int = 0
    """Minutes after which who has not played a turn loses by forfeit; 0: nobody does."""

    def next_at(self, begun: int, now: datetime) -> datetime | None:
        """Return when the next round starts, None where the organiser opens it.

        :param begun: rounds of the whole tournament that have begun.
        """
        if self.pace == Pace.FLOW or (self.pace == Pace.INTERVAL and not begun):
            return now
        if self.pace == Pace.INTERVAL:
            return now + timedelta(minutes=self.minutes)
        if self.pace == Pace.CALENDAR and begun < len(self.times):
            return max(now, self.times[begun])
        return None


@cache
def zones() -> tuple[str, ...]:
    """Return the names of all time zones, those of places first."""
    return tuple(sorted(available_timezones(), key=lambda name: ("/" not in name, name)))


def find_zone(name: str) -> ZoneInfo:
    """Return a time zone by its IANA name.

    :raises BadInput: naming those that are spelled alike.
    """
    if name not in zones():
        like = get_close_matches(name, zones(), 3, 0.6)
        which = f"; perhaps {' or '.join(like)}" if like else ", such as Europe/Berlin or UTC"
        raise BadInput(f"zone {name!r} is no IANA time zone{which}")
    return ZoneInfo(name)


def at(given: object, zone: str, name: str) -> datetime:
    """Return the moment, in UTC, at which the clocks of a zone show a time.

    :param given: such as ``2026-12-01 19:00``, or what a TOML file says without quotes.
    :param name: what the time is of, for refusals.
    :raises BadInput: for what is no time, and for a time that the clocks leave out.
    """
    wall = _wall(given, name)
    there = find_zone(zone)
    moment = wall.replace(tzinfo=there).astimezone(UTC)
    if moment.astimezone(there).replace(tzinfo=None) != wall:
        before, after = (
            wall.replace(tzinfo=there, fold=fold).astimezone(UTC).astimezone(there)
            for fold in (1, 0)
        )
        raise BadInput(
            f"{name}: the clocks in {zone} never show {wall:%Y-%m-%d %H:%M}, since they are put"
            f" forward then; {before:%H:%M} and {after:%H:%M} of that day would work"
        )
    return moment


def _wall(given: object, name: str) -> datetime:
    wall = given
    if isinstance(given, str):
        try:
            wall = datetime.fromisoformat(given.strip())
        except ValueError:
            wall = None
    if not isinstance(wall, datetime) or wall.tzinfo is not None:
        raise BadInput(
            f"{name} must be a time of the zone's clocks such as 2026-12-01 19:00,"
            f" not {str(given)[:40]!r}"
        )
    if wall.year not in YEARS:
        raise BadInput(
            f"{name}: the year {wall.year} is out of reach; {YEARS[0]} to {YEARS[-1]} would work"
        )
    return wall.replace(second=0, microsecond=0)


def is_twice(moment: datetime, zone: str) -> bool:
    """Say whether the clocks of a zone show the time of a moment a second time."""
    there = moment.astimezone(ZoneInfo(zone))
    return there.replace(fold=0).utcoffset() != there.replace(fold=1).utcoffset()


def on_the_wall(moment: datetime, zone: str) -> str:
    """Return the time that the clocks of a zone show, as :func:`at` reads it.

    >>> on_the_wall(datetime(2026, 12, 1, 18, 0, tzinfo=UTC), "Europe/Berlin")
    '2026-12-01 19:00'
    """
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"


def in_words(moment: datetime, zone: str) -> str:
    """Return a time in its zone and in UTC, and which of two is meant where there are two.

    >>> in_words(datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "Europe/Berlin")
    '2026-10-25 02:30 Europe/Berlin, the first of the two (2026-10-25 00:30 UTC)'
    """
    shown = on_the_wall(moment, zone)
    if zone == "UTC":
        return f"{shown} UTC"
    twice = ", the first of the two" * is_twice(moment, zone)
    return f"{shown} {zone}{twice} ({on_the_wall(moment, 'UTC')} UTC)"


def parse_schedule(data: Mapping[str, object]) -> Schedule:
    """Return the schedule that a mapping describes.

    :raises BadInput: naming the key that is wrong, and what would be right.
    """
    known = ("zone", "start", "rounds", "minutes", "times", "no_show")
    for key in data:
        if key not in known:
            raise BadInput(f"schedule.{key} is unknown; known are: {', '.join(known)}")
    zone = data.get("zone", "UTC")
    if not isinstance(zone, str):
        raise BadInput(f"schedule.zone must be a text such as Europe/Berlin, not {zone!r}")
    find_zone(zone)
    pace = data.get("rounds", Pace.FLOW)
    if pace not in list(Pace):
        raise BadInput(f"schedule.rounds must be one of {', '.join(Pace)}, not {pace!r}")
    pace = Pace(str(pace))
    minutes = _minutes(data, "minutes", 1 if pace == Pace.INTERVAL else 0)
    if minutes and pace != Pace.INTERVAL:
        raise BadInput(f"schedule.minutes needs rounds = interval; rounds is {pace}")
    times = _times(data.get("times", []), zone, pace)
    start = at(data["start"], zone, "schedule.start") if data.get("start") else None
    if times and start not in (None, times[0]):
        raise BadInput("schedule.start is the first of schedule.times; leave it out")
    start = times[0] if times else start
    return Schedule(zone, start, pace, minutes, times, _minutes(data, "no_show", 0))


def _minutes(data: Mapping[str, object], key: str, least: int) -> int:
    value = data.get(key, 0)
    if type(value) is not int or not least <= value <= MAX_MINUTES:
        raise BadInput(
            f"schedule.{key} must be whole minutes, {least} to {MAX_MINUTES}, not {value!r}"
        )
    return value


def _times(given: object, zone: str, pace: Pace) -> tuple[datetime, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise BadInput(f"schedule.times must be a list of times, one a round, not {given!r}")
    if bool(given) != (pace == Pace.CALENDAR):
        raise BadInput("schedule.times and rounds = calendar need each other")
    if len(given) > MAX_TIMES:
        raise BadInput(f"schedule.times: {len(given)} are too many; at most {MAX_TIMES} can stand")
    times = [at(time, zone, f"schedule.times[{n}]") for n, time in enumerate(given, 1)]
    for number, (earlier, later) in enumerate(pairwise(times), 2):
        if later <= earlier:
            raise BadInput(
                f"schedule.times[{number}]: {on_the_wall(later, zone)} is not after the time of"
                " the round before; times must ascend"
            )
    return tuple(times)
