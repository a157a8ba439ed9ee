"""A scene for every act of an organiser: what must have happened, and what is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from games.models import User
from games.public import player_of
from tests.tournaments.running import QUICK, SWISS, bot, small_spec, work
from tournaments.models import Tournament
from tournaments.services import access, entrants, pairings, results, running
from tournaments.services.rounds import round_start
from tournaments.services.tournaments import tournament_create, tournament_start

Given = dict[str, Any]


def people() -> tuple[User, User, User]:
    """An organiser, a co-organiser and a stranger."""
    ann, co, eve = (User.objects.create_user(name, password="x") for name in ("ann", "co", "eve"))
    for user in (ann, co, eve):
        player_of(user)
    return ann, co, eve


def event(organiser: User, co_organiser: User) -> Tournament:
    """A tournament of four bots, open for entries, whose rounds are opened by hand."""
    spec = small_spec(
        name="Cup",
        rules=QUICK,
        late_entry=2,
        entrants=[{"bot": "greedy", "count": 4}],
        phases=[SWISS],
        schedule={"rounds": "hand"},
    )
    made = tournament_create(spec=spec, organiser=organiser)
    access.organiser_add(tournament_id=made.pk, user=co_organiser)
    made.refresh_from_db()
    return made


def _open(of: Tournament) -> Given:
    return {}


def _started(of: Tournament) -> Given:
    tournament_start(tournament_id=of.pk)
    return {}


def _paired(of: Tournament) -> Given:
    """The first round is paired, and nobody has played yet."""
    _started(of)
    running.round_open(tournament_id=of.pk)
    round_start(tournament_id=of.pk)
    return {}


def _played(of: Tournament) -> Given:
    """The first round is played out."""
    _paired(of)
    work()
    return {}


def _complete(of: Tournament) -> Given:
    """Every round is played out."""
    _started(of)
    for _ in range(SWISS["rounds"]):
        running.round_open(tournament_id=of.pk)
        work()
    return {}


def _paused(of: Tournament) -> Given:
    pairings.tournament_pause(tournament_id=of.pk)
    return {}


def _asked(of: Tournament) -> Given:
    _started(of)
    entrants.bye_request(tournament_id=of.pk, player=bot(1))
    return {"player": str(bot(1).pk)}


def _proposed(of: Tournament) -> Given:
    _started(of)
    tables = [[bot(1), bot(2)], [bot(3), bot(4)]]
    pairings.pairing_set(tournament_id=of.pk, tables=tables, reason="a request")
    return {}


def _withdrawn(of: Tournament) -> Given:
    entrants.entrant_withdraw(tournament_id=of.pk, player=bot(1))
    return {"player": str(bot(1).pk)}


def _penalised(of: Tournament) -> Given:
    _played(of)
    number = results.penalty_give(
        tournament_id=of.pk, player=bot(1), points=Fraction(1, 2), reason="was late"
    )
    return {"penalty": number}


def _invited(of: Tournament) -> Given:
    access.invitation_make(tournament_id=of.pk)
    return {}


def _helped(of: Tournament) -> Given:
    user = User.objects.create_user("bob", password="x")
    access.organiser_add(tournament_id=of.pk, user=user)
    return {}


def _known(of: Tournament) -> Given:
    User.objects.create_user("bob", password="x")
    return {}


NAMED: Given = {"player": "Greedy 1"}
WHY: Given = {"reason": "because"}

SCENES: Mapping[str, tuple[Callable[[Tournament], Given], Given, str]] = {
    "start": (_open, {}, "started"),
    "open": (_started, {}, "round_opened"),
    "finish": (_complete, {}, "finished"),
    "pause": (_open, {}, "paused"),
    "resume": (_paused, {}, "resumed"),
    "bye": (_started, NAMED | {"kind": "zero"}, "bye_requested"),
    "bye-cancel": (_asked, {}, "bye_cancelled"),
    "no-show": (_paired, NAMED, "no_show"),
    "no-show-rule": (_open, {"minutes": 5}, "changed"),
    "cancel": (_started, WHY, "cancelled"),
    "pairing": (
        _started,
        WHY
        | {
            "tables": [["Greedy 1", "greedy 3"]],
            "byes": {"Greedy 2": "requested", "Greedy 4": "zero"},
        },
        "pairing_set",
    ),
    "pairing-drop": (_proposed, {}, "pairing_dropped"),
    "enter": (_open, {"player": "Greedy 9"}, "entered"),
    "bots": (_open, {"bot": "random", "count": 2}, "entered"),
    "import": (_open, {"text": "player\nGreedy 7\nGreedy 8\n"}, "entered"),
    "withdraw": (_open, NAMED, "withdrawn"),
    "return": (_withdrawn, {}, "returned"),
    "disqualify": (_started, NAMED | WHY, "disqualified"),
    "correct": (_played, WHY | {"game_number": 1, "scores": [5, 6]}, "corrected"),
    "void": (_played, WHY | {"game_number": 1}, "voided"),
    "penalise": (_played, NAMED | WHY | {"points": "1/2"}, "penalised"),
    "lift": (_penalised, WHY, "penalty_lifted"),
    "invite": (_open, {}, "invitation_made"),
    "uninvite": (_invited, {}, "invitation_dropped"),
    "organiser": (_known, {"user": "bob"}, "organiser_added"),
    "organiser-remove": (_helped, {"user": "bob"}, "organiser_removed"),
    "publish": (_played, {}, "published"),
}
"""By act: what must have happened, returning more that is given; what is given; the log's line."""
