"""Files that an administrator gave become documents, and they are told what became of each.

What was given is on the disk before Slack hears that it was taken, beside the folder that the files
go to: both belong to the machine on which it was given.
"""

import logging
import shlex
import time
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Protocol
from urllib.parse import urlencode

from pydantic import TypeAdapter
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.engines import replace_durably
from audit.record import AuditEvent, EventKind
from audit.values import Channel, PersonRecord
from bot.slack.attachments import (
    FetchPosted,
    NotHandedOver,
    PostedFile,
    TooLarge,
    may_work_later,
    why_unread,
)
from bot.slack.blocks.elements import (
    Message,
    bullets,
    in_line,
    labelled,
    line,
    marked,
    preformatted,
    rich,
    section,
    spoken,
    words,
)
from bot.slack.directory import SlackPeople
from bot.slack.exchange import AttachedFile
from bot.slack.failures import UNSENT, append_once, understand
from bot.slack.inbox.removals import ts_before
from bot.slack.steps.sending import find_marked, post
from bot.wording import reading_in as wording
from bot.wording.documents import who
from bot.wording.slack import FILE_GONE
from retrieval.documents.locks import ProcessLock
from retrieval.errors import UnreadableDocument, WrongReaders
from retrieval.metadata.access import EVERYBODY, EVERYONE, Audience, audience_said
from retrieval.metadata.metadata_file import may_be_metadata
from retrieval.metadata.ontology import is_printable

_LONGEST, _MOST_BYTES = 99, 240
"""Of a name: in characters, of which a message's are cut at 100, and as file systems count."""
_LONGEST_KEY = 120
_REMEMBERED = 86_400
"""Seconds for which a submission that is done is known as given, should Slack deliver it again."""
log = logging.getLogger(__name__)


def check_name(name: str) -> None:
    """Raise `UnreadableDocument` for what is no plain name of one file that people can tell."""
    hidden = name.startswith(".") or name != name.strip() or not {*"/\\"}.isdisjoint(name)
    if hidden or not is_printable(name) or len(name) > _LONGEST or len(name.encode()) > _MOST_BYTES:
        raise UnreadableDocument(wording.BAD_NAME)
    if may_be_metadata(name):
        raise UnreadableDocument(wording.LIKE_METADATA)


def folder_of(audience: Audience) -> str:
    """Return the name of the folder for an audience: no two have one."""
    key = urlencode(audience, doseq=True) or "everyone"
    return key if len(key) <= _LONGEST_KEY else f"{key[:_LONGEST_KEY]}-{_short(key)}"


def option_of(audience: Audience) -> str:
    return _short(urlencode(audience, doseq=True))


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]


def said_as(audience: Audience) -> list[str]:
    """Return what `vouch ingest --for` is told of an audience."""
    return [f"{facet}={','.join(values)}" for facet, values in audience] or ["everyone"]


def can_be_said(audience: Audience, facets: Collection[str]) -> bool:
    """Tell whether that means the same again: a value may have a comma, or be `*`."""
    try:
        means = audience_said(said_as(audience), facets)
    except WrongReaders:
        return False
    return means == audience and not any(EVERYONE in values for _, values in audience)


class GivenStage(StrEnum):
    """What is to be done next with a submission."""

    FETCH = "fetch"
    READ = "read"
    TELL = "tell"


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """A file whose bytes are kept, and that is not read in yet."""

    number: int
    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class FileOutcome:
    name: str
    why: str = ""
    """Why it is not read, as it follows on the name; empty where it is."""
    passages: int = 0
    readers: Audience = EVERYBODY
    """Who may read it, which it may have narrowed itself."""
    path: Path = Path()


@dataclass(frozen=True, slots=True)
class GivenFiles:
    """What somebody gave at once."""

    given_id: str
    user: str
    """Who gave them; Slack's id, as the channel's."""
    channel: str
    files: tuple[AttachedFile, ...]
    audience: Audience
    given_at: datetime
    due: datetime
    """When there is next something to do."""
    stage: GivenStage = GivenStage.FETCH
    attempts: int = 0
    """Of what is to be done next, that failed."""
    person: str = ""
    """Who gave them, as `people.yaml` has it; known once they are fetched."""
    fetched: tuple[FetchedFile, ...] = ()
    outcomes: tuple[FileOutcome, ...] = ()

    @property
    def mark(self) -> str:
        """Return the `block_id` by which the message that tells of them is found."""
        return f"vouch-given-{self.given_id}"


def id_of(user: str, view: str) -> str:
    """Return the id of what is given with a form, which is the same however often it arrives."""
    return _short(f"{user} {view}")


_PACKED = TypeAdapter(GivenFiles)


@dataclass(frozen=True, slots=True)
class GivenQueue:
    """One file for each submission, in a folder of its own; every method raises `OSError`."""

    folder: Path

    def add(self, given: GivenFiles) -> None:
        """Keep what is given, unless it was before."""
        if not any(self._file(given, each).exists() for each in ("json", "done")):
            self.keep(given)

    def keep(self, given: GivenFiles) -> None:
        replace_durably(self._file(given, "json"), _PACKED.dump_json(given))

    def next(self, now: datetime) -> GivenFiles | None:
        """Return what was given first, once it is due: until it is done nothing else is."""
        waiting = filter(None, map(self._given, self.folder.glob("[!.]*.json")))
        first = min(waiting, key=lambda each: (each.given_at, each.given_id), default=None)
        return first if first and first.due <= now else None

    def done(self, given: GivenFiles) -> None:
        self._file(given, "done").touch(mode=0o600)
        self._file(given, "json").unlink(missing_ok=True)
        for each in self.folder.glob("*.done"):
            if each.stat().st_mtime < time.time() - _REMEMBERED:
                each.unlink(missing_ok=True)

    def _given(self, path: Path) -> GivenFiles | None:
        try:
            return _PACKED.validate_json(path.read_bytes())
        except ValueError:
            aside = path.replace(path.with_suffix(".unreadable"))
            log.error("What was given cannot be read any more, and is not read in: see %s", aside)
            return None

    def _file(self, given: GivenFiles, ending: str) -> Path:
        return self.folder / f"{given.given_id}.{ending}"


ATTEMPTS = 8
"""Of each thing that is done: two minutes."""


class Folder(Protocol):
    """Where files are kept and read in; each method raises what another attempt may help."""

    def keep(self, given: GivenFiles, name: str, content: bytes) -> None: ...
    def keep_before(self, given: GivenFiles, names: Sequence[str]) -> None: ...
    def read(self, given: GivenFiles, file: FetchedFile) -> FileOutcome: ...
    def undo(self, given: GivenFiles, name: str) -> None: ...
    def forget(self, given: GivenFiles) -> None: ...


@dataclass(frozen=True, slots=True)
class ReadInStep:
    """Reads submissions in the order given: fetch all, read each, tell; nothing done twice."""

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


def became(given: GivenFiles) -> Message:
    said = [
        (each.name, each.why or wording.read_in(each.passages, who(each.readers)))
        for each in given.outcomes
    ]
    shown = [labelled(in_line(name, 300), in_line(what, 900)) for name, what in said]
    stand = [
        shlex.join(["vouch", "ingest", "--remove", str(each.path)])
        for each in given.outcomes
        if not each.why
    ]
    back = [line(words(wording.TAKE_BACK)), preformatted("\n".join(stand))] if stand else []
    aloud = "\n".join([wording.OUTCOMES, *(f"{name} {what}" for name, what in said)])
    return Message(
        spoken(aloud), marked(given.mark, [section(wording.OUTCOMES), rich(bullets(shown), *back)])
    )
