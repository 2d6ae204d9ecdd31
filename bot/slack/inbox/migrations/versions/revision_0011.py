"""What is read of files that came with questions."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add their table; of files from before no more than names was kept, and is not now."""
    op.create_table(
        "inbox_attachment",
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("file_id", sa.Text(), primary_key=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("passages", sa.Text(), nullable=False),
        sa.Column("added_at", sa.BigInteger(), nullable=False),
    )
    op.execute("UPDATE inbox_exchange SET attached = ''")
