"""Settings of running the bot."""

from pathlib import Path

from pydantic import BaseModel, Field

from bot.address import Address


class OperationSettings(BaseModel):
    """Backups, questions in progress, quality over time, the local workspace."""

    backup_folder: Path | None = Field(
        default=None,
        description="Folder of dated archives, for `vouch backup` without a file; empty for none.",
    )
    backups_kept: int = Field(
        default=7,
        ge=1,
        description="How many of the dated archives are kept in `VOUCH_BACKUP_FOLDER`, the newest.",
    )
    inbox_url: Address = Field(
        default=Address(""),
        description="Database of questions in progress; empty for a SQLite file in the home.",
    )
    workers: int = Field(
        default=2, ge=1, le=64, description="Questions from Slack answered at the same time."
    )
    quality_questions: Path | None = Field(
        default=None,
        description="Labelled questions of your own, JSON lines, that `vouch quality run` asks; "
        "empty for none.",
    )
    quality_fall: float = Field(
        default=0.05,
        ge=0,
        le=1,
        description="By how much precision at 5 or coverage may fall between two quality runs "
        "before it is said.",
    )
    quality_unread_days: int = Field(
        default=30,
        ge=0,
        description="After how many days it is said that a source was not read again; 0 for never.",
    )
    quality_unchanged_days: int = Field(
        default=365,
        ge=0,
        description="After how many days it is said that nothing in a source changed; 0 for never.",
    )
    workspace_port: int = Field(
        default=8700, ge=0, le=65535, description="Port of the local workspace."
    )
