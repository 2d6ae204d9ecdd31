"""Sources may contradict what a draft says; which of them holds depends on the audience."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from audit.values import ContradictionRecord, Prevails, Status
from bot.answering.anchors import kept_out
from bot.answering.exact.opposition import opposed
from bot.answering.values import Citation, Claim, Contradiction
from retrieval.search.scores import HIERARCHY
from retrieval.types import Evidence, Hit, Stream

SentenceKey = tuple[str, int]
"""A passage's id and the number of one of its sentences."""


def contradictions(claims: Sequence[Claim], evidence: Evidence) -> tuple[Contradiction, ...]:
    """Between what verified claims cite and what other hits say; each pair of places once.

    Lecture notes take no part: no rule of one course is a rule of another. Nor does what
    takes effect later.
    """
    rules = [hit for hit in evidence.hits if _is_in_force(hit, evidence.scope.on)]
    hits = {hit.passage.passage_id: hit for hit in rules}
    found: dict[frozenset[SentenceKey], Contradiction] = {}
    for claim in claims:
        for cited in _sentences(claim) if claim.status is Status.VERIFIED else ():
            if own := hits.get(evidence.continued_from(cited.passage.passage_id)):
                for each in filter(None, (_between(own, cited, hit) for hit in rules)):
                    pair = frozenset(map(place_of, (each.holds, each.against)))
                    found.setdefault(pair, each)
    return tuple(found.values())


def lost(found: Sequence[Contradiction]) -> frozenset[SentenceKey]:
    """Sentences over which another one prevails."""
    settled = (each for each in found if each.prevails is not Prevails.NEITHER)
    return frozenset(place_of(each.against) for each in settled)


def unsettled(found: Sequence[Contradiction]) -> list[Contradiction]:
    """Where neither prevails, and nothing prevails over either."""
    beaten = lost(found)
    return [
        each
        for each in found
        if each.prevails is Prevails.NEITHER
        and beaten.isdisjoint(map(place_of, (each.holds, each.against)))
    ]


def gives_way(claim: Claim, found: Sequence[Contradiction]) -> bool:
    """Whether it rests on a sentence over which another one prevails."""
    return not lost(found).isdisjoint(map(place_of, _sentences(claim)))


def giving_way(
    found: Sequence[ContradictionRecord],
) -> list[tuple[Prevails, list[ContradictionRecord]]]:
    """What an answer prevails over, by why: the first of each document."""
    first: dict[str, ContradictionRecord] = {}
    for each in found:
        if each.prevails is not Prevails.NEITHER:
            first.setdefault(each.against.citation.document_id, each)
    reasons = dict.fromkeys(each.prevails for each in first.values())
    return [(why, [e for e in first.values() if e.prevails is why]) for why in reasons]


def place_of(sentence: Citation) -> SentenceKey:
    return (sentence.passage.passage_id, sentence.first)


def _sentences(claim: Claim) -> Iterator[Citation]:
    """Every sentence that it cites, by itself."""
    for citation in claim.citations:
        for number in range(citation.first, citation.last + 1):
            yield replace(citation, first=number, last=number)


def _is_in_force(hit: Hit, on: date) -> bool:
    metadata = hit.passage.document.metadata
    begun = metadata.effective is None or metadata.effective <= on
    return begun and metadata.stream is not Stream.ACADEMIC


def _between(own: Hit, cited: Citation, hit: Hit) -> Contradiction | None:
    """What the hit says against a cited sentence of its own hit, if it does."""
    if own.passage.document.document_id == hit.passage.document.document_id:
        return None
    text = cited.passage.sentences[cited.first].text
    of_one_rule = _overrides(own, hit) or _overrides(hit, own)
    for number, sentence in enumerate(hit.passage.sentences):
        differs = opposed(text, sentence.text, of_one_rule=of_one_rule)
        if differs and number not in kept_out(hit.passage):
            other = replace(cited, passage=hit.passage, first=number, last=number)
            return _judged(_Side(own, cited), _Side(hit, other), differs)
    return None


def _overrides(one: Hit, other: Hit) -> bool:
    return other.overridden_by == one.passage.passage_id


@dataclass(frozen=True, slots=True)
class _Side:
    hit: Hit
    said: Citation

    @property
    def effective(self) -> date | None:
        return self.said.passage.document.metadata.effective

    @property
    def hierarchy(self) -> float:
        return self.hit.scores.get(HIERARCHY, 0.0)

    def over(self, other: "_Side") -> Prevails:
        """Why this one prevails over the other, as in retrieval's order."""
        newer = bool(self.effective and other.effective and self.effective > other.effective)
        return Prevails.of((self.hierarchy, other.hierarchy), is_newer=newer)


def _judged(one: _Side, other: _Side, differs: tuple[str, ...]) -> Contradiction:
    """What prevails first; where neither does, the first of the two."""
    if (why := other.over(one)) is not Prevails.NEITHER:
        turned = tuple(" / ".join(reversed(each.split(" / "))) for each in differs)
        return Contradiction(other.said, one.said, turned, why)
    return Contradiction(one.said, other.said, differs, one.over(other))
