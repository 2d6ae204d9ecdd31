"""Each fault of a server that speaks OpenAI's protocol, and what can be done about it.

Imported only once something went wrong, since it needs the `openai` package's errors.
"""

from collections.abc import Callable
from dataclasses import dataclass

from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

from retrieval import openai_client

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
class Asked:
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
    if not isinstance(error, APIStatusError):
        return False
    return error.status_code < 500 and error.status_code != 429


def resting(asked: Asked) -> str:
    """Of a server that is left alone for a while."""
    return asked.say(RESTING, times=openai_client.MOST_FAILURES, seconds=openai_client.REST)


def explanation(error: OpenAIError, asked: Asked, hide: Callable[[str], str]) -> str:
    """In words for the person who asked; `hide` takes secrets out of what a server says."""
    if isinstance(error, APIStatusError):
        template, status = _by_status(error), error.status_code
        return asked.say(template, status=status, words=_words(error.message, hide))
    if isinstance(error, APITimeoutError):
        return asked.say(TIMEOUT)
    if isinstance(error, APIConnectionError):
        return asked.say(UNREACHABLE, words=_words(str(error.__cause__ or error), hide))
    return asked.say(NOT_ASKED, words=_words(str(error), hide))


def _by_status(error: APIStatusError) -> str:
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
