"""What the API does where a view says nothing: anybody may read, in cursor pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import is_valid_path
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt
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


@method_decorator(csrf_exempt, name="dispatch")  # nothing is done, so JSON even without a token
class NothingApi(View):
    """What every address of the API answers at which there is nothing: a refusal as JSON."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Lead to the address with its slash where that was forgotten, or refuse."""
        whole = f"{request.path_info}/"
        forgotten = not request.path_info.endswith("/") and _is_known(whole)
        if forgotten and request.method in SAFE_METHODS:
            return HttpResponseRedirect(request.get_full_path(force_append_slash=True))
        hint = f"; {whole} would be right" if forgotten else "; /api/v1/docs/ lists what there is"
        detail = f"there is nothing at {request.path_info}{hint}"
        return JsonResponse({"code": "not_found", "detail": detail}, status=404)


def _is_known(path: str) -> bool:
    """Say whether there is something at an address of the API."""
    match = is_valid_path(path)
    return match is not False and getattr(match.func, "view_class", None) is not NothingApi
