"""The first form has a table of entries, one of cited documents, and their guards."""

import sqlalchemy as sa
from alembic import op

from audit.storing import guards

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables, their indexes and the guards; there is no way down."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    number = sa.Integer() if on_sqlite else sa.BigInteger()
    # Sorted by code point on both, times and beginnings of ids compare as ranges.
    text = sa.Text() if on_sqlite else sa.Text(collation="C")
    op.create_table(
        "audit_entry",
        sa.Column("sequence", number, primary_key=True, autoincrement=False),
        sa.Column("kind", text, nullable=False),
        sa.Column("entry_id", text, nullable=False, unique=True),
        sa.Column("audit_id", text, nullable=False),
        sa.Column("time", text, nullable=False),
        sa.Column("person_id", text, nullable=False),
        sa.Column("person_name", text, nullable=False),
        sa.Column("channel_id", text, nullable=False),
        sa.Column("decision", text),
        sa.Column("question", sa.Text()),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("previous_hash", text, nullable=False),
        sa.Column("hash", text, nullable=False),
    )
    for column in ("audit_id", "time", "person_id", "channel_id", "decision"):
        op.create_index(f"audit_entry_{column}", "audit_entry", [column, "sequence"])
    op.create_table(
        "audit_cited",
        sa.Column("name", text, primary_key=True),
        sa.Column("sequence", number, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.create_index("audit_cited_sequence", "audit_cited", ["sequence"])
    for statement in guards.SQLITE if on_sqlite else guards.POSTGRESQL:
        op.execute(statement)
