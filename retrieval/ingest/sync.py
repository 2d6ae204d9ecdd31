"""Bringing the library in line with the files of a path, incrementally."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from retrieval.ingest.indexed_library import IndexedLibrary, ProgressReport
from retrieval.ingest.report import IngestReport
from retrieval.ingest.run import IngestRun
from retrieval.ingest.sources import source_of
from retrieval.ingest.worker import ParserWorker
from retrieval.metadata.ontology import Ontology


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
            source = source_of(path, self.stacks.library.roots())
            run = IngestRun(
                source, self.stacks, self.ontology, self.parsing, self.largest_megabytes
            )
            run.withdraw()
            run.read_files(progress)
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
            for root in self.stacks.library.roots():
                if Path(root).is_relative_to(gone):
                    self.stacks.library.note_whole(root, False)
            for noted in self.stacks.library.kept_out():
                if (Path(noted.root) / noted.file).is_relative_to(gone):
                    self.stacks.library.keep_out(noted.root, [noted.file], ())
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
