"""Where a private question came from and is replied to, its files, what a folded reply says."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_COLUMNS = (
    ("inbox_exchange", "origin_channel"),
    ("inbox_exchange", "origin_thread"),
    ("inbox_exchange", "respond_at"),
    ("inbox_exchange", "attached"),
    ("inbox_stale_message", "says"),
)


def upgrade() -> None:
    """Add them; questions from before are answered in the direct message."""
    for table, name in _COLUMNS:
        op.add_column(table, sa.Column(name, sa.Text(), nullable=False, server_default=""))
