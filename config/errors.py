"""What readers are told when something goes wrong on our side."""

from __future__ import annotations

import logging
import secrets

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.csrf import requires_csrf_token

logger = logging.getLogger(__name__)


@requires_csrf_token
def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 with a number by which the log has the error.

    The page is made without the request, which may be what went wrong.
    """
    number = secrets.token_hex(4)
    logger.exception("error %s was shown", number, extra={"path": request.path})
    return HttpResponse(render_to_string("500.html", {"number": number}), status=500)
