"""The audit log has two doors: one that only appends, one that only reads.

An answer is appended before anyone sees it, so `append` returns when the entry is on
the disk and raises when it is not. Writers in any number of threads and processes take
turns at the head of the chain; readers wait for none of them.
"""

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from threading import Lock
from time import monotonic

from sqlalchemy import Connection, Engine, select

from audit.database import Door
from audit.erasure.concerned import held
from audit.erasure.remains import erased_by
from audit.errors import AuditDamaged, AuditUnavailable, UnknownRecord
from audit.feedback import FeedbackPage, FeedbackQuery, find_feedback, given_answers, happened
from audit.finding.overview import Overview, overview
from audit.finding.queries import (
    Asker,
    Page,
    RecordQuery,
    askers,
    channels,
    cited_versions,
    find,
    one_id,
)
from audit.finding.term_index import catch_up
from audit.proof import tree
from audit.proof.checkpoints import Proven
from audit.proof.hashes import canonical
from audit.proof.tree import consistency, inclusion
from audit.proof.verification import Signed, Verification, nothing_there, unproven, verify
from audit.record import AuditEvent, Entry, EventKind
from audit.storing.appending import BY_ID, append, head_of, stored_already, stored_entry
from audit.storing.appending import StoredEntry as StoredEntry
from audit.storing.store import (
    STORE,
    empty_engine,
    is_there,
    make,
    reading_engine,
    revision,
    writing_engine,
)
from audit.storing.tables import REVISION, columns, entries, key

_BATCH = 200


Appended = Callable[[float, bool], None]
"""Is told how many seconds an append took, and whether the entry stands or the store failed.

An entry that no store would take is not told of. Raises nothing.
"""


def unobserved(_seconds: float, _kept: bool) -> None:
    """Nobody counts."""


class AuditWriter(Door):
    """Safe to share between threads; a forked process must not use its parent's."""

    def __init__(self, engine: Engine, observe: Appended = unobserved) -> None:
        super().__init__(engine)
        self._observe = observe
        self._turn = Lock()  # SQLite's own waiting polls, which is slow among threads

    def append(self, entry: Entry) -> StoredEntry:
        """Store the entry durably, as the newest of the chain.

        One that is stored already is returned as it stands, so that a caller may try again. Raises
        `EntryConflict` for another one with its id, `UnknownRecord` for an event about a record
        that is not there, and `AuditUnavailable`.
        """
        began = monotonic()
        try:
            stored = self._appended(entry)
        except AuditUnavailable:
            self._observe(monotonic() - began, False)
            raise
        self._observe(monotonic() - began, True)
        return stored

    def _appended(self, entry: Entry) -> StoredEntry:
        payload = canonical(entry)
        values = json.loads(payload)  # what verification will derive the columns from
        with self._turn, STORE.transaction(self._engine) as connection:
            stored = stored_already(connection, columns(values)["entry_id"], payload)
            return stored or append(connection, values, payload)


class AuditReader(Door):
    """A store that is not there yet reads as empty.

    Every method but `verify` raises `AuditUnavailable` where the store cannot be read, and
    `AuditDamaged` where its files are damaged. Lists are newest first.
    """

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._is_there = False

    def find(self, query: RecordQuery | None = None) -> Page:
        """A page of the records that the query asks for; without one, of all."""
        with self._reading() as connection:
            return find(connection, query or RecordQuery())

    def overview(
        self, query: RecordQuery, today: date, refused: int, files: Collection[str] = ()
    ) -> Overview:
        with self._reading() as connection:
            return overview(connection, query, today, refused, files)

    def record(self, audit_id: str) -> StoredEntry:
        """By its id or a beginning that no other has; raises `UnknownRecord`, `AmbiguousId`."""
        with self._reading() as connection:
            found = {"entry_id": one_id(connection, audit_id)}
            return stored_entry(connection.execute(BY_ID, found).one())

    def held(self) -> dict[tuple[str, str], str]:
        with self._reading() as connection:
            return held(connection)

    def events(self, audit_id: str) -> tuple[StoredEntry, ...]:
        """What happened to a record later, oldest first; `audit_id` in full."""
        query = (
            select(entries)
            .where(entries.c.audit_id == key(audit_id), entries.c.kind != "answer")
            .order_by(entries.c.sequence)
        )
        with self._reading() as connection:
            return tuple(stored_entry(row) for row in connection.execute(query))

    def happened_to(self, audit_id: str) -> list[AuditEvent]:
        found = (stored.entry for stored in self.events(audit_id))
        return [each for each in found if isinstance(each, AuditEvent)]

    def feedback(self, query: FeedbackQuery | None = None) -> FeedbackPage:
        """A page of the feedback that stands, of the query; without one, of all."""
        with self._reading() as connection:
            return find_feedback(connection, query or FeedbackQuery())

    def given_answers(self) -> list[AuditEvent]:
        with self._reading() as connection:
            return given_answers(connection)

    def happened(self, kind: EventKind, since: datetime) -> list[AuditEvent]:
        with self._reading() as connection:
            return happened(connection, kind, since=since)

    def head(self) -> tuple[int, str]:
        """The newest entry's number and hash; 0 and `GENESIS` where there is none."""
        with self._reading() as connection:
            return head_of(connection)

    def tree_head(self, at_most: int | None = None) -> tuple[int, bytes]:
        """Size and root of the tree, or of its first so many leaves; 0 where there is none."""
        with self._reading() as connection:
            size = tree.size(connection)
            size = size if at_most is None else min(size, at_most)
            return size, tree.edge_at(connection, size).root()

    def proven(self, audit_id: str, size: int) -> Proven:
        """A record, by its id in full, in the tree of that size; raise `UnknownRecord`."""
        with self._reading() as connection:
            row = connection.execute(BY_ID, {"entry_id": key(audit_id)}).one_or_none()
            if row is None or row.kind != "answer" or row.sequence > size:
                raise UnknownRecord(f"No record has the id {audit_id!r}.")
            if stored_entry(row).is_erased:
                raise UnknownRecord(f"Record {audit_id} was erased, so it has no receipt any more.")
            salt = tree.salt_of(connection, row.sequence)
            path = tree.proof(connection, inclusion(row.sequence - 1, size))
            return Proven(stored_entry(row), salt, tuple(path))

    def consistency(self, first: int, second: int) -> list[bytes]:
        """The proof that the tree of the second size begins with that of the first, not 0."""
        with self._reading() as connection:
            return tree.proof(connection, consistency(first, second))

    def cited_versions(self, document_id: str) -> frozenset[str]:
        with self._reading() as connection:
            return cited_versions(connection, document_id)

    def asked_between(self, since: datetime, until: datetime) -> Iterator[StoredEntry]:
        """What was asked then and not erased; aware times, the later one exclusive."""
        for stored in self.records(RecordQuery(since=since, until=until)):
            if not stored.is_erased:
                yield stored

    def records(self, query: RecordQuery) -> Iterator[StoredEntry]:
        """Every record that the query asks for, newest first, a page in memory at a time."""
        query = replace(query, limit=_BATCH)
        while True:
            with self._reading() as connection:
                page = find(connection, query)
                numbers = [each.sequence for each in page.records]
                chosen = select(entries).where(entries.c.sequence.in_(numbers))
                rows = connection.execute(chosen.order_by(entries.c.sequence.desc())).all()
            yield from map(stored_entry, rows)
            if page.next is None:
                return
            query = replace(query, before=page.next)

    def askers(self) -> tuple[Asker, ...]:
        with self._reading() as connection:
            return askers(connection)

    def channels(self) -> dict[str, str]:
        with self._reading() as connection:
            return channels(connection)

    def entries(self) -> Iterator[StoredEntry]:
        """Every record and event in the order of the chain, a batch in memory at a time."""
        last = 0
        while batch := self._entries_after(last):
            yield from batch
            last = batch[-1].sequence

    def salted_entries(self) -> Iterator[tuple[StoredEntry, str, int | None]]:
        """With the salts of their leaves, and the event by which each was erased."""
        last = 0
        while batch := self._entries_after(last):
            first, last = batch[0].sequence, batch[-1].sequence
            with self._reading() as connection:
                salts = tree.salts(connection, first, last)
                events = erased_by(connection, first, last)
            for stored in batch:
                number = stored.sequence
                yield stored, salts.get(number, ""), events.get(number)

    def verify(
        self, expected_head: str | None = None, signed: Signed | None = None
    ) -> Verification:
        """Whether the entries are those that were appended; a store that is not there is none."""
        found: Verification | None = None
        try:
            if not is_there(self._engine):
                return nothing_there(self._engine.url)
            with self._reading() as connection:
                found = verify(connection, expected_head, signed)
        except AuditDamaged as error:  # also where a transaction ends that met damaged pages
            return unproven(str(error)) if found is None or found.ok else found
        return found

    def _entries_after(self, sequence: int) -> list[StoredEntry]:
        query = (
            select(entries)
            .where(entries.c.sequence > sequence)
            .order_by(entries.c.sequence)
            .limit(_BATCH)
        )
        with self._reading() as connection:
            return [stored_entry(row) for row in connection.execute(query)]

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._is_there = self._is_there or is_there(self._engine)
        with STORE.transaction(self._engine if self._is_there else empty_engine()) as connection:
            yield connection


def open_writer(url: str, observe: Appended = unobserved) -> AuditWriter:
    """Open the store for appending, and make it where there is none."""
    engine = writing_engine(STORE.parse(url))
    if revision(engine) != REVISION:
        make(engine)
    while _is_behind(engine):
        pass
    return AuditWriter(engine, observe)


def _is_behind(engine: Engine) -> bool:
    """Fill in a step of what records are found by; each step is kept, whatever comes after."""
    with STORE.transaction(engine) as connection:
        return catch_up(connection)


def open_reader(url: str) -> AuditReader:
    """Open the store for reading; makes nothing, connects at the first question."""
    return AuditReader(reading_engine(STORE.parse(url)))
