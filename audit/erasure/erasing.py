"""The content of entries is erased: what somebody said and was goes, hashes and leaves stay.

All of it happens in one transaction, with an event at the end of the log that names the entries: so
nothing is half erased. What stays is said in `remains`; the rows by which records are found
lose what the entries said. Afterwards `scrub` takes what is gone out of the files.

A key for each person was not chosen: the words by which records are found stand in the database as
they are, so destroying a key would leave them, and losing one would lose the log.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import JsonValue
from sqlalchemy import Connection, Engine, bindparam, delete, func, insert, select, update

from audit.database import Door
from audit.engines import closing_engine, file_of, is_file, scrub_file, server_engine
from audit.erasure.concerned import (
    Concerned,
    concerning,
    demand_free,
    erasures,
    free,
    ids_of,
    known,
    older_than,
)
from audit.erasure.guards import EMPTIED
from audit.erasure.remains import digest, emptied, note, ranges
from audit.errors import AuditDamaged
from audit.finding.term_index import BLOCK, terms_row, without
from audit.finding.terms import of_words
from audit.log import open_writer
from audit.proof.hashes import NO_ENTRY, canonical, compact, entry_hash, leaf, values
from audit.proof.tree import encoded, leaf_hash, salt_of
from audit.record import AuditEvent, EventKind, of_the_log
from audit.storing.appending import append
from audit.storing.store import STORE, demand_kept, reading_engine, writing_engine
from audit.storing.tables import cited, columns, entries, erased, term_blocks, terms, tree
from audit.values import stamp

_AT_ONCE = 500
_SAID = select(
    terms.c.sequence, terms.c.record, terms.c.terms, entries.c.words, entries.c.audit_id
).join(entries, entries.c.sequence == terms.c.sequence)
_ENTRY = _SAID.where(terms.c.sequence == bindparam("number"))
_OF_RECORD = _SAID.where(
    entries.c.audit_id == bindparam("of"),
    entries.c.sequence.between(bindparam("first"), bindparam("last")),
)
_THIS_BLOCK = (
    term_blocks.c.block == bindparam("of_block"),
    term_blocks.c.closed == bindparam("of_closed"),
)
_THIS = term_blocks.c.term == bindparam("of_term"), *_THIS_BLOCK
_GONE = delete(term_blocks).where(*_THIS)
_LESS = update(term_blocks).where(*_THIS).values(numbers=bindparam("of_numbers"))
_FOUND = select(term_blocks.c.term, term_blocks.c.numbers).where(
    term_blocks.c.term.in_(bindparam("terms", expanding=True)), *_THIS_BLOCK
)


@dataclass(frozen=True, slots=True)
class Erasure:
    by: str
    because: str
    at: datetime
    kind: EventKind = EventKind.ERASED


Noted = Callable[[Sequence[str]], None]
"""Is told the ids of entries before they are erased; what it raises stops it."""


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

    def erase(self, person: str, erasure: Erasure, noted: Noted | None = None) -> Concerned:
        """All of a person in one step; raise `UnderHold`, `AuditDamaged`."""
        seen = self.concerning(person)
        with STORE.transaction(self._engine) as connection:
            found = concerning(connection, person, seen)
            demand_free(connection, person, found.numbers)
            _erase(connection, found.numbers, erasure, noted)
            return found

    def erase_again(
        self, entry_ids: Collection[str], erasure: Erasure, *, held_too: bool = True
    ) -> int:
        """Erase what was erased once and came back with an older backup; how many entries."""
        with STORE.transaction(self._engine) as connection:
            numbers = known(connection, entry_ids).numbers
            if not held_too:
                numbers, _ = free(connection, numbers)
            _erase(connection, numbers, erasure)
            return len(numbers)

    def erasures(self) -> list[tuple[AuditEvent, list[str]]]:
        with STORE.transaction(self._reading) as connection:
            return erasures(connection)

    def expire(self, before: datetime, erasure: Erasure, noted: Noted | None = None) -> int:
        """What was asked before then and is under no hold, step by step; how many entries."""
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


def open_eraser(url: str) -> AuditEraser:
    """Open the store to erase, brought up as for appending."""
    open_writer(url).close()
    parsed = STORE.parse(url)
    return AuditEraser(writing_engine(parsed), reading_engine(parsed))


def _erase(
    connection: Connection, numbers: Sequence[int], erasure: Erasure, noted: Noted | None = None
) -> None:
    """With the event that says so; raise `AuditDamaged` where one is not what was recorded."""
    if not numbers:
        return
    if noted is not None:
        noted(ids_of(connection, numbers))
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
    last = connection.scalar(select(func.max(terms.c.sequence))) or 0
    closed = [each for each in numbers if each <= last - last % BLOCK]
    before = [connection.execute(_ENTRY, {"number": each}).one() for each in closed]
    for each in made:
        _replace(connection, each)
    _mend(connection, before)


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
    expected = (made.payload, made.kept, row["terms"])
    demand_kept(connection, kept is not None and tuple(kept) == expected)


def _mend(connection: Connection, said: Sequence[Any]) -> None:
    """`said`, as it was, is not found any more, where no other entry of the block says it."""
    places: dict[tuple[int, int], dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for row in said:
        closed, (block, place) = (row.sequence - 1) // BLOCK, divmod(row.record - 1, BLOCK)
        of_record = {"first": closed * BLOCK + 1, "last": (closed + 1) * BLOCK, "of": row.audit_id}
        still = set[str]().union(*map(_terms, connection.execute(_OF_RECORD, of_record)))
        for term in _terms(row) - still:
            places[block, closed][term].add(place)
    for (block, closed), by_term in places.items():
        of_block = {"of_block": block, "of_closed": closed}
        wanted = sorted(by_term)
        rows = [
            {**of_block, "of_term": row.term, "of_numbers": without(row.numbers, by_term[row.term])}
            for start in range(0, len(wanted), _AT_ONCE)
            for row in connection.execute(
                _FOUND, {**of_block, "terms": wanted[start : start + _AT_ONCE]}
            )
        ]
        if gone := [each for each in rows if not each["of_numbers"]]:
            connection.execute(_GONE, gone)
        if less := [each for each in rows if each["of_numbers"]]:
            connection.execute(_LESS, less)


def _terms(row: Any) -> set[str]:
    return {*json.loads(row.terms), *of_words(row.words)}


_ERASED_FROM = ", ".join(each.name for each in (entries, cited, tree, terms, term_blocks))


def scrub(url: str) -> None:
    """Take what was erased out of a database's files; raise `AuditUnavailable`.

    A SQLite file is written anew; on PostgreSQL the server writes over it as it goes on.
    """
    parsed = STORE.parse(url)
    with STORE.explained(parsed):
        if is_file(parsed):
            if file_of(parsed).exists():
                scrub_file(file_of(parsed))
            return
        server = server_engine(parsed, isolation_level="AUTOCOMMIT")
        with closing_engine(server) as engine, engine.connect() as connection:
            connection.exec_driver_sql(f"VACUUM {_ERASED_FROM}")


def takes_out(url: str) -> str:
    """The statement by which it leaves a server's files at once, while nobody reads or appends."""
    return "" if is_file(STORE.parse(url)) else f"VACUUM FULL {_ERASED_FROM}"
