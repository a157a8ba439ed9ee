"""What the API says of games and players."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.models import Game, Player, Result, Seat


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


class GameSerializer(serializers.ModelSerializer[Game]):
    """A game. Its head is published once it is sealed."""

    seats = SeatSerializer(many=True)
    result = ResultSerializer(default=None)
    head = serializers.SerializerMethodField()

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
        )

    def get_head(self, game: Game) -> str | None:
        """SHA-256 of the last line, or null while the game is not sealed."""
        return game.head if game.is_sealed else None


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
