"""The inbox in SQL: whose turn it is, what came before another, what came too early.

Who asks very much is slowed, and nobody else, by the generic cell rate algorithm in its virtual
scheduling form (ITU-T I.371, annex A), used to delay and not to discard: a burst passes at once,
what comes on top has its turn at a steady rate. One time stamp for each person is all that it
remembers.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    and_,
    delete,
    exists,
    func,
    insert,
    literal,
    not_,
    or_,
    select,
    tuple_,
    update,
)

from bot.slack.exchange import EDITED, Answers, Exchange, Incoming, Intent, Stage, first_key
from bot.slack.inbox.tables import (
    early_follow_up_of,
    early_follow_up_row,
    early_follow_ups,
    exchanges,
    paces,
    tombstones,
)

FOLLOWS_UP_FOR = timedelta(hours=1)
"""How far back a question in a direct message may refer: its top level is no thread, and
after a while somebody talks of something else."""
_exchange = exchanges.c
_other = exchanges.alias("other")
_one = _other.c
GOES_ON = (Intent.QUESTION.value, Intent.HELP.value)
"""After these somebody may go on in the thread without a mention."""
_MAY_ASK = _exchange.kind.in_([each.value for each in Intent if each.may_ask])


def next_of(stage: Stage, now: datetime, held: frozenset[int]) -> Select[Any]:
    """Return the exchange whose turn it is at a stage; `held`: ids in hand of this process."""
    conditions = [
        _exchange.stage == stage.value,
        _exchange.not_before <= now,
        _exchange.claimed_until <= now,
        _exchange.exchange_id.not_in(held),
        not_(_somebody_is_before(stage, now)),
    ]
    if stage is Stage.ANSWERING:
        conditions += [_exchange.paced_until <= now, not_(_person_is_being_answered(now))]
    in_turn = _exchange.due, _exchange.exchange_id  # nobody's many questions keep others waiting
    return select(exchanges).where(*conditions).order_by(*in_turn).limit(1)


def _somebody_is_before(stage: Stage, now: datetime) -> ColumnElement[bool]:
    """Tell whether an exchange would overtake another of its conversation.

    Nobody waits, though, for somebody else who is slowed down for asking too much, nor for
    a question that fails for a reason of its own.
    """
    slowed = and_(_one.user_id != _exchange.user_id, _one.paced_until > now)
    return exists().where(
        _one.conversation == _exchange.conversation,
        _one.stage <= stage.value,
        tuple_(_one.ts, _one.exchange_id) < tuple_(_exchange.ts, _exchange.exchange_id),
        not_(_one.passable),
        not_(slowed),
    )


def _person_is_being_answered(now: datetime) -> ColumnElement[bool]:
    return exists().where(
        _one.user_id == _exchange.user_id,
        _one.stage == Stage.ANSWERING.value,
        _one.claimed_until > now,
    )


def stored(key: str) -> Select[Any]:
    return select(_exchange.key).where(_exchange.key == key)


def already(key: str) -> CompoundSelect[Any]:
    """Tell whether something was stored, or is not to be."""
    return stored(key).union_all(select(tombstones.c.key).where(tombstones.c.key == key))


DELETED = f"{EDITED}~"
"""After the key of a message that was deleted: no change of it is later."""


def version_of(key: str, column: ColumnElement[str] = _exchange.key) -> ColumnElement[bool]:
    return or_(column == key, column.startswith(f"{key}{EDITED}", autoescape=True))


def newest(connection: Connection, key: str) -> str:
    """Return the key of what a message says last; empty where nobody knows any of it.

    Of what asked nothing, was refused or deleted a tombstone tells.
    """
    gone = tombstones.c.key.startswith(f"{key}{EDITED}", autoescape=True)
    said = select(_exchange.key).where(version_of(key))
    known = said.union_all(select(tombstones.c.key).where(gone))
    return max(connection.scalars(known), default="")


def add_tombstone(connection: Connection, key: str, now: datetime) -> None:
    if connection.scalar(select(tombstones.c.key).where(tombstones.c.key == key)) is None:
        connection.execute(insert(tombstones).values(key=key, since=now))


def waiting_besides(incoming: Incoming) -> Select[Any]:
    """Count what else of the person waits; not what it corrects."""
    return _count().where(
        _exchange.user_id == incoming.user,
        _exchange.stage <= Stage.ANSWERING.value,
        not_(version_of(first_key(incoming.key))),
    )


def waiting_before(exchange_id: int, now: datetime) -> Select[Any]:
    """Count what is answered sooner, as far as is known by now."""
    due = select(_one.due).where(_one.exchange_id == exchange_id).scalar_subquery()
    unclaimed = and_(_exchange.stage == Stage.ANSWERING.value, _exchange.claimed_until <= now)
    return _count().where(
        tuple_(_exchange.due, _exchange.exchange_id) < tuple_(due, literal(exchange_id)),
        _MAY_ASK,
        or_(_exchange.stage == Stage.PLACEHOLDER.value, unclaimed),
        _exchange.paced_until <= now,
    )


def by_stage() -> Select[Any]:
    return select(_exchange.stage, func.count()).group_by(_exchange.stage)


def backlog() -> Select[Any]:
    """Count what is not done yet, by its stage, and return since when the oldest of each is."""
    open_still = _exchange.stage <= Stage.DELIVERY.value
    oldest = func.min(_exchange.received_at)
    return select(_exchange.stage, func.count(), oldest).where(open_still).group_by(_exchange.stage)


def leased(now: datetime) -> Select[Any]:
    return _count().where(_exchange.claimed_until > now)


def previous_to(exchange: Exchange) -> Select[Any]:
    """Return the questions before one in its conversation, and their records' ids, oldest first.

    In a channel of everybody in the thread, since everybody there reads them. A thread in a
    direct message begins under a question of its top level, or under its reply.
    """
    before = tuple_(_exchange.ts, _exchange.exchange_id) < _when(exchange)
    asks = _exchange.kind == Intent.QUESTION.value
    asked_before = select(_exchange.text, _exchange.audit_id, _exchange.answers, _exchange.ts)
    return asked_before.where(*_of_conversation(exchange), asks, before).order_by(*_in_order())


def files_for(exchange: Exchange) -> Select[Any]:
    """Return what came with files in its conversation, until it, in the order of `previous_to`."""
    until = tuple_(_exchange.ts, _exchange.exchange_id) <= _when(exchange)
    with_files = [_exchange.attached != "", until]
    if exchange.asked.stands_alone:
        with_files.append(_exchange.exchange_id == exchange.exchange_id)
    found = select(_exchange.key, _exchange.asked_channel, _exchange.attached, _exchange.ts)
    return found.where(*_of_conversation(exchange), *with_files).order_by(*_in_order())


def _when(exchange: Exchange) -> ColumnElement[Any]:
    return tuple_(literal(exchange.asked.ts), literal(exchange.exchange_id))


def _in_order() -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    return _exchange.ts, _exchange.exchange_id


def _of_conversation(exchange: Exchange) -> list[ColumnElement[bool]]:
    """What a question may refer to, whenever it was said."""
    asked = exchange.asked
    here = _exchange.conversation == asked.conversation
    if asked.thread and not asked.private:
        here = or_(here, _is_beside(asked.channel, asked.thread))
    if asked.private and asked.thread:
        root = or_(_exchange.ts == asked.thread, _exchange.placeholder == asked.thread)
        here = or_(here, and_(root, _exchange.user_id == asked.user, _exchange.private))
    conditions: list[ColumnElement[bool]] = [
        here,
        _exchange.withdrawn_at.is_(None),
    ]
    if asked.private and not asked.thread:
        conditions.append(_exchange.received_at >= exchange.received_at - FOLLOWS_UP_FOR)
    return conditions


def _is_beside(channel: str, ts: str) -> ColumnElement[bool]:
    """Tell whether a reply in a channel itself is the message under which a thread began."""
    return and_(_exchange.channel == channel, _exchange.placeholder == ts, _exchange.beside)


def origin_of(audit_id: str) -> Select[Any]:
    here = (_exchange.origin_channel, _exchange.origin_thread)
    return select(*here).where(_exchange.audit_id == audit_id)


def others_meanwhile(exchange: Exchange) -> Select[Any]:
    """Count the questions of the conversation that came after one, or are replied to after it."""
    asked = exchange.asked
    later = tuple_(_exchange.ts, _exchange.exchange_id) > tuple_(asked.ts, exchange.exchange_id)
    open_still = _exchange.stage <= Stage.POSTING.value
    return _count().where(
        _exchange.conversation == asked.conversation,
        _exchange.exchange_id != exchange.exchange_id,
        _MAY_ASK,
        _exchange.withdrawn_at.is_(None),
        or_(later, open_still, _exchange.posted_at > exchange.received_at),
    )


def question_in(channel: str, thread: str, user: str) -> Select[Any]:
    """Count what somebody asked or greeted the bot with there, which it invites them to go on from.

    What it answered unasked lets nobody go on.
    """
    here = or_(_exchange.conversation == f"{channel}:{thread}", _is_beside(channel, thread))
    return _count().where(
        here,
        _exchange.user_id == user,
        _exchange.kind.in_(GOES_ON),
        _exchange.answers == Answers.MENTIONED.value,
    )


def unasked_reply(channel: str, ts: str) -> Select[Any]:
    return select(exchanges).where(
        _exchange.channel == channel,
        _exchange.placeholder == ts,
        _exchange.posted_at.is_not(None),
        _exchange.answers != Answers.MENTIONED.value,
    )


def to_deliver(until: datetime, now: datetime, process: str) -> Select[Any]:
    """Count what is answered and this process may post, or record, before a moment."""
    free = or_(_exchange.claimed_until <= now, _exchange.claimed_by == process)
    stages = (Stage.POSTING.value, Stage.DELIVERY.value)
    return _count().where(_exchange.stage.in_(stages), _exchange.not_before <= until, free)


def _count() -> Select[Any]:
    return select(func.count()).select_from(exchanges)


DELIVERED_FOR = timedelta(minutes=10)
"""How long what came first is kept for what may come after it: Slack delivers again for six
minutes."""
_early = early_follow_ups.c


def keep_early(connection: Connection, incoming: Incoming, now: datetime) -> None:
    """Keep it once, as it was said last, and not where it was taken in before."""
    forget_early(connection, now)
    first = first_key(incoming.key)
    kept = connection.scalars(select(_early.key).where(version_of(first, _early.key)))
    if max(kept, default="") > incoming.key:
        return
    withdraw_early(connection, first)
    if connection.scalar(already(incoming.key)) is None:
        connection.execute(insert(early_follow_ups).values(**early_follow_up_row(incoming, now)))


def take_early(connection: Connection, first: Incoming) -> list[Incoming]:
    """Take out what the person said in the thread after a question that came late, in order."""
    mine = (_early.conversation == first.conversation, _early.user_id == first.user)
    rows = connection.execute(select(early_follow_ups).where(*mine)).all()
    connection.execute(delete(early_follow_ups).where(*mine))
    said = [early_follow_up_of(row) for row in rows]
    return sorted((each for each in said if each.ts > first.ts), key=lambda each: each.ts)


def withdraw_early(connection: Connection, key: str) -> None:
    """Forget what a message said, before any change and after."""
    connection.execute(delete(early_follow_ups).where(version_of(key, _early.key)))


def forget_early(connection: Connection, now: datetime) -> None:
    """Remove what turned out to be said among people; what it follows must be told before."""
    follows_untold = exists().where(
        _exchange.conversation == _early.conversation,
        _exchange.user_id == _early.user_id,
        _exchange.kind == Intent.UNTOLD.value,
        _exchange.stage == Stage.PLACEHOLDER.value,
    )
    old = _early.received_at < now - DELIVERED_FOR
    connection.execute(delete(early_follow_ups).where(old, not_(follows_untold)))


@dataclass(frozen=True, slots=True)
class Pace:
    """When a question may be answered, and in which order."""

    starts: datetime
    due: datetime
    """The theoretical arrival time: when it would come of somebody who keeps to the pace.

    Who is answered in this order waits for no more of somebody else's than are due by then, however
    many that one asked before (virtual clock scheduling, L. Zhang 1990).
    """

    @property
    def next_expected(self) -> datetime:
        """To be remembered for the person's next question."""
        return self.due + INTERVAL


BURST = 10
"""Questions of one person that pass at once after a rest; at least 1."""
INTERVAL = timedelta(seconds=5)
"""Between two of those that come on top."""


def pace_of(expected: datetime | None, now: datetime) -> Pace:
    """Return the turn of a question that came just now; `expected` as the last turn left it."""
    due = max(expected or now, now)
    starts = max(now, due - INTERVAL * (BURST - 1))
    return Pace(starts, due)


def paced(connection: Connection, user: str, now: datetime) -> Pace:
    """Return when a question of somebody's that came just now has its turn, and remember it."""
    mine = paces.c.user_id == user
    expected = connection.scalar(select(paces.c.next_expected).where(mine))
    turn = pace_of(expected, now)
    known = {"next_expected": turn.next_expected}
    if expected is None:
        connection.execute(insert(paces).values(user_id=user, **known))
    else:
        connection.execute(update(paces).where(mine).values(**known))
    return turn
