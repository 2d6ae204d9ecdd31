"""Which questions of readers lead to which passages."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make room for them."""
    key = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.Text(collation="C")
    op.create_table(
        "library_learned",
        sa.Column("audit_id", key, primary_key=True),
        sa.Column("passage_id", key, primary_key=True),
        sa.Column("document_id", key, nullable=False),
        sa.Column("content_hash", key, nullable=False),
        sa.Column("key", key, nullable=False),
        sa.Column("leaving", sa.Boolean(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_library_learned_document_id", "library_learned", ["document_id"])
