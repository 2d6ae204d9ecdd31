"""Several ways to make leads side by side, such as sentences by rules and questions by a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.ingest.expansion.port import Expansion, Lead, Told, tell_nobody
from retrieval.ports import EntryKind
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class Together:
    """It implements `expansion.port.Expansion`; each of them makes kinds that no other makes."""

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
            for of_passage in zip(*made, strict=True)
        ]
