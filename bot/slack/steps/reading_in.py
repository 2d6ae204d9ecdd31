"""Files that administrators gave become documents, and they are told what became of each."""

import logging
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Protocol

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.record import AuditEvent, EventKind
from audit.values import Channel, PersonRecord
from bot.slack.attached_files import FetchPosted, PostedFile, may_work_later, why_unread
from bot.slack.blocks.reading_in import became
from bot.slack.directory import SlackPeople
from bot.slack.exchange import AttachedFile
from bot.slack.failures import UNSENT, append_once, understand
from bot.slack.file_download import NotHandedOver, TooLarge
from bot.slack.given_files import FetchedFile, FileOutcome, GivenFiles, GivenQueue, GivenStage
from bot.slack.inbox.removals import ts_before
from bot.slack.steps.sending import find_marked, post
from bot.wording import reading_in as wording
from bot.wording.slack import FILE_GONE
from retrieval.documents.locks import ProcessLock
from retrieval.errors import UnreadableDocument

ATTEMPTS = 8
"""Of each thing that is done: two minutes."""
log = logging.getLogger(__name__)


class Folder(Protocol):
    """Where files are kept and read in; each method raises what another attempt may help."""

    def keep(self, given: GivenFiles, name: str, content: bytes) -> None: ...
    def keep_before(self, given: GivenFiles, names: Sequence[str]) -> None: ...
    def read(self, given: GivenFiles, file: FetchedFile) -> FileOutcome: ...
    def undo(self, given: GivenFiles, name: str) -> None: ...
    def forget(self, given: GivenFiles) -> None: ...


@dataclass(frozen=True, slots=True)
class ReadInStep:
    """Does one submission after another, as they were given.

    What is done is kept, and not done again: all is fetched, then one file after another is read,
    then that is told.
    """

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    queue: GivenQueue
    people: SlackPeople
    fetch: FetchPosted
    folder: Folder
    append: Callable[[AuditEvent], object]
    turn: ProcessLock
    """Of the bots that share a home one does this at a time."""
    now: Callable[[], datetime]

    def __call__(self) -> bool:
        if self.queue.next(self.now()) is None or not self.turn.take():
            return False
        try:
            if given := self.queue.next(self.now()):
                self._do(given)
            return given is not None
        finally:
            self.turn.release()

    def _do(self, given: GivenFiles) -> None:
        does = {
            GivenStage.FETCH: self._fetch,
            GivenStage.READ: self._read,
            GivenStage.TELL: self._tell,
        }
        try:
            now = does[given.stage](given)
        except Exception as error:
            log.warning("Files that were given are not read in yet: %s", error)
            failed = given.attempts + 1
            due = self.now() + understand(error).wait(failed)
            later = replace(given, attempts=failed, due=due)
            now = later if failed < ATTEMPTS else self._given_up(given)
        if now is None:
            self.queue.done(given)
            return
        self.queue.keep(now)
        if now.stage is GivenStage.TELL:
            self.folder.forget(now)

    def _fetch(self, given: GivenFiles) -> GivenFiles:
        """Nothing is put in place before all that can be had is here."""
        person = self.people.operator(given.user)
        if person is None:
            return _over(given, wording.NO_LONGER_ADMIN)
        refused: list[FileOutcome] = []
        fetched: dict[str, FetchedFile] = {}
        for number, file in enumerate(given.files):
            posted = self._posted(given, file)
            if isinstance(posted, str):
                refused.append(FileOutcome(file.name, posted))
                continue
            name = unicodedata.normalize("NFC", posted.name)
            if name in fetched:
                refused.append(FileOutcome(name, wording.SAME_NAME))
                continue
            self.folder.keep(given, name, posted.content)
            fetched[name] = FetchedFile(number, name, sha256(posted.content).hexdigest())
        self.folder.keep_before(given, list(fetched))
        return replace(
            given,
            person=person.id,
            fetched=tuple(fetched.values()),
            outcomes=tuple(refused),
            stage=GivenStage.READ if fetched else GivenStage.TELL,
            attempts=0,
        )

    def _posted(self, given: GivenFiles, file: AttachedFile) -> PostedFile | str:
        """Return a file as it is now, or why it cannot be had, as it follows on its name."""
        try:
            return self.fetch(file.file_id, given.channel)
        except UNSENT as error:
            if given.attempts + 1 < ATTEMPTS and may_work_later(error):
                raise
            why = why_unread(error)
            return wording.NOT_FOUND if why == FILE_GONE else why
        except (NotHandedOver, TooLarge, UnreadableDocument) as error:
            return why_unread(error)

    def _read(self, given: GivenFiles) -> GivenFiles:
        """Read the next: it is recorded who gave what to whom before anybody may read it."""
        append_once(self.append, _uploaded(given, given.fetched[0]))
        return _read_one(given, self.folder.read(given, given.fetched[0]))

    def _given_up(self, given: GivenFiles) -> GivenFiles | None:
        """It is told, and nothing of it stays."""
        log.error("Files that %s gave are not read in: it is not tried again", given.user)
        if given.stage is GivenStage.TELL:
            return None
        if given.stage is GivenStage.FETCH:
            return _over(given, wording.GIVEN_UP)
        name = given.fetched[0].name
        try:
            self.folder.undo(given, name)
        except Exception as error:
            log.error("What %s was before is not read again yet: %s", name, error)
        return _read_one(given, FileOutcome(name, wording.GIVEN_UP))

    def _tell(self, given: GivenFiles) -> None:
        """Once; whoever cannot be told any more is not."""
        try:
            channel = str(self.client.conversations_open(users=given.user)["channel"]["id"])
            since = ts_before(given.given_at)
            if not find_marked(self.client, channel, "", since, {given.mark}):
                post(self.client, channel, became(given))
        except SlackApiError as error:
            if not understand(error).no_place:
                raise
            log.warning("%s is not told what became of their files: %s", given.user, error)


def _over(given: GivenFiles, why: str) -> GivenFiles:
    outcomes = tuple(FileOutcome(each.name, why) for each in given.files)
    return replace(given, outcomes=outcomes, stage=GivenStage.TELL, attempts=0)


def _read_one(given: GivenFiles, outcome: FileOutcome) -> GivenFiles:
    left = given.fetched[1:]
    now = replace(given, fetched=left, outcomes=(*given.outcomes, outcome), attempts=0)
    return replace(now, stage=GivenStage.READ if left else GivenStage.TELL)


def _uploaded(given: GivenFiles, file: FetchedFile) -> AuditEvent:
    """The time is the stored one, so that a repeated event is the same but for its nonce."""
    event_id = f"{given.given_id}-{file.number}"
    return AuditEvent(
        kind=EventKind.UPLOADED,
        event_id=event_id,
        audit_id=event_id,
        time=given.given_at,
        person=PersonRecord(id=given.person),
        channel=Channel(id=given.channel),
        details={
            "file": file.name,
            "sha256": file.sha256,
            "audience": {facet: list(values) for facet, values in given.audience},
        },
    )
