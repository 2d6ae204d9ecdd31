"""Files that administrators gave become documents, and they are told what became of each."""

import logging
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.record import AuditEvent, EventKind
from audit.values import Channel, PersonRecord
from bot.slack.attached_files import FetchPosted, may_work_later, why_unread
from bot.slack.blocks.reading_in import became
from bot.slack.directory import SlackPeople
from bot.slack.exchange import AttachedFile
from bot.slack.failures import UNSENT, append_once, understand
from bot.slack.file_download import NotHandedOver, TooLarge
from bot.slack.given_files import GivenFiles, GivenQueue, Outcome
from bot.slack.inbox.removals import ts_before
from bot.slack.steps.sending import find_marked, post
from bot.wording import reading_in as wording
from bot.wording.slack import FILE_GONE
from retrieval.documents.locks import ProcessLock
from retrieval.errors import UnreadableDocument

ATTEMPTS = 8
"""After which a file that Slack fails to hand over is left out: two minutes."""
Shelve = Callable[[GivenFiles, Mapping[str, bytes]], list[Outcome]]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadInStep:
    """Does one submission after another, all of it again where it was broken off."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    queue: GivenQueue
    people: SlackPeople
    fetch: FetchPosted
    shelve: Shelve
    """Has files read in for who was chosen; raises what another attempt may help."""
    append: Callable[[AuditEvent], object]
    turn: ProcessLock
    """Of the bots that share a home one does this at a time."""
    now: Callable[[], datetime]

    def __call__(self) -> bool:
        """Do the next that is due, and tell whether there was one."""
        if self.queue.next(self.now()) is None or not self.turn.take():
            return False
        try:
            if given := self.queue.next(self.now()):
                self._do(given)
            return given is not None
        finally:
            self.turn.release()

    def _do(self, given: GivenFiles) -> None:
        try:
            self._tell(given, self._outcomes(given))
        except Exception as error:
            log.warning("Files that were given are not read in yet: %s", error)
            wait = understand(error).wait(given.attempts + 1)
            later = replace(given, attempts=given.attempts + 1, due=self.now() + wait)
            self.queue.keep(later)
        else:
            self.queue.done(given)

    def _outcomes(self, given: GivenFiles) -> list[Outcome]:
        """It is recorded who gave what to whom before anybody may read it."""
        person = self.people.administrator(given.user)
        if person is None:
            return [Outcome(each.name, wording.NO_LONGER_ADMIN) for each in given.files]
        left_out: list[Outcome] = []
        contents: dict[str, bytes] = {}
        for number, file in enumerate(given.files):
            fetched = self._fetched(given, file)
            if isinstance(fetched, str):
                left_out.append(Outcome(file.name, fetched))
                continue
            name = unicodedata.normalize("NFC", file.name)
            contents[name] = fetched
            event = _uploaded(given, number, person.id, name, fetched)
            append_once(self.append, event)
        return [*(self.shelve(given, contents) if contents else ()), *left_out]

    def _fetched(self, given: GivenFiles, file: AttachedFile) -> bytes | str:
        """Return what a file holds, or why that is not known, as it follows on its name."""
        try:
            posted = self.fetch(file.file_id, given.channel)
        except UNSENT as error:
            if given.attempts + 1 < ATTEMPTS and may_work_later(error):
                raise
            why = why_unread(error)
            return wording.NOT_FOUND if why == FILE_GONE else why
        except (NotHandedOver, TooLarge, UnreadableDocument) as error:
            return why_unread(error)
        return posted.content if posted.name == file.name else wording.RENAMED

    def _tell(self, given: GivenFiles, outcomes: list[Outcome]) -> None:
        """Once; whoever cannot be told any more is not."""
        try:
            channel = str(self.client.conversations_open(users=given.user)["channel"]["id"])
            since = ts_before(given.given_at)
            if not find_marked(self.client, channel, "", since, {given.mark}):
                post(self.client, channel, became(given, outcomes))
        except SlackApiError as error:
            if not understand(error).no_place:
                raise
            log.warning("%s is not told what became of their files: %s", given.user, error)


def _uploaded(given: GivenFiles, number: int, person: str, name: str, content: bytes) -> AuditEvent:
    """The time is the stored one, so that a repeated event is the same but for its nonce."""
    event_id = f"{given.given_id}-{number}"
    return AuditEvent(
        kind=EventKind.UPLOADED,
        event_id=event_id,
        audit_id=event_id,
        time=given.given_at,
        person=PersonRecord(id=person),
        channel=Channel(id=given.channel),
        details={
            "file": name,
            "sha256": sha256(content).hexdigest(),
            "audience": {facet: list(values) for facet, values in given.audience},
        },
    )
