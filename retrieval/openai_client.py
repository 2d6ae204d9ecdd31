"""One client asks any server that speaks OpenAI's protocol: for answers, and for vectors.

The `openai` package takes 0.3 s to import, so it is imported when a request is made.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from openai import OpenAI
    from pybreaker import CircuitBreaker

OPENAI = "https://api.openai.com/v1"
MOST_FAILURES = 3
"""In a row, after which the server is left alone for a while."""
REST = 30
"""Seconds; then one request tries whether it is back."""
NO_KEY = "no-key"
"""For a server that needs none: the client insists on one."""

T = TypeVar("T")


@dataclass(frozen=True)
class OpenAIClient:
    """It knows where to ask, with which key, and how patiently; nothing is sent before it asks.

    `timeout` is in seconds and for each attempt; `retries` attempts follow a first one that
    met a timeout, a rate limit or a failure of the server.
    """

    api_key: str = field(repr=False)
    base_url: str | None = field(repr=False)
    """None is OpenAI itself. It may hold a password, as a proxy's address does."""
    timeout: float
    retries: int

    def ask(self, request: "Callable[[OpenAI], T]") -> T:
        """What the request returns.

        Raise `openai.OpenAIError`, or `pybreaker.CircuitBreakerError` where the server failed
        often and is left alone for a while.
        """
        answered: T = self._breaker.call(request, self._client)
        return answered

    @cached_property
    def _breaker(self) -> "CircuitBreaker":
        """So that nobody waits for the timeouts of a server that is down for everybody."""
        from pybreaker import CircuitBreaker

        from retrieval.openai_faults import is_the_requests_fault

        return CircuitBreaker(
            fail_max=MOST_FAILURES,
            reset_timeout=REST,
            exclude=[is_the_requests_fault],
            throw_new_error_on_trip=False,
        )

    @cached_property
    def _client(self) -> "OpenAI":
        """One for all requests, so that connections are kept.

        Redirects are not followed: they would take the documents to another server. Of the
        environment only the proxies of the machine count.
        """
        from openai import DefaultHttpx2Client, OpenAI

        client = OpenAI(
            api_key=self.api_key or NO_KEY,
            base_url=self.base_url or OPENAI,
            timeout=self.timeout,
            max_retries=self.retries,
            http_client=DefaultHttpx2Client(follow_redirects=False),
        )
        # The client has taken OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS
        # from the environment, and has no public way to give the last of them up.
        client.organization = client.project = None
        client._custom_headers = {}  # noqa: SLF001
        return client
