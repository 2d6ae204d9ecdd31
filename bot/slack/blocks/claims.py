"""Claims and candidates with all that is known of them, for the evidence and the audit.

`detail`: how much of each is shown, see `elements.fitting`.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TypeVar

from audit.record import Candidate, Confidence
from audit.values import CitationRecord, ClaimKind, ClaimRecord
from bot.answering.citations.layout import in_one_text, place_in_words
from bot.answering.citations.links import opens_at
from bot.answering.in_words import standing_at
from bot.slack.blocks.elements import (
    Block,
    Element,
    RichPiece,
    ends,
    header,
    in_line,
    line,
    link,
    quotation,
    rich,
    text_room,
    trimmed,
    words,
)
from bot.slack.blocks.sources import (
    beside,
    kind_in_words,
    web_link,
)
from bot.wording import ALSO_IN, BECAUSE
from bot.wording import evidence as wording
from bot.wording import slack as replies
from bot.wording.slack import percent

MOST_CITATIONS = 4
Item = TypeVar("Item")
MarkOf = Callable[[CitationRecord], str]
"""What marks a citation in the reply, such as `[1]`; empty where the reply does not have it."""
_RANK = "_rank"
"""Ends the name of what is a whole number."""


def several(
    title: str, items: Sequence[Item], most: int, block: Callable[[Item], Block]
) -> list[Block]:
    """Make a block for each of the first and the last; nothing where there are none."""
    return several_groups(title, items, most, lambda item: [block(item)])


def several_groups(
    title: str, items: Sequence[Item], most: int, blocks: Callable[[Item], Sequence[Block]]
) -> list[Block]:
    """Do the same where each has several blocks."""
    if not items:
        return []
    shown = ends(items, most)
    omission = [rich(line(words(wording.more(shown.omitted), italic=True)))]
    return [
        header(title),
        *chain.from_iterable(map(blocks, shown.first)),
        *(omission if shown.omitted else []),
        *chain.from_iterable(map(blocks, shown.last)),
    ]


def claim_block(
    claim: ClaimRecord,
    mark_of: MarkOf,
    detail: int,
    *,
    reasoned: bool = True,
    scored: bool = True,
    above: set[str] | None = None,
) -> Block:
    """Lay out a claim, its verdict, and every place with its quote; `mark_of`: as in the reply.

    `scored`: with the verdicts' names and scores, as an audit needs them; else in plain words.
    `above`: what stands above already and is not quoted again; this is added. None: all is quoted.
    """
    most = text_room(detail)
    said = [words(trimmed(in_one_text(claim), most), bold=True)]
    if claim.kind is ClaimKind.INFERENCE:
        said.insert(0, words(f"{wording.CONCLUDED}: ", italic=True))
    parts = [line(*said), line(words(_verdict(claim) if scored else _plainly(claim)))]
    if reasoned and claim.reasoning.strip():
        parts.append(line(words(f"{BECAUSE}: {in_line(claim.reasoning, most)}")))
    if reasoned and claim.objections:
        differs = in_line("; ".join(claim.objections), most)
        parts.append(line(words(f"{wording.DIFFERS}: {differs}")))
    if above is not None:
        above.add(_folded(claim.text))
        above |= {_folded(each.quote) for each in claim.citations if claim.copied and not each.also}
    return rich(
        *parts, *citation_parts(claim.citations, mark_of, detail, scored=scored, above=above)
    )


def scored_block(claim: ClaimRecord, detail: int) -> Block:
    """Give a claim's verdict and score without its quotes."""
    said = words(trimmed(claim.text, text_room(detail)), bold=True)
    return rich(line(said), line(words(_verdict(claim))))


def _verdict(claim: ClaimRecord) -> str:
    return _scored(wording.STATUSES[claim.status], claim.score)


def _plainly(claim: ClaimRecord) -> str:
    if claim.kind is ClaimKind.LISTED:
        return wording.LISTED
    return wording.COPIED if claim.copied else wording.IN_PLAIN_WORDS[claim.status]


def citation_parts(
    citations: Sequence[CitationRecord],
    mark_of: MarkOf,
    detail: int,
    *,
    scored: bool = True,
    above: set[str] | None = None,
) -> list[RichPiece]:
    """Give mark, title, place and quote of each; where they are `scored` the verdict as well.

    `above`: as of a claim.
    """
    parts: list[RichPiece] = []
    for each in citations[:MOST_CITATIONS]:
        parts.append(_source(each, mark_of(each), scored=scored))
        if _folded(each.quote) not in (above or {""}):
            parts.append(quotation(trimmed(each.quote, text_room(detail))))
        if above is not None:
            above.add(_folded(each.quote))
    if omitted := len(citations[MOST_CITATIONS:]):
        parts.append(line(words(wording.more(omitted), italic=True)))
    return parts


def candidate_block(candidate: Candidate, title: str, text: str = "", detail: int = 0) -> Block:
    place = candidate.place.in_words()
    where = f"{title}, {place}" if place else title
    scores = [
        f"{label} {format(value, '.0f' if name.endswith(_RANK) else '.3g')}"
        for name, label in wording.SCORES.items()
        if (value := getattr(candidate.scores, name, None)) is not None
    ]
    parts = [
        line(words(in_line(where, 400), bold=True)),
        line(words(" · ".join(scores) or wording.NOT_MEASURED)),
    ]
    if candidate.overridden_by:
        parts.append(line(words(wording.OVERRIDDEN, italic=True)))
    if text:
        parts.append(quotation(trimmed(text, text_room(detail))))
    return rich(*parts)


def confidences(sure: Confidence) -> list[RichPiece]:
    return [
        line(words(f"{label}: "), words(_share(name, getattr(sure, name)), bold=True))
        for name, label in wording.CONFIDENCES.items()
    ]


def _share(name: str, share: float | None) -> str:
    if share is None:
        return wording.NOT_MEASURED
    return percent(share) if name == "overall" else f"{min(max(share, 0), 1):.0%}"


def _source(citation: CitationRecord, mark: str, *, scored: bool) -> RichPiece:
    title = in_line(citation.title if citation.title.strip() else citation.file, 150)
    ours, own = opens_at(citation), web_link(citation)
    url = ours or own
    before = " ".join(filter(None, (mark, ALSO_IN if citation.also else "")))
    heading: list[Element] = [words(f"{before} ")] if before else []
    heading.append(link(url, title) if url else words(title))
    place = in_line(place_in_words(citation.place, cells=citation.references) or citation.file, 300)
    verdict = _scored(citation.status, citation.score) if scored else ""
    said = (place, kind_in_words(citation), verdict, standing_at(citation) if scored else "")
    known = "".join(f" · {each}" for each in said if each)
    itself = [words(" · "), link(own, replies.DOCUMENT_ITSELF)] if ours and own else []
    return line(*heading, words(f"{beside(url, title)}{known}"), *itself)


def _folded(text: str) -> str:
    return " ".join(text.split())


def _scored(verdict: str, score: float | None) -> str:
    return verdict if score is None else f"{verdict}, {wording.SCORE} {score:.2f}"
