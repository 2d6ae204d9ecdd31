"""When a question has its turn, and how those who work on questions hear of it.

Who asks very much is slowed, and nobody else, by the generic cell rate algorithm in its virtual
scheduling form (ITU-T I.371, annex A), used to delay and not to discard: a burst passes at once,
what comes on top has its turn at a steady rate. One time stamp for each person is all that it
remembers.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Condition

from sqlalchemy import Connection, insert, select, update

from bot.slack.inbox.tables import paces


@dataclass(frozen=True, slots=True)
class Pace:
    """When a question may be answered, and in which order."""

    starts: datetime
    """Not before."""
    due: datetime
    """The theoretical arrival time: when it would come of somebody who keeps to the pace.

    Who is answered in this order waits for no more of somebody else's than are due by then, however
    many that one asked before (virtual clock scheduling, L. Zhang 1990).
    """

    @property
    def next_expected(self) -> datetime:
        """To be remembered for the person's next question."""
        return self.due + INTERVAL


BURST = 10
"""Questions of one person that pass at once after a rest; at least 1."""
INTERVAL = timedelta(seconds=5)
"""Between two of those that come on top."""


def pace_of(expected: datetime | None, now: datetime) -> Pace:
    """Return the turn of a question that came just now; `expected` as the last turn left it."""
    due = max(expected or now, now)
    starts = max(now, due - INTERVAL * (BURST - 1))
    return Pace(starts, due)


def paced(connection: Connection, user: str, now: datetime) -> Pace:
    """Return when a question of somebody's that came just now has its turn, and remember it."""
    mine = paces.c.user_id == user
    expected = connection.scalar(select(paces.c.next_expected).where(mine))
    turn = pace_of(expected, now)
    known = {"next_expected": turn.next_expected}
    if expected is None:
        connection.execute(insert(paces).values(user_id=user, **known))
    else:
        connection.execute(update(paces).where(mine).values(**known))
    return turn


class Wakeup:
    """Counts its calls, so that one between looking and falling asleep is not missed."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._count = 0
        self._watched = False

    @property
    def count(self) -> int:
        """Return how often it was called: read it before looking for work, for `wait`."""
        with self._condition:
            return self._count

    def notify(self) -> None:
        """Wake one sleeper: there is one more thing to do."""
        with self._condition:
            self._count += 1
            self._condition.notify()

    def notify_all(self) -> None:
        with self._condition:
            self._count += 1
            self._condition.notify_all()

    def wait(self, count: int, seconds: float) -> None:
        """Sleep until it is called; not at all where that happened since `count`.

        One of those who sleep wakes when time is up, too. If it finds something to do, it is to
        call the next one, who then watches in its place.
        """
        with self._condition:
            self._condition.wait_for(lambda: self._count != count or not self._watched)
            if self._count == count:
                self._watched = True
                self._condition.wait(seconds)
                self._watched = False
