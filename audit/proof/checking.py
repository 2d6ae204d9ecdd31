"""One stored entry after the other is held to the ones before, and to what was signed."""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from audit.erasure.checking import ErasedCheck
from audit.erasure.remains import stored_leaf
from audit.finding.term_index_check import TermIndexCheck
from audit.proof.chain import GENESIS, entry_hash
from audit.proof.checkpoints import Checkpoint
from audit.proof.leaves import NO_ENTRY, leaf, values
from audit.proof.merkle import Edge, leaf_hash
from audit.proof.tree import encoded
from audit.storing.tables import cited_names, columns

NO_RECORD = "payload is not a record or event of this program"


@dataclass(frozen=True, slots=True)
class FirstBad:
    """The first entry that does not hold is named, with what is wrong with it."""

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
        """A check that goes on after `verified`, whose last entry is `last`; None where it is not.

        `before`: the tree's edge without that entry.
        """
        later = [
            each for size in self._signed if size > verified.size for each in self._signed[size]
        ]
        begun = Check(self.expected_head, later)
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
        if (
            self.term_index
            and (what := self.term_index.step(row, stored.terms, derived.payload)) is not None
        ):
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
                what = (
                    f"the store has no tree, of which {each.size} entries were signed on {each.at}"
                )
                return FirstBad(None, None, what)
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
        """In base64, of the entries so far; empty where there is no tree."""
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
