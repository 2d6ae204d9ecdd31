"""Library and index written as one.

The order of writing makes a kill harmless at any moment: a document's entries reach the
index first and the library last, and only what stands in the library counts as done. A
search drops matches that the library does not know; `mend` clears them and adds what was
lost. Entries that keep their ids but not their vector or rule are told from the old ones by
nothing, so a document is marked to be read again before its entries change.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.documents.holdings import Acquisition
from retrieval.ports import Embedder, IndexEntry, PassageIndex
from retrieval.search.completeness import difference
from retrieval.search.timing import Stages
from retrieval.types import Passage

if TYPE_CHECKING:
    from retrieval.documents.sql_library import SqlLibrary

PASSAGES_AT_ONCE = 256
"""What is embedded and written to the index in one go."""
NO_VECTORS: Mapping[str, NDArray[np.float32]] = MappingProxyType({})

ProgressReport = Callable[[int, int, str], None]
"""Called with steps done, steps in all, and the file in hand."""


@dataclass(frozen=True, slots=True)
class IndexedLibrary:
    """The only writer of library and index; its callers hold the ingest lock."""

    library: "SqlLibrary"
    index: PassageIndex
    embedder: Embedder

    def store(self, acquisitions: Sequence[Acquisition], stages: Stages) -> int:
        """Store documents with all their passages; returns how many passages."""
        passages = [passage for each in acquisitions for passage in each.passages]
        with stages.stage("embed"):
            entries = self._entries(passages, self._embedded_before(passages))
        with stages.stage("index"):
            self.library.doubt(each.document.document_id for each in acquisitions)
            self.index.upsert(entries)
        with stages.stage("store"):
            self.library.store(acquisitions)
        return len(passages)

    def mend(self, progress: ProgressReport = lambda *_: None) -> int:
        """Make the index hold exactly the library's passages; return how many it lacked."""
        change = self.library.changes()
        found = difference(self.library, self.index)
        self.index.delete(found.surplus)
        missing = list(self.library.passages(found.missing).values())
        self._embed(self.index, missing, progress)
        self.index.reach(change)
        self.index.optimize()
        return len(missing)

    def embed_all(self, progress: ProgressReport) -> int:
        """Make the index anew from the library; the one before answers until this one can.

        Where a process was killed amid that, and the library is the same, the next goes on.
        """
        with self.index.renew(self.library.changes()) as fresh:
            return self._fill(fresh, progress)

    def embed_from_nothing(self, progress: ProgressReport) -> int:
        """Likewise, but what the engine's files hold is forgotten first."""
        self.index.clear()
        return self._fill(self.index, progress)

    def _fill(self, index: PassageIndex, progress: ProgressReport) -> int:
        """Return how many passages there are."""
        change, passages = self.library.changes(), list(self.library.all_passages())
        held = index.ids()
        left = [each for each in passages if each.passage_id not in held]
        self._embed(index, left, progress, len(passages) - len(left))
        index.reach(change)
        index.optimize()
        return len(passages)

    def _embed(
        self,
        index: PassageIndex,
        passages: Sequence[Passage],
        progress: ProgressReport,
        done: int = 0,
    ) -> None:
        """`done`: how many were, before these."""
        total = done + len(passages)
        for start in range(0, len(passages), PASSAGES_AT_ONCE):
            batch = passages[start : start + PASSAGES_AT_ONCE]
            progress(done + start, total, batch[0].document.file)
            index.upsert(self._entries(batch))

    def _embedded_before(self, passages: Sequence[Passage]) -> Mapping[str, NDArray[np.float32]]:
        """The vectors, by passage id, of those that stood before and read the same."""
        before = self.library.passages([each.passage_id for each in passages])
        doubted = self.library.doubted({each.document.document_id for each in passages})
        same = [
            each.passage_id
            for each in passages
            if each.document.document_id not in doubted
            and each.passage_id in before
            and before[each.passage_id].with_heading == each.with_heading
        ]
        return self.index.vectors(same)

    def _entries(
        self, passages: Sequence[Passage], before: Mapping[str, NDArray[np.float32]] = NO_VECTORS
    ) -> list[IndexEntry]:
        new = [each for each in passages if each.passage_id not in before]
        vectors = dict(before)
        if new:
            made = self.embedder.embed([each.with_heading for each in new])
            vectors |= zip((each.passage_id for each in new), made, strict=True)
        return [
            IndexEntry(
                passage_id=passage.passage_id,
                document_id=passage.document.document_id,
                rule=passage.document.metadata.access,
                vector=vectors[passage.passage_id],
                words=passage.with_heading,
            )
            for passage in passages
        ]
