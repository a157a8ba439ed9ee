"""Standings made anew from what was played, straight from the definitions.

Written from the words of the columns and of the log without a look at ``tournaments.standings`` and
``tournaments.folds``: slow, plain, and one entrant at a time.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

Name = Hashable

HALF = Fraction(1, 2)
BEATEN = {"allocated": 1, "forfeit_win": 1, "requested": HALF}
"""How far a bye counts as won against its stand-in; others are lost."""
OWN_BYES = ("buchholz", "buchholz_cut1", "sonneborn_berger", "opponents_average")
"""Columns into which byes enter."""


@dataclass(frozen=True)
class Game:
    """A table that was played."""

    seats: tuple[Name, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[Fraction, ...] = ()


def pointed(game: Game, scheme: str) -> Game:
    """The game with its points by a scheme that looks at one table."""
    n = len(game.seats)
    if scheme == "placement":
        points = [
            sum((Fraction(other > own) + HALF * (other == own) for other in game.ranks), -HALF)
            / (n - 1)
            for own in game.ranks
        ]
    elif scheme == "wins":
        first = [rank == 1 for rank in game.ranks]
        points = [Fraction(won, sum(first)) for won in first]
    else:
        points = [Fraction(score) for score in game.scores]
    return Game(game.seats, game.scores, game.ranks, tuple(points))


@dataclass
class Recount:
    """All that happened in a phase."""

    entrants: Sequence[Name]
    """In seed order."""
    games: Sequence[Game]
    byes: Sequence[tuple[Name, str]]
    worth: Mapping[str, Fraction]
    """What each kind of bye is worth."""
    taken: Mapping[Name, Fraction] = field(default_factory=dict)
    gone: Iterable[Name] = ()
    lots: Mapping[Name, int] = field(default_factory=dict)

    def played(self, name: Name) -> list[tuple[Game, int]]:
        """Somebody's games, each with the seat there."""
        return [(game, game.seats.index(name)) for game in self.games if name in game.seats]

    def kinds(self, name: Name) -> list[str]:
        """Somebody's byes."""
        return [kind for who, kind in self.byes if who == name]

    def won(self, name: Name, with_byes: bool = True) -> Fraction:
        """Points before penalties."""
        games = sum((game.points[seat] for game, seat in self.played(name)), Fraction(0))
        return games + with_byes * sum((self.worth[kind] for kind in self.kinds(name)), Fraction(0))

    def points(self, name: Name) -> Fraction:
        """Points after penalties."""
        return self.won(name) - self.taken.get(name, Fraction(0))

    def average(self, name: Name) -> Fraction:
        """Points a round that counted."""
        return self.points(name) / max(1, len(self.played(name)) + len(self.kinds(name)))

    def a_game(self, name: Name) -> Fraction:
        """Points a game, without byes."""
        return self.won(name, with_byes=False) / max(1, len(self.played(name)))

    def value(self, key: str, name: Name, tied: Sequence[Name], with_byes: bool = True) -> Any:
        """What stands in somebody's column.

        :param with_byes: whether the opponents' byes count among their points.
        """
        played, kinds = self.played(name), self.kinds(name)
        stand_in = self.a_game(name) * (len(played) + len(kinds))
        others = [
            [(game.seats[i], game.ranks[i]) for i in range(len(game.seats)) if i != seat]
            for game, seat in played
        ]
        means = [
            sum((self.won(o, with_byes) for o, _ in of), Fraction(0)) / len(of) for of in others
        ]
        means += [stand_in for _ in kinds]
        match key:
            case "wins":
                won = [Fraction(1, g.ranks.count(1)) for g, seat in played if g.ranks[seat] == 1]
                return sum(won, Fraction(0))
            case "direct":
                return self._direct(name, tied)
            case "buchholz":
                return sum(means, Fraction(0))
            case "buchholz_cut1":
                return sum(means, Fraction(0)) - min(means, default=Fraction(0))
            case "sonneborn_berger":
                total = sum((stand_in * BEATEN.get(kind, 0) for kind in kinds), Fraction(0))
                for (game, seat), of in zip(played, others, strict=True):
                    own = game.ranks[seat]
                    for other, rank in of:
                        part = 1 if rank > own else HALF if rank == own else 0
                        total += part * self.won(other, with_byes) / len(of)
                return total
            case "opponents_average":
                met = [self.a_game(other) for of in others for other, _ in of]
                met += [self.a_game(name) for _ in kinds]
                return sum(met, Fraction(0)) / max(1, len(met))
            case "score_share":
                shares = [Fraction(g.scores[s], sum(g.scores)) for g, s in played if sum(g.scores)]
                return sum(shares, Fraction(0)) / max(1, len(played))
            case "best_table":
                return tuple(sorted((game.points[seat] for game, seat in played), reverse=True))
            case "seed":
                return list(self.entrants).index(name) + 1
        return self.lots[name]

    def _direct(self, name: Name, tied: Sequence[Name]) -> Fraction | None:
        if len(tied) < 2:
            return None
        group = set(tied)
        among = [game for game in self.games if len(group.intersection(game.seats)) > 1]
        together = [game for game in among if group.issubset(game.seats)]
        if not together:
            met = all(
                any(a in game.seats and b in game.seats for game in among)
                for a, b in combinations(tied, 2)
            )
            counts = {sum(one in game.seats for game in among) for one in tied}
            if not met or len(counts) > 1:
                return None
        counted = [game for game in together or among if name in game.seats]
        return sum((game.points[game.seats.index(name)] for game in counted), Fraction(0))

    def rows(self, keys: Sequence[str], compared: Mapping[Name, Any]) -> list[dict[str, Any]]:
        """The standings: who, rank, columns, and the columns that a bye decided."""
        found: list[dict[str, Any]] = []
        for gone in (False, True):
            listed = [name for name in self.entrants if (name in set(self.gone)) == gone]
            begin = len(found)
            for tied in _parted(listed, {name: (compared[name],) for name in listed}):
                for group, notes in self._untied(tied, list(keys)):
                    rank = None if gone else len(found) - begin + 1
                    found += [{"who": name, "rank": rank, **notes[name]} for name in group]
        return found

    def _untied(self, tied: list[Name], keys: list[str]) -> list[tuple[list[Name], Any]]:
        if not keys:
            return [(tied, {name: {"metrics": {}, "byes": []} for name in tied})]
        key, *rest = keys
        values = {name: self.value(key, name, tied) for name in tied}
        groups = _parted(tied, _worth(key, values))
        decided = False
        if key in OWN_BYES and len(groups) > 1:
            other = {name: self.value(key, name, tied, with_byes=False) for name in tied}
            decided = any(self.kinds(name) for name in tied)
            decided = decided or _parted(tied, _worth(key, other)) != groups
        found = []
        for group in groups:
            for part, notes in self._untied(group, rest):
                for name in part:
                    notes[name]["metrics"] = {key: values[name], **notes[name]["metrics"]}
                    notes[name]["byes"] = [key] * decided + notes[name]["byes"]
                found.append((part, notes))
        return found


def _worth(key: str, values: Mapping[Name, Any]) -> dict[Name, Any]:
    """Numbers that are higher for the better."""
    if key in ("lot", "seed"):
        return {name: -value for name, value in values.items()}
    return {name: 0 if value is None else value for name, value in values.items()}


def _parted(names: list[Name], worth: Mapping[Name, Any]) -> list[list[Name]]:
    """Those of equal worth together, the best first."""
    levels = sorted({worth[name] for name in names}, reverse=True)
    return [[name for name in names if worth[name] == level] for level in levels]


@dataclass(frozen=True)
class Held:
    """Somebody at a seat of one game of a board; ``deals`` hold the scores of all seats there."""

    who: Name
    seat: int
    deals: Sequence[Sequence[int] | None]
    forfeited: bool
    totals: Sequence[int]
    """Scores of the table, the own one first."""
    corrected: bool

    def ahead(self, number: int) -> Fraction | None:
        """The own score less the mean of the others', of a deal or, if corrected, of all."""
        scores = self.totals
        own = 0
        if not self.corrected:
            if number >= len(self.deals) or self.deals[number] is None:
                return None
            scores, own = self.deals[number] or (), self.seat
        others = [score for seat, score in enumerate(scores) if seat != own]
        return scores[own] - Fraction(sum(others), len(others))

    def total(self) -> Fraction:
        """How far ahead in the totals."""
        return self.totals[0] - Fraction(sum(self.totals[1:]), len(self.totals) - 1)


def board_points(tables: Sequence[Mapping[str, Any]]) -> list[dict[Name, Fraction]]:
    """The matchpoints of all tables of a round that played the same deals.

    :param tables: each with ``seats``, ``totals``, ``deals`` by rotation (scores, gone) and whether
        it was ``corrected``.
    """
    held: list[list[Held]] = []
    for table in tables:
        of: list[Held] = []
        n = len(table["seats"])
        for rotation, (deals, gone) in enumerate(table["deals"] or [([table["totals"]], ())]):
            for index, who in enumerate(table["seats"]):
                seat, totals = (index + rotation) % n, list(table["totals"])
                totals.insert(0, totals.pop(index))
                of.append(Held(who, seat, deals, seat in gone, totals, table["corrected"]))
        held.append(of)
    everybody = [each for of in held for each in of]
    length = max((len(each.deals) for each in everybody), default=1) or 1

    def share(own: Held, number: int) -> Fraction:
        value = own.ahead(number)
        if value is None:
            return Fraction(0) if own.forfeited else HALF
        found = []
        for other in everybody:
            alike = (len(other.totals), other.seat) == (len(own.totals), own.seat)
            theirs = other.ahead(number)
            if other is own or not alike or theirs is None:
                continue
            mine = value
            if own.corrected or other.corrected:
                mine, theirs = own.total(), other.total()
            found.append(Fraction(mine > theirs) + HALF * (mine == theirs))
        return sum(found, Fraction(0)) / len(found) if found else HALF

    points = []
    for of in held:
        shares: dict[Name, list[Fraction]] = {each.who: [] for each in of}
        for each in of:
            shares[each.who] += [share(each, number) for number in range(length)]
        points.append({who: sum(own, Fraction(0)) / len(own) for who, own in shares.items()})
    return points


def of_log(lines: Iterable[Mapping[str, Any]], number: int, scheme: str, worth: Any) -> Recount:
    """What a tournament's log says of a phase.

    :param worth: what each kind of bye is worth.
    """
    entrants: list[Name] = []
    lots: dict[Name, int] = {}
    tables: dict[tuple[int, int], dict[str, Any]] = {}
    byes: dict[tuple[int, Name], str] = {}
    penalties: dict[int, tuple[Name, Fraction]] = {}
    gone: set[Name] = set()
    for line in lines:
        data, kind = line["data"], line["type"]
        here = data.get("phase") == number
        where = data.get("round", 0), data.get("table", 0)
        if kind in ("withdrawn", "disqualified"):
            gone.add(data["player"])
        elif kind == "returned":
            gone.discard(data["player"])
        if kind == "voided":
            (table,) = [t for t in tables.values() if t["game"] == data["game"]] or [{}]
            table |= {"game": data["replaced_by"], "totals": None, "deals": [], "corrected": False}
        if not here:
            continue
        if kind == "phase_started":
            entrants, lots = list(data["entrants"]), dict(data["lots"])
        elif kind in ("entered", "returned"):
            if "lot" in data:
                entrants.append(data["player"])
                lots[data["player"]] = data["lot"]
            byes |= {(round_, data["player"]): "zero" for round_ in data["missed"]}
        elif kind == "paired":
            for table in data["tables"]:
                told = {"game": table["game"], "seats": list(table["seats"])}
                more = {"rotations": len(table.get("rotations", ()))}
                tables[where[0], table["table"]] = told | more | {"totals": None, "deals": []}
                tables[where[0], table["table"]]["corrected"] = False
            byes |= {(where[0], bye["player"]): bye["kind"] for bye in data.get("byes", ())}
        elif kind == "result":
            deals = [(of["scores"], of["gone"]) for of in data.get("deals", ())]
            tables[where] |= {"totals": data["totals"], "ranks": data["ranks"], "deals": deals}
        elif kind == "corrected":
            tables[where] |= {"totals": data["totals"], "ranks": data["ranks"]}
            tables[where]["corrected"] = bool(tables[where]["deals"])
        elif kind == "averaged":
            seats, games = len(tables[where]["seats"]), 1 + tables[where]["rotations"]
            tables[where] |= {"totals": [0] * seats, "ranks": [1] * seats, "corrected": False}
            tables[where]["deals"] = [([], ())] * games
        elif kind == "no_show" and not data.get("forfeited"):
            byes[where[0], data["player"]] = "forfeit_loss"
            seats = tables[where]["seats"]
            seats.remove(data["player"])
            if len(seats) == 1:
                byes[where[0], seats[0]] = "forfeit_win"
                del tables[where]
            else:
                tables[where]["game"] = data["replaced_by"]
        elif kind == "penalised":
            penalties[line["seq"]] = data["player"], Fraction(data["points"])
        elif kind == "penalty_lifted":
            del penalties[data["penalty"]]
        elif kind == "phase_closed":
            break
    played = {where: table for where, table in tables.items() if table["totals"] is not None}
    games = []
    for round_ in sorted({where[0] for where in played}):
        together = [table for where, table in sorted(played.items()) if where[0] == round_]
        boards = board_points(together) if scheme == "matchpoints" else []
        for index, table in enumerate(together):
            game = Game(tuple(table["seats"]), tuple(table["totals"]), tuple(table["ranks"]))
            if boards:
                points = tuple(boards[index][who] for who in game.seats)
                games.append(Game(game.seats, game.scores, game.ranks, points))
            else:
                games.append(pointed(game, scheme))
    taken: dict[Name, Fraction] = {}
    for who, points in penalties.values():
        taken[who] = taken.get(who, Fraction(0)) + points
    held = [(who, kind) for (_, who), kind in byes.items()]
    return Recount(entrants, games, held, worth, taken, gone, lots)
