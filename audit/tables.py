"""The audit database has these rows; its registry is its own.

Other sqlmodel tables of the product live in other databases: with the shared registry,
their migrations would see these tables, and these would see theirs.
"""

from typing import ClassVar

from sqlalchemy import BigInteger, Integer, Table, Text
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

REVISION = "0002"
"""The migration that these rows belong to; a test holds it to Alembic's head.

Another one is due whenever entries or what derives from them have a new form, even where the tables
stay as they are: earlier programs would take such entries for altered.
"""
EARLIER = ("0001",)
"""Those whose rows read the same, so that an old store is read before it is brought up, too."""

REVISION_TABLE = "audit_revision"

Sequence = BigInteger().with_variant(Integer, "sqlite")
"""SQLite makes only an INTEGER primary key the row's own number."""


class AuditTable(SQLModel, registry=registry()):
    """All audit tables derive from it."""


class EntryRow(AuditTable, table=True):
    """An entry is one link of the chain; all but the last three columns derive from `payload`."""

    __tablename__: ClassVar[str] = "audit_entry"

    sequence: int = Field(primary_key=True, sa_type=Sequence)
    """1, 2, 3, ... without a gap."""
    kind: str = Field(sa_type=Text)
    entry_id: str = Field(sa_type=Text, unique=True)
    audit_id: str = Field(sa_type=Text, index=True)
    time: str = Field(sa_type=Text)
    person_id: str = Field(sa_type=Text)
    person_name: str = Field(sa_type=Text)
    channel_id: str = Field(sa_type=Text)
    decision: str | None = Field(sa_type=Text)
    question: str | None = Field(sa_type=Text)
    words: str = Field(sa_type=Text)
    payload: str = Field(sa_type=Text)
    previous_hash: str = Field(sa_type=Text)
    hash: str = Field(sa_type=Text)


class CitedRow(AuditTable, table=True):
    """An entry cites a document: its id and its file each have a row."""

    __tablename__: ClassVar[str] = "audit_cited"

    name: str = Field(primary_key=True, sa_type=Text)
    sequence: int = Field(primary_key=True, sa_type=Sequence, index=True)


entries: Table = AuditTable.metadata.tables["audit_entry"]
cited: Table = AuditTable.metadata.tables["audit_cited"]
