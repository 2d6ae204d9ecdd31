"""What other processes than the bot keep in its inbox's database, too.

In which workspaces it is installed, with tokens under a key, who is in user groups, and the runs of
scheduled jobs.
"""

import hashlib
import json
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, Self

from cachetools import TTLCache, cachedmethod
from cryptography.fernet import Fernet, InvalidToken
from slack_sdk.oauth.installation_store import Installation, InstallationStore
from slack_sdk.oauth.state_store import OAuthStateStore
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Row,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine import URL

from audit.database import Door
from audit.engines import file_of, is_file
from audit.storing.tables import storable
from bot.access.user_groups import ReadGroup
from bot.errors import BadConfiguration
from bot.jobs.runs import Ended, JobOutcome, JobRun, RunNotice
from bot.slack.inbox.database import STORE, LateEngine, demand_writable, is_missing, open_engine
from bot.slack.inbox.tables import installations, job_runs, oauth_states, user_groups
from retrieval.documents.locks import AdvisoryLock, LockFile, ProcessLock, is_free

STATE_FOR = timedelta(minutes=10)
"""How long somebody may take to install it."""


@dataclass(frozen=True, slots=True)
class Installed:
    """The bot in a workspace, or in all of an organisation (Enterprise Grid)."""

    workspace: str
    """Slack's id of the workspace; of the organisation where it is installed in all of it."""
    enterprise: str
    bot_token: str = field(repr=False)
    bot_user: str
    bot_id: str


class Installations(InstallationStore, OAuthStateStore):
    """Safe to share between threads and bots; every method raises `InboxUnavailable`."""

    def __init__(self, url: str, key: str, now: Callable[[], datetime]) -> None:
        """Nothing is opened before it is used. Raise `BadConfiguration` for what is no key.

        `now` tells the time, aware.
        """
        try:
            self._fernet = Fernet(key)
        except ValueError as error:
            raise BadConfiguration(BAD_KEY) from error
        self._inbox = LateEngine(url)
        self._now = now
        self._turn = Lock()

    def save(self, installation: Installation) -> None:
        of_all = bool(installation.is_enterprise_install)
        enterprise = str(installation.enterprise_id or "")
        kept = Installed(
            workspace=enterprise if of_all else str(installation.team_id or ""),
            enterprise=enterprise,
            bot_token=str(installation.bot_token or ""),
            bot_user=str(installation.bot_user_id or ""),
            bot_id=str(installation.bot_id or ""),
        )
        sealed = self._fernet.encrypt(json.dumps(asdict(kept)).encode()).decode()
        row = {"workspace": kept.workspace, "enterprise": enterprise, "sealed": sealed}
        with self._transaction() as connection:
            earlier = installations.c.workspace == kept.workspace
            connection.execute(delete(installations).where(earlier))
            connection.execute(insert(installations).values(**row, installed_at=self._now()))

    def belongs(self, workspace: str, enterprise: str) -> None:
        """Note that a workspace is one of an organisation, where it has no installation itself."""
        row = {"workspace": workspace, "enterprise": enterprise, "sealed": ""}
        with self._transaction() as connection:
            if connection.execute(_of(workspace)).one_or_none() is None:
                connection.execute(insert(installations).values(**row, installed_at=self._now()))

    def find(self, workspace: str) -> Installed | None:
        """Return what acts there, or in its organisation; `BadConfiguration` without the key."""
        with self._transaction() as connection:
            row = connection.execute(_of(workspace)).one_or_none()
            if row is not None and not row.sealed:
                row = connection.execute(_of(row.enterprise)).one_or_none()
        return self._opened(row.workspace, row.sealed) if row is not None and row.sealed else None

    def all(self) -> list[Installed]:
        """Return all, by id; none where there is no inbox yet. Raise as `find` does."""
        if is_missing(self._inbox.url):
            return []
        query = select(installations).where(installations.c.sealed != "")
        with self._transaction() as connection:
            rows = connection.execute(query.order_by(installations.c.workspace)).all()
        return [self._opened(row.workspace, row.sealed) for row in rows]

    def drop(self, workspace: str, at: datetime) -> list[str]:
        """Forget a workspace's, or all of an organisation's; return which are none any more.

        None where it was made since `at`, aware: then it is another one than what was ended.
        """
        of_its = and_(installations.c.enterprise == workspace, installations.c.sealed == "")
        mine = or_(installations.c.workspace == workspace, of_its)
        with self._transaction() as connection:
            made = connection.scalar(select(installations.c.installed_at).where(_is(workspace)))
            if made is not None and made >= at:
                return []
            gone = list(connection.scalars(select(installations.c.workspace).where(mine)))
            connection.execute(delete(installations).where(mine))
        return gone

    def issue(self, *_: Any, **__: Any) -> str:
        state, now = secrets.token_urlsafe(32), self._now()
        with self._transaction() as connection:
            connection.execute(delete(oauth_states).where(oauth_states.c.until < now))
            connection.execute(insert(oauth_states).values(state=state, until=now + STATE_FOR))
        return state

    def consume(self, state: str) -> bool:
        """Tell whether it was issued lately, and not used before."""
        mine = oauth_states.c.state == state, oauth_states.c.until >= self._now()
        with self._transaction() as connection:
            return connection.execute(delete(oauth_states).where(*mine)).rowcount == 1

    def _opened(self, workspace: str, sealed: str) -> Installed:
        try:
            kept = Installed(**json.loads(self._fernet.decrypt(sealed.encode())))
        except InvalidToken as error:
            raise BadConfiguration(wrong_key(workspace)) from error
        if kept.workspace != workspace:  # somebody moved it
            raise BadConfiguration(wrong_key(workspace))
        return kept

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._turn, self._inbox.transaction() as connection:
            yield connection


def _of(workspace: str) -> Any:
    return select(installations).where(_is(workspace))


def _is(workspace: str) -> ColumnElement[bool]:
    return installations.c.workspace == workspace


BAD_KEY = "VOUCH_SLACK_TOKENS_KEY is no key; make one with `openssl rand -base64 32 | tr '+/' '-_'`"


def wrong_key(workspace: str) -> str:
    """Say what to do about a token that the key does not open."""
    return (
        f"VOUCH_SLACK_TOKENS_KEY does not open the token of {workspace}. Set the key back with "
        "which the bot was installed there, or install it there anew"
    )


REMEMBERED_SECONDS = 2.0


class StoredUserGroups:
    """Beside the bot that owns the inbox; what was changed elsewhere is seen in two seconds.

    Safe to share between threads. Every method raises `InboxUnavailable`.
    """

    def __init__(self, url: str) -> None:
        """Nothing is opened, nor made, before it is used."""
        self._inbox = LateEngine(url)
        self._turn = Lock()
        self._remembered = TTLCache[str, Sequence[ReadGroup]](1, REMEMBERED_SECONDS, time.monotonic)

    @cachedmethod(lambda self: self._remembered, lock=lambda self: self._turn)
    def read(self) -> Sequence[ReadGroup]:
        """Return them; none where there is no inbox yet."""
        if is_missing(self._inbox.url):
            return ()
        with self._inbox.transaction() as connection:
            rows = connection.execute(select(user_groups)).all()
        return [
            ReadGroup(row.group_id, row.handle, frozenset(json.loads(row.members)), row.read_at)
            for row in rows
        ]

    def keep(self, groups: Collection[ReadGroup], known: Collection[str]) -> None:
        """Keep these as they are now, and of the others those whose ids are `known`."""
        new = {each.group_id for each in groups}
        gone = user_groups.c.group_id.not_in(set(known) - new)
        rows = [{**asdict(each), "members": json.dumps(sorted(each.members))} for each in groups]
        with self._inbox.transaction() as connection:
            connection.execute(delete(user_groups).where(gone))
            if rows:
                connection.execute(insert(user_groups), rows)
        with self._turn:
            self._remembered.clear()


_each = job_runs.c
_NEWEST = select(func.max(_each.run_id)).group_by(_each.job)


class JobRuns(Door):
    """The `Runs` of an inbox. Safe to share between threads and processes."""

    def __init__(self, engine: Engine, url: URL) -> None:
        super().__init__(engine)
        self._url = url

    @classmethod
    def open(cls, url: str) -> Self:
        """Open it, and make the inbox where there is none; raise `InboxUnavailable`."""
        parsed = STORE.parse(url)
        return cls(open_engine(parsed), parsed)

    def demand_writable(self) -> None:
        """Raise where no run could be noted; takes seconds, leaves nothing."""
        demand_writable(self._url.render_as_string(hide_password=False))

    def turn(self, name: str) -> ProcessLock:
        """Return a lock of that name, not taken yet, which all processes of the inbox share."""
        if is_file(self._url):
            path, named = file_of(self._url), hashlib.sha256(name.encode()).hexdigest()[:16]
            plain = name if re.fullmatch("[a-z-]+", name) else named  # a source has any name
            turn: ProcessLock = LockFile(path.with_name(f"{path.name}.{plain}.lock"))
        else:
            digest = hashlib.sha256(f"vouch job {name}".encode()).digest()
            turn = AdvisoryLock(self._url, int.from_bytes(digest[:8], signed=True))
        return _ExplainedTurn(turn, self._url)

    def plan(self, job: str, now: datetime) -> None:
        """Note since when a job is wanted, where nothing is known of it yet."""
        with STORE.transaction(self._engine) as connection:
            known = connection.scalar(select(_each.run_id).where(_each.job == job).limit(1))
            if known is None:
                _add(connection, job, now, JobOutcome.PLANNED, by_hand=False)

    def start(self, job: str, now: datetime, *, by_hand: bool) -> int:
        """Note that a run begins, and return its id; one that never ended was interrupted."""
        unended = and_(_each.job == job, _each.outcome == JobOutcome.RUNNING.value)
        with STORE.transaction(self._engine) as connection:
            changed = {"outcome": JobOutcome.INTERRUPTED.value}
            connection.execute(update(job_runs).where(unended).values(**changed))
            return _add(connection, job, now, JobOutcome.RUNNING, by_hand=by_hand)

    def finish(self, run_id: int, now: datetime, ended: Ended) -> None:
        values = {
            "ended_at": now,
            "outcome": ended.outcome.value,
            "numbers": json.dumps(dict(ended.numbers)),
            "reason": storable(ended.reason),
        }
        with STORE.transaction(self._engine) as connection:
            connection.execute(update(job_runs).where(_each.run_id == run_id).values(**values))

    def mark(self, run_id: int, told: RunNotice) -> None:
        with STORE.transaction(self._engine) as connection:
            mine = _each.run_id == run_id
            connection.execute(update(job_runs).where(mine).values(told=told.value))

    def newest(self) -> dict[str, JobRun]:
        """Return the newest run, or plan, of every job, by name."""
        query = select(job_runs).where(_each.run_id.in_(_NEWEST))
        with STORE.transaction(self._engine) as connection:
            found = [_run(row) for row in connection.execute(query)]
        return {run.job: self._as_it_is(run) for run in found}

    def marked(self, job: str) -> list[JobRun]:
        """Return the runs of a job that were told or are owed, newest first."""
        mine = (_each.job == job, _each.told != RunNotice.NOT.value)
        query = select(job_runs).where(*mine).order_by(_each.run_id.desc())
        with STORE.transaction(self._engine) as connection:
            return [_run(row) for row in connection.execute(query)]

    def forget(self, before: datetime) -> None:
        """Remove runs of before then, but the newest of each job and its newest that was told."""
        said = _NEWEST.where(_each.told == RunNotice.TOLD.value)
        with STORE.transaction(self._engine) as connection:
            kept = {*connection.scalars(_NEWEST), *connection.scalars(said)}
            old = (_each.started_at < before, _each.run_id.not_in(kept))
            connection.execute(delete(job_runs).where(*old))

    def _as_it_is(self, run: JobRun) -> JobRun:
        """A process that was killed ended nothing, and let go of the job's turn."""
        if run.outcome is JobOutcome.RUNNING and is_free(self.turn(run.job)):
            return replace(run, outcome=JobOutcome.INTERRUPTED)
        return run


def newest_in(url: str) -> dict[str, JobRun]:
    """Return the newest runs of an inbox; none where there is no inbox, and none is made."""
    if is_missing(url):
        return {}
    with JobRuns.open(url) as runs:
        return runs.newest()


class _ExplainedTurn:
    """A turn whose errors are the inbox's."""

    def __init__(self, turn: ProcessLock, url: URL) -> None:
        self._turn = turn
        self._url = url

    def take(self) -> bool:
        with STORE.explained(self._url):
            return self._turn.take()

    def is_held(self) -> bool:
        with STORE.explained(self._url):
            return self._turn.is_held()

    def release(self) -> None:
        with STORE.explained(self._url):
            self._turn.release()


def _add(
    connection: Connection, job: str, now: datetime, outcome: JobOutcome, *, by_hand: bool
) -> int:
    values = {
        "job": job,
        "started_at": now,
        "outcome": outcome.value,
        "numbers": "{}",
        "reason": "",
        "by_hand": by_hand,
        "told": RunNotice.NOT.value,
    }
    added = connection.execute(insert(job_runs).values(**values))
    key = added.inserted_primary_key
    assert key is not None  # noqa: S101 - the table has one
    return int(key[0])


def _run(row: Row[Any]) -> JobRun:
    return JobRun(
        run_id=row.run_id,
        job=row.job,
        started_at=row.started_at,
        ended_at=row.ended_at,
        outcome=JobOutcome(row.outcome),
        numbers=json.loads(row.numbers),
        reason=row.reason,
        by_hand=row.by_hand,
        told=RunNotice(row.told),
    )
