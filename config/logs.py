"""Log lines as JSON, one object a line."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    """Write a record as one JSON object: time, level, logger, message, then what ``extra`` adds."""

    def format(self, record: logging.LogRecord) -> str:
        """Render the record; a value that JSON does not know is written as its text."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update({k: v for k, v in vars(record).items() if k not in _OWN and k[0] != "_"})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)
