"""Organising by API: what the organiser's pages do, by the same services."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.public import player_of
from tournaments.access import is_invited, seen
from tournaments.acts import ACTS
from tournaments.acts.base import Act, Field, Kind
from tournaments.api.permissions import REFUSALS, Organises
from tournaments.api.serializers import (
    AccessSerializer,
    ActedSerializer,
    PairingSerializer,
)
from tournaments.models import Tournament
from tournaments.selectors import names_of, player_named
from tournaments.services.entries import entrant_join, entrant_leave
from tournaments.services.pairings import pairing_preview


class OrganiserApi(APIView):
    """What only an organiser of the tournament may ask for."""

    permission_classes = (IsAuthenticated, Organises)

    def tournament(self, request: Request, slug: str) -> Tournament:
        """Return the tournament, if the reader organises it."""
        found = seen(Tournament.objects.all(), slug, request)
        self.check_object_permissions(request, found)
        return found


def acted(found: Tournament, before: int, by: Any) -> Response:
    """Answer with the lines of the log that somebody's act has written."""
    found.refresh_from_db()
    written = found.events.filter(seq__gt=before).order_by("seq").values_list("body", flat=True)
    own = [body for body in written if f'"by":"{by.pk}"' in body]
    return Response(ActedSerializer({"seq": found.seq, "head": found.head, "lines": own}).data)


def _whole(field: Field, **given: Any) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.IntegerField(min_value=field.least, max_value=field.most, **given)


def _text(field: Field, **given: Any) -> serializers.Field[Any, Any, Any, Any]:
    return serializers.CharField(max_length=field.most, allow_blank=not given["required"], **given)


def _names() -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(max_length=40))


_MAKERS: Mapping[Kind, Callable[..., serializers.Field[Any, Any, Any, Any]]] = {
    Kind.TEXT: _text,
    Kind.LINES: _text,
    Kind.ENTRANT: _text,
    Kind.WHOLE: _whole,
    Kind.WHOLES: lambda field, **given: serializers.ListField(
        child=serializers.IntegerField(), **given
    ),
    Kind.SEATS: lambda field, **given: serializers.ListField(child=_names(), **given),
    Kind.BYES: lambda field, **given: serializers.DictField(
        child=serializers.CharField(max_length=12), **given
    ),
}
_EMPTY: Mapping[Kind, Any] = {Kind.WHOLES: list, Kind.BYES: dict}
"""What stands for nothing given, where that is no text."""


def _serializer(act: Act) -> type[serializers.Serializer[Any]]:
    """Return the body of an act: its fields, those with a default may be left out."""
    fields: dict[str, Any] = {}
    for name, field in act.fields.items():
        given: dict[str, Any] = {"required": field.default is None, "help_text": field.help}
        if field.default is not None:
            given["default"] = _EMPTY.get(field.kind, field.default)
        fields[name] = _MAKERS[field.kind](field, **given)
    title = "".join(word.capitalize() for word in act.name.split("-"))
    return type(f"{title}ActSerializer", (serializers.Serializer,), fields)


def _view(act: Act) -> type[OrganiserApi]:
    body = _serializer(act)

    class ActApi(OrganiserApi):
        """One act."""

        @extend_schema(
            operation_id=f"act_{act.name.replace('-', '_')}",
            request=body if act.fields else None,
            responses={200: ActedSerializer, **REFUSALS},
            summary=act.title,
            description=act.says,
        )
        def post(self, request: Request, slug: str) -> Response:
            """Do it."""
            found = self.tournament(request, slug)
            given = body(data=request.data)
            given.is_valid(raise_exception=True)
            by = player_of(request.user)  # type: ignore[arg-type]
            before = found.seq
            act.do(found, by, **given.validated_data)
            return acted(found, before, by)

    return ActApi


class AccessApi(OrganiserApi):
    """Who is let into a tournament."""

    @extend_schema(
        responses={200: AccessSerializer, **REFUSALS}, summary="Who is let in, for organisers"
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return who organises it, and the invitation."""
        found = self.tournament(request, slug)
        return Response(AccessSerializer(found, context={"request": request}).data)


class PairingApi(OrganiserApi):
    """The next round."""

    @extend_schema(
        responses={200: PairingSerializer, **REFUSALS},
        summary="The next round as it would be paired now, for organisers",
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the tables and byes, and why; no round where the phase is complete."""
        found = self.tournament(request, slug)
        pairing = pairing_preview(tournament_id=found.pk)
        if pairing is None:
            return Response({"round": None, "tables": [], "byes": {}, "notes": []})
        ids = {entrant for table in pairing.tables for entrant in table}
        ids.update(entrant for note in pairing.notes for entrant in note.entrants)
        names: Any = names_of(map(str, ids | {bye.entrant for bye in pairing.byes}))
        return Response(
            {
                "round": pairing.round,
                "tables": pairing.tables,
                "byes": {str(bye.entrant): str(bye.kind) for bye in pairing.byes},
                "notes": [note.say(names) for note in pairing.notes],
            }
        )


class _Who(serializers.Serializer[Any]):
    """Whom somebody enters: themselves, or a bot of theirs."""

    player = serializers.CharField(
        max_length=40, default="", allow_blank=True, help_text="Name or id; left out: oneself"
    )


class JoinApi(APIView):
    """Entering by oneself."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="join",
        request=_Who,
        responses={200: ActedSerializer, **REFUSALS},
        summary="Enter by oneself",
        description="People are seated, but cannot play yet: today only bots play.",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter who asks, or a bot of theirs."""
        found = seen(Tournament.objects.all(), slug, request)
        me, player = _who(request)
        before = found.seq
        invited = is_invited(found, request)
        user: Any = request.user
        entrant_join(tournament_id=found.pk, user=user, player=player, by=me, invited=invited)
        return acted(found, before, me)


class LeaveApi(APIView):
    """Leaving by oneself."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="leave",
        request=_Who,
        responses={200: ActedSerializer, **REFUSALS},
        summary="Leave by oneself",
        description="What was played stands; only an organiser can let somebody return.",
    )
    def post(self, request: Request, slug: str) -> Response:
        """Withdraw who asks, or a bot of theirs."""
        found = seen(Tournament.objects.all(), slug, request)
        me, player = _who(request)
        before = found.seq
        user: Any = request.user
        entrant_leave(tournament_id=found.pk, user=user, player=player, by=me)
        return acted(found, before, me)


def _who(request: Request) -> tuple[Any, Any]:
    """Return the player who asks, and whom it is about."""
    given = _Who(data=request.data)
    given.is_valid(raise_exception=True)
    me = player_of(request.user)  # type: ignore[arg-type]
    name = given.validated_data["player"]
    return me, player_named(name) if name else me


urlpatterns: list[URLPattern] = [
    path("tournaments/<slug:slug>/access/", AccessApi.as_view(), name="api-access"),
    path("tournaments/<slug:slug>/pairing/", PairingApi.as_view(), name="api-pairing"),
    path("tournaments/<slug:slug>/join/", JoinApi.as_view(), name="api-join"),
    path("tournaments/<slug:slug>/leave/", LeaveApi.as_view(), name="api-leave"),
    *(
        path(f"tournaments/<slug:slug>/acts/{act.name}/", _view(act).as_view())
        for act in ACTS.values()
    ),
]
