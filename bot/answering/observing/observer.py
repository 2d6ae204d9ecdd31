"""Somebody looks on while questions are answered, and in between at how the bot is."""

import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from bot.answering.outcome import Outcome
from bot.answering.pipeline import Observe
from bot.answering.values import Question
from bot.errors import EmptyQuestion
from retrieval.search.timing import Stages

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


log = logging.getLogger(__name__)


class Observer(Protocol):
    """Is told once of each question, when it is over. What it raises is logged."""

    def answered(self, outcome: Outcome, stages: Stages) -> None: ...

    def failed(self, question: Question, error: Exception, stages: Stages) -> None:
        """It came to no outcome that anybody may see."""
        ...


def observed_by(observers: Sequence[Observer]) -> Observe:
    """Return what the pipeline does around each question; where none is asked, nobody is told."""

    @contextmanager
    def observe(question: Question, stages: Stages) -> Iterator[Callable[[Outcome], None]]:
        def told(outcome: Outcome) -> None:
            for each in observers:
                _carefully(partial(each.answered, outcome, stages))

        try:
            yield told
        except EmptyQuestion:
            raise
        except Exception as error:
            for each in observers:
                _carefully(partial(each.failed, question, error, stages))
            raise

    return observe


def _carefully(tell: Callable[[], None]) -> None:
    """No answer is lost because somebody looked on."""
    try:
        tell()
    except Exception:
        log.exception("What was seen of a question could not be noted")


Problems = Mapping[str, str]
"""What keeps the bot from answering, by name; empty when nothing does."""
LEAST_PAUSE_S, LONGEST_PAUSE_S = 2.0, 10.0
"""Between two looks: as long as the last one took, within these."""
STALE_S = 30.0
"""A look that takes longer hangs at something that does not answer."""
STARTING: Problems = {"start": "Nothing was looked at yet"}


class Looks:
    """Remembers what was seen last. One thread looks, any may ask."""

    def __init__(
        self, look: Callable[[], Problems], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._look = look
        self._clock = clock
        self._seen = STARTING
        self._at = self._next = clock()
        """When the last look ended, and when the next may begin."""

    def __call__(self) -> bool:
        begun = self._clock()
        if begun < self._next:
            return False
        self._seen = self._look()
        self._at = self._clock()
        self._next = self._at + min(max(LEAST_PAUSE_S, self._at - begun), LONGEST_PAUSE_S)
        return True

    def problems(self) -> Problems:
        """Return what was seen last; where that is long ago, this as well."""
        since = self._clock() - max(self._at, self._next)
        if since < STALE_S:
            return self._seen
        return {**self._seen, "looks": f"For {since:.0f} seconds nothing could be looked at"}
