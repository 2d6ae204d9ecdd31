"""The workers: they take exchanges from the inbox, one step at a time, until told to stop.

Threads of our own, because Bolt's few are for clicks, which Slack gives three seconds.
"""

import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from threading import Event, Thread

from bot.answering.observing.observer import about
from bot.errors import InboxUnavailable, LeaseLost
from bot.slack.blocks.system_messages import Trouble
from bot.slack.exchange import Exchange, Stage
from bot.slack.failures import Advise, Failure, Throttle, understand
from bot.slack.inbox.removals import late_sends, placeholder_of
from bot.slack.inbox.store import LEASE, Inbox

LOOK_AGAIN = 0.5
"""Seconds after which one worker of a stage looks again: for what was put off, and for what came to
another replica. What comes to this process wakes one at once."""
HEARTBEAT_SECONDS = LEASE.total_seconds() / 3
THREADS: Mapping[Stage, int] = {Stage.PLACEHOLDER: 4, Stage.POSTING: 4, Stage.DELIVERY: 1}
DELIVERING = frozenset({Stage.POSTING, Stage.DELIVERY})
"""What goes on while the bot stops: it is answered, and somebody waits for it."""
Step = Callable[[Exchange], Exchange]
TellTrouble = Callable[[Exchange, Trouble], None]
log = logging.getLogger(__name__)


class WorkerPool:
    """Carries every exchange through its steps; what fails for the moment is tried again."""

    def __init__(
        self,
        inbox: Inbox,
        steps: Mapping[Stage, Step],
        tell: TellTrouble,
        answering_threads: int,
        now: Callable[[], datetime],
        advise: Advise,
    ) -> None:
        """Take `steps`: one for each stage up to DELIVERY, and what is done where WITHDRAWN."""
        self._inbox = inbox
        self._steps = steps
        self._tell = tell
        self._now = now
        self._stopping = Event()
        self._stopped = Event()
        self._deadline = math.inf
        """Of delivering what is answered, by the monotonic clock, once it is stopping."""
        self._throttle = Throttle(60.0, time.monotonic)
        self._advise = advise
        threads = {**THREADS, Stage.ANSWERING: answering_threads}
        workers = {
            stage: [self._worker(stage, number) for number in range(threads[stage])]
            for stage in threads
        }
        self._workers = list(chain.from_iterable(workers.values()))
        self._before_delivering = [
            thread for stage in workers if stage not in DELIVERING for thread in workers[stage]
        ]
        self._heartbeat = Thread(target=self._renew_leases, name="inbox-leases", daemon=True)

    def start(self) -> None:
        for thread in (*self._workers, self._heartbeat):
            thread.start()

    def is_busy(self, within: float) -> bool:
        """Tell whether something is in hand, or may be posted within so many seconds."""
        return self._inbox.in_hand > 0 or self._may_deliver(within)

    def drain(self, timeout: float) -> bool:
        """Answer nothing more and post what is answered, until `timeout`; whether all ended."""
        self._deadline = time.monotonic() + timeout
        self._stopping.set()
        for wakeup in self._inbox.wakeups.values():
            wakeup.notify_all()
        for thread in self._workers:
            thread.join(max(0.0, self._deadline - time.monotonic()))
        self._stopped.set()
        self._heartbeat.join(max(0.1, self._deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._workers)

    def _worker(self, stage: Stage, number: int) -> Thread:
        name = f"{stage.name}-{number}".lower()
        return Thread(target=self._work, args=(stage,), name=name, daemon=True)

    def _work(self, stage: Stage) -> None:
        wakeup = self._inbox.wakeups[stage]
        while self._goes_on(stage):
            heard = wakeup.count
            exchange = self._claim(stage)
            if exchange is None:
                wakeup.wait(heard, LOOK_AGAIN)
            else:
                wakeup.notify()  # there may be more, and somebody must watch
                with about(exchange.audit_id):
                    self._run_step(exchange)
        wakeup.notify_all()  # nor do the others go on

    def _goes_on(self, stage: Stage) -> bool:
        """Tell whether a worker has more to do; to the end, something to post may come."""
        if not self._stopping.is_set():
            return True
        left = self._deadline - time.monotonic()
        if stage not in DELIVERING or left <= 0:
            return False
        if any(thread.is_alive() for thread in self._before_delivering):
            return True
        return self._may_deliver(left)

    def _may_deliver(self, within: float) -> bool:
        now = self._now()
        try:
            return self._inbox.to_deliver(now + timedelta(seconds=within), now) > 0
        except InboxUnavailable as error:
            self._complain(error)
            return False

    def _claim(self, stage: Stage) -> Exchange | None:
        try:
            return self._inbox.claim(stage, self._now())
        except Exception as error:
            self._complain(error)
            return None

    def _run_step(self, exchange: Exchange) -> None:
        """Run one step, whatever comes of it; a worker outlives every failure."""
        try:
            unseen = exchange.stage <= Stage.POSTING  # nobody has seen the reply
            step = Stage.WITHDRAWN if exchange.withdrawn_at and unseen else exchange.stage
            done = self._steps[step](exchange)
        except LeaseLost as error:
            log.warning("%s", error)
        except InboxUnavailable as error:
            self._complain(error)
            again = self._now() + timedelta(seconds=LOOK_AGAIN)
            self._settle(exchange, lambda: self._inbox.postpone(exchange, again))
        except Exception as error:
            self._failed(exchange, error)
        else:
            log.info(
                "Exchange %d, record %s: %s, now %s",
                exchange.exchange_id,
                exchange.audit_id,
                exchange.stage.name,
                done.stage.name,
            )
            self._settle(exchange, lambda: self._inbox.save(replace(done, attempts=0)))

    def _failed(self, exchange: Exchange, error: Exception) -> None:
        failure = understand(error)
        self._advise(failure)
        if failure.no_place:
            elsewhere = exchange.elsewhere()
            self._leave(exchange)
            log.warning(
                "Exchange %d cannot be replied to there, now %s: %s",
                exchange.exchange_id,
                elsewhere.stage.name,
                error,
            )
            self._settle(exchange, lambda: self._inbox.save(elsewhere))
            return
        limited = failure.retry_after is not None
        attempts = exchange.attempts if limited else exchange.attempts + 1
        wait = failure.wait(max(attempts, 1))
        self._log(exchange, error, failure, wait)
        later = replace(exchange, attempts=attempts, told=self._trouble_told(exchange, failure))
        passable = failure.concerns_this_alone(attempts)
        again = self._now() + wait
        self._settle(exchange, lambda: self._inbox.postpone(later, again, passable=passable))

    def _leave(self, exchange: Exchange) -> None:
        """Have removed what says that a reply will stand there, for none will."""
        stale_messages = self._inbox.stale_messages
        if exchange.placeholder:
            here = placeholder_of(exchange)
            self._settle(exchange, lambda: stale_messages.add(here, self._now()))
        if exchange.sending_since:
            self._settle(exchange, lambda: late_sends(stale_messages, exchange, self._now()))

    def _trouble_told(self, exchange: Exchange, failure: Failure) -> str:
        """Return the trouble for the placeholder; none where the reply may be seen already."""
        sayable = exchange.stage is Stage.ANSWERING or (
            exchange.stage is Stage.POSTING and not failure.of_slack
        )
        if not sayable or failure.retry_after is not None or exchange.told == failure.trouble:
            return exchange.told
        try:
            self._tell(exchange, failure.trouble)
        except Exception as error:
            log.warning("Exchange %d: trouble could not be told: %s", exchange.exchange_id, error)
            return exchange.told
        return failure.trouble.value

    def _log(self, exchange: Exchange, error: Exception, failure: Failure, wait: timedelta) -> None:
        """Log loudly where somebody must do something, with a traceback where nobody foresaw it."""
        unforeseen = failure.trouble is Trouble.OTHER
        loud = unforeseen or failure.trouble is Trouble.CONFIGURATION
        log.log(
            logging.ERROR if loud else logging.WARNING,
            "Exchange %d, record %s: %s failed, again in %.0f s: %s",
            exchange.exchange_id,
            exchange.audit_id,
            exchange.stage.name,
            wait.total_seconds(),
            error,
            exc_info=error if unforeseen else None,
        )

    def _settle(self, exchange: Exchange, store: Callable[[], None]) -> None:
        """Store what became of a step, as long as it takes, and once more when it is stopping.

        Given up, it would be done only after a restart: this process renews what it holds.
        """
        while True:
            last = self._stopping.is_set()
            try:
                return store()
            except LeaseLost as error:
                return log.warning("%s", error)
            except Exception as error:
                self._complain(error)
            if last:
                return log.warning("Exchange %d: left for the next start", exchange.exchange_id)
            self._stopping.wait(LOOK_AGAIN)

    def _renew_leases(self) -> None:
        wait = 0.0
        while not self._stopped.wait(wait):
            try:
                self._inbox.renew(self._now())
                self._inbox.forget_early_follow_ups(self._now())
            except Exception as error:
                self._complain(error)
            wait = HEARTBEAT_SECONDS

    def _complain(self, error: Exception) -> None:
        """Every worker meets the same fault, again and again; once a minute is told."""
        if self._throttle.may_say(str(error)):
            foreseen = isinstance(error, InboxUnavailable)
            log.error("%s", error, exc_info=None if foreseen else error)
