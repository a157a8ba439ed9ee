"""The tableau as it is drawn: places that stay, numbers of equal cards, marks, tags."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from engine.cards import Tableau, physical
from engine.manipulation.board import Board, boards, hand_points, turn_label
from engine.manipulation.state import Deal, State
from engine.record import read_record
from engine.replay import Replay
from engine.variants import find_variant
from tests.engine.helpers import random_game

GOLDEN = Path(__file__).parent.parent / "data" / "golden" / "manipulation"


def state(*melds: str, deal: int = 1) -> State:
    tableau: Tableau = tuple(tuple(meld.split()) for meld in melds)
    dealt = Deal(number=deal, dealer=0, deck=None, pile=0, hands=((), ()), tableau=tableau)
    return State(None, deal=dealt)


def told(board: Board) -> dict[str, tuple[int, str, str]]:
    return {meld.name: (meld.slot, meld.tag, str(meld.change)) for meld in board.melds}


def marks(board: Board) -> dict[str, str]:
    return {c.id: str(c.mark) for meld in board.melds for c in meld.cards if c.mark}


def test_the_worked_example_of_the_design() -> None:
    before = state("3h 4h 5h 6h 7h 8h 9h", "6c 7c 8c", "Kc Kh Ks")
    after = state("3h 4h 5h", "7h 8h 9h", "6d 6h 6s", "6c 7c 8c 9c", "Kc Kh Ks")
    board = boards([before, after])[1]
    assert told(board) == {
        "Hearts 3–5": (1, "split", "changed"),
        "Clubs 6–9": (2, "+1", "fresh"),
        "Kings": (3, "", ""),
        "Hearts 7–9": (4, "split", "changed"),
        "Sixes": (5, "new", "fresh"),
    }
    assert marks(board) == {"k9c-1": "new", "k6d-1": "new", "k6h-1": "moved", "k6s-1": "new"}
    (sixes,) = (meld for meld in board.melds if meld.name == "Sixes")
    assert sixes.cards[1].origin == "Hearts 3–9"
    assert board.played == ("6d", "6s", "9c")
    assert board.cards == 16


def test_a_first_meld_is_new_and_then_rests() -> None:
    first, rest = boards([state("6c 6d 6h"), state("6c 6d 6h")])
    assert told(first) == {"Sixes": (1, "new", "fresh")}
    assert marks(first) == {"k6c-1": "new", "k6d-1": "new", "k6h-1": "new"}
    assert told(rest) == {"Sixes": (1, "", "")}
    assert marks(rest) == {} and rest.played == ()


def test_melds_that_are_joined() -> None:
    board = boards([state("3h 4h 5h", "7h 8h 9h"), state("3h 4h 5h 6h 7h 8h 9h")])[1]
    assert told(board) == {"Hearts 3–9": (1, "joined", "fresh")}
    assert [mark for _, mark in sorted(marks(board).items())] == ["new", *["moved"] * 3]


def test_a_place_is_not_used_again() -> None:
    made = boards(
        [
            state("3h 4h 5h", "7h 8h 9h"),
            state("3h 4h 5h 6h 7h 8h 9h"),
            state("3h 4h 5h 6h 7h 8h 9h", "Ac Ad Ah"),
        ]
    )
    assert told(made[2]) == {"Hearts 3–9": (1, "", ""), "Aces": (3, "new", "fresh")}


def test_a_card_taken_from_a_meld() -> None:
    board = boards([state("6c 6d 6h 6s"), state("6c 6d 6h", "6s 7s 8s")])[1]
    assert told(board) == {"Sixes": (1, "−1", "changed"), "Spades 6–8": (2, "new", "fresh")}


def test_equal_cards_are_numbered_as_they_come() -> None:
    made = boards(
        [
            state("6c 6d 6h"),
            state("6c 6d 6h", "6d 6h 6s"),
            state("6c 6d 6h 6s", "4h 5h 6h 7h", "5d 6d 7d"),
        ]
    )
    ids = {meld.slot: [card.id for card in meld.cards] for meld in made[1].melds}
    assert ids == {1: ["k6c-1", "k6d-1", "k6h-1"], 2: ["k6d-2", "k6h-2", "k6s-1"]}
    groups = {meld.slot: [card.id for card in meld.cards] for meld in made[2].melds}
    assert groups[1] == ["k6c-1", "k6d-1", "k6h-1", "k6s-1"]  # what stayed kept its number
    assert {ident for cards in groups.values() for ident in cards} >= {"k6d-2", "k6h-2"}


def test_identical_melds_keep_their_places() -> None:
    made = boards([state("6c 6d 6h", "6c 6d 6h"), state("6c 6d 6h", "6c 6d 6h", "Ac Ad Ah")])
    assert [meld.slot for meld in made[1].melds] == [1, 2, 3]


def test_a_freed_joker_moves_under_a_new_name() -> None:
    board = boards([state("6c 7c *8c"), state("6c 7c 8c", "Qd Qh *Qs")])[1]
    clubs, queens = board.melds
    assert (clubs.tag, [c.id for c in clubs.cards]) == ("+1", ["k6c-1", "k7c-1", "k8c-1"])
    assert [(c.id, c.card, c.origin) for c in queens.cards][2] == ("kx-1", "*Qs", "Clubs 6–8")


def test_a_joker_that_keeps_its_name_is_found_before_a_renamed_one() -> None:
    before = state("6c 7c *8c", "Qd Qh *Qs")
    after = state("6c 7c 8c *9c", "Qd Qh *Qs", "8d 8h *8c")
    board = boards([before, after])[1]
    where = {card.card: card.id for meld in board.melds for card in meld.cards if "*" in card.card}
    assert (where["*Qs"], where["*8c"]) == ("kx-2", "kx-1")


def test_a_joker_renamed_in_its_place() -> None:
    board = boards([state("6c 7c *8c", "8c 8d 8h"), state("*5c 6c 7c", "8c 8d 8h")])[1]
    assert told(board)["Clubs 5–7"] == (1, "renamed", "changed")


def test_a_new_deal_begins_anew() -> None:
    made = boards([state("6c 6d 6h"), state("6c 6d 6h", deal=2)])
    assert told(made[1]) == {"Sixes": (1, "new", "fresh")}
    assert boards([State(None)]) == [Board()]


def test_random_games(amount) -> None:
    """Each board shows the tableau; what did not change keeps its place and its numbers."""
    variant = find_variant("manipulation")
    for number in range(amount(12, 400)):
        *_, game = random_game(variant, ("board", number))
        replay = Replay(variant, [entry.event for entry in game.entries], game.seed)
        before = Board()
        for step in range(len(replay.steps)):
            board = replay.board(step)
            current = replay.state(step)
            if step and current.deal.number != replay.state(step - 1).deal.number:
                before = Board()
            check_board(before, board, current.deal.tableau)
            before = board


def test_a_step_needs_the_boards_of_its_deal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, game = random_game(find_variant("manipulation"), ("deals", 1))
    replay = Replay(game.variant, [entry.event for entry in game.entries], game.seed)
    made = []
    boards = replay.variant.boards
    monkeypatch.setattr(
        type(replay.variant),
        "boards",
        lambda _, states: made.append(found := boards(states)) or found,
    )
    deal = replay.deals[-1]
    assert len(replay.deals) > 1
    for step in (deal[1], deal[0], deal[3], deal[-1], deal[2]):
        replay.board(step)
    assert [len(found) for found in made] == [2, len(deal)]


def check_board(before: Board, board: Board, tableau: Tableau) -> None:
    melds = [tuple(card.card for card in meld.cards) for meld in board.melds]
    assert Counter(melds) == Counter(tableau)
    slots = [meld.slot for meld in board.melds]
    assert slots == sorted(set(slots)) and all(slot < board.next_slot for slot in slots)
    faces = {card.id: physical(card.card) for meld in board.melds for card in meld.cards}
    assert len(faces) == board.cards
    lay = {card.id: physical(card.card) for meld in before.melds for card in meld.cards}
    assert lay.items() <= faces.items()
    come = Counter(faces.values()) - Counter(lay.values())
    assert Counter(board.played) == come
    new = [c.id for meld in board.melds for c in meld.cards if c.mark == "new"]
    assert set(new) == faces.keys() - lay.keys()
    for text in set(melds):
        old = {m.id: m for m in before.melds if tuple(c.card for c in m.cards) == text}
        now = {m.id: m for m in board.melds if tuple(c.card for c in m.cards) == text}
        stayed = old.keys() & now.keys()
        assert len(stayed) == min(len(old), len(now))
        for ident in stayed:
            assert [c.id for c in now[ident].cards] == [c.id for c in old[ident].cards]
            assert not now[ident].change


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_turn_has_a_label_and_words(path: Path) -> None:
    replay = Replay.of(read_record(path.read_bytes()))
    assert replay.label(0) is None
    laid = played = 0
    for step in range(1, len(replay.steps)):
        label = replay.label(step)
        assert label is not None and label.words and (label.main or label.end)
        laid += int(label.main[1:]) if label.main.startswith("▲") else 0
        assert bool(replay.board(step).played) == label.main.startswith("▲")
        played += len(replay.board(step).played)
    assert laid == played
    assert sum(map(len, replay.deals)) == len(replay.steps)


def test_the_labels_of_golden_turns() -> None:
    labels = set()
    for path in GOLDEN.glob("*.jsonl"):
        replay = Replay.of(read_record(path.read_bytes()))
        for step in range(1, len(replay.steps)):
            label = replay.label(step)
            assert label is not None
            labels.add((label.end, label.quiet, label.aside == "fault"))
    assert {end for end, _, _ in labels} == {"", "knock", "out", "forfeit"}
    assert any(fault for _, _, fault in labels)


def test_a_turn_told_once() -> None:
    """The narration leaves out what a later sentence of the turn tells again."""
    replay = Replay.of(read_record((GOLDEN / "exhausted-deals-2.jsonl").read_bytes()))
    step = next(
        s
        for s in range(1, len(replay.steps))
        if any(
            replay.events[q - 1].type == "drew"
            for q in range(replay.steps[s].first, replay.steps[s].last)
        )
    )
    assert len(replay.narration(step)) < len(replay.captions(step))
    assert replay.narration(0) == replay.captions(0)


def test_points_are_known_only_where_hands_are() -> None:
    variant = find_variant("manipulation")
    *_, game = random_game(variant, "points")
    events = [entry.event for entry in game.entries]
    seen = Replay(variant, events, game.seed)
    public = Replay(variant, events, None)
    for step in range(len(seen.steps)):
        known, hidden = hand_points(seen.state(step)), hand_points(public.state(step))
        assert len(known) == len(seen.state(step).players)
        for full, shown in zip(known, hidden, strict=True):
            assert shown in (None, full)
    assert hand_points(State(None)) == ()
    assert turn_label(State(None), (), State(None)).main == "–"
