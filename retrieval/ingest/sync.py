"""Bringing the library in line with the files of a path, incrementally."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

from filelock import FileLock, Timeout

from retrieval.errors import UnreadableDocument
from retrieval.holdings import Acquisition, Fingerprint, Holding
from retrieval.ingest.chunking import CHUNKING, cut
from retrieval.ingest.indexed_library import PASSAGES_AT_ONCE, IndexedLibrary, ProgressReport
from retrieval.ingest.sources import METADATA_FILE, Problem, Source, files_within, source_of
from retrieval.ingest.worker import ParserWorker
from retrieval.metadata import FolderMetadata
from retrieval.ontology import Ontology
from retrieval.parsing import PARSING, suffixes
from retrieval.parsing.front_matter import as_shown
from retrieval.timing import Stages
from retrieval.types import Document

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one ingest did; file names are relative to the ingested folder."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    passages: int = 0
    """Written in this run."""
    problems: tuple[Problem, ...] = ()
    left_alone: tuple[str, ...] = ()
    """Files of kinds that are not read."""
    unused: tuple[str, ...] = ()
    """Entries of metadata files that held for no file: most likely misspelt names."""
    metadata_above: tuple[str, ...] = ()
    """Metadata files in folders above the ingested one: they do not count."""
    milliseconds: dict[str, float] = field(default_factory=dict)
    """By stage."""


@dataclass(frozen=True, slots=True)
class Ingest:
    """Reads folders and files into the library; one at a time in one home."""

    stacks: IndexedLibrary
    ontology: Ontology
    lock: Path
    """A second ingest waits here until the first has ended."""
    largest_megabytes: int
    """A larger file is reported and left out: it would hold up all the others."""
    parsing: ParserWorker = field(default_factory=ParserWorker)

    def run(self, path: Path, progress: ProgressReport = lambda *_: None) -> IngestReport:
        """Bring one path up to date. Raise `FileNotFoundError` where there is none."""
        with self._turn(progress), self.parsing:
            run = _Run(self, source_of(path, self.stacks.library.roots()))
            run.read_files(progress)
            run.let_leave()
            self.stacks.mend()
            return run.report()

    def remove(self, path: Path) -> tuple[str, ...]:
        """Let every document under a path leave, whether or not it still exists."""
        with FileLock(self.lock):
            gone = path.expanduser().resolve()
            leaving = {
                holding.document.document_id: holding.document.file
                for root in self.stacks.library.roots()
                for holding in self.stacks.library.holdings(root).values()
                if (Path(root) / holding.document.file).is_relative_to(gone)
            }
            self.stacks.library.remove(leaving)
            self.stacks.mend()
            return tuple(sorted(leaving.values()))

    def embed_all(
        self, clear: Callable[[], None], progress: ProgressReport = lambda *_: None
    ) -> int:
        """Make the index anew from the library, after a change of embedder.

        `clear` forgets the old one; it waits its turn, lest another ingest write to it.
        """
        with self._turn(progress):
            clear()
            return self.stacks.embed_all(progress)

    @contextmanager
    def _turn(self, progress: ProgressReport) -> Iterator[None]:
        """Wait for another ingest to end, and say so."""
        lock = FileLock(self.lock)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            progress(0, 0, "waiting for another ingest to end")
            lock.acquire()
        try:
            yield
        finally:
            lock.release()


class _Run:
    """One path, once: collects what it does for the report."""

    def __init__(self, ingest: Ingest, source: Source) -> None:
        self._stacks = ingest.stacks
        self._library = ingest.stacks.library
        self._largest = ingest.largest_megabytes * MEGABYTE
        self._parsing = ingest.parsing
        self._source = source
        self._root = str(source.root)
        self._metadata = FolderMetadata(source.root, ingest.ontology)
        self._held = self._library.holdings(self._root)
        self._seen: set[str] = set()
        self._waiting: list[Acquisition] = []
        self._problems: list[Problem] = []
        self._report = IngestReport()
        self._stages = Stages()

    def read_files(self, progress: ProgressReport) -> None:
        files = list(files_within(self._source, self._problems))
        for done, path in enumerate(files):
            file = path.relative_to(self._source.root).as_posix()
            progress(done, len(files), file)
            try:
                self._read(path, file)
            except UnreadableDocument as error:
                self._problems.append(Problem(file, str(error)))
            except OSError as error:
                self._problems.append(Problem(file, f"cannot be read: {error.strerror or error}"))
        self._flush()
        progress(len(files), len(files), "")

    def let_leave(self) -> None:
        """Documents whose files are gone or can no longer be trusted leave.

        So do those of narrower sources that this one now covers. After a folder could
        not be listed nothing leaves: its files may well be there.
        """
        if any(problem.unlisted for problem in self._problems):
            return
        gone = [
            holding
            for file, holding in self._held.items()
            if file not in self._seen
            and (self._source.root / file).is_relative_to(self._source.within)
        ]
        covered = [
            holding
            for root in self._library.roots()
            if root != self._root and Path(root).is_relative_to(self._source.within)
            for holding in self._library.holdings(root).values()
        ]
        self._library.remove(h.document.document_id for h in (*gone, *covered))
        self._note(removed=tuple(holding.document.file for holding in gone))

    def report(self) -> IngestReport:
        return replace(
            self._report,
            problems=tuple(self._problems),
            unused=self._unused(),
            metadata_above=tuple(
                str(folder / METADATA_FILE)
                for folder in self._source.root.parents
                if (folder / METADATA_FILE).is_file()
            ),
            milliseconds=self._stages.milliseconds,
        )

    def _unused(self) -> tuple[str, ...]:
        if self._source.within != self._source.root:
            return ()  # the others may hold for files outside the part that was read
        return tuple(f"{key} in {file}" for file, key in self._metadata.unused())

    def _note(self, **changes: object) -> None:
        self._report = replace(self._report, **changes)  # type: ignore[arg-type]  # its own fields

    def _read(self, path: Path, file: str) -> None:
        if path.suffix.lower() not in suffixes():
            if path == self._source.within:
                raise UnreadableDocument(f"is not of a kind that is read ({_kinds()})")
            self._note(left_alone=(*self._report.left_alone, file))
            return
        _require_plain_name(file)
        status = path.stat()
        if status.st_size > self._largest:
            raise UnreadableDocument(
                f"is {status.st_size // MEGABYTE} MB, more than the "
                f"{self._largest // MEGABYTE} MB that are read; split it, or raise "
                "VOUCH_LARGEST_MEGABYTES"
            )
        held = self._held.get(file)
        circumstances = f"{PARSING} {CHUNKING} {self._metadata.fingerprint(file)}"
        glance = (status.st_size, status.st_mtime_ns, circumstances)
        if held and held.fingerprint.glance == glance:
            self._keep(file)
            return
        content = path.read_bytes()
        fingerprint = Fingerprint(
            *glance[:2], sha256=hashlib.sha256(content).hexdigest(), circumstances=circumstances
        )
        if held and held.fingerprint.same_content(fingerprint):
            self._library.touch(held.document.document_id, fingerprint)
            self._keep(file)
            return
        self._acquire(content, file, held, fingerprint)

    def _keep(self, file: str) -> None:
        self._seen.add(file)
        self._note(unchanged=self._report.unchanged + 1)

    def _acquire(
        self, content: bytes, file: str, held: Holding | None, fingerprint: Fingerprint
    ) -> None:
        with self._stages.stage("parse"):
            parsed = self._parsing.parse(file, content)
        metadata = self._metadata.resolve(parsed.front_matter, file)
        document_id = _document_id(self._root, file)
        document = Document(
            document_id=document_id,
            file=file,
            version=self._library.next_version(document_id),
            ingested_at=datetime.now(UTC),
            title=as_shown(metadata.title) or unescape(parsed.title) or _readable_name(file),
            metadata=metadata,
        )
        with self._stages.stage("cut"):
            passages = cut(document, parsed)
        self._waiting.append(Acquisition(self._root, document, fingerprint, passages))
        self._seen.add(file)
        if held:
            self._note(changed=(*self._report.changed, file))
        else:
            self._note(added=(*self._report.added, file))
        if sum(len(each.passages) for each in self._waiting) >= PASSAGES_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            written = self._stacks.store(self._waiting, self._stages)
            self._note(passages=self._report.passages + written)
            self._waiting = []


def _document_id(root: str, file: str) -> str:
    return hashlib.sha256(f"{root}\0{file}".encode()).hexdigest()[:16]


def _require_plain_name(file: str) -> None:
    """A name of other bytes than UTF-8 can be neither stored nor cited."""
    try:
        file.encode()
    except UnicodeEncodeError as error:
        raise UnreadableDocument("has a name that is not UTF-8; rename it") from error


def _readable_name(file: str) -> str:
    return Path(file).stem.replace("-", " ").replace("_", " ").strip().capitalize()


def _kinds() -> str:
    return ", ".join(sorted(suffixes()))
