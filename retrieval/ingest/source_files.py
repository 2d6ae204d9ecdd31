"""A source's files as they stand at one ingest, and what that ingest has in hand."""

import hashlib
import os
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.documents.holdings import Fingerprint, KnownSource
from retrieval.errors import RetrievalError, UnreadableDocument
from retrieval.ingest.near_duplicates import Likeness
from retrieval.ingest.sources import Mirrored, Problem, Source, listing_of
from retrieval.metadata.access import NOBODY, Audience
from retrieval.metadata.folder_metadata import FolderMetadata, Past
from retrieval.metadata.metadata_file import METADATA_FILE, content_of
from retrieval.metadata.ontology import Ontology, check_link
from retrieval.parsing import is_page, may_be_pictures, missing_program
from retrieval.parsing.recognition import Recognition, state
from retrieval.search.timing import Stages

if TYPE_CHECKING:
    from retrieval.documents.sql_library import SqlLibrary


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one ingest did; file names are relative to the ingested folder."""

    source: str = ""
    """The source's name."""
    root: str = field(default="", compare=False)
    """Its folder; empty where that was not given as a whole."""
    moved_from: str = ""
    """Where the source's folder stood at the last ingest, if elsewhere."""
    renamed: tuple[tuple[str, str], ...] = ()
    """The old and the new path of each file that was found again by its content."""
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    passages: int = 0
    """Written in this run, into the index; also those of unchanged documents that it lacked."""
    problems: tuple[Problem, ...] = ()
    unread: tuple[Problem, ...] = ()
    """Documents of which some pages were not read, and why; the others were."""
    foreign: tuple[str, ...] = ()
    """New or changed documents that are not in English."""
    suspended: tuple[str, ...] = ()
    """Documents in folders that cannot be listed: kept, and not served until they can."""
    left_alone: tuple[str, ...] = ()
    """Files of kinds that are not read."""
    links: tuple[str, ...] = ()
    """Not followed: documents that they lead to are read in their own place."""
    gone: tuple[KnownSource, ...] = ()
    """Sources whose folders are no longer there, and whose documents are still served."""
    unused: tuple[str, ...] = ()
    """Entries of metadata files that hold for no file: most likely misspelt names, so that the
    documents which they were meant for may be open."""
    readers: Mapping[Audience, int] = field(default_factory=dict)
    """How many of the documents of the path that are served each audience may read."""
    alike: tuple[Problem, ...] = ()
    """Documents that have another's readers, or its time, as they are alike."""
    unsaid: bool = False
    """Whether nobody said who may read the source, so that its new documents are nobody's."""
    milliseconds: dict[str, float] = field(default_factory=dict)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was kept out or waits for somebody to say who may read it."""
        is_said = not self.unsaid or not self.readers.get(NOBODY)
        return not self.problems and not self.unused and is_said and not self.is_empty

    @property
    def is_empty(self) -> bool:
        """Whether there was nothing to read, and nothing left either."""
        return not (self.readers or self.removed or self.suspended or self.problems)


MEGABYTE = 1024 * 1024
FRESH_NS = 2_000_000_000
"""A file that changed less than this ago may change again without its times telling: clocks of
file systems tick in steps, of up to two seconds."""


class SourceFiles:
    """What stands below a source's root, and what is said of it there."""

    def __init__(
        self,
        source: Source,
        ontology: Ontology,
        largest_megabytes: int,
        read_by: str,
        recognition: Recognition,
        said: Audience | None,
        past: Callable[[], Past],
        mirrored: Mirrored | None = None,
        *,
        below: bool,
    ) -> None:
        """What was not `read_by` these parsers is read again; `below`: with all folders below.

        `said` and `past` are as `FolderMetadata` has them.
        """
        self.source = source
        self.read_by = read_by
        self._mirrored = mirrored
        self.listing = listing_of(source, below=below, closed=mirrored.closed if mirrored else None)
        told = {each.file for each in self.listing.unlisted}
        kept_out = mirrored.closed.keys() - {"."} if mirrored else set()
        self.all_listed = told <= kept_out
        """Whether it is known what stands there; its source may have kept some of that out."""
        self.covered = tuple(filter(source.covers, self.listing.files))
        is_enough = below or METADATA_FILE not in self.listing.metadata_files
        whole = self.listing if is_enough else listing_of(source)
        self.metadata = FolderMetadata(
            source.root,
            ontology,
            said,
            (*whole.files, *whole.unfetched),
            whole.metadata_files,
            [each.file for each in whole.unlisted],
            past,
            mirrored.readers if mirrored else None,
        )
        self.unused = tuple(self.metadata.unused()) if self.listing.is_whole else ()
        self._largest = largest_megabytes * MEGABYTE
        self._recognition = recognition

    def link(self, file: str) -> str:
        """Where people open a file of a source elsewhere; empty where they cannot."""
        link = self._mirrored.link(file) if self._mirrored else ""
        return "" if check_link(link) else link

    def main_text_only(self, file: str) -> bool:
        """As `SourceFile` has it, of what is a page."""
        mirrored = self._mirrored
        return mirrored is not None and file in mirrored.main_text_only and is_page(file)

    def named(self, path: Path) -> str:
        """Name a path as documents name their files."""
        return path.relative_to(self.source.root).as_posix()

    def status(self, file: str) -> os.stat_result:
        """Raise `UnreadableDocument` for what is too large or cannot be named."""
        _require_plain_name(file)
        status = (self.source.root / file).stat(follow_symlinks=False)
        if status.st_size > self._largest:
            raise UnreadableDocument(
                f"is {status.st_size // MEGABYTE} MB, more than the "
                f"{self._largest // MEGABYTE} MB that are read; split it, or raise "
                "VOUCH_LARGEST_MEGABYTES"
            )
        return status

    def content(self, file: str) -> tuple[bytes, os.stat_result]:
        return content_of(self.source.root / file, self._largest)

    def hash_if(self, file: str, sizes: Collection[int]) -> str:
        """Return a file's hash, if it is of one of these sizes and can be read; else nothing."""
        try:
            if self.status(file).st_size not in sizes:
                return ""
            content, _ = self.content(file)
        except (OSError, UnreadableDocument):
            return ""
        return hashlib.sha256(content).hexdigest()

    def fingerprint(self, file: str, status: os.stat_result, sha256: str = "") -> Fingerprint:
        """Of a file as its status tells, and of its content where that was read."""
        fresh = status.st_ctime_ns > time.time_ns() - FRESH_NS
        return Fingerprint(
            status.st_size,
            status.st_mtime_ns,
            sha256,
            f"{self.read_by}{self._recognised_by(file)} {self.metadata.fingerprint(file)}",
            -1 if fresh else status.st_ctime_ns,
        )

    def _recognised_by(self, file: str) -> str:
        """So that a file is read again where it can be now, or another part of a page counts."""
        if self.main_text_only(file):
            return " main text"
        if program := missing_program(file):
            return f" without {program}"
        return f" recognition {self._recognition_state}" if may_be_pictures(file) else ""

    @cached_property
    def _recognition_state(self) -> str:
        return state(self._recognition)


def _require_plain_name(file: str) -> None:
    """A name of other bytes than UTF-8 can be neither stored nor cited."""
    try:
        file.encode()
    except UnicodeEncodeError as error:
        raise UnreadableDocument("has a name that is not UTF-8; rename it") from error


class IngestState:
    """Its steps share it, and leave in it what they did."""

    def __init__(self, source: Source, library: "SqlLibrary") -> None:
        self.source = source
        self.library = library
        self.held = library.holdings(source.name)
        self.likeness = Likeness()
        self.report = IngestReport(source.name, str(source.root))
        self.problems: list[Problem] = []
        self.failed: set[str] = set()
        self.in_vain: dict[str, Fingerprint] = {}
        """Files that were read, or not again, and could not be."""
        self.refused = {
            each.file: (each.fingerprint, each.reason)
            for each in library.kept_out()
            if each.source == source.name and each.fingerprint is not None
        }
        """What became of files that earlier ingests read in vain, and what these were like."""
        self.unread: list[Problem] = []
        self.foreign: list[str] = []
        self.left_alone: list[str] = []
        self.stages = Stages()

    def note(self, **changes: object) -> None:
        self.report = replace(self.report, **changes)  # type: ignore[arg-type]  # its own fields

    def alone(self, file: str, step: Callable[[], None]) -> None:
        """Take a step with one file; whatever goes wrong with it is that file's alone.

        A document that was seen and failed leaves at once: nobody knows what it says now, or
        who may read it.
        """
        try:
            step()
        except UnreadableDocument as error:
            self._fail(file, str(error))
        except OSError as error:
            self._fail(file, f"cannot be read: {error.strerror or error}")
        except RetrievalError:
            raise  # of library, index or model: no file's fault
        except Exception as error:
            self._fail(file, f"cannot be read ({type(error).__name__}: {error}); save it anew")

    def _fail(self, file: str, reason: str) -> None:
        self.failed.add(file)
        self.problems.append(Problem(file, reason))
        if held := self.held.get(file):
            self.library.remove([held.document.document_id])
            self.note(removed=(*self.report.removed, file))
