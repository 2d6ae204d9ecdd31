"""Names that somebody who knows Slack and message queues expects."""

from alembic import op

revision = "0004"
down_revision = "0003"

_COLUMNS = (
    ("inbox_exchange", "placing_since", "sending_since"),
    ("inbox_early_follow_up", "said", "incoming"),
    ("inbox_early_follow_up", "heard_at", "received_at"),
    ("inbox_stale_message", "leftover_id", "stale_message_id"),
    ("inbox_stale_message", "noted_at", "added_at"),
)


def upgrade() -> None:
    """Rename three tables, five columns and an index; no row changes."""
    op.rename_table("inbox_shut", "inbox_tombstone")
    op.rename_table("inbox_leftover", "inbox_stale_message")
    op.rename_table("inbox_overheard", "inbox_early_follow_up")
    for table, before, after in _COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {before} TO {after}")
    op.drop_index("inbox_overheard_conversation", "inbox_early_follow_up")
    op.create_index(
        "inbox_early_follow_up_conversation",
        "inbox_early_follow_up",
        ["conversation", "user_id"],
    )
