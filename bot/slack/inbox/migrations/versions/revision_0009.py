"""Questions that were passed to people who may know."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_WORDS = (
    *("asker", "note", "channel", "asked_channel", "asked_thread", "post", "answer", "question"),
    *("answered_by", "audience", "valid_to"),
)
_NUMBERS = ("stage", "attempts", "answers", "sends")


def upgrade() -> None:
    """Add their table."""
    number = sa.BigInteger()
    op.create_table(
        "inbox_referral",
        sa.Column("audit_id", sa.Text(), primary_key=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in _WORDS),
        sa.Column("named", sa.Boolean(), nullable=False),
        *(
            sa.Column(n, sa.Integer(), nullable=False)
            for n in ("stage", "attempts", "answers", "sends")
        ),
        sa.Column("created_at", number, nullable=False),
        *(sa.Column(name, number) for name in ("sending_since", "due", "answered_at")),
    )
    op.create_index("inbox_referral_due", "inbox_referral", ["stage", "due"])
