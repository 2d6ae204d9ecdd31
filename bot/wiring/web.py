"""The pages in a browser, put together."""

from collections.abc import Callable
from http.client import HTTPException

from slack_sdk.errors import SlackClientError

from bot.access import People, Person
from bot.errors import NotConnected
from bot.slack.people import SlackPeople
from bot.web.sign_in.identity import NobodyAnyMore, Readers


def readers(people: SlackPeople, known: Callable[[], People]) -> Readers:
    """Who somebody is today, by Slack's word and by `people.yaml`."""

    def person(user: str) -> Person:
        """A guest keeps Slack's id, by which their own questions are theirs."""
        try:
            if not people.is_colleague(user):
                raise NobodyAnyMore
            return people.person(user) or people.guest(user)
        except (SlackClientError, HTTPException, OSError) as error:
            raise NotConnected(f"Slack cannot be asked who {user} is: {error}") from error

    return Readers(known, person)
