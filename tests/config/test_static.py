"""Static files under ASGI and under WSGI, and the strict headers on everything."""

from __future__ import annotations

import asyncio

import pytest
from django.test import AsyncClient

PATH = "/static/config/api_docs.css"


def test_a_file_is_served_either_way(client):
    for response in (client.get(PATH), asyncio.run(AsyncClient().get(PATH))):
        assert response.status_code == 200
        assert response["Content-Type"].startswith("text/css")
        assert b"box-sizing" in response.content
        assert "frame-ancestors 'none'" in response["Content-Security-Policy"]


def test_a_part_and_a_head_are_served(client):
    part = client.get(PATH, headers={"Range": "bytes=0-1"})
    assert (part.status_code, part.content) == (206, b"/*")
    head = client.head(PATH)
    assert head.status_code == 200
    assert head.content == b""


@pytest.mark.django_db
def test_what_is_no_file_goes_on_to_the_pages():
    response = asyncio.run(AsyncClient().get("/api/v1/openapi.json"))
    assert response.status_code == 200
    assert response.json()["info"]["title"] == "Meldboard"


def test_the_documentation_of_the_api_needs_no_inline_script_or_style(client):
    """WS-2."""
    page = client.get("/api/v1/docs/").content.decode()
    assert "<style" not in page
    assert "<script>" not in page
    assert "style=" not in page
    script = client.get("/api/v1/docs/", {"script": ""})
    assert script["Content-Type"].startswith("application/javascript")
