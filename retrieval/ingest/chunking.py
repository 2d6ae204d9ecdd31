"""Cutting a document into passages: at its paragraphs, or another way behind the same port.

A passage is made of whole sentences: a piece of one may say the opposite of it. After Vadlapati,
"Index-RAG" (2026), it is a paragraph, so that a citation names what a person would point at. Short
neighbours of one section are merged; long ones are split at sentences. List items and table rows
are never split, but for a row with a cell of long prose; no cut parts a sentence from the one that
it leans on.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Protocol

from retrieval.language.questions import MOST_BEFORE, is_anaphoric
from retrieval.language.sentences import sentence_spans
from retrieval.parsing.limits import LONGEST_LEAD
from retrieval.types import (
    Cell,
    Document,
    Fragment,
    FragmentKind,
    ParsedDocument,
    Passage,
    Sentence,
)

CHUNKING = "6"
"""Changes whenever the same file would be cut in another way, so that it is cut anew."""
Piece = tuple[tuple[str, ...], Sequence[Sentence]]
"""The headings above it, outermost first, and at least one sentence; all of one page."""


class Chunking(Protocol):
    @property
    def name(self) -> str:
        """Of the way and all that it depends on; a document is cut anew where it changes."""
        ...

    def __call__(self, fragments: Sequence[Fragment], /) -> Iterator[Piece]:
        """Pieces in reading order, each sentence in at least one; none for no fragments.

        A sentence knows in its piece whether it is of a list, which goes on, or began before.
        """
        ...


def of_kind(sentence: Sentence, kind: FragmentKind) -> Sentence:
    return replace(
        sentence,
        in_list=kind is FragmentKind.LIST_ITEM,
        in_code=kind is FragmentKind.CODE,
    )


def has_items(following: Sequence[Fragment]) -> bool:
    """Whether a list goes on with it: at once, or after one more paragraph of its last item."""
    first, *others = following
    if first.kind is FragmentKind.LIST_ITEM:
        return True
    more = first.kind.is_prose and not first.sentences[-1].text.endswith(":")
    return more and any(
        other.kind is FragmentKind.LIST_ITEM and other.section_path == first.section_path
        for other in others
    )


def ended(passage: Sequence[Sentence], list_follows: bool) -> list[Sentence]:
    """The sentences of a passage, of which the last one says whether its list goes on."""
    *others, last = passage
    goes_on = list_follows and any(sentence.in_list for sentence in passage)
    return [*others, replace(last, list_goes_on=goes_on)]


_ENDS = (".", "!", "?", ";", ",")
MOST_LEAD_INS = 50
"""Lines that are remembered, so that a list of such lines costs no more with each of them."""


@dataclass(frozen=True, slots=True)
class LeadIns:
    """What leads to the next item: the line above its list, and those that end in a colon."""

    lines: tuple[tuple[str, int, bool], ...] = ()
    """Each with its depth, -1 for no item, and whether it leads to deeper items alone."""

    def to(self, item: Sentence) -> str:
        """The last of it, as far as every passage of the list can carry that."""
        lead = " ".join(text for text, _, _ in self._above(item))
        return lead if len(lead) <= LONGEST_LEAD else lead[-LONGEST_LEAD:].partition(" ")[2]

    def after(self, sentence: Sentence) -> "LeadIns":
        """A line that opened a list holds until another does, or items are less deep again."""
        opens = sentence.text.endswith(":")
        if sentence.in_list:
            is_lead = opens or not sentence.text.endswith(_ENDS)
            own = ((sentence.text, sentence.depth, not opens),) if is_lead else ()
            return LeadIns((*self._above(sentence), *own)[-MOST_LEAD_INS:])
        kept = () if opens else tuple(each for each in self.lines if each[0].endswith(":"))
        return LeadIns((*kept, (sentence.text, -1, False)))

    def _above(self, item: Sentence) -> tuple[tuple[str, int, bool], ...]:
        return tuple(
            (text, depth, item.depth > depth)
            for text, depth, is_open in self.lines
            if item.depth > depth or not is_open
        )


def begins_list_before(passage: Sequence[Sentence], sentence: Sentence, *, is_more: bool) -> bool:
    """Whether what leads to an item stands in a passage before: it is less deep than all here.

    `is_more`: the passage begins with more of an item that stands before.
    """
    held = [each for each in passage if each.in_list] if is_more else passage
    return sentence.in_list and all(each.in_list and each.depth > sentence.depth for each in held)


ENOUGH_WORDS = 60
"""A passage this long takes no further paragraph."""
MOST_WORDS = 160
"""With its heading about 256 word pieces: all that the bundled models read."""


@dataclass(frozen=True, slots=True)
class Paragraphs:
    enough: int = ENOUGH_WORDS
    """Words from which on a passage takes no further paragraph."""
    most: int = MOST_WORDS
    """Words of a passage, unless one sentence has more."""

    @property
    def name(self) -> str:
        """That of the default is what libraries know that were cut when there was no other."""
        bounds = (self.enough, self.most)
        return (
            CHUNKING if bounds == (ENOUGH_WORDS, MOST_WORDS) else f"{CHUNKING} paragraphs {bounds}"
        )

    def __call__(self, fragments: Sequence[Fragment]) -> Iterator[Piece]:
        """Runs of sentences under one heading, and for a PDF on one page."""
        current: list[Sentence] = []
        section: tuple[str, ...] = ()
        words = 0
        lead_ins, is_more, after_item = LeadIns(), False, False
        for number, fragment in enumerate(fragments):
            goes_on = fragment.section_path == section and has_items(fragments[number : number + 2])
            if fragment.section_path != section:
                lead_ins, after_item = LeadIns(), False
            if current and (
                fragment.section_path != section
                or fragment.sentences[0].page != current[-1].page
                or self._is_full(words, current[-1], fragment)
            ):
                yield section, ended(current, goes_on)
                current, words = [], 0
            section = fragment.section_path
            if not current:
                is_more = fragment.kind.is_prose and goes_on and after_item
            for sentence in chain.from_iterable(map(row_parts, fragment.sentences)):
                length = words_of([sentence])
                if current and words + length > self.most:
                    leant_on = self._leant_on(current, sentence)
                    yield section, ended(current[: len(current) - len(leant_on)], goes_on)
                    current, words = leant_on, words_of(leant_on)
                placed = of_kind(sentence, fragment.kind)
                begins = begins_list_before(current, placed, is_more=is_more)
                above = lead_ins.to(placed) if begins else ""
                current.append(replace(placed, list_lead=above))
                words += length
                lead_ins = lead_ins.after(placed)
            after_item = not fragment.kind.is_prose or (after_item and goes_on)
        if current:
            yield section, current

    def _is_full(self, words: int, last: Sentence, following: Fragment) -> bool:
        """Whether a fragment starts a passage of its own; a list stays with what leads to it."""
        starts_anew = following.kind.is_prose and not last.text.endswith(":")
        leans = is_anaphoric(following.sentences[0].text)
        return starts_anew and words >= self.enough and not leans

    def _leant_on(self, passage: Sequence[Sentence], following: Sentence) -> list[Sentence]:
        """The last sentences of a full passage, which the next takes along; most of it stays."""
        found: list[Sentence] = []
        for sentence in reversed(passage[-MOST_BEFORE:]):
            if sentence.in_list or not is_anaphoric((found or [following])[0].text):
                break
            found.insert(0, sentence)
        fits = words_of([*found, following]) <= self.most
        return found if fits and 2 * words_of(found) < words_of(passage) else []


ENOUGH_OF_A_CELL = 20
"""Words of a cell from which on its next sentence is another part. Not measured: two short
sentences, or a long one."""


def row_parts(row: Sentence) -> Iterator[Sentence]:
    """A row with a cell of long prose, as a row for some sentences of that cell each.

    Each has all other cells, which may say for whom it holds, and the place of the whole row. Any
    other sentence is itself, and a row whose other cells are long as well.
    """
    prose = max(row.cells, key=lambda cell: cell.end - cell.start, default=Cell(0, 0, ""))
    said = row.text[prose.start : prose.end]
    length = len(said.split())
    if length < 2 * ENOUGH_OF_A_CELL or words_of([row]) - length > ENOUGH_WORDS:
        yield row
        return
    for run in _runs(said):
        moved = len(run) - len(said)
        yield replace(
            row,
            text=f"{row.text[: prose.start]}{run}{row.text[prose.end :]}",
            cells=tuple(_moved(cell, prose, moved) for cell in row.cells),
        )


def _runs(said: str) -> Iterator[str]:
    """Of whole sentences, each of `ENOUGH_OF_A_CELL` words, with what leans on them."""
    start = last = 0
    for first, end in sentence_spans(said):
        enough = len(said[start:last].split()) >= ENOUGH_OF_A_CELL
        if enough and not is_anaphoric(said[first:end]):
            yield said[start:last]
            start = first
        last = end
    yield said[start:]


def _moved(cell: Cell, prose: Cell, by: int) -> Cell:
    """`prose` is so much longer now, and what stands behind it is moved."""
    if cell.start < prose.start:
        return cell
    start = cell.start if cell == prose else cell.start + by
    return replace(cell, start=start, end=cell.end + by)


PARAGRAPHS = Paragraphs()
"""As documents are cut where nobody says otherwise."""


def words_of(sentences: Sequence[Sentence]) -> int:
    return sum(len(sentence.text.split()) for sentence in sentences)


def cut(
    document: Document, parsed: ParsedDocument, chunking: Chunking = PARAGRAPHS
) -> list[Passage]:
    seen: Counter[str] = Counter()
    passages: list[Passage] = []
    for section_path, sentences in chunking(parsed.fragments):
        source = parsed.source[sentences[0].char_start : sentences[-1].char_end]
        content = json.dumps([document.document_id, section_path, source], ensure_ascii=False)
        passages.append(
            Passage(
                passage_id=_passage_id(content, seen[content]),
                document=document,
                ordinal=len(passages),
                section_path=section_path,
                sentences=tuple(sentences),
                source=source,
            )
        )
        seen[content] += 1
    return passages


def _passage_id(content: str, number: int) -> str:
    """A paragraph inserted above does not change it; `number` tells equal contents apart."""
    return hashlib.sha256(f"{content}#{number}".encode()).hexdigest()[:24]
