"""Leads that a language model writes, once for each passage.

A passage is asked about alone: what is made of it then leads to it alone, and no document that
speaks to the model says anything of another. What is written is kept before it is used
(`documents.kept_leads`); what cannot be had costs the document nothing but its leads, which are
owed until a later ingest.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import cycle
from typing import Protocol

from retrieval.documents.kept_leads import KeptLeads, LeadKey, LeadTexts, lead_key
from retrieval.errors import LeadsUnavailable
from retrieval.ingest.expansion.port import Lead, Told, tell_nobody
from retrieval.ports import EntryKind
from retrieval.types import Passage


class LeadWriter(Protocol):
    """A language model that writes what leads to a passage."""

    @property
    def name(self) -> str:
        """Identifies the model and the prompt; what it wrote is kept under this name."""
        ...

    def __call__(self, passage: Passage, /) -> LeadTexts:
        """Of all kinds that it knows. Raise `LeadsUnavailable`, with the reason."""
        ...


@dataclass(frozen=True, slots=True)
class WrittenExpansion:
    """It implements `expansion.port.Expansion`."""

    writers: Sequence[LeadWriter]
    """All alike, and each asked about one passage at a time; at least one."""
    kept: KeptLeads
    kinds: Collection[EntryKind]

    @property
    def made_by(self) -> Mapping[EntryKind, str]:
        return dict.fromkeys(sorted(self.kinds), self._name)

    @property
    def kept_as(self) -> frozenset[str]:
        return frozenset({self._name})

    def leads(
        self, passages: Sequence[Passage], told: Told = tell_nobody, /
    ) -> list[Sequence[Lead]]:
        keyed = {lead_key(passage): passage for passage in passages}
        texts = self.kept.written(self._name, keyed)
        asked = {key: passage for key, passage in keyed.items() if key not in texts}
        for key, written in self._written(asked, told):
            texts[key] = written
        return [self._of_kinds(texts[lead_key(passage)]) for passage in passages]

    @property
    def _name(self) -> str:
        return self.writers[0].name

    def _written(
        self, asked: Mapping[LeadKey, Passage], told: Told
    ) -> Iterator[tuple[LeadKey, LeadTexts]]:
        """As they come; each is kept before it is told."""
        if not asked:
            return
        told(0, len(asked))
        pool = ThreadPoolExecutor(len(self.writers))
        try:
            work = zip(cycle(self.writers), asked.items())
            running = {pool.submit(writer, passage): key for writer, (key, passage) in work}
            for done, future in enumerate(as_completed(running), start=1):
                yield running[future], self._kept(running[future], future)
                told(done, len(asked))
        finally:
            pool.shutdown(cancel_futures=True)

    def _kept(self, key: LeadKey, written: Future[LeadTexts]) -> LeadTexts:
        try:
            texts = written.result()
        except LeadsUnavailable as error:
            self.kept.keep_written(self._name, key, None, owed=str(error))
            return {}
        self.kept.keep_written(self._name, key, texts)
        return texts

    def _of_kinds(self, texts: LeadTexts) -> Sequence[Lead]:
        return [Lead(kind, text) for kind in sorted(self.kinds) for text in texts.get(kind, ())]
