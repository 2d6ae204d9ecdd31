"""The tree's nodes in the database, one row an entry: appended with it, and read by proofs.

Row n has the hashes of all perfect subtrees that end with leaf n: its own, and those that it
completes. So node `(level, place)` is the one at `level` in row `(place + 1) << level`, and nothing
is ever written twice.
"""

import json
import secrets
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select

from audit.errors import AuditDamaged
from audit.proof.leaves import NO_ENTRY, SALT_BYTES, leaf, values
from audit.proof.merkle import Edge, Node, Span, folded, leaf_hash
from audit.storing.store import REVISIONS
from audit.storing.tables import WITHOUT_TREE, entries, tree

# Built once: building a statement takes longer than running it.
_ROWS = select(tree.c.sequence, tree.c.nodes).where(
    tree.c.sequence.in_(bindparam("numbers", expanding=True))
)
_ROW = select(tree).where(tree.c.sequence == bindparam("number"))
_SIZE = select(func.max(tree.c.sequence))
_ADD = insert(tree)
_AT_ONCE = 1000


def add_leaf(connection: Connection, sequence: int, committed: Mapping[str, object]) -> bool:
    """Add the leaf of the newest entry; False where the database did not keep it as it is.

    Raise `AuditDamaged` where the nodes of earlier ones are missing.
    """
    row = row_of(edge_at(connection, sequence - 1), committed)
    connection.execute(_ADD, row)
    kept = connection.execute(_ROW, {"number": sequence}).mappings().one_or_none()
    return kept is not None and dict(kept) == row


def fill(connection: Connection, until: int) -> None:
    """Add the leaves that are missing after the last one, up to that of an entry.

    An earlier program, which makes none, may still be running. Whether what is stored is what was
    appended, verification tells. Raise `AuditDamaged` likewise.
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
    """The salt of an entry; raise `AuditDamaged` likewise."""
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
