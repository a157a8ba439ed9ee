"""Streams: what they send, when they end, and that they hold versions only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import AsyncClient, Client
from django.urls import reverse

from games.models import Game
from games.pages import live
from tests.tournaments.running import work
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 200
"""Bytes of a message."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look again without waiting for long."""
    monkeypatch.setattr(live, "INTERVAL_S", 0.01)


def work_apart() -> None:
    """Do what is due in a thread of its own, and leave no connection behind."""
    work()
    connection.close()


async def messages(path: str, **headers: str) -> AsyncIterator[str]:
    response = await AsyncClient().get(path, headers=headers)
    assert isinstance(response, StreamingHttpResponse)
    assert response["Content-Type"].startswith("text/event-stream")
    assert response["Cache-Control"] == "private, no-store"
    async for part in response:
        text = part.decode()
        assert len(part) < MOST
        yield text


def test_a_stream_tells_of_growth_until_the_end(running: Tournament) -> None:
    address = reverse("tournament-stream", args=[running.slug])

    async def listen() -> list[str]:
        heard = []
        async with asyncio.timeout(60):
            async for message in messages(address):
                heard.append(message)
                if len(heard) == 1:
                    await sync_to_async(work_apart, thread_sensitive=False)()
        return heard

    heard = async_to_sync(listen)()
    assert len(heard) >= 2 and all("event: progress\ndata: " in message for message in heard)
    running.refresh_from_db()
    assert f"id: {running.seq}.0\n" in heard[-1]


def test_nothing_new_is_not_told(client: Client, ended: Tournament) -> None:
    address = reverse("tournament-stream", args=[ended.slug])
    version = f"{ended.seq}.0"
    assert client.get(address, {"since": version}).status_code == 204
    assert client.get(address, headers={"Last-Event-ID": version}).status_code == 204
    for since in ("", "1.0", "\nevent: x"):
        assert client.get(address, {"since": since}).status_code == 200
    assert client.get("/tournaments/no-such/stream/").status_code == 404


def test_a_silent_stream_says_that_it_is_there(
    running: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "SILENCE", 2)
    address = reverse("tournament-stream", args=[running.slug])

    async def listen() -> list[str]:
        heard = messages(address)
        found = [await anext(heard), await anext(heard)]
        await heard.aclose()
        return found

    assert async_to_sync(listen)()[1] == ": still here\n\n"


def test_no_stream_is_packed(client: Client, running: Tournament) -> None:
    """Browsers read but the first message of a packed stream."""
    address = reverse("tournament-stream", args=[running.slug])
    answer = client.get(address, headers={"accept-encoding": "gzip"})
    assert answer["Content-Encoding"] == "identity"


def test_a_game_tells_of_growth_until_it_is_sealed(client: Client, sealed: Game) -> None:
    address = reverse("game-stream", args=[sealed.pk])
    assert client.get(address, {"since": f"{sealed.seq}.sealed"}).status_code == 204
    assert client.get(address, {"since": "1.running"}).status_code == 200

    async def listen() -> list[str]:
        return [message async for message in messages(address)]

    (only,) = async_to_sync(listen)()
    assert f"data: {sealed.seq}.sealed\n" in only
    shared = Game.objects.filter(pk=sealed.pk)
    shared.update(status=Game.Status.RUNNING, shared_seed=True)
    assert client.get(address).status_code == 404
