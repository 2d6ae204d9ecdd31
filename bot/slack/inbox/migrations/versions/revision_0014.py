"""In which order people have their turn."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add its column, and its index in place of an older one; what waits goes on as it came."""
    zero = sa.text("0")
    op.add_column(
        "inbox_exchange", sa.Column("due", sa.BigInteger(), nullable=False, server_default=zero)
    )
    op.execute("UPDATE inbox_exchange SET due = received_at")
    op.drop_index("inbox_exchange_stage", "inbox_exchange")
    op.create_index("inbox_exchange_due", "inbox_exchange", ["stage", "due"])
