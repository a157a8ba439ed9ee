"""What the API says of games and players."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.models import Game, Player, Result, Seat
from games.remarks import Remark, remarks_of


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """A person or a bot."""

    class Meta:
        model = Player
        fields = ("id", "name", "kind", "policy")


class SeatSerializer(serializers.ModelSerializer[Seat]):
    """A place at a game."""

    player = PlayerSerializer()

    class Meta:
        model = Seat
        fields = ("number", "player")


class ResultSerializer(serializers.ModelSerializer[Result]):
    """How a game came out, by seat."""

    class Meta:
        model = Result
        fields = ("ending", "totals", "ranks", "winners", "deals")


class RemarkSerializer(serializers.Serializer[Remark]):
    """What became of a game afterwards; its result and its record stay as it was played."""

    word = serializers.CharField(help_text="corrected, voided, averaged or no-show.")
    text = serializers.CharField(help_text="The whole of it in a sentence.")
    totals = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="The scores by seat that count in its tournament instead of those played.",
    )
    ranks = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="The places that go with them."
    )


class GamesSerializer(serializers.ListSerializer[Game]):
    """Games, with what is to be told of them read at once."""

    def to_representation(self, data: Any) -> Any:
        """Return the games of a page as they are written."""
        games = list(data)
        self.remarks = remarks_of(games)
        return super().to_representation(games)


class GameSerializer(serializers.ModelSerializer[Game]):
    """A game. Its head is published once it is sealed."""

    seats = SeatSerializer(many=True)
    result = ResultSerializer(default=None)
    head = serializers.SerializerMethodField()
    remark = serializers.SerializerMethodField()

    class Meta:
        model = Game
        fields = (
            "id",
            "variant",
            "rules",
            "status",
            "seq",
            "deal",
            "turn",
            "head",
            "started_at",
            "over_at",
            "seats",
            "result",
            "remark",
        )
        list_serializer_class = GamesSerializer

    def get_head(self, game: Game) -> str | None:
        """SHA-256 of the last line, or null while the game is not sealed."""
        return game.head if game.is_sealed else None

    @extend_schema_field(RemarkSerializer(allow_null=True))
    def get_remark(self, game: Game) -> dict[str, Any] | None:
        """What its organiser made of it, or null where all counts as it was played."""
        many = self.parent
        known = many.remarks if isinstance(many, GamesSerializer) else remarks_of([game])
        remark = known.get(game.pk)
        return dict(RemarkSerializer(remark).data) if remark else None


class LogSerializer(serializers.Serializer[Any]):
    """A game's log as far as it goes: the lines of its record, each a JSON object."""

    seq = serializers.IntegerField(help_text="Number of lines.")
    lines = serializers.ListField(
        child=serializers.CharField(), help_text="Record lines, exactly as hashed."
    )


class ProblemSerializer(serializers.Serializer[Any]):
    """Why something was refused, and what would be right."""

    code = serializers.CharField(help_text="Stable word for programs.")
    detail = serializers.CharField(help_text="A sentence for people.")
    fields = serializers.DictField(  # type: ignore[assignment]  # its name hides that of the base
        required=False, help_text="By field of the request, what is wrong with it."
    )
