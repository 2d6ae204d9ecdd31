"""What is said of work by the clock."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from bot.wording import minute
from bot.wording.names import did_you_mean, listed

NEVER_COMES = "that day never comes"
BAD_INTERVAL = "the shortest interval is 1 minute, the longest 366 days"
NOT_FIVE_FIELDS = "it is neither `every N hours` nor the five fields of cron"
OFF = "off"
NEVER = "never"
HEADING = "Jobs"
STOPPED = "It was stopped with the bot; its next run does what it left."
NO_SLACK_HERE = "Slack is not connected here; the bot tells it after the job's next run."
NOT_CONNECTED = "User groups are read by a bot that is connected to Slack; this one has no token."
NO_JOBS = "This bot runs no jobs."


def bad_zone(name: str) -> str:
    return (
        f"VOUCH_JOBS_TIME_ZONE is {name!r}, which is no time zone that is known here. Write an "
        "IANA name such as Europe/Lisbon, or UTC."
    )


def bad_schedule(variable: str, said: str, why: str) -> str:
    return (
        f"{variable} is {said!r}, which is no time to run: {why.rstrip('.')}. Write `every 6 "
        "hours` (minutes, hours, days, weeks), five fields of cron such as `0 3 * * *`, or `off`."
    )


def bad_weekday(part: str) -> str:
    return f"{part!r} names no weekdays; 0 is Sunday, 6 Saturday"


def bad_channel(value: str) -> str:
    return (
        f"VOUCH_ADMIN_CHANNEL is {value!r}, which is no channel's id. Copy it from the channel's "
        "details in Slack: it looks like C0123456789."
    )


def unknown_job(name: str, closest: Sequence[str], known: Sequence[str]) -> str:
    return f"There is no job {name!r}. {did_you_mean(closest)}There are: {listed(known)}."


def is_running(job: str) -> str:
    return f"The job {job} is running already. `vouch jobs` shows since when."


def unforeseen(error: Exception) -> str:
    return f"Something failed that nobody foresaw ({type(error).__name__}). The log has it."


def job_failed(job: str, started_at: datetime, reason: str) -> str:
    return (
        f"The job {job} of {minute(started_at)} failed: {reason} I tell you when it works again; "
        "`/audit jobs` shows how it stands."
    )


def job_works_again(job: str, failed_at: datetime, reason: str) -> str:
    """`reason`: why it failed, where nobody could be told then."""
    why = f": {reason}" if reason else "."
    return f"The job {job} works again. It failed at {minute(failed_at)}{why}"


def audit_head(day: datetime, head: str, records: int, events: int) -> str:
    return (
        f"The audit store holds, unaltered: {records} records and {events} later events on "
        f"{minute(day)}. Its head: {head} (`vouch audit verify --head` with it proves later that "
        "nothing was cut off)."
    )


def chain_broken(where: str, what: str) -> str:
    place = f" at {where}" if where else ""
    return (
        f"The audit store does not verify{place}: {what}. Keep it as it is, and compare it with a "
        "backup; `vouch audit verify` tells more."
    )


def heads_unwritable(path: str, why: str) -> str:
    return f"The audit store holds, but its head could not be noted in {path} ({why})."


def witnesses_away(which: Sequence[str]) -> str:
    return (
        "The audit log's checkpoint is noted, but could not be handed on to "
        + ", ".join(which)
        + ". See that the file or bucket may be read and written, and that the bot is in the "
        "channel; the next run tries again."
    )


def bad_witness(name: str) -> str:
    return (
        f"VOUCH_AUDIT_WITNESSES names {name!r}. Give the path of a file, from / on, the id of a "
        "Slack channel, such as C0123456789, or the URL of a bucket's folder, such as "
        "s3://BUCKET/vouch; commas between."
    )


def quality_alarms(alarms: Sequence[str]) -> str:
    return "\n\n".join(["Something about the answers changed (`vouch quality list`).", *alarms])


def usergroups_unread(what: str) -> str:
    return (
        f"User groups could not be read from Slack: {what}. Whoever was in one when it was last "
        "read keeps what it gives for a day from then."
    )


def sources_failed(reasons: Sequence[str]) -> str:
    return f"{'; '.join(reasons)}. Nothing was removed of these."


def ingest_broke(status: int, last_words: str) -> str:
    """`status`: of its process; negative where a signal killed it, as where memory ran out."""
    if status < 0:
        return f"The ingest was killed (signal {-status}). See that there is enough memory."
    return f"The ingest ended early (status {status}): {last_words or 'it said nothing'}"


def in_numbers(numbers: Mapping[str, int | float | str]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in numbers.items())


def ended(outcome: str, numbers: Mapping[str, int | float | str], reason: str) -> str:
    told = "; ".join(each for each in (in_numbers(numbers), reason) if each)
    return f"{outcome}: {told}" if told else outcome


def last_run(started_at: datetime, what_became: str) -> str:
    return f"{minute(started_at)} {what_became}"


def status_line(when: str, next_at: datetime | None, last: str) -> str:
    """When a job runs and how it stands, in one line."""
    runs = f"{when}, next {minute(next_at)}" if next_at else OFF
    return f"{runs}; last {last}"


def kept_no_longer(days: int) -> str:
    return f"kept for {days} days (VOUCH_AUDIT_KEEP_DAYS)"
