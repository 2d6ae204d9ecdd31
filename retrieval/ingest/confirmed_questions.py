"""The index learns from its readers: questions that they asked and confirmed lead to passages.

A question is learned for the passage as it was confirmed, and forgotten once that passage says
something else, is gone, or nobody stands by it any more. What it leads to is the passage's own
readers' alone.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from retrieval.documents.port import LearnedKey, LearnedQuestion
from retrieval.errors import PassageChanged
from retrieval.ingest.expansion import Expansion, Lead, Told, tell_nobody
from retrieval.ingest.indexed_library import IndexedLibrary
from retrieval.ingest.report import Learned
from retrieval.ports import EntryKind
from retrieval.types import Passage

if TYPE_CHECKING:
    from retrieval.documents.sql_history import SqlLearned
    from retrieval.documents.sql_library import SqlLibrary

MOST = 20
"""Questions of readers that lead to one passage: the newest."""


def question_key(question: str) -> str:
    """The SHA-256 of a question, white space folded, as its entry in an index has it."""
    return sha256(" ".join(question.split()).encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class WithLearned:
    """It implements `expansion.Expansion`, and adds questions to those of another one."""

    expansion: Expansion
    kept: "SqlLearned"
    texts: Callable[[Collection[str]], Mapping[str, str]]
    """Questions by audit id; one that is not kept any more is left out, and so leads nowhere."""

    @property
    def made_by(self) -> Mapping[EntryKind, str]:
        made = self.expansion.made_by
        return {**made, EntryKind.QUESTION: f"{made[EntryKind.QUESTION]} and readers"}

    @property
    def kept_as(self) -> frozenset[str]:
        return self.expansion.kept_as

    def leads(
        self, passages: Sequence[Passage], told: Told = tell_nobody, /
    ) -> list[Sequence[Lead]]:
        made = self.expansion.leads(passages, told)
        asked = self._asked(passages)
        return [
            [
                *leads,
                *(
                    Lead(EntryKind.QUESTION, text)
                    for text in asked.get((passage.passage_id, passage.content_hash), ())
                ),
            ]
            for passage, leads in zip(passages, made, strict=True)
        ]

    def _asked(self, passages: Sequence[Passage]) -> dict[tuple[str, str], list[str]]:
        """The newest questions, by passage and content: an audit id sorts by its time.

        By both, as `learning.learn` forgets them, so that none leads anywhere without its row.
        """
        learned = self.kept.learned({each.document.document_id for each in passages})
        texts = self.texts({each.audit_id for each in learned})
        found: dict[tuple[str, str], list[str]] = {}
        for each in sorted(learned, key=lambda one: one.audit_id, reverse=True):
            text = texts.get(each.audit_id, "")
            if question_key(text) == each.key:
                asked = found.setdefault((each.passage_id, each.content_hash), [])
                if text not in asked and len(asked) < MOST:
                    asked.append(text)
        return found


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
    library: "SqlLibrary",
    passages: Mapping[str, Passage],
    confirmed: Mapping[LearnedKey, Confirmed],
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


def _then(library: "SqlLibrary", confirmed: Confirmed) -> str:
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
