"""What a language model wrote that leads to passages is kept, so that it is not asked again.

It is made of a document, so it stands beside the document's text, is read by nobody but an ingest,
and goes with the document.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from retrieval.ports import EntryKind
from retrieval.types import Passage

LeadKey = tuple[str, str]
"""A document's id, and the content hash of a passage of it."""
LeadTexts = Mapping[EntryKind, Sequence[str]]

NOT_YET = "the index does not have them yet"


def lead_key(passage: Passage) -> LeadKey:
    return passage.document.document_id, passage.content_hash


class KeptLeads(Protocol):
    """A part of `Library`; `made_by` names a model and its prompt, whose leads are its own.

    A lead is owed from when it is kept until the index has it, so that a kill between loses none.
    """

    def written(self, made_by: str, keys: Collection[LeadKey]) -> dict[LeadKey, LeadTexts]:
        """Return what was written; what was never, or could not be, is left out."""
        ...

    def keep_written(
        self, made_by: str, key: LeadKey, texts: LeadTexts | None, owed: str = NOT_YET
    ) -> None:
        """Keep what was written, or that nothing could be (None), and why the index lacks it."""
        ...

    def settle(self, made_by: Collection[str], keys: Collection[LeadKey]) -> None:
        """Note that the index has what was written; what could not be written stays owed."""
        ...

    def owed(self, made_by: Collection[str]) -> dict[LeadKey, str]:
        """Return all that the index lacks, and why."""
        ...

    def retain_written(self, document_id: str, content_hashes: Collection[str]) -> None:
        """Forget what was written for a document but for passages of these hashes."""
        ...
