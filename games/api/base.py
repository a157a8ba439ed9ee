"""What the API does where a view says nothing: anybody may read, in cursor pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.pagination import CursorPagination
from rest_framework.permissions import SAFE_METHODS, BasePermission

if TYPE_CHECKING:  # its views read the settings that name this module
    from rest_framework.request import Request
    from rest_framework.views import APIView


class ReadOnly(BasePermission):
    """Anybody may read, nobody may write: a view that writes names its own permission."""

    message = "This address can only be read."

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether the method is one that changes nothing."""
        return request.method in SAFE_METHODS


class Pages(CursorPagination):
    """Cursor pages of 50, at most 100 by ``page_size``, the newest first."""

    page_size = 50
    max_page_size = 100
    page_size_query_param = "page_size"
    ordering = "-pk"
