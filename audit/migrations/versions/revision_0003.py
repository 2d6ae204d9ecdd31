"""A Merkle tree over all entries, those of before too, beside the chain, which stays as it was."""

import sqlalchemy as sa
from alembic import op

from audit.proof.tree import fill
from audit.storing import guards
from audit.storing.tables import entries

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table, a leaf for every entry, and the guards."""
    connection = op.get_bind()
    on_sqlite = connection.dialect.name == "sqlite"
    number = sa.Integer() if on_sqlite else sa.BigInteger()
    op.create_table(
        "audit_tree",
        sa.Column("sequence", number, primary_key=True, autoincrement=False),
        sa.Column("salt", sa.Text(), nullable=False),
        sa.Column("nodes", sa.Text(), nullable=False),
    )
    fill(connection, connection.scalar(sa.select(sa.func.max(entries.c.sequence))) or 0)
    for statement in guards.TREE_SQLITE if on_sqlite else guards.TREE_POSTGRESQL:
        op.execute(statement)
