"""Whether another company reads the channel too, and whether a question refers to others."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add both; nobody knows any more whether the channel of an old question is shared.

    So all are held to be, and what waits in a channel is answered from what guests may read.
    """
    for name, default in (("shared", sa.true()), ("stands_alone", sa.false())):
        op.add_column(
            "inbox_exchange",
            sa.Column(name, sa.Boolean(), nullable=False, server_default=default),
        )
    op.execute("UPDATE inbox_exchange SET shared = NOT private")
