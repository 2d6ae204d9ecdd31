"""Since schema version 2 of records, an abstention is not searched by what it listed.

The tables are as they were. A program of before would take such records for altered: the revision
has it refuse the store instead.
"""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Only the revision is stated."""
