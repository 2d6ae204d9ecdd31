"""The first stated form: sources by name, versions that are kept, sealed passages.

A library from before a library stated its revision, as 0.2.0 made it, is brought over. Identities
stay: documents and passages keep their ids, so that what was cited is still found. Sources get
names, after their folders. What was kept of earlier versions was their hash alone.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy import Connection, inspect, text

from retrieval.documents.database import KEY_CHECK, Seal
from retrieval.documents.packing import sealed_parts
from retrieval.errors import LibraryUnavailable

FORMAT = 1
"""What 0.2.0 states in its file."""
LEFT = 2
"""Stated from now on, so that 0.2.0 refuses the file."""
UNNAMED = "files"
"""The name of a source whose folder has none: the root of a system."""
Rows = Iterable[Mapping[str, Any]]


def bring_up(connection: Connection, seal: Seal) -> None:
    """Fill the new tables. Raise `LibraryUnavailable` for a form that is not known."""
    connection.execute(
        text("INSERT INTO library_state VALUES (1, 0, :check)"), {"check": seal.of(KEY_CHECK)}
    )
    if connection.dialect.name != "sqlite":
        return
    if inspect(connection).has_table("documents"):
        _demand_format(connection)
        _bring_over(connection, seal)
    connection.exec_driver_sql(f"PRAGMA user_version = {LEFT}")


def names_of(roots: Iterable[str]) -> dict[str, str]:
    """Return a name for each folder, no two alike: its own, with a number where it is taken."""
    names: dict[str, str] = {}
    for root in sorted(roots):
        own = PurePath(root).name or UNNAMED
        like = (own, *(f"{own}-{number}" for number in range(2, len(names) + 3)))
        names[root] = next(name for name in like if name not in names.values())
    return names


def _demand_format(connection: Connection) -> None:
    if connection.exec_driver_sql("PRAGMA user_version").scalar() != FORMAT:
        raise LibraryUnavailable(
            "The library was made by another version of Vouch. Move it away and ingest your "
            "documents again; the audit store is not touched by that."
        )


def _bring_over(connection: Connection, seal: Seal) -> None:
    held = _rows(connection, "SELECT * FROM documents")
    history = _rows(connection, "SELECT * FROM versions")
    kept_out = _rows(connection, "SELECT * FROM kept_out")
    whole = {row["root"] for row in _rows(connection, "SELECT root FROM whole_roots")}
    whole |= {row["root"] for row in held if "/" in row["file"]}
    names = names_of({row["root"] for row in (*held, *history, *kept_out)} | whole)
    current = {row["document_id"]: row for row in held}
    _insert(
        connection,
        "library_source",
        [{"name": names[root], "root": _words(root), "whole": root in whole} for root in names],
    )
    _insert(connection, "library_document", [_document(row, names) for row in held])
    _insert(connection, "library_version", [_version(row, current, names) for row in history])
    passages = _rows(connection, "SELECT * FROM passages")
    _insert(connection, "library_passage", [_passage(row, current, seal) for row in passages])
    _insert(
        connection,
        "library_kept_out",
        [
            {
                "source": names[row["root"]],
                "file": _words(row["file"]),
                "reason": _words(row["reason"]),
            }
            for row in kept_out
        ],
    )
    connection.exec_driver_sql("DROP VIEW IF EXISTS served")
    for table in ("passages", "documents", "versions", "whole_roots", "kept_out"):
        connection.exec_driver_sql(f"DROP TABLE {table}")


def _document(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, object]:
    return {
        "document_id": row["document_id"],
        "source": names[row["root"]],
        "file": _words(row["file"]),
        "version": row["version"],
        "suspended": bool(row.get("suspended", False)),
        "valid_to": json.loads(row["metadata"])["access"]["valid_to"],
        "fingerprint": row["fingerprint"],
    }


def _version(
    row: Mapping[str, Any], current: Mapping[str, Mapping[str, Any]], names: Mapping[str, str]
) -> dict[str, object]:
    """Of an earlier version neither title nor metadata was kept."""
    document = current.get(row["document_id"])
    stands = document is not None and document["version"] == row["version"]
    said = document if document and stands else {"title": "", "metadata": ""}
    return {
        "document_id": row["document_id"],
        "version": row["version"],
        "source": names[row["root"]],
        "file": _words(row["file"]),
        "title": _words(said["title"]),
        "metadata": said["metadata"],
        "sha256": row["sha256"],
        "parser": "",
        "ingested_at": row["ingested_at"],
        "removed_at": row["removed_at"],
    }


def _passage(
    row: Mapping[str, Any], current: Mapping[str, Mapping[str, Any]], seal: Seal
) -> dict[str, object]:
    sealed = {**current[row["document_id"]], **row}
    return {
        "document_id": row["document_id"],
        "version": sealed["version"],
        "ordinal": row["ordinal"],
        "passage_id": row["passage_id"],
        "section_path": row["section_path"],
        "source": _words(row["source"]),
        "sentences": row["sentences"],
        "seal": seal.of(*sealed_parts(sealed)),
    }


def _rows(connection: Connection, query: str) -> list[Mapping[str, Any]]:
    return [dict(row) for row in connection.execute(text(query)).mappings()]


def _insert(connection: Connection, table: str, rows: list[dict[str, object]]) -> None:
    if rows:
        columns = ", ".join(rows[0])
        values = ", ".join(f":{column}" for column in rows[0])
        statement = f"INSERT INTO {table} ({columns}) VALUES ({values})"  # noqa: S608 - ours
        connection.execute(text(statement), rows)


def _words(value: str) -> str:
    """As the tables keep the words of documents."""
    return json.dumps(value, ensure_ascii=False)


revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables, and bring over what a library of 0.2.0 holds; there is no way down."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    number = sa.Integer() if on_sqlite else sa.BigInteger()
    # Sorted by code point on both, ids and times compare alike.
    key = sa.Text() if on_sqlite else sa.Text(collation="C")

    def column(
        name: str,
        kind: sa.types.TypeEngine[Any] = key,
        *,
        primary_key: bool = False,
        nullable: bool = False,
    ) -> sa.Column[Any]:
        return sa.Column(name, kind, primary_key=primary_key, nullable=nullable)

    op.create_table(
        "library_state",
        column("number", number, primary_key=True),
        column("changes", number),
        column("key_check"),
    )
    op.create_table(
        "library_source",
        column("name", primary_key=True),
        column("root"),
        column("whole", sa.Boolean()),
    )
    op.create_table(
        "library_document",
        column("document_id", primary_key=True),
        column("source"),
        column("file"),
        column("version", sa.Integer()),
        column("suspended", sa.Boolean()),
        column("valid_to", nullable=True),
        column("fingerprint"),
        sa.UniqueConstraint("source", "file"),
    )
    op.create_index("ix_library_document_valid_to", "library_document", ["valid_to"])
    op.create_table(
        "library_version",
        column("document_id", primary_key=True),
        column("version", sa.Integer(), primary_key=True),
        column("source"),
        column("file"),
        column("title"),
        column("metadata"),
        column("sha256"),
        column("parser"),
        column("ingested_at"),
        column("removed_at", nullable=True),
        column("erased_at", nullable=True),
        column("parsed", sa.LargeBinary(), nullable=True),
    )
    op.create_index("ix_library_version_sha256", "library_version", ["sha256"])
    op.create_table(
        "library_passage",
        column("document_id", primary_key=True),
        column("version", sa.Integer(), primary_key=True),
        column("ordinal", sa.Integer(), primary_key=True),
        column("passage_id"),
        column("section_path"),
        column("source"),
        column("sentences"),
        column("seal"),
    )
    op.create_index("ix_library_passage_passage_id", "library_passage", ["passage_id"])
    op.create_table(
        "library_content",
        column("sha256", primary_key=True),
        column("content", sa.LargeBinary()),
    )
    op.create_table(
        "library_shown",
        column("sha256", primary_key=True),
        column("document_id"),
        column("text"),
    )
    op.create_index("ix_library_shown_document_id", "library_shown", ["document_id"])
    op.create_table(
        "library_purged",
        column("sha256", primary_key=True),
        column("purged_at"),
    )
    op.create_table(
        "library_kept_out",
        column("number", number, primary_key=True),
        column("source"),
        column("file"),
        column("reason"),
    )
    seal: Seal = context.config.attributes["seal"]
    bring_up(op.get_bind(), seal)
