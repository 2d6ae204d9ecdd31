"""Everything is looked at once: the labelled questions, what people asked, and the sources."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from bot.evaluation.outcomes import LabelledOutcome
from bot.evaluation.run import Progress
from bot.evaluation.watch import traffic
from bot.evaluation.watch.alarms import Alarm
from bot.evaluation.watch.comparing import quality_alarms
from bot.evaluation.watch.measuring import run_of
from bot.evaluation.watch.sources import source_alarms
from bot.evaluation.watch.traffic import Answered, Week
from bot.evaluation.watch.values import MadeWith, Run
from retrieval.documents.holdings import SourceTimes


class Runs(Protocol):
    """Keeps runs; each method raises a `BotError` where it cannot."""

    def add(self, run: Run) -> None: ...

    def all(self) -> Sequence[Run]:
        """Return every run, the oldest one first."""
        ...


class Measuring(Protocol):
    """Asks the labelled questions, and says what it asked."""

    def outcomes(self, progress: Progress) -> Sequence[LabelledOutcome]:
        """Raise `BadConfiguration`, `EmptyLibrary` or one of retrieval's errors."""
        ...

    def made_with(self) -> MadeWith: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What is allowed before something is said."""

    fall: float
    """Of precision at 5, and of coverage, 0 to 1."""
    unread_days: int
    """0 for never, as in the next."""
    unchanged_days: int


@dataclass(frozen=True, slots=True)
class QualityReport:
    """What was found."""

    at: datetime
    run: Run | None
    """None where no labelled questions are named."""
    previous: Run | None
    """The last one before, whatever it asked."""
    traffic: Sequence[Week]
    """What people asked, the week just past first."""
    alarms: Sequence[Alarm]


Records = Callable[[datetime, datetime], Iterable[Mapping[str, Any]]]
"""The audit records, as JSON, of what was asked from a time on and before another."""


@dataclass(frozen=True, slots=True)
class QualityWatch:
    """Measures, compares and keeps."""

    measuring: Measuring | None
    """None where no labelled questions are named."""
    runs: Runs
    records: Records
    sources: Callable[[], Sequence[SourceTimes]]
    limits: Limits

    def __call__(self, now: datetime, progress: Progress = lambda *_: None) -> QualityReport:
        """Look at everything, and keep the run; `now` is aware.

        A run that fails is not kept. Raise what `Measuring`, `Runs`, the audit and the library do.
        """
        earlier = self.runs.all()
        run = self._measured(now, progress)
        records = self.records(traffic.since(now), now)
        weeks = traffic.weeks(map(Answered.of, records), now)
        alarms: list[Alarm] = [
            *(quality_alarms(earlier, run, self.limits.fall) if run else ()),
            *traffic.traffic_alarms(weeks),
            *source_alarms(
                self.sources(), now, self.limits.unread_days, self.limits.unchanged_days
            ),
        ]
        if run:
            self.runs.add(run)
        return QualityReport(now, run, earlier[-1] if earlier else None, weeks, tuple(alarms))

    def _measured(self, now: datetime, progress: Progress) -> Run | None:
        if self.measuring is None:
            return None
        return run_of(self.measuring.outcomes(progress), now, self.measuring.made_with())
