"""Who looks on while a question is answered, and changes nothing of it."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Protocol

from bot.answering.outcome import Outcome
from bot.answering.pipeline import Observe
from bot.answering.values import Question
from bot.errors import EmptyQuestion
from retrieval.search.timing import Stages

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
