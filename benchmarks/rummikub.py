"""The solver against rummikub-solver, by number of cards (P2).

Asked are the two-pack positions of self-play without a high ace on the tableau, which Rummikub
does not have. Its jokers are always free, so one that may not be renamed goes in as the card that
it stands for. The solver answers the whole question, high aces included; the peer's value must be
the one that HiGHS finds without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from benchmarks.measure import Effort, Result, race, times_faster
from benchmarks.peers import PeerMissing, import_highs, import_peer
from benchmarks.positions import CARDS, Position, self_play
from engine.cards import JOKER, RANKS, SUITS, Card, is_joker, named
from engine.solver import solve

OWN, PEER = "meldboard", "rummikub-solver"
JOKER_TILE = len(RANKS) * len(SUITS) + 1


def run(effort: Effort) -> list[Result]:
    """Measure the positions that both can answer."""
    result = Result("Solver, self-play positions for Rummikub, cards")
    asked = effort.some([position for position in self_play() if fits(position)])
    engines: dict[str, Callable[[Position], int]] = {OWN: own_value}
    expected = None
    try:
        expected = values_without_high_aces(asked)
        engines[PEER] = peer()
    except PeerMissing as error:
        result.missing.append(str(error))
    run = race(engines, asked, effort.repeats)
    result.spreads = run.spreads()
    if expected is not None and PEER in engines:
        result.figure(
            "rummikub.faster",
            times_faster(run.medians(OWN), run.medians(PEER)),
            "times faster, median of ratios",
        )
        result.figure(
            "rummikub.first",
            times_faster(run.firsts(OWN), run.firsts(PEER)),
            "times faster where both see a position for the first time",
        )
        for position, own, other, want in zip(
            asked, run.answers[OWN], run.answers[PEER], expected, strict=True
        ):
            if other != want or own < want:
                result.differences.append(
                    f"{position.id}: {OWN} {own}, {PEER} {other}, without high aces {want}"
                )
    return [result]


def fits(position: Position) -> bool:
    """Say whether Rummikub could have such a tableau."""
    high = any([named(card)[0] for card in meld][-2:] == ["K", "A"] for meld in position.tableau)
    return position.packs == 2 and not high


def own_value(position: Position) -> int:
    """Return the most cards that can be played."""
    return solve(position.tableau, position.hand, CARDS).value


def values_without_high_aces(asked: Sequence[Position]) -> list[int]:
    """Return the most cards that can be played if an ace is always low.

    HiGHS runs first and on one thread: rummikub-solver, which uses it too, is slower with more.

    :raises PeerMissing: when HiGHS is not installed.
    """
    highs = import_highs().Highs(2)
    return [
        highs.best_value(position.tableau, position.hand, CARDS, high_aces=False)
        for position in asked
    ]


def peer() -> Callable[[Position], int]:
    """Return rummikub-solver with its default rules and backend.

    :raises PeerMissing: when it is not installed.
    """
    rummikub = import_peer(PEER, "rummikub_solver")
    rules, mode = rummikub.RuleSet(), rummikub.SolverMode.TILE_COUNT

    def value(position: Position) -> int:
        state = rules.new_game()
        state.add_table(*tiles(position))
        state.add_rack(*[JOKER_TILE if card == JOKER else tile(card) for card in position.hand])
        found = rules.solve(state, mode)
        return len(found.tiles) if found else 0

    return value


def tiles(position: Position) -> list[int]:
    """Return the tiles of a tableau; a joker that cannot be freed is the card it stands for."""
    there = [card for meld in position.tableau for card in meld]
    reals = Counter([*there, *position.hand])
    found = []
    for card in there:
        fixed = not is_joker(card) or not reals[named(card)]
        found.append(tile(named(card)) if fixed else JOKER_TILE)
    return found


def tile(face: Card) -> int:
    """Return the number of a tile: by colour, then by value."""
    return len(RANKS) * SUITS.index(face[1]) + RANKS.index(face[0]) + 1
