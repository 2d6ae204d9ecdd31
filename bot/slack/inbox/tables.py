"""The tables of the inbox, as the newest migration leaves them, and what their rows stand for."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Dialect,
    Index,
    Integer,
    MetaData,
    Row,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

from audit.storing.tables import storable
from bot.slack.exchange import (
    Answers,
    AttachedFile,
    Exchange,
    Incoming,
    Intent,
    Origin,
    Stage,
    files_in,
)

REVISION = "0014"
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


METADATA = MetaData()
"""Of the inbox's tables alone."""


def _columns(kind: type[TypeEngine[Any]], *names: str) -> list[Column[Any]]:
    """Return columns that always have a value."""
    return [Column(name, kind, nullable=False) for name in names]


exchanges = Table(
    "inbox_exchange",
    METADATA,
    Column("exchange_id", _Number, primary_key=True),
    Column("audit_id", Text, nullable=False, unique=True),
    Column("key", Text, nullable=False, unique=True),
    *_columns(Text, "conversation", "kind", "text", "user_id", "asked_channel"),
    *_columns(Boolean, "private"),
    *_columns(Text, "thread", "ts"),
    *_columns(Boolean, "quoted", "shared", "stands_alone"),
    Column("as_of", Date),
    *_columns(Text, "origin_channel", "origin_thread", "respond_at"),
    *_columns(Text, "attached"),  # files, as JSON; empty for none
    *_columns(Moment, "received_at", "paced_until"),
    *_columns(Integer, "stage"),
    *_columns(Text, "channel"),
    Column("sending_since", Moment),
    *_columns(Text, "placeholder", "told"),
    *_columns(Integer, "attempts"),
    Column("posted_at", Moment),
    *_columns(Moment, "not_before"),
    *_columns(Boolean, "passable"),  # it fails for a reason of its own: others need not wait
    *_columns(Text, "claimed_by"),
    *_columns(Moment, "claimed_until"),
    Column("withdrawn_at", Moment),  # the question was deleted
    *_columns(Text, "answers"),
    *_columns(Boolean, "beside"),
    *_columns(Text, "action_token"),
    *_columns(Moment, "due"),  # in this order all people's have their turn
    Index("inbox_exchange_due", "stage", "due"),
    Index("inbox_exchange_conversation", "conversation", "stage"),
    Index("inbox_exchange_user", "user_id", "stage"),
    sqlite_autoincrement=True,  # an id names a message: never give one out twice
)
"""Each a question, what became of it, and who works on it."""

paces = Table(
    "inbox_pace",
    METADATA,
    Column("user_id", Text, primary_key=True),
    *_columns(Moment, "next_expected"),
)
"""What `pacing.pace_of` remembers of a person."""

tombstones = Table(
    "inbox_tombstone", METADATA, Column("key", Text, primary_key=True), *_columns(Moment, "since")
)
"""Questions that are not to be taken in, however often they are delivered again."""

early_follow_ups = Table(
    "inbox_early_follow_up",
    METADATA,
    Column("key", Text, primary_key=True),
    *_columns(Text, "conversation", "user_id"),
    *_columns(Text, "incoming"),  # an `Incoming`, as JSON
    *_columns(Moment, "received_at"),
    Index("inbox_early_follow_up_conversation", "conversation", "user_id"),
)
"""What may turn out to follow up a question that Slack has not delivered yet."""

stale_messages = Table(
    "inbox_stale_message",
    METADATA,
    Column("stale_message_id", _Number, primary_key=True),
    *_columns(Text, "channel", "thread", "ts", "mark", "oldest"),
    *_columns(Text, "says"),  # which words stand in its place; empty where it is deleted
    Column("exchange_id", _Number),
    *_columns(Moment, "look_until", "added_at", "not_before"),
    *_columns(Integer, "attempts"),
    UniqueConstraint("channel", "thread", "ts", "mark"),
)
"""Messages of the bot's own that stand in Slack and should not."""

uploads = Table(
    "inbox_upload",
    METADATA,
    Column("file_id", Text, primary_key=True),
    *_columns(Moment, "not_before"),
    *_columns(Integer, "attempts"),
)
"""Files that the bot uploaded to Slack, until they are deleted there."""

attachments = Table(
    "inbox_attachment",
    METADATA,
    Column("key", Text, primary_key=True),  # of the message that it came with, as first taken in
    Column("file_id", Text, primary_key=True),
    *_columns(Text, "why"),  # it is not read; empty where it is, or is being read
    *_columns(Text, "passages"),  # as JSON; empty until it is read
    *_columns(Moment, "added_at"),
)
"""What was read of files that came with questions."""

job_runs = Table(
    "inbox_job_run",
    METADATA,
    Column("run_id", _Number, primary_key=True),
    *_columns(Text, "job"),
    *_columns(Moment, "started_at"),
    Column("ended_at", Moment),
    *_columns(Text, "outcome", "numbers", "reason"),  # numbers as JSON
    *_columns(Boolean, "by_hand"),
    *_columns(Text, "told"),
    Index("inbox_job_run_job", "job", "run_id"),
)
"""Runs of scheduled jobs."""

referrals = Table(
    "inbox_referral",
    METADATA,
    Column("audit_id", Text, primary_key=True),
    *_columns(Text, "asker"),
    *_columns(Boolean, "named"),
    *_columns(Text, "note", "channel", "asked_channel", "asked_thread"),
    *_columns(Moment, "created_at"),
    *_columns(Integer, "stage"),
    *_columns(Text, "post"),
    Column("sending_since", Moment),
    Column("due", Moment),
    *_columns(Integer, "sends", "attempts"),
    *_columns(Text, "answer", "question", "answered_by"),
    Column("answered_at", Moment),
    *_columns(Integer, "answers"),
    *_columns(Text, "audience", "valid_to"),
    Index("inbox_referral_due", "stage", "due"),
)
"""Questions that were passed to people who may know."""

channel_settings = Table(
    "inbox_channel_settings",
    METADATA,
    Column("channel", Text, primary_key=True),
    *_columns(Text, "answers", "sources"),  # names of sources as JSON
    *_columns(Boolean, "beside", "outsiders"),
    *_columns(Text, "ask_person", "changed_by"),
    *_columns(Moment, "changed_at"),
)
"""How the bot answers in a channel, as its managers set it last."""

user_groups = Table(
    "inbox_user_group",
    METADATA,
    Column("group_id", Text, primary_key=True),
    *_columns(Text, "handle", "members"),  # ids of users as JSON
    *_columns(Moment, "read_at"),
)
"""User groups of Slack, as they were last read."""

installations = Table(
    "inbox_installation",
    METADATA,
    Column("workspace", Text, primary_key=True),
    *_columns(Text, "enterprise"),
    *_columns(Text, "sealed"),  # empty for one in whose organisation the bot is installed
    *_columns(Moment, "installed_at"),
)
"""The bot in a workspace, or in all of an organisation; sealed under the key of the settings."""

oauth_states = Table(
    "inbox_oauth_state",
    METADATA,
    Column("state", Text, primary_key=True),
    *_columns(Moment, "until"),
)
"""Installations that somebody began."""


_ASKED = (
    *("key", "private", "thread", "ts", "quoted", "shared", "stands_alone", "as_of"),
    *("respond_at", "beside", "action_token"),
)
"""Columns that bear the name and the value of what was asked."""
_MOVING = ("channel", "sending_since", "placeholder", "told", "attempts", "posted_at", "respond_at")
"""The same of those that change on an exchange's way; the stage does, too."""
_FIXED = ("exchange_id", "audit_id", "received_at", "paced_until", "withdrawn_at")


_BEGUN: Mapping[str, Any] = {
    "stage": Stage.PLACEHOLDER.value,
    **dict.fromkeys(("sending_since", "posted_at", "withdrawn_at")),
    **dict.fromkeys(("placeholder", "told", "claimed_by"), ""),
    "attempts": 0,
    "passable": False,
    "claimed_until": EPOCH,
}


def row_of(
    incoming: Incoming, audit_id: str, now: datetime, starts: datetime, due: datetime
) -> dict[str, Any]:
    """Return values of a new row; text that no database could hold is replaced."""
    files = [asdict(each) for each in incoming.attached]
    return {
        **{name: getattr(incoming, name) for name in _ASKED},
        "audit_id": audit_id,
        "conversation": incoming.conversation,
        "kind": incoming.kind.value,
        "text": storable(incoming.text),
        "user_id": incoming.user,
        "asked_channel": incoming.channel,
        "origin_channel": incoming.origin.channel,
        "origin_thread": incoming.origin.thread,
        "attached": json.dumps(files) if files else "",
        "answers": incoming.answers.value,
        "received_at": now,
        "paced_until": starts,
        "due": due,
        "channel": incoming.channel,
        "not_before": now,
        **_BEGUN,
    }


def attached_in(column: str) -> tuple[AttachedFile, ...]:
    return tuple(AttachedFile(**each) for each in json.loads(column)) if column else ()


def progress_of(exchange: Exchange) -> dict[str, Any]:
    known = {name: getattr(exchange, name) for name in _MOVING}
    used = {} if exchange.stage < Stage.POSTING else {"action_token": ""}
    return {"stage": exchange.stage.value, **known, **used}


def exchange_of(row: Row[Any]) -> Exchange:
    known = {name: getattr(row, name) for name in (*_FIXED, *_MOVING)}
    asked = Incoming(
        **{name: getattr(row, name) for name in _ASKED},
        text=row.text,
        user=row.user_id,
        channel=row.asked_channel,
        kind=Intent(row.kind),
        origin=Origin(row.origin_channel, row.origin_thread),
        attached=attached_in(row.attached),
        answers=Answers(row.answers),
    )
    return Exchange(asked=asked, stage=Stage(row.stage), **known)


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
    kind = Intent(values.pop("kind"))
    return Incoming(**values, kind=kind, origin=origin, answers=answers, attached=files)
