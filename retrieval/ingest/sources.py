"""What a folder holds: the files that an ingest looks at, what it leaves alone, or reads again."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.documents.holdings import KnownSource
from retrieval.errors import SourceNameTaken, UnreadableDocument
from retrieval.metadata.access import Audience
from retrieval.metadata.metadata_file import METADATA_FILE

if TYPE_CHECKING:
    from retrieval.documents.sql_library import SqlLibrary

UNNAMED = "files"
"""The name of a source whose folder has none: the root of a system."""
_OF_THE_SYSTEM = frozenset({"lost+found"})


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

    name: str
    """Documents are known by it and by their path, wherever the root stands."""
    root: Path
    within: Path

    def covers(self, file: str) -> bool:
        """Whether a file, named relative to the root, belongs to the part that is ingested."""
        return (self.root / file).is_relative_to(self.within)


@dataclass(frozen=True, slots=True)
class Mirrored:
    """A source that lives elsewhere, as its mirror in the home has it."""

    url: str
    closed: Mapping[str, str] = field(default_factory=dict)
    """Files, and folders with all below them, that nobody knows now, and why: they are neither
    served nor taken for gone."""
    link: Callable[[str], str] = lambda _: ""
    """Where people open a file in a browser, unless it says so itself; empty where they cannot."""
    readers: Mapping[str, Audience] | None = None
    """Whom the source lets read each file, by path; None where it does not tell."""
    main_text_only: frozenset[str] = frozenset()
    """Files, as `SourceFile` has it."""


@dataclass(slots=True)
class Listing:
    """All that stands below a source's root, whatever part of it is ingested."""

    files: list[str] = field(default_factory=list)
    """In a stable order, relative to the root with forward slashes; no metadata files."""
    metadata_files: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    """To whatever: what they lead to is read in its own place, with its own metadata."""
    unlisted: list[Problem] = field(default_factory=list)
    """Folders that could not be listed, and files that could not be fetched."""
    unfetched: list[str] = field(default_factory=list)
    """Files that stand there, and whose content nobody knows."""
    is_whole: bool = True
    """Whether all that stands there is known."""

    def hides(self, file: str) -> bool:
        """Whether a file may stand in one of the folders that could not be listed."""
        return any(
            each.file in ("", ".", file) or file.startswith(f"{each.file}/")
            for each in self.unlisted
        )


def source_of(path: Path, known: Sequence[KnownSource], named: str = "") -> Source:
    """Return the source that a path belongs to; `named` is what somebody calls it.

    A path inside a folder that was ingested before refreshes that part of it, so that
    the metadata of the folders above goes on to hold. A source that was not given as a whole is
    none of what stands in the folders below it. Raise `FileNotFoundError`; `UnreadableDocument`
    for what nobody can reach or name; `SourceNameTaken` where two folders would be one source, or
    one folder two.
    """
    within = _resolved(path)
    if within.name == METADATA_FILE and within.is_file():
        within = within.parent  # what it says is of its folder
    by_root = {source.root: source for source in known}
    for folder in reversed([within, *within.parents]):
        held = by_root.get(str(folder))
        beside = within.parent if within.is_file() else within
        if held and (held.whole or folder in (within, beside)):
            _demand_its_name(held, named)
            return Source(held.name, folder, within)
    root = within if within.is_dir() else within.parent
    return Source(_new_name(root, known, named), root, within)


def _demand_its_name(held: KnownSource, named: str) -> None:
    if named not in ("", held.name):
        raise SourceNameTaken(
            f"{held.root} is known as the source {held.name}. Leave --source out; or, to give it "
            f"another name, let it leave first: vouch ingest --remove {held.root}"
        )


def _new_name(root: Path, known: Sequence[KnownSource], named: str) -> str:
    """Return the name that was given, else the folder's own where no other folder has it."""
    name = named or root.name or UNNAMED
    other = next((source for source in known if source.name == name and source.root), None)
    if other and not named:
        raise SourceNameTaken(
            f"Another folder is known as the source {name}: {other.root}. If it moved to {root}, "
            f"say so: vouch ingest {root} --source {name}. If this is another one, give it a name "
            "of its own with --source."
        )
    return name


def _resolved(path: Path) -> Path:
    try:
        within = path.expanduser().resolve(strict=True)
        str(within).encode()
    except (NotADirectoryError, RuntimeError) as error:  # the latter: links in a circle
        raise FileNotFoundError(*error.args) from error
    except UnicodeEncodeError as error:
        raise UnreadableDocument(f"{path!r} has a name that is not UTF-8. Rename it.") from error
    except PermissionError as error:
        raise UnreadableDocument(f"{path} cannot be reached: {error.strerror}.") from error
    return within


def listing_of(
    source: Source, *, below: bool = True, closed: Mapping[str, str] | None = None
) -> Listing:
    """What the folder of a source holds, `below` with the folders in it.

    Nothing of what is `closed`, as `Mirrored` has it, is listed.

    Names that start with a dot are left alone, unless one was asked for. Links are not
    followed: a link beside open documents to one of another folder would open it, and one that
    leads out of the root could pull in what nobody meant to publish.
    """
    root, found, closed = source.root, Listing(), closed or {}
    found.unlisted += (Problem(file, why, unlisted=True) for file, why in closed.items())
    waiting = [""]  # a list, since folders within each other can be deeper than Python's stack
    asked_for = source.within.relative_to(root).as_posix()
    if any(part.startswith(".") for part in Path(asked_for).parts):
        (waiting if source.within.is_dir() else found.files).append(asked_for)
    while waiting:
        folder = waiting.pop()
        if (folder or ".") in closed:
            continue
        try:
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
        except OSError as error:
            reason = f"cannot be listed: {error.strerror}"
            found.unlisted.append(Problem(folder or ".", reason, unlisted=True))
            continue
        path = f"{folder}/" if folder else ""
        folders = [path + entry.name for entry in _take(entries, path, found, closed)]
        waiting.extend(reversed(folders) if below else ())
    found.is_whole = below and not found.unlisted
    return found


def is_left_alone(path: str) -> bool:
    """Whether a file, or a folder above it, has a name that is left alone."""
    return any(
        part in _OF_THE_SYSTEM or (part.startswith(".") and part not in (".", ".."))
        for part in path.split("/")
    )


def _take(
    entries: list[os.DirEntry[str]], below: str, found: Listing, closed: Mapping[str, str]
) -> list[os.DirEntry[str]]:
    """Sort a folder's entries into what was found; return the folders among them."""
    folders = []
    for entry in entries:
        if is_left_alone(entry.name):
            continue
        if below + entry.name in closed and entry.is_file(follow_symlinks=False):
            found.unfetched.append(below + entry.name)
        elif entry.is_symlink():
            kind = found.metadata_files if entry.name == METADATA_FILE else found.links
            kind.append(below + entry.name)
        elif entry.is_dir(follow_symlinks=False):
            folders.append(entry)
        elif entry.is_file(follow_symlinks=False):
            kind = found.metadata_files if entry.name == METADATA_FILE else found.files
            kind.append(below + entry.name)
    return folders


@dataclass(frozen=True, slots=True)
class ToRead:
    source: str
    path: Path
    problem: str = ""
    """Why it must not be read, in words for whoever mends it; empty where it may be."""
    url: str = ""
    """Where the source lives, if elsewhere."""


def known_paths(library: "SqlLibrary", only: str = "") -> Iterator[ToRead]:
    """Yield the folder of each source, or its documents where they were given one by one.

    `only`: of this source alone; no other's folder is looked at. A folder that is gone, or holds
    nothing where there were documents, is most likely a disk that is not mounted: to read it would
    remove them all, so somebody must say so.
    """
    for source in library.sources():
        if only not in ("", source.name):
            continue
        root = Path(source.root)
        if source.url:
            yield ToRead(source.name, root, url=source.url)
            continue
        held = library.holdings(source.name)
        if problem := _problem(source, root, holds=bool(held)):
            yield ToRead(source.name, root, problem)
        elif source.whole:
            yield ToRead(source.name, root)
        else:
            noted = {each.file for each in library.kept_out() if each.source == source.name}
            for file in sorted({*held, *noted}):
                yield from _document(source, root / file, is_held=file in held)


def _problem(source: KnownSource, root: Path, *, holds: bool) -> str:
    if not source.root:
        return f"was read by an older version. Run: vouch ingest FOLDER --source {source.name}"
    if not root.is_dir():
        return (
            f"its folder {root} is gone. Bring it back; or, if its documents should leave, run: "
            f"vouch ingest --remove {root}"
        )
    if holds and _is_empty(root):
        return (
            f"its folder {root} is empty, as where a disk is not mounted. If its documents should "
            f"leave, run: vouch ingest {root}"
        )
    return ""


def _is_empty(root: Path) -> bool:
    try:
        return not any(not entry.name.startswith(".") for entry in os.scandir(root))
    except OSError:
        return False  # the ingest says that it cannot be listed, and keeps what it holds


def _document(source: KnownSource, path: Path, *, is_held: bool) -> Iterator[ToRead]:
    if path.exists():
        yield ToRead(source.name, path)
    elif is_held:
        gone = f"{path} is gone. If it should leave, run: vouch ingest --remove {path}"
        yield ToRead(source.name, path, gone)
