"""Models of what is computed over tournaments and published: ratings, refits, snapshots."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from engine.variant import Variant
from engine.variants import find_variant


class Rating(models.Model):
    """A player's strength in a game kind: a projection, made anew from results."""

    variant = models.CharField(max_length=40)
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    ordinal = models.FloatField()
    """``mu − 3·sigma``: what the leaderboard sorts by."""
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    """Games won or shared."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("variant", "player"), name="tournaments_rating_player"),
        )
        indexes = (models.Index(fields=("variant", "-ordinal"), name="tournaments_board"),)

    def __str__(self) -> str:
        return f"{self.player_id} at {self.variant}"

    @property
    def kind(self) -> Variant:
        """The game kind."""
        return find_variant(self.variant)


class RatingHistory(models.Model):
    """How a rating came to be what it is, game by game: a projection, made together with it."""

    rating = models.OneToOneField(
        Rating, on_delete=models.CASCADE, primary_key=True, related_name="history"
    )
    at = ArrayField(models.DateTimeField())
    """When the player's games ended, in the order in which they count."""
    mu = ArrayField(models.FloatField())
    """After each of them."""
    sigma = ArrayField(models.FloatField())

    class Meta:
        verbose_name_plural = "rating histories"

    def __str__(self) -> str:
        return f"history of {self.rating_id}"


class Refit(models.Model):
    """A fit of strengths over all games of a scope: a projection, made anew from results."""

    variant = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField(default=0)
    """Players at the tables that count; 0: any number."""
    days = models.PositiveSmallIntegerField(default=0)
    """Age in days up to which games count; 0: any."""
    as_of = models.DateTimeField()
    """Games that ended later do not count."""
    games = models.PositiveIntegerField()
    deal_sets = models.PositiveIntegerField()
    """Sets of deals that the games were played on."""
    fingerprint = models.CharField(max_length=64)
    """Digest of the games and how they came out."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("variant", "seats", "days"), name="tournaments_refit_scope"
            ),
        )

    def __str__(self) -> str:
        return f"refit of {self.variant}, {self.seats} seats, {self.days} days"

    @property
    def kind(self) -> Variant:
        """The game kind."""
        return find_variant(self.variant)


class Strength(models.Model):
    """What a refit says of a player."""

    refit = models.ForeignKey(Refit, on_delete=models.CASCADE, related_name="strengths")
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="strengths")
    strength = models.FloatField()
    low = models.FloatField()
    """Ends of the 95% interval."""
    high = models.FloatField()
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    """Games won or shared."""
    last_at = models.DateTimeField()
    """When the player's last game that counts ended."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("refit", "player"), name="tournaments_strength_player"),
        )
        indexes = (models.Index(fields=("refit", "-strength"), name="tournaments_strength_board"),)

    def __str__(self) -> str:
        return f"{self.player_id} in {self.refit_id}"


class Snapshot(models.Model):
    """A leaderboard, standings or the heads of games as they were on a day; never changed.

    A body names players by their ids alone, so that a name can be taken back.
    """

    class Kind(models.TextChoices):
        LEADERBOARD = "leaderboard"
        STANDINGS = "standings"
        HEADS = "heads"

    kind = models.CharField(max_length=12, choices=Kind)
    variant = models.CharField(max_length=40, blank=True)
    """Game kind of a leaderboard."""
    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.PROTECT, null=True, related_name="snapshots"
    )
    """The tournament of standings."""
    label = models.CharField(max_length=16)
    """The day, such as ``2026-11-30``; the second of a day ends in ``-2``."""
    taken_at = models.DateTimeField()
    body = models.TextField()
    """JSON with its keys sorted."""
    sha256 = models.CharField(max_length=64)
    """Hex digest of the body."""

    class Meta:
        ordering = ("-taken_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("kind", "variant", "tournament", "label"),
                name="tournaments_snapshot_label",
                nulls_distinct=False,
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.variant or self.tournament_id or 'all games'}, {self.label}"
