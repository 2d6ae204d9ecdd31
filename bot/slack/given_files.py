"""Files that an administrator gave to be read as documents, kept until they are.

What was given is on the disk before Slack hears that it was taken, beside the folder that the files
go to: both belong to the machine on which it was given.
"""

import logging
import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlencode

from pydantic import TypeAdapter

from audit.engines import replace_durably
from bot.slack.exchange import AttachedFile
from bot.wording import reading_in as wording
from retrieval.errors import UnreadableDocument, WrongReaders
from retrieval.metadata.access import EVERYBODY, EVERYONE, Audience, audience_said
from retrieval.metadata.metadata_file import may_be_metadata
from retrieval.metadata.ontology import is_printable

MOST_GIVEN = 5
"""Files of one submission."""
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
    """Among those of its submission."""
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
    """Where it stands."""


@dataclass(frozen=True, slots=True)
class GivenFiles:
    """What somebody gave at once."""

    given_id: str
    user: str
    """Who gave them; Slack's id, as the channel's."""
    channel: str
    """Where they stand."""
    files: tuple[AttachedFile, ...]
    audience: Audience
    """Who may read them."""
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
