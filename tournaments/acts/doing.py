"""From what is given for an act to its service: names to players, texts to numbers; and choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.errors import BadInput
from engine.policies import POLICIES
from games.public import Player
from tournaments import log
from tournaments.acts.base import Choices, is_running
from tournaments.formats import find_format
from tournaments.formats.base import ByeKind
from tournaments.models import Bye, Entrant, Phase, Table, Tournament
from tournaments.selectors import names_of, player_named, rounds_playing, user_named
from tournaments.services import entrants, entries, pairings, results, settings
from tournaments.services.rounds import current_phase
from tournaments.spec import exact_points

Do = Callable[..., object]
"""What an act calls: with the tournament, the player who acts, and what is given, by name."""


def plain(service: Do) -> Do:
    """Return what calls a service that wants nothing special."""

    def do(tournament: Tournament, by: Player, **given: Any) -> object:
        return service(tournament_id=tournament.pk, by=by, **given)

    return do


def on_player(service: Do) -> Do:
    """Return what calls a service about a player who is named."""

    def do(tournament: Tournament, by: Player, player: str, **given: Any) -> object:
        found = player_named(player)
        return service(tournament_id=tournament.pk, by=by, player=found, **given)

    return do


def on_user(service: Do) -> Do:
    """Return what calls a service about a user who is named."""

    def do(tournament: Tournament, by: Player, user: str) -> object:
        return service(tournament_id=tournament.pk, by=by, user=user_named(user))

    return do


def enter(tournament: Tournament, by: Player, player: str) -> object:
    """Enter a player who is named."""
    known = entries.player_known(tournament, player)
    return entrants.entrant_enter(tournament_id=tournament.pk, player=known, by=by)


def bye(tournament: Tournament, by: Player, player: str, kind: str) -> object:
    """Give a bye of a kind."""
    return entrants.bye_request(
        tournament_id=tournament.pk, by=by, player=player_named(player), kind=_kind_of_bye(kind)
    )


def _kind_of_bye(text: str) -> ByeKind:
    if text not in list(ByeKind):
        raise BadInput(f"there is no bye {text!r}; kinds are {', '.join(ByeKind)}")
    return ByeKind(text)


def no_show_rule(tournament: Tournament, by: Player, minutes: int) -> object:
    """Set after how many minutes who does not play forfeits; all else stays."""
    schedule = settings.described(tournament)["schedule"]
    changes = {"schedule": schedule | {"no_show": minutes}}
    return settings.tournament_change(tournament_id=tournament.pk, changes=changes, by=by)


def pair(
    tournament: Tournament,
    by: Player,
    tables: Sequence[Sequence[str]],
    byes: Mapping[str, str],
    reason: str,
) -> object:
    """Pair the next round by hand."""
    return pairings.pairing_set(
        tournament_id=tournament.pk,
        by=by,
        tables=[[player_named(name) for name in table] for table in tables],
        byes={player_named(name): _kind_of_bye(kind) for name, kind in byes.items()},
        reason=reason,
    )


def correct(tournament: Tournament, by: Player, ranks: Sequence[int], **given: Any) -> object:
    """Correct a result."""
    return results.result_correct(
        tournament_id=tournament.pk, by=by, ranks=list(ranks) or None, **given
    )


def penalise(tournament: Tournament, by: Player, player: str, points: str, reason: str) -> object:
    """Give a penalty of exact points."""
    return results.penalty_give(
        tournament_id=tournament.pk,
        by=by,
        player=player_named(player),
        points=exact_points(points, "points"),
        reason=reason,
    )


def bots(tournament: Tournament) -> Choices:
    """Return the policies of built-in bots."""
    return [(policy.name, policy.name) for policy in POLICIES[tournament.variant]]


def asked(tournament: Tournament) -> Choices:
    """Return who will miss the next round, and how."""
    phase = current_phase(tournament)
    of = log.read(tournament).phase(phase.number) if phase else None
    away = of.away.get(of.next_round, {}) if of else {}
    names = names_of(away)
    return [(player, f"{names[player]}: {Bye.Kind(kind).label}") for player, kind in away.items()]


def penalties(tournament: Tournament) -> Choices:
    """Return the penalties of the phase that is played."""
    phase = current_phase(tournament)
    given = log.read(tournament).phase(phase.number).penalties if phase else {}
    names = names_of(penalty.player for penalty in given.values())
    return [
        (str(number), f"{names[of.player]}, {of.points}: {of.reason}")
        for number, of in given.items()
    ]


def made_by_hand(tournament: Tournament) -> bool:
    """Say whether the next round is paired by hand."""
    phase = current_phase(tournament)
    of = log.read(tournament).phase(phase.number) if phase else None
    return of is not None and of.next_round in of.proposals


def is_between(tournament: Tournament) -> bool:
    """Say whether a tournament runs, and waits for its next round or for its end."""
    return is_running(tournament) and not tournament.paused and not is_playing(tournament)


def is_playing(tournament: Tournament) -> bool:
    """Say whether a round is being played."""
    return is_running(tournament) and rounds_playing(tournament).exists()


def is_to_come(tournament: Tournament) -> bool:
    """Say whether another round of the phase is to come, as far as its format tells beforehand."""
    phase = current_phase(tournament)
    if tournament.status == Tournament.Status.ENDED or phase is None:
        return False
    return phase.status == Phase.Status.WAITING or phase.rounds.count() < phase.planned_rounds


def may_be_paired(tournament: Tournament) -> bool:
    """Say whether the next round may be paired by hand: between rounds, where the format lets it.

    Paused or not.
    """
    phase = current_phase(tournament)
    if not is_running(tournament) or phase is None or is_playing(tournament):
        return False
    return find_format(phase.format).takes_pairing


def is_phase_played(tournament: Tournament) -> bool:
    """Say whether a phase is played, so that points in it may be taken away."""
    running = tournament.phases.filter(status=Phase.Status.RUNNING)
    return is_running(tournament) and running.exists()


def has_tables(tournament: Tournament, **such: Any) -> bool:
    """Say whether there are tables whose results are not final."""
    open_ = Table.objects.filter(round__phase__tournament=tournament, **such)
    open_ = open_.filter(round__phase__status=Phase.Status.RUNNING)
    return is_running(tournament) and open_.exists()


def co_organisers(tournament: Tournament) -> Choices:
    """Return the co-organisers."""
    return [(name, name) for name in tournament.co_organisers.values_list("username", flat=True)]


def withdrawn(tournament: Tournament) -> Choices:
    """Return who has withdrawn."""
    rows = tournament.entrants.filter(status=Entrant.Status.WITHDRAWN).select_related("player")
    return [(str(row.player_id), row.player.name) for row in rows]


def requested(tournament: Tournament) -> Choices:
    """Return the kinds of bye that are given beforehand."""
    return [(str(kind), Bye.Kind(kind).label) for kind in (ByeKind.REQUESTED, ByeKind.ZERO)]
