"""Running a tournament: start rounds, take results, close phases, end.

Everything here works under the lock of the tournament's row, so any number of workers may try.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from engine.errors import BadInput
from tournaments import log
from tournaments.folds import PhaseFold, Proposal
from tournaments.formats import find_format
from tournaments.formats.base import Bye as ByeOf
from tournaments.formats.base import (
    ByeKind,
    EntrantId,
    History,
    Note,
    Pairing,
    without_absent,
)
from tournaments.formats.seen import floats
from tournaments.models import Bye, Due, Phase, Round, Table, Tournament
from tournaments.schedule import Pace
from tournaments.seeds import lots, pairing_words
from tournaments.selectors import rounds_playing
from tournaments.services.boards import board_open, board_reveal, board_take, rotations_open
from tournaments.services.standings import history_of, phase_options, refresh_standings
from tournaments.services.tables import new_game, played_again, set_places, take_result, where
from tournaments.services.tournaments import locked, look_ahead, make_due, round_due


@transaction.atomic
def round_start(*, tournament_id: UUID) -> None:
    """Pair the next round of the running phase, or close the phase and go on with the next.

    A round in which nobody plays is closed at once. Without effect while a round is being played,
    the tournament is paused or not running, or no round is due yet.
    """
    tournament = locked(tournament_id)
    due = tournament.due.filter(kind=Due.Kind.ROUND)
    if not due.filter(due_at__lte=timezone.now()).exists():
        return
    due.delete()
    if tournament.status != Tournament.Status.RUNNING or tournament.paused or _playing(tournament):
        return
    while phase := current_phase(tournament):
        if phase.status == Phase.Status.WAITING and not start_phase(tournament, phase):
            continue
        of = log.read(tournament).phase(phase.number)
        pairing = next_pairing(tournament, phase, of)
        if pairing is None:
            _close_phase(tournament, phase)
            continue
        opened = _open_round(tournament, phase, pairing)
        if pairing.tables:
            if pairing.byes:
                refresh_standings(phase, log.read(tournament).phase(phase.number))
            break
        _close_round(tournament, opened)
        refresh_standings(phase, log.read(tournament).phase(phase.number))
    else:
        _end(tournament)


@transaction.atomic
def results_take(*, tournament_id: UUID) -> None:
    """Take all results that have come in, refresh the standings once, and close what is over."""
    tournament = locked(tournament_id)
    if tournament.status == Tournament.Status.ENDED:  # cancelled while games were being played
        tournament.due.filter(kind=Due.Kind.RESULT).delete()
        return
    due = list(tournament.due.filter(kind=Due.Kind.RESULT).select_for_update(skip_locked=True))
    if not due:
        return
    tables = Table.objects.filter(
        round__phase__tournament=tournament,
        round__phase__duplicate=False,
        game_number__in=[row.number for row in due],
        played=False,
    ).select_related("round__phase", "game__result")
    changed: dict[int, Phase] = {}
    for playing in _running(tournament):
        if playing.phase.duplicate and board_take(tournament, playing):
            changed[playing.phase_id] = playing.phase
    for table in tables.order_by("game_number"):
        if table.game.result.is_aborted:
            played_again(tournament, table, reason="aborted")
        else:
            _take(tournament, table)
            changed[table.round.phase_id] = table.round.phase
    if changed:
        story = log.read(tournament)
        for phase in changed.values():
            refresh_standings(phase, story.phase(phase.number))
    Due.objects.filter(pk__in=[row.pk for row in due]).delete()
    settle(tournament)
    if changed and tournament.is_rated:
        make_due(tournament, Due.Kind.RATINGS, tournament.seq)


def settle(tournament: Tournament) -> None:
    """Close every round that is played out, and make the next one due when none is left."""
    if tournament.status != Tournament.Status.RUNNING:
        return
    for playing in _running(tournament):
        if not playing.tables.filter(played=False).exists():
            _close_round(tournament, playing)
    if _playing(tournament):
        return
    scheduled = tournament.pace in (Pace.INTERVAL, Pace.CALENDAR) and not tournament.paused
    if scheduled and is_complete(tournament):
        make_due(tournament, Due.Kind.ROUND, tournament.seq)  # it ends whatever the schedule says
    else:
        round_due(tournament)


def is_complete(tournament: Tournament) -> bool:
    """Say whether every round of every phase is played out, so that only the end is left.

    Rounds by hand wait there for the organiser; with others it is over a moment later.
    """
    phase = current_phase(tournament)
    if phase is None or _playing(tournament):
        return False
    begun = phase.rounds.count()
    if begun < max(1, phase.planned_rounds) or later_phase(phase):
        return False
    return next_pairing(tournament, phase, log.read(tournament).phase(phase.number)) is None


def later_phase(phase: Phase) -> bool:
    """Say whether a phase is not the last."""
    return Phase.objects.filter(tournament=phase.tournament_id, number__gt=phase.number).exists()


def current_phase(tournament: Tournament) -> Phase | None:
    """Return the phase that is played now or is the next to be, if any is left."""
    return tournament.phases.exclude(status=Phase.Status.CLOSED).first()


def next_pairing(tournament: Tournament, phase: Phase, of: PhaseFold) -> Pairing | None:
    """Return the next round of a phase: the organiser's, where there is one, or the format's."""
    history = history_of(phase, of)
    proposal = of.proposals.get(of.next_round)
    if proposal is not None:
        return _proposed(of, history, proposal)
    words = pairing_words(bytes(tournament.seed), phase.number)
    chosen = find_format(phase.format)
    return chosen.pair(list(of.entrants), history, phase_options(phase), words)


def _proposed(of: PhaseFold, history: History, proposal: Proposal) -> Pairing:
    """Return the organiser's own pairing, without those who have left since.

    Whom the organiser seats is there, whatever was asked for before.
    """
    planned = without_absent(replace(history, away={}), of.next_round, proposal.tables)
    named: set[EntrantId] = {entrant for table in proposal.tables for entrant in table}
    given = [bye for bye in proposal.byes if bye.entrant not in history.withdrawn]
    named.update(bye.entrant for bye in given)
    late = [e for e in of.entrants if e not in named and e not in history.withdrawn]
    given += [ByeOf(e, history.away.get(e, ByeKind.ALLOCATED)) for e in late]
    about = [Note(f"Paired by the organiser: {_escaped(proposal.reason)}")]
    about += [Note("{0} came after the pairing was made and has a bye.", (e,)) for e in late]
    return Pairing(
        of.next_round,
        planned.tables,
        (*given, *planned.byes),
        (*about, *planned.notes),
        floats(planned.tables, history),
    )


def _escaped(text: str) -> str:
    """Return a text that stands for itself in a note."""
    return text.replace("{", "{{").replace("}", "}}")


def start_phase(tournament: Tournament, phase: Phase) -> bool:
    """Start a phase with those who take part; a field that cannot be seated closes it at once."""
    story = log.read(tournament)
    field = [player for player in _seeded(phase, story.present) if player not in story.gone]
    field = field[: phase.top or None]
    try:
        look_ahead(phase, len(field))
    except BadInput as error:
        _close_phase(tournament, phase, reason=str(error))
        return False
    phase.status = Phase.Status.RUNNING
    phase.save()
    drawn = lots(bytes(tournament.seed), phase.number, len(field))
    log.write(
        tournament,
        (
            "phase_started",
            {
                "phase": phase.number,
                "entrants": field,
                "lots": dict(zip(field, drawn, strict=True)),
            },
        ),
    )
    refresh_standings(phase, log.read(tournament).phase(phase.number))
    return True


def _seeded(phase: Phase, present: list[str]) -> list[str]:
    """Return the seeding: the order of the phase before, in the first phase that of entry.

    A phase that was not played passes on what it would have begun with.
    """
    before = phase.tournament.phases.filter(number__lt=phase.number).order_by("-number")
    for earlier in before:
        rows = earlier.standings.values_list("entrant__player_id", flat=True)
        if order := list(map(str, rows)):
            return order
    return present


def _running(tournament: Tournament) -> list[Round]:
    rounds = rounds_playing(tournament).select_related("phase")
    return list(rounds.order_by("phase__number", "number"))


def _playing(tournament: Tournament) -> bool:
    return bool(_running(tournament))


def _open_round(tournament: Tournament, phase: Phase, pairing: Pairing) -> Round:
    entrants = {str(e.player_id): e for e in tournament.entrants.select_related("player")}
    opened = Round.objects.create(
        phase=phase,
        number=pairing.round,
        notes=[
            {
                "table": note.table,
                "text": note.text,
                "entrants": [entrants[str(e)].pk for e in note.entrants],
            }
            for note in pairing.notes
        ],
    )
    paired = []
    board = board_open(tournament) if phase.duplicate and pairing.tables else None
    shared = {"board": tournament.games_created + 1} if board else {}
    for number, seats in enumerate(pairing.tables, 1):
        sitting = [entrants[str(entrant)] for entrant in seats]
        game = new_game(tournament, sitting, board)
        table = Table.objects.create(
            round=opened, number=number, game=game, game_number=tournament.games_created
        )
        set_places(table, sitting)
        said = {
            "table": number,
            "game": str(game.pk),
            "number": table.game_number,
            "seats": list(seats),
        }
        if board and phase.rotate:
            said["rotations"] = rotations_open(tournament, table, sitting, board)
        paired.append(said)
    Bye.objects.bulk_create(
        Bye(round=opened, entrant=entrants[str(bye.entrant)], kind=bye.kind) for bye in pairing.byes
    )
    names: dict[EntrantId, str] = {player: player for player in entrants}
    log.write(
        tournament,
        (
            "paired",
            {
                "phase": phase.number,
                "round": pairing.round,
                **shared,
                "tables": paired,
                "byes": [{"player": bye.entrant, "kind": str(bye.kind)} for bye in pairing.byes],
                "floats": dict(pairing.floats),
                "notes": [note.say(names) for note in pairing.notes],
            },
        ),
    )
    return opened


def _take(tournament: Tournament, table: Table) -> None:
    result = table.game.result
    take_result(table, result.totals, result.ranks)
    places = table.places.select_related("entrant")
    log.write(
        tournament,
        (
            "result",
            {
                **where(table),
                "seats": [str(place.entrant.player_id) for place in places],
                "ending": result.ending,
                "totals": result.totals,
                "ranks": result.ranks,
            },
        ),
    )


def _close_round(tournament: Tournament, closing: Round) -> None:
    closing.status = Round.Status.CLOSED
    closing.save()
    if closing.phase.duplicate:
        board_reveal(closing)
    where = {"phase": closing.phase.number, "round": closing.number}
    log.write(tournament, ("round_closed", where))


def _close_phase(tournament: Tournament, phase: Phase, reason: str | None = None) -> None:
    """Close a phase for good.

    :param reason: why it was not played.
    """
    phase.status = Phase.Status.CLOSED
    phase.save()
    rows = phase.standings.select_related("entrant")
    final = [{"player": str(row.entrant.player_id), "rank": row.rank} for row in rows]
    data = {"phase": phase.number, "standings": final}
    log.write(tournament, ("phase_closed", data | ({"reason": reason} if reason else {})))


def _end(tournament: Tournament) -> None:
    """End the tournament; all its games are over, so its seed may be known (DESIGN 2.1)."""
    tournament.status = Tournament.Status.ENDED
    tournament.ended_at = timezone.now()
    log.write(tournament, ("ended", {}), ("seed_revealed", {"seed": bytes(tournament.seed).hex()}))
    if tournament.is_rated:
        make_due(tournament, Due.Kind.REFIT, tournament.seq)
