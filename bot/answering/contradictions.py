"""Sources that contradict what a draft says, and which of them holds for this audience."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit.record import Prevails, Status
from bot.answering.exact.opposition import ALIKE, ALIKE_IN_RULES, of_one_subject, opposed
from bot.answering.values import Citation, Claim, Contradiction
from retrieval.types import Hit, Stream


def contradictions(claims: Sequence[Claim], hits: Sequence[Hit]) -> tuple[Contradiction, ...]:
    """Between what verified claims cite and what other hits say; each pair of places once.

    Lecture notes take no part: no rule of one course is a rule of another.
    """
    found: dict[frozenset[tuple[str, int]], Contradiction] = {}
    for cited in _sentences(claims):
        for hit in hits:
            if each := _between(cited, hit, hits):
                found.setdefault(frozenset(map(_place, (each.holds, each.against))), each)
    return tuple(found.values())


def gives_way(claim: Claim, found: Sequence[Contradiction]) -> bool:
    """Whether it rests on a sentence over which another one prevails."""
    lost = {_place(each.against) for each in found if each.prevails is not Prevails.NEITHER}
    return any(_place(sentence) in lost for sentence in _sentences([claim]))


def _sentences(claims: Sequence[Claim]) -> Iterator[Citation]:
    """Every sentence that a verified claim cites, by itself."""
    for claim in claims:
        if claim.status is Status.VERIFIED:
            for citation in claim.citations:
                for number in range(citation.first, citation.last + 1):
                    yield replace(citation, first=number, last=number)


def _between(cited: Citation, hit: Hit, hits: Sequence[Hit]) -> Contradiction | None:
    """What the hit says against a cited sentence, if it does."""
    own = next((h for h in hits if h.passage.passage_id == cited.passage.passage_id), None)
    if own is None or not _may_contradict(own, hit):
        return None
    text = cited.passage.sentences[cited.first].text
    of_one_rule = _overrides(own, hit) or _overrides(hit, own)
    for number, sentence in enumerate(hit.passage.sentences):
        differs = opposed(text, sentence.text, ALIKE_IN_RULES if of_one_rule else ALIKE)
        if differs and (of_one_rule or of_one_subject(text, sentence.text)):
            other = replace(cited, passage=hit.passage, first=number, last=number)
            return _judged(own, cited, hit, other, differs)
    return None


def _may_contradict(one: Hit, other: Hit) -> bool:
    documents = (one.passage.document, other.passage.document)
    streams = [document.metadata.stream for document in documents]
    return documents[0].document_id != documents[1].document_id and Stream.ACADEMIC not in streams


def _overrides(one: Hit, other: Hit) -> bool:
    return other.overridden_by == one.passage.passage_id


def _judged(
    own: Hit, cited: Citation, hit: Hit, other: Citation, differs: tuple[str, ...]
) -> Contradiction:
    prevails = _prevails(own, hit)
    if prevails is not Prevails.NEITHER:
        return Contradiction(cited, other, differs, prevails)
    against = _prevails(hit, own)
    if against is not Prevails.NEITHER:
        turned = tuple(" / ".join(reversed(each.split(" / "))) for each in differs)
        return Contradiction(other, cited, turned, against)
    return Contradiction(cited, other, differs, Prevails.NEITHER)


def _prevails(one: Hit, other: Hit) -> Prevails:
    """Why the first prevails, by the same numbers as in `ranking.organisational_order`."""
    if _standing(one) <= _standing(other):
        return Prevails.NEITHER
    if one.scores.hierarchy > other.scores.hierarchy:
        return Prevails.OWN_UNIT
    dates = [each.passage.document.metadata.effective for each in (one, other)]
    return Prevails.NEITHER if None in dates else Prevails.NEWER


def _standing(hit: Hit) -> float:
    return hit.scores.hierarchy + hit.scores.recency


def _place(sentence: Citation) -> tuple[str, int]:
    return (sentence.passage.passage_id, sentence.first)
