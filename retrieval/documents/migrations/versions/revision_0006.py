"""Who may read a source, as somebody says it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make room for it; of sources that are known already nobody has said it."""
    key = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.Text(collation="C")
    op.add_column("library_source", sa.Column("readers", key, nullable=True))
    op.add_column("library_source", sa.Column("readers_seal", key, nullable=True))
