"""Who may read a source, as somebody says it, and which files were read in vain."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make room for both: nobody has said it of a known source; what is kept out is tried again."""
    key = sa.Text() if op.get_bind().dialect.name == "sqlite" else sa.Text(collation="C")
    op.add_column("library_source", sa.Column("readers", key, nullable=True))
    op.add_column("library_source", sa.Column("readers_seal", key, nullable=True))
    op.add_column("library_kept_out", sa.Column("fingerprint", key, nullable=True))
