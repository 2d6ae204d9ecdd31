"""What a channel is called, for the audit: ids alone tell nobody anything a year later."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from slack_sdk import WebClient

from bot.slack.exchange import is_direct
from bot.slack.failures import UNSENT

REMEMBERED_SECONDS = 600.0
MOST_REMEMBERED = 5_000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Remembered:
    name: str
    since: float
    """By the monotonic clock, in seconds."""


class SlackChannels:
    """Slack's names of channels, remembered for ten minutes; safe to share between threads."""

    def __init__(self, client: WebClient, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._clock = clock
        self._names: dict[str, _Remembered] = {}
        self._turn = Lock()

    def name(self, channel: str) -> str:
        """Empty in a direct message, and where Slack does not say: no answer waits for a name."""
        if not channel or is_direct(channel):
            return ""
        with self._turn:
            found = self._names.get(channel)
        if found and self._clock() - found.since < REMEMBERED_SECONDS:
            return found.name
        name = self._asked(channel)
        with self._turn:
            if len(self._names) >= MOST_REMEMBERED:
                self._names.clear()
            self._names[channel] = _Remembered(name, self._clock())
        return name

    def _asked(self, channel: str) -> str:
        try:
            described = self._client.conversations_info(channel=channel)["channel"]
        except UNSENT as error:
            log.info("Channel %s stays without a name in the audit: %s", channel, error)
            return ""
        return str(described.get("name") or "")
