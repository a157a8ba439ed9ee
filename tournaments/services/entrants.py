"""Who is in a tournament: enter, withdraw, return, disqualify, ask for a bye, stay away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from engine.errors import BadInput
from engine.events import ForfeitReason
from games.public import Conflict, NotFound, Player, game_abort
from tournaments import log
from tournaments.folds import PhaseFold
from tournaments.formats import find_format
from tournaments.formats.base import ByeKind
from tournaments.models import Bye, Entrant, Phase, Table, Tournament
from tournaments.services.organising import acted, acting, checked_reason, playing_phase
from tournaments.services.rounds import current_phase
from tournaments.services.tables import deal_anew, forfeit, games_of, where
from tournaments.services.tournaments import look_ahead
from tournaments.spec import MAX_ENTRANTS


@transaction.atomic
def entrant_enter(*, tournament_id: UUID, player: Player, by: Player | None = None) -> Entrant:
    """Enter a player, before the start or as late as the tournament allows.

    Rounds that a late entrant has missed count as zero byes.

    :raises Conflict: for somebody who has entered already, or when it is too late.
    """
    tournament = acting(tournament_id)
    known = tournament.entrants.filter(player=player).first()
    if known is not None:
        back = "; who has withdrawn can return" if known.status != Entrant.Status.PLAYING else ""
        raise Conflict(f"{player} has entered already, as number {known.number}{back}")
    _check_boards(tournament, player)
    number = tournament.entrants.count() + 1
    check_room(tournament, 1)
    data: dict[str, Any] = {"player": str(player.pk), "number": number}
    phase = None
    if tournament.status != Tournament.Status.OPEN:
        phase, of = late_phase(tournament)
        if of.started:
            data |= {"phase": phase.number, **_joining(of)}
    entrant = Entrant.objects.create(tournament=tournament, player=player, number=number)
    log.write(tournament, ("entered", data), by=by)
    if phase is not None and "phase" in data:
        look_ahead(phase, len(of.entrants) + 1)
        phase.save()
        _note_missed(phase, entrant, data["missed"])
    acted(tournament)
    return entrant


def _check_boards(tournament: Tournament, player: Player) -> None:
    """Refuse who could know the deals of a duplicate board from another seat.

    :raises Conflict: for the second entrant of an owner, or somebody who would remember what is
        played again with the seats rotated.
    """
    if tournament.phases.filter(rotate=True).exists() and not player.policy:
        raise Conflict(
            f"{player} is no built-in bot; {tournament} plays each board again with all seats"
            " rotated, which only built-in bots do not remember"
        )
    boards = tournament.phases.filter(duplicate=True).exists()
    other = tournament.entrants.filter(player__owner=player.owner_id).select_related("player")
    if boards and player.owner_id is not None and (same := other.first()) is not None:
        raise Conflict(
            f"{player} has the same owner as {same.player}, who has entered; with duplicate boards"
            " an owner has one entrant"
        )


def check_room(tournament: Tournament, more: int) -> None:
    """Refuse entries that there is no room for; who has left makes room.

    :raises Conflict: saying how many can still enter.
    """
    most = min(tournament.most or MAX_ENTRANTS, MAX_ENTRANTS)
    there = tournament.entrants.filter(status=Entrant.Status.PLAYING).count()
    if there + more > most:
        room = f"there is room for {most - there} more" if there < most else "nobody more can enter"
        raise Conflict(f"{tournament} takes at most {most} entrants and has {there}: {room}")


def late_phase(tournament: Tournament) -> tuple[Phase, PhaseFold]:
    """Return the first phase if somebody may still enter it.

    :raises Conflict: when it is too late.
    """
    if not tournament.late_entry:
        raise Conflict(f"{tournament} has started, and takes no late entries")
    phase = tournament.phases.get(number=1)
    of = log.read(tournament).phase(1)
    if of.closed or of.next_round > tournament.late_entry:
        raise Conflict(
            f"it is too late to enter: {tournament} takes entries until round"
            f" {tournament.late_entry} is paired"
        )
    return phase, of


def _note_missed(phase: Phase, entrant: Entrant, missed: list[int]) -> None:
    Bye.objects.bulk_create(
        Bye(round=round_, entrant=entrant, kind=ByeKind.ZERO)
        for round_ in phase.rounds.filter(number__in=missed)
    )


@transaction.atomic
def entrant_withdraw(
    *, tournament_id: UUID, player: Player, reason: str = "", by: Player | None = None
) -> None:
    """Take an entrant out: played results stand, a game being played is forfeited.

    :raises Conflict: for somebody who has left already, or when the tournament is over.
    """
    tournament = acting(tournament_id)
    entrant = _entrant(tournament, player)
    if entrant.status != Entrant.Status.PLAYING:
        raise Conflict(f"{player} has left already: {entrant.get_status_display().lower()}")
    data: dict[str, Any] = {"player": str(player.pk)}
    if reason:
        data["reason"] = checked_reason(reason)
    _leave(tournament, entrant, Entrant.Status.WITHDRAWN, data, by)


@transaction.atomic
def entrant_disqualify(
    *, tournament_id: UUID, player: Player, reason: str, by: Player | None = None
) -> None:
    """Take an entrant out for good: played results stand, and there is no return.

    :raises Conflict: for somebody disqualified already, or when the tournament is over.
    """
    tournament = acting(tournament_id)
    entrant = _entrant(tournament, player)
    if entrant.status == Entrant.Status.DISQUALIFIED:
        raise Conflict(f"{player} is disqualified already")
    data = {"player": str(player.pk), "reason": checked_reason(reason)}
    _leave(tournament, entrant, Entrant.Status.DISQUALIFIED, data, by)


def _leave(
    tournament: Tournament,
    entrant: Entrant,
    status: Entrant.Status,
    data: Mapping[str, Any],
    by: Player | None,
) -> None:
    entrant.status = status
    entrant.save()
    log.write(tournament, (str(status.value), data), by=by)
    for place in entrant.places.filter(table__played=False).select_related("table__game"):
        forfeit(place.table, place.seat, ForfeitReason.WITHDRAWN)
    acted(tournament)


@transaction.atomic
def entrant_return(*, tournament_id: UUID, player: Player, by: Player | None = None) -> None:
    """Let somebody who has withdrawn play again; rounds missed meanwhile count as zero byes.

    :raises Conflict: for somebody who has not withdrawn, or had before the phase that is played
        began, when it is too late to enter.
    """
    tournament = acting(tournament_id)
    entrant = _entrant(tournament, player)
    if entrant.status == Entrant.Status.DISQUALIFIED:
        raise Conflict(f"{player} was disqualified and cannot return")
    if entrant.status == Entrant.Status.PLAYING:
        raise Conflict(f"{player} has not withdrawn")
    data: dict[str, Any] = {"player": str(player.pk), "missed": []}
    phase = playing_phase(tournament)
    if phase is not None:
        data |= {"phase": phase.number, **_back(tournament, phase, player)}
    entrant.status = Entrant.Status.PLAYING
    entrant.save()
    if phase is not None:
        _note_missed(phase, entrant, data["missed"])
    log.write(tournament, ("returned", data), by=by)
    acted(tournament)


def _back(tournament: Tournament, phase: Phase, player: Player) -> dict[str, Any]:
    """Return what a return to a phase that is played means: rounds missed, and perhaps a lot.

    :raises Conflict: for somebody who had left before it began, when it is too late to enter.
    """
    of = log.read(tournament).phase(phase.number)
    if str(player.pk) in of.entrants:
        late = find_format(phase.format).takes_late
        return {"missed": _missed(of, str(player.pk)) if late else []}
    if phase.number > 1:
        raise Conflict(f"{player} had left before phase {phase.number} began and is not in it")
    late_phase(tournament)
    return _joining(of)


def _joining(of: PhaseFold) -> dict[str, Any]:
    """Return what coming late to a phase means: every round missed, and the last lot."""
    return {"missed": sorted(of.rounds), "lot": max(of.lots.values(), default=0) + 1}


def _missed(of: PhaseFold, player: str) -> list[int]:
    return [
        round_
        for round_, paired in sorted(of.rounds.items())
        if player not in paired.byes
        and not any(player in table.seats for table in paired.tables.values())
    ]


@transaction.atomic
def bye_request(
    *,
    tournament_id: UUID,
    player: Player,
    kind: ByeKind = ByeKind.REQUESTED,
    by: Player | None = None,
) -> int:
    """Leave an entrant out of the next round: with a requested bye, or a zero one for an absence.

    :returns: the number of that round.
    :raises BadInput: for a kind of bye that nobody asks for.
    :raises Conflict: for somebody who has left or is not in the phase.
    """
    if kind not in (ByeKind.REQUESTED, ByeKind.ZERO):
        raise BadInput(f"a bye that is asked for is requested or zero, not {kind}")
    tournament = acting(tournament_id)
    entrant = _entrant(tournament, player)
    phase, of = _next(tournament, entrant)
    data = {"player": str(player.pk), "phase": phase, "round": of.next_round, "kind": str(kind)}
    log.write(tournament, ("bye_requested", data), by=by)
    return of.next_round


@transaction.atomic
def bye_cancel(*, tournament_id: UUID, player: Player, by: Player | None = None) -> None:
    """Take a request for a bye back.

    :raises Conflict: when there is none for the next round.
    """
    tournament = acting(tournament_id)
    entrant = _entrant(tournament, player)
    phase, of = _next(tournament, entrant)
    if str(player.pk) not in of.away.get(of.next_round, {}):
        raise Conflict(f"{player} has asked for no bye in round {of.next_round}")
    data = {"player": str(player.pk), "phase": phase, "round": of.next_round}
    log.write(tournament, ("bye_cancelled", data), by=by)


def _next(tournament: Tournament, entrant: Entrant) -> tuple[int, PhaseFold]:
    """Return the phase whose next round is the entrant's next.

    :raises Conflict: for somebody who has left or is not in it.
    """
    if entrant.status != Entrant.Status.PLAYING:
        raise Conflict(f"{entrant.player} has left: {entrant.get_status_display().lower()}")
    phase = current_phase(tournament)
    if phase is None:
        raise Conflict("no round is left to be paired")
    of = log.read(tournament).phase(phase.number)
    if of.started and str(entrant.player_id) not in of.entrants:
        raise Conflict(f"{entrant.player} is not in phase {phase.number}")
    return phase.number, of


@transaction.atomic
def no_show(
    *, tournament_id: UUID, player: Player, reason: str = "did not come", by: Player | None = None
) -> None:
    """Let a table play without somebody who did not come: a forfeit loss.

    The others get a new game; whoever is left alone has a forfeit win. On a duplicate board the
    seat is forfeited, since the deals are for a full table; the others have the average.

    :raises Conflict: for somebody who sits at no table, or whose table has begun to play.
    """
    tournament = acting(tournament_id)
    entrant = _entrant(tournament, player)
    table = (
        Table.objects.filter(round__phase__tournament=tournament, played=False)
        .filter(places__entrant=entrant)
        .select_related("round__phase", "game")
        .first()
    )
    if table is None:
        raise Conflict(f"{player} sits at no table that is being played")
    if any(game.events.filter(seat__isnull=False).exists() for game in games_of(table)):
        raise Conflict(
            f"table {table.number} has begun to play; {player} can be withdrawn, or the game voided"
        )
    data = {**where(table), "player": str(player.pk), "reason": checked_reason(reason)}
    if table.round.phase.duplicate:
        log.write(tournament, ("no_show", {**data, "forfeited": True}), by=by)
        forfeit(table, table.places.get(entrant=entrant).seat, ForfeitReason.NO_SHOW)
    else:
        _play_without(tournament, table, entrant, data, by)
    acted(tournament)


def _play_without(
    tournament: Tournament,
    table: Table,
    entrant: Entrant,
    data: dict[str, Any],
    by: Player | None,
) -> None:
    """Give the others at a table a new game, or the only other one a forfeit win."""
    places = table.places.select_related("entrant__player")
    left = [place.entrant for place in places if place.entrant_id != entrant.pk]
    byes = [Bye(round=table.round, entrant=entrant, kind=ByeKind.FORFEIT_LOSS)]
    if len(left) > 1:
        deal_anew(tournament, table, left)
        data |= {"replaced_by": str(table.game_id), "number": table.game_number}
    else:
        byes.append(Bye(round=table.round, entrant=left[0], kind=ByeKind.FORFEIT_WIN))
        _give_up(table)
    Bye.objects.bulk_create(byes)
    log.write(tournament, ("no_show", data), by=by)


def _give_up(table: Table) -> None:
    """Remove a table at which only one is left, and call its game off."""
    game_id = table.game_id
    table.delete()
    game_abort(game_id=game_id)


def _entrant(tournament: Tournament, player: Player) -> Entrant:
    entrant = tournament.entrants.filter(player=player).select_related("player").first()
    if entrant is None:
        raise NotFound(f"{player} has not entered {tournament}")
    return entrant
