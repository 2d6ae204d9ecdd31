"""What a folder holds: the files that an ingest looks at, and what it leaves alone."""

import os
import stat
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from retrieval.metadata_file import METADATA_FILE


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that was left out, and why, in words for the person who will mend it."""

    file: str
    reason: str
    unlisted: bool = False
    """A folder whose files are unknown: its documents are neither served nor taken for gone."""


@dataclass(frozen=True, slots=True)
class Source:
    """One path given to an ingest.

    `root` is the folder that file names are relative to; `within` restricts the ingest
    to a file or a folder below it.
    """

    root: Path
    within: Path

    def covers(self, file: str) -> bool:
        """Whether a file, named relative to the root, belongs to the part that is ingested."""
        return (self.root / file).is_relative_to(self.within)


@dataclass(frozen=True, slots=True)
class Listing:
    """All that stands below a source's root, whatever part of it is ingested."""

    files: tuple[str, ...] = ()
    """In a stable order, relative to the root with forward slashes; no metadata files."""
    metadata_files: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    """Links to files: what they lead to is read in its own place, with its own metadata."""
    unlisted: tuple[Problem, ...] = ()
    """Folders that could not be listed."""
    is_whole: bool = True
    """Whether all that stands there is known."""

    def hides(self, file: str) -> bool:
        """Whether a file may stand in one of the folders that could not be listed."""
        return any(
            each.file in ("", ".") or file.startswith(f"{each.file}/") for each in self.unlisted
        )


@dataclass(slots=True)
class _Found:
    files: list[str] = field(default_factory=list)
    metadata_files: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    unlisted: list[Problem] = field(default_factory=list)


def source_of(path: Path, known_roots: Collection[str]) -> Source:
    """The source that a path belongs to.

    A path inside a folder that was ingested before refreshes that part of it, so that
    the metadata of the folders above goes on to hold. Raise `FileNotFoundError`.
    """
    try:
        within = path.expanduser().resolve(strict=True)
    except (NotADirectoryError, RuntimeError) as error:  # the latter: links in a circle
        raise FileNotFoundError(*error.args) from error
    for folder in reversed([within, *within.parents]):
        if str(folder) in known_roots:
            return Source(folder, within)
    return Source(within if within.is_dir() else within.parent, within)


def listing_of(source: Source, *, below: bool = True) -> Listing:
    """What the folder of a source holds, `below` with the folders in it.

    Names that start with a dot are left alone, unless one was asked for. Links are not
    followed: a link beside open documents to one of another folder would open it, and one that
    leads out of the root could pull in what nobody meant to publish.
    """
    root, found = source.root, _Found()
    waiting = [""]  # a list, since folders within each other can be deeper than Python's stack
    asked_for = source.within.relative_to(root).as_posix()
    if any(part.startswith(".") for part in Path(asked_for).parts):
        (waiting if source.within.is_dir() else found.files).append(asked_for)
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
        except OSError as error:
            reason = f"cannot be listed: {error.strerror}"
            found.unlisted.append(Problem(folder or ".", reason, unlisted=True))
            continue
        path = f"{folder}/" if folder else ""
        folders = [path + entry.name for entry in _take(entries, path, found)]
        waiting.extend(reversed(folders) if below else ())
    return Listing(
        tuple(found.files),
        tuple(found.metadata_files),
        tuple(found.links),
        tuple(found.unlisted),
        is_whole=below and not found.unlisted,
    )


def _take(entries: list[os.DirEntry[str]], below: str, found: _Found) -> list[os.DirEntry[str]]:
    """Sort a folder's entries into what was found; return the folders among them."""
    folders = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            if entry.is_file() and entry.name != METADATA_FILE:
                found.links.append(below + entry.name)
        elif entry.is_dir(follow_symlinks=False):
            folders.append(entry)
        elif entry.is_file(follow_symlinks=False):
            kind = found.metadata_files if entry.name == METADATA_FILE else found.files
            kind.append(below + entry.name)
    return folders


def content_of(path: Path, largest: int) -> tuple[bytes, os.stat_result]:
    """A file's bytes, with its status as they were read.

    The place of the file may have been taken by a link or a pipe since it was listed: the
    former is not followed, the latter not waited for. Raise `OSError`.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is no longer a plain file")
        return file.read(largest + 1), status
