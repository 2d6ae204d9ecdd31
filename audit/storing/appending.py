"""An entry is appended: its row, what it cites, and its leaf in the tree, in one transaction."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select

from audit.errors import EntryConflict, UnknownRecord
from audit.finding.term_index import catch_up
from audit.proof.hashes import GENESIS, entry_hash
from audit.proof.hashes import values as committed
from audit.proof.tree import add_leaf, fill
from audit.record import OF_THE_LOG, AuditEvent, AuditRecord, Entry
from audit.storing.store import demand_kept
from audit.storing.tables import cited, cited_names, columns, entries

# Built once: building a statement takes longer than running it.
BY_ID = select(entries).where(entries.c.entry_id == bindparam("entry_id"))
_NEWEST = select(entries.c.sequence, entries.c.hash).order_by(entries.c.sequence.desc()).limit(1)
_CITED_BY = select(cited.c.name).where(cited.c.sequence == bindparam("number"))
_ADD_ENTRY = insert(entries)
_ADD_CITED = insert(cited)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    sequence: int
    payload: str
    """Canonical JSON; what the hash seals."""
    previous_hash: str
    hash: str

    @property
    def is_erased(self) -> bool:
        return "erased" in json.loads(self.payload)

    @property
    def entry(self) -> Entry:
        """The record or event; fields of a newer program are left out."""
        values = json.loads(self.payload)
        kind = AuditRecord if values["kind"] == "answer" else AuditEvent
        return kind.model_validate({"nonce": "", **values}, extra="ignore")

    @property
    def record(self) -> AuditRecord:
        """The same of an answer; raise `UnknownRecord` where it is none."""
        entry = self.entry
        if not isinstance(entry, AuditRecord):
            raise UnknownRecord(f"{entry.event_id} is no record of an answer.")
        return entry


def append(connection: Connection, values: dict[str, Any], payload: str) -> StoredEntry:
    if values["kind"] not in ("answer", *OF_THE_LOG):
        answer = connection.execute(BY_ID, {"entry_id": values["audit_id"]}).one_or_none()
        if answer is None or answer.kind != "answer":
            raise UnknownRecord(
                f"No record has the id {values['audit_id']!r}. Append the record first."
            )
    sequence, previous_hash = head_of(connection)
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
    demand_kept(connection, _is_stored(connection, row, names))
    fill(connection, sequence)
    leaf = committed(values, stored.hash)
    add_leaf(connection, stored.sequence, leaf)
    catch_up(connection)
    return stored


def _is_stored(connection: Connection, row: Mapping[str, Any], names: frozenset[str]) -> bool:
    kept = connection.execute(BY_ID, {"entry_id": row["entry_id"]}).mappings().one_or_none()
    cited_now = connection.scalars(_CITED_BY, {"number": row["sequence"]})
    return kept is not None and dict(kept) == row and frozenset(cited_now) == names


def stored_already(
    connection: Connection, entry_id: str | None, payload: str
) -> StoredEntry | None:
    row = connection.execute(BY_ID, {"entry_id": entry_id}).one_or_none()
    if row is not None and row.payload != payload:
        raise EntryConflict(
            f"The id {entry_id} is taken by another entry. Give each record and event its own."
        )
    return None if row is None else stored_entry(row)


def head_of(connection: Connection) -> tuple[int, str]:
    row = connection.execute(_NEWEST).one_or_none()
    return (0, GENESIS) if row is None else (row.sequence, row.hash)


def stored_entry(row: Row[Any]) -> StoredEntry:
    return StoredEntry(
        sequence=row.sequence, payload=row.payload, previous_hash=row.previous_hash, hash=row.hash
    )
