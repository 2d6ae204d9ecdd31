"""How the bot answers in each channel, what nobody asked of it, and Slack's user groups."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add them; questions from before were asked of the bot, and are replied to in their thread."""
    op.add_column(
        "inbox_exchange",
        sa.Column("answers", sa.Text(), nullable=False, server_default="mentioned"),
    )
    op.add_column(
        "inbox_exchange",
        sa.Column("beside", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "inbox_channel_settings",
        sa.Column("channel", sa.Text(), primary_key=True),
        sa.Column("answers", sa.Text(), nullable=False),
        sa.Column("sources", sa.Text(), nullable=False),
        sa.Column("beside", sa.Boolean(), nullable=False),
        sa.Column("outsiders", sa.Boolean(), nullable=False),
        sa.Column("ask_person", sa.Text(), nullable=False),
        sa.Column("changed_by", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "inbox_user_group",
        sa.Column("group_id", sa.Text(), primary_key=True),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("members", sa.Text(), nullable=False),
        sa.Column("read_at", sa.BigInteger(), nullable=False),
    )
