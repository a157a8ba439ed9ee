"""Which port the site takes."""

from __future__ import annotations

import socket

import pytest

from config.stack import StackError, ports


@pytest.fixture
def taken():
    with socket.socket() as door:
        door.bind((ports.LOOPBACK, 0))
        door.listen()
        yield door.getsockname()[1]


def test_a_taken_first_port_moves_on_to_the_next(taken, monkeypatch):
    monkeypatch.setattr(ports, "FIRST", taken)
    with ports.listen(None) as door:
        assert taken < door.getsockname()[1] < taken + ports.TRIES


def test_two_at_once_never_get_the_same(monkeypatch):
    monkeypatch.setattr(ports, "FIRST", ports.free_port())
    with ports.listen(None) as one, ports.listen(None) as other:
        assert one.getsockname() != other.getsockname()


def test_a_wanted_port_that_is_taken_is_an_error(taken):
    with pytest.raises(StackError, match=rf"PORT={taken} is taken .* leave PORT out"):
        ports.listen(str(taken))


def test_a_wanted_port_is_taken():
    port = ports.free_port()
    with ports.listen(str(port)) as door:
        assert door.getsockname() == (ports.LOOPBACK, port)


@pytest.mark.parametrize("text", ["0", "65536", "-1", "web", "80a", "٣"])
def test_what_is_no_port_is_refused_by_name(text):
    with pytest.raises(StackError, match=rf"PORT={text} is no port"):
        ports.listen(text)


def test_no_free_port_at_all_is_said(taken, monkeypatch):
    monkeypatch.setattr(ports, "FIRST", taken)
    monkeypatch.setattr(ports, "TRIES", 1)
    with pytest.raises(StackError, match="give one as PORT="):
        ports.listen(None)
