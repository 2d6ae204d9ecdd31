"""Document expansion: what an ingest writes into the index beside a passage's own text.

Where a language model writes it, a passage is asked about alone: what is made of it then leads to
it alone, and no document that speaks to the model says anything of another. What is written is kept
before it is used; what cannot be had costs the document nothing but its further entries, which are
owed until a later ingest.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Protocol

from retrieval.documents.port import LeadKey, LeadTexts, lead_key
from retrieval.errors import LeadsUnavailable
from retrieval.ports import EntryKind
from retrieval.types import Passage

if TYPE_CHECKING:
    from retrieval.documents.sql_history import SqlLeads


@dataclass(frozen=True, slots=True)
class Lead:
    """A lead is a text whose vector leads to a passage; an index keeps the vector alone."""

    kind: EntryKind
    text: str
    """Never empty."""


Told = Callable[[int, int], None]
"""Called with how many passages were asked about, and about how many it is to be asked."""


def tell_nobody(_asked: int, _in_all: int) -> None:
    """Of what is made at once."""


class Expansion(Protocol):
    """Makes leads to passages, such as questions that they answer."""

    @property
    def made_by(self) -> Mapping[EntryKind, str]:
        """By kind of lead, what makes it, with a version that changes when its leads do."""
        ...

    @property
    def kept_as(self) -> frozenset[str]:
        """The names under which the library keeps what language models wrote; none of rules."""
        ...

    def leads(
        self, passages: Sequence[Passage], told: Told = tell_nobody, /
    ) -> list[Sequence[Lead]]:
        """In the order of the passages, what leads to each; of the kinds in `made_by` alone.

        It depends on nothing but the passage, so that the same one has the same leads again. What
        cannot be made now is left out, and owed by the library (`SqlLeads`).
        """
        ...


@dataclass(frozen=True, slots=True)
class Together:
    """It implements `Expansion`; each of them makes kinds that no other makes."""

    expansions: Sequence[Expansion]

    @property
    def made_by(self) -> Mapping[EntryKind, str]:
        return {kind: by for each in self.expansions for kind, by in each.made_by.items()}

    @property
    def kept_as(self) -> frozenset[str]:
        return frozenset().union(*(each.kept_as for each in self.expansions))

    def leads(
        self, passages: Sequence[Passage], told: Told = tell_nobody, /
    ) -> list[Sequence[Lead]]:
        made = (each.leads(passages, told) for each in self.expansions)
        return [
            [lead for leads in of_passage for lead in leads]
            for _, *of_passage in zip(passages, *made, strict=True)
        ]


NO_EXPANSION = Together(())
"""Nothing leads to a passage but its own text."""


@dataclass(frozen=True, slots=True)
class WithoutAsked:
    """It implements `Expansion`, and leaves out what is worded as a question asked.

    Case, white space and marks at the end make no difference. As published (Vadlapati, "Index-RAG",
    2026), a question that is asked never meets its own entry; here no other one meets it either.
    """

    expansion: Expansion
    asked: Collection[str]

    @property
    def made_by(self) -> Mapping[EntryKind, str]:
        return self.expansion.made_by

    @property
    def kept_as(self) -> frozenset[str]:
        return self.expansion.kept_as

    def leads(
        self, passages: Sequence[Passage], told: Told = tell_nobody, /
    ) -> list[Sequence[Lead]]:
        asked = {folded(question) for question in self.asked}
        return [
            [lead for lead in made if folded(lead.text) not in asked]
            for made in self.expansion.leads(passages, told)
        ]


def folded(text: str) -> str:
    """Case, white space and marks at the end make no other question."""
    return " ".join(text.casefold().split()).rstrip(" ?!.")


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
    """It implements `Expansion`."""

    writers: Sequence[LeadWriter]
    """All alike, and each asked about one passage at a time; at least one."""
    kept: "SqlLeads"
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
