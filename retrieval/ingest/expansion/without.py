"""Leads but for those that a measurement is about to ask: else a question would meet itself."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from retrieval.ingest.expansion.port import Expansion, Lead, Told, tell_nobody
from retrieval.ports import EntryKind
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class WithoutAsked:
    """It implements `expansion.port.Expansion`, and leaves out what is worded as a question asked.

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
