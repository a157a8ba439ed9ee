"""Where the cards of a state lie, for tests that hold for every game kind.

A family's state is its own affair; the contract tests only ask for the hands, the face-down cards
and the cards that lie open, and for the same state with hidden cards at other places.
"""

from __future__ import annotations

from typing import Any, Protocol

from engine.gin.melds import bits, faces
from engine.gin.state import Phase
from engine.variant import Variant

Cards = tuple[str, ...]


class Places(Protocol):
    """A family's answers."""

    def hands(self, state: Any) -> list[Cards]:
        """By seat, the cards held."""

    def face_down(self, state: Any) -> Cards:
        """The cards still to be drawn."""

    def face_up(self, state: Any) -> list[Cards]:
        """The cards that lie open."""

    def seen(self, state: Any, seat: int) -> Cards:
        """Those cards of a hand that everybody knows."""

    def moved(self, state: Any, hands: list[Cards], face_down: Cards) -> Any:
        """The state with other hidden cards."""


class ManipulationPlaces:
    def hands(self, state: Any) -> list[Cards]:
        return list(state.deal.hands)

    def face_down(self, state: Any) -> Cards:
        return state.deal.deck[len(state.deal.deck) - state.deal.pile :]

    def face_up(self, state: Any) -> list[Cards]:
        return list(state.deal.tableau)

    def seen(self, state: Any, seat: int) -> Cards:
        return ()

    def moved(self, state: Any, hands: list[Cards], face_down: Cards) -> Any:
        drawn = state.deal.deck[: len(state.deal.deck) - len(face_down)]
        return state._replace(deal=state.deal._replace(deck=drawn + face_down, hands=tuple(hands)))


class GinPlaces:
    def hands(self, state: Any) -> list[Cards]:
        return [tuple(faces(hand)) for hand in state.deal.hands]

    def face_down(self, state: Any) -> Cards:
        return state.deal.deck[len(state.deal.deck) - state.deal.stock :]

    def face_up(self, state: Any) -> list[Cards]:
        return [state.deal.discards]

    def seen(self, state: Any, seat: int) -> Cards:
        return tuple(faces(state.deal.seen[seat]))

    def moved(self, state: Any, hands: list[Cards], face_down: Cards) -> Any:
        deal = state.deal
        dealt = deal.deck[: len(deal.deck) - len(face_down)]
        drawn = deal.drawn
        if deal.phase is Phase.DISCARD and not deal.taken:
            hidden = bits(hands[deal.turn]) & ~deal.seen[deal.turn]
            drawn = drawn if drawn in hands[deal.turn] else faces(hidden)[0]
        return state._replace(
            deal=deal._replace(
                deck=dealt + face_down, hands=(bits(hands[0]), bits(hands[1])), drawn=drawn
            )
        )


_PLACES: dict[str, Places] = {"manipulation": ManipulationPlaces(), "gin": GinPlaces()}


def places(variant: Variant) -> Places:
    """The answers of a game kind's family."""
    return _PLACES[variant.family]
