"""Which records have which terms: kept in blocks, and read as sets of numbers.

Any number of filters together cost what each costs alone, whether or not a record meets them all:
each is read as a set, and the sets are intersected. A set is one integer: bit n stands for the
record with sequence n + 1.

Entries come in blocks of `BLOCK`. When the last one of a block is appended, what its entries say is
written down by term (`audit_found`). Of the entries after the last closed block their own rows
are read (`audit_terms`), and of those that have none, as an earlier program leaves them, the
payload. So nothing depends on how far the rows are filled in; that is made up for a step at a time.

`numbers` has the places of records within their block, ascending, two bytes each (little-endian);
or, where that is no longer, a bit for each place (the lowest bit of the first byte for place 0).
"""

import json
import struct
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, case, func, insert, select

from audit.errors import AuditDamaged
from audit.finding.terms import WORD, of_words, terms_of
from audit.proof.hashes import NO_ENTRY
from audit.storing.store import REVISIONS, demand_kept
from audit.storing.tables import EARLIER, entries, key, term_blocks, terms

BLOCK = 1024
_WIDTH = BLOCK // 8
_NONE = bytes(_WIDTH)
AFTER_ANY = "\U0010ffff"
"""Sorts after every character that a term has."""
_AT_ONCE = 128
_LAST = select(func.max(terms.c.sequence))
_RECORD = select(entries.c.sequence).where(
    entries.c.entry_id == bindparam("audit_id"), entries.c.kind == "answer"
)
_UNTERMED = (
    select(entries.c.sequence, entries.c.payload)
    .where(entries.c.sequence > bindparam("after"))
    .order_by(entries.c.sequence)
    .limit(_AT_ONCE)
)
_ENTRIES_OF = (
    select(terms.c.record, terms.c.terms, entries.c.words)
    .join(entries, entries.c.sequence == terms.c.sequence)
    .where(terms.c.sequence.between(bindparam("first"), bindparam("last")))
)
_BARE = select(entries.c.sequence, entries.c.words, entries.c.payload)
_TERMED = select(
    entries.c.sequence,
    entries.c.words,
    terms.c.record,
    terms.c.terms,
    case((terms.c.sequence.is_(None), entries.c.payload)).label("payload"),
).outerjoin(terms, terms.c.sequence == entries.c.sequence)


@dataclass(frozen=True, slots=True)
class Terms:
    """One term is asked for, or any of a range."""

    first: str
    before: str = ""
    """The first one that is not of the range; empty for the one term alone."""

    @classmethod
    def beginning(cls, start: str) -> "Terms":
        return cls(start, start + AFTER_ANY)

    def among(self, terms: Sequence[str]) -> Sequence[str]:
        """Those of these, which are sorted, that it asks for."""
        at = bisect_left(terms, self.first)
        return terms[at : bisect_left(terms, self.before or f"{self.first}\0", at)]


def catch_up(connection: Connection) -> bool:
    """Write down what the next entries say that have no terms; False where none is left."""
    last = connection.scalar(_LAST) or 0
    rows = connection.execute(_UNTERMED, {"after": last}).all()
    rows = rows[: BLOCK - last % BLOCK]
    if not rows:
        return False
    connection.execute(insert(terms), [_terms_row(connection, row) for row in rows])
    last = rows[-1].sequence
    demand_kept(connection, connection.scalar(_LAST) == last)
    if last % BLOCK == 0:
        _close(connection, last // BLOCK - 1)
    return True


def terms_row(connection: Connection, sequence: int, payload: Mapping[str, Any]) -> dict[str, Any]:
    """The row of an entry; raise one of `hashes.NO_ENTRY` for what is none."""
    said = terms_of(payload)
    record = None
    if said and payload["kind"] != "answer":
        record = connection.scalar(_RECORD, {"audit_id": key(payload["audit_id"])})
    number = sequence if record is None else record
    return {"sequence": sequence, "record": number, "terms": json.dumps(said)}


def _terms_row(connection: Connection, entry: Any) -> dict[str, Any]:
    """Of one that cannot be read, without terms."""
    try:
        return terms_row(connection, entry.sequence, json.loads(entry.payload))
    except NO_ENTRY:
        return {"sequence": entry.sequence, "record": entry.sequence, "terms": "[]"}


class IndexedEntry(NamedTuple):
    record: int
    terms: Sequence[str]
    words: str


def _close(connection: Connection, block: int) -> None:
    of_block = {"first": block * BLOCK + 1, "last": (block + 1) * BLOCK}
    said = connection.execute(_ENTRIES_OF, of_block)
    rows = block_rows(
        block, [IndexedEntry(row.record, json.loads(row.terms), row.words) for row in said]
    )
    if rows:
        connection.execute(insert(term_blocks), rows)
        last = rows[-1]
        kept = select(term_blocks.c.numbers).where(
            *(term_blocks.c[name] == last[name] for name in ("term", "block", "closed"))
        )
        demand_kept(connection, connection.scalar(kept) == last["numbers"])


def block_rows(closed: int, said: Iterable[IndexedEntry]) -> list[dict[str, Any]]:
    places: dict[tuple[str, int], set[int]] = defaultdict(set)
    for each in said:
        block, place = divmod(each.record - 1, BLOCK)
        for term in (*each.terms, *of_words(each.words)):
            places[term, block].add(place)
    return [
        {"term": term, "block": block, "closed": closed, "numbers": _packed(places[term, block])}
        for term, block in sorted(places)
    ]


def _packed(places: set[int]) -> bytes:
    if 2 * len(places) < _WIDTH:
        return struct.pack(f"<{len(places)}H", *sorted(places))
    return sum(1 << place for place in places).to_bytes(_WIDTH, "little")


def without(numbers: bytes, places: Collection[int]) -> bytes:
    """The numbers of a row less some places; empty where none is left."""
    bits = _united([(0, numbers)], 0, 0) & ~sum(1 << place for place in places)
    left = {number - 1 for number in newest_first(bits)}
    return _packed(left) if left else b""


@dataclass(frozen=True)
class TermIndex:
    """What is found in one state of the store; what follows the closed blocks is read once."""

    connection: Connection
    blocks: int
    has_terms: bool

    def having(self, wanted: Terms, within: int | None = None) -> int:
        """The set of records that meet a filter; `within`: of this set alone."""
        sets = self.each(wanted, within, lambda _: "")
        return sets.get("", 0)

    def each(
        self, wanted: Terms, within: int | None, named: Callable[[str], str] = str
    ) -> dict[str, int]:
        """The set of each term, of those `named` alike together; empty ones may be left out."""
        if within == 0:
            return {}
        first, last = 0, self.blocks - 1
        if within is not None:
            first, last = ((n.bit_length() - 1) // BLOCK for n in (within & -within, within))
        later = self._later(wanted, named)
        closed: dict[str, list[Any]] = defaultdict(list)
        for term, *row in self._closed(wanted, first, last):
            closed[named(term)].append(row)
        sets = {
            name: _united(closed[name], first, last) | as_bits(later[name])
            for name in {*closed, *later}
        }
        return sets if within is None else {name: bits & within for name, bits in sets.items()}

    def terms(self, wanted: Terms) -> set[str]:
        """The different terms of a range, but not words; each is sought after the one before."""
        said = {term for each in self._tail for term in wanted.among(each.terms)}
        if not self.blocks:
            return said
        least = select(func.min(term_blocks.c.term)).where(term_blocks.c.term < wanted.before)
        last = self.connection.scalar(least.where(term_blocks.c.term >= wanted.first))
        while last is not None:
            said.add(last)
            last = self.connection.scalar(least.where(term_blocks.c.term > last))
        return said

    def _closed(self, wanted: Terms, first: int, last: int) -> Iterable[Any]:
        if not self.blocks:
            return ()
        term, block = term_blocks.c.term, term_blocks.c.block
        is_one = term == wanted.first
        is_wanted = (term >= wanted.first) & (term < wanted.before) if wanted.before else is_one
        query = select(term, block, term_blocks.c.numbers)
        return self.connection.execute(query.where(is_wanted, block.between(first, last))).all()

    def _later(self, wanted: Terms, named: Callable[[str], str]) -> dict[str, set[int]]:
        later: dict[str, set[int]] = defaultdict(set)
        if wanted.first.startswith(WORD):
            word = wanted.first.removeprefix(WORD)
            having = [each.record for each in self._tail if word in each.words.split(" ")]
            later[named(wanted.first)].update(having)
            return later
        for each in self._tail:
            for term in wanted.among(each.terms):
                later[named(term)].add(each.record)
        return later

    @cached_property
    def _tail(self) -> list[IndexedEntry]:
        after, tail = self.blocks * BLOCK, list[IndexedEntry]()
        query = self._entries.where(entries.c.sequence > bindparam("after"))
        query = query.order_by(entries.c.sequence).limit(BLOCK)
        while rows := self.connection.execute(query, {"after": after}).all():
            after = rows[-1].sequence
            tail += map(self._entry, rows)
        return tail

    def said_by(self, records: Collection[int]) -> Iterator[Sequence[str]]:
        """The terms of each of some entries, but not its words."""
        rows = self.connection.execute(self._entries.where(entries.c.sequence.in_(records)))
        return (self._entry(row).terms for row in rows)

    @property
    def _entries(self) -> Select[Any]:
        return _TERMED if self.has_terms else _BARE

    def _entry(self, row: Any) -> IndexedEntry:
        made = row._mapping  # noqa: SLF001 - SQLAlchemy's own
        if row.payload is not None:
            made = _terms_row(self.connection, row)
        return IndexedEntry(made["record"], json.loads(made["terms"]), row.words)


def _united(rows: Iterable[Any], first: int, last: int) -> int:
    bits = bytearray((last - first + 1) * _WIDTH)
    try:
        for block, numbers in rows:
            at = (block - first) * _WIDTH
            if len(numbers) == _WIDTH:
                if (before := bits[at : at + _WIDTH]) != _NONE:
                    both = int.from_bytes(before, "little") | int.from_bytes(numbers, "little")
                    numbers = both.to_bytes(_WIDTH, "little")
                bits[at : at + _WIDTH] = numbers
            else:
                for place in struct.unpack(f"<{len(numbers) // 2}H", numbers):
                    bits[at + (place >> 3)] |= 1 << (place & 7)
    except (TypeError, IndexError, ValueError, struct.error) as error:
        raise AuditDamaged("what records are found by is no such list") from error
    return int.from_bytes(bits, "little") << first * BLOCK


def as_bits(records: Collection[int]) -> int:
    first = min(records, default=1)
    bits = bytearray((max(records, default=1) - first) // 8 + 1)
    for record in records:
        bits[record - first >> 3] |= 1 << (record - first & 7)
    return int.from_bytes(bits, "little") << first - 1


def open_term_index(connection: Connection) -> TermIndex:
    """`connection` is in a transaction that sees one state throughout."""
    has_terms = REVISIONS.stated(connection) not in EARLIER
    last = (connection.scalar(_LAST) or 0) if has_terms else 0
    return TermIndex(connection, last // BLOCK, has_terms)


def newest_first(bits: int) -> Iterator[int]:
    """The numbers of the records of a set."""
    held = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    for at in range(len(held) - 1, -1, -1):
        if byte := held[at]:
            for place in range(7, -1, -1):
                if byte >> place & 1:
                    yield at * 8 + place + 1
