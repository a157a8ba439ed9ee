"""Free ports on this machine."""

from __future__ import annotations

import errno
import socket

from config.stack import StackError

LOOPBACK = "127.0.0.1"
FIRST = 8000
TRIES = 200


def free_port() -> int:
    """A port that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def listen(wanted: str | None) -> socket.socket:
    """Open the web port: ``wanted``, or 8000 or the next that is free.

    The socket is ours and the web process inherits it: no other program can take the port in
    between, and while the web process starts again its visitors wait instead of being refused.

    :raises StackError: when the wanted port is no port, or is taken
    """
    if wanted:
        return _listen_on(_port(wanted))
    for port in range(FIRST, FIRST + TRIES):
        try:
            return _bind(port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    raise StackError(f"All ports from {FIRST} to {FIRST + TRIES - 1} are taken: give one as PORT=…")


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 65536):
        raise StackError(f"PORT={text} is no port: give a number from 1 to 65535, e.g. PORT=8080.")
    return int(text)


def _listen_on(port: int) -> socket.socket:
    try:
        return _bind(port)
    except PermissionError as error:
        raise StackError(f"PORT={port} is reserved for root: give one from 1024 up.") from error
    except OSError as error:
        raise StackError(
            f"PORT={port} is taken by another program ({error.strerror}): give another,"
            " or leave PORT out and a free one is found."
        ) from error


def _bind(port: int) -> socket.socket:
    door = socket.socket()
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((LOOPBACK, port))
        door.listen(512)
    except OSError:
        door.close()
        raise
    return door
