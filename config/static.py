"""Static files inside the ASGI application."""

from __future__ import annotations

from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # it has no types
    """WhiteNoise without its detour: every request would change threads twice on its way through.

    WhiteNoise's own middleware is synchronous only, and answers with a file that Django can send
    from an event loop only with a warning. Ours runs either way and answers with bytes.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        """Answer with the file at this path, or pass the request on."""
        if iscoroutinefunction(self):
            return self._answer(request)
        return super().__call__(request)

    async def _answer(self, request: HttpRequest) -> HttpResponseBase:
        static_file = self._find(request)
        if static_file is None:
            response: HttpResponseBase = await self.get_response(request)
            return response
        return await sync_to_async(self.serve, thread_sensitive=False)(static_file, request)

    def _find(self, request: HttpRequest) -> StaticFile | None:
        if self.autorefresh:
            found: StaticFile | None = self.find_file(request.path_info)
            return found
        return self.files.get(request.path_info)

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        """Read the file, or the part of it that was asked for."""
        answer = static_file.get_response(request.method, request.META)
        body = b""
        if answer.file is not None:
            with answer.file as file:
                body = file.read()
        response = HttpResponse(body, status=int(answer.status))
        del response["Content-Type"]
        for key, value in answer.headers:
            response[key] = value
        return response
