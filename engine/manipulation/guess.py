"""A whole game guessed from what a seat may know, so that a policy can try moves out.

Nothing here looks at a real state: whatever an observation hides is dealt anew by chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from engine.cards import Card, in_order, physical, unshuffled
from engine.events import Status
from engine.manipulation.rules import packs
from engine.manipulation.state import Deal, State
from engine.manipulation.views import Observation
from engine.seeds import Words


def unseen(observation: Observation) -> tuple[Card, ...]:
    """Return the cards that a seat sees neither in its hand nor on the tableau, in order."""
    left = Counter(unshuffled(packs(len(observation.seats)), jokers=True))
    left.subtract(observation.hand)
    left.subtract(physical(card) for meld in observation.tableau for card in meld)
    return in_order(left.elements())


def determinize(
    observation: Observation, words: Words, lacking: Mapping[int, Collection[Card]] | None = None
) -> State:
    """Return a state in which the observing seat, on turn, would observe the same.

    The unseen cards are dealt by ``words`` to the other hands and the pile, every order with the
    same chance. The state has no seed and no past: its deal can be played to ``deal_ended``, and no
    further. Who comes last in a final lap is not observed, so that is left to chance too (M8.8).

    :param observation: of the seat on turn.
    :param lacking: by seat, faces that it shall not be dealt while there are others.
    """
    you, seats = observation.you, observation.seats
    assert you is not None and observation.dealer is not None  # noqa: S101  (a seat on turn)
    cards = _shuffled(unseen(observation), words)
    hands = []
    for seat, view in enumerate(seats):
        if seat == you:
            hands.append(observation.hand)
            continue
        lacks = lacking.get(seat, ()) if lacking else ()
        likely = [i for i, card in enumerate(cards) if card not in lacks]
        likely += [i for i, card in enumerate(cards) if card in lacks]
        dealt = set(likely[: view.cards])
        hands.append(tuple([card for i, card in enumerate(cards) if i in dealt]))
        cards = [card for i, card in enumerate(cards) if i not in dealt]
    if lacking:  # what was passed over must not lie on top
        cards = _shuffled(cards, words)
    forfeits = tuple(s for s, view in enumerate(seats) if view.status is Status.FORFEITED)
    none = (0,) * len(seats)
    state = State(
        seed=None,
        rules=observation.rules,
        players=tuple(view.id for view in seats),
        totals=tuple(view.total for view in seats),
        deals_won=tuple(view.deals_won for view in seats),
        faults=none,
        forfeits=forfeits,
        asked=none,
    )
    lap = None
    if observation.final_lap:
        others = [seat for seat in state.live_after(you) if seat != you]
        lap = (you, *others[: words.below(len(others) + 1)])
    deck = tuple(cards[: observation.pile])
    deal = Deal(
        number=observation.deal,
        dealer=observation.dealer,
        deck=deck,
        pile=observation.pile,
        hands=tuple(hands),
        tableau=observation.tableau,
        turn=you,
        draws=observation.draws,
        lap=lap,
    )
    return state._replace(deal=deal)


def _shuffled(cards: Sequence[Card], words: Words) -> list[Card]:
    shuffled = list(cards)
    for i in range(len(shuffled) - 1, 0, -1):
        j = words.below(i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return shuffled
