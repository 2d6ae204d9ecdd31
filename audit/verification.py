"""It is proven that the stored entries are those that were appended, and that none is missing.

Everything is derived again from the rows as the database returns them: each hash from
its payload, each link from the hash before, each column from the payload. Nothing is
remembered between entries but the last hash, so a store of any size fits in memory.
Then tables, indexes and guards are compared with what the migrations make, and what each index
finds with what the tables hold.
"""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from audit.chain import GENESIS, entry_hash
from audit.errors import AuditDamaged
from audit.store import STORE
from audit.structure import index_faults, structure_faults
from audit.tables import cited, cited_names, columns, entries

_BATCH = 200
"""Entries in memory at a time: a few MB with 50 candidates each."""

_NO_SUCH_HEAD = (
    "no entry has the expected head: the log went back to before that head was noted, as when an "
    "older backup is restored or entries are cut off at its end; or it was rewritten since"
)


@dataclass(frozen=True, slots=True)
class FirstBad:
    """The first entry that does not hold is named, with what is wrong with it."""

    sequence: int | None
    """None where no single entry is to blame."""
    audit_id: str | None
    """As the row states it, which may itself be forged."""
    what: str


@dataclass(frozen=True, slots=True)
class Verification:
    """A verification counts the entries that hold, from the first on."""

    ok: bool
    records: int
    events: int
    first_bad: FirstBad | None
    head: str
    """Hash of the last entry that holds: note it elsewhere, compare it later."""
    lacks_expected_head: bool = False
    """Every entry and link holds, and none has the head that was expected."""


def verify(connection: Connection, expected_head: str | None = None) -> Verification:
    """Check every entry, link and column; what a chain cannot show is said in `chain`.

    `connection` is in a transaction that sees one state throughout. `expected_head` was
    noted earlier: some entry, not necessarily the last, must have it. Raises
    `AuditUnavailable` where the store cannot be read at all.
    """
    check = _Check(expected_head)
    try:
        with STORE.explained(connection.engine.url):
            first_bad = _first_bad(connection, check)
    except AuditDamaged as error:
        number = None if check.is_through else check.sequence + 1
        first_bad = FirstBad(number, None, str(error))
    return Verification(
        ok=first_bad is None,
        records=check.records,
        events=check.sequence - check.records,
        first_bad=first_bad,
        head=check.head,
        lacks_expected_head=first_bad is not None and first_bad.what.startswith(_NO_SUCH_HEAD),
    )


def unreadable(error: AuditDamaged) -> Verification:
    """For a database that is too damaged to begin with."""
    first_bad = FirstBad(None, None, str(error))
    return Verification(ok=False, records=0, events=0, first_bad=first_bad, head=GENESIS)


class _Check:
    """A check knows the last entry that holds."""

    def __init__(self, expected_head: str | None) -> None:
        self.sequence = 0
        self.head = GENESIS
        self.records = 0
        self.is_through = False
        self.expected_head = expected_head
        self.expected_seen = expected_head in (None, GENESIS)

    def step(self, row: Row[Any], names: frozenset[str]) -> str | None:
        """What is wrong with the next row; goes on to it where nothing is."""
        if row.sequence != self.sequence + 1:
            return f"entry {self.sequence + 1} is missing: the next one is {row.sequence}"
        if row.previous_hash != self.head:
            return "previous_hash is not the hash of the entry before"
        if row.hash != entry_hash(row.sequence, row.previous_hash, row.payload):
            return "hash does not match payload: one of the two was altered"
        if (what := _disagreement(row, names)) is not None:
            return what
        self.sequence = row.sequence
        self.head = row.hash
        self.records += row.kind == "answer"
        self.expected_seen = self.expected_seen or row.hash == self.expected_head
        return None


def missing(url: URL) -> Verification:
    """For a store that is not there: nobody can tell whether it ever was."""
    what = (
        f"{STORE.describe(url)} is not there. If the bot has answered before, it was removed: "
        "restore it from a backup. Else there is nothing to verify yet"
    )
    first_bad = FirstBad(None, None, what)
    return Verification(ok=False, records=0, events=0, first_bad=first_bad, head=GENESIS)


def _first_bad(connection: Connection, check: _Check) -> FirstBad | None:
    faults = structure_faults(connection)
    bad: FirstBad | None = None
    try:
        bad = _first_bad_entry(connection, check)
        faults = faults or index_faults(connection)
    except (DBAPIError, sqlite3.Error):
        if bad is None and not faults:
            raise  # else what is not as it was made need not be readable
    if bad is None:
        return FirstBad(None, None, "; ".join(faults)) if faults else None
    return replace(bad, what="; ".join([bad.what, *faults]))


def _first_bad_entry(connection: Connection, check: _Check) -> FirstBad | None:
    for row, names in rows_with_cited(connection):
        if (what := check.step(row, names)) is not None:
            return FirstBad(row.sequence, row.audit_id, what)
    check.is_through = True
    if (stray := _stray(connection)) is not None:
        return FirstBad(stray, None, "audit_cited names an entry that is not there")
    return None if check.expected_seen else FirstBad(None, None, _NO_SUCH_HEAD)


def _disagreement(row: Row[Any], names: frozenset[str]) -> str | None:
    try:
        payload = json.loads(row.payload)
        derived = columns(payload)
        expected_names = cited_names(payload)
    except (ValueError, LookupError, TypeError, AttributeError):
        return "payload is not a record or event of this program"
    for name, value in derived.items():
        if getattr(row, name) != value:
            return f"column {name} does not agree with the payload"
    if names != expected_names:
        return "the rows of audit_cited do not agree with the payload"
    return None


def rows_with_cited(connection: Connection) -> Iterator[tuple[Row[Any], frozenset[str]]]:
    """Every row in the order of the chain, with the names of the documents that it cites."""
    last: int | None = None
    while rows := _batch(connection, last):
        last = rows[-1].sequence
        names = _cited_names(connection, rows[0].sequence, last)
        for row in rows:
            yield row, names.get(row.sequence, frozenset())


def _batch(connection: Connection, after: int | None) -> list[Row[Any]]:
    query = select(entries).order_by(entries.c.sequence).limit(_BATCH)
    if after is not None:
        query = query.where(entries.c.sequence > after)
    return list(connection.execute(query))


def _cited_names(connection: Connection, first: int, last: int) -> dict[int, frozenset[str]]:
    query = select(cited).where(cited.c.sequence.between(first, last)).order_by(cited.c.sequence)
    grouped = groupby(connection.execute(query), key=lambda row: int(row.sequence))
    return {sequence: frozenset(row.name for row in group) for sequence, group in grouped}


def _stray(connection: Connection) -> int | None:
    """An entry that only `audit_cited` knows."""
    entry = select(entries.c.sequence).where(entries.c.sequence == cited.c.sequence)
    return connection.scalar(select(cited.c.sequence).where(~entry.exists()).limit(1))
