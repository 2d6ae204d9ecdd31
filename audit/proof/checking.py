"""One stored entry after the other is held to the ones before, and to what was signed."""

import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any

from sqlalchemy import Connection, Row, func, select

from audit.erasure.remains import EVENTS, digest, ranges, stored_leaf
from audit.finding.term_index import BLOCK, IndexedEntry, block_rows, terms_row
from audit.proof.checkpoints import Checkpoint
from audit.proof.hashes import GENESIS, NO_ENTRY, entry_hash, leaf, values
from audit.proof.tree import Edge, encoded, leaf_hash
from audit.storing.tables import cited_names, columns, entries, erased, term_blocks, terms, tree

NO_RECORD = "payload is not a record or event of this program"


@dataclass(frozen=True, slots=True)
class FirstBad:
    sequence: int | None
    """None where no single entry is to blame."""
    audit_id: str | None
    """As the row states it, which may itself be forged."""
    what: str


@dataclass(frozen=True, slots=True)
class Stored:
    """All rows of one entry."""

    row: Row[Any]
    names: frozenset[str]
    """Of the documents that it cites, as `audit_cited` has them."""
    leaf: Row[Any] | None
    """Its row in `audit_tree`."""
    terms: Row[Any] | None = None
    """Its row in `audit_terms`; an earlier program makes none."""
    is_erased: bool = False
    """Its content is gone, as a later event is to say."""


class Check:
    """A check knows the last entry that holds, and the tree up to there."""

    def __init__(self, expected_head: str | None, checkpoints: Sequence[Checkpoint] = ()) -> None:
        """`checkpoints`: of the log's own key."""
        self.sequence = 0
        self.head = GENESIS
        self.edge = Edge()
        self.has_tree = True
        self.term_index: TermIndexCheck | None = None
        self.erased: ErasedCheck | None = None
        self.records = 0
        self.unread = 0
        self.is_through = False
        self.expected_head = expected_head
        self.expected_seen = expected_head in (None, GENESIS)
        self.proven: Checkpoint | None = None
        self._signed: dict[int, list[Checkpoint]] = {}
        for each in sorted(checkpoints, key=lambda each: each.signed_at):
            self._signed.setdefault(each.size, []).append(each)

    def after(self, last: Stored, before: Edge, verified: Checkpoint) -> "Check | None":
        """One that goes on after `verified`; `last`: its last entry, `before`: the edge before."""
        later = (of for size, of in self._signed.items() if size > verified.size)
        begun = Check(self.expected_head, [*chain.from_iterable(later)])
        begun.erased = self.erased
        begun.sequence, begun.head, begun.edge = before.size, last.row.previous_hash, before
        if begun.step(last) is not None or begun.edge.root() != verified.root:
            return None
        begun.records, begun.unread, begun.proven = 0, verified.size, verified
        return begun

    def step(self, stored: Stored) -> str | None:
        """What is wrong with the next entry; goes on to it where nothing is."""
        row = stored.row
        if row.sequence != self.sequence + 1:
            return f"entry {self.sequence + 1} is missing: the next one is {row.sequence}"
        if row.previous_hash != self.head:
            return "previous_hash is not the hash of the entry before"
        is_whole = row.hash == entry_hash(row.sequence, row.previous_hash, row.payload)
        if not is_whole and not stored.is_erased:
            return "hash does not match payload: one of the two was altered"
        if (derived := _derived(row)) is None:
            return NO_RECORD
        if ("erased" in derived.payload) != stored.is_erased:
            return "what it says of its own erasure is not what audit_erased says"
        if (what := _disagreement(stored, derived)) is not None:
            return what
        if self.has_tree and (what := self._grow(stored, derived)) is not None:
            return what
        if self.erased and (what := self.erased.step(row, derived.payload)) is not None:
            return what
        found = self.term_index
        if found and (what := found.step(row, stored.terms, derived.payload)) is not None:
            return what
        self.sequence = row.sequence
        self.head = row.hash
        self.records += row.kind == "answer"
        self.expected_seen = self.expected_seen or row.hash == self.expected_head
        return None

    def _grow(self, stored: Stored, derived: "_Derived") -> str | None:
        if stored.leaf is None:
            return "audit_tree has no leaf of it"
        try:
            made = _leaf(stored, stored.leaf.salt, derived)
            if isinstance(made, str):
                return made
            nodes = encoded(self.edge.add(leaf_hash(made)))
        except NO_ENTRY:
            return NO_RECORD
        return None if nodes == stored.leaf.nodes else "its nodes in audit_tree are not its own"

    def signed_here(self) -> FirstBad | None:
        """What is wrong with the entries so far, as they were signed."""
        for each in self._signed.pop(self.sequence, ()):
            if each.size and not self.has_tree:
                what = f"the store has no tree, of which {each.size} entries were signed on"
                return FirstBad(None, None, f"{what} {each.at}")
            if self.edge.root() != each.root:
                first = self.proven.size + 1 if self.proven else 1
                what = f"entries {first} to {each.size} are not those that were signed on {each.at}"
                return FirstBad(first, None, what)
            if self.proven is None or self.proven.size < each.size:
                self.proven = each
        return None

    def unmet(self) -> FirstBad | None:
        """What was signed and is not there; to be asked at the end."""
        if not self._signed:
            return None
        newest = self._signed[max(self._signed)][-1]
        what = (
            f"{newest.size} entries were signed on {newest.at}, and the store has {self.sequence}: "
            "entries were cut off at its end, or it is an older backup"
        )
        return FirstBad(None, None, what)

    @property
    def root(self) -> str:
        return b64encode(self.edge.root()).decode() if self.has_tree else ""


@dataclass(frozen=True, slots=True)
class _Derived:
    payload: Mapping[str, Any]
    columns: dict[str, str | None]
    names: frozenset[str]
    committed: dict[str, object]


def _leaf(stored: Stored, kept: str, derived: _Derived) -> bytes | str:
    if stored.is_erased:
        return stored_leaf(derived.payload, stored.row.hash, kept)
    try:
        salt = b64decode(kept, validate=True)
    except ValueError:
        salt = b""
    return leaf(derived.committed, salt)


def _derived(row: Row[Any]) -> _Derived | None:
    try:
        payload = json.loads(row.payload)
        return _Derived(payload, columns(payload), cited_names(payload), values(payload, row.hash))
    except NO_ENTRY:
        return None


def _disagreement(stored: Stored, derived: _Derived) -> str | None:
    for name, value in derived.columns.items():
        if getattr(stored.row, name) != value:
            return f"column {name} does not agree with the payload"
    if stored.names != derived.names:
        return "the rows of audit_cited do not agree with the payload"
    return None


_MODULUS = 1 << 256
_AT_ONCE = 10_000


class TermIndexCheck:
    """Holds what records are found by to what the entries say, one after the other.

    Of the rows of blocks a sum of keyed hashes is compared, so no order and no memory is needed.
    """

    def __init__(self, connection: Connection, *, whole: bool) -> None:
        """`whole`: entries come from the first on."""
        self._connection = connection
        self._whole = whole
        self._key = secrets.token_bytes(32)
        self._sum = 0
        self._block: list[IndexedEntry] = []
        self._last = connection.scalar(select(func.max(terms.c.sequence))) or 0

    def step(
        self, entry: Row[Any], stored: Row[Any] | None, payload: Mapping[str, Any]
    ) -> str | None:
        """What is wrong with the terms of the next entry; those of the last ones may be missing."""
        number = entry.sequence
        if number > self._last:
            return None
        if stored is None:
            return "audit_terms has no row of it"
        derived = terms_row(self._connection, number, payload)
        if dict(stored._mapping) != derived:  # noqa: SLF001 - SQLAlchemy's own
            return "its row of audit_terms does not agree with the payload"
        if self._whole:
            self._block.append(
                IndexedEntry(derived["record"], json.loads(derived["terms"]), entry.words)
            )
            if number % BLOCK == 0:
                self._close(number // BLOCK - 1)
        return None

    def wrong_at_the_end(self, last: int) -> str | None:
        """What is wrong with the rest; `last`: the number of entries."""
        if self._last > last:
            return "audit_terms has terms of entries that are not there"
        if not self._whole:
            return None
        query = select(term_blocks).execution_options(yield_per=_AT_ONCE)
        stored = sum(self._hash(*row) for row in self._connection.execute(query)) % _MODULUS
        return None if stored == self._sum else "audit_found does not agree with the entries"

    def _close(self, block: int) -> None:
        for row in block_rows(block, self._block):
            self._sum = (self._sum + self._hash(*row.values())) % _MODULUS
        self._block.clear()

    def _hash(self, term: str, block: int, closed: int, numbers: bytes) -> int:
        head = json.dumps([term, block, closed]).encode()
        held = numbers if isinstance(numbers, bytes) else repr(numbers).encode()
        hashed = blake2b(head + held, digest_size=32, key=self._key)
        return int.from_bytes(hashed.digest())


_OF = (
    select(entries.c.sequence, entries.c.payload, tree.c.salt)
    .join(erased, erased.c.sequence == entries.c.sequence)
    .join(tree, tree.c.sequence == entries.c.sequence)
    .order_by(entries.c.sequence)
)


class ErasedCheck:
    """Erased is what an event of the log names, and nothing else."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def step(self, row: Row[Any], payload: Mapping[str, Any]) -> str | None:
        if row.kind not in EVENTS:
            return None
        if "erased" in payload:
            return "it says what was erased, and was erased itself"
        rows = self._connection.execute(_OF.where(erased.c.event == row.sequence)).all()
        details = payload["details"]
        if details.get("entries") != ranges([each.sequence for each in rows]):
            return "the entries that it says were erased are not those that are"
        if details.get("remains") != digest(tuple(each) for each in rows):
            return "what stays of the entries that it erased was altered since"
        return None

    def unsaid(self) -> int | None:
        """An entry that is erased and that no event before the log's end names."""
        event = select(entries.c.sequence).where(
            entries.c.sequence == erased.c.event,
            entries.c.kind.in_(EVENTS),
            entries.c.sequence > erased.c.sequence,
        )
        lost: int | None = self._connection.scalar(
            select(func.min(erased.c.sequence)).where(~event.exists())
        )
        return lost
