"""Leads made by rules, without a language model.

Kinds of entries after Vadlapati, "Index-RAG" (2026): there a language model writes the questions.
Whatever is made of a passage points at it alone and has its document's access rule.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from retrieval.ingest.expansion.port import Lead, Told, tell_nobody
from retrieval.language.central_sentences import most_central
from retrieval.language.entities import entities_in
from retrieval.language.made_questions import questions_of_heading, questions_of_sentence
from retrieval.ports import EntryKind
from retrieval.types import Passage

VERSION = "rules 1"
"""Changes whenever the same passage would be given other leads, so that they are made anew."""
SUMMARY_SENTENCES = 2
MOST_QUESTIONS = 12
MOST_ENTITIES = 12


def _questions(passage: Passage) -> Iterable[str]:
    """Of its headings first, then of its sentences."""
    yield from questions_of_heading((passage.document.title, *passage.section_path))
    for sentence in passage.sentences:
        yield from questions_of_sentence(sentence.text)


def _summary(passage: Passage) -> Iterable[str]:
    """Of a passage that has more sentences than a summary."""
    sentences = [sentence.text for sentence in passage.sentences]
    if len(sentences) > SUMMARY_SENTENCES:
        yield _headed(passage, " ".join(most_central(sentences, SUMMARY_SENTENCES)))


def _entities(passage: Passage) -> Iterable[str]:
    """All in one text, as an answer names several together."""
    if found := entities_in([sentence.text for sentence in passage.sentences]):
        yield _headed(passage, ", ".join(found[:MOST_ENTITIES]))


def _sentences(passage: Passage) -> Iterable[str]:
    """Of a passage that is no single sentence."""
    if len(passage.sentences) > 1:
        yield from (_headed(passage, sentence.text) for sentence in passage.sentences)


def _headed(passage: Passage, text: str) -> str:
    """With the heading in front, as the bundled models were trained on passages."""
    return f"{passage.heading}\n{text}"


_MAKERS: Mapping[EntryKind, Callable[[Passage], Iterable[str]]] = {
    EntryKind.QUESTION: _questions,
    EntryKind.SUMMARY: _summary,
    EntryKind.ENTITY: _entities,
    EntryKind.SENTENCE: _sentences,
}
_MOST = {EntryKind.QUESTION: MOST_QUESTIONS}


@dataclass(frozen=True, slots=True)
class RuleExpansion:
    """It implements `expansion.port.Expansion` for English documents."""

    kinds: Collection[EntryKind]

    @property
    def made_by(self) -> Mapping[EntryKind, str]:
        return dict.fromkeys(sorted(self.kinds), VERSION)

    @property
    def kept_as(self) -> frozenset[str]:
        return frozenset()

    def leads(
        self, passages: Sequence[Passage], _told: Told = tell_nobody, /
    ) -> list[Sequence[Lead]]:
        return [
            [lead for kind in sorted(self.kinds) for lead in _of_kind(kind, passage)]
            for passage in passages
        ]


def _of_kind(kind: EntryKind, passage: Passage) -> list[Lead]:
    folded = (" ".join(text.split()) for text in _MAKERS[kind](passage))
    texts = list(dict.fromkeys(text for text in folded if text))
    return [Lead(kind, text) for text in texts[: _MOST.get(kind)]]
