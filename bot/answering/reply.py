"""A verdict becomes the words of a reply."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from audit.record import Decision, NearestRecord
from audit.values import ClaimKind, ClaimRecord, SideRecord, Status
from bot import wording
from bot.answering.citations.layout import (
    Page,
    cited_by_line,
    has_lines,
    marked,
    marks,
    numbered,
    page_of,
)
from bot.answering.citations.links import AGAINST, HOLDS, UNLINKED, CitedLinks
from bot.answering.contradictions import giving_way
from bot.answering.outcome import Outcome, reviewed
from bot.answering.quoting import Nearness
from bot.wording.library import ALONE, IN_CHANNEL, held_on
from bot.wording.untrusted_text import in_one_line, uncalled
from retrieval.types import Evidence, Hit, Passage

MOST_CLOSEST = 3


def reply_text(outcome: Outcome, links: CitedLinks = UNLINKED) -> str:
    """The reply as plain text; a renderer lays the same outcome out for its door.

    `links`: where pages show what came nearest and what disagrees, if that is to be said.
    """
    verdict = outcome.verdict
    if verdict.decision is Decision.ABSTAIN:
        lines = [_abstention(outcome, links)]
    else:
        lines = _answer(outcome) + disagreements(outcome, links)
    if verdict.decision is not Decision.ANSWER:
        lines.append(wording.ask_whom(outcome.owners))
    lines[:0] = [reviewed(verdict.reasons, outcome.claims), when_it_holds(outcome)]
    return "\n".join(map(uncalled, (*filter(None, lines), *outcome.degraded)))


def listing_text(outcome: Outcome) -> str:
    """What a search alone says: each passage with its place, best first."""
    found = [
        f"n{number}. {_quoted(each, alone=outcome.question.channel is None)[2:]}"
        for number, each in enumerate(outcome.quoted, start=1)
    ]
    why = wording.why_not(came_close=False, drafted=False, borne_out=False)
    return "\n".join(map(uncalled, (*(found or [why]), *outcome.degraded)))


def when_it_holds(outcome: Outcome) -> str:
    """Said first where a day ahead was asked about, and it matters; else empty."""
    ahead = outcome.upcoming
    if outcome.is_as_of and any(each.kind is ClaimKind.LISTED for each in outcome.verdict.claims):
        return held_on(outcome.evidence.scope.on)
    if outcome.is_as_of:
        return wording.as_of(outcome.evidence.scope.on, ahead.valid_from if ahead else None)
    return wording.upcoming(ahead.day, ahead.valid_from) if ahead else ""


def _answer(outcome: Outcome) -> list[str]:
    verdict = outcome.verdict
    return _sentences(outcome.claims) + wording.caveats(
        verdict.badge,
        answered=[in_one_line(each) for each in verdict.answered],
        missing=[in_one_line(each) for each in verdict.missing],
        unsure=[in_one_line(each) for each in outcome.unsure],
        reasons=verdict.reasons,
    )


def _abstention(outcome: Outcome, links: CitedLinks) -> str:
    verdict, alone = outcome.verdict, outcome.question.channel is None
    why = wording.why_not(
        came_close=bool(outcome.nearest),
        drafted=bool(verdict.dropped),
        borne_out=any(claim.status is Status.VERIFIED for claim in verdict.dropped),
        prevailing=[each.prevails for each in verdict.contradictions],
        expired=[_until(passage) for passage in outcome.expired],
        owners=outcome.owners,
        readers=ALONE if alone else IN_CHANNEL,
        in_english=outcome.understood.in_english,
        reasons=verdict.reasons,
    )
    sides = {
        side.citation.passage_id
        for each in outcome.contradictions
        for side in (each.holds, each.against)
    }
    quoted = [
        _opening(_quoted(each, alone=alone), links.of_nearest(number))
        for number, each in enumerate(outcome.quoted)
        if each.passage_id not in sides
    ]
    return wording.abstention(why, [*disagreements(outcome, links), *quoted])


def _opening(line: str, at: str) -> str:
    return f"{line}\n    {at}" if at else line


def _quoted(nearest: NearestRecord, *, alone: bool) -> str:
    named = wording.quotation_source(
        in_one_line(nearest.title), nearest.place.in_words(nearest.file)
    )
    if nearest.overridden:
        named = f"{named}; {wording.overridden(alone=alone)}"
    return f"- “{in_one_line(nearest.text)}” ({named})"


def _until(passage: Passage) -> str:
    document = passage.document
    return wording.expired(document.title, document.metadata.access.valid_to)


def disagreements(outcome: Outcome, links: CitedLinks = UNLINKED) -> list[str]:
    """Under an answer what gives way to it, once a document; else both sources of each pair."""
    found, alone = outcome.contradictions, outcome.question.channel is None
    if outcome.decision is not Decision.ABSTAIN:
        return [
            line
            for why, some in giving_way(found)
            for line in (
                wording.otherwise(why, alone=alone),
                *(_side(each.against, links.of_side(found.index(each), AGAINST)) for each in some),
            )
        ]
    return [
        line
        for number, each in enumerate(found)
        for line in (
            wording.disagreement(each.differs),
            _side(each.holds, links.of_side(number, HOLDS)),
            _side(each.against, links.of_side(number, AGAINST)),
            wording.which_holds(each.prevails, alone=alone),
        )
    ]


def _side(side: SideRecord, at: str) -> str:
    standing = wording.source_line(side.citation.title, side.level, side.effective)
    return _opening(f"- “{in_one_line(side.text or side.citation.quote)}” ({standing})", at)


def _sentences(claims: Sequence[ClaimRecord]) -> list[str]:
    numbers = numbered(page_of(each) for claim in claims for each in claim.citations)
    lines = []
    for kind, some in groupby(claims, key=lambda claim: claim.kind):
        if kind is ClaimKind.INFERENCE:
            lines.append(f"{wording.CONCLUDED}:")
        for claim in some:
            lines += _lines(claim, numbers, alone=len(claims) == 1)
            lines.append(wording.because(claim.reasoning))
    return lines


def _lines(claim: ClaimRecord, numbers: Mapping[Page, int], *, alone: bool) -> list[str]:
    mark = wording.UNSUPPORTED_MARK if claim.status is Status.UNSUPPORTED else ""
    cited = [numbers[page_of(each)] for each in claim.citations]
    if not has_lines(claim, alone=alone):
        return [f"{mark}{claim.text} {marks(cited)}".strip()]
    by_line = cited_by_line(claim.lines, cited)
    return [
        f"{'    ' * line.depth}{marked(line)} {marks(some)}"
        for line, some in zip(claim.lines, by_line, strict=True)
    ]


def closest_passages(
    evidence: Evidence, is_near: Nearness, missing: Sequence[str]
) -> tuple[Passage, ...]:
    """What came closest, one passage a document: all of it readable for the asker.

    Of a question of several parts, what came closest to each that is `missing`, in its own words.
    A passage that is not `is_near` is about something else: to name it, and the unit that owns it,
    would send people to the wrong office.
    """
    closest: dict[str, Passage] = {}
    for hit in _nearest_hits(evidence, missing):
        if is_near(hit):
            closest.setdefault(hit.passage.document.document_id, hit.passage)
    return tuple(closest.values())[:MOST_CLOSEST]


def _nearest_hits(evidence: Evidence, missing: Sequence[str]) -> Sequence[Hit]:
    if len(evidence.parts) == 1:
        return evidence.candidates
    left = [part for part in evidence.parts if part.in_own_words in missing]
    return [part.best for part in left if part.best]
