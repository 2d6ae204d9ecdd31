"""Each fault of a chat server means something, and something can be done about it.

Imported only once something went wrong, since it needs the `openai` package's errors.
"""

from collections.abc import Sequence

from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

from bot.address import without
from bot.answering.chat.completion import FILTERED

MOST_WORDS = 300
"""Characters of a server's own explanation that are repeated."""

TIMEOUT = (
    "The language model at {host} did not answer in time. Ask again in a moment; if it stays "
    "slow, the operator can raise VOUCH_OPENAI_TIMEOUT_SECONDS."
)
UNREACHABLE = (
    "The language model at {host} cannot be reached ({words}). The operator should check "
    "VOUCH_OPENAI_BASE_URL and the network."
)
KEY_REFUSED = (
    "The language model at {host} does not accept the key ({status}). The operator should "
    "check VOUCH_OPENAI_API_KEY and what that key is allowed to do."
)
NO_QUOTA = (
    "The language model at {host} says that the account's quota is used up. The operator "
    "should look at the account's plan and billing."
)
TOO_MANY = (
    "The language model at {host} takes no more requests just now ({status}). Ask again in a "
    "few minutes."
)
REDIRECTED = (
    "The language model at {host} sends on to another address ({status}), which is not "
    "followed. The operator should set VOUCH_OPENAI_BASE_URL to the final address."
)
REJECTED = (
    "The language model at {host} does not accept the request ({words}). The "
    "operator should check VOUCH_OPENAI_MODEL and VOUCH_OPENAI_BASE_URL."
)
OUT_OF_ORDER = (
    "The language model at {host} is out of order ({status}). Ask again in a few minutes."
)
NOT_ASKED = (
    "The language model at {host} could not be asked ({words}). The operator should check the "
    "settings that begin with VOUCH_OPENAI_."
)
RESTING = (
    "The language model at {host} failed {times} times in a row and is not asked for {seconds} "
    "seconds. Ask again in a moment."
)


def is_the_requests_fault(error: Exception) -> bool:
    """Whether the server is in order and another request may well succeed."""
    if not isinstance(error, APIStatusError):
        return False
    return error.status_code < 500 and error.status_code != 429


def explanation(error: OpenAIError, host: str, *, secrets: Sequence[str]) -> str:
    """In words for the person who asked; of the `secrets` none is in them."""
    if isinstance(error, APIStatusError):
        template, status = _by_status(error), error.status_code
        return template.format(host=host, status=status, words=_words(error.message, secrets))
    if isinstance(error, APITimeoutError):
        return TIMEOUT.format(host=host)
    if isinstance(error, APIConnectionError):
        cause = str(error.__cause__ or error)
        return UNREACHABLE.format(host=host, words=_words(cause, secrets))
    return NOT_ASKED.format(host=host, words=_words(str(error), secrets))


def _by_status(error: APIStatusError) -> str:
    if error.status_code < 400:
        return REDIRECTED
    if error.status_code in (401, 403):
        return KEY_REFUSED
    if error.status_code == 429:
        return NO_QUOTA if error.code == "insufficient_quota" else TOO_MANY
    if error.status_code >= 500:
        return OUT_OF_ORDER
    return FILTERED if error.code == "content_filter" else REJECTED


def _words(text: str, secrets: Sequence[str]) -> str:
    return " ".join(without(secrets, text).split())[:MOST_WORDS]
