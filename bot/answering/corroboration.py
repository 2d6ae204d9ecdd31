"""Other documents corroborate a claim where they say all that it cites.

Nearly word for word, or in other words where each entails the other for sure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from audit.values import Status
from bot.answering.anchors import is_for_people
from bot.answering.exact.amounts import in_one_form
from bot.answering.exact.comparison import missing_names, objections
from bot.answering.exact.near_copies import align, content
from bot.answering.exact.writing import read_alike
from bot.answering.values import Citation, Claim, Contradiction
from retrieval.language.questions import begins_with_pronoun
from retrieval.language.table_rows import cells_of
from retrieval.ports import Entailment, EntailmentPair
from retrieval.search.ranking import authority
from retrieval.search.scores import SURELY_ENTAILED
from retrieval.types import Hit, Passage, Stream

SAME_WORDING = 0.9
"""Share, 0 to 1, of the content words of either sentence that the other has, from which both say
the same. Not measured; chosen so that one word in ten may be another."""
COPIES = 0.5
"""Share, 0 to 1, of the content words of the longer of two passages that both have, from which one
is a copy of the other with more or less beside it. Not measured."""
MOST_COMPARED = 6
"""Sentences that the model reads for each that is cited, most alike first: it takes some 10 ms a
pair. Not measured."""
NOT_OTHERWISE = 0.1
"""Probability, 0 to 1, with which each of two sentences that differ in no fact must entail the
other to say nothing else, each read under its heading. A small model is seldom sure that what was
reworded says the same, and nearly always that a rule with a condition more or less does not
(`docs/measurements.md`)."""


class Headed(NamedTuple):
    heading: str
    text: str

    @property
    def read(self) -> str:
        return read_alike(f"{self.heading}\n{self.text}" if self.heading else self.text)


@dataclass(frozen=True, slots=True)
class Corroboration:
    """It finds further documents that say what a claim cites."""

    entailment: Entailment

    def __call__(
        self, claims: Sequence[Claim], hits: Sequence[Hit], found: Sequence[Contradiction] = ()
    ) -> tuple[Claim, ...]:
        """The claims; verified ones cite each further document that says all that they cite.

        Of copies that one comes first whose level and recency are highest. Not a rule that is
        overridden, nor a passage that was `found` to say something else. `hits` are those that the
        audience may read.
        """
        beaten = {each.against.passage.passage_id for each in found}
        said = (hit for hit in hits if hit.passage.passage_id not in beaten)
        standing = [hit for hit in said if hit.overridden_by is None]
        standing.sort(key=authority, reverse=True)
        return tuple(
            self._with_others(_by_what_prevails(claim, standing), standing)
            if claim.status is Status.VERIFIED
            else claim
            for claim in claims
        )

    def _with_others(self, claim: Claim, hits: Sequence[Hit]) -> Claim:
        named = {citation.passage.document.document_id for citation in claim.citations}
        others: list[Citation] = []
        for passage in (hit.passage for hit in hits):
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
            for number in citation.numbers:
                text = citation.passage.sentences[number].text
                at, score = _place(text, sentences), citation.score
                if at is None:
                    at, score = self._in_other_words(text, sentences)
                if at is None or not is_for_people(passage, at, at):
                    return []
                also = replace(citation, passage=passage, first=at, last=at, score=score, also=True)
                found.append(also)
        return list(dict.fromkeys(found))

    def _in_other_words(self, text: str, sentences: Sequence[str]) -> tuple[int | None, float]:
        if cells_of(text):
            return None, 0.0
        near = [n for n in _nearest(text, sentences) if not cells_of(sentences[n])]
        read = [n for n in near if _may_say_the_same(text, sentences[n])]
        others = [Headed("", sentences[n]) for n in read]
        at, score = in_other_words(Headed("", text), others, self.entailment, SURELY_ENTAILED)
        return (None if at is None else read[at]), score


def _by_what_prevails(claim: Claim, hits: Sequence[Hit]) -> Claim:
    """The claim, citing the copy of its passage that prevails, in the same words."""
    cited = {each.passage.passage_id for each in claim.citations}
    own = [hit for hit in hits if hit.passage.passage_id in cited]
    if len(cited) != 1 or not own or own[0].passage.document.metadata.stream is Stream.ACADEMIC:
        return claim
    for hit in (each for each in hits if authority(each) > authority(own[0])):
        copies = [_in_copy(each, hit.passage) for each in claim.citations]
        if all(copies):
            return replace(claim, citations=tuple(filter(None, copies)))
    return claim


def _in_copy(citation: Citation, passage: Passage) -> Citation | None:
    own, theirs = content(citation.passage.with_heading), content(passage.with_heading)
    if len(own & theirs) < COPIES * max(len(own), len(theirs)):
        return None
    one, other = (f"{e.document.title} {e.heading}" for e in (citation.passage, passage))
    if missing_names(one, other) or missing_names(other, one):
        return None  # of another place, or somebody else
    said, texts = ([x.text for x in each.sentences] for each in (citation, passage))
    for at in range(len(texts) - len(said) + 1):
        last = at + len(said) - 1
        if texts[at : last + 1] == said and is_for_people(passage, at, last):
            return replace(citation, passage=passage, first=at, last=last)
    return None


def _nearest(text: str, sentences: Sequence[str]) -> list[int]:
    own = content(text)
    shared = [len(own & content(each)) for each in sentences]
    nearest = sorted(filter(shared.__getitem__, range(len(shared))), key=lambda n: -shared[n])
    return nearest[:MOST_COMPARED]


def _may_say_the_same(one: str, other: str) -> bool:
    """Whether nothing differs that a small model overlooks, whichever of the two is the claim."""
    unread = begins_with_pronoun(one) or begins_with_pronoun(other)
    return not (unread or objections(one, [other]) or objections(other, [one]))


def in_other_words(
    one: Headed, others: Sequence[Headed], entailment: Entailment, least: float
) -> tuple[int | None, float]:
    """The one that entails it and is entailed by it most surely, and how surely: 0 to 1.

    None where either is under `least`. Each is read under its heading.
    """
    there = entailment.supported(
        [EntailmentPair(each.read, read_alike(one.text)) for each in others]
    )
    sure = [n for n, score in enumerate(there) if score >= least]
    back = entailment.supported(
        [EntailmentPair(one.read, read_alike(others[n].text)) for n in sure]
    )
    both = [(min(there[n], score), n) for n, score in zip(sure, back, strict=True)]
    score, at = max(both, default=(0.0, None))
    return (at, score) if score >= least else (None, 0.0)


def is_among(
    one: Headed, others: Sequence[Headed], entailment: Entailment, least: float = NOT_OTHERWISE
) -> bool:
    """Whether some other one says it, in whatever words, and nothing else.

    As far as can be told: with each amount, day, name, bound and "not" of it and no more.
    """
    texts = [each.text for each in others]
    near = [others[n] for n in _nearest(one.text, texts) if _may_say_the_same(one.text, texts[n])]
    return is_said(one.text, texts) or in_other_words(one, near, entailment, least)[0] is not None


def is_said(text: str, sentences: Sequence[str]) -> bool:
    """Whether some sentence says the same, nearly word for word and with the same facts."""
    alike = 0 if text in sentences else _place(text, sentences)
    if alike is None:
        alike = _place(in_one_form(text), [in_one_form(each) for each in sentences])
    return alike is not None


def repeats(text: str, other: str) -> bool:
    """Whether nothing is lost without it: the same words but for "typically" and the like."""
    return content(text) == content(other) and _place(text, [other]) is not None


def _place(text: str, sentences: Sequence[str]) -> int | None:
    if begins_with_pronoun(text):
        return None
    if text in sentences:
        return sentences.index(text)
    nearest = align(text, sentences)
    if nearest is None or min(nearest.alike, nearest.covered) < SAME_WORDING:
        return None
    differs = objections(text, [nearest.sentence]) or objections(nearest.sentence, [text])
    return None if differs else sentences.index(nearest.sentence)
