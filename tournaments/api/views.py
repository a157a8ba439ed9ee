"""Reading tournaments by API."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.errors import BadInput
from engine.variants import VARIANTS, find_variant
from games.api.base import Pages
from games.public import Access, NotFound, Player
from tournaments.access import seen
from tournaments.api import serializers
from tournaments.leaderboards import Board, Wanted
from tournaments.models import Snapshot, Table, Tournament
from tournaments.ratings.games import PERIODS
from tournaments.selectors import standings_of, tables_of


def _seen(slug: str, request: Request) -> Tournament:
    return seen(Tournament.objects.all(), slug, request)


@extend_schema(
    parameters=[OpenApiParameter("status", str, enum=Tournament.Status.values)],
    summary="Tournaments, the newest first",
)
class TournamentListApi(ListAPIView[Tournament]):
    """All tournaments."""

    serializer_class = serializers.TournamentSerializer

    def get_queryset(self) -> QuerySet[Tournament]:
        """Filter by the query parameters."""
        found = Tournament.objects.visible().prefetch_related("phases", "entrants")
        if status := self.request.query_params.get("status"):
            if status not in Tournament.Status.values:
                raise BadInput(f"status must be one of {', '.join(Tournament.Status.values)}")
            found = found.filter(status=status)
        return found


class TournamentApi(APIView):
    """One tournament."""

    @extend_schema(responses=serializers.TournamentSerializer, summary="A tournament")
    def get(self, request: Request, slug: str) -> Response:
        """Return a tournament with its phases."""
        return Response(serializers.TournamentSerializer(_seen(slug, request)).data)


class StandingsApi(APIView):
    """The standings of the phase that is played now, or of the last one."""

    @extend_schema(responses=serializers.StandingsSerializer, summary="A tournament's standings")
    def get(self, request: Request, slug: str) -> Response:
        """Return the standings in order."""
        phase, rows = standings_of(_seen(slug, request))
        return Response(serializers.StandingsSerializer({"phase": phase, "rows": rows}).data)


@extend_schema(summary="A tournament's tables and their games")
class TournamentGamesApi(ListAPIView[Table]):
    """A tournament's tables, the newest first."""

    serializer_class = serializers.TableSerializer

    def get_queryset(self) -> QuerySet[Table]:
        """Return the tables of the tournament."""
        if getattr(self, "swagger_fake_view", False):
            return Table.objects.none()
        found = tables_of(_seen(self.kwargs["slug"], self.request))
        return found.prefetch_related("rotations")


class TournamentLogApi(APIView):
    """A tournament's log: the organiser's actions, chained like a game's events."""

    @extend_schema(responses=serializers.TournamentLogSerializer, summary="A tournament's log")
    def get(self, request: Request, slug: str) -> Response:
        """Return the lines of the log."""
        tournament = _seen(slug, request)
        lines = list(tournament.events.order_by("seq").values_list("body", flat=True))
        return Response({"seq": tournament.seq, "head": tournament.head, "lines": lines})


class LeaderboardListApi(APIView):
    """The game kinds that have a leaderboard."""

    @extend_schema(
        operation_id="leaderboards", responses={200: dict[str, str]}, summary="The leaderboards"
    )
    def get(self, request: Request) -> Response:
        """Return each game kind's key and name."""
        return Response({variant.key: variant.name for variant in VARIANTS})


class BoardPages(Pages):
    """Cursor pages of a leaderboard."""

    ordering: Any = ("-strength", "pk")


_BOARD_FILTERS = [
    OpenApiParameter("seats", int, description="Players at the tables that count; 0: any number."),
    OpenApiParameter("days", int, enum=PERIODS, description="Age up to which games count; 0: any."),
    OpenApiParameter("kind", str, enum=Player.Kind.values),
    OpenApiParameter("min_games", int, description="Games that a player must have."),
]


class LeaderboardApi(APIView):
    """The leaderboard of a game kind."""

    @extend_schema(
        operation_id="leaderboard_retrieve",
        parameters=_BOARD_FILTERS,
        responses=serializers.LeaderboardSerializer,
        summary="The leaderboard of a game kind, the strongest first",
    )
    def get(self, request: Request, variant: str) -> Response:
        """Return players by strength, with their ranks as ranges."""
        if variant not in (known := [kind.key for kind in VARIANTS]):
            raise NotFound(f"there is no game {variant!r}; games are {', '.join(known)}")
        asked = {parameter.name for parameter in _BOARD_FILTERS}
        query = {name: str(value) for name, value in request.query_params.items() if name in asked}
        board = Board(Wanted.read(variant, query))
        pages = BoardPages()
        strengths = pages.paginate_queryset(board.strengths, request, view=self) or []
        refit = board.refit
        return Response(
            serializers.LeaderboardSerializer(
                {
                    "as_of": refit and refit.as_of,
                    "games": refit.games if refit else 0,
                    "deal_sets": refit.deal_sets if refit else 0,
                    "next": pages.get_next_link(),
                    "previous": pages.get_previous_link(),
                    "results": board.rows(strengths),
                }
            ).data
        )


@extend_schema(
    parameters=[
        OpenApiParameter("kind", str, enum=Snapshot.Kind.values),
        OpenApiParameter("variant", str, description="Game kind of leaderboards."),
        OpenApiParameter("tournament", str, description="Slug of the tournament of standings."),
    ],
    summary="Dated snapshots of what was published, the newest first",
)
class SnapshotListApi(ListAPIView[Snapshot]):
    """All snapshots."""

    serializer_class = serializers.SnapshotSerializer

    def get_queryset(self) -> QuerySet[Snapshot]:
        """Filter by the query parameters."""
        query = self.request.query_params
        found = Snapshot.objects.select_related("tournament").defer("body")
        slug = query.get("tournament")
        if slug:
            found = found.filter(tournament=_seen(slug, self.request))
        else:
            found = found.filter(Q(tournament=None) | Q(tournament__access=Access.PUBLIC))
        if kind := query.get("kind"):
            if kind not in Snapshot.Kind.values:
                raise BadInput(f"kind must be one of {', '.join(Snapshot.Kind.values)}")
            found = found.filter(kind=kind)
        if variant := query.get("variant"):
            found = found.filter(variant=find_variant(variant).key)
        return found
