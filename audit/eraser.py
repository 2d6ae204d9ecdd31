"""The door to erase by, beside those that append and that read."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from sqlalchemy import Connection, Engine

from audit.concerned import Concerned, concerning, demand_free, free, ids_of, known, older_than
from audit.database import Door
from audit.erasing import Erasure, erase
from audit.log import open_writer
from audit.store import STORE, reading_engine, writing_engine

Noted = Callable[[Sequence[str]], None]
"""Is told the ids of entries before they are erased; what it raises stops it."""


def unnoted(_: Sequence[str]) -> None:
    """Nobody keeps them."""


class AuditEraser(Door):
    """Every method raises `AuditUnavailable` where the store cannot be used."""

    def __init__(self, engine: Engine, reading: Engine) -> None:
        super().__init__(engine)
        self._reading = reading

    def concerning(self, person: str) -> Concerned:
        """What would be erased; nobody waits meanwhile. Raise `UnderHold`."""
        with STORE.transaction(self._reading) as connection:
            found = concerning(connection, person)
            demand_free(connection, person, found.numbers)
            return found

    def erase(self, person: str, erasure: Erasure, noted: Noted = unnoted) -> Concerned:
        """Erase all of a person in one step; raise `UnderHold`, `AuditDamaged`.

        Appends wait for that step, and not while it is looked for what it is about.
        """
        seen = self.concerning(person)
        with STORE.transaction(self._engine) as connection:
            found = concerning(connection, person, seen)
            demand_free(connection, person, found.numbers)
            _erase(connection, found.numbers, erasure, noted)
            return found

    def erase_again(self, entry_ids: Collection[str], erasure: Erasure) -> Concerned:
        """Erase what was erased once and came back with an older backup."""
        with STORE.transaction(self._engine) as connection:
            found = known(connection, entry_ids)
            _erase(connection, found.numbers, erasure, unnoted)
            return found

    def expire(self, before: datetime, erasure: Erasure, noted: Noted = unnoted) -> int:
        """Erase what was asked before then and is under no hold, step by step; how many entries.

        The log says so of each step, and a step that is cut off leaves nothing half done.
        """
        count, after = 0, 0
        while True:
            with STORE.transaction(self._engine) as connection:
                found = older_than(connection, before, after)
                if not found.numbers:
                    return count
                numbers, _ = free(connection, found.numbers)
                _erase(connection, numbers, erasure, noted)
                count, after = count + len(numbers), found.last

    def close(self) -> None:
        super().close()
        self._reading.dispose()


def _erase(connection: Connection, numbers: Sequence[int], erasure: Erasure, noted: Noted) -> None:
    if numbers:
        noted(ids_of(connection, numbers))
    erase(connection, numbers, erasure)


def open_eraser(url: str) -> AuditEraser:
    """Open the store to erase, brought up as for appending."""
    open_writer(url).close()
    parsed = STORE.parse(url)
    return AuditEraser(writing_engine(parsed), reading_engine(parsed))
