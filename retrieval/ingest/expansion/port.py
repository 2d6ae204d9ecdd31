"""What an ingest needs to write further entries that point at passages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.ports import EntryKind
from retrieval.types import Passage


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
        cannot be made now is left out, and owed by the library (`documents.kept_leads`).
        """
        ...


class NoExpansion:
    """Nothing leads to a passage but its own text."""

    @property
    def made_by(self) -> Mapping[EntryKind, str]:
        return {}

    @property
    def kept_as(self) -> frozenset[str]:
        return frozenset()

    def leads(
        self, passages: Sequence[Passage], _told: Told = tell_nobody, /
    ) -> list[Sequence[Lead]]:
        return [() for _ in passages]


NO_EXPANSION = NoExpansion()
