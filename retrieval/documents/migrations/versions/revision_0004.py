"""What a language model wrote that leads to passages."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make room for it."""
    key = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.Text(collation="C")
    op.create_table(
        "library_lead",
        sa.Column("document_id", key, primary_key=True),
        sa.Column("content_hash", key, primary_key=True),
        sa.Column("made_by", key, primary_key=True),
        sa.Column("texts", key, nullable=True),
        sa.Column("owed", key, nullable=False),
    )
