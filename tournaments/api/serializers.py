"""What the API says of tournaments and leaderboards."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from games.api.serializers import PlayerSerializer
from games.public import Access
from tournaments.models import (
    Entrant,
    Phase,
    Place,
    Rating,
    Rotation,
    Snapshot,
    Standing,
    Table,
    Tournament,
)


class PhaseSerializer(serializers.ModelSerializer[Phase]):
    """A part of a tournament with one format."""

    class Meta:
        model = Phase
        fields = (
            "number",
            "format",
            "options",
            "top",
            "scheme",
            "bye_points",
            "duplicate",
            "rotate",
            "tie_breaks",
            "basis",
            "status",
        )


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    """A tournament. Its seed is published when it has ended."""

    phases = PhaseSerializer(many=True)
    entrants = serializers.SerializerMethodField()
    seed = serializers.SerializerMethodField()

    class Meta:
        model = Tournament
        fields = (
            "id",
            "slug",
            "name",
            "variant",
            "rules",
            "status",
            "practice",
            "late_entry",
            "paused",
            "commitment",
            "seed",
            "seq",
            "head",
            "created_at",
            "started_at",
            "ended_at",
            "phases",
            "entrants",
        )

    def get_entrants(self, tournament: Tournament) -> int:
        """Number of entrants."""
        return len(tournament.entrants.all())

    def get_seed(self, tournament: Tournament) -> str | None:
        """The seed in hex once the tournament has ended, else null."""
        ended = tournament.status == Tournament.Status.ENDED
        return bytes(tournament.seed).hex() if ended else None


class SpecSerializer(serializers.Serializer[Any]):
    """What a tournament is to be, as a tournament file says it (docs/TOURNAMENTS.md)."""

    name = serializers.CharField()
    variant = serializers.CharField(required=False)
    rules = serializers.DictField(required=False)
    access = serializers.ChoiceField(choices=Access.choices, required=False)
    late_entry = serializers.IntegerField(required=False)
    entrants = serializers.ListField(child=serializers.DictField(), required=False)
    entry = serializers.DictField(required=False)
    phases = serializers.ListField(child=serializers.DictField())
    schedule = serializers.DictField(required=False)


class EntrantSerializer(serializers.ModelSerializer[Entrant]):
    """A player in a tournament."""

    player = PlayerSerializer()

    class Meta:
        model = Entrant
        fields = ("number", "player", "status")


class AccessSerializer(serializers.ModelSerializer[Tournament]):
    """Who is let in, and who organises."""

    organiser = serializers.CharField(
        source="organiser.username", allow_null=True, default=None, help_text="Name of the user."
    )
    co_organisers = serializers.SlugRelatedField[Any](
        slug_field="username", many=True, read_only=True
    )
    invitation = serializers.SerializerMethodField()

    class Meta:
        model = Tournament
        fields = ("access", "entry_open", "organiser", "co_organisers", "invitation")

    def get_invitation(self, tournament: Tournament) -> str | None:
        """Address of the link that lets people in, or null."""
        if not tournament.invitation:
            return None
        link = reverse("invitation", args=[tournament.slug, tournament.invitation])
        address: str = self.context["request"].build_absolute_uri(link)
        return address


class PairingSerializer(serializers.Serializer[Any]):
    """A round that is not paired yet, as it would be now."""

    round = serializers.IntegerField(allow_null=True, help_text="Null: the phase is complete.")
    tables = serializers.ListField(
        child=serializers.ListField(child=serializers.UUIDField()),
        help_text="Ids of players, by seat.",
    )
    byes = serializers.DictField(
        child=serializers.CharField(), help_text="Kinds of byes by the ids of players."
    )
    notes = serializers.ListField(child=serializers.CharField(), help_text="Why.")


class ActedSerializer(serializers.Serializer[Any]):
    """What an act has written."""

    seq = serializers.IntegerField(help_text="Number of lines in the log now.")
    head = serializers.CharField(help_text="SHA-256 of the last line.")
    lines = serializers.ListField(
        child=serializers.CharField(), help_text="The lines of the log that this act has written."
    )


class StandingSerializer(serializers.ModelSerializer[Standing]):
    """An entrant's row in the standings; points and metrics are exact fractions."""

    player = PlayerSerializer(source="entrant.player")

    class Meta:
        model = Standing
        fields = (
            "rank",
            "player",
            "gone",
            "merit",
            "points",
            "penalty",
            "average",
            "played",
            "byes",
            "metrics",
            "bye_decided",
        )


class StandingsSerializer(serializers.Serializer[Any]):
    """The standings of a phase."""

    phase = PhaseSerializer()
    rows = StandingSerializer(many=True)


class PlaceSerializer(serializers.ModelSerializer[Place]):
    """An entrant's seat at a table and its result there."""

    player = PlayerSerializer(source="entrant.player")

    class Meta:
        model = Place
        fields = ("seat", "player", "score", "rank", "points")


class RotationSerializer(serializers.ModelSerializer[Rotation]):
    """A further game of a table, with everybody ``number`` seats further on."""

    class Meta:
        model = Rotation
        fields = ("number", "game", "game_number")


class TableSerializer(serializers.ModelSerializer[Table]):
    """A table and its game; on duplicate boards with rotation, its games."""

    phase = serializers.IntegerField(source="round.phase.number")
    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField(source="number")
    places = PlaceSerializer(many=True)
    rotations = RotationSerializer(many=True)

    class Meta:
        model = Table
        fields = (
            "phase",
            "round",
            "table",
            "game",
            "game_number",
            "rotations",
            "played",
            "averaged",
            "places",
        )


class RatingSerializer(serializers.ModelSerializer[Rating]):
    """A rating that follows every game (OpenSkill); it counts all games of the game kind."""

    class Meta:
        model = Rating
        fields = ("mu", "sigma", "ordinal", "games", "wins")


class BoardRowSerializer(serializers.Serializer[Any]):
    """A player on a leaderboard."""

    player = PlayerSerializer()
    rank_best = serializers.IntegerField(
        source="rank.best", help_text="Best place that the 95% intervals leave open."
    )
    rank_worst = serializers.IntegerField(source="rank.worst", help_text="Worst such place.")
    rating = serializers.FloatField(
        source="strength",
        help_text="Strength by the fit: 1500 is average, 400 points more are odds of ten to one.",
    )
    low = serializers.FloatField(help_text="Lower end of the 95% interval.")
    high = serializers.FloatField(help_text="Upper end of the 95% interval.")
    provisional = serializers.BooleanField(help_text="Too few games for a firm rating.")
    games = serializers.IntegerField(help_text="Games that count here.")
    wins = serializers.IntegerField(help_text="Games won or shared.")
    last_at = serializers.DateTimeField(help_text="When the last game that counts ended.")
    running = RatingSerializer(allow_null=True)


class LeaderboardSerializer(serializers.Serializer[Any]):
    """A page of a leaderboard; ``as_of`` is null before the first fit."""

    as_of = serializers.DateTimeField(allow_null=True, help_text="Later games do not count.")
    games = serializers.IntegerField(help_text="Games that count.")
    deal_sets = serializers.IntegerField(help_text="Sets of deals that they were played on.")
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = BoardRowSerializer(many=True)


class SnapshotSerializer(serializers.ModelSerializer[Snapshot]):
    """What was published on a day; ``path`` has the JSON that the digest is of."""

    tournament = serializers.SlugRelatedField[Tournament](slug_field="slug", read_only=True)
    path = serializers.SerializerMethodField()

    class Meta:
        model = Snapshot
        fields = ("kind", "variant", "tournament", "label", "taken_at", "sha256", "path")

    def get_path(self, snapshot: Snapshot) -> str:
        """Address of the JSON on this site."""
        match snapshot.kind:
            case Snapshot.Kind.LEADERBOARD:
                return reverse("leaderboard-snapshot-json", args=[snapshot.variant, snapshot.label])
            case Snapshot.Kind.HEADS:
                return reverse("heads-list", args=[snapshot.label])
        assert snapshot.tournament is not None  # noqa: S101  (standings are of one)
        slug = snapshot.tournament.slug
        return reverse("standings-snapshot-json", args=[slug, snapshot.label])


class TournamentLogSerializer(serializers.Serializer[Any]):
    """A tournament's log: lines exactly as hashed, each a JSON object."""

    seq = serializers.IntegerField(help_text="Number of lines.")
    head = serializers.CharField(help_text="SHA-256 of the last line.")
    lines = serializers.ListField(child=serializers.CharField())
