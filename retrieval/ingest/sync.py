"""Bringing the library in line with the files of a path, incrementally."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from retrieval.documents.holdings import KnownSource, Purge
from retrieval.documents.port import VersionKey
from retrieval.errors import WrongReaders
from retrieval.ingest.chunking import PARAGRAPHS, Chunking
from retrieval.ingest.indexed_library import IndexedLibrary, ProgressReport
from retrieval.ingest.near_duplicates import is_by_likeness
from retrieval.ingest.parser_pool import ParserPool
from retrieval.ingest.reading import Reading
from retrieval.ingest.source_files import IngestReport, IngestState, SourceFiles
from retrieval.ingest.sources import Mirrored, Problem, Source, listing_of, source_of
from retrieval.ingest.withdrawal import Withdrawal, note_beside, note_kept_out
from retrieval.metadata.access import EVERYBODY, Audience, narrowed
from retrieval.metadata.folder_metadata import FolderMetadata
from retrieval.metadata.ontology import Ontology
from retrieval.parsing import PARSING, is_read


def known_before(
    source: Source, known: Iterable[KnownSource], audience: Audience | None = None
) -> tuple[KnownSource | None, bool, Audience | None]:
    """A path's source as it was known, whether it is a whole folder, and who is said to read it.

    Documents given one by one make no whole of what stands beside and below them, and what was
    said of them is not said of it. Raise `WrongReaders` for other readers of a part alone.
    """
    before = next((each for each in known if each.name == source.name), None)
    is_all = source.within == source.root
    if before is None or (is_all and not before.whole):
        return before, is_all, audience
    if audience not in (None, before.said) and not is_all:
        raise WrongReaders(
            f"{source.within} is part of the source {source.name}, and who may read a source is "
            f"said of all of it. Run `vouch sources {source.name} --for ...`; to restrict this "
            "part alone, state its `audience` in metadata.yaml."
        )
    return before, before.whole, before.said if audience is None else audience


def demand_alike(source: Source, now: KnownSource, known: Iterable[KnownSource]) -> None:
    """Raise `WrongReaders` where a path holds another source, which would get other readers."""
    for other in known:
        if (
            other.name != now.name
            and other.root
            and not other.url
            and other.audience not in (None, now.audience)
            and Path(other.root).is_relative_to(source.within)
        ):
            raise WrongReaders(
                f"{source.within} holds the source {other.name} ({other.root}), which has readers "
                f"of its own. Give both the same with `vouch sources {other.name} --for ...`; or "
                f"let it leave first (vouch ingest --remove {other.root}) and state its `audience` "
                "in a metadata.yaml there."
            )


class IngestRun:
    """One path, once: collects what it does for the report."""

    def __init__(
        self,
        ingest: "Ingest",
        source: Source,
        audience: Audience | None,
        mirrored: Mirrored | None,
    ) -> None:
        """`audience` is who may read the source as somebody names them now; else what was said.

        `mirrored`: what is known of it, where it lives elsewhere.

        Raise `WrongReaders` where that would open or close more than the path.
        """
        self._indexed = ingest.indexed
        self._library = library = ingest.indexed.library
        self._source = source
        self._work = IngestState(source, library)
        before, is_whole, said = known_before(source, library.sources(), audience)
        self._covers_all = source.within == source.root or not is_whole
        self._files = SourceFiles(
            source,
            ingest.ontology,
            ingest.largest_megabytes,
            f"{PARSING} {ingest.chunking.name}",
            ingest.parsing.recognition,
            said,
            lambda: library.past(source.name),
            mirrored,
            below=is_whole,
        )
        url = mirrored.url if mirrored else ""
        stated = self._files.metadata.stated
        known = KnownSource(source.name, str(source.root), is_whole, said, stated, url)
        demand_alike(source, known, library.sources())
        library.know(known)
        self._known = known
        if mirrored:
            self._work.note(root=url)
        elif before is not None and before.root not in ("", str(source.root)):
            self._work.note(moved_from=before.root)
        if not is_whole:
            self._work.note(root="")
        note_beside(self._work, self._files)
        self._withdrawal = Withdrawal(self._work, self._files)
        self._reading = Reading(
            self._work, self._files, ingest.indexed, ingest.parsing, ingest.chunking
        )

    def withdraw(self, seals_of: int | None) -> None:
        """Take away what must not be served any more, before anything is added.

        Seals are looked at of so many documents as `seals_of`, or where it is None, of all.
        """
        self._withdrawal.doubt_broken(seals_of)
        self._withdrawal.withdraw()

    def read_files(self, progress: ProgressReport) -> None:
        self._reading.read(progress)
        note_kept_out(self._work, self._files)
        if self._covers_all and self._files.all_listed:
            self._library.note_read(self._source.name, datetime.now(UTC))
        total = len(self._files.covered)
        progress(total, total, "")

    def report(self) -> IngestReport:
        held = self._library.holdings(self._source.name).items()
        served = [each for file, each in held if self._source.covers(file) and not each.suspended]
        return replace(
            self._work.report,
            problems=tuple(self._work.problems),
            unread=tuple(self._work.unread),
            foreign=tuple(self._work.foreign),
            left_alone=tuple(self._work.left_alone),
            gone=tuple(
                source
                for source in self._library.sources()
                if source.root
                and not source.url
                and not Path(source.root).exists()
                and self._library.holdings(source.name)
            ),
            unused=tuple(f"{key} in {file}" for file, key in self._files.unused),
            readers=Counter(each.document.metadata.access.audience for each in served),
            alike=tuple(
                Problem(each.document.file, "; ".join(each.document.metadata.restricted_in))
                for each in served
                if is_by_likeness(each.document.metadata)
            ),
            unsaid=self._known.audience is None,
            milliseconds=self._work.stages.milliseconds,
        )


@dataclass(frozen=True, slots=True)
class Ingest:
    """Reads folders and files into the library; one ingest at a time writes to it."""

    indexed: IndexedLibrary
    ontology: Ontology
    largest_megabytes: int
    """A larger file is reported and left out: it would hold up all the others."""
    parsing: ParserPool = field(default_factory=ParserPool)
    seals_of: int = 2_000
    """Documents whose seals one ingest looks at, unless it is to look at all: a few seconds."""
    chunking: Chunking = PARAGRAPHS
    """What was cut in another way is cut anew when it is next read."""

    def run(
        self,
        path: Path,
        audience: Audience | None = None,
        progress: ProgressReport = lambda *_: None,
        named: str = "",
        all_seals: bool = False,
        mirrored: Mirrored | None = None,
        again: bool = False,
    ) -> IngestReport:
        """Bring one path up to date; `named` is the source's name, where somebody gives one.

        `audience` is who may read the source, kept with it; None leaves what was said before, and
        where nothing was, what is new is for nobody. `all_seals`: look at every one, not at some.
        Raise `FileNotFoundError` for no such path, or no known source where it is read `again`,
        `WrongReaders` where others' documents would be opened, and what `source_of` raises.
        """
        with self._turn(progress), self.parsing:
            known = self.indexed.library.sources()
            source = source_of(path, known, named)
            if again and source.name not in {each.name for each in known}:
                raise FileNotFoundError(path)
            run = IngestRun(self, source, audience, mirrored)
            run.withdraw(None if all_seals else self.seals_of)
            run.read_files(progress)
            mended = self.indexed.mend(progress)
            report = run.report()
            return replace(report, passages=report.passages + mended)

    def without_readers(self, path: Path, named: str = "") -> tuple[str, ...]:
        """Documents of a path of whose readers nobody said anything. Raise as `run` does."""
        known = self.indexed.library.sources()
        source = source_of(path, known, named)
        before, is_whole, said = known_before(source, known)
        if said is not None or (before is not None and source.within != source.root):
            return ()  # of a part nobody may say it
        if FolderMetadata(source.root, self.ontology, None).stated is not None:
            return ()
        listing = listing_of(source, below=is_whole)
        return tuple(file for file in listing.files if is_read(file) and source.covers(file))

    def say_readers(self, name: str, audience: Audience) -> None:
        """Keep who may read a source, and serve nothing of it that it does not allow any more.

        What it opens is served once it is read again. Raise `KeyError` for an unknown source.
        """
        with self._turn(lambda *_: None):
            library = self.indexed.library
            known = {source.name: source for source in library.sources()}[name]
            now = replace(known, said=audience)
            library.know(now)
            for held in library.holdings(name).values():
                rule, allowed = held.document.metadata.access.audience, now.audience or EVERYBODY
                if narrowed(allowed, rule) != rule:
                    library.suspend([held.document.document_id])
            self.indexed.mend()

    def remove(self, path: Path) -> tuple[str, ...]:
        """Let every document under a path leave, whether or not it still exists."""
        with self._turn(lambda *_: None):
            gone, library = path.expanduser().resolve(), self.indexed.library
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
            self.indexed.mend()
            return tuple(sorted(leaving.values()))

    def purge(self, document_id: str, progress: ProgressReport = lambda *_: None) -> Purge:
        """Erase bytes and text of a document; its hashes stay.

        The index is made anew from nothing, since an engine keeps deleted words in its files.
        Raise `KeyError` for a document that was never there.
        """
        with self._turn(progress):
            erased = self.indexed.library.purge(document_id)
            self.indexed.embed_from_nothing(progress)
            return erased

    def forget_versions(
        self, before: datetime, is_referred_to: Callable[[VersionKey], bool]
    ) -> int:
        """Let go of the text of versions that left before and nothing refers to; how many."""
        with self._turn(lambda *_: None):
            library = self.indexed.library
            left = [key for key in library.removed_before(before) if not is_referred_to(key)]
            library.forget(left)
            return len(left)

    def embed_all(self, progress: ProgressReport = lambda *_: None) -> int:
        """Make the index anew from the library, after a change of embedder."""
        with self._turn(progress):
            return self.indexed.embed_all(progress)

    def renew(self, progress: ProgressReport = lambda *_: None) -> int:
        """The same where the index is outdated once this ingest's turn has come; else nothing."""
        with self._turn(progress):
            return self.indexed.embed_all(progress) if self.indexed.index.is_outdated else 0

    @contextmanager
    def _turn(self, progress: ProgressReport) -> Iterator[None]:
        """Wait for another ingest to end, and say so."""

        def waiting() -> None:
            progress(0, 0, "waiting for another ingest to end")

        with self.indexed.library.ingest_turn(waiting):
            yield
