"""Log lines are JSON whatever is logged."""

from __future__ import annotations

import json
import logging

from config.logs import JsonFormatter


def test_a_line_is_one_json_object_with_what_was_added():
    record = logging.makeLogRecord(
        {"name": "games", "levelname": "INFO", "msg": "game %s", "args": ("7\n8",), "seq": 3}
    )
    line = JsonFormatter().format(record)
    assert "\n" not in line
    assert json.loads(line) == {
        "at": json.loads(line)["at"],
        "level": "info",
        "logger": "games",
        "message": "game 7\n8",
        "seq": 3,
    }


def test_an_error_comes_with_its_trace():
    try:
        raise ValueError("broken")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.makeLogRecord({"msg": "oh", "exc_info": info})
    assert "ValueError: broken" in json.loads(JsonFormatter().format(record))["error"]
