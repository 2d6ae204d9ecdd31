"""What records are found by, by term, in place of the text indexes.

The rows are filled in afterwards, a block at a time: see `audit.found`.
"""

import sqlalchemy as sa
from alembic import op

from audit.storing import guards

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables and the guards."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    number = sa.Integer() if on_sqlite else sa.BigInteger()
    sorted_text = sa.Text() if on_sqlite else sa.Text(collation="C")
    op.create_table(
        "audit_terms",
        sa.Column("sequence", number, primary_key=True, autoincrement=False),
        sa.Column("record", number, nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
    )
    op.create_table(
        "audit_found",
        sa.Column("term", sorted_text, primary_key=True),
        sa.Column("block", number, primary_key=True, autoincrement=False),
        sa.Column("closed", number, primary_key=True, autoincrement=False),
        sa.Column("numbers", sa.LargeBinary(), nullable=False),
        sqlite_with_rowid=False,
    )
    for statement in guards.FOUND_SQLITE if on_sqlite else guards.FOUND_POSTGRESQL:
        op.execute(statement)
