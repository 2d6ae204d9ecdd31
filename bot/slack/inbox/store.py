"""Where everything stands that somebody asked in Slack and that is not done yet.

A question is stored here before Slack hears that it was received, and every step on its way is
stored when it is done. So a process may die at any moment: the next one goes on from here. Whoever
works on an exchange holds a lease; that of a dead process runs out.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Condition, Lock
from typing import Any, Self
from uuid import uuid4

from filelock import FileLock
from sqlalchemy import Connection, Engine, Row, insert, select, update

from audit.database import Door
from audit.engines import is_file
from audit.storing.tables import of_team, storable
from audit.values import new_id
from bot.answering.followups import MOST_RECALLED, recalled
from bot.errors import LeaseLost
from bot.slack.exchange import Answers, Exchange, Incoming, Intent, Origin, Stage, first_key
from bot.slack.inbox import queries
from bot.slack.inbox.database import STORE, open_engine, own_file
from bot.slack.inbox.kept import Attachments, ChannelSettingsStore, Referrals, forget_attachments
from bot.slack.inbox.queries import Pace, paced
from bot.slack.inbox.removals import (
    StaleMessages,
    Uploads,
    add_stale,
    fold_passed_on,
    reply_to_fold,
)
from bot.slack.inbox.tables import EPOCH, exchange_of, exchanges, progress_of, row_of

LEASE = timedelta(seconds=15)
"""So long what a lost bot had in hand waits. Renewed long before; clocks of several machines may
differ by a part of it."""
MOST_WAITING = 20
MOST_UNASKED = 3
"""So many of somebody's questions may wait where one comes that nobody asked the bot."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of something that came in."""

    starts: datetime
    """Not before; later than now for somebody who asks very much."""
    stored: bool = False
    """False where it was there already, or was refused."""
    refused: bool = False
    """The person has too many questions waiting."""
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Backlog:
    waiting: Mapping[Stage, int]
    oldest: datetime | None
    leases: int


class Wakeup:
    """Counts its calls, so that one between looking and falling asleep is not missed."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._count = 0
        self._watched = False

    @property
    def count(self) -> int:
        """Return how often it was called: read it before looking for work, for `wait`."""
        with self._condition:
            return self._count

    def notify(self) -> None:
        with self._condition:
            self._count += 1
            self._condition.notify()

    def notify_all(self) -> None:
        with self._condition:
            self._count += 1
            self._condition.notify_all()

    def wait(self, count: int, seconds: float) -> None:
        """Sleep until it is called; not at all where that happened since `count`.

        One of those who sleep wakes when time is up, too. If it finds something to do, it is to
        call the next one, who then watches in its place.
        """
        with self._condition:
            self._condition.wait_for(lambda: self._count != count or not self._watched)
            if self._count == count:
                self._watched = True
                self._condition.wait(seconds)
                self._watched = False


class Inbox(Door):
    """Safe to share between threads; several processes may share one on PostgreSQL."""

    def __init__(self, engine: Engine, lock: FileLock | None) -> None:
        super().__init__(engine)
        self._lock = lock
        self._process = str(uuid4())
        self._held: set[int] = set()
        self._turn = Lock()  # SQLite's own waiting polls, which is slow among threads
        self.wakeups: Mapping[Stage, Wakeup] = {stage: Wakeup() for stage in Stage}
        """One for each stage; who is woken within a transaction waits for its end to look."""
        self.stale_messages = StaleMessages(self._transaction)
        self.uploads = Uploads(self._transaction)
        self.referrals = Referrals(self._transaction)
        self.channel_settings = ChannelSettingsStore(self._transaction)
        self.attachments = Attachments(self._transaction)

    @classmethod
    def open(cls, url: str) -> Self:
        """Open it, and make it where there is none; raise `InboxUnavailable`.

        A file belongs to one process, so all leases in it are of dead ones.
        """
        parsed = STORE.parse(url)
        lock = own_file(parsed) if is_file(parsed) else None
        try:
            inbox = cls(open_engine(parsed), lock)
            if lock:
                inbox.release_all()
        except BaseException:
            if lock:
                lock.release()
            raise
        return inbox

    def close(self) -> None:
        super().close()
        if self._lock:
            self._lock.release()

    def take_in(self, incoming: Incoming, now: datetime, *, again: bool = False) -> Receipt:
        """Store what somebody said, durably; once, however often it is delivered.

        What they changed is asked anew, and what was answered is folded. Where it was changed again
        since, or deleted, nothing happens; what it said before is not taken in if it comes late.
        `again`: although it was refused.
        """
        with self._transaction() as connection:
            return self._taken_in(connection, incoming, now, again=again)

    def follow_up(self, incoming: Incoming, now: datetime) -> Receipt:
        """Store what goes on in a thread where the person asked.

        Where they did not ask, their question may still be on its way, if Slack must deliver
        it again: this is kept for a while then, and taken in with it.
        """
        asked = queries.question_in(incoming.channel, incoming.thread, incoming.user)
        with self._transaction() as connection:
            if connection.scalar(asked):
                return self._taken_in(connection, incoming, now)
            queries.keep_early(connection, incoming, now)
        return Receipt(now)

    def set_intent(self, exchange: Exchange, kind: Intent, now: datetime) -> Exchange:
        """Keep what somebody wants; a question counts, and what they went on to say is taken in.

        Return it so. Raise `LeaseLost` where another process has taken it over.
        """
        asked, starts = replace(exchange.asked, kind=kind), exchange.paced_until
        told: dict[str, Any] = {"kind": kind.value, "text": storable(asked.text)}
        told["quoted"] = asked.quoted
        with self._transaction() as connection:
            if kind is Intent.QUESTION:
                turn = paced(connection, asked.user, exchange.received_at)
                starts = turn.starts
                told |= {"paced_until": starts, "due": turn.due}
            if kind.value in queries.GOES_ON:
                for later in queries.take_early(connection, asked):
                    self._taken_in(connection, later, now)
            self._change(connection, exchange, told)
        return replace(exchange, asked=asked, paced_until=starts)

    def withdraw(self, key: str, now: datetime, *, may_come: bool = True) -> None:
        """The person deleted what they said: it is not answered; a reply that stands is folded.

        So it is where they changed it and it asks nothing: then `key` is that which a correction
        would have, and what came later stands. `may_come`: what it said before may be on its way.
        """
        original = first_key(key)
        why, last = ("gone", key) if original != key else ("deleted", f"{key}{queries.DELETED}")
        with self._transaction() as connection:
            queries.withdraw_early(connection, original)
            newest = queries.newest(connection, original)
            if original != key and (newest >= key if newest else not may_come):
                return
            for each in (original, last):
                queries.add_tombstone(connection, each, now)
            self._withdrawn(connection, original, now, why)
            forget_attachments(connection, original)

    def heard_by(self, key: str) -> Answers | None:
        """Return by which setting what a message says, or said, was heard; None for never.

        Of several that it was asked of the bot.
        """
        with self._transaction() as connection:
            heard = connection.scalars(select(exchanges.c.answers).where(queries.version_of(key)))
            by = set(map(Answers, heard))
        return Answers.MENTIONED if Answers.MENTIONED in by else next(iter(by), None)

    def _withdrawn(
        self, connection: Connection, key: str, now: datetime, why: str, but: str = ""
    ) -> None:
        still = (exchanges.c.withdrawn_at.is_(None), exchanges.c.key != but)
        mine = (queries.version_of(key), *still)
        waits = exchanges.c.stage <= Stage.POSTING.value
        stands = exchanges.c.kind == Intent.QUESTION.value, exchanges.c.placeholder != ""
        asked = [exchange_of(row) for row in connection.execute(select(exchanges).where(*mine))]
        by_id = {each.audit_id: each for each in asked}
        passed_on = self.referrals.close(connection, by_id)
        taken_back = {each.audit_id for each in passed_on if not each.is_over}
        for row in connection.execute(select(exchanges).where(*mine, ~waits, *stands)).all():
            says = f"{why}, taken back" if row.audit_id in taken_back else why
            add_stale(connection, reply_to_fold(exchange_of(row), says), now)
        for each in passed_on:
            fold_passed_on(connection, by_id[each.audit_id], each, why, now)
        gone = {"not_before": now, "paced_until": now}
        connection.execute(update(exchanges).where(*mine, waits).values(**gone))
        connection.execute(update(exchanges).where(*mine).values(withdrawn_at=now))
        for stage in (Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING):
            self.wakeups[stage].notify()

    def claim(self, stage: Stage, now: datetime) -> Exchange | None:
        """Take on the exchange whose turn it is, until `save` or `postpone`; None for none."""
        with self._turn:
            with STORE.transaction(self._engine) as connection:
                query = queries.next_of(stage, now, frozenset(self._held))
                row = connection.execute(query).one_or_none()
                if row is None:
                    return None
                lease = {"claimed_by": self._process, "claimed_until": now + LEASE}
                mine = exchanges.c.exchange_id == row.exchange_id
                connection.execute(update(exchanges).where(mine).values(**lease))
            self._held.add(row.exchange_id)
        return exchange_of(row)

    @property
    def in_hand(self) -> int:
        return len(self._held)

    def save(self, exchange: Exchange, *, keep: bool = False) -> None:
        """Store where it stands now; `keep`: the step goes on and so does the lease.

        Raise `LeaseLost` where another process has taken it over.
        """
        changes = progress_of(exchange)
        self._give_back(exchange, changes if keep else {**changes, "passable": False}, keep=keep)
        if not keep:
            self.wakeups[exchange.stage].notify()

    def postpone(self, exchange: Exchange, until: datetime, *, passable: bool = False) -> None:
        """Try again later; what a broken-off step stored with `keep` stands.

        `passable`: it fails for a reason of its own, so nobody has to wait for it.
        Raise `LeaseLost` where another process has taken it over.
        """
        kept = {"told": exchange.told, "attempts": exchange.attempts}
        self._give_back(exchange, {**kept, "not_before": until, "passable": passable}, keep=False)

    def renew(self, now: datetime) -> None:
        with self._transaction() as connection:
            mine = (
                exchanges.c.exchange_id.in_(frozenset(self._held)),
                exchanges.c.claimed_by == self._process,
            )
            connection.execute(update(exchanges).where(*mine).values(claimed_until=now + LEASE))

    def release_all(self) -> None:
        """Free every lease and wait no more, only where no other process can be at work."""
        with self._transaction() as connection:
            claimed = exchanges.c.claimed_until > EPOCH
            connection.execute(update(exchanges).where(claimed).values(claimed_until=EPOCH))
            failed = (exchanges.c.attempts > 0, exchanges.c.stage <= Stage.DELIVERY.value)
            connection.execute(update(exchanges).where(*failed).values(not_before=EPOCH))

    def previous(self, exchange: Exchange) -> tuple[str, ...]:
        """Return earlier questions of the conversation that it may refer to, oldest first."""
        if exchange.asked.stands_alone:
            return ()
        return recalled([row.text for row in self._before(exchange)])

    def records_before(self, exchange: Exchange) -> list[str]:
        """Return the ids of the records of the last that were asked of the bot, newest first."""
        asked = [row for row in self._before(exchange) if row.answers == Answers.MENTIONED]
        return [row.audit_id for row in reversed(asked)][:MOST_RECALLED]

    def _before(self, exchange: Exchange) -> Sequence[Row[Any]]:
        with self._transaction() as connection:
            return connection.execute(queries.previous_to(exchange)).all()

    def unasked_reply(self, channel: str, ts: str) -> Exchange | None:
        """Return the exchange whose reply, which nobody asked for, is this message; else None."""
        with self._transaction() as connection:
            row = connection.execute(queries.unasked_reply(channel, ts)).one_or_none()
        return exchange_of(row) if row else None

    def is_among_others(self, exchange: Exchange) -> bool:
        """Tell whether more than a placeholder stands between: then the reply must quote."""
        return self._number(queries.others_meanwhile(exchange)) > 0

    def origin(self, audit_id: str) -> Origin:
        """Return where a private question came from; nowhere where it did not, or is forgotten."""
        with self._transaction() as connection:
            row = connection.execute(queries.origin_of(audit_id)).one_or_none()
        return Origin(*row) if row else Origin()

    def ahead(self, exchange: Exchange, now: datetime) -> int:
        return self._number(queries.waiting_before(exchange.exchange_id, now))

    def to_deliver(self, until: datetime, now: datetime) -> int:
        """Return how many answered questions this process may still post before a moment."""
        return self._number(queries.to_deliver(until, now, self._process))

    def backlog(self, now: datetime) -> Backlog:
        with self._transaction() as connection:
            rows = connection.execute(queries.backlog()).all()
            leases = connection.scalar(queries.leased(now)) or 0
        waiting = {Stage(stage): number for stage, number, _ in rows}
        return Backlog(
            {stage: waiting.get(stage, 0) for stage in Stage if stage <= Stage.DELIVERY},
            min((since for _, _, since in rows), default=None),
            leases,
        )

    def counts(self) -> dict[Stage, int]:
        with self._transaction() as connection:
            found = {Stage(row[0]): row[1] for row in connection.execute(queries.by_stage())}
        return {stage: found.get(stage, 0) for stage in Stage}

    def leave(self, team: str) -> int:
        """End what waits in a workspace the bot left (empty: the home's); how many questions."""
        mine = of_team(exchanges.c.user_id, team), exchanges.c.stage <= Stage.POSTING.value
        let_go = dict.fromkeys(("claimed_by", "action_token"), "")
        ended = {"stage": Stage.UNDELIVERABLE.value, "claimed_until": EPOCH, **let_go}
        with self._transaction() as connection:
            found = connection.execute(update(exchanges).where(*mine).values(**ended))
            self.referrals.leave(connection, team)
        return found.rowcount

    def forget_early_follow_ups(self, now: datetime) -> None:
        with self._transaction() as connection:
            queries.forget_early(connection, now)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._turn, STORE.transaction(self._engine) as connection:
            yield connection

    def _taken_in(
        self, connection: Connection, said: Incoming, now: datetime, *, again: bool = False
    ) -> Receipt:
        """Take it in as what its message says now."""
        original = first_key(said.key)
        if original == said.key and not again:
            return self._stored(connection, said, now)
        newest = queries.newest(connection, original)
        if newest > said.key or (newest == said.key and not again):
            return Receipt(now)
        if original != said.key:
            queries.add_tombstone(connection, original, now)
        receipt = self._stored(connection, said, now, again=again)
        if receipt.stored:
            why = "gone" if said.is_unasked else "changed"
            self._withdrawn(connection, original, now, why, but=said.key)
        return receipt

    def _stored(
        self, connection: Connection, incoming: Incoming, now: datetime, *, again: bool = False
    ) -> Receipt:
        """What a change of it came before is not taken in; `again`: although it was refused."""
        known = queries.stored if again else queries.already
        there = connection.scalar(known(incoming.key))
        waiting = int(connection.scalar(queries.waiting_besides(incoming)) or 0)
        full = waiting >= (MOST_UNASKED if incoming.is_unasked else MOST_WAITING)
        if there is not None or full:
            refused = full and there is None
            if refused and incoming.comes_again and not incoming.is_unasked:
                queries.add_tombstone(connection, incoming.key, now)
            return Receipt(now, refused=refused, waiting=waiting)
        # Help is short, and never slowed; what nobody asked slows nobody down.
        asks = incoming.kind is Intent.QUESTION and not incoming.is_unasked
        turn = paced(connection, incoming.user, now) if asks else Pace(now, now)
        row = row_of(incoming, new_id(now), now, turn.starts, turn.due)
        connection.execute(insert(exchanges).values(row))
        if asks:
            for later in queries.take_early(connection, incoming):
                self._taken_in(connection, later, now)
        self.wakeups[Stage.PLACEHOLDER].notify()
        return Receipt(turn.starts, stored=True, waiting=waiting)

    def _give_back(self, exchange: Exchange, changes: Mapping[str, Any], *, keep: bool) -> None:
        freed = {} if keep else {"claimed_until": EPOCH, "claimed_by": ""}
        with self._turn:
            with STORE.transaction(self._engine) as connection:
                before = self._change(connection, exchange, {**changes, **freed})
            if not keep:
                self._held.discard(exchange.exchange_id)
        if not keep:
            self.wakeups[before].notify()

    def _change(
        self, connection: Connection, exchange: Exchange, changes: Mapping[str, Any]
    ) -> Stage:
        """Change what this process has in hand, and return the stage at which it stood."""
        own = exchanges.c.claimed_by == self._process
        mine = exchanges.c.exchange_id == exchange.exchange_id, own
        before = connection.scalar(select(exchanges.c.stage).where(*mine))
        if before is None:
            self._held.discard(exchange.exchange_id)
            raise LeaseLost(f"Exchange {exchange.exchange_id} was taken over by another process.")
        connection.execute(update(exchanges).where(*mine).values(**changes))
        return Stage(before)

    def _number(self, query: Any) -> int:
        with self._transaction() as connection:
            return int(connection.scalar(query) or 0)
