"""Slows somebody who asks very much, and nobody else.

The generic cell rate algorithm in its virtual scheduling form (ITU-T I.371, annex A), used
to delay and not to discard: a burst passes at once, what comes on top has its turn at a
steady rate. One time stamp for each person is all that it remembers.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Turn:
    """When a question may be answered."""

    starts: datetime
    next_expected: datetime
    """The theoretical arrival time, to be remembered for the person's next question."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast one person's questions are answered."""

    burst: int = 10
    """Questions that pass at once after a rest; at least 1."""
    interval: timedelta = timedelta(seconds=5)
    """Between two of those that come on top."""

    def turn(self, expected: datetime | None, now: datetime) -> Turn:
        """Return the turn of a question that came just now; `expected` as the last turn left it."""
        due = max(expected or now, now)
        tolerance = self.interval * (self.burst - 1)
        return Turn(starts=max(now, due - tolerance), next_expected=due + self.interval)
