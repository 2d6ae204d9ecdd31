"""Other sources corroborate a claim where they say nearly word for word what it says.

Only what can be compared letter by letter counts, for a source that does not quite say it is
worse than one that is not named.
"""

from collections.abc import Sequence
from dataclasses import replace

from audit.values import Status
from bot.answering.exact.comparison import objections
from bot.answering.exact.near_copies import align, content
from bot.answering.values import Citation, Claim, Contradiction
from retrieval.language.anaphora import begins_with_pronoun
from retrieval.types import Hit, Passage

SAME_WORDING = 0.9
"""Share, 0 to 1, of the content words of either sentence that the other has, from which both say
the same. Not measured; chosen so that one word in ten may be another."""


def corroborated(
    claims: Sequence[Claim], hits: Sequence[Hit], found: Sequence[Contradiction] = ()
) -> tuple[Claim, ...]:
    """The claims; verified ones cite each further document that says all that they cite.

    Not a rule that is overridden, nor a passage that was `found` to say something else.
    """
    beaten = {each.against.passage.passage_id for each in found}
    passages = [
        hit.passage
        for hit in hits
        if hit.overridden_by is None and hit.passage.passage_id not in beaten
    ]
    return tuple(
        _with_others(claim, passages) if claim.status is Status.VERIFIED else claim
        for claim in claims
    )


def _with_others(claim: Claim, passages: Sequence[Passage]) -> Claim:
    named = {citation.passage.document.document_id for citation in claim.citations}
    others: list[Citation] = []
    for passage in passages:
        if passage.document.document_id not in named:
            found = _same(claim.citations, passage)
            others += found
            named |= {passage.document.document_id} if found else set()
    return replace(claim, citations=(*claim.citations, *others))


def _same(citations: Sequence[Citation], passage: Passage) -> list[Citation]:
    """Where the passage says all that is cited; empty where something is missing."""
    sentences = [sentence.text for sentence in passage.sentences]
    found = []
    for citation in citations:
        for number in range(citation.first, citation.last + 1):
            at = _place(citation.passage.sentences[number].text, sentences)
            if at is None:
                return []
            found.append(replace(citation, passage=passage, first=at, last=at))
    return list(dict.fromkeys(found))


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
