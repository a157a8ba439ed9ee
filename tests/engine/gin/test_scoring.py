"""Knobs, presets and score sheets of the gin family (RULES G6, G7, G8.3, H, O)."""

from __future__ import annotations

import pytest

from engine import knobs
from engine.errors import BadInput
from engine.game import Game
from engine.gin.events import DealEnding, GameEnding, Gin
from engine.gin.rules import POINTS, GinRules, HollywoodRules, OklahomaRules, Rules
from engine.gin.scoring import Column, Pair, Sheet, score_deal, score_game
from engine.gin.state import apply
from engine.play import play_decision
from engine.policies import find_policy

COMMON = {
    *("dealer", "gin_bonus", "undercut_bonus", "box_bonus", "big_gin", "shutout", "target"),
    *("game_bonus", "length", "deals", "max_faults"),
}


@pytest.mark.parametrize(
    ("rules", "own"),
    [
        (GinRules, {"knock_limit", "game_winner"}),
        (HollywoodRules, {"knock_limit"}),
        (OklahomaRules, {"game_winner", "ace", "spade_doubles", "extra_boxes"}),
    ],
)
def test_the_knobs_of_a_record(rules: type[Rules], own: set[str]) -> None:
    assert set(knobs.as_settings(rules())) == COMMON | own


@pytest.mark.parametrize("rules", [GinRules, HollywoodRules, OklahomaRules])
def test_presets(rules: type[Rules]) -> None:
    """A preset sets its knobs first, whatever the order; Oklahoma's target stays 150."""
    assert knobs.parse(rules, {"preset": "pagat"}) == rules()
    modern = knobs.parse(rules, {"box_bonus": 7, "preset": "modern"})
    assert (modern.gin_bonus, modern.undercut_bonus, modern.box_bonus) == (25, 25, 7)
    assert (modern.big_gin, modern.shutout, modern.game_bonus) == (31, "double_hands", 100)
    assert modern.target == (150 if rules is OklahomaRules else 100)
    assert "preset" not in knobs.as_settings(modern)


@pytest.mark.parametrize(
    ("rules", "settings", "message"),
    [
        (GinRules, {"preset": "club"}, "preset=club is unknown; it may be modern or pagat"),
        (GinRules, {"big_gin": 30}, "big_gin=30 is not one of none, 31, 50"),
        (GinRules, {"knock_limit": 51}, "0 to 50"),
        (GinRules, {"gin_bonus": 501}, "0 to 500"),
        (GinRules, {"target": 9}, "10 to 1000"),
        (GinRules, {"dealer": "left"}, "dealer=left is not one of winner, alternate, loser"),
        (GinRules, {"ace": "gin"}, "there is no knob 'ace'"),
        (HollywoodRules, {"game_winner": "total"}, "there is no knob 'game_winner'"),
        (OklahomaRules, {"knock_limit": 10}, "there is no knob 'knock_limit'"),
        (OklahomaRules, {"spade_doubles": 2}, "spade_doubles=2 is not one of no, yes"),
        (OklahomaRules, {"length": "deals"}, "length=deals needs the number of deals"),
    ],
)
def test_knobs_refuse(rules: type[Rules], settings: dict, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        knobs.parse(rules, settings)


def test_what_cards_count() -> None:
    assert [POINTS[rank + "c"] for rank in "A23456789TJQK"] == [*range(1, 11), 10, 10, 10]


@pytest.mark.parametrize(
    ("upcard", "limit"), [("As", 1), ("2c", 2), ("9d", 9), ("Th", 10), ("Js", 10), ("Kc", 10)]
)
def test_oklahoma_limits(upcard: str, limit: int) -> None:
    assert OklahomaRules().limit(upcard) == limit
    assert OklahomaRules(ace="gin").limit(upcard) == (0 if limit == 1 else limit)


@pytest.mark.parametrize(
    ("points", "gin", "rules", "ending", "score", "knocker"),
    [
        ((3, 20), Gin.NONE, GinRules(), "knock", 17, True),
        ((9, 4), Gin.NONE, GinRules(undercut_bonus=0), "undercut", 5, False),
        ((8, 8), Gin.NONE, GinRules(undercut_bonus=0), "undercut", 0, False),
        ((0, 0), Gin.NONE, GinRules(), "undercut", 10, False),
        ((0, 0), Gin.GIN, GinRules(), "gin", 20, True),
        ((0, 7), Gin.BIG, GinRules(big_gin=50), "big_gin", 57, True),
        ((9, 4), Gin.NONE, OklahomaRules(), "undercut", 30, False),
        ((0, 0), Gin.BIG, OklahomaRules(big_gin=31), "big_gin", 62, True),
    ],
)
def test_deals(
    points: Pair, gin: Gin, rules: Rules, ending: str, score: int, knocker: bool
) -> None:
    found = score_deal(*points, gin, rules, "9s")
    assert (found.ending, found.score, found.knocker_wins) == (ending, score, knocker)


@pytest.mark.parametrize(
    ("shutout", "loser", "bonus"),
    [
        ("plus100", 0, 200),
        ("double_hands", 0, 100 + 120),
        ("double_total", 0, 100 + 120 + 3 * 20 + 100),
        ("double_total", 1, 100),
    ],
)
def test_shutouts(shutout: str, loser: int, bonus: int) -> None:
    rules = GinRules(shutout=shutout)
    column = Column((loser, 120), (1, 3))
    assert column.bonuses(rules) == (0, bonus)
    score = score_game(Sheet((column,)), rules, deals=4, counted=4)
    assert score is not None and score.totals == (loser + 20, 120 + 60 + bonus)
    assert (score.ending, score.winners) == (GameEnding.TARGET, (1,))


def test_a_shutout_by_a_win_of_nothing() -> None:
    """A deal won with 0 points is a box, and the loser still scored nothing (G7.3)."""
    assert Column((0, 100), (2, 3)).bonuses(GinRules()) == (0, 200)


@pytest.mark.parametrize(
    ("points", "boxes", "winners"),
    [((100, 99), (3, 10), (1,)), ((100, 0), (0, 15), (0, 1)), ((100, 99), (5, 1), (0,))],
)
def test_the_larger_total_wins(points: Pair, boxes: Pair, winners: tuple[int, ...]) -> None:
    """``game_winner=total``; equal totals share the win (G7.5)."""
    rules = GinRules(game_winner="total", game_bonus=100, shutout="plus100")
    score = score_game(Sheet((Column(points, boxes),)), rules, deals=9, counted=9)
    assert score is not None and score.winners == winners


def test_a_fixed_number_of_deals() -> None:
    """No game bonus, no shutout; most points with boxes win; dead deals do not count (G7.1)."""
    rules = knobs.parse(GinRules, {"length": "deals", "deals": 4})
    sheet = Sheet((Column((300, 0), (2, 0)),))
    assert score_game(sheet, rules, deals=7, counted=3) is None
    score = score_game(sheet, rules, deals=8, counted=4)
    assert score is not None and score.ending is GameEnding.DEALS
    assert (score.totals, score.bonuses, score.winners) == ((340, 0), (0, 0), (0,))
    even = score_game(Sheet((Column((30, 10), (1, 2)),)), rules, deals=4, counted=4)
    assert even is not None and even.winners == (0, 1)


@pytest.mark.parametrize("rules", [GinRules(), OklahomaRules()])
def test_after_200_deals(rules: Rules) -> None:
    """As under ``length=deals``, unless that deal reached the target (G8.3)."""
    short = Sheet((Column((90, 80), (5, 9)),))
    assert score_game(short, rules, deals=199, counted=14) is None
    score = score_game(short, rules, deals=200, counted=14)
    assert score is not None and score.ending is GameEnding.DEALS
    assert (score.bonuses, score.winners) == ((0, 0), (1,))
    reached = score_game(Sheet((Column((150, 80), (5, 9)),)), rules, deals=200, counted=14)
    assert reached is not None and reached.ending is GameEnding.TARGET


def hollywood(*deals: tuple[int, int], rules: Rules) -> Sheet:
    sheet = Sheet.empty(rules)
    for seat, score in deals:
        sheet = sheet.enter(seat, score, 1, rules)
    return sheet


def test_columns_at_200_deals() -> None:
    """Open columns count points and boxes, closed ones keep their bonus (H9)."""
    rules = HollywoodRules()
    sheet = hollywood((0, 60), (0, 45), (1, 20), rules=rules)
    assert [column.points for column in sheet.columns] == [(105, 0), (45, 20), (0, 0)]
    score = score_game(sheet, rules, deals=200, counted=3)
    assert score is not None and score.ending is GameEnding.DEALS
    assert score.bonuses == (200, 0) and score.boxes == (60, 20)
    assert score.totals == (150 + 60 + 200, 20 + 20)


def test_no_column_closes_under_a_fixed_number_of_deals() -> None:
    rules = knobs.parse(HollywoodRules, {"length": "deals", "deals": 3})
    sheet = hollywood((0, 160), (0, 145), (0, 20), rules=rules)
    assert [column.points[0] for column in sheet.columns] == [325, 165, 20]
    score = score_game(sheet, rules, deals=3, counted=3)
    assert score is not None and score.bonuses == (0, 0)
    assert score.totals == (510 + 6 * 20, 0)


def test_equal_sums_share_a_hollywood_game() -> None:
    rules = HollywoodRules(target=50)
    columns = [((50, 10), (1, 1)), ((10, 50), (1, 1)), ((50, 40), (2, 2))]
    whole = Sheet(tuple(Column(*column) for column in columns))
    score = score_game(whole, rules, deals=9, counted=9)
    assert score is not None and score.totals == (110 + 80 + 200, 100 + 80 + 100)
    assert (score.ending, score.winners) == (GameEnding.TARGET, (0,))
    shared = score_game(Sheet((*whole.columns[:2], Column())), rules, deals=200, counted=9)
    assert shared is not None and shared.winners == (0, 1)


def test_an_entry_of_nothing_begins_a_column() -> None:
    """An undercut may score 0; the next win then goes into the second column too (H3)."""
    rules = HollywoodRules(undercut_bonus=0)
    sheet = hollywood((0, 0), (0, 12), rules=rules)
    assert [column.points for column in sheet.columns] == [(12, 0), (12, 0), (0, 0)]
    assert [column.boxes for column in sheet.columns] == [(2, 0), (1, 0), (0, 0)]


def test_games_to_a_fixed_number_of_deals_deal_dead_ones_again() -> None:
    """Played: the number of deals counts those with a winner, and the sheet follows the events."""
    seen = set()
    for number in range(6):
        game = Game.start(
            "gin",
            ["ann", "bob"],
            seed=bytes([number]) * 32,
            rules={"length": "deals", "deals": 2, "knock_limit": 1, "dealer": "alternate"},
        )
        while game.turn is not None:
            play_decision(game, find_policy(game.variant, "simple"))
        ended = [e.event for e in game.entries if e.event.type == "deal_ended"]
        dead = [event.ending is DealEnding.DEAD for event in ended]
        assert dead.count(False) == 2 and game.state.dead == dead.count(True)
        dealers = [e.event.dealer for e in game.entries if e.event.type == "deal_started"]
        for before, after, was_dead in zip(dealers, dealers[1:], dead, strict=False):
            assert after == (before if was_dead else 1 - before)
        seen.add(any(dead))
    assert seen == {True, False}


def test_boxes_with_extra_ones() -> None:
    """O7: the sheet holds boxes, the deals won are counted apart."""
    game = Game.start(
        "oklahoma-gin", ["ann", "bob"], seed=bytes(32), rules={"extra_boxes": "yes", "ace": "gin"}
    )
    while game.turn is not None:
        play_decision(game, find_policy(game.variant, "simple"))
    ended = [e.event for e in game.entries if e.event.type == "deal_ended" and e.event.winners]
    state = game.state
    assert sum(state.deals_won) == len(ended)
    extra = {DealEnding.UNDERCUT: 1, DealEnding.GIN: 2, DealEnding.BIG_GIN: 2}
    boxes = [0, 0]
    for event in ended:
        boxes[event.winners[0]] += 1 + extra.get(event.ending, 0)
    assert state.sheet.boxes == tuple(boxes) and sum(boxes) > len(ended)
    last = game.entries[-1].event
    assert last.boxes == tuple(20 * count for count in boxes)
    assert last.totals == tuple(
        map(sum, zip(state.sheet.points, last.boxes, last.bonuses, strict=True))
    )
    assert apply(state, game.entries[-1].event).totals == last.totals
