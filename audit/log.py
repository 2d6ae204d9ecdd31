"""The audit log has two doors: one that only appends, one that only reads.

An answer is appended before anyone sees it, so `append` returns when the entry is on
the disk and raises when it is not. Writers in any number of threads and processes take
turns at the head of the chain; readers wait for none of them.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from typing import Any, Self

from sqlalchemy import Connection, Engine, Row, bindparam, insert, select

from audit.chain import GENESIS, canonical, entry_hash
from audit.errors import AuditDamaged, AuditUnavailable, EntryConflict, UnknownRecord
from audit.feedback import (
    ConfirmedQuestion,
    FeedbackPage,
    FeedbackQuery,
    confirmed_questions,
    find_feedback,
    searched_for,
)
from audit.queries import (
    Asker,
    CitedDocument,
    Page,
    RecordQuery,
    askers,
    cited_documents,
    find,
    one_id,
)
from audit.record import AuditEvent, AuditRecord, Entry
from audit.store import (
    STORE,
    empty_engine,
    is_there,
    make,
    reading_engine,
    revision,
    writing_engine,
)
from audit.tables import REVISION, cited, cited_names, columns, entries, key
from audit.verification import Verification, missing, unreadable, verify

_BATCH = 200

# Built once: building a statement takes longer than running it.
_BY_ID = select(entries).where(entries.c.entry_id == bindparam("entry_id"))
_NEWEST = select(entries.c.sequence, entries.c.hash).order_by(entries.c.sequence.desc()).limit(1)
_CITED_BY = select(cited.c.name).where(cited.c.sequence == bindparam("number"))
_ADD_ENTRY = insert(entries)
_ADD_CITED = insert(cited)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """A stored entry is one as it stands in the chain."""

    sequence: int
    payload: str
    """Canonical JSON; what the hash seals."""
    previous_hash: str
    hash: str

    @property
    def entry(self) -> Entry:
        """The record or event; fields of a newer program are left out."""
        values = json.loads(self.payload)
        kind = AuditRecord if values["kind"] == "answer" else AuditEvent
        return kind.model_validate(values, extra="ignore")


class AuditWriter:
    """It appends, and can do nothing else; it is safe to share between threads.

    Open one in each process: a forked process must not use its parent's.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._turn = Lock()  # SQLite's own waiting polls, which is slow among threads

    def append(self, entry: Entry) -> StoredEntry:
        """Store the entry durably, as the newest of the chain.

        An entry that is stored already is returned as it stands, so that a caller may
        try again after a doubtful failure. Raises `EntryConflict` for another entry with
        its id, `UnknownRecord` for an event about a record that is not there, and
        `AuditUnavailable` where the entry could not be stored.
        """
        payload = canonical(entry)
        values = json.loads(payload)  # what verification will derive the columns from
        with self._turn, STORE.transaction(self._engine) as connection:
            stored = _stored_already(connection, columns(values)["entry_id"], payload)
            return stored or _append(connection, values, payload)

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AuditReader:
    """It reads, and can do nothing else; a store that is not there yet reads as empty.

    Every method but `verify` raises `AuditUnavailable` where the store cannot be read, and
    `AuditDamaged` where its files are damaged.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._is_there = False

    def find(self, query: RecordQuery | None = None) -> Page:
        """The newest records that the query asks for; without one, of all. Newest first."""
        with self._reading() as connection:
            return find(connection, query or RecordQuery())

    def record(self, audit_id: str) -> StoredEntry:
        """One record, by its id or a beginning that no other record's id has.

        Raises `UnknownRecord` or `AmbiguousId`.
        """
        with self._reading() as connection:
            found = {"entry_id": one_id(connection, audit_id)}
            return _stored(connection.execute(_BY_ID, found).one())

    def events(self, audit_id: str) -> tuple[StoredEntry, ...]:
        """What happened to a record later, oldest first; `audit_id` in full.

        Empty where nothing did, and where there is no such record.
        """
        query = (
            select(entries)
            .where(entries.c.audit_id == key(audit_id), entries.c.kind != "answer")
            .order_by(entries.c.sequence)
        )
        with self._reading() as connection:
            return tuple(_stored(row) for row in connection.execute(query))

    def feedback(self, query: FeedbackQuery | None = None) -> FeedbackPage:
        """The newest feedback that stands, of the query; without one, of all. Newest first."""
        with self._reading() as connection:
            return find_feedback(connection, query or FeedbackQuery())

    def confirmed_questions(self) -> list[ConfirmedQuestion]:
        """All that somebody said were answered, and stands by; oldest first."""
        with self._reading() as connection:
            return list(confirmed_questions(connection))

    def searched_for(self, audit_ids: Collection[str]) -> dict[str, str]:
        """What was searched for, by audit id; of a record that is not there, nothing."""
        with self._reading() as connection:
            return searched_for(connection, audit_ids)

    def head(self) -> tuple[int, str]:
        """The newest entry's number and hash; 0 and `GENESIS` where there is none."""
        with self._reading() as connection:
            return _head(connection)

    def cited_versions(self, document_id: str) -> frozenset[str]:
        """The versions of a document that posted claims cite."""
        numbers = select(cited.c.sequence).where(cited.c.name == key(document_id))
        query = select(entries.c.payload).where(entries.c.sequence.in_(numbers))
        with self._reading() as connection:
            records = [json.loads(payload) for payload in connection.scalars(query)]
        return frozenset(
            citation["version"]
            for record in records
            for claim in record.get("claims", ())
            for citation in claim["citations"]
            if citation["document_id"] == document_id
        )

    def asked_between(self, since: datetime, until: datetime) -> Iterator[StoredEntry]:
        """Every record of what was asked then, newest first, a page in memory at a time.

        Aware times, the later one exclusive.
        """
        query = RecordQuery(since=since, until=until, limit=_BATCH)
        while True:
            with self._reading() as connection:
                page = find(connection, query)
                numbers = [each.sequence for each in page.records]
                chosen = select(entries).where(entries.c.sequence.in_(numbers))
                rows = connection.execute(chosen.order_by(entries.c.sequence.desc())).all()
            yield from map(_stored, rows)
            if page.next is None:
                return
            query = replace(query, before=page.next)

    def askers(self) -> tuple[Asker, ...]:
        """Everybody with a record."""
        with self._reading() as connection:
            return askers(connection)

    def cited_documents(self) -> tuple[CitedDocument, ...]:
        """Every document that a posted claim cites, under each of its paths once."""
        with self._reading() as connection:
            return cited_documents(connection)

    def entries(self) -> Iterator[StoredEntry]:
        """Every record and event in the order of the chain, a batch in memory at a time."""
        last = 0
        while batch := self._entries_after(last):
            yield from batch
            last = batch[-1].sequence

    def verify(self, expected_head: str | None = None) -> Verification:
        """Whether the entries are the ones that were appended; see `verification`.

        A store that is not there does not verify.
        """
        found: Verification | None = None
        try:
            if not is_there(self._engine):
                return missing(self._engine.url)
            with self._reading() as connection:
                found = verify(connection, expected_head)
        except AuditDamaged as error:  # also where a transaction ends that met damaged pages
            return unreadable(error) if found is None or found.ok else found
        return found

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _entries_after(self, sequence: int) -> list[StoredEntry]:
        query = (
            select(entries)
            .where(entries.c.sequence > sequence)
            .order_by(entries.c.sequence)
            .limit(_BATCH)
        )
        with self._reading() as connection:
            return [_stored(row) for row in connection.execute(query)]

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        self._is_there = self._is_there or is_there(self._engine)
        with STORE.transaction(self._engine if self._is_there else empty_engine()) as connection:
            yield connection


def open_writer(url: str) -> AuditWriter:
    """Open the store for appending, and make it where there is none."""
    engine = writing_engine(STORE.parse(url))
    if revision(engine) != REVISION:
        make(engine)
    return AuditWriter(engine)


def open_reader(url: str) -> AuditReader:
    """Open the store for reading; makes nothing, connects at the first question."""
    return AuditReader(reading_engine(STORE.parse(url)))


def _append(connection: Connection, values: dict[str, Any], payload: str) -> StoredEntry:
    if values["kind"] != "answer":
        _require_record(connection, values["audit_id"])
    sequence, previous_hash = _head(connection)
    stored = StoredEntry(
        sequence=sequence + 1,
        payload=payload,
        previous_hash=previous_hash,
        hash=entry_hash(sequence + 1, previous_hash, payload),
    )
    links = {name: getattr(stored, name) for name in StoredEntry.__slots__}
    row, names = {**columns(values), **links}, cited_names(values)
    connection.execute(_ADD_ENTRY, row)
    if names:
        rows = [{"name": name, "sequence": stored.sequence} for name in sorted(names)]
        connection.execute(_ADD_CITED, rows)
    _demand_kept(connection, row, names)
    return stored


def _demand_kept(connection: Connection, row: Mapping[str, Any], names: frozenset[str]) -> None:
    """Read back what was written: a trigger or rule can drop or change it without an error.

    Raise `AuditUnavailable`, which undoes the transaction.
    """
    kept = connection.execute(_BY_ID, {"entry_id": row["entry_id"]}).mappings().one_or_none()
    cited_now = connection.scalars(_CITED_BY, {"number": row["sequence"]})
    if kept is None or dict(kept) != row or frozenset(cited_now) != names:
        raise AuditUnavailable(
            f"{STORE.describe(connection.engine.url)} did not keep what was written to it, so "
            "nothing was answered from it. `vouch audit verify` names a trigger or rule that is "
            "not ours."
        )


def _stored_already(
    connection: Connection, entry_id: str | None, payload: str
) -> StoredEntry | None:
    row = connection.execute(_BY_ID, {"entry_id": entry_id}).one_or_none()
    if row is not None and row.payload != payload:
        raise EntryConflict(
            f"The id {entry_id} is taken by another entry. Give each record and event its own."
        )
    return None if row is None else _stored(row)


def _require_record(connection: Connection, audit_id: str) -> None:
    row = connection.execute(_BY_ID, {"entry_id": audit_id}).one_or_none()
    if row is None or row.kind != "answer":
        raise UnknownRecord(f"No record has the id {audit_id!r}. Append the record first.")


def _head(connection: Connection) -> tuple[int, str]:
    row = connection.execute(_NEWEST).one_or_none()
    return (0, GENESIS) if row is None else (row.sequence, row.hash)


def _stored(row: Row[Any]) -> StoredEntry:
    return StoredEntry(
        sequence=row.sequence,
        payload=row.payload,
        previous_hash=row.previous_hash,
        hash=row.hash,
    )
