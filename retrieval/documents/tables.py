"""The tables of the library's database.

Times and days are ISO 8601, in UTC, so that they sort alike on every engine.
"""

import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator

REVISION = "0008"
"""The migration that these tables belong to; a test holds it to Alembic's head."""
REVISION_TABLE = "library_revision"
TABLES = MetaData()
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


def _key(name: str, kind: Any = Text) -> Column[Any]:
    return Column(name, kind, primary_key=True)


def _held(name: str, kind: Any = Text, *, index: bool = False) -> Column[Any]:
    """A column that has a value in every row."""
    return Column(name, kind, nullable=False, index=index)


state = Table(
    "library_state",
    TABLES,
    _key("number", Number),
    _held("changes", Number),
    _held("key_check"),
    _held("library_id"),
)
"""What holds for the library as a whole, in one row. `changes` counts what changed of that which is
served; `key_check` tells whether a key is the one that everything is sealed with; `library_id` is
made at random, and no two libraries share one."""
changed = Table("library_changed", TABLES, _key("document_id"), _held("change", Number, index=True))
"""A document, and the last change of the library that concerned its passages."""
sources = Table(
    "library_source",
    TABLES,
    _key("name"),
    _held("root", Words),
    _held("whole", Boolean),
    Column("read_at", Text),
    Column("readers", Text),
    Column("readers_seal", Text),
    Column("url", Text),
)
"""As `KnownSource` has them. `read_at`: when an ingest last read all of it; `readers`: JSON of two
audiences, or null: the operator's, and that of its folder's `metadata.yaml`."""
documents = Table(
    "library_document",
    TABLES,
    _key("document_id"),
    _held("source"),
    _held("file", Words),
    _held("version", Integer),
    _held("suspended", Boolean),
    Column("valid_to", Text, index=True),
    _held("fingerprint"),
    UniqueConstraint("source", "file"),
)
"""A document that stands in the library today, and which version of it does."""
versions = Table(
    "library_version",
    TABLES,
    _key("document_id"),
    _key("version", Integer),
    _held("source"),
    _held("file", Words),
    _held("title", Words),
    _held("metadata"),
    _held("sha256", index=True),
    _held("parser"),
    _held("ingested_at"),
    Column("removed_at", Text),
    Column("erased_at", Text),
    Column("parsed", LargeBinary),
)
"""A version of a document; its row stays when its text is forgotten or erased. `metadata`: JSON;
empty where it was not kept, so that nobody reads it. `sha256`: of the file's bytes. `removed_at`:
when another version took its place, or the document left; `erased_at`: when somebody purged it.
`parsed`: its source text and its fragments, packed; null where they are not kept any more."""
passages = Table(
    "library_passage",
    TABLES,
    _key("document_id"),
    _key("version", Integer),
    _key("ordinal", Integer),
    _held("passage_id", index=True),
    _held("section_path"),
    _held("source", Words),
    _held("sentences"),
    _held("seal"),
)
contents = Table("library_content", TABLES, _key("sha256"), _held("content", LargeBinary))
"""The bytes of a file, once, whatever number of versions have them."""
shown = Table(
    "library_shown", TABLES, _key("sha256"), _held("document_id", index=True), _held("text", Words)
)
"""A passage as a writer was shown it; audit records name it by its hash."""
purged = Table("library_purged", TABLES, _key("sha256"), _held("purged_at"))
"""Bytes that were purged and must not come back."""
kept_out = Table(
    "library_kept_out",
    TABLES,
    _key("number", Number),
    _held("source"),
    _held("file", Words),
    _held("reason", Words),
    Column("fingerprint", Text),
)
"""Something that an ingest kept from everyone, and why; `fingerprint`: of a file read in vain."""
