"""One shape for every refusal of the API: a code, what is wrong and what would be right."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from engine.errors import BadInput
from games.errors import ApplicationError


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an error with ``{"code": …, "detail": …}`` and further facts for programs."""
    if isinstance(error, ApplicationError):
        return Response(
            {"code": error.code, "detail": str(error), **error.extra}, status=error.status
        )
    if isinstance(error, BadInput):
        return Response({"code": "bad_input", "detail": str(error)}, status=400)
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, ValidationError):
        response.data = {
            "code": "invalid",
            "detail": "some fields are not right",
            "fields": response.data,
        }
    elif isinstance(error, APIException):
        response.data = {"code": error.get_codes(), "detail": str(error.detail)}
    else:  # Http404 and PermissionDenied, whose text DRF has already made
        response.data = {
            "code": "not_found" if response.status_code == 404 else "forbidden",
            "detail": str(response.data.get("detail", "")),
        }
    return response
