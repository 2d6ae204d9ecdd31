"""Messages in public channels are searched by Slack itself, for whoever asks in a direct message.

With a token that came with their question, so that Slack finds what they may read and no more
(docs.slack.dev/reference/methods/assistant.search.context). What is found is evidence for that
question alone: the audit store has where each message stands, and a hash, and none of its words
but those that were said in the reply, unless a setting says so. Nothing else keeps any. Tried
against a stand-in of the published method, not in a real workspace.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, Field, ValidationError
from slack_sdk import WebClient

from audit.values import ATTACHED, SEARCHED, known_as, team_of
from bot.access.people import Person
from bot.answering.values import Elsewhere
from bot.slack.exchange import Exchange
from bot.slack.failures import UNSENT
from bot.slack.workspaces import client_of
from bot.wording import slack as wording
from retrieval.errors import UnreadableDocument
from retrieval.ingest.reading import passages_of
from retrieval.parsing import parser_for
from retrieval.remote.slack_messages import TS, of_message
from retrieval.types import Metadata, Passage

MOST = 8
"""Messages of one search; as many are read with the question."""
MOST_OF_ONE = 5
"""Passages of a message: each is compared with the question while somebody waits."""
METHOD = "assistant.search.context"
log = logging.getLogger(__name__)


class FoundMessage(BaseModel):
    author_user_id: str
    channel_id: str = Field(pattern=r"^C[A-Z0-9]+$")
    channel_name: str | None = None
    message_ts: str = Field(pattern=TS)
    content: str
    is_author_bot: bool
    permalink: str = Field(pattern=r"^https://[\w.-]+/archives/")


def action_token_in(event: Mapping[str, Any]) -> str:
    """With which Slack searches for who wrote; apps were told it in either of two places."""
    within = event.get("assistant_thread") or {}
    return str(event.get("action_token") or within.get("action_token") or "")


def file_id_of(channel: str, ts: str) -> str:
    """By which what is read of a message is kept."""
    return f"{SEARCHED.removeprefix(ATTACHED)}{channel}-{ts}"


@dataclass(frozen=True, slots=True)
class SlackSearch:
    """Searches once for each question that no document answers."""

    client: WebClient
    is_wanted: Callable[[Exchange], bool]
    """Whether the question stands still."""
    named: Callable[[str, str], str]
    """Puts names in the place of people's ids in a text, as a user is told them."""
    now: Callable[[], datetime]
    author: Callable[[str], Person | None] | None = None
    """Who a user is, None for a guest; None: the record is to keep no words of a message."""

    def __call__(self, exchange: Exchange, text: str) -> Elsewhere:
        """`text`: the question, made to stand alone."""
        asked = exchange.asked
        if not asked.private or asked.quoted:
            return Elsewhere()
        if not asked.action_token:
            log.warning("Exchange %d: Slack gave nothing to search with", exchange.exchange_id)
            return Elsewhere(why_not=wording.NOT_SEARCHED)
        asks = {"query": text, "action_token": asked.action_token, "limit": MOST}
        where = {"content_types": ["messages"], "channel_types": ["public_channel"]}
        try:
            client = client_of(self.client, team_of(asked.user))
            answer = client.api_call(METHOD, json={**asks, **where})
            told = (answer["results"].get("messages") or [])[:MOST]
        except (*UNSENT, AttributeError, KeyError, TypeError) as error:
            log.warning("Exchange %d: Slack searched nothing: %s", exchange.exchange_id, error)
            return Elsewhere(why_not=wording.NOT_SEARCHED)
        if not self.is_wanted(exchange):
            return Elsewhere()
        read = [*filter(None, (self._understood(each, asked.user) for each in told))]
        found = tuple(each for _, passages in read for each in passages)
        return Elsewhere(found, said_by=self._said_by(read, team_of(asked.user)))

    def _understood(
        self, told: object, asker: str
    ) -> tuple[FoundMessage, Sequence[Passage]] | None:
        """What one message says; None of a bot's, or of what is not understood."""
        try:
            message = FoundMessage.model_validate(told)
            return None if message.is_author_bot else (message, self._read(message, asker))
        except (ValidationError, UnreadableDocument) as error:
            log.info("A message that was found is not read: %s", type(error).__name__)
            return None

    def _said_by(
        self, read: Iterable[tuple[FoundMessage, Sequence[Passage]]], team: str
    ) -> tuple[tuple[str, str], ...]:
        """Under which id each author's own records stand; nobody where one cannot be told.

        Then no words are kept: nobody could erase them.
        """
        if self.author is None:
            return ()
        said_by: dict[str, str] = {}
        try:
            for message, passages in read:
                user = known_as(team, message.author_user_id)
                person = self.author(user)
                by = person.id if person else user
                said_by |= {each.document.document_id: by for each in passages}
        except UNSENT as error:
            log.warning("Words of messages are not kept, whose they are is not known: %s", error)
            return ()
        return tuple(said_by.items())

    def _read(self, message: FoundMessage, asker: str) -> Sequence[Passage]:
        """Called by where and when it was said: who said it is not for others' records."""
        channel = message.channel_name or message.channel_id
        day = datetime.fromtimestamp(float(message.message_ts), UTC)
        page = of_message(
            channel, message.content, lambda user: self.named(f"@{user}", asker).removeprefix("@")
        )
        name = f"#{channel} on {day:%-d %B %Y}"
        document_id = f"{ATTACHED}{file_id_of(message.channel_id, message.message_ts)}"
        about = Metadata(title=name, subtype=wording.SEARCHED_MESSAGE, link=message.permalink)
        parsed = parser_for("message.html")(page)
        return passages_of(name, parsed, document_id, about, self.now())[:MOST_OF_ONE]
