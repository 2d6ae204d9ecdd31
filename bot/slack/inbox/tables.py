"""The rows of the inbox; they have a registry of their own, as the audit store's do."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, ClassVar

from sqlalchemy import BigInteger, Date, Dialect, Index, Integer, Row, Table, Text, UniqueConstraint
from sqlalchemy.orm import registry
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

from audit.tables import storable
from bot.slack.exchange import (
    Answers,
    AttachedFile,
    Exchange,
    Incoming,
    Kind,
    Origin,
    Stage,
    files_in,
)

REVISION = "0012"
"""The newest of `migrations/versions`, which the rows belong to."""
REVISION_TABLE = "inbox_revision"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_Number = BigInteger().with_variant(Integer, "sqlite")
"""SQLite makes only an INTEGER primary key the row's own number."""


class Moment(TypeDecorator[datetime]):
    """An aware time in whole microseconds: exact and comparable in every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _: Dialect) -> int | None:
        return None if value is None else (value - EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, _: Dialect) -> datetime | None:
        return None if value is None else EPOCH + value * _MICROSECOND


class InboxTable(SQLModel, registry=registry()):
    """Base of the inbox's tables."""


class ExchangeRow(InboxTable, table=True):
    """A question, what became of it, and who works on it."""

    __tablename__: ClassVar[str] = "inbox_exchange"
    __table_args__ = (
        Index("inbox_exchange_stage", "stage", "not_before"),
        Index("inbox_exchange_conversation", "conversation", "stage"),
        Index("inbox_exchange_user", "user_id", "stage"),
        {"sqlite_autoincrement": True},  # an id names a message: never give one out twice
    )

    exchange_id: int | None = Field(default=None, primary_key=True, sa_type=_Number)
    audit_id: str = Field(sa_type=Text, unique=True)
    key: str = Field(sa_type=Text, unique=True)
    conversation: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    text: str = Field(sa_type=Text)
    user_id: str = Field(sa_type=Text)
    asked_channel: str = Field(sa_type=Text)
    private: bool
    thread: str = Field(sa_type=Text)
    ts: str = Field(sa_type=Text)
    quoted: bool
    shared: bool
    stands_alone: bool
    as_of: date | None = Field(default=None, sa_type=Date)
    origin_channel: str = Field(default="", sa_type=Text)
    origin_thread: str = Field(default="", sa_type=Text)
    respond_at: str = Field(default="", sa_type=Text)
    attached: str = Field(default="", sa_type=Text)
    """Files, as JSON; empty for none."""
    received_at: datetime = Field(sa_type=Moment)
    paced_until: datetime = Field(sa_type=Moment)
    stage: int
    channel: str = Field(sa_type=Text)
    sending_since: datetime | None = Field(default=None, sa_type=Moment)
    placeholder: str = Field(default="", sa_type=Text)
    told: str = Field(default="", sa_type=Text)
    attempts: int = 0
    posted_at: datetime | None = Field(default=None, sa_type=Moment)
    not_before: datetime = Field(sa_type=Moment)
    passable: bool = False
    """It fails for a reason of its own: those after it need not wait."""
    claimed_by: str = Field(default="", sa_type=Text)
    claimed_until: datetime = Field(default=EPOCH, sa_type=Moment)
    withdrawn_at: datetime | None = Field(default=None, sa_type=Moment)
    """The question was deleted."""
    answers: str = Field(default=Answers.MENTIONED.value, sa_type=Text)
    beside: bool = False


class PaceRow(InboxTable, table=True):
    """What `flood.Pace` remembers of a person."""

    __tablename__: ClassVar[str] = "inbox_pace"

    user_id: str = Field(primary_key=True, sa_type=Text)
    next_expected: datetime = Field(sa_type=Moment)


class TombstoneRow(InboxTable, table=True):
    """A question that is not to be taken in, however often it is delivered again."""

    __tablename__: ClassVar[str] = "inbox_tombstone"

    key: str = Field(primary_key=True, sa_type=Text)
    since: datetime = Field(sa_type=Moment)


class EarlyFollowUpRow(InboxTable, table=True):
    """What may turn out to follow up a question that Slack has not delivered yet."""

    __tablename__: ClassVar[str] = "inbox_early_follow_up"
    __table_args__ = (Index("inbox_early_follow_up_conversation", "conversation", "user_id"),)

    key: str = Field(primary_key=True, sa_type=Text)
    conversation: str = Field(sa_type=Text)
    user_id: str = Field(sa_type=Text)
    incoming: str = Field(sa_type=Text)
    """An `Incoming`, as JSON."""
    received_at: datetime = Field(sa_type=Moment)


class StaleMessageRow(InboxTable, table=True):
    """A message of the bot's own that stands in Slack and should not."""

    __tablename__: ClassVar[str] = "inbox_stale_message"
    __table_args__ = (UniqueConstraint("channel", "thread", "ts", "mark"),)

    stale_message_id: int | None = Field(default=None, primary_key=True, sa_type=_Number)
    channel: str = Field(sa_type=Text)
    thread: str = Field(sa_type=Text)
    ts: str = Field(sa_type=Text)
    mark: str = Field(sa_type=Text)
    oldest: str = Field(sa_type=Text)
    says: str = Field(default="", sa_type=Text)
    """Which words stand in its place afterwards; empty where it is deleted."""
    exchange_id: int | None = Field(default=None, sa_type=_Number)
    look_until: datetime = Field(sa_type=Moment)
    added_at: datetime = Field(sa_type=Moment)
    not_before: datetime = Field(sa_type=Moment)
    attempts: int = 0


class UploadRow(InboxTable, table=True):
    """A file that the bot uploaded to Slack, until it is deleted there."""

    __tablename__: ClassVar[str] = "inbox_upload"

    file_id: str = Field(primary_key=True, sa_type=Text)
    not_before: datetime = Field(sa_type=Moment)
    attempts: int = 0


class AttachmentRow(InboxTable, table=True):
    """What was read of a file that came with a question."""

    __tablename__: ClassVar[str] = "inbox_attachment"

    key: str = Field(primary_key=True, sa_type=Text)
    """Of the message that it came with, as first taken in."""
    file_id: str = Field(primary_key=True, sa_type=Text)
    why: str = Field(default="", sa_type=Text)
    """Why it is not read; empty where it is, or is being read."""
    passages: str = Field(default="", sa_type=Text)
    """As JSON; empty until it is read."""
    added_at: datetime = Field(sa_type=Moment)


class JobRunRow(InboxTable, table=True):
    """One run of a scheduled job."""

    __tablename__: ClassVar[str] = "inbox_job_run"
    __table_args__ = (Index("inbox_job_run_job", "job", "run_id"),)

    run_id: int | None = Field(default=None, primary_key=True, sa_type=_Number)
    job: str = Field(sa_type=Text)
    started_at: datetime = Field(sa_type=Moment)
    ended_at: datetime | None = Field(default=None, sa_type=Moment)
    outcome: str = Field(sa_type=Text)
    numbers: str = Field(default="{}", sa_type=Text)
    """As JSON."""
    reason: str = Field(default="", sa_type=Text)
    by_hand: bool = False
    told: str = Field(default="", sa_type=Text)


class ReferralRow(InboxTable, table=True):
    """A question that was passed to people who may know."""

    __tablename__: ClassVar[str] = "inbox_referral"
    __table_args__ = (Index("inbox_referral_due", "stage", "due"),)

    audit_id: str = Field(primary_key=True, sa_type=Text)
    asker: str = Field(sa_type=Text)
    named: bool
    note: str = Field(sa_type=Text)
    channel: str = Field(sa_type=Text)
    asked_channel: str = Field(sa_type=Text)
    asked_thread: str = Field(sa_type=Text)
    created_at: datetime = Field(sa_type=Moment)
    stage: int
    post: str = Field(sa_type=Text)
    sending_since: datetime | None = Field(default=None, sa_type=Moment)
    due: datetime | None = Field(default=None, sa_type=Moment)
    sends: int
    attempts: int
    answer: str = Field(sa_type=Text)
    question: str = Field(sa_type=Text)
    answered_by: str = Field(sa_type=Text)
    answered_at: datetime | None = Field(default=None, sa_type=Moment)
    answers: int
    audience: str = Field(sa_type=Text)
    valid_to: str = Field(sa_type=Text)


class ChannelSettingsRow(InboxTable, table=True):
    """How the bot answers in a channel, as its managers set it last."""

    __tablename__: ClassVar[str] = "inbox_channel_settings"

    channel: str = Field(primary_key=True, sa_type=Text)
    answers: str = Field(sa_type=Text)
    sources: str = Field(sa_type=Text)
    """Names, as JSON."""
    beside: bool
    outsiders: bool
    ask_person: str = Field(sa_type=Text)
    changed_by: str = Field(sa_type=Text)
    changed_at: datetime = Field(sa_type=Moment)


class UserGroupRow(InboxTable, table=True):
    """A user group of Slack, as it was last read."""

    __tablename__: ClassVar[str] = "inbox_user_group"

    group_id: str = Field(primary_key=True, sa_type=Text)
    handle: str = Field(sa_type=Text)
    members: str = Field(sa_type=Text)
    """Ids of users, as JSON."""
    read_at: datetime = Field(sa_type=Moment)


class InstallationRow(InboxTable, table=True):
    """The bot in a workspace, or in all of an organisation."""

    __tablename__: ClassVar[str] = "inbox_installation"

    workspace: str = Field(primary_key=True, sa_type=Text)
    enterprise: str = Field(sa_type=Text)
    sealed: str = Field(sa_type=Text)
    """Under the key of the settings; empty for one in whose organisation the bot is installed."""
    installed_at: datetime = Field(sa_type=Moment)


class OAuthStateRow(InboxTable, table=True):
    """An installation that somebody began."""

    __tablename__: ClassVar[str] = "inbox_oauth_state"

    state: str = Field(primary_key=True, sa_type=Text)
    until: datetime = Field(sa_type=Moment)


exchanges: Table = InboxTable.metadata.tables["inbox_exchange"]
paces: Table = InboxTable.metadata.tables["inbox_pace"]
tombstones: Table = InboxTable.metadata.tables["inbox_tombstone"]
early_follow_ups: Table = InboxTable.metadata.tables["inbox_early_follow_up"]
stale_messages: Table = InboxTable.metadata.tables["inbox_stale_message"]
uploads: Table = InboxTable.metadata.tables["inbox_upload"]
referrals: Table = InboxTable.metadata.tables["inbox_referral"]
attachments: Table = InboxTable.metadata.tables["inbox_attachment"]
job_runs: Table = InboxTable.metadata.tables["inbox_job_run"]
channel_settings: Table = InboxTable.metadata.tables["inbox_channel_settings"]
user_groups: Table = InboxTable.metadata.tables["inbox_user_group"]
installations: Table = InboxTable.metadata.tables["inbox_installation"]
oauth_states: Table = InboxTable.metadata.tables["inbox_oauth_state"]


_ASKED = (
    *("key", "private", "thread", "ts", "quoted", "shared", "stands_alone", "as_of"),
    *("respond_at", "beside"),
)
"""Columns that bear the name and the value of what was asked."""
_MOVING = ("channel", "sending_since", "placeholder", "told", "attempts", "posted_at", "respond_at")
"""The same of those that change on an exchange's way; the stage does, too."""
_FIXED = ("exchange_id", "audit_id", "received_at", "paced_until", "withdrawn_at")


def row_of(incoming: Incoming, audit_id: str, now: datetime, turn: datetime) -> dict[str, Any]:
    """Return values of a new row; text that no database could hold is replaced."""
    return ExchangeRow(
        **{name: getattr(incoming, name) for name in _ASKED},
        audit_id=audit_id,
        conversation=incoming.conversation,
        kind=incoming.kind.value,
        text=storable(incoming.text),
        user_id=incoming.user,
        asked_channel=incoming.channel,
        origin_channel=incoming.origin.channel,
        origin_thread=incoming.origin.thread,
        attached=_packed(incoming.attached),
        answers=incoming.answers.value,
        received_at=now,
        paced_until=turn,
        stage=Stage.PLACEHOLDER.value,
        channel=incoming.channel,
        not_before=now,
    ).model_dump(exclude={"exchange_id"})


def _packed(files: Sequence[AttachedFile]) -> str:
    return json.dumps([asdict(each) for each in files]) if files else ""


def attached_in(column: str) -> tuple[AttachedFile, ...]:
    """Return the files of a row of exchanges."""
    return files_in(json.loads(column)) if column else ()


def progress_of(exchange: Exchange) -> dict[str, Any]:
    """Return values of the columns that change on an exchange's way."""
    known = {name: getattr(exchange, name) for name in _MOVING}
    return {"stage": exchange.stage.value, **known}


def exchange_of(row: Row[Any]) -> Exchange:
    known = {name: getattr(row, name) for name in (*_FIXED, *_MOVING)}
    return Exchange(asked=_asked(row), stage=Stage(row.stage), **known)


def early_follow_up_row(incoming: Incoming, now: datetime) -> dict[str, Any]:
    words = replace(incoming, text=storable(incoming.text))
    return {
        "key": incoming.key,
        "conversation": incoming.conversation,
        "user_id": incoming.user,
        "incoming": json.dumps(asdict(words)),
        "received_at": now,
    }


def early_follow_up_of(row: Row[Any]) -> Incoming:
    values = json.loads(row.incoming)
    origin = Origin(**values.pop("origin", {}))
    files = files_in(values.pop("attached", None))
    answers = Answers(values.pop("answers", Answers.MENTIONED))
    kind = Kind(values.pop("kind"))
    return Incoming(**values, kind=kind, origin=origin, answers=answers, attached=files)


def _asked(row: Row[Any]) -> Incoming:
    return Incoming(
        **{name: getattr(row, name) for name in _ASKED},
        text=row.text,
        user=row.user_id,
        channel=row.asked_channel,
        kind=Kind(row.kind),
        origin=Origin(row.origin_channel, row.origin_thread),
        attached=attached_in(row.attached),
        answers=Answers(row.answers),
    )
