"""Streams of server-sent events: a page hears that something grew, and asks for what it shows.

A message holds a version and never content, so a stream can tell nobody more than a page shows.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from games.pages.web import PRIVATE

INTERVAL_S = 1.0
"""Between two looks at the database: a page that watches is renewed at most so often."""

SILENCE = 15
"""Looks after which a stream says that it is still there, so that dead ones are noticed."""

Version = tuple[str, bool]
"""What something's growth is told by, and whether it can grow no more."""

_VERSION = re.compile(r"[\w.-]{1,60}")


def stream(request: HttpRequest, event: str, read: Callable[[], Version]) -> HttpResponseBase:
    """Answer with a stream that sends ``event`` whenever a version is not what it was.

    It starts with what is now, unless the page has heard of it (``Last-Event-ID`` or ``?since=``),
    and ends with the thing that it watches; then 204 tells the browser to ask no more.
    """
    heard = request.headers.get("Last-Event-ID") or request.GET.get("since", "")
    known = heard if _VERSION.fullmatch(heard) else ""
    if read() == (known, True):
        return HttpResponse(status=204)
    response = StreamingHttpResponse(
        _messages(event, read, known), content_type="text/event-stream; charset=utf-8"
    )
    response["Cache-Control"] = PRIVATE
    response["X-Accel-Buffering"] = "no"  # proxies would hold messages back
    # Packed, each message would be an archive of its own, and browsers read but the first of them.
    response["Content-Encoding"] = "identity"
    return response


async def _messages(event: str, read: Callable[[], Version], known: str) -> AsyncIterator[str]:
    silent = 0
    while True:
        version, over = await sync_to_async(_apart, thread_sensitive=False)(read)
        if version != known:
            known, silent = version, 0
            yield f"id: {version}\nevent: {event}\ndata: {version}\n\n"
        elif silent >= SILENCE:
            silent = 0
            yield ": still here\n\n"
        if over:
            return
        silent += 1
        await asyncio.sleep(INTERVAL_S)


def _apart(read: Callable[[], Version]) -> Version:
    """Read without keeping a connection: a stream lives for hours and there are few of them."""
    try:
        return read()
    finally:
        connection.close()
