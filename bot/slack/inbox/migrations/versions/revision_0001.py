"""The form of version 0.2.0: one table of questions, one of who asked how much."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables and their indexes; there is no way down."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "inbox_exchange",
        sa.Column("exchange_id", number, primary_key=True),
        sa.Column("audit_id", sa.Text(), nullable=False, unique=True),
        sa.Column("key", sa.Text(), nullable=False, unique=True),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("asked_channel", sa.Text(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("ts", sa.Text(), nullable=False),
        sa.Column("quoted", sa.Boolean(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("paced_until", sa.BigInteger(), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("placing_since", sa.BigInteger()),
        sa.Column("placeholder", sa.Text(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("posted_at", sa.BigInteger()),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("passable", sa.Boolean(), nullable=False),
        sa.Column("claimed_by", sa.Text(), nullable=False),
        sa.Column("claimed_until", sa.BigInteger(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("inbox_exchange_stage", "inbox_exchange", ["stage", "not_before"])
    op.create_index("inbox_exchange_conversation", "inbox_exchange", ["conversation", "stage"])
    op.create_index("inbox_exchange_user", "inbox_exchange", ["user_id", "stage"])
    op.create_table(
        "inbox_pace",
        sa.Column("user_id", sa.Text(), primary_key=True),
        sa.Column("next_expected", sa.BigInteger(), nullable=False),
    )
