"""Which files of a source are copied under their names, and what is closed instead.

A name is a stranger's: it must lead nowhere but into the mirror, on any system of files. Where one
cannot be kept that may have said who may read what stands beside it, all of that is closed.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice
from mimetypes import MimeTypes
from typing import NamedTuple, Protocol, TypeVar

from retrieval.errors import BadSource
from retrieval.ingest.sources import is_left_alone
from retrieval.metadata.metadata_file import may_be_metadata
from retrieval.parsing import is_read
from retrieval.ports import SourceFile, SourceListing

LONGEST_NAME, LONGEST_PATH = 255, 1_024
"""Bytes, of each part and of all."""
HERE = "."
MOST_FILES = 1_000_000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Plan:
    files: dict[str, SourceFile]
    """By path."""
    tells_readers: bool
    """As `SourceListing` has it."""
    closed: dict[str, str] = field(default_factory=dict)
    """Files, and folders with all below them, of which nothing is served, and why."""

    def close(self, path: str, why: str) -> None:
        """Close a file; its folder, where it may have said who may read that."""
        name = path.rpartition("/")[2]
        if not may_be_metadata(name):
            self.closed[path] = why
            return
        self.closed[folder_of(path)] = f"holds {name!r}, which {why}"

    def hides(self, path: str) -> bool:
        """Whether it stands in a closed folder, or is one of the closed."""
        above = accumulate(path.split("/"), "{}/{}".format)
        return HERE in self.closed or any(each in self.closed for each in above)


def bounded(files: Iterator[T]) -> tuple[T, ...]:
    """Raise `BadSource` for a listing without end."""
    listed = tuple(islice(files, MOST_FILES + 1))
    if len(listed) > MOST_FILES:
        raise BadSource(f"lists more than {MOST_FILES} files. Name a folder below it")
    return listed


def folder_of(path: str) -> str:
    """The folder that a file stands in, as far as its name can be kept."""
    folder = ""
    for part in path.split("/")[:-1]:
        if _wrong_part(part):
            break
        folder = f"{folder}/{part}" if folder else part
    return folder or HERE


def is_wanted(path: str) -> bool:
    """Whether its content matters; of others, that they stand there."""
    return is_read(path) or may_be_metadata(path.rpartition("/")[2])


def planned(listing: SourceListing) -> Plan:
    plan = Plan({}, listing.tells_readers, dict(listing.unlisted))
    named = [each for each in listing.files if not is_left_alone(each.path)]
    clashes = _Clashes(each.path for each in named)
    for each in named:
        if why := _wrong(each.path):
            plan.close(each.path, why)
        elif clashes.has(each.path):
            plan.close(
                each.path, "has the name of another, or one that differs in case alone; rename one"
            )
        elif each.is_link:
            if is_wanted(each.path):
                plan.close(each.path, "is a link, which is not followed; put the file there")
        else:
            plan.files[each.path] = each
    return plan


def _wrong(path: str) -> str:
    """Why a name cannot be kept; empty where it can."""
    try:
        length = len(path.encode())
    except UnicodeEncodeError:
        return "has a name that is not UTF-8; rename it"
    if length > LONGEST_PATH or any(len(e.encode()) > LONGEST_NAME for e in path.split("/")):
        return "has too long a name; shorten it"
    if any(map(_wrong_part, path.split("/"))):
        return "has a name that no folder takes; rename it"
    return ""


def _wrong_part(part: str) -> bool:
    return part in ("", ".", "..") or any(unicodedata.category(each) == "Cc" for each in part)


def in_a_name(title: str, most: int) -> str:
    """As much of a title as a part of a path takes, of so many bytes."""
    name = "".join("-" if e in "/\\" or unicodedata.category(e)[0] == "C" else e for e in title)
    return name.encode()[:most].decode(errors="ignore")


class _Clashes:
    """Whether another path is the same but for case or the form of accents, or is its folder."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._spelt: defaultdict[str, set[str]] = defaultdict(set)
        for path in paths:
            *folders, whole = accumulate(path.split("/"), "{}/{}".format)
            for each in folders:
                self._spelt[folded(each)].add(f"{each}/")
            spelt = self._spelt[folded(whole)]
            spelt.add(f"{whole}\0" if whole in spelt else whole)

    def has(self, path: str) -> bool:
        above = accumulate(path.split("/"), "{}/{}".format)
        return any(len(self._spelt[folded(each)]) > 1 for each in above)


def folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


_OFFICE = "application/vnd.openxmlformats-officedocument"


class Form(NamedTuple):
    mime_type: str
    ending: str


WORD = Form(f"{_OFFICE}.wordprocessingml.document", ".docx")
SHEETS = Form(f"{_OFFICE}.spreadsheetml.sheet", ".xlsx")
SLIDES = Form(f"{_OFFICE}.presentationml.presentation", ".pptx")
_OF_OFFICE = dict((WORD, SHEETS, SLIDES))
_ENDING = re.compile(r"\.[A-Za-z]\w{0,4}$")
_OTHERS = MimeTypes()
"""As Python knows them, whatever the machine has."""


class DriveEntry(Protocol):
    """What stands in a drive, as a service tells of it; `above` is the id of its folder.

    `is_file` is not so of what only the service shows, such as a form. `ending`: of what it is
    fetched as; empty where its own name says that.
    """

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def mime_type(self) -> str: ...
    @property
    def above(self) -> str: ...
    @property
    def is_folder(self) -> bool: ...
    @property
    def is_file(self) -> bool: ...
    @property
    def ending(self) -> str: ...


E = TypeVar("E", bound=DriveEntry)


def paths_below(root: str, below: Sequence[E]) -> Iterator[tuple[str, E]]:
    """The path of each file below a folder; folders come before what stands in them.

    Drive takes two of one name beside each other, which then have one path: a name that told them
    apart would be another than the one that metadata files speak of.
    """
    paths = {root: ""}
    for each in below:
        path = f"{paths[each.above]}{_called(each)}"
        if each.is_folder:
            paths[each.id] = f"{path}/"
        elif each.is_file:
            yield path, each


def _called(entry: DriveEntry) -> str:
    """Its name, with an ending that says its kind where it has none."""
    name, ending = entry.name or entry.id, entry.ending
    if not ending:
        if entry.is_folder or _ENDING.search(name):
            return in_a_name(name, LONGEST_NAME)
        kind = entry.mime_type
        ending = _OF_OFFICE.get(kind) or _OTHERS.guess_extension(kind) or ""
        ending = ending if is_read(f"a{ending}") else ""
    return f"{in_a_name(name, LONGEST_NAME - len(ending))}{ending}"
