"""The placeholder tells what is being done, where that takes long; it never tells what was found.

An update costs a call of the few that Slack allows, so a quick answer shows none, and where Slack
limits them the placeholder stays as it is. Where Slack refuses a plan, lines say the same from then
on.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from cachetools import TTLCache
from slack_sdk import WebClient

from bot.slack.blocks.system_messages import working
from bot.slack.exchange import Exchange
from bot.slack.failures import LIMITED, UNSENT, code_of
from bot.slack.steps.sending import REFUSED, message_fields
from bot.wording import slack as wording
from retrieval.search.timing import Watch

SHOWN_AFTER = 1.0
"""Seconds of work before the first update, and between two."""
MOST_A_MINUTE = 30
"""Updates for all questions together: of `chat.update`'s 50 a minute (docs.slack.dev, Tier 3) some
are left to say what went wrong."""
log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Shown:
    steps: dict[str, str] = field(default_factory=dict)
    last: float = 0.0
    over: bool = False


class Progress:
    """Updates placeholders in the background: no answer waits for it. Safe to share."""

    def __init__(
        self,
        client: WebClient,
        background: Executor,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._background = background
        self._clock = clock
        self._recent = TTLCache[float, None](MOST_A_MINUTE, 60.0, clock)
        self._quiet_until = 0.0
        self._plans = True
        self._turn = Lock()

    @contextmanager
    def watching(self, exchange: Exchange) -> Iterator[Watch]:
        """Give what is told of each stage of answering; nothing is updated after the block."""
        shown = _Shown(last=self._clock())

        def watch(stage: str, counts: Mapping[str, int]) -> None:
            said = wording.step(stage, counts)
            if said and not shown.over:
                shown.steps[stage] = said
            if said and exchange.placeholder and self._may_show(shown):
                self._background.submit(self._show, exchange, shown)

        try:
            yield watch
        finally:
            shown.over = True

    def _may_show(self, shown: _Shown) -> bool:
        now = self._clock()
        with self._turn:
            full = len(self._recent) >= MOST_A_MINUTE or now < self._quiet_until
            if full or now - shown.last < SHOWN_AFTER:
                return False
            self._recent[now] = None
            shown.last = now
        return True

    def _show(self, exchange: Exchange, shown: _Shown) -> None:
        if shown.over:
            return
        as_plan = self._plans
        message = working(
            exchange.exchange_id,
            exchange.asked.text,
            quoted=exchange.quoted,
            steps=list(shown.steps.values()),
            as_plan=as_plan,
        )
        try:
            self._client.chat_update(
                channel=exchange.channel, ts=exchange.placeholder, **message_fields(message)
            )
        except UNSENT as error:
            if as_plan and code_of(error) in REFUSED:
                self._plans = False
                self._show(exchange, shown)
                return
            log.debug("Exchange %d: no progress is shown: %s", exchange.exchange_id, error)
            if code_of(error) in LIMITED:
                self._quiet_until = self._clock() + 60.0
