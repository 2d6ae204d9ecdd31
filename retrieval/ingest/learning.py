"""The index learns from its readers: what they confirmed leads to passages, while it holds.

A question is learned for the passage as it was confirmed, and forgotten once that passage says
something else, is gone, or nobody stands by it any more. What it leads to is the passage's own
readers' alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from retrieval.documents.learned import LearnedKey, LearnedQuestion
from retrieval.documents.port import Library
from retrieval.errors import PassageChanged
from retrieval.ingest.expansion.learned import question_key
from retrieval.ingest.indexed_library import IndexedLibrary
from retrieval.ingest.report import Learned
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Somebody said that a passage answers a question."""

    audit_id: str
    question: str
    document_id: str
    version: str
    """Of the document, then."""
    passage_id: str


class Readers(Protocol):
    """What readers asked and confirmed."""

    def confirmed(self) -> Mapping[LearnedKey, Confirmed]:
        """Return all that they stand by now."""
        ...


NOTHING = Learned()


def learn(stacks: IndexedLibrary, readers: Readers) -> Learned:
    """Bring table and index in line with what readers stand by; the caller holds the lock."""
    library, confirmed = stacks.library, readers.confirmed()
    held = {(each.audit_id, each.passage_id): each for each in library.learned()}
    passages = library.passages({passage_id for _, passage_id in (*held, *confirmed)})
    gone = [
        key
        for key, each in held.items()
        if key not in confirmed or _hash(passages, key) != each.content_hash
    ]
    new = list(_new(library, passages, {k: v for k, v in confirmed.items() if k not in held}))
    library.unlearn(gone)
    library.learn(new)
    unsettled = library.unsettled()
    stacks.lead_anew(list(library.passages(unsettled).values()))
    library.settle_learned(unsettled)
    return Learned(len(new), len(gone))


def _new(
    library: Library, passages: Mapping[str, Passage], confirmed: Mapping[LearnedKey, Confirmed]
) -> Iterator[LearnedQuestion]:
    """Those whose passage says today what it said when it was confirmed."""
    for each in confirmed.values():
        now = passages.get(each.passage_id)
        if now is not None and now.content_hash == _then(library, each):
            yield LearnedQuestion(
                each.audit_id,
                each.passage_id,
                now.document.document_id,
                now.content_hash,
                question_key(each.question),
            )


def _then(library: Library, confirmed: Confirmed) -> str:
    """The hash of what was confirmed; empty where that is not kept, or not as it was stored."""
    wanted = confirmed.document_id, confirmed.version, confirmed.passage_id
    try:
        found = library.passages_at([wanted])
    except PassageChanged:
        return ""
    return found[confirmed.passage_id].content_hash if found else ""


def _hash(passages: Mapping[str, Passage], key: LearnedKey) -> str:
    passage = passages.get(key[1])
    return passage.content_hash if passage else ""
