"""The web process: uvicorn on a socket that the stack has opened.

``python -m config.stack.web FD``, FD being the number of the inherited socket.
"""

from __future__ import annotations

import socket
import sys

import uvicorn


def main(descriptor: int) -> None:
    """Serve until SIGTERM; live streams are cut two seconds later."""
    door = socket.socket(fileno=descriptor)
    config = uvicorn.Config(
        "config.asgi:application",
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[door])


if __name__ == "__main__":
    main(int(sys.argv[1]))
