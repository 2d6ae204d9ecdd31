"""The content of entries is erased: what somebody said and was goes, hashes and leaves stay.

All of it happens in one transaction, with an event at the end of the log that names the entries: so
nothing is half erased. What stays is said in `audit.remains`; the rows by which records are found
lose what the entries said. Afterwards `scrub` takes what is gone out of the files.

A key for each person was not chosen: the words by which records are found stand in the database as
they are, so destroying a key would leave them, and losing one would lose the log.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import JsonValue
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from audit.appending import append
from audit.chain import canonical, compact, entry_hash
from audit.database import file_of, is_file, server_engine
from audit.erasure_guards import EMPTIED
from audit.errors import AuditDamaged, AuditUnavailable
from audit.found import BLOCK, found_rows_of, terms_row
from audit.leaves import NO_ENTRY, leaf, values
from audit.merkle import leaf_hash
from audit.record import EventKind, of_the_log
from audit.remains import digest, emptied, note, ranges
from audit.store import STORE, WAIT_S
from audit.tables import cited, columns, entries, erased, found, terms, tree
from audit.tree import encoded, salt_of
from audit.values import stamp


@dataclass(frozen=True, slots=True)
class Erasure:
    """Who erases, when and why; it stands in the log and in each record."""

    by: str
    because: str
    at: datetime
    """Aware."""
    kind: EventKind = EventKind.ERASED


def erase(connection: Connection, numbers: Sequence[int], erasure: Erasure) -> int:
    """Erase entries and append the event that says so; return its number, 0 for no entries.

    Raise `AuditDamaged` where one of them is not what was recorded.
    """
    if not numbers:
        return 0
    said = note(stamp(erasure.at), erasure.by, erasure.because)
    made = [_emptied(connection, number, said) for number in numbers]
    details: dict[str, JsonValue] = {
        "entries": [list[JsonValue](each) for each in ranges(numbers)],
        "remains": digest((each.sequence, each.payload, each.kept) for each in made),
    }
    event = of_the_log(erasure.kind, erasure.at, erasure.by, erasure.because, details)
    payload = canonical(event)
    number = append(connection, json.loads(payload), payload).sequence
    connection.execute(insert(erased), [{"sequence": each, "event": number} for each in numbers])
    before = {block: _of_block(connection, block) for block in _closed(connection, numbers)}
    for each in made:
        _replace(connection, each)
    for block, rows in before.items():
        _mend(connection, rows, _of_block(connection, block))
    return number


@dataclass(frozen=True, slots=True)
class _Emptied:
    sequence: int
    payload: str
    kept: str
    """In place of the leaf's salt."""


def _emptied(connection: Connection, number: int, said: Mapping[str, Any]) -> _Emptied:
    row = connection.execute(select(entries).where(entries.c.sequence == number)).one()
    salt = salt_of(connection, number)
    node = connection.scalar(select(tree.c.nodes).where(tree.c.sequence == number)) or ""
    try:
        payload = json.loads(row.payload)
        is_whole = row.hash == entry_hash(number, row.previous_hash, row.payload)
        is_leaf = node.split(" ")[0] == encoded([leaf_hash(leaf(values(payload, row.hash), salt))])
        if is_whole and is_leaf:
            blank, kept = emptied(payload, row.hash, salt, said)
            return _Emptied(number, compact(blank), kept)
    except NO_ENTRY:
        pass
    raise AuditDamaged(
        f"Entry {number} of the audit log is not what was recorded, so nothing was erased. "
        "`vouch audit verify` tells what became of it."
    )


def _replace(connection: Connection, made: _Emptied) -> None:
    number, payload = made.sequence, json.loads(made.payload)
    derived = columns(payload) | {"payload": made.payload}
    changed = {name: derived[name] for name in EMPTIED[entries.name]}
    mine = entries.c.sequence == number
    connection.execute(update(entries).where(mine).values(**changed))
    connection.execute(update(tree).where(tree.c.sequence == number).values(salt=made.kept))
    connection.execute(delete(cited).where(cited.c.sequence == number))
    row = terms_row(connection, number, payload)
    connection.execute(update(terms).where(terms.c.sequence == number).values(**row))
    kept = connection.execute(
        select(entries.c.payload, tree.c.salt, terms.c.terms)
        .join(tree, tree.c.sequence == entries.c.sequence)
        .join(terms, terms.c.sequence == entries.c.sequence)
        .where(mine)
    ).one_or_none()
    if kept is None or tuple(kept) != (made.payload, made.kept, row["terms"]):
        raise AuditUnavailable(
            f"{STORE.describe(connection.engine.url)} did not erase what it was to, so nothing "
            "was erased. `vouch audit verify` names a trigger or rule that is not ours."
        )


def _closed(connection: Connection, numbers: Sequence[int]) -> list[int]:
    """The closed blocks that they stand in."""
    last = connection.scalar(select(terms.c.sequence).order_by(terms.c.sequence.desc()).limit(1))
    return sorted({(each - 1) // BLOCK for each in numbers} & set(range((last or 0) // BLOCK)))


_Found = dict[tuple[str, int, int], bytes]


def _of_block(connection: Connection, block: int) -> _Found:
    rows = found_rows_of(connection, block)
    return {(row["term"], row["block"], row["closed"]): row["numbers"] for row in rows}


def _mend(connection: Connection, before: _Found, after: _Found) -> None:
    """What an entry said leaves what it was found by; nothing is added."""
    this = [found.c[name] == bindparam(f"of_{name}") for name in ("term", "block", "closed")]
    gone = [_named(each) for each in before if each not in after]
    less = [
        {**_named(each), "of_numbers": numbers}
        for each, numbers in after.items()
        if before.get(each) != numbers
    ]
    if gone:
        connection.execute(delete(found).where(*this), gone)
    if less:
        connection.execute(update(found).where(*this).values(numbers=bindparam("of_numbers")), less)


def _named(each: tuple[str, int, int]) -> dict[str, Any]:
    return dict(zip(("of_term", "of_block", "of_closed"), each, strict=True))


def scrub(url: str) -> None:
    """Take what was erased out of a database's files; raise `AuditUnavailable`.

    A SQLite file is written anew, with room for a second one, and its log emptied; on PostgreSQL
    what is gone is given free, and the server writes over it as it goes on.
    """
    parsed = STORE.parse(url)
    with STORE.explained(parsed):
        if is_file(parsed):
            if file_of(parsed).exists():
                scrub_file(str(file_of(parsed)))
            return
        engine = server_engine(parsed, isolation_level="AUTOCOMMIT")
        try:
            with engine.connect() as connection:
                for name in (entries, cited, tree, terms, found):
                    connection.exec_driver_sql(f"VACUUM {name.name}")
        finally:
            engine.dispose()


def scrub_file(path: str) -> None:
    """Do so with any SQLite file; raise `sqlite3.Error` where another program is in its way."""
    with closing(sqlite3.connect(path, timeout=WAIT_S, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("VACUUM")
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise sqlite3.OperationalError("another program keeps its log open; try again")
