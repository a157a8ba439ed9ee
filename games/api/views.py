"""Reading games by API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.errors import BadInput
from engine.variants import find_variant
from games.api.serializers import GameSerializer, LogSerializer, PlayerSerializer
from games.models import Access, Game
from games.pages.web import IMMUTABLE, PRIVATE
from games.selectors import game_get, game_lines, game_record, games_list, player_get

_FILTERS = [
    OpenApiParameter("variant", str, description="Key of a game kind."),
    OpenApiParameter("status", str, enum=Game.Status.values),
    OpenApiParameter("player", OpenApiTypes.UUID, description="A player who sits at the game."),
]


@extend_schema(parameters=_FILTERS, summary="Games, the newest first")
class GameListApi(ListAPIView[Game]):
    """Games that anybody may look at."""

    serializer_class = GameSerializer

    def get_queryset(self) -> QuerySet[Game]:
        """Filter by the query parameters."""
        query = self.request.query_params
        player = query.get("player")
        games = games_list(player=player_get(read_uuid("player", player)) if player else None)
        if variant := query.get("variant"):
            games = games.filter(variant=find_variant(variant).key)
        if status := query.get("status"):
            if status not in Game.Status.values:
                raise BadInput(f"status must be one of {', '.join(Game.Status.values)}")
            games = games.filter(status=status)
        return games


class GameApi(APIView):
    """One game."""

    @extend_schema(responses=GameSerializer, summary="A game")
    def get(self, request: Request, game_id: UUID) -> Response:
        """Return a game's seats, standing and result."""
        return Response(GameSerializer(game_get(game_id, request)).data)


class GameLogApi(APIView):
    """A game's log as far as it goes."""

    @extend_schema(
        responses=LogSerializer,
        parameters=[OpenApiParameter("after", int, description="Only lines after this seq.")],
        summary="A game's log, also while it runs",
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Return the lines of the log; no line of a running game holds a secret."""
        after = request.query_params.get("after", "0")
        if not after.isdecimal():
            raise BadInput(f"after must be a seq, a whole number from 0, not {after!r}")
        lines = game_lines(game_get(game_id, request))
        return Response({"seq": len(lines), "lines": lines[int(after) :]})


class AnyAccept(BaseContentNegotiation):
    """Answers in the one form there is, whatever was asked for; refusals are JSON."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        """Return the first parser."""
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> tuple[Any, str]:
        """Return the first renderer."""
        first = next(iter(renderers))
        return first, first.media_type


class GameRecordApi(APIView):
    """A sealed game's exported record."""

    content_negotiation_class = AnyAccept

    @extend_schema(
        responses={(200, "application/x-ndjson"): OpenApiResponse(OpenApiTypes.STR)},
        summary="A sealed game's record, as `meldboard verify` reads it",
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """Return the record as a file: event lines and the head line."""
        game = game_get(game_id, request)
        response = HttpResponse(game_record(game), content_type="application/x-ndjson")
        response["Content-Disposition"] = f'attachment; filename="{game.pk}.jsonl"'
        response["Cache-Control"] = PRIVATE if game.access == Access.PRIVATE else IMMUTABLE
        return response


class PlayerApi(APIView):
    """One player."""

    @extend_schema(responses=PlayerSerializer, summary="A player")
    def get(self, request: Request, player_id: UUID) -> Response:
        """Return a player."""
        return Response(PlayerSerializer(player_get(player_id)).data)


def read_uuid(name: str, text: str) -> UUID:
    """Return the uuid that a query parameter writes.

    :raises BadInput: naming the parameter.
    """
    try:
        return UUID(text)
    except ValueError:
        raise BadInput(f"{name} must be a uuid, not {text!r}") from None
