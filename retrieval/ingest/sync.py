"""Bringing the library in line with the files of a path, incrementally."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from retrieval.documents.holdings import Purge
from retrieval.documents.port import VersionKey
from retrieval.ingest.chunking import PARAGRAPHS, Chunking
from retrieval.ingest.indexed_library import IndexedLibrary, ProgressReport
from retrieval.ingest.learning import NOTHING, Readers, learn
from retrieval.ingest.pool import ParserPool
from retrieval.ingest.report import IngestReport
from retrieval.ingest.run import IngestRun
from retrieval.ingest.source_readers import files_without_readers
from retrieval.ingest.sources import source_of
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.readers import EVERYBODY, Audience, narrowed


@dataclass(frozen=True, slots=True)
class Ingest:
    """Reads folders and files into the library; one ingest at a time writes to it."""

    stacks: IndexedLibrary
    ontology: Ontology
    largest_megabytes: int
    """A larger file is reported and left out: it would hold up all the others."""
    parsing: ParserPool = field(default_factory=ParserPool)
    seals_of: int = 2_000
    """Documents whose seals one ingest looks at, unless it is to look at all: a few seconds."""
    chunking: Chunking = PARAGRAPHS
    """What was cut in another way is cut anew when it is next read."""
    readers: Readers | None = None
    """Whose confirmed questions are learned; None: of nobody."""

    def run(
        self,
        path: Path,
        audience: Audience | None = None,
        progress: ProgressReport = lambda *_: None,
        named: str = "",
        all_seals: bool = False,
    ) -> IngestReport:
        """Bring one path up to date; `named` is the source's name, where somebody gives one.

        `audience` is who may read the source, kept with it; None leaves what was said before, and
        where nothing was, what is new is for nobody. With `all_seals`, it is seen of every document
        that is ingested whether it still is as it was stored, in a time in proportion. Raise
        `FileNotFoundError` where there is no such path, `WrongReaders` where others' documents
        would be opened, and what `source_of` raises.
        """
        with self._turn(progress), self.parsing:
            owed = self.stacks.owed()
            source = source_of(path, self.stacks.library.sources(), named)
            run = IngestRun(
                source,
                self.stacks,
                self.ontology,
                self.parsing,
                self.largest_megabytes,
                self.chunking,
                audience,
            )
            run.withdraw(None if all_seals else self.seals_of)
            run.read_files(progress)
            self.stacks.mend()
            self.stacks.make_owed(owed.keys() & self.stacks.owed(), progress)
            learned = learn(self.stacks, self.readers) if self.readers else NOTHING
            return replace(run.report(), learned=learned)

    def without_readers(self, path: Path, named: str = "") -> tuple[str, ...]:
        """The documents of a path of which nobody said who may read them; raises as `run` does."""
        library = self.stacks.library
        source = source_of(path, library.sources(), named)
        return files_without_readers(source, self.ontology, library.sources())

    def say_readers(self, name: str, audience: Audience) -> None:
        """Keep who may read a source, and serve nothing of it that it does not allow any more.

        What it opens is served once it is read again. Raise `KeyError` for an unknown source.
        """
        with self._turn(lambda *_: None):
            library = self.stacks.library
            known = {source.name: source for source in library.sources()}[name]
            now = replace(known, said=audience)
            library.know(now)
            for held in library.holdings(name).values():
                rule, allowed = held.document.metadata.access.audience, now.audience or EVERYBODY
                if narrowed(allowed, rule) != rule:
                    library.suspend([held.document.document_id])
            self.stacks.mend()

    def remove(self, path: Path) -> tuple[str, ...]:
        """Let every document under a path leave, whether or not it still exists."""
        with self._turn(lambda *_: None):
            gone, library = path.expanduser().resolve(), self.stacks.library
            roots = {source.name: Path(source.root) for source in library.sources() if source.root}
            leaving = {
                holding.document.document_id: holding.document.file
                for name, root in roots.items()
                for holding in library.holdings(name).values()
                if (root / holding.document.file).is_relative_to(gone)
            }
            library.remove(leaving)
            for noted in library.kept_out():
                if noted.source in roots and (roots[noted.source] / noted.file).is_relative_to(
                    gone
                ):
                    library.keep_out(noted.source, [noted.file], ())
            for name, root in roots.items():
                if root.is_relative_to(gone):
                    library.forget_source(name)
            self.stacks.mend()
            return tuple(sorted(leaving.values()))

    def purge(self, document_id: str, progress: ProgressReport = lambda *_: None) -> Purge:
        """Erase bytes and text of a document; its hashes stay.

        The index is made anew from nothing, since an engine keeps deleted words in its files.
        Raise `KeyError` for a document that was never there.
        """
        with self._turn(progress):
            erased = self.stacks.library.purge(document_id)
            self.stacks.embed_from_nothing(progress)
            return erased

    def forget_versions(
        self, before: datetime, is_referred_to: Callable[[VersionKey], bool]
    ) -> int:
        """Let go of the text of versions that left before then, but of those still referred to.

        Return how many.
        """
        with self._turn(lambda *_: None):
            library = self.stacks.library
            left = [key for key in library.removed_before(before) if not is_referred_to(key)]
            library.forget(left)
            return len(left)

    def embed_all(self, progress: ProgressReport = lambda *_: None) -> int:
        """Make the index anew from the library, after a change of embedder."""
        with self._turn(progress):
            return self.stacks.embed_all(progress)

    def renew(self, progress: ProgressReport = lambda *_: None) -> int:
        """The same where the index is outdated once this ingest's turn has come; else nothing."""
        with self._turn(progress):
            return self.stacks.embed_all(progress) if self.stacks.index.is_outdated else 0

    @contextmanager
    def _turn(self, progress: ProgressReport) -> Iterator[None]:
        """Wait for another ingest to end, and say so."""

        def waiting() -> None:
            progress(0, 0, "waiting for another ingest to end")

        with self.stacks.library.ingest_turn(waiting):
            yield
