"""It is proven that the stored entries are those that were appended, and that none is missing.

Everything is derived again from the rows as the database returns them: each hash from its payload,
each link from the hash before, each column from the payload, each node of the tree from the leaves.
Nothing is remembered between entries but the last hash and the tree's edge, so a store of any size
fits in memory. The roots are compared with those of signed checkpoints. Where one says up to where
all was verified once, only what is new may be read: then what is older is held to it by the tree's
nodes alone, which says nothing of its rows.

Then what the database tells of tables, indexes and guards is compared with what it tells of a new
store: on SQLite one is made in memory; on PostgreSQL, where a reader may make nothing, it stands in
`storing.guards`. Something added counts as much as what is missing: one trigger of somebody else's
can throw records away without an error. Every index must find what the tables hold, and nothing
else: SQLite checks that itself; on PostgreSQL each table is read in the order of each index,
through it and without it.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from typing import Any, NamedTuple

from sqlalchemy import Connection, CursorResult, Row, Table, func, inspect, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from audit.erasure import guards as erasure_guards
from audit.erasure.guards import ERASED
from audit.errors import AuditDamaged
from audit.proof.checking import Check, ErasedCheck, FirstBad, Stored, TermIndexCheck
from audit.proof.checkpoints import Checkpoint, VerifierKey
from audit.proof.hashes import GENESIS
from audit.proof.tree import edge_at
from audit.storing.guards import BEFORE_FOUND, BEFORE_KIND, DESCRIBED, FOUND, KIND, PARTS, TREE
from audit.storing.store import REVISIONS, STORE, empty_engine
from audit.storing.tables import (
    EARLIER,
    REVISION,
    REVISION_TABLE,
    WITHOUT_ERASED,
    WITHOUT_KIND,
    WITHOUT_TERMS,
    WITHOUT_TREE,
    AuditTable,
    cited,
    entries,
    erased,
    terms,
    tree,
)

_BATCH = 200
"""Entries in memory at a time: a few MB with 50 candidates each."""

_NO_SUCH_HEAD = (
    "no entry has the expected head: the log went back to before that head was noted, as when an "
    "older backup is restored or entries are cut off at its end; or it was rewritten since"
)
_NO_KEY = (
    "the key is missing with which its checkpoints were signed: bring audit.key back, or set "
    "VOUCH_AUDIT_KEY"
)


@dataclass(frozen=True, slots=True)
class Verification:
    """It counts the entries that hold, from the first on."""

    ok: bool
    records: int
    events: int
    first_bad: FirstBad | None
    head: str
    """Hash of the last entry that holds: note it elsewhere, compare it later."""
    lacks_expected_head: bool = False
    """Every entry and link holds, and none has the head that was expected."""
    unread: int = 0
    """So many of the first entries were verified earlier, and not read again."""
    root: str = ""
    """The root of the tree, in base64; empty where there is none, or something does not hold."""
    proven: int = 0
    """So many of the first entries are those that a checkpoint was signed over, ..."""
    proven_at: str = ""
    """... and then: since when the log can be trusted so far; empty where none is known."""


@dataclass(frozen=True, slots=True)
class Signed:
    """What was signed of the log, to hold it to."""

    key: VerifierKey | None
    """None where it is missing: sizes and roots are compared, and the log does not verify."""
    checkpoints: tuple[Checkpoint, ...]
    """In any order, whoever signed them."""
    verified: Checkpoint | None = None
    """Up to where it was verified once, and need not be read again."""

    @property
    def own(self) -> tuple[Checkpoint, ...]:
        """Those that the log's key has signed; all where it is missing."""
        key = self.key
        return tuple(each for each in self.checkpoints if key is None or each.is_of(key))


def verify(
    connection: Connection, expected_head: str | None = None, signed: Signed | None = None
) -> Verification:
    """Check every entry, link, column and node; `connection` sees one state throughout.

    `expected_head` was noted earlier: some entry must have it. So must the tree have had every root
    that was `signed`. Raises `AuditUnavailable` where the store cannot be read at all.
    """
    check = Check(expected_head, signed.own if signed else ())
    try:
        with STORE.explained(connection.engine.url):
            revision = REVISIONS.stated(connection)
            check.has_tree = revision not in WITHOUT_TREE
            if revision not in WITHOUT_ERASED:
                check.erased = ErasedCheck(connection)
            if signed and signed.verified and expected_head is None:
                check = _after(connection, signed.verified, check)
            if revision not in EARLIER:
                check.term_index = TermIndexCheck(connection, whole=not check.unread)
            first_bad = _first_bad(connection, check, revision) or (
                _unproven_by_key(signed) if signed else None
            )
    except AuditDamaged as error:
        number = None if check.is_through else check.sequence + 1
        first_bad = FirstBad(number, None, str(error))
    proven = check.proven if signed and signed.key else None
    return Verification(
        ok=first_bad is None,
        records=check.records,
        events=check.sequence - check.unread - check.records,
        first_bad=first_bad,
        head=check.head,
        lacks_expected_head=first_bad is not None and first_bad.what.startswith(_NO_SUCH_HEAD),
        unread=check.unread,
        root=check.root if first_bad is None else "",
        proven=proven.size if proven else 0,
        proven_at=proven.at if proven else "",
    )


def unproven(what: str) -> Verification:
    """For a store of which nothing can be read, such as a database too damaged to begin with."""
    first_bad = FirstBad(None, None, what)
    return Verification(ok=False, records=0, events=0, first_bad=first_bad, head=GENESIS)


def nothing_there(url: URL) -> Verification:
    return unproven(
        f"{STORE.describe(url)} is not there. If the bot has answered before, it was removed: "
        "restore it from a backup. Else there is nothing to verify yet"
    )


def _unproven_by_key(signed: Signed) -> FirstBad | None:
    """No key, or somebody else's checkpoint: whoever signs anew has no other key than theirs."""
    if signed.key is None:
        return FirstBad(None, None, _NO_KEY)
    for each in signed.checkpoints:
        if not each.is_of(signed.key):
            what = f"the checkpoint of {each.at} over {each.size} entries is not signed with the"
            return FirstBad(None, None, f"{what} key {signed.key}: one of the two was exchanged")
    return None


def _after(connection: Connection, verified: Checkpoint, check: Check) -> Check:
    """Go on after what was verified, where the tree still has that root; else read all."""
    if not check.has_tree or verified.size == 0:
        return check
    erased_too = {"with_erased": check.erased is not None}
    last = next(stored_rows(connection, verified.size - 1, with_tree=True, **erased_too), None)
    try:
        before = edge_at(connection, verified.size - 1)
    except AuditDamaged:
        return check
    return (check.after(last, before, verified) if last else None) or check


def _first_bad(connection: Connection, check: Check, revision: str | None) -> FirstBad | None:
    faults = structure_faults(connection, revision)
    bad: FirstBad | None = None
    try:
        bad = _first_bad_entry(connection, check)
        faults = faults or (() if check.unread else index_faults(connection))
    except (DBAPIError, sqlite3.Error):
        if bad is None and not faults:
            raise  # else what is not as it was made need not be readable
    if bad is None:
        return FirstBad(None, None, "; ".join(faults)) if faults else None
    return replace(bad, what="; ".join([bad.what, *faults]))


def _first_bad_entry(connection: Connection, check: Check) -> FirstBad | None:
    if (bad := check.signed_here()) is not None:
        return bad
    rows = stored_rows(
        connection,
        check.unread or None,
        with_tree=check.has_tree,
        with_terms=check.term_index is not None,
        with_erased=check.erased is not None,
    )
    for stored in rows:
        if (what := check.step(stored)) is not None:
            return FirstBad(stored.row.sequence, stored.row.audit_id, what)
        if (bad := check.signed_here()) is not None:
            return bad
    check.is_through = True
    if (bad := _stray(connection, check) or check.unmet()) is not None:
        return bad
    return None if check.expected_seen else FirstBad(None, None, _NO_SUCH_HEAD)


def _stray(connection: Connection, check: Check) -> FirstBad | None:
    """An entry that only the other tables know."""
    if check.has_tree:
        outside = (tree.c.sequence < 1) | (tree.c.sequence > check.sequence)
        lost = connection.scalar(select(func.min(tree.c.sequence)).where(outside))
        if lost is not None:
            return FirstBad(lost, None, f"entry {lost} is missing: audit_tree has its leaf")
    if check.erased and (lost := check.erased.unsaid()) is not None:
        return FirstBad(lost, None, f"entry {lost} was erased, and no event of the log says so")
    if check.term_index and (what := check.term_index.wrong_at_the_end(check.sequence)) is not None:
        return FirstBad(None, None, what)
    if check.unread:
        return None
    entry = select(entries.c.sequence).where(entries.c.sequence == cited.c.sequence)
    stray = connection.scalar(select(cited.c.sequence).where(~entry.exists()).limit(1))
    what = "audit_cited names an entry that is not there"
    return None if stray is None else FirstBad(stray, None, what)


def stored_rows(
    connection: Connection,
    after: int | None,
    *,
    with_tree: bool,
    with_terms: bool = False,
    with_erased: bool = False,
) -> Iterator[Stored]:
    """Every row in the order of the chain; `after` None: from the lowest number on."""
    while rows := _batch(connection, after):
        first, after = rows[0].sequence, rows[-1].sequence
        names = _cited_names(connection, first, after)
        leaves = _of(tree, connection, first, after) if with_tree else {}
        said = _of(terms, connection, first, after) if with_terms else {}
        gone = _of(erased, connection, first, after) if with_erased else {}
        for row in rows:
            number = row.sequence
            named = names.get(number, frozenset())
            yield Stored(row, named, leaves.get(number), said.get(number), number in gone)


def _batch(connection: Connection, after: int | None) -> list[Row[Any]]:
    query = select(entries).order_by(entries.c.sequence).limit(_BATCH)
    if after is not None:
        query = query.where(entries.c.sequence > after)
    return list(connection.execute(query))


def _cited_names(connection: Connection, first: int, last: int) -> dict[int, frozenset[str]]:
    query = select(cited).where(cited.c.sequence.between(first, last)).order_by(cited.c.sequence)
    grouped = groupby(connection.execute(query), key=lambda row: int(row.sequence))
    return {sequence: frozenset(row.name for row in group) for sequence, group in grouped}


def _of(table: Table, connection: Connection, first: int, last: int) -> dict[int, Row[Any]]:
    query = select(table).where(table.c.sequence.between(first, last))
    return {row.sequence: row for row in connection.execute(query)}


_TABLES = tuple(AuditTable.metadata.tables)
_WORD = re.compile(r"\w+|[^\w\s]")


class SchemaPart(NamedTuple):
    kind: str
    name: str
    words: tuple[str, ...]
    """All else that makes it what it is."""


def structure_faults(connection: Connection, revision: str | None = REVISION) -> tuple[str, ...]:
    """What differs from a new store of this program, or of an earlier one's revision."""
    later, gone = _of_other_revisions(revision)
    if connection.dialect.name == "sqlite":
        with empty_engine().connect() as new:
            made = Counter(part for part in _on_sqlite(new) if not part.name.startswith(later))
        names = {part.name.lower() for part in made}
        there = [part for part in _on_sqlite(connection) if _concerns(part, names)]
    else:
        made = Counter(part for part in parts(PARTS) if not part.name.startswith(later))
        tables = {"tables": [name for name in (*_TABLES, REVISION_TABLE) if name not in later]}
        there = list(parts(connection.execute(text(DESCRIBED), tables)))
    found = Counter(part for part in there if not part.name.startswith(gone))
    return tuple(dict.fromkeys(_differences(made, found)))


def _of_other_revisions(revision: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """How names begin of what an earlier revision lacks, and of what it has that is gone since."""
    if revision not in WITHOUT_KIND:
        return (), ()
    later, gone = [KIND], [BEFORE_KIND]
    if revision in WITHOUT_ERASED:
        later = [*later, ERASED]
        gone = [*gone, *erasure_guards.GONE_SQLITE, *erasure_guards.GONE_POSTGRESQL]
    if revision in WITHOUT_TERMS:
        later, gone = [*later, *FOUND], [*gone, *BEFORE_FOUND]
    return (*later, *([TREE] if revision in WITHOUT_TREE else ())), tuple(gone)


def _on_sqlite(connection: Connection) -> Iterator[SchemaPart]:
    """All of the schema as it stands, and the columns once more, to be named."""
    schema = "SELECT type, coalesce(name, ''), coalesce(sql, '') || ' ' || tbl_name"
    yield from parts(connection.execute(text(f"{schema} FROM main.sqlite_master")))
    columns = (
        "SELECT 'column', :table || '.' || name, "
        "printf('%s %s %d %d', :table, type, \"notnull\", pk) "
        "FROM pragma_table_xinfo(:table, 'main')"
    )
    for table in _TABLES:
        yield from parts(connection.execute(text(columns), {"table": table}))


def _concerns(part: SchemaPart, names: set[str]) -> bool:
    """By its words: the file may hold another store's tables too, and views change nothing."""
    is_view = [word.upper() for word in part.words[:2]] == ["CREATE", "VIEW"]
    return not is_view and any(word.lower() in names for word in part.words)


def parts(rows: Iterable[Iterable[str]]) -> Iterator[SchemaPart]:
    """What is told of each; white space, and quotation marks around a name, make no difference."""
    for kind, name, told in rows:
        yield SchemaPart(kind, " ".join(name.split()), tuple(_WORD.findall(told.replace('"', " "))))


def _differences(made: Counter[SchemaPart], found: Counter[SchemaPart]) -> Iterator[str]:
    ours, theirs = ({(part.kind, part.name) for part in each} for each in (made, found))
    for kind, name, _ in (*(made - found), *(found - made)):
        of_both = "not as it was made" if (kind, name) in ours else "not ours"
        yield f"the {kind} {name} is {of_both if (kind, name) in theirs else 'missing'}"


_WAYS = ("seqscan", "bitmapscan", "indexscan", "indexonlyscan", "sort", "incremental_sort")


def index_faults(connection: Connection) -> tuple[str, ...]:
    """Which indexes do not agree with their tables, where these are as the migrations made them."""
    if connection.dialect.name != "sqlite":
        return tuple(_on_postgresql(connection))
    found = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    return () if found == "ok" else (f"the database's own check finds: {found}",)


def _on_postgresql(connection: Connection) -> Iterator[str]:
    inspector = inspect(connection)
    for name, table in AuditTable.metadata.tables.items():
        if not inspector.has_table(name):
            continue  # as in a store of an earlier program; else its absence is told elsewhere
        key = inspector.get_pk_constraint(name)
        indexes = {key["name"]: list(key["constrained_columns"])} | {
            each["name"]: [column for column in each["column_names"] if column]
            for each in inspector.get_indexes(name)
        }
        for index, columns in indexes.items():
            if columns and not _agrees(connection, table, columns):
                yield f"the index {index} does not agree with its table"


def _agrees(connection: Connection, table: Table, columns: Sequence[str]) -> bool:
    through, without = (
        _in_order(connection, table, columns, ways)
        for ways in (("indexscan", "indexonlyscan"), ("seqscan", "sort"))
    )
    return all(found == held for found, held in zip_longest(through, without))


def _in_order(
    connection: Connection, table: Table, columns: Sequence[str], ways: Sequence[str]
) -> CursorResult[tuple[object, ...]]:
    connection.execute(  # for the rest of the transaction
        select(*(func.set_config(f"enable_{way}", str(way in ways), True) for way in _WAYS))
    )
    chosen = [table.c[name] for name in columns]
    return connection.execute(
        select(*chosen).order_by(*chosen), execution_options={"yield_per": 1000}
    )
