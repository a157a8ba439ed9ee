"""The best play of a meld phase of Manipulation: exact, joker rule included (RULES M4-M6).

How it works, from the outside in:

1. ``position`` packs the tableau and the hand into integers, leaves out hand cards that lie in no
   possible meld, and looks up the *group vectors* of each rank: how many cards of each suit may go
   into groups there. Groups are the only tie between the four suits.
2. ``plans`` settles what can be settled about jokers: which are free (M6.4), and for each free one
   whether it goes into a sequence, and of which suit, or into a group, and of which rank. Every
   such plan is a problem without jokers between suits and has an upper bound of its own.
3. ``suits`` knows for one suit the most that can be played when its groups are free to choose. The
   sum over four suits is the bound of a plan.
4. ``search`` takes the plans with the highest bounds first and goes through the ranks, branching
   over group vectors only, as long as the suits' bounds promise more than the best play found.
5. ``arrange`` makes melds of the numbers that come out and keeps old melds where it can.

The work is done in integers, without a clock or a random number, and the answer depends on the
arguments only. What is learned about suits and ranks is kept for later calls within fixed bounds;
it changes how fast an answer comes, never the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import Card, Tableau, in_order
from engine.solver.arrange import outcome
from engine.solver.plans import Plan, plans_of
from engine.solver.position import Book, Position, melded, present
from engine.solver.search import Search

__all__ = ["Solution", "best_by_count", "is_playable", "solve"]

_BOOK = Book()


@dataclass(frozen=True, slots=True)
class Solution:
    """A best play of one meld phase."""

    value: int
    """Sum of the weights of the cards played."""
    played: tuple[Card, ...]
    """The cards that leave the hand, jokers as ``*``, in the order of hands."""
    tableau: Tableau
    """The whole tableau as it then lies, jokers declared, each meld in canonical order."""


def solve(
    tableau: Tableau, hand: Sequence[Card], weights: Mapping[Card, int], above: int = 0
) -> Solution:
    """Return a play of the highest possible sum of weights (M5, M6).

    ``tableau`` must be legal, its jokers declared, and there may be two cards of each face and two
    jokers at most on it and in the hand. ``weights`` holds a number from 0 up for each face in the
    hand, ``*`` for a joker; all together must stay below 2**50. Use them to combine aims: points *
    64 + 1 each for most points, then most cards. A card can be held back by leaving it out of
    ``hand``.

    Old melds are kept where a fixed greedy search can keep them, in their old order; what has
    become of a broken one stands in its place, new melds come last. If no play is worth more than
    ``above`` nothing is played, and the tableau is returned as it was given; the answer that there
    is none comes the sooner the more is asked for.

    >>> solve((("6s", "7s", "*8s"),), ["8s", "Kh"], {"8s": 8, "Kh": 10})
    Solution(value=8, played=('8s',), tableau=(('6s', '7s', '8s', '*9s'),))
    """
    _BOOK.trim()
    position = Position(_BOOK, tableau, hand)
    plans = plans_of(position, weights, counted=False)
    return _best(position, plans, above) or Solution(0, (), tableau)


def best_by_count(
    tableau: Tableau, hand: Sequence[Card], weights: Mapping[Card, int]
) -> tuple[Solution, ...]:
    """Return the best play of one card, of two, of three and so on, where there is one.

    Arguments are as in :func:`solve`; again a card is held back by leaving it out of ``hand``.
    Plays are listed by number of cards, also those whose cards weigh nothing.

    >>> plays = best_by_count((), ["4c", "5c", "6c", "7c"], {"4c": 4, "5c": 5, "6c": 6, "7c": 7})
    >>> [(len(play.played), play.value) for play in plays]
    [(3, 18), (4, 22)]
    """
    _BOOK.trim()
    position = Position(_BOOK, tableau, hand)
    by_count: dict[int, list[Plan]] = {}
    for plan in plans_of(position, weights, counted=True):
        by_count.setdefault(plan.count, []).append(plan)
    best = [_best(position, by_count[count], -1) for count in sorted(by_count) if count]
    return tuple([solution for solution in best if solution])


def is_playable(tableau: Tableau, hand: Sequence[Card]) -> bool:
    """Say whether some play is legal; arguments are as in :func:`solve`.

    >>> is_playable((("6s", "7s", "8s"),), ["9s"]), is_playable((), ["9s", "9h"])
    (True, False)
    """
    _BOOK.trim()
    position = Position(_BOOK, tableau, hand)
    in_hand = present(position.hand >> 3)
    # Most often a card fits somewhere as it is, or the hand holds a whole meld.
    fits = 0
    for info in position.melds:
        fits |= info.open
    if fits & in_hand or (fits and position.jokers):
        return True
    if in_hand & melded(in_hand, position.jokers):
        return True
    plans = plans_of(position, dict.fromkeys(hand, 1), counted=False)
    return _best_plan(plans, Search(0)) is not None


def _best(position: Position, plans: list[Plan], floor: int) -> Solution | None:
    """Return the best play of more than ``floor``, if there is one."""
    search = Search(floor)
    plan = _best_plan(plans, search)
    if plan is None:
        return None
    played, tableau = outcome(position, plan, search)
    return Solution(search.best, in_order(played), tableau)


def _best_plan(plans: list[Plan], search: Search) -> Plan | None:
    """Search all plans that can raise the best; return the one that did so last."""
    best = None
    if len(plans) > 1:
        plans = sorted(plans, key=_bound, reverse=True)
    for plan in plans:
        if plan.problem.bound <= search.best:
            break
        if search.run(plan.problem):
            best = plan
    return best


def _bound(plan: Plan) -> int:
    return plan.problem.bound
