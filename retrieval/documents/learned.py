"""Which questions of readers lead to which passages is kept, and no word of them.

A question stands in the audit store alone; here is its hash, and the id by which it is found there.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class LearnedQuestion:
    """A reader confirmed that a passage answers a question."""

    audit_id: str
    """Of the answer that was confirmed: whoever may read the audit store finds the question."""
    passage_id: str
    document_id: str
    content_hash: str
    """Of the passage as it was confirmed; once it says something else this counts no more."""
    key: str
    """The SHA-256 of the question, white space folded."""


LearnedKey = tuple[str, str]
"""An audit id, and a passage's."""


class KeptLearned(Protocol):
    """A part of `Library`. The index follows later, so that a kill between loses nothing."""

    def learned(self, document_ids: Collection[str] | None = None) -> list[LearnedQuestion]:
        """Return what leads to passages; of these documents alone, where they are given."""
        ...

    def learn(self, questions: Iterable[LearnedQuestion]) -> None:
        """Keep that they lead to their passages; one that is kept already is replaced."""
        ...

    def unlearn(self, keys: Collection[LearnedKey]) -> None:
        """Have them lead nowhere any more."""
        ...

    def unsettled(self) -> frozenset[str]:
        """Return the passages of which the index has yet to be told what changed."""
        ...

    def settle_learned(self, passage_ids: Collection[str]) -> None:
        """Note that the index was told; what leads nowhere is forgotten."""
        ...
