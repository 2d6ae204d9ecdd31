"""The first stated form: sources by name, versions that are kept, sealed passages."""

from typing import Any

import sqlalchemy as sa
from alembic import context, op

from retrieval.documents.migrations.unstated import bring_up
from retrieval.documents.seal import Seal

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
