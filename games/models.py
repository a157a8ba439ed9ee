"""Users, players, games, seats and the rows around a game's log."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower
from uuid6 import uuid7

from engine import seeds
from engine.record import NO_PREV
from engine.variant import Variant
from engine.variants import find_variant
from games.due import DueRow, describe
from games.log import LogLine


class User(AbstractUser):
    """Somebody who can sign in."""


class Player(models.Model):
    """A person or a bot; all that events and results know of anybody is this id."""

    class Kind(models.TextChoices):
        PERSON = "person"
        BOT = "bot"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=40)
    owner = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="players"
    )
    """The person, or who runs the bot; None for a built-in bot."""
    policy = models.CharField(max_length=40, blank=True)
    """Built-in policy that chooses for a bot; empty for a person."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(Lower("name"), name="games_player_name"),
            models.CheckConstraint(
                condition=models.Q(kind="bot") ^ models.Q(policy=""), name="games_player_policy"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_bot(self) -> bool:
        """Whether a policy chooses."""
        return self.kind == self.Kind.BOT


class Seed(models.Model):
    """The secret of one game, or of all tables of a duplicate round; public once they are over."""

    value = models.BinaryField(max_length=seeds.SEED_BYTES)

    def __str__(self) -> str:
        return f"seed {self.pk}"  # never the value: this text reaches logs and the admin


class Access(models.TextChoices):
    """Who may find something, and who may look at it."""

    PUBLIC = "public"
    """Anybody finds it in lists."""
    UNLISTED = "unlisted"
    """Anybody who has its address may look at it; it stands in no list."""
    PRIVATE = "private"
    """Only who is let in."""


class GameQuerySet(models.QuerySet["Game"]):
    """Games as selectors ask for them."""

    def settled(self) -> GameQuerySet:
        """Return the games that are no secret to other tables: not those of a seed still shared."""
        return self.filter(models.Q(status="sealed") | models.Q(shared_seed=False))

    def visible(self) -> GameQuerySet:
        """Return the games that may stand in lists and counts, where anybody looks at them."""
        return self.settled().filter(access=Access.PUBLIC)


class Game(models.Model):
    """A game: where its log stands. Everything else about it is in the log."""

    class Status(models.TextChoices):
        RUNNING = "running"
        OVER = "over"
        SEALED = "sealed"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    variant = models.CharField(max_length=40)
    rules = models.JSONField()
    """Every knob, as in the log's first line."""
    seed = models.ForeignKey(Seed, on_delete=models.PROTECT, related_name="games")
    shared_seed = models.BooleanField(default=False)
    """Whether other tables play the same deals: then nobody may look until it is sealed."""
    access = models.CharField(max_length=10, choices=Access, default=Access.PUBLIC)
    circle = models.UUIDField(null=True)
    """What the game is played for; who is let into a private one is for its owner to say."""
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    seq = models.PositiveIntegerField(default=0)
    """Number of events in the log."""
    head = models.CharField(max_length=64, default=NO_PREV)
    """SHA-256 of the log's last line."""
    deal = models.PositiveSmallIntegerField(default=0)
    """The deal being played, or the last one."""
    turn = models.PositiveSmallIntegerField(null=True)
    """Seat to act."""
    started_at = models.DateTimeField(auto_now_add=True)
    over_at = models.DateTimeField(null=True)
    analysed = models.BooleanField(default=False)
    """Whether every deal of a sealed game has an analysis."""

    objects = GameQuerySet.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=("status", "-started_at"), name="games_game_status"),
            models.Index(fields=("circle", "-over_at"), name="games_game_circle"),
        )

    def __str__(self) -> str:
        return f"{self.kind.name} {self.pk}"

    @property
    def kind(self) -> Variant:
        """The game kind."""
        return find_variant(self.variant)

    @property
    def is_sealed(self) -> bool:
        """Whether the seed is revealed, so that everything may be seen and checked."""
        return self.status == self.Status.SEALED


class Seat(models.Model):
    """A player's place at a game."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    """From 0."""
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="games_seat_number"),
            models.UniqueConstraint(fields=("game", "player"), name="games_seat_player"),
        )

    def __str__(self) -> str:
        return f"seat {self.number} of {self.game_id}"


FAULTS = ("faulted", "forfeited")
"""Types of the lines that say what a seat did wrong, or how it gave up."""


class Event(LogLine):
    """One line of a game's log. Rows are never changed or removed; triggers see to it."""

    pk = models.CompositePrimaryKey("game_id", "seq")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    seat = models.PositiveSmallIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "command_id"), name="games_event_command"),
        )
        indexes = (
            models.Index(
                fields=("game", "seat"), condition=models.Q(type__in=FAULTS), name="games_faults"
            ),
        )

    def __str__(self) -> str:
        return f"{self.type} {self.seq}"


class Due(DueRow):
    """Something to be done for a game when its log stands at ``seq``."""

    class Kind(models.TextChoices):
        BOT = "bot", "a bot's turn"
        REVEAL = "reveal", "revealing the seed"
        ANALYSIS = "analysis", "comparing turns with the best there was"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="due")
    seq = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "due"
        constraints = (
            models.UniqueConstraint(fields=("game", "kind", "seq"), name="games_due_once"),
        )
        indexes = (
            models.Index(
                fields=("due_at",), condition=models.Q(parked_at=None), name="games_due_open"
            ),
        )

    def __str__(self) -> str:
        return describe(self, self.game_id)


class Result(models.Model):
    """How a game came out: a projection of its log, written with the event that ended it."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True)
    ending = models.CharField(max_length=20)
    totals = ArrayField(models.IntegerField())
    """Final points by seat."""
    ranks = ArrayField(models.PositiveSmallIntegerField())
    """Place by seat, 1 the best."""
    winners = ArrayField(models.PositiveSmallIntegerField())
    """Seats that won; empty in an aborted game."""
    deals = models.PositiveSmallIntegerField()
    """Number of deals begun."""

    def __str__(self) -> str:
        return f"result of {self.game_id}"

    @property
    def is_aborted(self) -> bool:
        """Whether the game was called off."""
        return not self.winners


class Analysis(models.Model):
    """What the decisions of a deal got against the best there was: a projection of a sealed log."""

    pk = models.CompositePrimaryKey("game_id", "deal")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="analyses")
    deal = models.PositiveSmallIntegerField()
    """Number of the deal, from 1."""
    verdicts = models.JSONField()
    """A list in the order of the log; see :func:`games.services.analysis.deal_analysis`."""
    plays = models.JSONField()
    """By ``seq`` of the decision, as text, the command that would have been better."""

    class Meta:
        verbose_name_plural = "analyses"

    def __str__(self) -> str:
        return f"analysis of deal {self.deal} of {self.game_id}"
