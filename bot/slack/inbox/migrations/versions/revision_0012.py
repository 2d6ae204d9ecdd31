"""Where the bot is installed, and installations that somebody began."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add their tables."""
    op.create_table(
        "inbox_installation",
        sa.Column("workspace", sa.Text(), primary_key=True),
        sa.Column("enterprise", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("installed_at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "inbox_oauth_state",
        sa.Column("state", sa.Text(), primary_key=True),
        sa.Column("until", sa.BigInteger(), nullable=False),
    )
