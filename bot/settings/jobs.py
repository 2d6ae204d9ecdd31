"""Settings of jobs."""

from pydantic import BaseModel, Field


class JobSettings(BaseModel):
    """Work by the clock, and who is told of it."""

    admin_channel: str = Field(
        default="",
        description="Id of the Slack channel in which administrators are told of jobs that fail "
        "and of the audit store's head; empty: nobody is told.",
    )
    jobs_ingest: str = Field(
        default="",
        description="When every known source is read again: `every 1 hour` (minutes, hours, days, "
        "weeks), five fields of cron such as `0 3 * * *`, or `off`; so for every job.",
    )
    jobs_forget: str = Field(
        default="every 1 hour",
        description="When the inbox forgets what was finished 30 days ago.",
    )
    jobs_purge: str = Field(
        default="30 3 * * *",
        description="When the text of versions goes that `VOUCH_KEEP_VERSIONS_DAYS` keeps no "
        "longer.",
    )
    jobs_verify_audit: str = Field(
        default="0 4 * * *",
        description="When the audit store is verified and its head noted.",
    )
    jobs_backup: str = Field(
        default="",
        description="When an archive is written into `VOUCH_BACKUP_FOLDER`, such as `0 2 * * *`.",
    )
    jobs_evaluate: str = Field(
        default="0 5 * * 1",
        description="When the questions of `VOUCH_QUALITY_QUESTIONS`, if any, are asked, and what "
        "people asked in the weeks before is compared.",
    )
    jobs_time_zone: str = Field(
        default="UTC",
        description="Time zone of cron's fields, such as `Europe/Lisbon`.",
    )
