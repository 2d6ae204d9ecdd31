"""The table of jobs, each with a setting `VOUCH_JOBS_<NAME>`, and what runs them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

import yaml
from sqlalchemy import make_url

from audit.engines import file_of, is_file
from audit.record import EventKind
from bot.errors import BadConfiguration, JobFailed, NotConnected
from bot.jobs.job import Job, Work, schedule_of, statuses, zone_of
from bot.jobs.runner import Runner, Tell, notified
from bot.settings import Settings
from bot.slack.jobs import tell_channel
from bot.wiring.container import Container
from bot.wiring.slack_clients import slack_client
from bot.wiring.workspace import workspace_inbox
from bot.wording import jobs as wording
from bot.wording.redaction import without
from retrieval.errors import BadSource
from retrieval.remote.urls import nearest, source_url

if TYPE_CHECKING:
    from bot.jobs.clockwork import Clockwork
    from bot.jobs.runs import JobStatus, Numbers, Runs


_PERSISTENT = frozenset({"digest"})
"""What is told once a week is told, also where the bot was killed or Slack away meanwhile."""


def job_table(
    container: Container, tell: Tell | None = None, inbox: str | None = None
) -> tuple[Job, ...]:
    """All jobs; `tell` reaches administrators. Raise `BadConfiguration` for a wrong schedule."""
    work: Mapping[str, Work] = {
        "ingest": _ingest,
        "forget": lambda _: _forget(container.settings, inbox or container.settings.inbox_database),
        "expire": lambda _: _expire(container),
        "purge": lambda _: {"versions": container.forget_old_versions()},
        "verify-audit": lambda _: _verify_audit(container, tell),
        "checkpoint": lambda _: _checkpoint(container),
        "backup": lambda _: _backup(container.settings),
        "evaluate": lambda _: _evaluate(container, tell),
        "digest": lambda stopping: _digest(container, stopping),
        "corrections": lambda stopping: _corrections(container, stopping),
        "usergroups": lambda _: read_user_groups(container),
    }
    return tuple(_job(container.settings, name, each) for name, each in work.items())


def demand_jobs(container: Container) -> tuple[Job, ...]:
    """Return the table as it is set up; raise `BadConfiguration` for a setting that is wrong."""
    from bot.wiring.audit import CHANNEL, witnesses

    channel = container.settings.admin_channel
    if channel and not CHANNEL.fullmatch(channel):
        raise BadConfiguration(wording.bad_channel(channel))
    witnesses(container)
    _of_sources(container.settings)
    return job_table(container)


def source_jobs(container: Container) -> tuple[Job, ...]:
    """One for each source, in the place of `ingest`: a slow or failing one holds up no other."""
    from bot.wiring.given_answers import SOURCE

    library = make_url(container.settings.library_database)
    if is_file(library) and not file_of(library).exists():
        return ()
    ingest, own = _job(container.settings, "ingest", _ingest), _of_sources(container.settings)
    alone = (
        replace(ingest, source=one.name, **(nearest(source_url(one.url), own) if one.url else {}))
        for one in container.stores.library.sources()
        if one.name != SOURCE
    )
    return tuple(
        replace(each, name=f"ingest {each.source}", work=partial(_ingest, source=each.source))
        for each in alone
    )


def _of_sources(settings: Settings) -> Mapping[str, Mapping[str, Any]]:
    zone, variable = zone_of(settings.jobs_time_zone), "VOUCH_SOURCE_SCHEDULES"
    try:
        stated = dict(yaml.safe_load(settings.source_schedules) or {})
        known = {
            source_url(str(begins)).text: str(when or "off") for begins, when in stated.items()
        }
    except (yaml.YAMLError, TypeError, ValueError, BadSource):
        why = f"{variable} is not understood. Write each as `URL: every 6 hours`, in YAML."
        raise BadConfiguration(why) from None
    return {url: {"schedule": schedule_of(when, zone, variable)} for url, when in known.items()}


def job_statuses(container: Container) -> "list[JobStatus]":
    """How each job stands, `ingest` as its first and last source; raise `InboxUnavailable`."""
    from bot.slack.inbox.beside import newest_in

    newest = newest_in(container.settings.inbox_database)
    ingest, *others = statuses(job_table(container), newest, _now())
    of_sources = statuses(source_jobs(container), newest, _now())
    first = min((each.next_at for each in of_sources if each.next_at), default=ingest.next_at)
    runs = [each.last for each in (ingest, *of_sources) if each.last]
    last = max(runs, key=lambda each: each.started_at, default=None)
    return [replace(ingest, next_at=first, last=last), *of_sources, *others]


def job_runner(runs: "Runs", tell: Tell | None, *of: Container) -> Runner:
    """Record runs, and tell of them, without the secrets `of` containers."""
    secrets = [secret for each in of for secret in each.settings.secrets]
    return Runner(runs, tell, _now, discreet=partial(without, secrets))


def clockwork(container: Container, connected: Container) -> "Clockwork":
    """What runs the jobs, not started yet; their runs are kept in the container's own inbox."""
    from bot.jobs.clockwork import Clockwork
    from bot.slack.inbox.beside import JobRuns

    tell = admins_teller(connected)
    inbox = container.settings.inbox_database
    runs = JobRuns.open(inbox)
    runner = job_runner(runs, tell, container, connected)
    _, *others = job_table(connected, tell, inbox)
    return Clockwork(others, runs, runner, _now, sources=partial(source_jobs, connected))


def admins_teller(container: Container) -> Tell | None:
    """Tells the administrators' channel, if any; raises `NotConnected` without a token."""
    from bot.wiring.slack_clients import slack_client

    channel = container.settings.admin_channel
    if not channel:
        return None
    if not container.settings.can_post:
        return _not_connected
    return partial(tell_channel, slack_client(container), channel)


def _not_connected(_: str) -> None:
    raise NotConnected(wording.NO_SLACK_HERE)


def _job(settings: Settings, name: str, work: Work) -> Job:
    setting = f"jobs_{name.replace('-', '_')}"
    zone = zone_of(settings.jobs_time_zone)
    stated: str = getattr(settings, setting)
    schedule = schedule_of(stated, zone, f"VOUCH_{setting.upper()}")
    return Job(name, schedule, work, persists=name in _PERSISTENT)


def _ingest(stopping: Event, source: str = "") -> "Numbers":
    from bot.jobs.work import WORDS, read_all_again, run_command

    alone = (f"--source={source}",) if source else ()
    return read_all_again(partial(run_command, (*WORDS, *alone)), stopping)


def _forget(settings: Settings, kept_in: str) -> "Numbers":
    """In every inbox of the home: the local workspace has one of its own."""
    from bot.slack.inbox.beside import JobRuns
    from bot.slack.inbox.removals import RETENTION, forget_in

    now = _now()
    inboxes = dict.fromkeys((kept_in, workspace_inbox(settings.home)))
    forgotten = sum(forget_in(url, now) for url in inboxes)
    with JobRuns.open(kept_in) as runs:
        runs.forget(now - RETENTION)
    return {"exchanges": forgotten}


def _expire(container: Container) -> "Numbers":
    """Whole months alone, and what was erased once; what is under legal hold stays."""
    from audit.erasure.erasing import Erasure
    from audit.record import EventKind
    from bot.wiring.erasing import expire, reconcile

    days, now, again = container.settings.audit_keep_days, _now(), reconcile(container)
    if not days:
        return {"entries": again}
    month = (now - timedelta(days=days)).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    because = wording.kept_no_longer(days)
    erasure = Erasure("expire", because, now, EventKind.EXPIRED)
    return {"entries": again + expire(container, month, erasure)}


def _verify_audit(container: Container, tell: Tell | None) -> "Numbers":
    from bot.jobs.work import AuditHeads, VerifyAudit
    from bot.wiring.audit import verify_all

    heads = AuditHeads(container.home / "audit-heads.txt")
    return VerifyAudit(partial(verify_all, container), heads, tell, _now)()


def _checkpoint(container: Container) -> "Numbers":
    from bot.jobs.work import HandedOn, WitnessLog
    from bot.wiring.audit import notary, witnesses

    handed_on = HandedOn(container.home / "audit-witnesses.txt")
    return WitnessLog(notary(container), witnesses(container), handed_on)()


def _backup(settings: Settings) -> "Numbers":
    from bot.wiring.backup import write_dated_backup

    kept = write_dated_backup(settings)
    return {"file": kept.made.file.name, "bytes": kept.made.bytes, "older_removed": kept.removed}


def _evaluate(container: Container, tell: Tell | None) -> "Numbers":
    """Alarms are told each time; those that could not be are a failure, which is told later."""
    from bot.quality.telling import in_words
    from bot.wiring.quality import watch_quality

    report = watch_quality(container)
    alarms = [in_words(alarm) for alarm in report.alarms]
    asked = report.run.figures.questions if report.run else 0
    numbers = {"questions": asked, "alarms": len(alarms)}
    if alarms and tell is not None and not notified(tell, wording.quality_alarms(alarms)):
        raise JobFailed(" ".join(alarms), numbers)
    return numbers


def _digest(container: Container, stopping: Event) -> "Numbers":
    from bot.wiring.telling import digest_job

    return digest_job(container)(stopping)


def _corrections(container: Container, stopping: Event) -> "Numbers":
    from bot.wiring.telling import corrections_job

    return corrections_job(container)(stopping)


def read_user_groups(container: Container) -> "Numbers":
    """Read those that `people.yaml` names, if any. Raise `JobFailed` or `NotConnected`."""
    from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler

    from bot.slack.jobs import UserGroupSync

    names = container.stores.access.usergroups.facets.keys()
    if not names:
        return {"groups": 0}
    if not container.settings.can_post:
        raise NotConnected(wording.NOT_CONNECTED)
    client = slack_client(container, RateLimitErrorRetryHandler(max_retry_count=1))
    home_team = container.stores.ontology.home_team
    stores = container.stores
    noted = partial(stores.audit_reader.happened, EventKind.MEMBERSHIP)
    append = stores.audit_writer.append
    return UserGroupSync(client, stores.user_groups, append, noted, _now, home_team)(names)


def _now() -> datetime:
    return datetime.now(UTC)
