"""What a write can be refused for; each error carries what an API answers with."""

from __future__ import annotations

from typing import Any, ClassVar


class ApplicationError(Exception):
    """A request that cannot be done; the message says why and what would be right."""

    status: ClassVar[int] = 400
    """HTTP status that an API answers with."""
    code: ClassVar[str] = "bad_request"
    """Stable word for programs."""
    title: ClassVar[str] = "Not possible now"
    """Heading of the page for people."""

    def __init__(self, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.message = message
        self.extra = extra
        """Facts for programs, such as the current ``seq``."""


class StaleSeq(ApplicationError):
    """Somebody else appended first; read the log up to ``seq`` and decide again."""

    status = 409
    code = "stale_seq"

    def __init__(self, expected: int, current: int) -> None:
        super().__init__(
            f"the log has {current} events, not {expected}; read it anew and decide again",
            seq=current,
        )


class CommandIdReused(ApplicationError):
    """A command id came a second time with another command."""

    status = 409
    code = "command_id_reused"

    def __init__(self, command_id: object) -> None:
        super().__init__(
            f"command id {command_id} was used for another command; take a new id for each"
        )


class IllegalCommand(ApplicationError):
    """The rules forbid a command."""

    status = 422
    code = "illegal_command"


class NotSeated(ApplicationError):
    """The player has no seat at the game."""

    status = 403
    code = "not_seated"
    title = "Not allowed"


class NotFound(ApplicationError):
    """There is no such thing, or nobody may know of it."""

    status = 404
    code = "not_found"
    title = "Not found"


class Conflict(ApplicationError):
    """The thing is in no state for this."""

    status = 409
    code = "conflict"
