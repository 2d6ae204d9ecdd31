"""Evidence for one conversation alone: files that came with a question, and messages found for it.

Of a file an event says no more than that there is one. What it is, where it stands and who gave it
out is asked of Slack, with the bot's own token: a file of another conversation is not read here.
The token goes to no other host, and no redirect is followed. Whoever may not read a file is sent to
a page to sign in on, as HTML with status 200: that is no file (docs.slack.dev, file object).

Messages are searched by Slack itself, with a token that came with a question in a direct message,
so it finds what the asker may read (docs.slack.dev/reference/methods/assistant.search.context). The
audit store has where each message stands, and a hash, and none of its words but those said in the
reply, unless a setting says so. Tried against a stand-in of the published method alone.
"""

import logging
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, ValidationError
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.values import ATTACHED, SEARCHED, known_as, team_of
from bot.access.people import Person
from bot.answering.values import Elsewhere
from bot.slack.exchange import CameWith, Exchange
from bot.slack.failures import UNSENT, Advise, in_doubt, understand
from bot.slack.inbox.kept import Attachments, StoredFile
from bot.slack.workspaces import client_of
from bot.wording import slack as wording
from retrieval.errors import ParserUnavailable, UnreadableDocument
from retrieval.ingest.reading import passages_of
from retrieval.parsing import parser_for
from retrieval.remote.slack_messages import TS, of_message
from retrieval.types import Metadata, Passage

MEGABYTES = 20
MOST_BYTES = MEGABYTES * 1_000_000
SECONDS = 30.0
"""For all of a file; and for each wait for more of it."""
_PIECE = 1 << 16
_HOSTS = ("slack.com", "slack-gov.com", "slack-files.com")


class NotHandedOver(Exception):
    """Slack does not give the file to the bot, and will not another time."""


class TooLarge(Exception):
    """It has more than `MOST_BYTES`, whatever was said of it."""


class _Nowhere(urllib.request.HTTPRedirectHandler):
    """Follows nothing: the token would go along."""

    def redirect_request(self, *_: Any) -> None:
        raise NotHandedOver("a redirect")


@dataclass(frozen=True, slots=True)
class Download:
    token: str
    api_url: str
    """Of the Web API: what serves that may serve files, too."""

    def __call__(self, url: str, size: int, *, html: bool) -> bytes:
        """Return the file's bytes: `size`, as Slack states it. `html`: it is a page itself.

        Raise `NotHandedOver`, `TooLarge`, or `OSError` where it may work another time.
        """
        if not self._is_of_slack(url):
            raise NotHandedOver("not on a host of Slack's")
        if size > MOST_BYTES:
            raise TooLarge
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.token}"})  # noqa: S310  # see above
        opener = urllib.request.build_opener(_Nowhere)
        try:
            with opener.open(request, timeout=SECONDS) as answer:
                if not html and answer.headers.get_content_type() == "text/html":
                    raise NotHandedOver("a page to sign in on")
                content = _all_of(answer)
        except HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise NotHandedOver(f"status {error.code}") from error
            raise
        if len(content) != size:
            raise NotHandedOver(f"{len(content)} bytes in place of {size}")
        return content

    def _is_of_slack(self, url: str) -> bool:
        asked, own = urlsplit(url), urlsplit(self.api_url)
        if (asked.scheme, asked.netloc) == (own.scheme, own.netloc):
            return True
        host = (asked.hostname or "").lower()
        is_slack = any(host == each or host.endswith(f".{each}") for each in _HOSTS)
        return asked.scheme == "https" and is_slack and asked.netloc.lower() == host


def _all_of(answer: Any) -> bytes:
    """Raise `TooLarge`, or `TimeoutError` for what comes drop by drop."""
    until, content = time.monotonic() + SECONDS, bytearray()
    while piece := answer.read1(_PIECE):
        content += piece
        if len(content) > MOST_BYTES:
            raise TooLarge
        if time.monotonic() > until:
            raise TimeoutError("the file takes too long")
    return bytes(content)


ATTEMPTS = 3
"""After which a file that Slack fails to hand over is left out, and the question answered."""
MOST_AT_ONCE = 5
"""Files that one question has read: each may keep who answers busy for two minutes."""
MOST_TOGETHER = 1_000
"""Passages of all files of a thread, the newest first: each is compared with the question. Of the
file with which there are more, the first are."""
GONE = frozenset({"file_deleted", "file_not_found", "file_not_available"})
log = logging.getLogger(__name__)


class ReadFile(Protocol):
    def check_kind(self, name: str) -> None:
        """Raise `UnreadableDocument` where a file of this name is not read."""

    def __call__(
        self, name: str, content: bytes, document_id: str, metadata: Metadata, at: datetime
    ) -> Sequence[Passage]:
        """Return at least one; raise `UnreadableDocument`, or `ParserUnavailable`."""


@dataclass(frozen=True, slots=True)
class PostedFile:
    name: str
    content: bytes
    link: str


@dataclass(frozen=True, slots=True)
class FetchPosted:
    """Fetches a file that stands in a conversation."""

    client: WebClient
    download: Callable[[str], Download]
    check: Callable[[str], None]

    def __call__(self, file_id: str, channel: str) -> PostedFile:
        """Raise `UnreadableDocument`, also for one that stands elsewhere, and what Slack raises."""
        stated: Mapping[str, Any] = self.client.files_info(file=file_id)["file"]
        where = [*(each for kind in _WHERE for each in stated.get(kind) or ())]
        if stated.get("id") != file_id or channel not in where:
            log.warning("The file %s stands not in %s", file_id, channel)
            raise UnreadableDocument(wording.FILE_ELSEWHERE)
        name = str(stated.get("name") or "")
        self.check(name)
        url = str(stated.get("url_private_download") or "")
        is_page = str(stated.get("mimetype") or "") == "text/html"
        content = self.download(channel)(url, int(stated.get("size") or 0), html=is_page)
        return PostedFile(name, content, str(stated.get("permalink") or ""))


@dataclass(frozen=True, slots=True)
class AttachedFiles:
    """Reads what is not read yet; what it reads, and why it does not, is kept."""

    fetch: FetchPosted
    kept: Attachments
    read: ReadFile
    now: Callable[[], datetime]
    advise: Advise

    def __call__(self, exchange: Exchange) -> tuple[Passage, ...]:
        """Return passages that the question may be answered from.

        Raise what Slack or the reader raises where another attempt may help.
        """
        waiting = [each for each in self.kept.of(exchange) if each.waits]
        for number, file in enumerate(waiting):
            self.kept.begin(file, self.now())
            if number < MOST_AT_ONCE:
                self._settle(file, exchange.attempts + 1 >= ATTEMPTS)
            else:
                self.kept.settle(file, (), wording.FILE_ONE_TOO_MANY)
        return tuple(self._together(exchange))

    def _together(self, exchange: Exchange) -> list[Passage]:
        newest_first = reversed(self.kept.of(exchange))
        return [each for file in newest_first for each in file.passages][:MOST_TOGETHER]

    def came_with(self, exchange: Exchange) -> CameWith:
        """A file is read if something of it is handed over."""
        read, unread = dict[str, str](), dict[str, str]()
        handed_over = {each.document.document_id for each in self._together(exchange)}
        for each in self.kept.new_of(exchange):
            if (name := _document_id(each)) in handed_over:
                read[name] = each.file.name
            else:
                other = wording.FILE_BEYOND_ALL if each.passages else wording.FILE_GONE
                unread[name] = f"{each.file.name} {each.why or other}"
        return CameWith(read, unread)

    def _settle(self, file: StoredFile, is_last: bool) -> None:
        try:
            posted = self.fetch(file.file.file_id, file.channel)
            document_id = _document_id(file)
            about = Metadata(subtype=wording.ATTACHED_FILE, link=posted.link)
            passages = self.read(posted.name, posted.content, document_id, about, self.now())
        except (*UNSENT, ParserUnavailable) as error:
            if not is_last and may_work_later(error):
                raise
            log.warning("The file %s is left out: %s", file.file.file_id, error)
            self.advise(understand(error))
            self.kept.settle(file, (), why_unread(error))
        except (NotHandedOver, TooLarge, UnreadableDocument) as error:
            log.info("The file %s is not read: %s", file.file.file_id, error)
            self.kept.settle(file, (), why_unread(error))
        else:
            self.kept.settle(file, passages)


def _document_id(file: StoredFile) -> str:
    return f"{ATTACHED}{file.file.file_id}"


_WHERE = ("channels", "groups", "ims")
"""In these a file says in which conversations it stands."""


def may_work_later(error: Exception) -> bool:
    if isinstance(error, SlackApiError):
        return understand(error).retry_after is not None or in_doubt(error)
    return True


def why_unread(error: Exception) -> str:
    """As it follows on the file's name; of advice to who runs the bot only what is the matter."""
    if isinstance(error, TooLarge):
        return wording.FILE_TOO_LARGE
    if isinstance(error, SlackApiError):
        gone = str(error.response.get("error") or "") in GONE
        return wording.FILE_GONE if gone else wording.FILE_NOT_HANDED_OVER
    if isinstance(error, UnreadableDocument):
        return str(error).partition(";")[0]
    return wording.FILE_NOT_HANDED_OVER


MOST = 8
"""Messages of one search; as many are read with the question."""
MOST_OF_ONE = 5
"""Passages of a message: each is compared with the question while somebody waits."""
METHOD = "assistant.search.context"


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
    return f"{SEARCHED.removeprefix(ATTACHED)}{channel}-{ts}"


@dataclass(frozen=True, slots=True)
class SlackSearch:
    """Searches once for each question that no document answers."""

    client: WebClient
    is_wanted: Callable[[Exchange], bool]
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
        """Under which id each author's records stand; empty, so no words are kept, if unknown."""
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
