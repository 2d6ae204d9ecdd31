"""Questions that were deleted or refused, follow-ups that came early, messages to remove."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add a column and three tables."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("inbox_exchange", sa.Column("withdrawn_at", sa.BigInteger()))
    op.create_table(
        "inbox_shut",
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("since", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "inbox_overheard",
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("heard_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("inbox_overheard_conversation", "inbox_overheard", ["conversation", "user_id"])
    op.create_table(
        "inbox_leftover",
        sa.Column("leftover_id", number, primary_key=True),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("ts", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("oldest", sa.Text(), nullable=False),
        sa.Column("exchange_id", number),
        sa.Column("look_until", sa.BigInteger(), nullable=False),
        sa.Column("noted_at", sa.BigInteger(), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.UniqueConstraint("channel", "thread", "ts", "mark"),
    )
