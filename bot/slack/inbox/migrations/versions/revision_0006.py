"""Runs of scheduled jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add their table."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "inbox_job_run",
        sa.Column("run_id", number, primary_key=True),
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("numbers", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by_hand", sa.Boolean(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
    )
    op.create_index("inbox_job_run_job", "inbox_job_run", ["job", "run_id"])
