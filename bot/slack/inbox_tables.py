"""The rows of the inbox; they have a registry of their own, as the audit store's do."""

from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from sqlalchemy import BigInteger, Dialect, Index, Integer, Row, Table, Text
from sqlalchemy.orm import registry
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

from audit.columns import storable
from bot.slack.exchange import Exchange, Incoming, Kind, Stage

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
    received_at: datetime = Field(sa_type=Moment)
    paced_until: datetime = Field(sa_type=Moment)
    stage: int
    channel: str = Field(sa_type=Text)
    placing_since: datetime | None = Field(default=None, sa_type=Moment)
    placeholder: str = Field(default="", sa_type=Text)
    told: str = Field(default="", sa_type=Text)
    attempts: int = 0
    posted_at: datetime | None = Field(default=None, sa_type=Moment)
    not_before: datetime = Field(sa_type=Moment)
    passable: bool = False
    """It fails for a reason of its own: those after it need not wait."""
    claimed_by: str = Field(default="", sa_type=Text)
    claimed_until: datetime = Field(default=EPOCH, sa_type=Moment)


class PaceRow(InboxTable, table=True):
    """What `flood.Pace` remembers of a person."""

    __tablename__: ClassVar[str] = "inbox_pace"

    user_id: str = Field(primary_key=True, sa_type=Text)
    next_expected: datetime = Field(sa_type=Moment)


exchanges: Table = InboxTable.metadata.tables["inbox_exchange"]
paces: Table = InboxTable.metadata.tables["inbox_pace"]


def row_of(incoming: Incoming, audit_id: str, now: datetime, turn: datetime) -> dict[str, Any]:
    """Values of a new row; text that no database could hold is replaced."""
    small_talk = incoming.kind is not Kind.QUESTION
    return ExchangeRow(
        audit_id=audit_id,
        key=incoming.key,
        conversation=incoming.conversation,
        kind=incoming.kind.value,
        text=storable(incoming.text),
        user_id=incoming.user,
        asked_channel=incoming.channel,
        private=incoming.private,
        thread=incoming.thread,
        ts=incoming.ts,
        quoted=incoming.quoted,
        shared=incoming.shared,
        stands_alone=incoming.stands_alone,
        received_at=now,
        paced_until=turn,
        stage=Stage.PLACING.value,
        channel=incoming.channel,
        not_before=turn if small_talk else now,
    ).model_dump(exclude={"exchange_id"})


def progress_of(exchange: Exchange) -> dict[str, Any]:
    """Values of the columns that change on an exchange's way."""
    return {
        "stage": exchange.stage.value,
        "channel": exchange.channel,
        "placing_since": exchange.placing_since,
        "placeholder": exchange.placeholder,
        "told": exchange.told,
        "attempts": exchange.attempts,
        "posted_at": exchange.posted_at,
    }


def exchange_of(row: Row[Any]) -> Exchange:
    return Exchange(
        exchange_id=row.exchange_id,
        audit_id=row.audit_id,
        asked=_asked(row),
        received_at=row.received_at,
        paced_until=row.paced_until,
        stage=Stage(row.stage),
        channel=row.channel,
        placing_since=row.placing_since,
        placeholder=row.placeholder,
        told=row.told,
        attempts=row.attempts,
        posted_at=row.posted_at,
    )


def _asked(row: Row[Any]) -> Incoming:
    return Incoming(
        key=row.key,
        text=row.text,
        user=row.user_id,
        channel=row.asked_channel,
        private=row.private,
        thread=row.thread,
        ts=row.ts,
        quoted=row.quoted,
        kind=Kind(row.kind),
        shared=row.shared,
        stands_alone=row.stands_alone,
    )
