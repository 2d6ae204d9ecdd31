"""When all of a source was last read."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add it; of sources from before nobody knows until they are read again."""
    key = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.Text(collation="C")
    op.add_column("library_source", sa.Column("read_at", key, nullable=True))
