"""The log as JSON, an object a line, with the id of the question that a message is about."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_about: ContextVar[str] = ContextVar("question", default="")


@contextmanager
def about(audit_id: str) -> Iterator[None]:
    """Whatever this thread logs meanwhile is about the question with this audit id."""
    before = _about.set(audit_id)
    try:
        yield
    finally:
        _about.reset(before)


class JsonLines(logging.Formatter):
    """`discreet` takes out of a text what no log may repeat."""

    def __init__(self, discreet: Callable[[str], str]) -> None:
        super().__init__()
        self._discreet = discreet

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._discreet(record.getMessage()),
        }
        if question := _about.get():
            said["question"] = question
        if record.exc_info:
            said["error"] = self._discreet(self.formatException(record.exc_info))
        return json.dumps(said)
