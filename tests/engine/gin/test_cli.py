"""The gin family on the command line: real processes, real files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.gin.melds import bits
from engine.verify import verify
from tests.engine.gin.test_rule_examples import EXAMPLES
from tests.engine.test_cli import answers, meldboard, play

KNOCK = {
    "knocker": {
        "melds": [["5h", "6h", "7h"], ["Kc", "Kd", "Ks"], ["9c", "9d", "9s"]],
        "deadwood": ["4d"],
    },
    "defender": ["8h", "9h", "Kh", "Ac", "2c", "3c", "Td", "Ts", "Qd", "6s"],
}
NINES_AND_KINGS = KNOCK["knocker"]["melds"][1:]
GIN = {
    "knocker": {"melds": [["5h", "6h", "7h", "8h"], *NINES_AND_KINGS], "deadwood": []},
    "defender": ["9h", "Kh", "Ac", "2c", "3c", "Td", "Ts", "Qd", "6s", "4d"],
}
BIG = GIN | {
    "knocker": {"melds": [["4h", "5h", "6h", "7h", "8h"], *NINES_AND_KINGS], "deadwood": []}
}
OKLAHOMA = {"variant": "oklahoma-gin", "upcard": "4s"}


def test_deadwood() -> None:
    cases = [case for case in EXAMPLES.values() if case["kind"] == "deadwood"]
    for case, answer in zip(
        cases, answers("deadwood", *(case["given"] for case in cases)), strict=True
    ):
        assert answer["deadwood"] == case["expect"]["deadwood"]
        melded = [card for meld in answer["melds"] for card in meld]
        assert bits(melded) | bits(answer["unmelded"]) == bits(case["given"]["hand"])
    (eleven,) = answers(
        "deadwood",
        {"hand": ["7c", "7d", "7h", *("2c", "3c", "4c", "5c"), *("Td", "Jd", "Qd", "Kd")]},
    )
    assert eleven == {
        "deadwood": 0,
        "melds": [["7c", "7d", "7h"], ["2c", "3c", "4c", "5c"], ["Td", "Jd", "Qd", "Kd"]],
        "unmelded": [],
    }


def test_deals() -> None:
    plain, null, gin, modern, big, doubled, extra = answers(
        "gin-score",
        KNOCK | {"variant": "gin", "rules": {}},
        KNOCK | {"upcard": None, "variant": "hollywood-gin"},
        GIN,
        GIN | {"rules": {"preset": "modern"}},
        BIG | {"rules": {"big_gin": 31}},
        GIN | OKLAHOMA,
        KNOCK | OKLAHOMA | {"rules": {"spade_doubles": "no"}},
    )
    assert (
        plain
        == null
        == {
            "ending": "knock",
            "laid_off": ["8h", "9h", "Kh"],
            "points": [4, 36],
            "scores": [32, 0],
        }
    )
    assert gin == {"ending": "gin", "laid_off": [], "points": [0, 59], "scores": [79, 0]}
    assert modern["scores"] == [84, 0]
    assert (big["ending"], big["scores"]) == ("big_gin", [90, 0])
    assert doubled["scores"] == [158, 0]
    assert extra["scores"] == [32, 0]


def test_worked_deals_with_cards() -> None:
    for ident in ("GS02", "GS03", "GS06", "GS07"):
        given, expect = EXAMPLES[ident]["given"], EXAMPLES[ident]["expect"]
        (answer,) = answers("gin-score", given)
        assert answer["points"][1] == expect["defender_deadwood"], ident
        assert answer["scores"] == list(expect["points"].values()), ident
        assert answer["ending"] == {"GS03": "gin", "GS06": "undercut"}.get(ident, "knock")


def test_games() -> None:
    over, running, boxes, fixed, larger = answers(
        "gin-score",
        {"deal_points": [104, 71], "deals_won": [5, 3], "deals": 8},
        {"deal_points": [96, 80], "deals_won": [6, 4]},
        {"variant": "oklahoma-gin", "deal_points": [162, 100], "boxes": [6, 4]},
        {
            "deal_points": [300, 0],
            "deals_won": [2, 0],
            "deals": 4,
            "rules": {"length": "deals", "deals": 4},
        },
        {"deal_points": [100, 99], "deals_won": [3, 10], "rules": {"game_winner": "total"}},
    )
    assert over == {
        "over": True,
        "boxes": [100, 60],
        "bonuses": [100, 0],
        "totals": [304, 131],
        "winners": [0],
    }
    assert running == {
        "over": False,
        "boxes": [0, 0],
        "bonuses": [0, 0],
        "totals": [96, 80],
        "winners": [],
    }
    assert boxes["totals"] == [382, 180]
    assert (fixed["over"], fixed["totals"], fixed["bonuses"]) == (True, [340, 0], [0, 0])
    assert larger["winners"] == [1]


def test_columns() -> None:
    open_, whole, fixed = answers(
        "gin-score",
        {"variant": "hollywood-gin", "deals": [[0, 60], [None, 0], [1, 22]]},
        {
            "variant": "hollywood-gin",
            "deals": [[0, 60], [0, 45], [0, 30], [1, 22], [0, 28], [1, 50], [0, 44]],
        },
        {
            "variant": "hollywood-gin",
            "deals": [[0, 160], [None, 0], [0, 22]],
            "rules": {"length": "deals", "deals": 2},
        },
    )
    assert open_ == {
        "over": False,
        "boxes": [0, 0],
        "bonuses": [0, 0],
        "totals": [60, 22],
        "winners": [],
        "columns": [[60, 22], [0, 0], [0, 0]],
        "closed": [],
    }
    assert whole["totals"] == [870, 112] and whole["closed"] == [1, 2, 3]
    assert whole["columns"] == [[105, 0], [103, 22], [102, 50]] and whole["winners"] == [0]
    assert (fixed["over"], fixed["closed"], fixed["boxes"]) == (True, [], [60, 0])


def knocker(melds: list[list[str]], *deadwood: str) -> dict[str, Any]:
    return KNOCK | {"knocker": {"melds": melds, "deadwood": list(deadwood)}}


BAD_SCORES: list[tuple[dict[str, Any], str]] = [
    (knocker([["5h", "6h", "7h"]], *"4d"), "is not a card of this game"),
    (knocker([["5h", "6h", "Jh"]]), "5h 6h Jh is not a meld: the ranks leave a gap"),
    (knocker([["Qh", "Kh", "Ah"]]), "Kh stands twice"),
    (knocker([["Qc", "Kc", "Ac"]]), "Ac stands twice"),
    (knocker([["5h", "6h", "7h"]], "Ad"), "a knocker shows 10 cards, or 11 melded, not 4"),
    (BIG, "eleven melded cards are big gin, which needs big_gin=31 or 50"),
    (
        knocker(KNOCK["knocker"]["melds"][:2], "Jc", "2d", "2h", "4c"),
        "18 points of deadwood; a knock takes at most 10",
    ),
    (KNOCK | {"defender": KNOCK["defender"][1:]}, "a hand has 10 cards, not 9"),
    (KNOCK | {"defender": ["*", *KNOCK["defender"][1:]]}, '"\\*" is not a card of this game'),
    (KNOCK | {"variant": "oklahoma-gin"}, "upcard is missing; in Oklahoma Gin it sets the"),
    (KNOCK | OKLAHOMA | {"upcard": "3s"}, "4 points of deadwood; a knock takes at most 3"),
    (KNOCK | {"upcard": "1s"}, "upcard: .1s. is not a card"),
    (KNOCK | {"variant": "manipulation"}, "this command is for the gin family, not"),
    (KNOCK | {"rules": {"ace": "gin"}}, "there is no knob 'ace'"),
    (KNOCK | {"knocker": ["4d"]}, "knocker must be an object"),
    (KNOCK | {"knocker": {"melds": []}}, "field 'deadwood' is missing"),
    (KNOCK | {"defendr": []}, 'unknown field "defendr"; did you mean "defender"'),
    (KNOCK | {"deal_points": [1, 2]}, "give knocker .* or deal_points"),
    ({}, "give knocker .* or deal_points"),
    ({"deal_points": [1, 2]}, "give deals_won or boxes"),
    ({"deal_points": [1, 2], "boxes": [0, 1], "deals_won": [0, 1]}, "and not both"),
    ({"deal_points": [1, 2, 3], "boxes": [0, 1]}, "deal_points must be two numbers"),
    ({"deal_points": [1, -2], "boxes": [0, 1]}, "deal_points must be two numbers"),
    ({"deal_points": [1, 2], "boxes": [0]}, "boxes must be two numbers"),
    ({"deal_points": [100, 120], "deals_won": [3, 4]}, "only one seat can have reached"),
    ({"deal_points": [10, 20], "deals_won": [3, 4], "deals": 6}, "deals must be 7, the deals"),
    ({"deal_points": [10, 20], "deals_won": [3, 4], "deals": 201}, "to 200, not 201"),
    (
        {"deal_points": [1, 2], "boxes": [1, 1], "rules": {"length": "deals", "deals": 4}},
        "length=deals needs the number of deals played",
    ),
    ({"variant": "hollywood-gin", "deal_points": [1, 2]}, "scored by its deals, such as"),
    ({"variant": "gin", "deals": [[0, 60]]}, "has one column; give deal_points"),
    ({"variant": "hollywood-gin", "deals": [[2, 60]]}, "deal 1 must be 0, 1 or null, not 2"),
    ({"variant": "hollywood-gin", "deals": [[None, 6]]}, "deal 1 cannot have scored 6"),
    ({"variant": "hollywood-gin", "deals": [[0, -6]]}, "deal 1 cannot have scored -6"),
    ({"variant": "hollywood-gin", "deals": [[0, None]]}, "deal 1 cannot have scored null"),
    ({"variant": "hollywood-gin", "deals": [[0]]}, "deal 1 must be a winner and points"),
    ({"variant": "hollywood-gin", "deals": [[0, 100]] * 5}, "game is over before deal 4"),
]

BAD_HANDS: list[tuple[object, str]] = [
    (["7c", "7d"], "a hand has 10 or 11 cards, not 2"),
    (["7c"] * 10, "7c stands twice; a pack has it once"),
    (["*"] * 10, "is not a card of this game"),
    ("7c", "hand must be a list"),
]


def test_bad_lines() -> None:
    """Each gets an error that names the thing; the others go on."""
    scores = answers("gin-score", *(line for line, _ in BAD_SCORES))
    hands = answers("deadwood", *({"hand": hand} for hand, _ in BAD_HANDS))
    for (line, message), answer in zip([*BAD_SCORES, *BAD_HANDS], [*scores, *hands], strict=True):
        assert re.search(message, answer["error"]["message"]), (line, answer)


@pytest.mark.parametrize("key", ["gin", "hollywood-gin", "oklahoma-gin"])
def test_deal(key: str) -> None:
    zero = "00" * 32
    done = meldboard("deal", "--seed", zero, "--variant", key, "--seats", 2, "--dealer", 0)
    answer = json.loads(done.stdout)
    assert answer["deck"][:7] == ["6d", "4h", "Kd", "9s", "Tc", "3h", "As"]
    assert answer["first_dealer"] == 0
    assert sorted(answer["hands"][1]) == sorted(answer["deck"][0:20:2])
    assert answer["upcard"] == answer["deck"][20]
    assert answer["pile"] == answer["deck"][21:] and len(answer["pile"]) == 31
    plain = json.loads(meldboard("deal", "--seed", zero, "--variant", key).stdout)
    assert set(plain) == {"deck", "first_dealer"} and len(plain["deck"]) == 52
    done = meldboard("deal", "--seed", zero, "--variant", key, "--seats", 3)
    assert done.returncode == 2 and "--seats must be 2" in done.stderr


@pytest.mark.parametrize("key", ["gin", "hollywood-gin", "oklahoma-gin"])
def test_play_verify_and_show(tmp_path: Path, key: str) -> None:
    args = ("--variant", key, "--bots", "simple,faulty", "--games", 3, "--seed", "0a" * 32)
    args += ("--rules", "preset=modern,length=deals,deals=2")
    first = play(tmp_path / "a", *args, PYTHONHASHSEED="0")
    assert play(tmp_path / "b", *args, "--jobs", 2, PYTHONHASHSEED="1") == first
    paths = sorted((tmp_path / "a").iterdir())
    for data in first.values():
        record = verify(data)
        assert record.events[0].variant == key and record.events[0].rules["big_gin"] == 31
    done = meldboard("verify", *paths)
    assert done.returncode == 0 and done.stdout.count(": ok, ") == 3
    told = meldboard("show", paths[0])
    assert told.returncode == 0 and "turns up" in told.stdout and "from the stock" in told.stdout
    last = meldboard("show", paths[0], "--step", 2)
    assert last.returncode == 0 and "discard pile: " in last.stdout and "stock: " in last.stdout
    assert ("column 3: " in last.stdout) is (key == "hollywood-gin")
    done = meldboard("play", "--variant", key, "--bots", "simple", "--out", tmp_path / "c")
    assert done.returncode == 2 and "has 2 seats" in done.stderr
