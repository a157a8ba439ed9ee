"""Who may write by API, and what a write can be answered with instead."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from games.api.serializers import ProblemSerializer
from tournaments.access import organises

REFUSALS = {
    400: ProblemSerializer,
    403: ProblemSerializer,
    404: ProblemSerializer,
    409: ProblemSerializer,
}
"""What every write can be answered with instead."""


class Organises(BasePermission):
    """Only who organises the tournament; others may read where the view says so."""

    message = "Only an organiser of this tournament may do this; sign in as one."

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether somebody is signed in, or only reads."""
        return request.method in SAFE_METHODS or bool(request.user.is_authenticated)

    def has_object_permission(self, request: Request, view: APIView, of: Any) -> bool:
        """Whether the reader organises it."""
        return organises(of, request.user)
