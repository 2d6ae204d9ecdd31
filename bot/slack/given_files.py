"""Files that an administrator gave to be read as documents, kept until they are.

What was given is on the disk before Slack hears that it was taken, beside the folder that the files
go to: both belong to the machine on which it was given.
"""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import parse_qs, urlencode

from pydantic import TypeAdapter

from audit.durable import replace_durably
from bot.slack.exchange import AttachedFile
from bot.wording import reading_in as wording
from retrieval.errors import UnreadableDocument
from retrieval.metadata.access import EVERYBODY, Audience

MOST_AT_ONCE = 5
"""Files: all are held in memory while they are read in."""
_LONGEST, _MOST_BYTES = 99, 240
"""Of a name: in characters, of which a message's are cut at 100, and as file systems count."""
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def check_name(name: str) -> None:
    """Raise `UnreadableDocument` for what is no plain name of one file that people can tell."""
    unseen = any(unicodedata.category(each) in _UNSEEN for each in name)
    hidden = name.startswith(".") or name != name.strip() or not {*"/\\"}.isdisjoint(name)
    if unseen or hidden or len(name) > _LONGEST or len(name.encode()) > _MOST_BYTES:
        raise UnreadableDocument(wording.BAD_NAME)


_EVERYBODY = "everyone"


def key_of(audience: Audience) -> str:
    """Return what stands for an audience, in a form and as a folder's name: no two have one."""
    return urlencode(audience, doseq=True) or _EVERYBODY


def audience_of(key: str) -> Audience | None:
    """Return what a key stands for; None for what is none."""
    stated = {} if key == _EVERYBODY else parse_qs(key, keep_blank_values=True)
    audience = tuple((facet, tuple(values)) for facet, values in stated.items()) or EVERYBODY
    return audience if key_of(audience) == key else None


@dataclass(frozen=True, slots=True)
class GivenFiles:
    """What somebody gave at once."""

    given_id: str
    """Sorts by time."""
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
    attempts: int = 0

    @property
    def mark(self) -> str:
        """Return the `block_id` by which the message that tells of them is found."""
        return f"vouch-given-{self.given_id}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file."""

    name: str
    why: str = ""
    """Why it is not read, as it follows on the name; empty where it is."""
    passages: int = 0
    readers: Audience = EVERYBODY
    """Who may read it, which it may have narrowed itself."""
    path: Path = Path()
    """Where it stands."""


_PACKED = TypeAdapter(GivenFiles)


@dataclass(frozen=True, slots=True)
class GivenQueue:
    """One file for each submission, in a folder of its own; every method raises `OSError`."""

    folder: Path

    def keep(self, given: GivenFiles) -> None:
        """Keep it as it stands now."""
        replace_durably(self._file(given), _PACKED.dump_json(given))

    def next(self, now: datetime) -> GivenFiles | None:
        """Return the oldest that is due."""
        for path in sorted(self.folder.glob("[!.]*.json")):
            given = _PACKED.validate_json(path.read_bytes())
            if given.due <= now:
                return given
        return None

    def done(self, given: GivenFiles) -> None:
        self._file(given).unlink(missing_ok=True)

    def _file(self, given: GivenFiles) -> Path:
        return self.folder / f"{given.given_id}.json"
