"""Tournament files: what they say, and what each bad one is told."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from engine.errors import BadInput
from tournaments.spec import parse_spec, read_specs

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

GOOD = """
name = "Spring open"
variant = "manipulation"

[rules]
length = "deals"
deals = 2

[[entrants]]
bot = "greedy"
count = 4

[[phases]]
format = "round_robin"
table_size = 4
"""


def read(tmp_path: Path, text: str):
    path = tmp_path / "file.toml"
    path.write_text(text)
    (spec,) = read_specs(path)
    return spec


def test_a_good_file(tmp_path: Path) -> None:
    spec = read(tmp_path, GOOD)
    assert (spec.name, spec.variant, spec.size) == ("Spring open", "manipulation", 4)
    assert spec.rules["deals"] == 2 and spec.rules["hand_size"] == 10
    (phase,) = spec.phases
    assert phase.options == {"table_size": 4, "meetings": 1}
    assert (phase.scheme, phase.tie_breaks[0]) == ("placement", "wins")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_the_examples_are_good(path: Path) -> None:
    assert all(spec.size >= 2 for spec in read_specs(path))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "Spring open"', "", "name is missing"),
        ('"Spring open"', '""', "name is empty; it must have at least one character"),
        ('"Spring open"', '"' + "x" * 81 + '"', "name has 81 characters; at most 80"),
        (
            "variant =",
            "varient =",
            "varient is unknown; known are: access, entrants",
        ),
        ('"manipulation"', '"canasta"', "variant 'canasta' is unknown; known are: manipulation"),
        ("deals = 2", "deals = 0", "toml: rules: deals=0 must be a whole number 1 to 100"),
        ("deals = 2", "hands = 2", "there is no knob 'hands'; known are dealer"),
        ("[rules]", "[[rules]]", "rules must be a table of knobs"),
        ('"greedy"', '"gredy"', r"entrants\[1\].bot: bot 'gredy' is unknown in Manipulation"),
        ("count = 4", "count = 0", r"entrants\[1\].count must be a whole number 1 to 10000, not 0"),
        ("count = 4", "number = 4", r"entrants\[1\].number is unknown; known are: bot, count"),
        ("count = 4", "count = 2", r"phases\[1\]: 2 entrants do not fill a table of 4"),
        ("count = 4", "count = 301", r"phases\[1\]: a round robin takes at most 300 entrants"),
        ('"round_robin"', '"swiss2"', r"phases\[1\]: format 'swiss2' is unknown; known are: round"),
        ("table_size = 4", "table_size = 6", r"phases\[1\]: table_size=6 must be .* 2 to 5"),
        ("table_size = 4", "tables = 4", r"phases\[1\]: there is no knob 'tables'"),
        ("table_size = 4", 'scheme = "elo"', r"phases\[1\]: scheme 'elo' is unknown; known are"),
        ("table_size = 4", 'tie_breaks = ["koya"]', r"phases\[1\]: tie-break 'koya' is unknown"),
        ("table_size = 4", 'tie_breaks = "wins"', r"phases\[1\]: tie_breaks must be a list"),
        ("[[phases]]", "[phases]", r"there must be at least one table \[\[phases\]\]"),
        ("[[entrants]]", "[[entrants", "not TOML: .*line 9"),
        ("deals = 2", "deals = ", "not TOML: Invalid value .at line 7"),
        (
            "table_size = 4",
            "top = 3",
            r"phases\[1\]: top=3, but there is no phase before the first",
        ),
        (
            "table_size = 4",
            "top = -1",
            r"phases\[1\].top must be a whole number 0 to 10000, not -1",
        ),
        ("table_size = 4", "byes = 3", r"phases\[1\]: byes must be a table of kinds and points"),
        (
            "table_size = 4",
            "byes = { rest = 1 }",
            r"byes.rest is unknown; kinds are: allocated, req",
        ),
        (
            "table_size = 4",
            "byes = { zero = 0.5 }",
            r"byes.zero must be .* such as \"1/2\", not 0.5",
        ),
        ("table_size = 4", "byes = { zero = '1/0' }", r"byes.zero must be .* not '1/0'"),
        (
            "table_size = 4",
            'scheme = "game_points"',
            r"does not follow from the scheme game_points; byes must say it for allocated, req",
        ),
        (
            "[rules]",
            "late_entry = 51\n[rules]",
            "late_entry must be a whole number 0 to 50, not 51",
        ),
        ("[rules]", 'access = "open"\n[rules]', "access must be one of public, unlisted, private"),
        ("[rules]", "entry = 3\n[rules]", "entry must be a table of keys and values, not 3"),
        ("[rules]", "entry.open = 1\n[rules]", "entry.open must be true or false, not 1"),
        ("[rules]", "entry.until = 1\n[rules]", "entry.until is unknown; known are: closes, least"),
        (
            "[rules]",
            "entry = { least = 9, most = 8 }\n[rules]",
            "entry.least=9 must be at most entry.most=8",
        ),
        (
            "[rules]",
            "entry = { most = 3 }\n[rules]",
            "entrants: 4 bots for at most 3 entrants",
        ),
        (
            "[rules]",
            'entry = { opens = "2030-01-02 10:00", closes = "2030-01-01 10:00" }\n[rules]',
            "entry.closes must be later than entry.opens",
        ),
        (
            "[rules]",
            'entry.closes = "2030-01-03 10:00"\nschedule.start = "2030-01-02 10:00"\n[rules]',
            "entry.closes must not be later than the start",
        ),
        (
            'format = "round_robin"\ntable_size = 4',
            'format = "final"\n[[phases]]\nformat = "knockout"\ntop = 1',
            r"phases\[2\]: a knock-out takes 2 to 1024 entrants, not 1",
        ),
    ],
)
def test_a_bad_file_is_told_what_is_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(BadInput, match=message) as caught:
        read(tmp_path, GOOD.replace(old, new))
    assert "file.toml" in str(caught.value)


def test_a_file_with_two_phases(tmp_path: Path) -> None:
    more = """
byes = { allocated = "2/3", zero = -1 }
[[phases]]
format = "knockout"
top = 3
"""
    spec = read(tmp_path, GOOD.replace("table_size = 4", "table_size = 4" + more))
    first, second = spec.phases
    assert spec.sizes == [4, 3] and second.top == 3
    assert {str(kind): str(worth) for kind, worth in first.bye_points.items()} == {
        "allocated": "2/3",
        "requested": "1/2",
        "forfeit_win": "1",
        "forfeit_loss": "0",
        "zero": "-1",
    }
    assert second.tie_breaks == ("seed",)


def test_a_file_for_several_games(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    several = GOOD.replace('variant = "manipulation"', 'variant = ["gin", "oklahoma-gin"]')
    assert several != GOOD
    several = several.replace("hand_size", "target").replace('"greedy"', '"strong"')
    path.write_text(several.replace("table_size = 4", "table_size = 2"))
    specs = read_specs(path)
    assert [(spec.name, spec.variant) for spec in specs] == [
        ("Spring open: Gin Rummy", "gin"),
        ("Spring open: Oklahoma Gin", "oklahoma-gin"),
    ]
    for keys, message in (
        ("[]", "one game kind or more, each once"),
        ('["gin", "gin"]', "one game kind or more, each once"),
        ('["gin", "chess"]', "variant 'chess' is unknown"),
        ("[1]", "variant must be a text, not 1"),
    ):
        path.write_text(GOOD.replace('variant = "manipulation"', f"variant = {keys}"))
        with pytest.raises(BadInput, match=message):
            read_specs(path)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none.toml: No such file or directory"):
        read_specs(tmp_path / "none.toml")


def test_entrants_may_come_later() -> None:
    for entrants in ({}, {"entrants": []}):
        spec = parse_spec({"name": "x", "phases": [{"format": "round_robin"}]} | entrants)
        assert spec.size == 0
    with pytest.raises(BadInput, match=r"at least one table \[\[entrants\]\]"):
        parse_spec({"name": "x", "phases": [{"format": "round_robin"}], "entrants": {"bot": "x"}})


@pytest.mark.django_db
def test_a_tournament_without_entrants_is_not_run(tmp_path: Path) -> None:
    from tournaments.models import Tournament

    path = tmp_path / "empty.toml"
    path.write_text('name = "x"\n[[phases]]\nformat = "round_robin"')
    with pytest.raises(CommandError, match=r"at least one table \[\[entrants\]\]"):
        call_command("tournament", "run", str(path), stdout=StringIO())
    assert not Tournament.objects.exists()


@pytest.mark.django_db
def test_the_command_refuses_a_bad_file_and_writes_nothing(tmp_path: Path) -> None:
    from tournaments.models import Tournament

    path = tmp_path / "bad.toml"
    path.write_text(GOOD.replace("count = 4", "count = 2"))
    with pytest.raises(CommandError, match=r"bad.toml: phases\[1\]: 2 entrants do not fill"):
        call_command("tournament", "run", str(path), stdout=StringIO())
    assert not Tournament.objects.exists()
