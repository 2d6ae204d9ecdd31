"""Messages in public channels are searched by Slack itself, for whoever asks in a direct message.

With a token that came with their question, so that Slack finds what they may read and no more
(docs.slack.dev/reference/methods/assistant.search.context). What is found is evidence for that
question alone, and is kept with it as attached files are: the audit store has where each message
stands, and a hash, and none of its words but those that were said in the reply. Tried against a
stand-in of the published method, not in a real workspace.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, Field, ValidationError
from slack_sdk import WebClient

from audit.teams import team_of
from audit.values import ATTACHED, SEARCHED
from bot.slack.exchange import AttachedFile, Exchange
from bot.slack.failures import UNSENT
from bot.slack.inbox.attachments import Attachments, KeptFile, first_key
from bot.slack.workspaces import client_of
from bot.wording import slack as wording
from retrieval.errors import UnreadableDocument
from retrieval.ingest.attachment import passages_of
from retrieval.parsing import parser_for
from retrieval.remote.slack_messages import TS, Message, of_thread
from retrieval.types import Metadata, Passage

MOST = 8
"""Messages of one search; as many are read with the question."""
METHOD = "assistant.search.context"
log = logging.getLogger(__name__)


class Found(BaseModel):
    """A message, as Slack tells of it."""

    author_user_id: str
    author_name: str = ""
    channel_id: str = Field(pattern=r"^C[A-Z0-9]+$")
    channel_name: str = ""
    message_ts: str = Field(pattern=TS)
    content: str
    is_author_bot: bool
    permalink: str = Field(pattern=r"^https://[\w.-]+/archives/")


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found."""

    passages: tuple[Passage, ...] = ()
    why_not: str = ""
    """Why nothing was searched, in words for people; empty where it was, or is not to be."""


def file_id_of(channel: str, ts: str) -> str:
    """By which what is read of a message is kept."""
    return f"{SEARCHED.removeprefix(ATTACHED)}{channel}-{ts}"


@dataclass(frozen=True, slots=True)
class SlackSearch:
    """Searches once for each question; without an answer, documents alone answer it."""

    client: WebClient
    kept: Attachments
    now: Callable[[], datetime]

    def __call__(self, exchange: Exchange, text: str) -> Searched:
        asked = exchange.asked
        if not asked.private or not asked.action_token:
            return Searched()
        asks = {"query": text, "action_token": asked.action_token, "limit": MOST}
        where = {"content_types": ["messages"], "channel_types": ["public_channel"]}
        try:
            client = client_of(self.client, team_of(asked.user))
            answer = client.api_call(METHOD, json={**asks, **where})
            told = answer["results"]["messages"]
        except (*UNSENT, KeyError, TypeError) as error:
            log.warning("Exchange %d: Slack searched nothing: %s", exchange.exchange_id, error)
            return Searched(why_not=wording.NOT_SEARCHED)
        found: list[Passage] = []
        for each in told[:MOST]:
            found += self._kept(exchange, each)
        return Searched(tuple(found))

    def _kept(self, exchange: Exchange, told: object) -> Sequence[Passage]:
        """What one message says; nothing of a bot's, or of what is not understood."""
        try:
            message = Found.model_validate(told)
            passages = () if message.is_author_bot else self._read(message)
        except (ValidationError, UnreadableDocument) as error:
            log.info("A message that was found is not read: %s", type(error).__name__)
            return ()
        if passages:
            file = AttachedFile(file_id_of(message.channel_id, message.message_ts), "")
            kept = KeptFile(first_key(exchange.asked.key), message.channel_id, file)
            self.kept.begin(kept, self.now())
            self.kept.settle(kept, passages)
        return passages

    def _read(self, message: Found) -> Sequence[Passage]:
        author = message.author_name or message.author_user_id
        told = {"ts": message.message_ts, "user": message.author_user_id, "text": message.content}
        said = Message.model_validate(told)
        channel = message.channel_name or message.channel_id
        parsed = parser_for("message.html")(of_thread(channel, [said], lambda _: author))
        name = f"{author} in #{channel}, {said.day:%-d %B %Y}"
        document_id = f"{ATTACHED}{file_id_of(message.channel_id, message.message_ts)}"
        about = Metadata(title=name, subtype=wording.SEARCHED_MESSAGE, link=message.permalink)
        return passages_of(name, parsed, document_id, about, self.now())
