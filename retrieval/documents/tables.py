"""The rows of the library's database; they have a registry of their own.

Other sqlmodel tables of the product live in other databases: with the shared registry, their
migrations would see these tables, and these would see theirs. Times and days are ISO 8601, in
UTC, so that they sort alike on every engine.
"""

import json
from typing import ClassVar

from sqlalchemy import BigInteger, Dialect, Integer, LargeBinary, Table, Text, UniqueConstraint
from sqlalchemy.orm import registry
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

REVISION = "0008"
"""The migration that these rows belong to; a test holds it to Alembic's head."""
REVISION_TABLE = "library_revision"
Number = BigInteger().with_variant(Integer, "sqlite")
"""SQLite makes only an INTEGER primary key the row's own number."""


class Words(TypeDecorator[str]):
    """Words of a document are kept as a JSON string: PostgreSQL's text takes no NUL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _: Dialect) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def process_result_value(self, value: str | None, _: Dialect) -> str | None:
        return None if value is None else str(json.loads(value))


class LibraryTable(SQLModel, registry=registry()):
    """The base of the library's tables."""


class StateRow(LibraryTable, table=True):
    """What holds for the library as a whole; there is one such row."""

    __tablename__: ClassVar[str] = "library_state"

    number: int = Field(primary_key=True, sa_type=Number)
    changes: int = Field(sa_type=Number)
    """Counts what changed of that which is served."""
    key_check: str = Field(sa_type=Text)
    """Tells whether a key is the one that everything is sealed with."""
    library_id: str = Field(sa_type=Text)
    """Made at random; no two libraries share one."""


class ChangedRow(LibraryTable, table=True):
    """A document, and the last change of the library that concerned its passages."""

    __tablename__: ClassVar[str] = "library_changed"

    document_id: str = Field(primary_key=True, sa_type=Text)
    change: int = Field(sa_type=Number, index=True)


class SourceRow(LibraryTable, table=True):
    """A source goes by its name, wherever its folder stands."""

    __tablename__: ClassVar[str] = "library_source"

    name: str = Field(primary_key=True, sa_type=Text)
    root: str = Field(sa_type=Words)
    """The folder where it stood when it was last read."""
    whole: bool
    """Whether the folder was given as a whole, and not some of its documents."""
    read_at: str | None = Field(default=None, sa_type=Text)
    """When an ingest last read all of it."""
    readers: str | None = Field(default=None, sa_type=Text)
    """JSON of two audiences, or null: the operator's, and that of its folder's `metadata.yaml`."""
    readers_seal: str | None = Field(default=None, sa_type=Text)
    url: str | None = Field(default=None, sa_type=Text)
    """Where it lives, if elsewhere."""


class DocumentRow(LibraryTable, table=True):
    """A document that stands in the library today, and which version of it does."""

    __tablename__: ClassVar[str] = "library_document"
    __table_args__ = (UniqueConstraint("source", "file"),)

    document_id: str = Field(primary_key=True, sa_type=Text)
    source: str = Field(sa_type=Text)
    file: str = Field(sa_type=Words)
    version: int
    suspended: bool
    """Kept and not served, as nobody can see whether its file still stands."""
    valid_to: str | None = Field(sa_type=Text, index=True)
    fingerprint: str = Field(sa_type=Text)


class VersionRow(LibraryTable, table=True):
    """A version of a document; its row stays when its text is forgotten or erased."""

    __tablename__: ClassVar[str] = "library_version"

    document_id: str = Field(primary_key=True, sa_type=Text)
    version: int = Field(primary_key=True)
    source: str = Field(sa_type=Text)
    file: str = Field(sa_type=Words)
    title: str = Field(sa_type=Words)
    metadata_: str = Field(sa_column_kwargs={"name": "metadata"}, sa_type=Text)
    """JSON; empty where it was not kept, so that nobody reads it."""
    sha256: str = Field(sa_type=Text, index=True)
    """Of the file's bytes."""
    parser: str = Field(sa_type=Text)
    """Which parsers read it and how it was cut."""
    ingested_at: str = Field(sa_type=Text)
    removed_at: str | None = Field(sa_type=Text)
    """When another version took its place, or the document left."""
    erased_at: str | None = Field(sa_type=Text)
    """When somebody purged it."""
    parsed: bytes | None = Field(sa_type=LargeBinary)
    """Its source text and its fragments, packed; None where they are not kept any more."""


class PassageRow(LibraryTable, table=True):
    """A passage of a version."""

    __tablename__: ClassVar[str] = "library_passage"

    document_id: str = Field(primary_key=True, sa_type=Text)
    version: int = Field(primary_key=True)
    ordinal: int = Field(primary_key=True)
    passage_id: str = Field(sa_type=Text, index=True)
    section_path: str = Field(sa_type=Text)
    source: str = Field(sa_type=Words)
    sentences: str = Field(sa_type=Text)
    seal: str = Field(sa_type=Text)


class ContentRow(LibraryTable, table=True):
    """The bytes of a file, once, whatever number of versions have them."""

    __tablename__: ClassVar[str] = "library_content"

    sha256: str = Field(primary_key=True, sa_type=Text)
    content: bytes = Field(sa_type=LargeBinary)


class ShownRow(LibraryTable, table=True):
    """A passage as a writer was shown it; audit records name it by its hash."""

    __tablename__: ClassVar[str] = "library_shown"

    sha256: str = Field(primary_key=True, sa_type=Text)
    document_id: str = Field(sa_type=Text, index=True)
    text: str = Field(sa_type=Words)


class PurgedRow(LibraryTable, table=True):
    """Bytes that were purged and must not come back."""

    __tablename__: ClassVar[str] = "library_purged"

    sha256: str = Field(primary_key=True, sa_type=Text)
    purged_at: str = Field(sa_type=Text)


class KeptOutRow(LibraryTable, table=True):
    """Something that an ingest kept from everyone, and why."""

    __tablename__: ClassVar[str] = "library_kept_out"

    number: int | None = Field(default=None, primary_key=True, sa_type=Number)
    source: str = Field(sa_type=Text)
    file: str = Field(sa_type=Words)
    reason: str = Field(sa_type=Words)
    fingerprint: str | None = Field(default=None, sa_type=Text)
    """Of the file that was read in vain."""


def _table(name: str) -> Table:
    return LibraryTable.metadata.tables[f"library_{name}"]


state = _table("state")
changed = _table("changed")
sources = _table("source")
documents = _table("document")
versions = _table("version")
passages = _table("passage")
contents = _table("content")
shown = _table("shown")
purged = _table("purged")
kept_out = _table("kept_out")
