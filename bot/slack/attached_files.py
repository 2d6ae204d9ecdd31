"""Files that came with a question are read when it is answered, and for its conversation alone.

Of a file an event says no more than that there is one. What it is, where it stands and who gave it
out is asked of Slack, with the bot's own token: a file of another conversation is not read here.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.values import ATTACHED
from bot.slack.exchange import CameWith, Exchange
from bot.slack.failures import UNSENT, Advise, in_doubt, understand
from bot.slack.file_download import Download, NotHandedOver, TooLarge
from bot.slack.inbox.attachments import Attachments, StoredFile
from bot.wording import slack as wording
from retrieval.errors import ParserUnavailable, UnreadableDocument
from retrieval.types import Metadata, Passage

ATTEMPTS = 3
"""After which a file that Slack fails to hand over is left out, and the question answered."""
MOST_AT_ONCE = 5
"""Files that one question has read: each may keep who answers busy for two minutes."""
MOST_TOGETHER = 1_000
"""Passages of all files of a thread, the newest first: each is compared with the question."""
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
    """Where people open it."""


@dataclass(frozen=True, slots=True)
class FetchPosted:
    """Fetches a file that stands in a conversation."""

    client: WebClient
    download: Callable[[str], Download]
    """What fetches files of the workspace of a channel."""
    check: Callable[[str], None]
    """Raises `UnreadableDocument` for the name of a file that is not wanted."""

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
        found: list[Passage] = []
        for file in reversed(self.kept.of(exchange)):
            if len(found) + len(file.passages) <= MOST_TOGETHER:
                found += file.passages
        return tuple(found)

    def came_with(self, exchange: Exchange) -> CameWith:
        """Return what became of the files that came for it, and not for an earlier one alone."""
        files = self.kept.new_of(exchange)
        return CameWith(
            {_document_id(each): each.file.name for each in files if each.passages},
            {
                _document_id(each): f"{each.file.name} {each.why or wording.FILE_GONE}"
                for each in files
                if not each.passages
            },
        )

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
