"""The content of entries can be erased, by an event that says so; no entry changes."""

import sqlalchemy as sa
from alembic import op

from audit.erasure import guards as erasure_guards

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table, and guards in the place of those that refuse every change."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    number = sa.Integer() if on_sqlite else sa.BigInteger()
    op.create_table(
        "audit_erased",
        sa.Column("sequence", number, primary_key=True, autoincrement=False),
        sa.Column("event", number, nullable=False),
    )
    op.create_index("audit_erased_event", "audit_erased", ["event", "sequence"])
    for statement in erasure_guards.SQLITE if on_sqlite else erasure_guards.POSTGRESQL:
        op.execute(sa.text(statement.replace(":", r"\:")))
