"""Tournaments by API: read by anybody, created by who is signed in, changed by organisers."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ParseError
from rest_framework.generics import ListAPIView
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.errors import BadInput
from engine.variants import VARIANTS, find_variant
from games.api.base import Pages
from games.public import Access, NotFound, Player, player_of
from tournaments.access import seen
from tournaments.api import serializers
from tournaments.api.permissions import REFUSALS, Organises
from tournaments.leaderboards import Board, Wanted
from tournaments.models import Entrant, Snapshot, Table, Tournament
from tournaments.ratings.games import PERIODS
from tournaments.selectors import standings_of, tables_of
from tournaments.services.settings import as_template, tournament_change
from tournaments.services.tournaments import tournament_create
from tournaments.spec import parse_spec


def _mapping(request: Request) -> Mapping[str, Any]:
    """Return the body of a request.

    :raises BadInput: when it is no object.
    """
    if not isinstance(request.data, Mapping):
        raise BadInput("the body must be an object, as a tournament file is a table")
    return request.data


def _seen(slug: str, request: Request) -> Tournament:
    return seen(Tournament.objects.all(), slug, request)


class TomlParser(BaseParser):
    """The text of a tournament file."""

    media_type = "application/toml"

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Any = None
    ) -> dict[str, Any]:
        """Read TOML.

        :raises ParseError: saying where it is none.
        """
        try:
            return tomllib.loads(stream.read().decode())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ParseError(f"this is not TOML: {error}") from None


_SPEC = {
    "application/json": serializers.SpecSerializer,
    "application/toml": OpenApiTypes.STR,
}


class TournamentListApi(ListAPIView[Tournament]):
    """All tournaments, and how to create one."""

    serializer_class = serializers.TournamentSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)
    parser_classes = (JSONParser, TomlParser)

    @extend_schema(
        parameters=[OpenApiParameter("status", str, enum=Tournament.Status.values)],
        summary="Tournaments, the newest first",
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return a page of tournaments."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        request=_SPEC,
        responses={201: serializers.TournamentSerializer, **REFUSALS},
        summary="Create a tournament",
        description="From what a tournament file says, as TOML or as the same in JSON.",
    )
    def post(self, request: Request) -> Response:
        """Create a tournament, organised by who asks."""
        user: Any = request.user
        made = tournament_create(spec=parse_spec(_mapping(request)), organiser=user)
        shown = serializers.TournamentSerializer(made).data
        at = reverse("api-tournament", args=[made.slug])
        return Response(shown, status=201, headers={"Location": at})

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

    permission_classes = (Organises,)
    parser_classes = (JSONParser, TomlParser)

    @extend_schema(responses=serializers.TournamentSerializer, summary="A tournament")
    def get(self, request: Request, slug: str) -> Response:
        """Return a tournament with its phases."""
        return Response(serializers.TournamentSerializer(_seen(slug, request)).data)

    @extend_schema(
        request=_SPEC,
        responses={200: serializers.TournamentSerializer, **REFUSALS},
        summary="Change a tournament",
        description="What is left out stays. The game and the formats stay once it has started.",
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change what a tournament is, as its organiser."""
        found = _seen(slug, request)
        self.check_object_permissions(request, found)
        user: Any = request.user
        changed = tournament_change(
            tournament_id=found.pk, changes=_mapping(request), by=player_of(user)
        )
        return Response(serializers.TournamentSerializer(changed).data)


class TemplateApi(APIView):
    """A tournament as a template."""

    @extend_schema(
        responses=serializers.SpecSerializer, summary="A tournament as a template for the next"
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return what a file would say to make one like it; its times are left out."""
        return Response(as_template(_seen(slug, request)))


@extend_schema(summary="A tournament's entrants, the latest first")
class EntrantsApi(ListAPIView[Entrant]):
    """A tournament's entrants."""

    serializer_class = serializers.EntrantSerializer

    def get_queryset(self) -> QuerySet[Entrant]:
        """Return the entrants of the tournament."""
        if getattr(self, "swagger_fake_view", False):
            return Entrant.objects.none()
        return _seen(self.kwargs["slug"], self.request).entrants.select_related("player")


class StandingsApi(APIView):
    """The standings of a phase."""

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "phase", int, description="Left out: the phase played now, or the last one."
            )
        ],
        responses=serializers.StandingsSerializer,
        summary="A tournament's standings",
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the standings in order."""
        phase, rows = standings_of(_seen(slug, request), request.query_params.get("phase"))
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
        return found.prefetch_related(None).prefetch_related("places__entrant__player", "rotations")


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
