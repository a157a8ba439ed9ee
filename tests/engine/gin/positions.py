"""Positions in the middle of a deal, for tests."""

from __future__ import annotations

from engine.cards import FACES, Face
from engine.events import Outcome
from engine.gin.melds import bits, hand_cards
from engine.gin.rules import GinRules, Rules
from engine.gin.scoring import Pair, Sheet
from engine.gin.state import Deal, Phase, State, initial

MINE = "Ac 2c 3c 7d 7h 7s Td Jd Kh 4s"
"""Ten cards of the seat on turn: two melds, and 34 points of deadwood."""

THEIRS = "2d 3h 4c 5d 6h 8c 9s Th Jc Qs"


def position(
    mine: str = MINE,
    theirs: str = THEIRS,
    discards: str = "9c",
    *,
    phase: Phase | None = Phase.DISCARD,
    drawn: str | None = "5s",
    taken: bool = False,
    stock: int = 20,
    discarded: int = 5,
    upcard: Face = "9c",
    dealer: int = 1,
    rules: Rules | None = None,
    faults: Pair = (0, 0),
    outcome: Outcome | None = None,
) -> State:
    """Seat 0 to act; ``drawn`` is added to its hand in the phase in which it has eleven cards."""
    rules = rules or GinRules()
    hand = bits(mine.split()) | bits([drawn] if drawn and phase is Phase.DISCARD else [])
    pile = tuple(discards.split())
    unseen = (1 << 52) - 1 & ~hand & ~bits(theirs.split()) & ~bits(pile)
    rest = hand_cards(unseen)[-stock:]
    deck = tuple(card for card in FACES if card not in rest) + rest
    deal = Deal(
        number=1,
        dealer=dealer,
        upcard=upcard,
        deck=deck,
        stock=stock,
        hands=(hand, bits(theirs.split())),
        hidden=(0, 0),
        seen=(bits([drawn]) if taken and drawn else 0, 0),
        discards=pile,
        turn=0,
        phase=phase,
        drawn=drawn if phase is Phase.DISCARD else None,
        taken=taken,
        discarded=discarded,
    )
    return initial(rules, bytes(32))._replace(
        seq=9,
        players=("ann", "bob"),
        sheet=Sheet.empty(rules),
        faults=faults,
        deal=deal,
        outcome=outcome,
    )
