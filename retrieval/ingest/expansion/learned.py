"""Questions that readers asked and confirmed lead to the passages that answered them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from retrieval.documents.learned import KeptLearned
from retrieval.ingest.expansion.port import Expansion, Lead, Told, tell_nobody
from retrieval.ports import EntryKind
from retrieval.types import Passage

MOST = 20
"""Questions of readers that lead to one passage: the newest."""


def question_key(question: str) -> str:
    """The SHA-256 of a question, white space folded, as its entry in an index has it."""
    return sha256(" ".join(question.split()).encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class WithLearned:
    """It implements `expansion.port.Expansion`, and adds questions to those of another one."""

    expansion: Expansion
    kept: KeptLearned
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
            [*leads, *(_lead(text) for text in asked.get(_as_confirmed(passage), ()))]
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


def _as_confirmed(passage: Passage) -> tuple[str, str]:
    return passage.passage_id, passage.content_hash


def _lead(text: str) -> Lead:
    return Lead(EntryKind.QUESTION, text)
