"""Swiss events by the hundred: what must hold in every round of every one of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from engine import knobs
from engine.errors import BadInput
from engine.seeds import Words
from tests.tournaments import oracles
from tests.tournaments.events import Phase, played_out
from tests.tournaments.helpers import KEY
from tournaments.formats.base import Bye, ByeKind, History, Pairing
from tournaments.formats.swiss import SWISS, Options
from tournaments.pairing.exact import EXACT_ENTRANTS

BUDGET = 300_000
"""Steps of the search for a better seating of a large field."""
BUSY = (ByeKind.ALLOCATED, ByeKind.FORFEIT_WIN)


def random_event(seed: int) -> tuple[Phase, int]:
    """A phase of 8 to 200 entrants, and how many rounds it has; fewer than entrants."""
    random = Random(seed)
    size = 2 + seed % 4
    most = random.choice((12, 16, 16, 24, 40, 80, 200))
    count = random.randrange(8, most + 1)
    rounds = random.randrange(3, min(count, 10))
    scores = tuple(range(random.choice((2, 3, 9))))
    entrants: list = [f"p{i}" for i in range(count)]
    key = random.randbytes(32)
    return Phase(SWISS, Options(size, rounds), entrants, random, scores, key), rounds


def disturb(phase: Phase) -> None:
    """Let somebody withdraw, return, come late or ask for a bye, now and then."""
    random = phase.random
    present = [e for e in phase.entrants if e not in phase.withdrawn]
    if random.random() < 0.25 and len(present) > 6:
        phase.withdrawn.update(random.sample(present, random.randrange(1, 3)))
    if random.random() < 0.15 and phase.withdrawn:
        phase.withdrawn.discard(random.choice(sorted(phase.withdrawn)))
    if random.random() < 0.2 and phase.rounds:
        phase.enter_late(f"late{len(phase.entrants)}")
    if random.random() < 0.2:
        for entrant in random.sample(present, random.randrange(1, 3)):
            if entrant not in phase.withdrawn:
                phase.away[entrant] = random.choice((ByeKind.REQUESTED, ByeKind.ZERO))


class Watch:
    """Checks every round of an event and counts what is reported."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase
        self.size = phase.options.table_size  # type: ignore[attr-defined]
        self.counts: Counter[str] = Counter()

    def check(self, pairing: Pairing, before: History, entrants: list) -> None:
        """Check a round against what was known before it."""
        counts = self.counts
        counts["rounds"] += 1
        seated = [entrant for table in pairing.tables for entrant in table]
        busy = Counter([*seated, *(bye.entrant for bye in pairing.byes)])
        there = [e for e in entrants if e not in before.withdrawn]
        assert busy == Counter(there), "everybody who is there once, nobody else"
        for entrant, kind in before.away.items():
            assert Bye(entrant, kind) in pairing.byes
        sizes = [len(table) for table in pairing.tables]
        field = [e for e in there if e not in before.away]
        if len(field) < max(2, self.size - 1):
            counts["rounds without a table, too few being there"] += 1
            assert not pairing.tables
            assert all(Bye(entrant, ByeKind.FORFEIT_WIN) in pairing.byes for entrant in field)
            return
        free = [bye.entrant for bye in pairing.byes if bye.kind is ByeKind.ALLOCATED]
        assert (len(free), sizes.count(self.size - 1) if self.size > 2 else 0) == (
            oracles.fewest_byes(len(field), self.size)
        )
        assert set(sizes) <= {self.size, max(2, self.size - 1)}
        self._check_byes(free, field, before)
        past = oracles.Past(
            [earlier.tables for earlier in before.rounds],
            [earlier.floats for earlier in before.rounds],
            {entrant: before.points[entrant] for entrant in seated},
        )
        for table in pairing.tables:
            assert oracles.seat_cost(table, past) == oracles.least_seat_cost(table, past)
            for entrant in table:
                by = oracles.float_of(entrant, table, past)
                assert pairing.floats.get(entrant, 0) == by
        self._check_repeats(pairing, seated, sizes, past)

    def _check_byes(self, free: list, field: list, before: History) -> None:
        had = Counter(
            bye.entrant for earlier in before.rounds for bye in earlier.byes if bye.kind in BUSY
        )
        if any(had[entrant] for entrant in free):
            fewest = min(had[e] for e in field if e not in free)
            assert all(had[e] <= fewest for e in free), "a second bye only when all have had one"
            self.counts["second byes, everybody there having had one"] += 1
        for entrant in free:
            worse = before.order[before.order.index(entrant) + 1 :]
            passed = [e for e in worse if e in field and e not in free]
            assert all(had[e] > had[entrant] for e in passed), "the lowest of the eligible"

    def _check_repeats(
        self, pairing: Pairing, seated: list, sizes: list[int], past: oracles.Past
    ) -> None:
        small = len(seated) <= EXACT_ENTRANTS
        where = f"up to {EXACT_ENTRANTS}" if small else f"above {EXACT_ENTRANTS}"
        self.counts[f"rounds of {where}"] += 1
        if not oracles.repeats(pairing.tables, past):
            return
        self.counts[f"rounds with a repeat, {where}"] += 1
        by = oracles.floats(pairing.tables, past)
        if small:
            found = oracles.repeat_free(seated, sizes, past, len(by), by[0] if by else 0)
            assert found is None, f"{pairing.tables} could be {found}"
            return
        try:
            avoidable = oracles.searched(seated, sizes, past, len(by), by[0] if by else 0, BUDGET)
            known = "avoidable" if avoidable else "proven unavoidable"
        except oracles.Undecided:
            known = "undecided"
        self.counts[f"rounds with a repeat, {where}, {known}"] += 1

    def seats(self) -> None:
        """Count how far seat counts of those who sat at full tables only are apart."""
        for entrant in self.phase.entrants:
            held: Counter[int] = Counter()
            for pairing in self.phase.rounds:
                for table in pairing.tables:
                    if entrant in table:
                        held[table.index(entrant)] += 1
            times = [held[seat] for seat in range(self.size)]
            apart = max(times) - min(times)
            self.counts[f"entrants with seats apart by {min(apart, 3)}, tables of {self.size}"] += 1


def run(seed: int) -> Counter[str]:
    """Play an event and check every round."""
    phase, rounds = random_event(seed)
    watch = Watch(phase)
    while True:
        disturb(phase)
        before, entrants = phase.history(), list(phase.entrants)
        pairing = phase.pair()
        if pairing is None:
            break
        watch.check(pairing, before, entrants)
        phase.play()
    assert len(phase.rounds) == rounds
    watch.seats()
    watch.counts["events"] += 1
    return watch.counts


@pytest.mark.parametrize("part", range(8))
def test_random_events(part: int, amount, record_property) -> None:
    """In the long form 1,000 events; what is counted goes into the report."""
    counts: Counter[str] = Counter()
    each = amount(1, 125)
    for seed in range(part * each, (part + 1) * each):
        counts += run(seed)
    for name, count in sorted(counts.items()):
        record_property(name, count)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_round_of_a_thousand(size: int, amount, record_property) -> None:
    """In the long form it is timed, by the processor's clock: other work on the machine is none."""
    random = Random(size)
    longest = 0.0
    for count, scores in ((1000, (0, 1)), (997, tuple(range(9))))[: amount(1, 2)]:
        key = random.randbytes(32)
        phase = Phase(SWISS, Options(size, 10), list(range(count)), random, scores, key)
        for _ in range(amount(2, 10)):
            began = time.process_time()
            pairing = phase.pair()
            longest = max(longest, time.process_time() - began)
            assert pairing is not None
            seated = [entrant for table in pairing.tables for entrant in table]
            assert sorted([*seated, *(bye.entrant for bye in pairing.byes)]) == list(range(count))
            met = oracles.Past([past.tables for past in phase.rounds[:-1]], [], {})
            assert oracles.repeats(pairing.tables, met) == 0
            phase.play()
    record_property("longest round, in seconds of the processor", longest)
    if amount(False, True):
        assert longest < 2


def test_pairs_in_the_first_round_are_a_lot_and_everybody_may_meet_everybody() -> None:
    met = Counter()
    for key in range(200):
        pairing = SWISS.pair(range(6), History(), Options(2), Words(bytes([key]) * 32))
        assert pairing is not None
        met.update(frozenset(table) for table in pairing.tables)
    assert len(met) == 15 and min(met.values()) > 20


def test_the_same_words_pair_the_same() -> None:
    for size in (2, 4):
        first, again = (
            played_out(Phase(SWISS, Options(size, 3), list(range(18)), Random(1))) for _ in "12"
        )
        assert first == again


def test_nothing_depends_on_the_hash_seed() -> None:
    program = (
        "from random import Random\n"
        "from tests.tournaments.events import Phase, played_out\n"
        "from tournaments.formats.swiss import SWISS, Options\n"
        "names = ['p' + str(i) for i in range(18)]\n"
        "print([played_out(Phase(SWISS, Options(k, 3), names, Random(k))) for k in (2, 5)])\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(answers) == 1


def test_a_round_explains_itself() -> None:
    names = ["ann", "bob", "cy", "di", "eve"]
    played = Pairing(1, (("ann", "bob"), ("cy", "di")), (Bye("eve", ByeKind.ALLOCATED),))
    points = {"ann": Fraction(1), "cy": Fraction(1), "eve": Fraction(1)}
    history = History((played,), points=points, order=("ann", "cy", "eve", "bob", "di"))
    pairing = SWISS.pair(names, history, Options(2, 3), Words(KEY))
    assert pairing is not None
    said = {note.say({n: n.title() for n in names}): note.table for note in pairing.notes}
    assert "Round 2 of 3: score groups 1 (3), 0 (1). 0 meetings repeated; no other seating is" in (
        " ".join(said)
    )
    assert said["Di has the bye: the lowest in the standings of those with none so far."] is None
    (down,) = [name for name, by in pairing.floats.items() if by > 0]
    odd = f"{down.title()} floated down 1 score group: odd group, 3 do not fill tables of 2."
    assert said[odd] == 2
    assert "Bob floated up 1 score group: only 1 in the score group, too few for a table of 2." in (
        said
    )
    assert any(text.startswith("Seats held least often:") for text in said)


def test_repeats_are_named_with_their_rounds() -> None:
    phase = Phase(SWISS, Options(2, 3), ["ann", "bob"], Random(1))
    played_out(phase)
    assert [phase.rounds[1].tables[0], phase.rounds[2].tables[0]]
    texts = [note.say({"ann": "Ann", "bob": "Bob"}) for note in phase.rounds[2].notes]
    assert any(text.endswith("met in rounds 1, 2.") for text in texts)
    assert any("1 meeting repeated" in text or "2 meetings repeated" in text for text in texts)


def test_a_second_bye_only_when_everybody_has_had_one() -> None:
    phase = Phase(SWISS, Options(2, 6), list(range(3)), Random(1))
    byes = [bye.entrant for pairing in played_out(phase) for bye in pairing.byes]
    assert sorted(byes[:3]) == [0, 1, 2] and sorted(byes[3:]) == [0, 1, 2]


def test_asking_for_a_bye_is_not_having_one_allocated() -> None:
    phase = Phase(SWISS, Options(2, 2), ["ann", "bob", "cy"], Random(1))
    phase.away["ann"] = ByeKind.REQUESTED
    first = phase.pair()
    assert first is not None and first.byes == (Bye("ann", ByeKind.REQUESTED),)
    phase.play()
    second = phase.pair()
    assert second is not None
    (bye,) = second.byes
    assert bye.kind is ByeKind.ALLOCATED, "nobody asked again"


def test_a_round_in_which_nobody_can_be_seated() -> None:
    phase = Phase(SWISS, Options(4, 2), list(range(4)), Random(1))
    phase.away |= {0: ByeKind.REQUESTED, 1: ByeKind.ZERO}
    pairing = phase.pair()
    assert pairing is not None and not pairing.tables
    assert {bye.entrant: bye.kind for bye in pairing.byes} == {
        0: ByeKind.REQUESTED,
        1: ByeKind.ZERO,
        2: ByeKind.FORFEIT_WIN,
        3: ByeKind.FORFEIT_WIN,
    }


def test_the_phase_is_over_when_too_few_are_left() -> None:
    phase = Phase(SWISS, Options(4, 5), list(range(6)), Random(1))
    phase.pair()
    phase.play()
    phase.withdrawn |= {0, 1, 2, 3}
    assert phase.pair() is None


@pytest.mark.parametrize(
    ("entrants", "options", "rounds", "tables", "games_each", "sizes"),
    [
        (8, Options(2), 3, 12, (3, 3), (2,)),
        (9, Options(2), 4, 16, (3, 4), (2,)),
        (16, Options(4, 3), 3, 12, (3, 3), (4,)),
        (5, Options(4, 5), 5, 5, (4, 4), (4,)),
        (13, Options(5, 3), 3, 9, (3, 3), (5, 4)),
        (3, Options(4, 2), 2, 2, (2, 2), (3,)),
    ],
)
def test_the_preview(entrants, options, rounds, tables, games_each, sizes) -> None:
    preview = SWISS.preview(entrants, options)
    assert (preview.rounds, preview.tables, preview.games_each) == (rounds, tables, games_each)
    assert SWISS.table_sizes(entrants, options) == sizes
    phase = Phase(SWISS, options, list(range(entrants)), Random(1))
    played = played_out(phase)
    assert (len(played), sum(len(p.tables) for p in played)) == (rounds, tables)
    games = Counter(e for pairing in played for table in pairing.tables for e in table)
    assert (min(games.values()), max(games.values())) == games_each


def test_bad_input() -> None:
    for entrants, message in (
        (2, "swiss: 2 entrants do not fill a table of 4 or 3; table_size may be 2 to 3, or 3 or"),
        (1, "swiss: a round needs at least 2 entrants, not 1"),
        (2001, "swiss: at most 2000 entrants, not 2001; split the field into sections"),
    ):
        with pytest.raises(BadInput) as refused:
            SWISS.pair(range(entrants), History(), Options(4), Words(KEY))
        assert message in str(refused.value)
    with pytest.raises(BadInput, match="entrant 1 entered twice"):
        SWISS.pair([1, 2, 3, 1], History(), Options(4), Words(KEY))
    with pytest.raises(BadInput, match="entrant 9 did not enter this phase"):
        SWISS.pair(range(4), History(away={9: ByeKind.ZERO}), Options(4), Words(KEY))
    with pytest.raises(BadInput, match="rounds=51 must be a whole number 0 to 50"):
        knobs.parse(Options, {"rounds": 51})
