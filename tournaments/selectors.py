"""Reading tournaments: progress, standings, rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    Exists,
    F,
    IntegerField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce

from games.public import Access, Game, NotFound, Player, User
from tournaments.formats.base import EntrantId, Note
from tournaments.models import (
    ON_GAMES,
    Bye,
    Draft,
    Due,
    Entrant,
    Event,
    Phase,
    Place,
    Rotation,
    Round,
    Standing,
    Table,
    Tournament,
    game_told,
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    tables: int
    """Tables of the whole tournament, as far as its formats tell beforehand."""
    played: int
    """Tables whose result is taken."""
    running: int
    """Tables being played now."""
    events: int
    """Events of the games on the tables being played: grows while anything happens."""
    ended: bool
    waits: bool
    """Whether nothing happens until the organiser acts."""


def tournament_get(slug: str) -> Tournament:
    """Return a tournament.

    :raises NotFound: when there is none with this slug.
    """
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise NotFound(f"there is no tournament {slug!r}")
    return tournament


def progress_of(tournament: Tournament) -> Progress:
    """Return how far a tournament is now."""
    tournament.refresh_from_db()
    tables = Table.objects.filter(round__phase__tournament=tournament)
    played = tables.filter(played=True).count()
    running = list(tables.filter(played=False).values_list("game__seq", flat=True))
    expected = sum(phase.planned_tables for phase in tournament.phases.all())
    return Progress(
        tables=max(expected, played + len(running)),
        played=played,
        running=len(running),
        events=sum(running),
        ended=tournament.status == Tournament.Status.ENDED,
        waits=_waits(tournament),
    )


def _waits(tournament: Tournament) -> bool:
    """Say, by one look, whether nothing of a tournament that runs is played or due."""
    due = Due.objects.filter(tournament=OuterRef("pk"), kind__in=(Due.Kind.RESULT, Due.Kind.ROUND))
    playing = Table.objects.filter(round__phase__tournament=OuterRef("pk"), played=False)
    running = Tournament.objects.filter(pk=tournament.pk, status=Tournament.Status.RUNNING)
    return running.exclude(Exists(due)).exclude(Exists(playing)).exists()


def phase_of(tournament: Tournament, number: str | None = None) -> Phase:
    """Return a phase.

    :param number: as an address has it; None or empty: the phase that is played now, or the last
        one.
    :raises NotFound: when there is no such phase.
    """
    phases = list(tournament.phases.all())
    if not number:
        begun = [phase for phase in phases if phase.status != Phase.Status.WAITING]
        return begun[-1] if begun else phases[0]
    found = next((phase for phase in phases if str(phase.number) == number), None)
    if found is None:
        raise NotFound(f"there is no phase {number!r}; phases are 1 to {len(phases)}")
    return found


def standings_of(tournament: Tournament, number: str | None = None) -> tuple[Phase, list[Standing]]:
    """Return a phase, as :func:`phase_of` finds it, and its standings."""
    phase = phase_of(tournament, number)
    return phase, list(phase.standings.select_related("entrant__player"))


def tables_of(tournament: Tournament) -> QuerySet[Table]:
    """Return a tournament's tables in order of phase, round and number."""
    tables = _with_places(Table.objects.filter(round__phase__tournament=tournament))
    return tables.order_by("round__phase__number", "round__number", "number")


def _places() -> Prefetch[Any]:
    """Return that the places of tables are to be read with the names of who sat there."""
    places = Place.objects.select_related("entrant__player")
    shown = places.only("table", "seat", "score", "rank", "points", "entrant__player__name")
    return Prefetch("places", shown)


def _with_places(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return tables with what is shown of them, and nothing else of rounds and games."""
    shown = tables.select_related("round__phase", "game").only(
        *("number", "game_number", "played", "averaged", "round__number", "round__phase__number"),
        *("game__status", "game__shared_seed", "game__deal", "game__over_at"),
    )
    return shown.prefetch_related(_places())


def table_of(game: Game) -> Table | None:
    """Return the table that a game is played at, if any."""
    tables = Table.objects.select_related("round__phase__tournament").defer("round__notes")
    # Two questions: the answer to one with "or" would be looked for among all tables.
    return tables.filter(game=game).first() or tables.filter(rotations__game=game).first()


def game_numbered(tournament: Tournament, number: int) -> UUID:
    """Return the id of a tournament's game.

    :raises NotFound: when none that counts has this number.
    """
    found = Game.objects.filter(
        Q(table__round__phase__tournament=tournament, table__game_number=number)
        | Q(rotation__table__round__phase__tournament=tournament, rotation__game_number=number)
    ).first()
    if found is None:
        raise NotFound(f"there is no game number {number} in this tournament")
    return found.pk


def round_notes(played: Round, names: Mapping[EntrantId, str]) -> dict[int | None, list[str]]:
    """Return what a round's pairing says of each table, by its number; of all under None.

    :param names: names of the tournament's entrants by id.
    """
    found: dict[int | None, list[str]] = {}
    for note in played.notes:
        text = Note(note["text"], tuple(note["entrants"])).say(names)
        found.setdefault(note["table"], []).append(text)
    return found


def entries_of(player: Player) -> QuerySet[Entrant]:
    """Return a player's tournaments, the newest first, each with its latest standings row."""
    rows = Standing.objects.order_by("-phase__number").select_related("phase")
    return (
        Entrant.objects.filter(player=player, tournament__access=Access.PUBLIC)
        .select_related("tournament")
        .prefetch_related(Prefetch("standings", rows))
        .order_by("-tournament__created_at")
    )


def tournament_cards(status: str = "") -> QuerySet[Tournament]:
    """Return the tournaments of lists, the newest first, as :func:`cards_of` does."""
    listed = Tournament.objects.visible()
    return cards_of(listed.filter(status=status) if status else listed)


def tournaments_coming() -> QuerySet[Tournament]:
    """Return the tournaments that are played, then those that will be, as lists show them."""
    begun = Tournament.Status.RUNNING, Tournament.Status.OPEN
    return tournament_cards().filter(status__in=begun).order_by("-status", "-created_at")


def tournaments_wanted(
    *,
    variant: str = "",
    seats: int = 0,
    state: str = "",
    entry: str = "",
    players: Iterable[Iterable[UUID]] = (),
) -> QuerySet[Tournament]:
    """Return the tournaments of a list, as :func:`tournament_cards` does.

    :param seats: with a phase at tables of so many; 0: of any size.
    :param state: a status; empty: any.
    :param entry: ``open`` to anybody, ``invited`` to others; empty: either.
    :param players: one of each of these has entered.
    """
    found = tournament_cards(state)
    if variant:
        found = found.filter(variant=variant)
    if seats:
        phases = Phase.objects.filter(tournament=OuterRef("pk"), options__table_size=seats)
        found = found.filter(Exists(phases))
    if entry:
        found = found.filter(entry_open=entry == "open")
    for some in players:
        entered = Entrant.objects.filter(tournament=OuterRef("pk"), player__in=list(some))
        found = found.filter(Exists(entered))
    return found


def cards_of(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Return tournaments, the newest first, each with the size of its field and how far it is.

    Every rotation of a table is a game.
    """
    tables = Table.objects.filter(round__phase__tournament=OuterRef("pk"))
    rotations = Rotation.objects.filter(table__round__phase__tournament=OuterRef("pk"))
    return (
        tournaments.annotate(
            entrants_count=_count(Entrant.objects.filter(tournament=OuterRef("pk"))),
            running_count=_count(tables.filter(played=False)),
            played_count=_count(tables.filter(played=True))
            + _count(rotations.filter(table__played=True)),
            rotations_left=_count(rotations.filter(table__played=False)),
        )
        .prefetch_related("phases")
        .order_by("-created_at")
    )


class _Count(Subquery):
    """A count of rows as a subquery of its own, so that counts do not multiply."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()


def _count(rows: QuerySet[Any]) -> _Count:
    return _Count(rows.order_by().values(one=Value(1)))


def rounds_of(phase: Phase) -> list[Round]:
    """Return a phase's rounds in order."""
    return list(phase.rounds.all())


def rounds_playing(tournament: Tournament) -> QuerySet[Round]:
    """Return the rounds that are being played: one, and earlier ones in which a game was voided."""
    return Round.objects.filter(phase__tournament=tournament, status=Round.Status.RUNNING)


def latest_end(tournament: Tournament) -> datetime | None:
    """Return when the latest of a tournament's games ended whose results are taken."""
    taken = Game.objects.filter(circle=tournament.pk, table__played=True)
    return taken.order_by("-over_at").values_list("over_at", flat=True).first()


def places_of(phase: Phase, entrants: Iterable[int], rounds: Iterable[int]) -> list[dict[str, Any]]:
    """Return where some entrants of a phase sat in some rounds and how they came out."""
    places = Place.objects.filter(
        round__phase=phase, round__number__in=list(rounds), entrant__in=list(entrants)
    )
    seats = Place.objects.filter(table=OuterRef("table"))
    rows = places.annotate(seats=_count(seats)).values(
        "entrant_id",
        "rank",
        "seats",
        number=F("round__number"),
        played=F("table__played"),
        game=F("table__game_number"),
        hidden=_hidden(phase),
    )
    return [dict(row) for row in rows]


def _hidden(phase: Phase) -> Any:
    """Return whether nobody may look at the game of a place yet; only boards share seeds."""
    if not phase.duplicate:
        return Value(False)
    return Q(table__game__shared_seed=True) & ~Q(table__game__status="sealed")


def meetings_of(phase: Phase, entrants: Iterable[int]) -> list[dict[str, Any]]:
    """Return where some entrants of a phase sat at tables that are played, and how they came out.

    In the order of the tables; whoever sat at the same table has met there.
    """
    return _meetings(phase, Place.objects.filter(round__phase=phase, entrant__in=list(entrants)))


def meetings_with(entrant: Entrant, phase: Phase) -> list[dict[str, Any]]:
    """Return the places at all played tables of an entrant, in the order of the tables."""
    tables = Place.objects.filter(round__phase=phase, entrant=entrant).values("table")
    return _meetings(phase, Place.objects.filter(table__in=tables.order_by()))


def _meetings(phase: Phase, places: QuerySet[Place]) -> list[dict[str, Any]]:
    rows = (
        places.filter(table__played=True)
        .order_by("table__game_number", "seat")
        .values(
            "table_id",
            "entrant_id",
            "rank",
            "score",
            "points",
            "seat",
            round_number=F("round__number"),
            game_id=F("table__game_id"),
            game=F("table__game_number"),
            hidden=_hidden(phase),
        )
    )
    return [dict(row) for row in rows]


def byes_of(phase: Phase, entrants: Iterable[int]) -> list[tuple[int, int, str]]:
    """Return the byes of some entrants of a phase: the entrant, the round and the kind."""
    rows = Bye.objects.filter(round__phase=phase, entrant__in=list(entrants))
    return list(rows.values_list("entrant_id", "round__number", "kind"))


def tournament_version(tournament_id: UUID) -> tuple[str, bool]:
    """Return what a tournament's pages are drawn from: how many lines its log has, and how many
    events the games at its tables, those that anybody may look at; and whether it has ended."""
    running = Table.objects.filter(
        round__phase__tournament=OuterRef("pk"), played=False, game__shared_seed=False
    )
    events = running.order_by().values("round__phase__tournament").annotate(n=Sum("game__seq"))
    seq, so_far, status = (
        Tournament.objects.annotate(so_far=Coalesce(Subquery(events.values("n")), 0))
        .values_list("seq", "so_far", "status")
        .get(pk=tournament_id)
    )
    return f"{seq}.{so_far}", status == Tournament.Status.ENDED


def tables_running(tournament: Tournament) -> QuerySet[Table]:
    """Return the tables that are being played."""
    return tables_of(tournament).filter(played=False)


def tables_beside(tournament: Tournament, count: int) -> tuple[list[Table], list[Table]]:
    """Return some tables that are being played, and the last that were."""
    running, played = tables_running(tournament)[:count], tables_played(tournament)[:count]
    beside = [list(tables.prefetch_related(None)) for tables in (running, played)]
    prefetch_related_objects([*beside[0], *beside[1]], _places())
    return beside[0], beside[1]


def tables_played(tournament: Tournament) -> QuerySet[Table]:
    """Return the tables whose result is taken, the latest first."""
    tables = _with_places(Table.objects.filter(game__circle=tournament.pk, played=True))
    return tables.order_by("-game__over_at", "-game_number")


def games_taken(tournament: Tournament) -> QuerySet[Game]:
    """Return the games whose results are taken, the latest first; every rotation is one."""
    tables = Table.objects.filter(round__phase__tournament=tournament, played=True).order_by()
    rotations = Rotation.objects.filter(table__in=tables).order_by()
    games = Game.objects.filter(
        Q(pk__in=tables.values("game")) | Q(pk__in=rotations.values("game"))
    )
    return games.order_by("-over_at", "-pk")


def log_of(tournament: Tournament) -> QuerySet[Event]:
    """Return the lines of a tournament's log, the newest first."""
    return tournament.events.order_by("-seq")


def acts_on(games: Iterable[UUID]) -> list[Event]:
    """Return the lines of logs that say what became of some games, later ones later."""
    lines = Event.objects.filter(type__in=ON_GAMES).annotate(game=game_told())
    found = lines.filter(game__in=[str(game) for game in games])
    return sorted(found, key=lambda line: line.seq)  # by the database it would cost the index


def drafts_of(user: User) -> QuerySet[Draft]:
    """Return somebody's drafts, the latest first."""
    return Draft.objects.filter(user=user).select_related("tournament")


def draft_get(user: User, number: int) -> Draft:
    """Return a draft of somebody's own.

    :raises NotFound: when there is none, in the same words when it is not theirs.
    """
    found = drafts_of(user).filter(pk=number).select_related("tournament", "user").first()
    if found is None:
        raise NotFound(f"you have no draft {number}; it may have been finished or deleted")
    return found


def player_named(text: str) -> Player:
    """Return the player with a name, whatever its capitals, or an id.

    :raises NotFound: when there is none.
    """
    name = text.strip()
    found = Player.objects.filter(name__iexact=name).first()
    if found is None:
        with suppress(ValueError):
            found = Player.objects.filter(pk=UUID(name)).first()
    if found is None:
        raise NotFound(f"there is no player {name!r}; give a name or an id")
    return found


def user_named(text: str) -> User:
    """Return the user who signs in with a name.

    :raises NotFound: when there is none.
    """
    found = User.objects.filter(username=text.strip(), is_active=True).first()
    if found is None:
        raise NotFound(f"nobody signs in as {text.strip()!r}; capitals count")
    return found


def names_of(players: Iterable[str]) -> dict[str, str]:
    """Return the names of players by id."""
    found = Player.objects.filter(pk__in=list(players)).values_list("pk", "name")
    return {str(pk): name for pk, name in found}
