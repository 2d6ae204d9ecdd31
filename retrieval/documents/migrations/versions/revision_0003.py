"""A library has an id of its own, and tells which documents an index has yet to follow."""

from uuid import uuid4

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add both; of what changed before, an index is compared as a whole."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    number = sa.Integer() if on_sqlite else sa.BigInteger()
    key = sa.Text() if on_sqlite else sa.Text(collation="C")
    column = sa.Column("library_id", key, nullable=False, server_default="")
    op.add_column("library_state", column)
    op.get_bind().execute(
        sa.text("UPDATE library_state SET library_id = :made"), {"made": uuid4().hex}
    )
    op.create_table(
        "library_changed",
        sa.Column("document_id", key, primary_key=True),
        sa.Column("change", number, nullable=False),
    )
    op.create_index("ix_library_changed_change", "library_changed", ["change"])
