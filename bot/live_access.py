"""People and channels are read as their files stand now, by a program that runs for months.

Somebody who leaves, or a channel that becomes more restricted, must count at the next
question, not at the next start.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from threading import Lock

from bot.access import Access, Channels, People, Person
from bot.errors import BadConfiguration
from retrieval.types import Scope

Stamp = tuple[tuple[int, int] | None, ...]
"""Time of change and size of each file; None where there is none."""

log = logging.getLogger(__name__)


class LiveAccess:
    """It reads the files again when one changes; it is safe to share between threads.

    A file that is broken by an edit leaves what was read before in force, and says so in
    the log and in `problem`: one typing error must not make guests of everybody.
    """

    def __init__(self, load: Callable[[], Access], files: Sequence[Path]) -> None:
        self._load = load
        self._files = files
        self._turn = Lock()
        self._stamp = self._look()
        self._access = load()
        self.problem = ""
        """What is wrong with a file since its last edit; empty where nothing is."""

    @property
    def people(self) -> People:
        return self._current().people

    @property
    def channels(self) -> Channels:
        return self._current().channels

    def scope_for(self, person: Person | None, channel: str | None, on: date) -> Scope:
        """See `Access.scope_for`."""
        return self._current().scope_for(person, channel, on)

    def _current(self) -> Access:
        with self._turn:
            stamp = self._look()
            if stamp != self._stamp:
                self._stamp = stamp
                self._read()
            return self._access

    def _read(self) -> None:
        try:
            self._access, self.problem = self._load(), ""
        except BadConfiguration as error:
            self.problem = str(error)
            log.error("What was read before stays in force: %s", error)

    def _look(self) -> Stamp:
        return tuple(_stamp(path) for path in self._files)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size
