"""What a channel is called, for the audit: ids alone tell nobody anything a year later."""

import logging
import time
from collections.abc import Callable
from threading import Lock

from cachetools import TTLCache, cachedmethod
from slack_sdk import WebClient

from bot.slack.exchange import is_direct
from bot.slack.failures import UNSENT

CACHED_SECONDS = 600.0
MOST_CACHED = 5_000

log = logging.getLogger(__name__)


class SlackChannels:
    """Slack's names of channels, cached for ten minutes; safe to share between threads."""

    def __init__(self, client: WebClient, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._names = TTLCache[str, str](MOST_CACHED, CACHED_SECONDS, clock)
        self._turn = Lock()

    def name(self, channel: str) -> str:
        """Return nothing in a direct message or where Slack does not say: no answer waits."""
        return "" if not channel or is_direct(channel) else self._asked(channel)

    @cachedmethod(lambda self: self._names, lock=lambda self: self._turn)
    def _asked(self, channel: str) -> str:
        try:
            described = self._client.conversations_info(channel=channel)["channel"]
        except UNSENT as error:
            log.info("Channel %s stays without a name in the audit: %s", channel, error)
            return ""
        return str(described.get("name") or "")
