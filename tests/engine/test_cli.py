"""The command line as others use it: real processes, real files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import RecordError
from engine.record import digest, dumps, head_line, read_record
from engine.verify import verify

DATA = Path(__file__).parent.parent / "data"
ROOT = DATA.parent.parent


def meldboard(*args: object, text: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *map(str, args)],
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | env,
        timeout=120,
        check=False,
    )


def answers(command: str, *inputs: object) -> list[dict]:
    text = "".join((i if isinstance(i, str) else json.dumps(i)) + "\n" for i in inputs)
    done = meldboard(command, text=text)
    assert done.stderr == ""
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == len(inputs)
    assert done.returncode == any("error" in line for line in lines)
    return lines


def test_check() -> None:
    freed = {
        "before": [["6s", "7s", "*8s"]],
        "hand": ["8s", "2c", "2d"],
        "after": [["6s", "7s", "8s"], ["2c", "2d", "*2h"]],
    }
    renamed = freed | {"after": [["*5s", "6s", "7s"], ["2c", "2d", "8s"]], "id": "any"}
    kept = {"before": [], "hand": ["*", "4c", "6c"], "after": [["6c", "*5c", "4c"]]}
    good, bad, joker, broken, mistyped, early = answers(
        "check",
        freed,
        renamed,
        kept,
        "{oops",
        freed | {"befor": []},
        {"before": [["4c", "5c"]], "hand": [], "after": []},
    )
    assert good == {"legal": True, "played": ["2c", "2d", "8s"]}
    assert (bad["legal"], bad["code"], bad["clause"]) == (False, "not_a_meld", "M4.2")
    assert joker == {"legal": True, "played": ["4c", "6c", "*"]}
    assert broken["error"]["line"] == 4 and "not JSON" in broken["error"]["message"]
    assert mistyped["error"]["message"] == 'unknown field "befor"; did you mean "before"?'
    assert early["error"]["message"].startswith("before: 4c 5c is not a meld")


def test_check_answers_every_rule_example() -> None:
    examples = json.loads((DATA / "rule-examples.json").read_text())["examples"]
    turns = [e for e in examples if e["kind"] == "turn"]
    inputs = [
        {
            "before": e["given"]["tableau_before"],
            "hand": e["given"]["hand_before"],
            "after": e["given"]["tableau_after"],
        }
        for e in turns
    ]
    for example, answer in zip(turns, answers("check", *inputs), strict=True):
        assert answer["legal"] is example["expect"]["legal"], example["id"]


def test_solve() -> None:
    position = {"tableau": [["5c", "6c", "7c"]], "hand": ["8c", "Kd", "2d"]}
    points, cards, nothing, wrong, empty, named, thrice = answers(
        "solve",
        position,
        position | {"objective": "cards", "rules": {"hand_size": 7}, "variant": "manipulation"},
        position | {"hand": ["Kd"]},
        position | {"objective": "tricks"},
        "",
        position | {"hand": ["*8c"]},
        position | {"hand": ["Kd", "Kd", "Kd"]},
    )
    assert points == cards
    assert (points["points"], points["cards"], points["played"]) == (8, 1, ["8c"])
    assert points["tableau"] == [["5c", "6c", "7c", "8c"]]
    assert nothing == {"points": 0, "cards": 0, "played": [], "tableau": [["5c", "6c", "7c"]]}
    assert "objective must be points or cards" in wrong["error"]["message"]
    assert empty["error"] == {"line": 5, "message": "a JSON object must stand here"}
    assert "a joker in hand has no name" in named["error"]["message"]
    assert "Kd stands more than twice" in thrice["error"]["message"]


def test_solve_reads_the_oracle_file_as_it_is() -> None:
    lines = (DATA / "solver-oracle.jsonl").read_text().splitlines()[:40]
    for line, answer in zip(lines, answers("solve", *lines), strict=True):
        assert answer["points"] == json.loads(line)["best_points"]


def test_score() -> None:
    deal, forfeited, game, running, deals, alone = answers(
        "score",
        {"hands": [["4h"], ["Ac", "9d"]], "knocker": 0, "out": None, "rules": {}},
        {"hands": [4, None, 20, 9], "knocker": 0},
        {"totals": [152, 120, 40], "deals_won": [4, 3, 1], "deals": 8, "forfeited": []},
        {"totals": [149, 148], "deals_won": [4, 4]},
        {
            "totals": [80, 160, 60],
            "deals_won": [3, 4, 1],
            "deals": 8,
            "rules": {"length": "deals", "deals": 8},
        },
        {"totals": [90, 10], "deals_won": [3, 0], "forfeited": [0]},
    )
    assert deal == {"points": [4, 10], "scores": [6, 0], "winners": [0]}
    assert forfeited == {"points": [4, None, 20, 9], "scores": [21, 0, 0, 0], "winners": [0]}
    assert game == {
        "over": True,
        "bonuses": [100, 75, 25],
        "totals": [252, 195, 65],
        "winners": [0],
    }
    assert running == {"over": False, "bonuses": [0, 0], "totals": [149, 148], "winners": []}
    assert deals["totals"] == [155, 260, 85]
    assert alone == {"over": True, "bonuses": [0, 0], "totals": [90, 10], "winners": [1]}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"hands": [[], ["9d"]], "out": None}, "the hand of seat 0 is empty, so out must be 0"),
        ({"hands": [0, 9]}, "the hand of seat 0 is empty"),
        ({"hands": [3, 9], "out": 0}, "seat 0 is out but still has cards"),
        ({"hands": [0, 9], "out": 0, "knocker": 1}, "nobody knocks in a deal in which"),
        ({"hands": [6, 9], "knocker": 0}, "seat 0 cannot knock with 6 points; the limit is 5"),
        ({"hands": [6, 9], "knocker": 2}, "knocker must be a seat that has a hand or null"),
        ({"hands": [6, None], "knocker": 1}, "knocker must be a seat that has a hand or null"),
        ({"hands": [6]}, "Manipulation has 2 to 5 seats, not 1"),
        ({"hands": [None, None]}, "at least one seat must have a hand"),
        ({"hands": [6, "x"]}, "the hand of seat 1 must be cards, points or null"),
        ({"hands": [6, -1]}, "the hand of seat 1 must be cards, points or null"),
        ({"hands": 6}, "hands must be a list"),
        ({"hands": [6, 7], "totals": [1, 2]}, "give hands .* or totals .*, not both"),
        ({"totals": [1, 2]}, "field 'deals_won' is missing"),
        ({"totals": [1, 2], "deals_won": [1]}, "deals_won has 1 entries for 2 totals"),
        (
            {"totals": [1, 2], "deals_won": [1, 1], "rules": {"length": "deals", "deals": 4}},
            "length=deals needs the number of deals played",
        ),
        ({"totals": [1, 2], "deals_won": [0, 0], "forfeited": [0, 1]}, "forfeited must name"),
        ({"totals": [1, -2], "deals_won": [0, 0]}, "are never negative"),
        ({"hands": [3, 9], "variant": "chess"}, "variant 'chess' is unknown"),
    ],
)
def test_score_refuses(line: dict, message: str) -> None:
    (answer,) = answers("score", line)
    assert pytest.importorskip("re").search(message, answer["error"]["message"])


def test_deal() -> None:
    zero = "00" * 32
    done = meldboard("deal", "--seed", zero, "--deal", 1, "--seats", 2, "--dealer", 0)
    answer = json.loads(done.stdout)
    assert answer["deck"][:5] == ["5s", "*", "7d", "8c", "Ac"]
    assert answer["first_dealer"] == 0
    assert sorted(answer["hands"][1]) == sorted(answer["deck"][0:20:2])
    assert answer["pile"] == answer["deck"][20:] and len(answer["pile"]) == 33
    plain = json.loads(meldboard("deal", "--seed", zero, "--seats", 3).stdout)
    assert set(plain) == {"deck", "first_dealer"} and len(plain["deck"]) == 106
    for args, message in [
        (["--seed", "00"], "a seed is 64 hex digits, not '00'"),
        (["--seed", zero, "--seats", 6], "--seats must be 2 to 5"),
        (["--seed", zero, "--dealer", 2], "--dealer must be a seat, 0 to 1"),
        (["--seed", zero, "--deal", 0], "--deal is 1 to 4294967295, not 0"),
        (["--seed", zero, "--variant", "chess"], "variant 'chess' is unknown"),
    ]:
        done = meldboard("deal", *args)
        assert done.returncode == 2 and message in done.stderr, args


def play(out: Path, *args: object, **env: str) -> dict[str, bytes]:
    done = meldboard("play", "--out", out, *args, **env)
    assert done.returncode == 0, done.stderr
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def test_play_is_the_same_every_time(tmp_path: Path) -> None:
    """The same seed gives the same bytes, whatever the hash seed and the number of jobs."""
    args = ("--bots", "greedy,random,faulty", "--games", 3, "--seed", "07" * 32)
    args += ("--rules", "length=deals,deals=2,final_lap_knock=yes")
    first = play(tmp_path / "a", *args, PYTHONHASHSEED="0")
    assert len(first) == 3
    assert play(tmp_path / "b", *args, PYTHONHASHSEED="1") == first
    assert play(tmp_path / "c", *args, "--jobs", 2, PYTHONHASHSEED="random") == first
    assert play(tmp_path / "a", *args) == first
    for data in first.values():
        record = verify(data)
        assert record.events[0].seats == ("greedy#0", "random#1", "faulty#2")
        assert all(entry.at == "1970-01-01T00:00:00.000000Z" for entry in record.entries)


def test_play_without_a_seed(tmp_path: Path) -> None:
    records = [
        read_record(data)
        for data in play(
            tmp_path, "--bots", "greedy,greedy", "--games", 2, "--rules", "length=deals,deals=1"
        ).values()
    ]
    assert len({record.game for record in records}) == 2
    assert len({record.events[0].commitment for record in records}) == 2
    assert all(entry.at > "2026" for record in records for entry in record.entries)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--bots", "gredy,random"], "bot 'gredy' is unknown in Manipulation; known are: random"),
        (["--bots", "greedy"], "--bots names 1; Manipulation has 2 to 5 seats"),
        (["--bots", "greedy,greedy", "--games", "0"], "--games and --jobs must be at least 1"),
        (["--bots", "greedy,greedy", "--rules", "target=9"], "target=9 must be a whole number"),
        (["--bots", "greedy,greedy", "--variant", "go"], "variant 'go' is unknown"),
    ],
)
def test_play_refuses(tmp_path: Path, args: list[str], message: str) -> None:
    done = meldboard("play", "--out", tmp_path / "out", *args)
    assert done.returncode == 2 and message in done.stderr
    assert not (tmp_path / "out").exists()


def test_play_never_overwrites_another_record(tmp_path: Path) -> None:
    args = ("--bots", "greedy,greedy", "--seed", "01" * 32, "--rules", "length=deals,deals=1")
    (name,) = play(tmp_path, *args)
    (tmp_path / name).write_text("mine")
    done = meldboard("play", "--out", tmp_path, *args)
    assert done.returncode == 2 and "holds another record" in done.stderr
    assert (tmp_path / name).read_text() == "mine"


def test_verify_and_show(tmp_path: Path) -> None:
    args = ("--bots", "greedy,random", "--games", 1, "--seed", "02" * 32)
    (name,) = play(tmp_path, *args, "--rules", "length=deals,deals=1")
    path = tmp_path / name
    record = verify(path.read_bytes())
    done = meldboard("verify", path)
    assert (done.stdout, done.returncode) == (f"{path}: ok, {len(record.entries)} events\n", 0)
    assert meldboard("verify", path, "--head", record.head).returncode == 0
    assert meldboard("verify", path, "--head", "00" * 32).returncode == 1

    told = meldboard("show", path)
    assert told.returncode == 0 and "greedy#0" in told.stdout
    last = told.stdout.splitlines()[-1]
    assert last.strip().endswith("The seed is revealed; every deal can be checked.")
    step = meldboard("show", path, "--step", 3)
    assert step.returncode == 0 and "pile:" in step.stdout
    done = meldboard("show", path, "--step", 999)
    assert done.returncode == 2 and "there is no step 999; steps are 0 to" in done.stderr

    broken = tmp_path / "broken.jsonl"
    text = path.read_text()
    broken.write_text(text.replace('"scores":[', '"scores":[9', 1))
    done = meldboard("verify", path, broken, tmp_path / "none.jsonl")
    assert done.returncode == 1
    good, bad, missing = done.stdout.splitlines()
    assert good.endswith("events") and f"{broken}: line " in bad
    assert missing.endswith("none.jsonl: No such file or directory")
    with pytest.raises(RecordError):
        verify(broken.read_bytes())


def test_a_result_that_is_too_large_is_a_bad_line() -> None:
    large = 2**53 - 1
    bad, also, good = answers(
        "score",
        {"hands": [0, large, large], "out": 0},
        {"totals": [large, 1], "deals_won": [0, 9]},
        {"hands": [1, 2], "knocker": 0},
    )
    assert "is beyond 2**53 - 1" in bad["error"]["message"] and bad["error"]["line"] == 1
    assert "is beyond 2**53 - 1" in also["error"]["message"]
    assert good["winners"] == [0]


def test_hands_hold_no_more_than_the_packs() -> None:
    two, three, form_feed, nothing = answers(
        "score",
        {"hands": [["4h"], ["4h", "9d"]]},
        {"hands": [["4h"], ["4h", "9d"], ["Kc"]]},
        '\f{"hands":[1,2]}',
        {},
    )
    assert two["error"]["message"] == "4h stands more than once; one pack holds it once (M1.2)"
    assert three["winners"] == [0]
    assert "not JSON" in form_feed["error"]["message"]
    assert "give hands (to score a deal) or totals" in nothing["error"]["message"]


def test_show_tells_no_lies(tmp_path: Path) -> None:
    """A false record is not told but refused, in one line."""
    path = tmp_path / "game.jsonl"
    lines = (DATA / "golden/manipulation/knock-deals-2.jsonl").read_text().splitlines()
    event = json.loads(lines[-3])
    event["data"]["winners"] = [1 - event["data"]["winners"][0]]
    lines[-3] = dumps(event)
    seed = json.loads(lines[-2]) | {"prev": digest(lines[-3])}
    lines[-2] = dumps(seed)
    lines[-1] = head_line(digest(lines[-2]))
    path.write_text("".join(f"{line}\n" for line in lines))
    done = meldboard("show", path)
    assert done.returncode == 1 and done.stdout == ""
    assert f"{path}: line {len(lines) - 2}: game_ended: winners is" in done.stderr


def test_output_that_cannot_be_written() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "engine", "check"],
            input='{"before":[],"hand":[],"after":[]}\n' * 9,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=False,
        )
    assert done.returncode == 2 and done.stderr == "meldboard: No space left on device\n"


def test_answers_are_utf_8_whatever_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "ünreadable.jsonl"
    done = meldboard("verify", path, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.stdout == f"{path}: No such file or directory\n"
