"""What the bot put into Slack and has to take away again, and what leaves the inbox itself.

An inbox that comes back from a backup knows nothing of what was said since. A question that waited
then may have been answered an hour later, so none is answered again. Its placeholder is taken away,
if it still stands. Whose reply was posted already is only recorded.
"""

from collections.abc import Collection
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    case,
    delete,
    insert,
    or_,
    select,
    text,
    update,
)

from audit.engines import file_of, is_file, scrub_file
from bot.slack.exchange import Exchange, Stage
from bot.slack.inbox.database import STORE, DueRows, Transact, is_missing, opened
from bot.slack.inbox.kept import OVER, TO_BE_SENT, Referral, ReferralStage, forget_attachments
from bot.slack.inbox.tables import (
    EPOCH,
    attached_in,
    attachments,
    early_follow_ups,
    exchange_of,
    exchanges,
    paces,
    referrals,
    stale_messages,
    tombstones,
    uploads,
)

HOLD = timedelta(seconds=60)
"""How long one replica has one of them for itself."""
MAY_COME_LATE = timedelta(minutes=10)
"""After which Slack carries out nothing any more that it did not say it had."""
_CLOCKS_DIFFER = timedelta(minutes=10)
"""At most, between this machine and Slack."""
NOT_STORED_MARK = "vouch-unkept"
"""`block_id` of the first block of a notice that a question could not be kept."""


@dataclass(frozen=True, slots=True)
class StaleMessage:
    """One message, or all that bear a mark and are not the reply."""

    channel: str
    thread: str = ""
    """Where to look; empty for the top level."""
    ts: str = ""
    """Of the message; empty where it must be looked for."""
    mark: str = ""
    """`block_id` of its first block; with a hyphen at its end, what that begins with."""
    oldest: str = ""
    """A `ts` that it is certainly after."""
    exchange_id: int | None = None
    """Its reply bears the same mark and stays; nothing is looked for before it is posted."""
    says: str = ""
    """Which of `wording.FOLDED` stands in its place afterwards; empty where it is deleted."""


@dataclass(frozen=True, slots=True)
class Removal:
    """A stale message whose turn it is to be removed."""

    stale_message_id: int
    what: StaleMessage
    added_at: datetime
    look_until: datetime
    attempts: int
    """Failures so far, or looks."""
    reply: str
    """`ts` of the reply, which stays; empty for none."""
    waits: bool
    audit_id: str


class StaleMessages(DueRows[Removal]):
    """Messages that are to be removed from Slack."""

    def __init__(self, transact: Transact) -> None:
        super().__init__(transact, stale_messages, "not_before", HOLD, _REMOVALS, _removal)

    def add(self, what: StaleMessage, now: datetime, look_for: timedelta = timedelta()) -> None:
        """Have it removed; `look_for`: how long it may still appear."""
        with self._transact() as connection:
            add_stale(connection, what, now, look_for)


def add_stale(
    connection: Connection, what: StaleMessage, now: datetime, look_for: timedelta = timedelta()
) -> None:
    """Do what `StaleMessages.add` does, with what else belongs to one transaction."""
    same = [stale_messages.c[name] == getattr(what, name) for name in _SAME]
    if connection.scalar(select(stale_messages.c.stale_message_id).where(*same)) is not None:
        return
    times = {"added_at": now, "not_before": now, "look_until": now + look_for}
    connection.execute(insert(stale_messages).values(**asdict(what), **times, attempts=0))


def reply_to_fold(exchange: Exchange, says: str) -> StaleMessage:
    return StaleMessage(
        exchange.channel,
        ts=exchange.placeholder,
        exchange_id=exchange.exchange_id,
        says=says,
    )


_SAME = ("channel", "thread", "ts", "mark")
_HERE = exchanges.c.channel == stale_messages.c.channel
_STANDS = exchanges.c.stage.in_((Stage.DELIVERY.value, Stage.DONE.value))
_REPLY = case((and_(_HERE, _STANDS), exchanges.c.placeholder), else_="").label("reply")
"""The reply, where there is one in this channel."""
_REMOVALS = select(stale_messages, exchanges.c.stage, exchanges.c.audit_id, _REPLY).outerjoin(
    exchanges, exchanges.c.exchange_id == stale_messages.c.exchange_id
)


def fold_passed_on(
    connection: Connection, exchange: Exchange, passed_on: Referral, why: str, now: datetime
) -> None:
    """Fold a passed-on question and its answer, or delete what nobody answered."""
    if passed_on.is_over and why == "changed":
        return
    shown, oldest = [], ts_before(passed_on.created_at)
    if passed_on.post:
        says = "asked" if passed_on.answers else ""
        shown.append(StaleMessage(passed_on.channel, ts=passed_on.post, says=says))
    elif passed_on.stage is ReferralStage.POSTING:
        shown.append(StaleMessage(passed_on.channel, mark=passed_on.marks, oldest=oldest))
    alone = exchange.asked.private or exchange.moved
    where = passed_on.asked_channel or (exchange.channel if alone else "")
    if passed_on.answers and where:
        place = (where, passed_on.asked_thread)
        shown.append(StaleMessage(*place, mark=passed_on.marks, oldest=oldest, says="given"))
    on_its_way = passed_on.stage.value in TO_BE_SENT
    for each in shown:
        add_stale(connection, each, now, MAY_COME_LATE if on_its_way else timedelta())


def placeholder_of(exchange: Exchange) -> StaleMessage:
    """Return what was posted for an exchange that gets no reply there."""
    return StaleMessage(exchange.channel, ts=exchange.placeholder)


def late_sends(stale_messages: StaleMessages, exchange: Exchange, now: datetime) -> None:
    """Have removed what was sent without a known outcome and appears after all."""
    late = StaleMessage(
        exchange.channel,
        exchange.thread,
        mark=exchange.mark,
        oldest=earliest_ts(exchange),
        exchange_id=exchange.exchange_id,
    )
    stale_messages.add(late, now, MAY_COME_LATE)


def earliest_ts(exchange: Exchange) -> str:
    """Return a `ts` that the message's is certainly after."""
    if not exchange.quoted:
        return exchange.asked.ts
    return ts_before(exchange.received_at)


def ts_before(moment: datetime) -> str:
    """Return a `ts` that whatever is sent from then on is certainly after."""
    return f"{(moment - _CLOCKS_DIFFER).timestamp():.6f}"


def _removal(row: Row[Any]) -> Removal:
    what = StaleMessage(
        row.channel, row.thread, row.ts, row.mark, row.oldest, row.exchange_id, row.says
    )
    is_known = row.stage is not None
    return Removal(
        stale_message_id=row.stale_message_id,
        what=what,
        added_at=row.added_at,
        look_until=row.look_until,
        attempts=row.attempts,
        reply=row.reply or "",
        waits=is_known and row.stage < Stage.DONE.value,
        audit_id=row.audit_id or "",
    )


@dataclass(frozen=True, slots=True)
class Upload:
    """A file whose turn it is to be deleted."""

    file_id: str
    attempts: int


class Uploads(DueRows[Upload]):
    """Files that are to be deleted from Slack."""

    def __init__(self, transact: Transact) -> None:
        super().__init__(transact, uploads, "not_before", HOLD, select(uploads), _upload)

    def add(self, file_id: str, until: datetime) -> None:
        """Have a file deleted from then on; noted before anything is in it."""
        with self._transact() as connection:
            values = {"file_id": file_id, "not_before": until, "attempts": 0}
            connection.execute(insert(uploads).values(**values))


def _upload(row: Row[Any]) -> Upload:
    return Upload(row.file_id, row.attempts)


SKIPPED = 1_000_000
"""Ids left out: those given since are in Slack as marks of messages, and none is given twice."""


def set_aside(path: str, now: datetime) -> int:
    """End what waits in a SQLite inbox; how many. Raise `InboxUnavailable`."""
    with opened(path) as connection:
        stale = StaleMessages(lambda: nullcontext(connection))
        unposted = exchanges.c.stage <= Stage.POSTING.value, exchanges.c.posted_at.is_(None)
        rows = connection.execute(select(exchanges).where(*unposted))
        waiting = [exchange_of(row) for row in rows]
        for exchange in waiting:
            # Help and thanks, also for a file, bear a placeholder mark but are replies, and stay.
            if not exchange.asked.kind.may_ask:
                continue
            if exchange.placeholder:
                stale.add(placeholder_of(exchange), now)
            elif exchange.channel:
                late_sends(stale, exchange, now)
        ended = {"stage": Stage.UNDELIVERABLE.value}
        connection.execute(update(exchanges).where(*unposted).values(**ended))
        connection.execute(update(exchanges).values(claimed_by="", claimed_until=EPOCH))
        unsent = update(referrals).where(referrals.c.stage.in_(TO_BE_SENT))
        # or sent since, so it is looked for first
        connection.execute(unsent.values(sending_since=referrals.c.created_at))
        connection.execute(delete(early_follow_ups))  # what they follow may be answered by now
        _skip_ids(connection)
    return sum(exchange.asked.kind.may_ask for exchange in waiting)


def _skip_ids(connection: Connection) -> None:
    """Go on far above the last id, also where none was given yet (sqlite.org/autoinc.html)."""
    table = {"table": exchanges.name}
    last = connection.scalar(text("SELECT seq FROM sqlite_sequence WHERE name = :table"), table)
    connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :table"), table)
    counted = {**table, "last": (last or 0) + SKIPPED}
    connection.execute(text("INSERT INTO sqlite_sequence VALUES (:table, :last)"), counted)


RETENTION = timedelta(days=30)
"""To tell a late repetition from a new question and to go on with an old thread."""
FINISHED = (Stage.DONE.value, Stage.UNDELIVERABLE.value, Stage.WITHDRAWN.value)


def forget_in(url: str, now: datetime) -> int:
    """Remove what was finished and received long ago, and return how many exchanges.

    The audit store has it. What people said among themselves goes much sooner, as
    `queries.forget_early` says. Another process may own the inbox; one that is not there is
    left so. Raise `InboxUnavailable`.
    """
    if is_missing(url):
        return 0
    before = now - RETENTION
    done = exchanges.c.stage.in_(FINISHED), exchanges.c.received_at < before
    over = referrals.c.stage.in_(OVER), referrals.c.created_at < before
    with opened(url) as connection:
        removed = connection.execute(delete(exchanges).where(*done))
        connection.execute(delete(referrals).where(*over))
        connection.execute(delete(attachments).where(attachments.c.added_at < before))
        connection.execute(delete(paces).where(paces.c.next_expected < before))
        connection.execute(delete(tombstones).where(tombstones.c.since < before))
        connection.execute(delete(stale_messages).where(stale_messages.c.added_at < before))
    return removed.rowcount


_AT_ONCE = 500


def erase_in(url: str, person: str, audit_ids: Collection[str]) -> int:
    """Remove questions, files, notes and referrals of a person, and of records; how many.

    `person`: empty for none. An inbox that is not there is left so. Raise `InboxUnavailable`.
    """
    if is_missing(url):
        return 0
    with opened(url) as connection:
        removed = _of_person(connection, person) if person else 0
        ids = sorted(audit_ids)
        for start in range(0, len(ids), _AT_ONCE):
            removed += _of_records(connection, ids[start : start + _AT_ONCE])
    parsed = STORE.parse(url)
    with STORE.explained(parsed):
        if is_file(parsed):
            scrub_file(file_of(parsed))
    return removed


def _of_person(connection: Connection, person: str) -> int:
    mine = exchanges.c.user_id == person
    _files(connection, mine)
    removed = connection.execute(delete(exchanges).where(mine)).rowcount
    theirs = or_(referrals.c.asker == person, referrals.c.answered_by == person)
    connection.execute(delete(referrals).where(theirs))
    connection.execute(delete(early_follow_ups).where(early_follow_ups.c.user_id == person))
    connection.execute(delete(paces).where(paces.c.user_id == person))
    return removed


def _of_records(connection: Connection, audit_ids: list[str]) -> int:
    theirs = exchanges.c.audit_id.in_(audit_ids)
    _files(connection, theirs)
    connection.execute(delete(referrals).where(referrals.c.audit_id.in_(audit_ids)))
    return connection.execute(delete(exchanges).where(theirs)).rowcount


def _files(connection: Connection, of: ColumnElement[bool]) -> None:
    for key, attached in connection.execute(
        select(exchanges.c.key, exchanges.c.attached).where(of)
    ).all():
        for each in {key, *(file.message for file in attached_in(attached))}:
            forget_attachments(connection, each)
