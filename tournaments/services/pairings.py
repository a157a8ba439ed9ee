"""The organiser's hand in pairings: hold rounds back, look at the next one, pair it otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import transaction

from engine import knobs
from engine.errors import BadInput
from games.public import Conflict, Player
from tournaments import log
from tournaments.folds import PhaseFold
from tournaments.formats import find_format
from tournaments.formats.base import ByeKind, Pairing
from tournaments.models import Due, Phase, Tournament
from tournaments.schedule import Pace
from tournaments.selectors import rounds_playing
from tournaments.services.organising import acting, checked_reason
from tournaments.services.rounds import current_phase, next_pairing, settle, start_phase
from tournaments.services.tournaments import start_at


@transaction.atomic
def tournament_pause(*, tournament_id: UUID, by: Player | None = None) -> None:
    """Let no further round start; what is being played goes on.

    :raises Conflict: when it is paused already.
    """
    tournament = acting(tournament_id)
    if tournament.paused:
        raise Conflict(f"{tournament} is paused already")
    tournament.paused = True
    tournament.due.filter(kind=Due.Kind.ROUND).delete()
    log.write(tournament, ("paused", {}), by=by)


@transaction.atomic
def tournament_resume(*, tournament_id: UUID, by: Player | None = None) -> None:
    """Let rounds start again.

    :raises Conflict: when it is not paused.
    """
    tournament = acting(tournament_id)
    if not tournament.paused:
        raise Conflict(f"{tournament} is not paused")
    tournament.paused = False
    log.write(tournament, ("resumed", {}), by=by)
    start_at(tournament)
    settle(tournament)


@transaction.atomic
def pairing_preview(*, tournament_id: UUID) -> Pairing | None:
    """Return the next round as it would be paired now; None when the phase is complete.

    It leaves nothing behind: a phase that would begin with the round has not begun.

    :raises Conflict: while a round is being played, or between phases.
    """
    tournament = acting(tournament_id)
    phase, of = _between_rounds(tournament)
    pairing = next_pairing(tournament, phase, of)
    transaction.set_rollback(True)
    return pairing


@transaction.atomic
def pairing_set(
    *,
    tournament_id: UUID,
    tables: Sequence[Sequence[Player]],
    byes: Mapping[Player, ByeKind] | None = None,
    reason: str,
    by: Player | None = None,
) -> int:
    """Pair the next round by hand: everybody who is there, once; return the number of the round.

    It replaces an earlier one of the same round, and counts when the round starts.

    :param tables: players in the order of the seats.
    :raises BadInput: for a player twice, missing, or not there, or a table of a wrong size.
    :raises Conflict: while a round is being played, or in a format whose rounds follow a plan,
        or behind its last round.
    """
    tournament = acting(tournament_id)
    phase, of = _between_rounds(tournament)
    chosen = find_format(phase.format)
    if not chosen.takes_pairing:
        raise Conflict(
            f"the rounds of a {chosen.name.lower()} follow from its seeding and cannot be paired"
            " by hand"
        )
    if of.next_round not in of.proposals and next_pairing(tournament, phase, of) is None:
        raise Conflict(f"phase {phase.number} is complete; no round of it is left to be paired")
    seats = [list(table) for table in tables]
    without = dict(byes or {})
    _check(tournament, phase, of, seats, without)
    data = {
        "phase": phase.number,
        "round": of.next_round,
        "tables": [[str(player.pk) for player in table] for table in seats],
        "byes": [{"player": str(p.pk), "kind": str(kind)} for p, kind in without.items()],
        "reason": checked_reason(reason),
    }
    log.write(tournament, ("pairing_set", data), by=by)
    return of.next_round


@transaction.atomic
def pairing_drop(*, tournament_id: UUID, by: Player | None = None) -> None:
    """Forget the pairing made by hand; the format pairs the round.

    :raises Conflict: when there is none.
    """
    tournament = acting(tournament_id)
    phase, of = _between_rounds(tournament)
    if of.next_round not in of.proposals:
        raise Conflict(f"round {of.next_round} has no pairing made by hand")
    data = {"phase": phase.number, "round": of.next_round}
    log.write(tournament, ("pairing_dropped", data), by=by)


def _between_rounds(tournament: Tournament) -> tuple[Phase, PhaseFold]:
    """Return the phase whose next round may be paired now; start it if it is due.

    :raises Conflict: when the tournament has not started or a round is being played.
    """
    waits = tournament.paused or tournament.pace == Pace.HAND
    pause_it, pause = ("", "") if waits else ("pause it, ", "pause the tournament, and ")
    if tournament.status == Tournament.Status.OPEN:
        raise Conflict(
            f"{tournament} has not started; {pause_it}start it, and the first round waits"
        )
    playing = rounds_playing(tournament).first()
    if playing is not None:
        raise Conflict(f"round {playing.number} is still being played; {pause}the next one waits")
    phase = current_phase(tournament)
    if phase is None or (
        phase.status == Phase.Status.WAITING and not start_phase(tournament, phase)
    ):
        raise Conflict("no round is left to be paired")
    return phase, log.read(tournament).phase(phase.number)


def _check(
    tournament: Tournament,
    phase: Phase,
    of: PhaseFold,
    tables: Sequence[Sequence[Player]],
    byes: Mapping[Player, ByeKind],
) -> None:
    """Refuse a pairing by hand that is none.

    :raises BadInput: naming the player or the table.
    """
    named = [player for table in tables for player in table] + list(byes)
    ids = [str(player.pk) for player in named]
    there = [player for player in of.entrants if player not in of.gone]
    for player in named:
        if ids.count(str(player.pk)) > 1:
            raise BadInput(f"{player} stands twice in the pairing; once is right")
        if str(player.pk) not in there:
            raise BadInput(f"{player} is not there in phase {phase.number}; leave them out")
    missing = [player for player in there if player not in ids]
    if missing:
        row = tournament.entrants.select_related("player").get(player_id=missing[0])
        raise BadInput(f"{row.player} is missing in the pairing; give them a table or a bye")
    chosen = find_format(phase.format)
    options = knobs.parse(chosen.options, phase.options)
    most = max(chosen.table_sizes(len(of.entrants), options))
    least = most if phase.duplicate else max(2, tournament.kind.seats[0])
    for number, table in enumerate(tables, 1):
        if not least <= len(table) <= most:
            fit = most if least == most else f"{least} to {most}"
            raise BadInput(f"table {number} has {len(table)} seats; tables have {fit} here")
