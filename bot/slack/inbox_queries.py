"""Which exchange's turn it is, and what stands before another; as SQL."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    and_,
    exists,
    func,
    not_,
    or_,
    select,
    tuple_,
)

from bot.slack.exchange import Exchange, Kind, Stage
from bot.slack.inbox_tables import exchanges, tombstones

FOLLOW_UP = timedelta(hours=1)
"""How far back a question in a direct message may refer: its top level is no thread, and
after a while somebody talks of something else."""

_each = exchanges.c
_other = exchanges.alias("other")
_one = _other.c


def next_of(stage: Stage, now: datetime, held: frozenset[int]) -> Select[Any]:
    """Return the exchange whose turn it is at a stage; `held`: ids in hand of this process."""
    conditions = [
        _each.stage == stage.value,
        _each.not_before <= now,
        _each.claimed_until <= now,
        _each.exchange_id.not_in(held),
        not_(_somebody_is_before(stage, now)),
    ]
    if stage is Stage.ANSWERING:
        conditions += [_each.paced_until <= now, not_(_person_is_being_answered(now))]
    return select(exchanges).where(*conditions).order_by(*_queue_order()).limit(1)


def _queue_order() -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    return _each.not_before, _each.exchange_id


def _somebody_is_before(stage: Stage, now: datetime) -> ColumnElement[bool]:
    """Tell whether an exchange would overtake another of its conversation.

    Nobody waits, though, for somebody else who is slowed down for asking too much, nor for
    a question that fails for a reason of its own.
    """
    slowed = and_(_one.user_id != _each.user_id, _one.paced_until > now)
    return exists().where(
        _one.conversation == _each.conversation,
        _one.stage <= stage.value,
        tuple_(_one.ts, _one.exchange_id) < tuple_(_each.ts, _each.exchange_id),
        not_(_one.passable),
        not_(slowed),
    )


def _person_is_being_answered(now: datetime) -> ColumnElement[bool]:
    return exists().where(
        _one.user_id == _each.user_id,
        _one.stage == Stage.ANSWERING.value,
        _one.claimed_until > now,
    )


def already(key: str) -> CompoundSelect[Any]:
    """Tell whether something was stored, or is not to be."""
    return (
        select(_each.key)
        .where(_each.key == key)
        .union_all(select(tombstones.c.key).where(tombstones.c.key == key))
    )


def waiting_of(user: str) -> Select[Any]:
    """Return how many of a person's questions are not answered yet."""
    return _count().where(_each.user_id == user, _each.stage <= Stage.ANSWERING.value)


def waiting_before(exchange_id: int, now: datetime) -> Select[Any]:
    """Count the questions of anybody that wait to be answered before one."""
    unclaimed = and_(_each.stage == Stage.ANSWERING.value, _each.claimed_until <= now)
    return _count().where(
        _each.exchange_id < exchange_id,
        _each.kind == Kind.QUESTION.value,
        or_(_each.stage == Stage.PLACEHOLDER.value, unclaimed),
        _each.paced_until <= now,
    )


def by_stage() -> Select[Any]:
    return select(_each.stage, func.count()).group_by(_each.stage)


def previous_to(exchange: Exchange) -> Select[Any]:
    """Return the questions before one in its conversation, and their records' ids, oldest first.

    In a channel of everybody in the thread, since everybody there reads them. A thread in a
    direct message begins under a question of its top level, or under its reply.
    """
    asked = exchange.asked
    here = _each.conversation == asked.conversation
    if asked.private and asked.thread:
        root = or_(_each.ts == asked.thread, _each.placeholder == asked.thread)
        here = or_(here, and_(root, _each.user_id == asked.user, _each.private))
    conditions = [
        here,
        _each.kind == Kind.QUESTION.value,
        tuple_(_each.ts, _each.exchange_id) < tuple_(asked.ts, exchange.exchange_id),
        _each.withdrawn_at.is_(None),
    ]
    if asked.private and not asked.thread:
        conditions.append(_each.received_at >= exchange.received_at - FOLLOW_UP)
    asked_before = select(_each.text, _each.audit_id).where(*conditions)
    return asked_before.order_by(_each.ts, _each.exchange_id)


def others_meanwhile(exchange: Exchange) -> Select[Any]:
    """Count the questions of the conversation that came after one, or are replied to after it."""
    asked = exchange.asked
    later = tuple_(_each.ts, _each.exchange_id) > tuple_(asked.ts, exchange.exchange_id)
    open_still = _each.stage <= Stage.POSTING.value
    return _count().where(
        _each.conversation == asked.conversation,
        _each.exchange_id != exchange.exchange_id,
        _each.kind == Kind.QUESTION.value,
        _each.withdrawn_at.is_(None),
        or_(later, open_still, _each.posted_at > exchange.received_at),
    )


def question_in(channel: str, thread: str, user: str) -> Select[Any]:
    return _count().where(
        _each.conversation == f"{channel}:{thread}",
        _each.user_id == user,
        _each.kind == Kind.QUESTION.value,
    )


def to_deliver(until: datetime, now: datetime, process: str) -> Select[Any]:
    """Count what is answered and this process may post, or record, before a moment."""
    free = or_(_each.claimed_until <= now, _each.claimed_by == process)
    stages = (Stage.POSTING.value, Stage.DELIVERY.value)
    return _count().where(_each.stage.in_(stages), _each.not_before <= until, free)


def _count() -> Select[Any]:
    return select(func.count()).select_from(exchanges)
