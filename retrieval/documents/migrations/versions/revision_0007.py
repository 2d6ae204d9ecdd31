"""Where a source lives, if elsewhere."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """No source that is known lives elsewhere."""
    key = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.Text(collation="C")
    op.add_column("library_source", sa.Column("url", key, nullable=True))
