"""Sources may contradict what a draft says; which of them holds depends on the audience."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeVar

from audit.values import ContradictionRecord, Prevails, Status
from bot.answering.anchors import kept_out
from bot.answering.exact.amounts import Measures, measures
from bot.answering.exact.comparison import missing_names
from bot.answering.exact.near_copies import content, denies
from bot.answering.values import Citation, Claim, Contradiction
from retrieval.language.questions import begins_with_pronoun
from retrieval.language.table_rows import cells_of
from retrieval.search.scores import HIERARCHY
from retrieval.types import Evidence, Hit, Stream

ONE_SUBJECT = 0.8
"""Share, 0 to 1, of the longer sentence's content words that both have, from which they speak of
one thing. Not measured; chosen so that neither may speak of a special case of it, since a false
alarm withholds an answer."""
FEWEST = 3
"""Content words that both must have: "It opens at 9" may be about anything."""
ONE_SUBJECT_IN_RULES = 0.5
"""Share, 0 to 1, of the shorter one's, where retrieval found already that one passage's rule
overrides the other's. Not measured; chosen lower, as the subject is known."""
FEWEST_IN_RULES = 2
"""Content words that both must have there."""
Value = TypeVar("Value")


def opposed(one: str, other: str, *, of_one_rule: bool = False) -> tuple[str, ...]:
    """What stands against what, such as "14 days / 10 days"; empty where nothing does."""
    if _of_other_rows(one, other):
        return ()
    mine, theirs = measures(one), measures(other)
    if not _of_one_subject(one, mine, other, theirs, of_one_rule=of_one_rule):
        return ()
    alike = _alike(mine, theirs) >= ONE_SUBJECT
    if different := tuple(_different(mine, theirs, bare=alike)):
        return different
    return ("not",) if alike and denies(one) != denies(other) else ()


def _of_other_rows(one: str, other: str) -> bool:
    first, second = cells_of(one)[:1], cells_of(other)[:1]
    return bool(first and second) and first[0].text.casefold() != second[0].text.casefold()


def measures_otherwise(one: str, other: str) -> bool:
    """Whether both say a time or an amount of one unit, and not the same."""
    return any(_different(measures(one), measures(other), bare=False))


def _of_one_subject(
    one: str, mine: Measures, other: str, theirs: Measures, *, of_one_rule: bool
) -> bool:
    first, second = content(mine.rest), content(theirs.rest)
    shared = len(first & second)
    if mine.weekdays and theirs.weekdays and not mine.weekdays.keys() & theirs.weekdays.keys():
        return False
    if of_one_rule:
        shorter = min(len(first), len(second))
        return shared >= FEWEST_IN_RULES and shared >= ONE_SUBJECT_IN_RULES * shorter
    if begins_with_pronoun(one) or begins_with_pronoun(other) or shared < FEWEST:
        return False
    named = missing_names(mine.rest, theirs.rest) or missing_names(theirs.rest, mine.rest)
    return not named and _alike(mine, theirs) >= ONE_SUBJECT


def _alike(mine: Measures, theirs: Measures) -> float:
    first, second = content(mine.rest), content(theirs.rest)
    return len(first & second) / max(1, len(first), len(second))


def _different(one: Measures, other: Measures, *, bare: bool) -> Iterable[str]:
    for unit in sorted(one.amounts.keys() & other.amounts.keys()):
        if unit or bare:
            yield from _apart(one.amounts[unit], other.amounts[unit])
    yield from _apart(one.times, other.times)
    yield from _apart(one.months, other.months)


def _apart(mine: Mapping[Value, str], theirs: Mapping[Value, str]) -> list[str]:
    if not mine or not theirs or mine.keys() & theirs.keys():
        return []
    return [f"{next(iter(mine.values()))} / {next(iter(theirs.values()))}"]


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
    for citation in claim.citations:
        for number in citation.numbers:
            yield replace(citation, first=number, last=number)


def _is_in_force(hit: Hit, on: date) -> bool:
    metadata = hit.passage.document.metadata
    begun = metadata.effective is None or metadata.effective <= on
    return begun and metadata.stream is not Stream.ACADEMIC


def _between(own: Hit, cited: Citation, hit: Hit) -> Contradiction | None:
    if own.passage.document.document_id == hit.passage.document.document_id:
        return None
    text = cited.passage.sentences[cited.first].text
    of_one_rule = _overrides(own, hit) or _overrides(hit, own)
    for number, sentence in enumerate(hit.passage.sentences):
        differs = opposed(text, sentence.text, of_one_rule=of_one_rule)
        if differs and number not in kept_out(hit.passage):
            other = replace(cited, passage=hit.passage, first=number, last=number)
            return _judged(own, cited, hit, other, differs)
    return None


def _overrides(one: Hit, other: Hit) -> bool:
    return other.overridden_by == one.passage.passage_id


def _judged(
    own: Hit, said: Citation, hit: Hit, other: Citation, differs: tuple[str, ...]
) -> Contradiction:
    """What prevails first; where neither does, what the draft says."""
    if (why := _over(hit, own)) is not Prevails.NEITHER:
        turned = tuple(" / ".join(reversed(each.split(" / "))) for each in differs)
        return Contradiction(other, said, turned, why)
    return Contradiction(said, other, differs, _over(own, hit))


def _over(one: Hit, other: Hit) -> Prevails:
    """Why one prevails over the other, as in retrieval's order."""
    mine, theirs = (each.passage.document.metadata.effective for each in (one, other))
    hierarchy = one.scores.get(HIERARCHY, 0.0), other.scores.get(HIERARCHY, 0.0)
    return Prevails.of(hierarchy, is_newer=bool(mine and theirs and mine > theirs))
