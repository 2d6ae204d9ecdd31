"""As of which day a question is to be answered, where somebody chose one."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add it; questions from before are answered as of the day of their answer."""
    op.add_column("inbox_exchange", sa.Column("as_of", sa.Date(), nullable=True))
