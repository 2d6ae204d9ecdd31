"""Library and index written as one.

The order of writing makes a kill harmless at any moment: a document's entries reach the
index first and the library last, and only what stands in the library counts as done. A
search drops matches that the library does not know; `mend` clears them and adds what was
lost. Entries that keep their ids but not their vector or rule are told from the old ones by
nothing, so a document is marked to be read again before its entries change.

What leads to a passage (`expansion`) is written with its own entry. Of a document that is
stored the own entries come first, so that what a kill leaves of a new one is seen to be too much;
then what led to its passages before is removed, and a kill between leaves a mark that it is to be
read again. A missing passage that is mended loses first what leads to it, and has its own entry
last, so that it is missing until all of it is there. What a language model could not be had to
write is owed, and so is what it wrote until the index has it (`SqlLeads`).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from retrieval.documents.holdings import Acquisition
from retrieval.documents.port import LeadKey, lead_key
from retrieval.ingest.expansion import NO_EXPANSION, Expansion, Lead, Told, tell_nobody
from retrieval.ports import TEXT_SPACE, IndexEntry, PassageIndex
from retrieval.search.completeness import difference
from retrieval.search.retrievers import Embedders, embedded
from retrieval.timing import Stages
from retrieval.types import Passage

if TYPE_CHECKING:
    from retrieval.documents.sql_library import SqlLibrary

PASSAGES_AT_ONCE = 256
"""What is embedded and written to the index in one go."""

ProgressReport = Callable[[int, int, str], None]
"""Called with steps done, steps in all, and the file in hand."""


@dataclass(frozen=True, slots=True)
class IndexedLibrary:
    """The only writer of library and index; its callers hold the ingest lock."""

    library: "SqlLibrary"
    index: PassageIndex
    embedders: Embedders
    expansion: Expansion = NO_EXPANSION

    def store(
        self, acquisitions: Sequence[Acquisition], stages: Stages, told: Told = tell_nobody
    ) -> int:
        """Store documents with all their passages; returns how many passages."""
        passages = [passage for each in acquisitions for passage in each.passages]
        with stages.stage("embed"):
            own, leads = self._entries(passages), self._leads(passages, told)
        with stages.stage("index"):
            self.library.doubt(each.document.document_id for each in acquisitions)
            self.index.upsert(entries := [*own, *leads])
            if self.expansion.made_by:
                self.index.retain(entries)
        with stages.stage("store"):
            self.library.store(acquisitions)
            self._settle(passages)
            for each in acquisitions:
                hashes = {passage.content_hash for passage in each.passages}
                self.library.retain_written(each.document.document_id, hashes)
        return len(passages)

    def remove(self, document_ids: Iterable[str]) -> None:
        """Let documents leave the library; `mend` then clears the index."""
        self.library.remove(document_ids)

    def mend(self, progress: ProgressReport = lambda *_: None) -> int:
        """Make the index hold exactly the library's passages, and optimize it.

        Return how many it lacked.
        """
        change = self.library.changes()
        found = difference(self.library, self.index)
        self.index.delete(found.surplus)
        missing = list(self.library.passages(found.missing).values())
        self._embed(self.index, missing, progress)
        self._settle(missing)
        self.library.forget_strays()
        self.index.reach(change)
        self.index.optimize()
        return len(missing)

    def owed(self) -> dict[LeadKey, str]:
        """What a language model has yet to write, or the index to be told, and why."""
        return self.library.owed(self.expansion.kept_as)

    def make_owed(self, owed: Collection[LeadKey], progress: ProgressReport) -> None:
        """Ask again for what is owed of passages that stand and are served."""
        keys = frozenset(owed)
        ids = self.library.passage_ids({document_id for document_id, _ in keys})
        passages = [each for each in self.library.passages(ids).values() if lead_key(each) in keys]
        for batch in _batches(passages):
            self.index.upsert(self._leads(batch, asking(progress)))
            self._settle(batch)
        if passages:
            self.index.optimize()

    def lead_anew(self, passages: Sequence[Passage]) -> None:
        """Make all anew that leads to passages which the index holds, and remove what did else."""
        for batch in _batches(passages):
            self.index.upsert(entries := [*self._entries(batch), *self._leads(batch)])
            self.index.retain(entries)
            self._settle(batch)
        if passages:
            self.index.optimize()

    def embed_all(self, progress: ProgressReport) -> int:
        """Make the index anew from the library; the one before answers until this one can.

        Where a process was killed amid that, and the library is the same, the next goes on.
        """
        with self.index.renew(self.library.changes()) as fresh:
            passages = self._fill(fresh, progress)
        self._settle(passages)
        return len(passages)

    def embed_from_nothing(self, progress: ProgressReport) -> int:
        """Likewise, but what the engine's files hold is forgotten first."""
        self.index.clear()
        passages = self._fill(self.index, progress)
        self._settle(passages)
        return len(passages)

    def _fill(self, index: PassageIndex, progress: ProgressReport) -> list[Passage]:
        """Return all passages; what leads to one may have changed, so then each is written."""
        change, passages = self.library.changes(), list(self.library.all_passages())
        held = frozenset[str]() if self.expansion.made_by else index.ids()
        left = [each for each in passages if each.passage_id not in held]
        self._embed(index, left, progress, len(passages) - len(left))
        index.reach(change)
        index.optimize()
        return passages

    def _embed(
        self,
        index: PassageIndex,
        passages: Sequence[Passage],
        progress: ProgressReport,
        done: int = 0,
    ) -> None:
        """`done`: how many were, before these."""
        total = done + len(passages)
        for batch in _batches(passages):
            progress(done, total, batch[0].document.file)
            leads = self._leads(batch, asking(progress, done, total))
            index.upsert(entries := [*leads, *self._entries(batch)])
            if self.expansion.made_by:
                index.retain(entries)
            done += len(batch)

    def _settle(self, passages: Iterable[Passage]) -> None:
        if self.expansion.kept_as:
            keys = {lead_key(passage) for passage in passages}
            self.library.settle(self.expansion.kept_as, keys)

    def _entries(self, passages: Sequence[Passage]) -> list[IndexEntry]:
        texts = [passage.with_heading for passage in passages]
        vectors = embedded(self.embedders, texts)
        return [
            IndexEntry(
                entry_id=passage.passage_id,
                passage_id=passage.passage_id,
                document_id=passage.document.document_id,
                rule=passage.document.metadata.access,
                vectors=own,
                words=text,
            )
            for passage, own, text in zip(passages, vectors, texts, strict=True)
        ]

    def _leads(self, passages: Sequence[Passage], told: Told = tell_nobody) -> list[IndexEntry]:
        """The entries that lead to passages: vectors alone, of texts that nobody keeps."""
        made = self.expansion.leads(passages, told)
        led = [(each, lead) for each, its in zip(passages, made, strict=True) for lead in its]
        if not led:
            return []
        vectors = self.embedders[TEXT_SPACE].embed([lead.text for _, lead in led])
        return [
            IndexEntry(
                entry_id=_entry_id(passage, lead),
                passage_id=passage.passage_id,
                document_id=passage.document.document_id,
                rule=passage.document.metadata.access,
                vectors={TEXT_SPACE: vector},
                kind=lead.kind,
            )
            for (passage, lead), vector in zip(led, vectors, strict=True)
        ]


def _entry_id(passage: Passage, lead: Lead) -> str:
    """By the SHA-256 of the text, white space folded, so that the same lead has the same id."""
    folded = " ".join(lead.text.split())
    return (
        f"{passage.passage_id}:{lead.kind}:{sha256(folded.encode('utf-8', 'replace')).hexdigest()}"
    )


def _batches(passages: Sequence[Passage]) -> Iterator[Sequence[Passage]]:
    for start in range(0, len(passages), PASSAGES_AT_ONCE):
        yield passages[start : start + PASSAGES_AT_ONCE]


def asking(progress: ProgressReport, done: int | None = None, total: int | None = None) -> Told:
    """Told of requests, it reports them: as the work in hand, or as all the work there is."""

    def told(asked: int, in_all: int) -> None:
        so_far = f"asking the language model, passage {asked} of {in_all}"
        if done is None or total is None:
            progress(asked, in_all, so_far)
        else:
            progress(done, total, so_far)

    return told
