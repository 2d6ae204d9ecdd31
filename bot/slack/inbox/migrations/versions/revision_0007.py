"""Files that were uploaded to Slack and are to be deleted there."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add their table."""
    op.create_table(
        "inbox_upload",
        sa.Column("file_id", sa.Text(), primary_key=True),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
    )
