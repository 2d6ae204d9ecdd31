"""Who a Slack user is in `people.yaml`."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.access import GUEST, People, Person
from bot.slack.failures import code_of

REMEMBERED_SECONDS = 600.0
MOST_REMEMBERED = 5_000
NOBODY = frozenset({"user_not_found", "user_not_visible"})
"""Answers of users.info (docs.slack.dev/reference/methods/users.info) that say for certain
that Slack knows nobody there whom the bot could know too."""


def guest(user: str) -> Person:
    """Somebody who is not in `people.yaml`: reads what everyone may, is audited by Slack's id."""
    return Person(id=user, name="", email="", facets=GUEST)


@dataclass(frozen=True, slots=True)
class _Remembered:
    email: str
    since: float
    """By the monotonic clock, in seconds."""


class SlackPeople:
    """Finds people by Slack's id, else by their e-mail in Slack; never by a name.

    Slack's answers are remembered for ten minutes, `people.yaml` is looked at every time.
    Safe to share between threads.
    """

    def __init__(
        self,
        client: WebClient,
        known: Callable[[], People],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._known = known
        self._clock = clock
        self._emails: dict[str, _Remembered] = {}
        self._team: tuple[str, str] | None = None
        self._turn = Lock()

    def person(self, user: str) -> Person | None:
        """The person, None for a guest.

        Raise what slack_sdk raises where Slack cannot be asked: nobody becomes a guest,
        and loses what they may read, because a network failed.
        """
        known = self._known()
        return known.by_id.get(user) or known.by_email(self._email(user))

    def _email(self, user: str) -> str:
        """Empty where the user is no colleague, or Slack does not say."""
        with self._turn:
            found = self._emails.get(user)
        if found and self._clock() - found.since < REMEMBERED_SECONDS:
            return found.email
        email = self._asked(user)
        with self._turn:
            if len(self._emails) >= MOST_REMEMBERED:
                self._emails.clear()
            self._emails[user] = _Remembered(email, self._clock())
        return email

    def _asked(self, user: str) -> str:
        try:
            profile = self._client.users_info(user=user)["user"]
        except SlackApiError as error:
            if code_of(error) in NOBODY:
                return ""
            raise
        if profile.get("deleted") or profile.get("is_bot") or not self._is_colleague(profile):
            return ""
        return str(profile.get("profile", {}).get("email") or "")

    def _is_colleague(self, profile: dict[str, Any]) -> bool:
        """Whether the user belongs to this workspace or its organisation.

        In a channel shared with another company, that company says which e-mail its users
        have (docs.slack.dev/apis/slack-connect), so theirs prove nothing here.
        """
        team, enterprise = self._own()
        theirs = profile.get("enterprise_user", {}).get("enterprise_id")
        return profile.get("team_id") == team or bool(enterprise and theirs == enterprise)

    def _own(self) -> tuple[str, str]:
        if self._team is None:
            answer = self._client.auth_test()
            self._team = (str(answer["team_id"]), str(answer.get("enterprise_id") or ""))
        return self._team
