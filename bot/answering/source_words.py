"""Where nothing bears a claim out, a sentence that it cites may say what it meant to say.

A small check does not know "at the San Francisco office" for what stands under that heading, nor
that it adds nothing for somebody who asked from there. So a claim that falls is not posted, but the
sentence which it nearly says is, word for word. What the question or the heading states does not
count against it: that need not stand in the sentence, and is not posted.
"""

from collections.abc import Iterator, Sequence

from audit.values import Status
from bot.answering.anchors import anchor, resolve
from bot.answering.copying import SentenceAt
from bot.answering.exact.near_copies import NEAR_COPY, content
from bot.answering.premises import without_reported
from bot.answering.surroundings import is_question
from bot.answering.values import Claim, Draft, DraftClaim
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.answer_spans import AnswerSpan, answer_spans, text_of, whole_span
from retrieval.types import Passage

FEWEST = 3
"""Content words that claim and sentence must both have. Not measured; as of two sentences that
speak of one subject (`exact.opposition`)."""


def with_source_words(
    question: str, draft: Draft, claims: Sequence[Claim], verifier: ClaimVerifier
) -> tuple[Claim, ...]:
    """The checked claims of the draft; before one that fell, what it cites, if that says it.

    `question` is what was asked: no evidence. No model is asked, and nothing is raised.
    """
    return tuple(_each(question, draft, claims, verifier))


def _each(
    question: str, draft: Draft, claims: Sequence[Claim], verifier: ClaimVerifier
) -> Iterator[Claim]:
    said = {place for claim in claims for place in _borne_out_by(claim)}
    for written, claim in zip(draft.claims, claims, strict=True):
        if claim.status is Status.UNSUPPORTED:
            copy = _copy(question, written, draft.passages, verifier)
            if copy and not said.issuperset(_borne_out_by(copy)):
                said.update(_borne_out_by(copy))
                yield copy
        yield claim


def _borne_out_by(claim: Claim) -> Iterator[tuple[str, int]]:
    """Passage ids and indices of the sentences that bear the claim out."""
    for each in claim.citations:
        if each.status is Status.VERIFIED:
            yield from ((each.passage.passage_id, n) for n in range(each.first, each.last + 1))


def _copy(
    question: str, written: DraftClaim, passages: Sequence[Passage], verifier: ClaimVerifier
) -> Claim | None:
    """The cited sentence that the claim says most nearly, with what it leans on."""
    resolved = [place for each in written.anchors if (place := resolve(each, passages))]
    nearest = max(resolved, key=lambda each: _alike(question, written.text, each), default=None)
    if nearest is None or _alike(question, written.text, nearest) < NEAR_COPY:
        return None
    passage, index = nearest
    first, last = span = whole_span(passage, (index, index))
    if (index, index) not in answer_spans(passage) or not _states(passage, span):
        return None
    number = passages.index(passage) + 1
    anchors = tuple(anchor(number, n + 1) for n in range(first, last + 1))
    return verifier.copy(DraftClaim(text_of(passage, span), anchors, parts=written.parts), passages)


def _states(passage: Passage, span: AnswerSpan) -> bool:
    """Whether all of it says something itself: it neither asks nor reports, nor wants it said."""
    first, last = span
    texts = [each.text for each in passage.sentences[first : last + 1]]
    return not any(is_question(text) or without_reported(text) != text for text in texts)


def _alike(question: str, claim: str, place: SentenceAt) -> float:
    """Share of what the claim says, but for what is given, that the sentence says; 0 to 1."""
    passage, index = place
    own, words = content(claim), content(passage.sentences[index].text)
    shared, given = own & words, content(question) | content(passage.heading)
    return len(shared) / len(shared | (own - given)) if len(shared) >= FEWEST else 0.0
