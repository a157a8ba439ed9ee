"""Tournaments, their phases, rounds and tables, and the rows around their logs."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast
from uuid6 import uuid7

from engine.record import NO_PREV
from engine.variant import Variant
from engine.variants import find_variant
from games.public import Access, DueRow, LogLine, describe
from tournaments.published import Rating, RatingHistory, Refit, Snapshot, Strength
from tournaments.schedule import Pace, Schedule

__all__ = [
    "Bye",
    "Draft",
    "Due",
    "Entrant",
    "Event",
    "Phase",
    "Place",
    "Rating",
    "RatingHistory",
    "Refit",
    "Rotation",
    "Round",
    "Snapshot",
    "Standing",
    "Strength",
    "Table",
    "Tournament",
    "TournamentQuerySet",
]


class TournamentQuerySet(models.QuerySet["Tournament"]):
    """Tournaments as selectors ask for them."""

    def visible(self) -> TournamentQuerySet:
        """Return the tournaments that may stand in lists where anybody looks at them."""
        return self.filter(access=Access.PUBLIC)


class Tournament(models.Model):
    """A list of phases that entrants play; its log is the organiser's record of actions."""

    class Status(models.TextChoices):
        OPEN = "open", "open for entries"
        RUNNING = "running"
        ENDED = "ended", "finished"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=80)
    variant = models.CharField(max_length=40)
    rules = models.JSONField()
    """Every knob that the tournament's games are played by."""
    seed = models.BinaryField(max_length=32)
    """``T``: secret until the tournament ends; committed to in the first line of the log."""
    commitment = models.CharField(max_length=64)
    practice = models.BooleanField(default=False)
    """Whether the seed was given beforehand: such a tournament is never rated."""
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    co_organisers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, related_name="co_organised"
    )
    """Who else may do what the organiser may."""
    late_entry = models.PositiveSmallIntegerField(default=0)
    """The last round of the first phase that somebody who enters late may begin with; 0: none."""
    access = models.CharField(max_length=10, choices=Access, default=Access.PUBLIC)
    invitation = models.CharField(max_length=40, blank=True)
    """Secret word of the link that lets people in; empty where there is none."""
    entry_open = models.BooleanField(default=False)
    """Whether anybody who is signed in may enter without an invitation."""
    entry_opens_at = models.DateTimeField(null=True, blank=True)
    """When people may begin to enter by themselves; null: at once."""
    entry_closes_at = models.DateTimeField(null=True, blank=True)
    """Until when; null: until the start."""
    least = models.PositiveIntegerField(default=0)
    """Entrants without whom there is no start; 0: as many as the format needs."""
    most = models.PositiveIntegerField(default=0)
    """Entrants that there is room for; 0: as many as any tournament takes."""
    zone = models.CharField(max_length=40, default="UTC")
    """IANA zone that its times are written in; they are stored in UTC."""
    starts_at = models.DateTimeField(null=True, blank=True)
    """When it starts by itself; null: the organiser starts it."""
    pace = models.CharField(max_length=10, default=Pace.FLOW)
    """What starts the next round (``schedule.Pace``)."""
    minutes = models.PositiveIntegerField(default=0)
    """Pause between rounds that start by interval."""
    round_times = models.JSONField(default=list, blank=True)
    """Times of rounds 1, 2, … on a calendar, in ISO form and UTC."""
    no_show = models.PositiveIntegerField(default=0)
    """Minutes after which who has not played a turn of a round forfeits it; 0: nobody does."""
    paused = models.BooleanField(default=False)
    """Whether no round is to be started for now."""
    cancelled = models.BooleanField(default=False)
    """Whether it ended by being called off."""
    games_created = models.PositiveIntegerField(default=0)
    """The last game number g that a seed was derived for."""
    seq = models.PositiveIntegerField(default=0)
    """Number of events in the log."""
    head = models.CharField(max_length=64, default=NO_PREV)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        indexes = (models.Index(fields=("status", "-created_at"), name="tournaments_status"),)

    def __str__(self) -> str:
        return self.name

    @property
    def kind(self) -> Variant:
        """The game kind."""
        return find_variant(self.variant)

    @property
    def is_private(self) -> bool:
        """Whether only those let in may know of it."""
        return self.access == Access.PRIVATE

    @property
    def is_rated(self) -> bool:
        """Whether its games count for ratings: neither practice nor what is private does."""
        return not self.practice and not self.is_private

    @property
    def schedule(self) -> Schedule:
        """When it and its rounds start."""
        times = tuple(datetime.fromisoformat(time) for time in self.round_times)
        return Schedule(
            self.zone, self.starts_at, Pace(self.pace), self.minutes, times, self.no_show
        )


ON_GAMES = ("corrected", "voided", "averaged", "no_show")
"""Types of the lines that say what became of a game after it was played, or while it was."""


def game_told() -> KeyTextTransform:
    """Return the id of the game that a line of a log is about, as its text has it."""
    return KeyTextTransform("game", KeyTransform("data", Cast("body", models.JSONField())))


class Event(LogLine):
    """One line of a tournament's log; never changed or removed."""

    pk = models.CompositePrimaryKey("tournament_id", "seq")
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="events")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "command_id"), name="tournaments_event_command"
            ),
        )
        indexes = (
            models.Index(
                game_told(), condition=models.Q(type__in=ON_GAMES), name="tournaments_on_games"
            ),
        )

    def __str__(self) -> str:
        return f"{self.type} {self.seq}"


class Due(DueRow):
    """Something to be done for a tournament."""

    class Kind(models.TextChoices):
        START = "start", "the tournament to be started"
        NO_SHOW = "no_show", "who has not come to be looked for"
        RESULT = "result", "a game's result to be taken"
        ROUND = "round", "a round to be started"
        RATINGS = "ratings", "ratings to follow"
        REFIT = "refit", "the leaderboard to be refitted"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="due")
    number = models.PositiveIntegerField()
    """Number of the game, the round, or the log line that made it due."""

    class Meta:
        verbose_name_plural = "due"
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "kind", "number"), name="tournaments_due_once"
            ),
        )

    def __str__(self) -> str:
        return describe(self, self.tournament_id)


class Draft(models.Model):
    """What somebody has said so far of a tournament to be created, or of changes to one."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, null=True)
    """The tournament to be changed; null for a new one."""
    data = models.JSONField(default=dict)
    """As a tournament file says it, as far as it goes; of changes only what is to be another."""
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("-updated_at",)
        constraints = (
            models.UniqueConstraint(fields=("user", "tournament"), name="tournaments_draft_once"),
        )

    def __str__(self) -> str:
        return f"draft of {self.user_id}"


class Phase(models.Model):
    """A part of a tournament with one format; closed once and then frozen."""

    class Status(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        CLOSED = "closed"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="phases")
    number = models.PositiveSmallIntegerField()
    """From 1."""
    format = models.CharField(max_length=20)
    options = models.JSONField()
    top = models.PositiveIntegerField(default=0)
    """How many of the phase before take part; 0: all."""
    scheme = models.CharField(max_length=20)
    """How a place at a table becomes points."""
    bye_points = models.JSONField(default=dict)
    """What byes are worth by their kinds, as exact fractions."""
    tie_breaks = models.JSONField()
    duplicate = models.BooleanField(default=False)
    """Whether all tables of a round play the same deals."""
    rotate = models.BooleanField(default=False)
    """Whether each table plays them once in every rotation of its seats."""
    basis = models.CharField(max_length=10, default="total")
    """What entrants are compared by (``formats.base.Basis``)."""
    planned_rounds = models.PositiveIntegerField(default=0)
    """Rounds that the phase will take, as far as its format tells beforehand."""
    planned_tables = models.PositiveIntegerField(default=0)
    """Tables in those rounds together."""
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "number"), name="tournaments_phase_number"
            ),
        )

    def __str__(self) -> str:
        return f"phase {self.number} of {self.tournament_id}"


class Entrant(models.Model):
    """A player in a tournament."""

    class Status(models.TextChoices):
        PLAYING = "playing"
        WITHDRAWN = "withdrawn"
        DISQUALIFIED = "disqualified"

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    player = models.ForeignKey("games.Player", on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    """Order of entry, from 1; the seeding where nothing else is known."""
    status = models.CharField(max_length=12, choices=Status, default=Status.PLAYING)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "player"), name="tournaments_entrant_player"
            ),
            models.UniqueConstraint(
                fields=("tournament", "number"), name="tournaments_entrant_number"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} in {self.tournament_id}"


class Round(models.Model):
    """All tables that are played together."""

    class Status(models.TextChoices):
        RUNNING = "running"
        CLOSED = "closed"

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    """Within the phase, from 1."""
    notes = models.JSONField(default=list)
    """What the pairing says of itself: ``formats.base.Note`` as objects."""
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("phase", "number"), name="tournaments_round_number"),
        )

    def __str__(self) -> str:
        return f"round {self.number} of {self.phase_id}"


class Table(models.Model):
    """Entrants sitting at one game."""

    round = models.ForeignKey(
        Round, on_delete=models.CASCADE, related_name="tables", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    """Within the round, from 1."""
    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, related_name="table")
    """The game that counts; an aborted one is replaced by another, but on duplicate boards."""
    game_number = models.PositiveIntegerField()
    """The tournament's number g of that game."""
    played = models.BooleanField(default=False)
    """Whether the result is taken."""
    averaged = models.BooleanField(default=False)
    """Whether everybody has the average instead of a result, as on a board that was called off."""

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("round", "number"), name="tournaments_table_number"),
        )
        indexes = (models.Index(fields=("round", "played"), name="tournaments_table_played"),)

    def __str__(self) -> str:
        return f"table {self.number} of {self.round_id}"


class Rotation(models.Model):
    """A further game of a table: the same deals with everybody so many seats further on."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="rotations")
    number = models.PositiveSmallIntegerField()
    """By how many seats, from 1."""
    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, related_name="rotation")
    game_number = models.PositiveIntegerField()
    """The tournament's number of that game."""

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("table", "number"), name="tournaments_rotation_once"),
        )

    def __str__(self) -> str:
        return f"rotation {self.number} of {self.table_id}"


class Place(models.Model):
    """An entrant's seat at a table and, once it is played, its result there."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="places")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="places")
    seat = models.PositiveSmallIntegerField()
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="places")
    score = models.IntegerField(null=True)
    """Raw game score."""
    rank = models.PositiveSmallIntegerField(null=True)
    """Place at the table, 1 the best."""
    points = models.CharField(max_length=40, blank=True)
    """Points by the phase's scheme: an exact fraction such as ``2/3``."""

    class Meta:
        ordering = ("seat",)
        constraints = (
            models.UniqueConstraint(fields=("round", "entrant"), name="tournaments_place_once"),
            models.UniqueConstraint(fields=("table", "seat"), name="tournaments_place_seat"),
        )

    def __str__(self) -> str:
        return f"seat {self.seat} of table {self.table_id}"


class Bye(models.Model):
    """A round that counts for an entrant without a game."""

    class Kind(models.TextChoices):
        ALLOCATED = "allocated", "bye"
        REQUESTED = "requested", "requested bye"
        FORFEIT_WIN = "forfeit_win", "forfeit win"
        FORFEIT_LOSS = "forfeit_loss", "forfeit loss"
        ZERO = "zero", "absent"

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="byes")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="byes")
    kind = models.CharField(max_length=12, choices=Kind)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("round", "entrant"), name="tournaments_bye_once"),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.entrant_id} in {self.round_id}"


class Standing(models.Model):
    """An entrant's row in a phase's standings: a projection, made anew from results."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="standings")
    entrant = models.ForeignKey(Entrant, on_delete=models.CASCADE, related_name="standings")
    order = models.PositiveIntegerField()
    """Position in the list, from 1; equal ranks stand one after the other."""
    rank = models.PositiveIntegerField(null=True)
    """Place from 1, shared by equals; None for the withdrawn."""
    gone = models.CharField(max_length=12, blank=True, choices=Entrant.Status)
    """Whether and how the entrant has left; empty for who is there."""
    merit = models.CharField(max_length=40, blank=True)
    """What entrants are compared by before points, in formats where something is."""
    points = models.CharField(max_length=40)
    """Exact fraction, less penalties."""
    penalty = models.CharField(max_length=40, default="0")
    """Points taken away."""
    average = models.CharField(max_length=40)
    """Points a game, an exact fraction."""
    played = models.PositiveIntegerField()
    """Games that count."""
    byes = models.PositiveIntegerField(default=0)
    """Rounds that count without a game."""
    metrics = models.JSONField()
    """Tie-break values by key, as exact fractions, several with spaces; null: does not apply."""
    bye_decided = models.JSONField(default=list)
    """Tie-breaks that parted the entrant from others while a bye counted in them."""

    class Meta:
        ordering = ("order",)
        constraints = (
            models.UniqueConstraint(
                fields=("phase", "entrant"), name="tournaments_standing_entrant"
            ),
        )
        indexes = (models.Index(fields=("phase", "order"), name="tournaments_standing_order"),)

    def __str__(self) -> str:
        return f"{self.rank}. {self.entrant_id}"
