"""A rule that lets others set another one is not told whole without saying so.

"Coursework may be 7 days late" misleads whoever's department said 3, unless the sentence that
lets departments do so stands beside it, however many sentences further on.
"""

import re
from collections.abc import Iterator, Sequence

from audit.record.claims import ClaimKind, Status
from bot.answering.kept_out import kept_out
from bot.answering.values import Citation, Claim
from retrieval.types import Passage

Place = tuple[Passage, int]

_RULE = (
    r"(?:rule|polic(?:y|ies)|limit|minimum|maximum|fee|deadline|requirement|regulation|procedure"
    r"|arrangement|provision|standard|term|condition|guideline)s?"
)
_DEFERS = re.compile(
    r"\b(?:may|can|is free to|are free to) (?:set|make|have|adopt|issue|define|lay down|agree)"
    r" (?:(?:a|an|its|their|some) )?(?:own|different|other|another|stricter|special)\b"
    rf"[^.;]{{0,30}}?\b{_RULE}\b"
    rf"|\b{_RULE} (?:may|can) (?:differ|vary) (?:by|between|among|from)\b",
    re.IGNORECASE,
)
"""A list of wordings, which no list completes: what is worded otherwise is not told."""


def with_deferrals(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims that are posted, with what defers to others' rules after those that it limits."""
    told = {place for claim in claims for place in _places(claim)}
    whole: list[Claim] = []
    for claim in reversed(claims):
        limits = [place for place in _deferrals(claim) if place not in told]
        told.update(limits)
        whole += [*(_said(place, claim) for place in reversed(limits)), claim]
    return tuple(reversed(whole))


def defers(sentence: str) -> bool:
    return bool(_DEFERS.search(sentence))


def _deferrals(claim: Claim) -> list[Place]:
    """What follows its sentences in their passages; an inference has it beside its grounds."""
    if claim.kind is not ClaimKind.CITED or claim.status is not Status.VERIFIED:
        return []
    found = {
        (citation.passage, index): None
        for citation in claim.citations
        for index, sentence in enumerate(citation.passage.sentences)
        if index > citation.last and defers(sentence.text)
        if index not in kept_out(citation.passage)
    }
    return list(found)


def _places(claim: Claim) -> Iterator[Place]:
    for citation in claim.citations:
        for index in range(citation.first, citation.last + 1):
            yield citation.passage, index


def _said(place: Place, limited: Claim) -> Claim:
    """In its own words, which bear themselves out; it answers no more than what it limits."""
    passage, index = place
    copied = Citation(passage, index, index, Status.VERIFIED, 1.0)
    text = passage.sentences[index].text
    return Claim(
        text, Status.VERIFIED, ClaimKind.CITED, (copied,), 1.0, parts=limited.parts, copied=True
    )
