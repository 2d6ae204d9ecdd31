"""Who is who in Slack: people as `people.yaml` has them, channels by name, the bot itself."""

import logging
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from cachetools import TTLCache, cachedmethod
from slack_bolt.authorization import AuthorizeResult
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.values import known_as, slack_id, team_of
from bot.access.channels import is_direct
from bot.access.entries import GUEST, Facets
from bot.access.people import People, Person
from bot.access.user_groups import joined
from bot.errors import NotConnected
from bot.slack.failures import UNSENT, code_of

CACHED_SECONDS = 600.0
CACHED_FOR_READERS_SECONDS = 60.0
"""Who writes in Slack is in it; who opens a page may have left. Slack takes a hundred `users.info`
a minute and more (docs.slack.dev/apis/web-api/rate-limits)."""
MOST_CACHED = 5_000
MEMBERS_AT_ONCE = 999
"""The most that Slack gives (docs.slack.dev/reference/methods/conversations.members)."""
log = logging.getLogger(__name__)
_ID = re.compile(r"@([UW][A-Z0-9]{2,})\b")
NOBODY = frozenset({"user_not_found", "user_not_visible"})
"""Answers of users.info (docs.slack.dev/reference/methods/users.info) that say for certain
that Slack knows nobody there whom the bot could know too."""

NO_CHANNEL = frozenset({"channel_not_found"})
"""An answer of conversations.info, also of a private channel that the bot is not in."""


@dataclass(frozen=True, slots=True)
class _Profile:
    """What Slack says of a user; empty what it does not say, and any e-mail but a colleague's."""

    email: str = ""
    name: str = ""
    called: str = ""
    """As others read it in Slack."""
    colleague: bool = False
    """Whether somebody who works here, in Slack's eyes, uses it now."""
    admin: bool = False
    """Whether such a one administers the workspace, or owns it."""


Own = Callable[[str], tuple[str, str]]
"""Tells of a workspace by the id before its people's (empty for the home's own) its id and its
organisation's; raises what slack_sdk raises."""


class SlackPeople:
    """Finds people by Slack's id, else by their e-mail in Slack; never by a name.

    Slack's answers are cached, for ten minutes unless otherwise said; `people.yaml` is looked at
    every time.
    Safe to share between threads.
    """

    def __init__(
        self,
        client: WebClient,
        known: Callable[[], People],
        clock: Callable[[], float] = time.monotonic,
        cached_seconds: float = CACHED_SECONDS,
        group_facets: Callable[[str], Facets] = lambda _: GUEST,
        in_team: Callable[[str], Facets] = lambda _: GUEST,
        own: Own | None = None,
    ) -> None:
        """`group_facets`: what user groups give to a user, looked at every time as well.

        `in_team`: what everybody of a workspace has, guests too; `own`: None where Slack is asked.
        """
        self._client = client
        self._group_facets = group_facets
        self._known = known
        self._profiles = TTLCache[str, _Profile](MOST_CACHED, cached_seconds, clock)
        self._in_team = in_team
        self._of_team = own
        self._team: tuple[str, str] | None = None
        self._turn = Lock()

    def person(self, user: str) -> Person | None:
        """Return the person, None for a guest of the home's own workspace.

        Raise what slack_sdk raises where Slack cannot be asked: nobody becomes a guest,
        and loses what they may read, because a network failed.
        """
        return self._known_person(user) or (self.guest(user) if team_of(user) else None)

    def is_guest(self, user: str) -> bool:
        """Tell whether neither `people.yaml` nor a user group knows them; raise as `person`."""
        return self._known_person(user) is None

    def _known_person(self, user: str) -> Person | None:
        known = self._known()
        email = "" if user in known.by_id else self._profile(user).email
        person = known.by_id.get(user) or known.by_email(email, team_of(user))
        more = self._group_facets(user)
        if not more or not self.is_colleague(user):
            return person
        person = person or replace(self.guest(user), email=email)
        return replace(person, facets=joined([person.facets, more]))

    def guest(self, user: str) -> Person:
        """Return a guest, who reads what everyone may and is audited by Slack's id."""
        everyone = self._in_team(team_of(user))
        return Person(id=user, name=self._profile(user).name, email="", facets=everyone)

    def administrator(self, user: str) -> Person | None:
        """Return who it is, if an administrator of their workspace; raise as `person` does."""
        person = self.person(user)
        return person if person and person.admin and self.is_colleague(user) else None

    def operator(self, user: str) -> Person | None:
        """Return who it is, if an administrator of the home's own workspace; raise likewise."""
        return None if team_of(user) else self.administrator(user)

    def is_colleague(self, user: str) -> bool:
        """Tell whether the user is active, no bot, and of this workspace or its organisation.

        Who writes in Slack is, or the bot would not hear of it; who signed in somewhere else may
        have left since. Raise as `person` does.
        """
        return self._profile(user).colleague

    def is_workspace_admin(self, user: str) -> bool:
        return self._profile(user).admin

    def email(self, user: str) -> str:
        """Return a colleague's e-mail in Slack; empty for any other. Raise as `person` does."""
        return self._profile(user).email

    def named(self, text: str, user: str) -> str:
        """Return words with the names of those mentioned where Slack tells them; raise nothing."""

        def name(mention: re.Match[str]) -> str:
            try:
                called = self._profile(known_as(team_of(user), mention[1])).called
            except UNSENT as error:
                log.info("%s stays without a name: %s", mention[0], error)
                return mention[0]
            return f"@{called}" if called else mention[0]

        return _ID.sub(name, text)

    def team(self) -> str:
        return self._own("")[0]

    @cachedmethod(lambda self: self._profiles, lock=lambda self: self._turn)
    def _profile(self, user: str) -> _Profile:
        try:
            found = self._client.users_info(user=user)["user"]
        except SlackApiError as error:
            if code_of(error) in NOBODY:
                return _Profile()
            raise
        own = found.get("profile", {})
        name = str(own.get("real_name") or found.get("real_name") or found.get("name") or "")
        called = str(own.get("display_name") or name)
        if (
            found.get("deleted")
            or found.get("is_bot")
            or not self._is_colleague(found, team_of(user))
        ):
            return _Profile(name=name, called=called)
        admin = found.get("is_admin") is True or found.get("is_owner") is True
        email = str(own.get("email") or "")
        return _Profile(email, name, called, colleague=True, admin=admin)

    def _is_colleague(self, user: dict[str, Any], known_team: str) -> bool:
        """Tell whether the user belongs to this workspace or its organisation.

        In a channel shared with another company, that company says which e-mail its users
        have (docs.slack.dev/apis/slack-connect), so theirs prove nothing here.
        """
        team, enterprise = self._own(known_team)
        theirs = user.get("enterprise_user", {}).get("enterprise_id")
        return user.get("team_id") == team or bool(enterprise and theirs == enterprise)

    def _own(self, team: str) -> tuple[str, str]:
        if self._of_team is not None:
            return self._of_team(team)
        if self._team is None:
            answer = self._client.auth_test()
            self._team = (str(answer["team_id"]), str(answer.get("enterprise_id") or ""))
        return self._team


class SlackChannels:
    """What Slack says of channels, names cached for ten minutes; safe to share between threads."""

    def __init__(self, client: WebClient, clock: Callable[[], float] = time.monotonic) -> None:
        self._client = client
        self._described = TTLCache[str, dict[str, Any]](MOST_CACHED, CACHED_SECONDS, clock)
        self._turn = Lock()

    def name(self, channel: str) -> str:
        """Return nothing in a direct message or where Slack does not say: no answer waits."""
        if not channel or is_direct(channel):
            return ""
        return str(self._asked(channel).get("name") or "")

    def is_shared(self, channel: str) -> bool:
        """Tell, asked anew each time, whether another company reads it, or Slack does not say."""
        return is_shared(self._describe(channel))

    def can_ask_in(self, channel: str) -> bool:
        """Tell, asked anew each time, whether the bot is in and surely nobody from outside is."""
        told = self._describe(channel)
        return bool(told.get("is_member")) and not (told.get("is_archived") or is_shared(told))

    def has(self, channel: str, user: str) -> bool:
        """Tell whether a user and the bot are in it; asked anew every time, as above."""
        told = self._describe(channel)
        if told.get("is_im"):
            return told.get("user") == slack_id(user)
        if not told.get("is_member"):
            return False
        try:
            pages = self._client.conversations_members(channel=channel, limit=MEMBERS_AT_ONCE)
            members = (slack_id(str(each)) for page in pages for each in page["members"])
            return slack_id(user) in members
        except UNSENT as error:
            log.info("Slack does not say who is in %s: %s", channel, error)
            return False

    def creator(self, channel: str) -> str:
        """Return, asked anew, who made it; empty where the bot is not to know the channel."""
        try:
            found = self._client.conversations_info(channel=channel)["channel"]
        except SlackApiError as error:
            if code_of(error) in NO_CHANNEL:
                return ""
            raise
        return str(found.get("creator") or "")

    @cachedmethod(lambda self: self._described, lock=lambda self: self._turn)
    def _asked(self, channel: str) -> dict[str, Any]:
        return self._describe(channel)

    def _describe(self, channel: str) -> dict[str, Any]:
        try:
            found: dict[str, Any] = self._client.conversations_info(channel=channel)["channel"]
        except UNSENT as error:
            log.info("Slack does not describe channel %s: %s", channel, error)
            return {}
        return found


def is_shared(channel: Mapping[str, Any]) -> bool:
    """Tell of what Slack says of a channel whether people of another company may read it."""
    return not channel or bool(channel.get("is_ext_shared") or channel.get("is_pending_ext_shared"))


class BotIdentity:
    """Answers Bolt's question who acts, without asking Slack each time.

    Bolt's own way acknowledges an event that it could not authorise because the network
    was away, and the question in it would be lost. Here it fails, unacknowledged.
    """

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._known: AuthorizeResult | None = None
        self._turn = Lock()

    def learn(self) -> AuthorizeResult:
        """Ask Slack, once; raise what slack_sdk raises where that fails."""
        with self._turn:
            if self._known is None:
                answer = self._client.auth_test()
                self._known = AuthorizeResult(
                    enterprise_id=answer.get("enterprise_id"),
                    team_id=answer["team_id"],
                    bot_user_id=answer["user_id"],
                    bot_id=answer.get("bot_id"),
                    bot_token=self._client.token,
                )
            return self._known

    @property
    def is_known(self) -> bool:
        return self._known is not None

    def bot_user(self, _: str = "") -> str:
        """Return the bot's user id, to whichever user; raise `NotConnected` before it is known."""
        return self.authorize().bot_user_id or ""

    def authorize(self, *_: str | None) -> AuthorizeResult:
        """Tell Bolt who acts; raise `NotConnected` before Slack has told."""
        if self._known is None:
            raise NotConnected("Slack has not told yet who the bot is; it will deliver this again.")
        return self._known
