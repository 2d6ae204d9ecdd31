"""One path brought in line with its files, from what must go to what is new.

What is withdrawn goes first: whatever happens to the reading of other files afterwards, a
document that is gone, restricted or no longer understood is not served in its old form.
"""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from retrieval.documents.holdings import KnownSource
from retrieval.ingest.chunking import Chunking
from retrieval.ingest.files import SourceFiles
from retrieval.ingest.indexed_library import IndexedLibrary, ProgressReport
from retrieval.ingest.kept_out import note_beside, note_kept_out
from retrieval.ingest.likeness import is_by_likeness
from retrieval.ingest.pool import ParserPool
from retrieval.ingest.reading import Reading
from retrieval.ingest.report import IngestReport
from retrieval.ingest.source_readers import demand_alike, known_before
from retrieval.ingest.sources import Problem, Source
from retrieval.ingest.undertaking import Undertaking
from retrieval.ingest.withdrawal import Withdrawal
from retrieval.metadata.ontology import Ontology
from retrieval.metadata.readers import Audience
from retrieval.parsing import PARSING


class IngestRun:
    """One path, once: collects what it does for the report."""

    def __init__(
        self,
        source: Source,
        stacks: IndexedLibrary,
        ontology: Ontology,
        parsing: ParserPool,
        largest_megabytes: int,
        chunking: Chunking,
        audience: Audience | None,
    ) -> None:
        """`audience` is who may read the source as somebody names them now; else what was said.

        Raise `WrongReaders` where that would open or close more than the path.
        """
        self._stacks = stacks
        self._library = library = stacks.library
        self._source = source
        self._work = Undertaking(source, library)
        before, is_whole, said = known_before(source, library.sources(), audience)
        self._covers_all = source.within == source.root or not is_whole
        self._files = SourceFiles(
            source,
            ontology,
            largest_megabytes,
            f"{PARSING} {chunking.name}",
            parsing.recognition,
            said,
            lambda: library.past(source.name),
            below=is_whole,
        )
        known = KnownSource(
            source.name, str(source.root), is_whole, said, self._files.metadata.stated
        )
        demand_alike(source, known, library.sources())
        library.know(known)
        self._known = known
        if before is not None and before.root not in ("", str(source.root)):
            self._work.note(moved_from=before.root)
        if not is_whole:
            self._work.note(root="")
        note_beside(self._work, self._files)
        self._withdrawal = Withdrawal(self._work, self._files)
        self._reading = Reading(self._work, self._files, stacks, parsing, chunking)

    def withdraw(self, seals_of: int | None) -> None:
        """Take away what must not be served any more, before anything is added.

        Seals are looked at of so many documents as `seals_of`, or where it is None, of all.
        """
        self._withdrawal.doubt_broken(seals_of)
        self._withdrawal.withdraw()

    def read_files(self, progress: ProgressReport) -> None:
        """Read what changed, then what is new."""
        self._reading.read(progress)
        note_kept_out(self._work, self._files)
        if self._covers_all and not self._files.listing.unlisted:
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
            left_alone=tuple(self._work.left_alone),
            gone=tuple(
                source
                for source in self._library.sources()
                if source.root
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
            owed=Counter(self._stacks.owed().values()),
            milliseconds=self._work.stages.milliseconds,
        )
