"""What stands behind a reply: its claims with their quotes and pictures of these, and its numbers.

The numbers are folded away behind a button, and shown as far as the one who looks may read what
they are of today. `detail`: how much of each is shown, see `elements.fitting`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TypeVar

from audit.record import AuditRecord, Candidate, Confidence, Decision, TokenUsage
from audit.values import CitationRecord, ClaimKind, ClaimRecord
from bot.access.reading import RecordView, is_private
from bot.answering.citations.layout import in_one_text, place_in_words
from bot.answering.citations.links import opens_at
from bot.answering.in_words import certainty, preferences, shown_as, standing_at
from bot.slack.blocks.elements import (
    MODAL,
    Block,
    Element,
    RichPiece,
    View,
    actions,
    button,
    ends,
    fitting,
    header,
    image,
    in_line,
    labelled,
    line,
    link,
    modal,
    note,
    quotation,
    rich,
    section,
    text_room,
    trimmed,
    words,
)
from bot.slack.blocks.reply import nearest_parts, overridden, understood, why_not
from bot.slack.blocks.sentences import Sentences
from bot.slack.blocks.sources import (
    beside,
    contradiction_parts,
    kind_in_words,
    web_link,
)
from bot.wording import ALSO_IN, BECAUSE, UNDERSTOOD
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
    return several_groups(title, items, most, lambda item: [block(item)])


def several_groups(
    title: str, items: Sequence[Item], most: int, blocks: Callable[[Item], Sequence[Block]]
) -> list[Block]:
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
    """Give mark, title, place, quote, and `scored` the verdict; `above` as of a claim."""
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


MOST_PICTURES = 4
MOST_PREFERRED = 5
_ALT, _TITLE = 1_900, 400
"""Bytes; Slack takes 2,000 characters of each."""
PlaceKey = tuple[str, str, str]
"""A document, its version, and the quote: what is drawn once."""
Pictures = Mapping[PlaceKey, str]
"""Ids of uploaded files."""


def place_key(citation: CitationRecord) -> PlaceKey:
    return citation.document_id, citation.version, citation.quote


def to_be_pictured(view: RecordView) -> list[CitationRecord]:
    """Return the first places that the modal quotes for this person, each once."""
    places: dict[PlaceKey, CitationRecord] = {}
    for claim in view.record.claims:
        shown = claim.citations if view.may_show(claim) else view.readable(claim)
        for citation in shown[:MOST_CITATIONS]:
            if citation.quote.strip():
                places.setdefault(place_key(citation), citation)
    return list(places.values())[:MOST_PICTURES]


def pictures_of(citations: Sequence[CitationRecord], pictures: dict[PlaceKey, str]) -> list[Block]:
    """Make a block of each picture there is, once in a modal; its alternative text is the quote."""
    blocks = []
    for citation in citations[:MOST_CITATIONS]:
        if file_id := pictures.pop(place_key(citation), ""):
            title = citation.title if citation.title.strip() else citation.file
            where = in_line(place_in_words(citation.place, title, citation.references), _TITLE)
            blocks.append(image(file_id, in_line(citation.quote, _ALT), where))
    return blocks


@dataclass(frozen=True, slots=True)
class NumbersButton:
    """It travels in the button for the numbers: a click in a modal tells of no channel."""

    audit_id: str
    audience: str | None

    def packed(self) -> str:
        return json.dumps([self.audit_id, self.audience])

    @classmethod
    def unpacked(cls, value: str) -> "NumbersButton":
        audit_id, audience = json.loads(value)
        return cls(audit_id, audience)


NO_PICTURES: Pictures = MappingProxyType({})


def evidence(
    record: AuditRecord,
    withheld: frozenset[str],
    audience: str | None = None,
    pictures: Pictures = NO_PICTURES,
    *,
    pictures_left_out: bool = False,
    receipt: str = "",
) -> View:
    """Make a modal; `withheld`: ids of documents, `pictures`: of the places that it quotes.

    `pictures_left_out`: none will be added, though there might be some. `receipt`: where that of a
    reply is which cites no page of ours.
    """
    view, behind = RecordView(record, withheld), NumbersButton(record.audit_id, audience)
    lacking = pictures_left_out and bool(to_be_pictured(view))
    footer = replies.audit_footer(record.audit_id, receipt)
    return fitting(partial(_view, view, behind, pictures, lacking, footer), MODAL)


def _view(
    view: RecordView,
    behind: NumbersButton,
    pictures: Pictures,
    lacking: bool,
    footer: str,
    detail: int,
) -> View:
    record = view.record
    told = {""}  # each sentence stands once
    meant = understood(record)
    heard = [labelled(UNDERSTOOD, in_line(meant, 500))] if meant else []
    differs = [each for each in record.contradictions if view.may_compare(each)]
    hidden = len(view.hidden)
    blocks = [
        section(replies.headline_sure(shown_as(record), record.confidence.overall)),
        rich(quotation(trimmed(record.question, 600)), *heard),
        *_said(view, pictures, told, detail),
        *_nearest(view, detail),
        *([note(wording.PICTURES_LEFT_OUT)] if lacking else []),
        *_why(view),
        *_preferred(view),
        *([rich(*contradiction_parts(differs))] if differs else []),
        *([rich(line(words(wording.withheld(hidden), italic=True)))] if hidden else []),
        *_dropped(view, told, detail),
        actions(button(wording.NUMBERS, "numbers", behind.packed())),
        note(footer),
    ]
    return modal(wording.TITLE, "evidence", "", blocks, close=replies.CLOSE)


def _said(view: RecordView, pictures: Pictures, above: set[str], detail: int) -> list[Block]:
    """Show the claims; of one that may not be shown, those of its sources that may."""
    mark_of, left = Sentences.of(view.record).mark_of, dict(pictures)

    def blocks(claim: ClaimRecord) -> list[Block]:
        if view.may_show(claim):
            reasoned = view.all_readable
            said = claim_block(claim, mark_of, detail, reasoned=reasoned, scored=False, above=above)
            return [said, *pictures_of(claim.citations, left)]
        readable = view.readable(claim)
        said = rich(*citation_parts(readable, mark_of, detail, scored=False, above=above))
        return [said, *pictures_of(readable, left)]

    claims = [each for each in view.record.claims if view.may_show(each) or view.readable(each)]
    return several_groups(wording.SAID, claims, detail, blocks)


def _nearest(view: RecordView, detail: int) -> list[Block]:
    """Quote what came near, as far as it may be read; what is withheld is told to hold nowhere."""
    record = view.record
    withheld = {each.document_id for each in record.nearest} & view.withheld

    def quoted(number: int) -> Block:
        over = "" if withheld else overridden(record, number)
        return rich(*nearest_parts(record.nearest[number], detail, over=over))

    near = [n for n, each in enumerate(record.nearest) if each.document_id not in withheld]
    return several(wording.CLOSEST, near, detail, quoted)


def _why(view: RecordView) -> list[Block]:
    """Said where nothing is withheld, for it may hint at that."""
    if not view.all_readable:
        return []
    record = view.record
    abstained = record.decision is Decision.ABSTAIN
    said = why_not(record) if abstained else certainty(record)
    return [header(wording.WHY_SO), rich(line(words(said)))] if said else []


def _preferred(view: RecordView) -> list[Block]:
    said = preferences(view, alone=is_private(view.record.channel.id))[:MOST_PREFERRED]
    return [rich(*(line(words(each)) for each in said))] if said else []


def _dropped(view: RecordView, above: set[str], detail: int) -> list[Block]:
    """Show what was dropped, but for copies of what is quoted as near."""
    quoted = [each.text for each in view.record.nearest]
    dropped = [
        each
        for each in view.record.dropped
        if not (each.copied and any(each.text in text for text in quoted))
    ]
    if dropped and not view.all_readable:
        return [header(wording.DROPPED), rich(line(words(wording.DROPPED_WITHHELD, italic=True)))]
    block = partial(claim_block, mark_of=lambda _: "", detail=detail, scored=False, above=above)
    return several(wording.DROPPED, dropped, detail, block)


MOST_USED = 10
MOST_OTHERS = 5


def numbers(record: AuditRecord, passages: Mapping[str, str], withheld: frozenset[str]) -> View:
    return fitting(partial(_numbers_view, RecordView(record, withheld), passages), MODAL)


def _numbers_view(view: RecordView, passages: Mapping[str, str], detail: int) -> View:
    record = view.record

    def read(candidate: Candidate) -> Block:
        text = passages.get(candidate.passage_id, wording.NO_LONGER_THERE)
        return candidate_block(candidate, view.title(candidate), text, detail)

    # What was dropped may be copied from anything that was read.
    judged = [*record.claims, *(record.dropped if view.all_readable else ())]
    claims = [claim for claim in judged if view.may_show(claim)]
    # Why it was decided so may hint at what is withheld.
    said = "; ".join(record.reasons) if view.all_readable else ""
    reasons = [line(words(in_line(said, 300)))] if said else []
    blocks = [
        rich(*reasons, *confidences(record.confidence), *_hypothetical(record)),
        *several(wording.CLAIMS, claims, detail, partial(scored_block, detail=detail)),
        *several(wording.READ, view.candidates(used=True), MOST_USED, read),
        *several(wording.OTHERS, view.candidates(used=False)[:MOST_OTHERS], MOST_OTHERS, read),
        note(replies.audit_footer(record.audit_id)),
    ]
    return modal(wording.NUMBERS, "numbers", "", blocks, close=replies.CLOSE)


def _hypothetical(record: AuditRecord) -> list[RichPiece]:
    """Show what is no document's: a language model made it up from the question, at some cost."""
    parts = []
    if record.imagined_passage.strip():
        passage = in_line(record.imagined_passage, 600)
        parts.append(labelled(wording.FACTS["hypothetical"], passage))
    if "imagine" in record.latency_ms:
        tokens = record.tokens_by_stage.get("imagine", TokenUsage()).model_dump()
        cost = wording.hypothetical_cost(record.latency_ms["imagine"], tokens)
        parts.append(labelled(wording.HYPOTHETICAL, cost))
    return parts
