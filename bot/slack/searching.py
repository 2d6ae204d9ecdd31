"""Messages in public channels are searched by Slack itself, for whoever asks in a direct message.

With a token that came with their question, so that Slack finds what they may read and no more
(docs.slack.dev/reference/methods/assistant.search.context). What is found is evidence for that
question alone, and is kept with it as attached files are: the audit store has where each message
stands, and a hash, and none of its words but those that were said in the reply. Tried against a
stand-in of the published method, not in a real workspace.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, Field, ValidationError
from slack_sdk import WebClient

from audit.teams import team_of
from audit.values import ATTACHED, SEARCHED
from bot.answering.values import Elsewhere
from bot.slack.exchange import AttachedFile, Exchange, first_key
from bot.slack.failures import UNSENT
from bot.slack.inbox.attachments import Attachments, StoredFile
from bot.slack.workspaces import client_of
from bot.wording import slack as wording
from retrieval.errors import UnreadableDocument
from retrieval.ingest.attachment import passages_of
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
    kept: Attachments
    named: Callable[[str, str], str]
    """Puts names in the place of people's ids in a text, as a user is told them."""
    now: Callable[[], datetime]

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
        if not self.kept.is_wanted(exchange):
            return Elsewhere()
        return Elsewhere(tuple(each for one in told for each in self._kept(exchange, one)))

    def _kept(self, exchange: Exchange, told: object) -> Sequence[Passage]:
        """What one message says; nothing of a bot's, or of what is not understood."""
        try:
            message = FoundMessage.model_validate(told)
            passages = () if message.is_author_bot else self._read(message, exchange.asked.user)
        except (ValidationError, UnreadableDocument) as error:
            log.info("A message that was found is not read: %s", type(error).__name__)
            return ()
        if passages:
            file = AttachedFile(file_id_of(message.channel_id, message.message_ts), "")
            kept = StoredFile(first_key(exchange.asked.key), message.channel_id, file)
            self.kept.begin(kept, self.now())
            self.kept.settle(kept, passages)
        return passages

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
