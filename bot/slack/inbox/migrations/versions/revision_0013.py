"""With what Slack searches for who asked."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add its column; what was asked before came without."""
    column = sa.Column("action_token", sa.Text(), nullable=False, server_default="")
    op.add_column("inbox_exchange", column)
