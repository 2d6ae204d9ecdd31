"""What a failure on the way to a reply means: what the person hears, and when to try again."""

import logging
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from http.client import HTTPException
from threading import Lock
from urllib.error import URLError

from cachetools import TTLCache
from slack_sdk.errors import SlackApiError, SlackClientError

from audit.errors import AuditError, EntryConflict, UnknownRecord
from audit.record import AuditEvent
from bot.errors import BadConfiguration, EmptyLibrary, NotAudited, NotConnected, WriterUnavailable
from bot.slack.blocks.system_messages import Trouble
from bot.wording import slack as wording
from retrieval.errors import BadOntology, EmbedderUnavailable, ModelUnavailable, RetrievalError

log = logging.getLogger(__name__)
LONGEST_WAIT = 60.0
"""Seconds between two attempts, in the end."""
LONGEST_WHERE_REFUSED = 3600.0
"""The same where Slack refuses for good, until somebody changes a setting there."""
WRITER_PATIENCE = 5
"""Attempts after which a question that the writer refuses holds nobody else up."""
NO_PLACE = frozenset(
    {
        "cannot_dm_bot",
        "cannot_reply_to_message",
        "channel_not_found",
        "is_archived",
        "is_inactive",
        "not_in_channel",
        "restricted_action",
        "restricted_action_non_threadable_channel",
        "restricted_action_read_only_channel",
        "restricted_action_thread_locked",
        "restricted_action_thread_only_channel",
        "thread_not_found",
        "user_disabled",
        "user_not_found",
        "user_not_visible",
    }
)
"""There is no place to reply any more."""
MISCONFIGURED = frozenset(
    {
        "access_denied",
        "account_inactive",
        "app_missing_action_url",
        "ekm_access_denied",
        "enterprise_is_restricted",
        "invalid_auth",
        "message_limit_exceeded",
        "messages_tab_disabled",
        "missing_scope",
        "no_permission",
        "not_allowed_token_type",
        "not_authed",
        "org_login_required",
        "team_access_not_granted",
        "token_expired",
        "token_revoked",
        "two_factor_setup_required",
    }
)
"""Somebody must change a setting, here or in Slack."""
LIMITED = frozenset({"ratelimited", "rate_limited"})
DOUBTFUL = frozenset({"fatal_error", "internal_error", "request_timeout", "service_unavailable"})
"""Slack says of these that a part may have been carried out. This and the above: the lists
of errors at docs.slack.dev/reference/methods, of chat.postMessage, chat.update,
conversations.open, conversations.replies and users.info."""
Chance = Callable[[], float]
"""A number from 0 to 1, each as likely; a test may know it before."""
random_chance: Chance = random.SystemRandom().random


def spread(seconds: float, chance: Chance = random_chance) -> float:
    """Give or take a quarter, so that what failed together does not come again together."""
    return seconds * (0.75 + chance() / 2)


@dataclass(frozen=True, slots=True)
class Failure:
    """What is known of something that went wrong."""

    trouble: Trouble
    of_slack: bool = False
    """It is Slack that failed, so that nothing can be said there either."""
    no_place: bool = False
    """It will never work: there is nowhere to reply."""
    retry_after: float | None = None
    """Seconds that Slack asks to wait; nothing is wrong then."""
    advice: str = ""
    """What an administrator must do in Slack; empty where that is not known, or nothing."""

    def wait(self, attempts: int, chance: Chance = random_chance) -> timedelta:
        """Return how long until the next attempt; `attempts` failed so far, 1 or more.

        Doubles from a second to a minute, and where Slack refuses for good from that to an hour.
        What Slack asks to wait is never cut short; those whom it asks together come back one
        after another, within a quarter of that on top.
        """
        if self.retry_after is not None:
            return timedelta(seconds=self.retry_after + chance() * max(1.0, self.retry_after / 4))
        doubled = 2.0 ** min(attempts - 1, 10)
        seconds = min(doubled, LONGEST_WAIT)
        if self.trouble is Trouble.CONFIGURATION:
            longest = LONGEST_WHERE_REFUSED if self.of_slack else LONGEST_WAIT
            seconds = min(LONGEST_WAIT * doubled, longest)
        return timedelta(seconds=spread(seconds, chance))

    def concerns_this_alone(self, attempts: int) -> bool:
        """Tell whether others in the conversation should not wait for this one."""
        if self.trouble is Trouble.WRITER:
            return attempts >= WRITER_PATIENCE
        return self.trouble is Trouble.OTHER


_OURS: tuple[tuple[tuple[type[Exception], ...], Trouble], ...] = (
    ((EmbedderUnavailable,), Trouble.INDEX),
    ((ModelUnavailable, BadOntology, BadConfiguration), Trouble.CONFIGURATION),
    ((RetrievalError,), Trouble.INDEX),
    ((AuditError, NotAudited), Trouble.AUDIT),
    ((WriterUnavailable,), Trouble.WRITER),
    ((EmptyLibrary,), Trouble.LIBRARY_EMPTY),
    ((NotConnected,), Trouble.NETWORK),
)
"""The first that fits counts."""
_NETWORK = (SlackClientError, URLError, HTTPException, TimeoutError, ConnectionError)
UNSENT = (SlackClientError, HTTPException, OSError)
"""All that sending a request to Slack raises where it fails; an answer that is cut off is an
`HTTPException`."""


Advise = Callable[[Failure], None]
"""Has administrators told what a failure asks of them, if anything; raises nothing."""


class Advising:
    """Tells administrators once what they must do in Slack; safe to share between threads."""

    def __init__(self, tell: Callable[[str], None] | None) -> None:
        """`tell` may raise; None where administrators have no channel."""
        self._tell = tell
        self._told = Throttle(math.inf, time.monotonic)

    def __call__(self, failure: Failure) -> None:
        advice = failure.advice
        if not advice or not self._tell or not self._told.may_say(advice):
            return
        try:
            self._tell(advice)
        except Exception as error:
            log.error("Administrators could not be told: %s (%s)", advice, error)
            self._told.forget(advice)


class NotInstalled(SlackClientError):
    """The bot is not, or not any more, in a workspace."""


class NoToken(SlackClientError):
    """The token of a workspace cannot be read."""


def understand(error: Exception) -> Failure:
    """Return what an exception means; anything unforeseen is `Trouble.OTHER`."""
    if isinstance(error, SlackApiError):
        return _refused(error)
    if isinstance(error, NotInstalled):
        return Failure(Trouble.CONFIGURATION, of_slack=True, no_place=True)
    if isinstance(error, NoToken):
        return Failure(Trouble.CONFIGURATION)
    if isinstance(error, _NETWORK):
        return Failure(Trouble.NETWORK, of_slack=True)
    for kinds, trouble in _OURS:
        if isinstance(error, kinds):
            return Failure(trouble)
    return Failure(Trouble.OTHER)


def code_of(error: Exception) -> str:
    """Return Slack's word for what went wrong; empty where it said none."""
    if not isinstance(error, SlackApiError) or not isinstance(error.response.data, dict):
        return ""
    return str(error.response.get("error") or "")


def reason_of(error: Exception) -> str:
    """Return Slack's word for what went wrong, or else what kind of error it is."""
    return code_of(error) or type(error).__name__


def in_doubt(error: Exception) -> bool:
    """Tell whether a request may have been carried out although it failed."""
    if not isinstance(error, SlackApiError):
        return True
    ill = error.response.status_code >= 500
    return ill or not code_of(error) or code_of(error) in DOUBTFUL


def _refused(error: SlackApiError) -> Failure:
    code = code_of(error)
    method = str(getattr(error.response, "api_url", "") or "").rpartition("/")[2]
    advice = wording.refused_by_slack(code, method, str(error.response.get("needed") or ""))
    if error.response.status_code == 429 or code in LIMITED:
        # Slack always says how many seconds (docs.slack.dev/apis/web-api/rate-limits).
        stated = str((error.response.headers or {}).get("Retry-After", ""))
        wait = float(stated) if stated.isdigit() else 1.0
        return Failure(Trouble.NETWORK, of_slack=True, retry_after=wait)
    if code in NO_PLACE:
        uninvited = advice if code == "not_in_channel" else ""
        return Failure(Trouble.OTHER, of_slack=True, no_place=True, advice=uninvited)
    if code in MISCONFIGURED:
        return Failure(Trouble.CONFIGURATION, of_slack=True, advice=advice)
    if error.response.status_code >= 500 or code in DOUBTFUL:
        return Failure(Trouble.NETWORK, of_slack=True)
    return Failure(Trouble.OTHER, of_slack=True)


def append_once(append: Callable[[AuditEvent], object], event: AuditEvent) -> None:
    """Append what another attempt may have appended; raise other errors of the store.

    The first stands: a second reaction to a reply that is folded tells nothing new. Whose record
    is gone is logged: it has happened, and trying again mends nothing.
    """
    try:
        append(event)
    except EntryConflict as error:
        log.info("%s of record %s was recorded before: %s", event.kind, event.audit_id, error)
    except UnknownRecord as error:
        log.error("%s of record %s is not recorded: %s", event.kind, event.audit_id, error)


MOST_REMEMBERED = 10_000


class Throttle:
    """Remembers what was said; safe to share between threads.

    Only courtesies depend on it, so it forgets with the process, and the oldest of very many.
    """

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._said = TTLCache[str, None](MOST_REMEMBERED, seconds, clock)
        self._turn = Lock()

    def may_say(self, what: str) -> bool:
        """Tell whether it was not said within the time; it is remembered as said now."""
        with self._turn:
            if what in self._said:
                return False
            self._said[what] = None
            return True

    def forget(self, what: str) -> None:
        with self._turn:
            self._said.pop(what, None)
