"""A claim is a copy if it is whole sentences that it cites, one after another, and nothing else."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from audit.values import ClaimLine
from bot.answering.anchors import defused
from bot.answering.exact.near_copies import NEAR_COPY, align, content, marks
from bot.answering.surroundings import (
    IN_PASSAGE_BEFORE,
    example_of,
    excepts,
    restricting_lead,
    says_it_is_over,
    taken_back_by,
)
from bot.answering.values import Citation
from retrieval.language.questions import MOST_BEFORE, is_anaphoric
from retrieval.types import Passage

SentenceAt = tuple[Passage, int]
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_HOW_TO = re.compile(
    r"(?:follow (?:these|the(?: following)?) (?:steps|instructions)|take these steps"
    r"|do the following)\b(?!.*\b(?:only|unless|but not|never)\b)",
    re.IGNORECASE,
)
"""It says when steps are for somebody; each of them is what it is all the same."""
_PIECE = re.compile(
    r"(?<=[.!?;:]) |,? (?:and|but|so|while) (?=(?:it|they|this|these|those|he|she|its|their)\b)"
)
RETOLD_SHARE = 0.5
"""Share, 0 to 1, of an exception's content words over which a claim tells it in other words. Not
measured; chosen so that most of them must be there."""


def copied(claim: str, cited: Sequence[SentenceAt]) -> tuple[SentenceAt, ...]:
    """The cited sentences that the claim puts together, in its order; empty where it is no copy."""
    whole = _folded(claim)
    sentences = [(place, _folded(place[0].sentences[place[1]].text)) for place in cited]
    reached: dict[int, tuple[SentenceAt, ...]] = {0: ()}
    for at in range(len(whole)):
        for place, text in sentences if at in reached else ():
            if not text or place in reached[at]:
                continue
            if whole[at:].removesuffix(".") == text.removesuffix("."):
                return (*reached[at], place)
            if whole.startswith(f"{text} ", at):
                reached.setdefault(at + len(text) + 1, (*reached[at], place))
    return ()


def left_out(claim: str, places: Sequence[SentenceAt], before: str = "") -> tuple[str, ...]:
    """What stands beside the places and makes another thing of them, which the claim leaves out.

    Such as a heading that takes it back; or what a pronoun stands for there, where it stands for
    something else in the claim, or for what was said `before` it.
    """
    known = set(places)
    beside = [each for place in places for each in _decisive(*place) if each not in known]
    texts = [text for each in beside if not _said(text := _lead_text(*each), claim)]
    over = [] if says_it_is_over(claim) else [taken_back_by(*each) for each in places]
    return tuple(dict.fromkeys((*texts, *filter(None, over), *_stood_for(claim, places, before))))


def _stood_for(claim: str, places: Sequence[SentenceAt], before: str) -> Iterable[str]:
    """What pronouns stand for in their sources, and not in the claim."""
    told, last = before, before
    source: SentenceAt | None = None
    for piece in _PIECE.split(claim):
        place = _nearest(piece, places)
        pronoun = is_anaphoric(piece[:1].upper() + piece[1:])
        if pronoun and told and place and place != source and not _leans_on(place, source):
            leads, words = _leads(place, source, places), content(told)
            unsaid = len(words & content(" ".join(leads))) < RETOLD_SHARE * len(words)
            if leads and (unsaid or source in places):
                yield leads[0]
        told, source, last = f"{last} {piece}" if pronoun else piece, place, piece


def _leans_on(place: SentenceAt, other: SentenceAt | None) -> bool:
    """Whether the other one stands right before it, or with one sentence between."""
    if other is None:
        return False
    (passage, index), (before, at) = place, other
    if before.passage_id == passage.passage_id:
        return index - MOST_BEFORE <= at < index
    neighbours = before.document == passage.document and before.ordinal == passage.ordinal - 1
    return neighbours and index == 0


def _nearest(piece: str, places: Sequence[SentenceAt]) -> SentenceAt | None:
    texts = [passage.sentences[index].text for passage, index in places]
    nearest = align(piece, texts)
    if piece in texts:
        return places[texts.index(piece)]
    if nearest is None or nearest.alike < NEAR_COPY:
        return None
    return places[texts.index(nearest.sentence)]


def _leads(place: SentenceAt, source: SentenceAt | None, places: Sequence[SentenceAt]) -> list[str]:
    """What a sentence speaks of that is told with a pronoun; itself, where it says so itself."""
    passage, index = place
    text = passage.sentences[index].text
    if not is_anaphoric(text):
        return [text] if source and source[0].passage_id != passage.passage_id else []
    above = [each.text for each in passage.sentences[max(index - MOST_BEFORE, 0) : index]]
    in_passage_before = [
        other.sentences[at].text
        for other, at in places
        if not above and other.document == passage.document and other.ordinal == passage.ordinal - 1
    ]
    return [*reversed(above), *in_passage_before, passage.heading]


def _decisive(passage: Passage, index: int) -> Iterable[SentenceAt]:
    lead = restricting_lead(passage, index)
    if lead is not None and not _HOW_TO.match(_lead_text(passage, lead)):
        yield passage, lead
    if excepts(passage, index + 1) and not excepts(passage, index):
        yield passage, index + 1
    example = example_of(passage, index)
    if example not in (None, index):
        yield passage, example


def _lead_text(passage: Passage, index: int) -> str:
    sentence = passage.sentences[max(index, 0)]
    return sentence.list_lead if index == IN_PASSAGE_BEFORE else sentence.text


def _said(text: str, claim: str) -> bool:
    """Whether the claim has most of its words: an exception that is told in other words."""
    words = content(text)
    shared = len(words & content(claim))
    alike = marks(text) == marks(claim) and bool(marks(text))
    return shared >= RETOLD_SHARE * len(words) if alike else shared > RETOLD_SHARE * len(words)


def _folded(text: str) -> str:
    """As a writer was shown it, in one line; it need not keep the shape of quotation marks."""
    return defused(" ".join(text.split())).translate(_PLAIN)


def lines_of(copied: Sequence[SentenceAt], citations: Sequence[Citation]) -> tuple[ClaimLine, ...]:
    """A line for each item or line of a listing, and for what stands around them."""
    lines: list[ClaimLine] = []
    own = [passage.sentences[index].is_item for passage, index in copied]
    for number, place in enumerate(copied):
        line = _line(place, citations)
        before = lines[-1] if lines and not (own[number - 1] or own[number]) else None
        if before and before.citation == line.citation:
            lines[-1] = replace(before, text=f"{before.text} {line.text}")
        else:
            lines.append(line)
    numbered = any(each.number is not None for each in lines)
    least = min((each.depth for each in lines if each.in_list), default=0)
    nearer = (replace(each, depth=max(0, each.depth - least)) for each in lines)
    return tuple(nearer) if numbered or (any(own) and len(lines) > 1) else ()


def _line(place: SentenceAt, citations: Sequence[Citation]) -> ClaimLine:
    passage, index = place
    sentence = passage.sentences[index]
    within = (
        number
        for number, each in enumerate(citations)
        if each.passage.passage_id == passage.passage_id and each.first <= index <= each.last
    )
    number, in_list = sentence.item_number, sentence.in_list
    return ClaimLine(sentence.text, number, in_list, next(within), sentence.depth)
