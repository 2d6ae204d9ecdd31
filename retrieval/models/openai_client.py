"""One client asks any server that speaks OpenAI's protocol, and says in words what its errors mean.

The `openai` package takes 0.3 s to import, so it is imported when a request is made, or has failed.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI, OpenAIError
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
    """`timeout`: seconds of each attempt; `retries` follow a first one that failed and may pass."""

    api_key: str = field(repr=False)
    base_url: str | None = field(repr=False)
    """None is OpenAI itself. It may hold a password, as a proxy's address does."""
    timeout: float
    retries: int

    def ask(self, request: "Callable[[OpenAI], T]") -> T:
        """Raise `openai.OpenAIError`, or `pybreaker.CircuitBreakerError` after many failures."""
        answered: T = self._breaker.call(request, self._client)
        return answered

    @cached_property
    def _breaker(self) -> "CircuitBreaker":
        """So that nobody waits for the timeouts of a server that is down for everybody."""
        from pybreaker import CircuitBreaker

        return CircuitBreaker(
            fail_max=MOST_FAILURES,
            reset_timeout=REST,
            exclude=[is_the_requests_fault],
            throw_new_error_on_trip=False,
        )

    @cached_property
    def _client(self) -> "OpenAI":
        """One for all requests; no redirect is followed, which would take documents elsewhere."""
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


MOST_WORDS = 300
"""Characters of a server's own explanation that are repeated."""
TIMEOUT = (
    "{what} at {host} did not answer in time. Ask again in a moment; if it stays "
    "slow, the operator can raise VOUCH_OPENAI_TIMEOUT_SECONDS."
)
UNREACHABLE = (
    "{what} at {host} cannot be reached ({words}). The operator should check {url} and the network."
)
KEY_REFUSED = (
    "{what} at {host} does not accept the key ({status}). The operator should "
    "check {key} and what that key is allowed to do."
)
NO_QUOTA = (
    "{what} at {host} says that the account's quota is used up. The operator "
    "should look at the account's plan and billing."
)
TOO_MANY = (
    "{what} at {host} takes no more requests just now ({status}). Ask again in a few minutes."
)
REDIRECTED = (
    "{what} at {host} sends on to another address ({status}), which is not "
    "followed. The operator should set {url} to the final address."
)
REJECTED = (
    "{what} at {host} does not accept the request ({words}). The "
    "operator should check {model} and {url}."
)
OUT_OF_ORDER = "{what} at {host} is out of order ({status}). Ask again in a few minutes."
NOT_ASKED = (
    "{what} at {host} could not be asked ({words}). The operator should check the "
    "settings {model}, {url} and {key}."
)
RESTING = (
    "{what} at {host} failed {times} times in a row and is not asked for {seconds} "
    "seconds. Ask again in a moment."
)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What was asked, and the settings by which it is reached, as an operator knows them."""

    host: str
    what: str = "The language model"
    model: str = "VOUCH_OPENAI_MODEL"
    url: str = "VOUCH_OPENAI_BASE_URL"
    key: str = "VOUCH_OPENAI_API_KEY"

    def say(self, template: str, **more: object) -> str:
        return template.format(
            host=self.host, what=self.what, model=self.model, url=self.url, key=self.key, **more
        )


def is_the_requests_fault(error: Exception) -> bool:
    """Whether the server is in order and another request may well succeed."""
    from openai import APIStatusError

    if not isinstance(error, APIStatusError):
        return False
    return error.status_code < 500 and error.status_code != 429


def resting(asked: ModelRequest) -> str:
    """Of a server that is left alone for a while."""
    return asked.say(RESTING, times=MOST_FAILURES, seconds=REST)


def explanation(error: "OpenAIError", asked: ModelRequest, hide: Callable[[str], str]) -> str:
    """In words for the person who asked; `hide` takes secrets out of what a server says."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    if isinstance(error, APIStatusError):
        template, status = _by_status(error), error.status_code
        return asked.say(template, status=status, words=_words(error.message, hide))
    if isinstance(error, APITimeoutError):
        return asked.say(TIMEOUT)
    if isinstance(error, APIConnectionError):
        return asked.say(UNREACHABLE, words=_words(str(error.__cause__ or error), hide))
    return asked.say(NOT_ASKED, words=_words(str(error), hide))


def _by_status(error: "APIStatusError") -> str:
    if error.status_code < 400:
        return REDIRECTED
    if error.status_code in (401, 403):
        return KEY_REFUSED
    if error.status_code == 429:
        return NO_QUOTA if error.code == "insufficient_quota" else TOO_MANY
    if error.status_code >= 500:
        return OUT_OF_ORDER
    return REJECTED


def _words(text: str, hide: Callable[[str], str]) -> str:
    return " ".join(hide(text).split())[:MOST_WORDS]
