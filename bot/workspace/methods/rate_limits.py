"""Each method may be called so often: see https://docs.slack.dev/apis/web-api/rate-limits."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from bot.workspace.methods.refusal import Refused

TIER_1, TIER_2, TIER_3, TIER_4 = 1, 20, 50, 100
"""Calls a minute that Slack promises; it tolerates bursts."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits are figures, so that a test can have others."""

    enabled: bool = True
    posts_a_second: float = 1.0
    """Of `chat.postMessage`, in each channel."""
    burst_of_posts: int = 4
    """Slack says that short bursts are allowed, not how short."""
    factor: float = 1.0
    """Multiplies every tier."""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimits:
    """There is a bucket of calls for each method, and for posts for each channel."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._clock = clock
        self._buckets: dict[tuple[str, str], _Bucket] = {}

    def of_tier(self, method: str, a_minute: int) -> None:
        """Counts one call; `ratelimited` where there were too many."""
        most = a_minute * self._limits.factor
        self._take((method, ""), most, most / 60)

    def of_posts(self, channel: str) -> None:
        """Counts one `chat.postMessage`."""
        limits = self._limits
        self._take(("post", channel), limits.burst_of_posts, limits.posts_a_second)

    def _take(self, key: tuple[str, str], most: float, a_second: float) -> None:
        if not self._limits.enabled:
            return
        now = self._clock()
        bucket = self._buckets.setdefault(key, _Bucket(max(1.0, most), now))
        bucket.left = min(max(1.0, most), bucket.left + (now - bucket.at) * a_second)
        bucket.at = now
        if bucket.left < 1:
            raise Refused("ratelimited", retry_after=math.ceil((1 - bucket.left) / a_second))
        bucket.left -= 1
