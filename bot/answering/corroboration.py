"""Other documents corroborate a claim where they say all that it cites.

Nearly word for word, or in other words where each entails the other for sure: a source that does
not quite say it is worse than one that is not named.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from audit.values import Status
from bot.answering.exact.comparison import objections
from bot.answering.exact.near_copies import align, content
from bot.answering.values import Citation, Claim, Contradiction
from retrieval.language.anaphora import begins_with_pronoun
from retrieval.language.table_rows import cells_of
from retrieval.ports import Entailment, EntailmentPair
from retrieval.types import Hit, Passage

SAME_WORDING = 0.9
"""Share, 0 to 1, of the content words of either sentence that the other has, from which both say
the same. Not measured; chosen so that one word in ten may be another."""
SURELY_SAME = 0.97
"""Probability, 0 to 1, of entailment both ways from which two sentences say the same in other
words: `ClaimVerifier.sure`. What it is worth stands in `docs/measurements.md`."""
MOST_COMPARED = 6
"""Sentences of a passage that the model reads for each that is cited, most alike first: it takes
some 10 ms a pair. Not measured."""


@dataclass(frozen=True, slots=True)
class Corroboration:
    """It finds further documents that say what a claim cites."""

    entailment: Entailment

    def __call__(
        self, claims: Sequence[Claim], hits: Sequence[Hit], found: Sequence[Contradiction] = ()
    ) -> tuple[Claim, ...]:
        """The claims; verified ones cite each further document that says all that they cite.

        Not a rule that is overridden, nor a passage that was `found` to say something else. `hits`
        are those that the audience may read.
        """
        beaten = {each.against.passage.passage_id for each in found}
        passages = [
            hit.passage
            for hit in hits
            if hit.overridden_by is None and hit.passage.passage_id not in beaten
        ]
        return tuple(
            self._with_others(claim, passages) if claim.status is Status.VERIFIED else claim
            for claim in claims
        )

    def _with_others(self, claim: Claim, passages: Sequence[Passage]) -> Claim:
        named = {citation.passage.document.document_id for citation in claim.citations}
        others: list[Citation] = []
        for passage in passages:
            if passage.document.document_id not in named:
                found = self._same(claim.citations, passage)
                others += found
                named |= {passage.document.document_id} if found else set()
        return replace(claim, citations=(*claim.citations, *others))

    def _same(self, citations: Sequence[Citation], passage: Passage) -> list[Citation]:
        """Where the passage says all that is cited; empty where something is missing."""
        sentences = [sentence.text for sentence in passage.sentences]
        found = []
        for citation in citations:
            for number in range(citation.first, citation.last + 1):
                text = citation.passage.sentences[number].text
                at, score = _place(text, sentences), citation.score
                if at is None:
                    at, score = self._in_other_words(text, sentences)
                if at is None:
                    return []
                also = replace(citation, passage=passage, first=at, last=at, score=score, also=True)
                found.append(also)
        return list(dict.fromkeys(found))

    def _in_other_words(self, text: str, sentences: Sequence[str]) -> tuple[int | None, float]:
        """The sentence that says the same for sure, and how surely; a row of a table is not read.

        Nothing that a small model overlooks may differ, whichever of the two is the claim.
        """
        own = content(text)
        if begins_with_pronoun(text) or cells_of(text):
            return None, 0.0
        alike = {
            number: len(own & content(each))
            for number, each in enumerate(sentences)
            if not (
                cells_of(each)
                or begins_with_pronoun(each)
                or objections(text, [each])
                or objections(each, [text])
            )
        }
        read = sorted(filter(alike.get, alike), key=lambda each: -alike[each])[:MOST_COMPARED]
        there = self.entailment.supported([EntailmentPair(sentences[n], text) for n in read])
        sure = [n for n, score in zip(read, there, strict=True) if score >= SURELY_SAME]
        back = self.entailment.supported([EntailmentPair(text, sentences[n]) for n in sure])
        score, at = max(zip(back, sure, strict=True), default=(0.0, None))
        return (at, score) if score >= SURELY_SAME else (None, 0.0)


def is_said(text: str, sentences: Sequence[str]) -> bool:
    """Whether some sentence says the same, nearly word for word and with the same facts."""
    return _place(text, sentences) is not None


def repeats(text: str, other: str) -> bool:
    """Whether nothing is lost without it: the same words but for "typically" and the like."""
    return content(text) == content(other) and _place(text, [other]) is not None


def _place(text: str, sentences: Sequence[str]) -> int | None:
    """The sentence that says the same, nearly word for word."""
    if begins_with_pronoun(text):
        return None
    if text in sentences:
        return sentences.index(text)
    nearest = align(text, sentences)
    if nearest is None or min(nearest.alike, nearest.covered) < SAME_WORDING:
        return None
    differs = objections(text, [nearest.sentence]) or objections(nearest.sentence, [text])
    return None if differs else sentences.index(nearest.sentence)
