"""A Merkle tree over the entries, as RFC 9162 (section 2.1) defines it with SHA-256, and its rows.

Only perfect subtrees are kept: node `(level, place)` covers 2**level leaves from `place << level`
on. Whatever else a root or a proof needs is folded of at most `log2(size)` of them. Row n of the
table has the hashes of all that end with leaf n: so a node is the one at `level` in row
`(place + 1) << level`, and nothing is ever written twice.
"""

import hashlib
import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select

from audit.errors import AuditDamaged
from audit.proof.hashes import NO_ENTRY, SALT_BYTES, leaf, values
from audit.storing.store import REVISIONS, demand_kept
from audit.storing.tables import WITHOUT_TREE, entries, tree

ALGORITHM = "RFC9162_SHA256"
EMPTY_ROOT = hashlib.sha256(b"").digest()


class Node(NamedTuple):
    level: int
    place: int
    """Among those of its level, from 0."""


class Span(NamedTuple):
    """The leaves from `start` up to, and without, `end`, that are one subtree of RFC 9162."""

    start: int
    end: int

    def nodes(self) -> Iterator[Node]:
        """The perfect subtrees that it is folded of, from left to right."""
        start = self.start
        while start < self.end:
            level = (self.end - start).bit_length() - 1
            yield Node(level, start >> level)
            start += 1 << level


def leaf_hash(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def folded(hashes: Sequence[bytes]) -> bytes:
    """The root over perfect subtrees, from left to right, each larger than the next one."""
    if not hashes:
        return EMPTY_ROOT
    root = hashes[-1]
    for left in reversed(hashes[:-1]):
        root = node_hash(left, root)
    return root


class Edge:
    """The perfect subtrees at the right edge of a growing tree."""

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        """`peaks`: the hashes of `Span(0, size).nodes()`."""
        self.size = size
        self._peaks = list(peaks)

    def add(self, leaf: bytes) -> list[bytes]:
        """Return the hash of the leaf and of each subtree that it completes, smallest first."""
        self.size += 1
        hashes = [leaf]
        for _ in range((self.size & -self.size).bit_length() - 1):
            hashes.append(node_hash(self._peaks.pop(), hashes[-1]))
        self._peaks.append(hashes[-1])
        return hashes

    def root(self) -> bytes:
        return folded(self._peaks)


def inclusion(index: int, size: int) -> list[Span]:
    """What an inclusion proof (2.1.3.1) of the leaf `index` in a tree of `size` consists of."""
    return _path(index, Span(0, size))


def consistency(first: int, second: int) -> list[Span]:
    """What a consistency proof (2.1.4.1) of two sizes consists of; `0 < first <= second`."""
    return _subproof(first, Span(0, second), is_whole=True)


def _path(index: int, span: Span) -> list[Span]:
    if span.end - span.start == 1:
        return []
    left, right = _halves(span)
    if index < left.end:
        return [*_path(index, left), right]
    return [*_path(index, right), left]


def _subproof(size: int, span: Span, *, is_whole: bool) -> list[Span]:
    """`is_whole`: whoever checks knows the hash of the span as the first root."""
    if size == span.end:
        return [] if is_whole else [span]
    left, right = _halves(span)
    if size <= left.end:
        return [*_subproof(size, left, is_whole=is_whole), right]
    return [*_subproof(size, right, is_whole=False), left]


def _halves(span: Span) -> tuple[Span, Span]:
    """At the largest power of two that is smaller than the number of leaves."""
    middle = span.start + (1 << (span.end - span.start - 1).bit_length() - 1)
    return Span(span.start, middle), Span(middle, span.end)


# Built once: building a statement takes longer than running it.
_ROWS = select(tree.c.sequence, tree.c.nodes).where(
    tree.c.sequence.in_(bindparam("numbers", expanding=True))
)
_ROW = select(tree).where(tree.c.sequence == bindparam("number"))
_SIZE = select(func.max(tree.c.sequence))
_ADD = insert(tree)
_AT_ONCE = 1000


def add_leaf(connection: Connection, sequence: int, committed: Mapping[str, object]) -> None:
    """The newest entry's; raise `AuditDamaged` where nodes of earlier ones are missing."""
    row = row_of(edge_at(connection, sequence - 1), committed)
    connection.execute(_ADD, row)
    kept = connection.execute(_ROW, {"number": sequence}).mappings().one_or_none()
    demand_kept(connection, kept is not None and dict(kept) == row)


def fill(connection: Connection, until: int) -> None:
    """Add the leaves that are missing after the last one, up to that of an entry.

    An earlier program, which makes none, may still be running. Raise `AuditDamaged` likewise.
    """
    last = connection.scalar(_SIZE) or 0
    if last >= until:
        return
    edge = edge_at(connection, last)
    query = select(entries.c.sequence, entries.c.payload, entries.c.hash)
    query = query.where(entries.c.sequence <= until).order_by(entries.c.sequence).limit(_AT_ONCE)
    while rows := connection.execute(query.where(entries.c.sequence > last)).all():
        last = rows[-1].sequence
        connection.execute(_ADD, [each for row in rows for each in _rows(edge, row)])


def _rows(edge: Edge, entry: Any) -> Iterator[dict[str, Any]]:
    """One, and before it an empty one for each entry that is missing."""
    while edge.size < entry.sequence - 1:
        yield row_of(edge, {})
    try:
        yield row_of(edge, values(json.loads(entry.payload), entry.hash))
    except NO_ENTRY:
        yield row_of(edge, values({}, entry.hash))


def row_of(edge: Edge, committed: Mapping[str, object]) -> dict[str, Any]:
    """The row of the next entry, under a salt of its own; the edge grows by it."""
    salt = secrets.token_bytes(SALT_BYTES)
    nodes = edge.add(leaf_hash(leaf(committed, salt)))
    return {"sequence": edge.size, "salt": encoded([salt]), "nodes": encoded(nodes)}


def encoded(hashes: Iterable[bytes]) -> str:
    return " ".join(b64encode(each).decode() for each in hashes)


def size(connection: Connection) -> int:
    """How many leaves there are; 0 in a store that an earlier program made."""
    if REVISIONS.stated(connection) in WITHOUT_TREE:
        return 0
    return connection.scalar(_SIZE) or 0


def edge_at(connection: Connection, size: int) -> Edge:
    """The edge of the tree when it had that many leaves; raise `AuditDamaged` likewise."""
    nodes = list(Span(0, size).nodes())
    known = _nodes(connection, nodes)
    return Edge(size, [known[node] for node in nodes])


def proof(connection: Connection, spans: Sequence[Span]) -> list[bytes]:
    """The hash of each; raise `AuditDamaged` likewise."""
    known = _nodes(connection, [node for span in spans for node in span.nodes()])
    return [folded([known[node] for node in span.nodes()]) for span in spans]


def salt_of(connection: Connection, sequence: int) -> bytes:
    row = connection.execute(_ROW, {"number": sequence}).one_or_none()
    try:
        return b64decode(row.salt if row else "?", validate=True)
    except ValueError as error:
        raise _damaged(sequence) from error


def salts(connection: Connection, first: int, last: int) -> dict[int, str]:
    """The salts of entries, in base64; none in a store that an earlier program made."""
    if REVISIONS.stated(connection) in WITHOUT_TREE:
        return {}
    query = select(tree.c.sequence, tree.c.salt).where(tree.c.sequence.between(first, last))
    return {row.sequence: row.salt for row in connection.execute(query)}


def _nodes(connection: Connection, nodes: Collection[Node]) -> dict[Node, bytes]:
    numbers = {node: (node.place + 1) << node.level for node in nodes}
    rows = connection.execute(_ROWS, {"numbers": sorted(set(numbers.values()))}) if nodes else ()
    held = {row.sequence: row.nodes.split(" ") for row in rows}
    found = {}
    for node, number in numbers.items():
        try:
            found[node] = b64decode(held[number][node.level], validate=True)
        except (LookupError, ValueError) as error:
            raise _damaged(number) from error
    return found


def _damaged(sequence: int) -> AuditDamaged:
    return AuditDamaged(
        f"The audit store's tree has no usable leaf of entry {sequence}. `vouch audit verify` "
        "tells what became of it; restore the store from a backup."
    )
