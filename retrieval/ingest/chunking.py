"""Cutting a document at its paragraphs.

After Vadlapati, "Index-RAG" (2026): a passage is a paragraph, so that a citation names
what a person would point at. Short neighbours of one section are merged, because a
heading with one line beneath it says too little to be found; long ones are split at
sentences. List items and table rows are one sentence each, and so never split. No cut parts
a sentence from the one that it leans on.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.language.anaphora import MOST_BEFORE, is_anaphoric
from retrieval.parsing.limits import LONGEST_LEAD
from retrieval.types import Document, Fragment, FragmentKind, ParsedDocument, Passage, Sentence

CHUNKING = "4"
"""Changes whenever the same file would be cut in another way, so that it is cut anew."""
ENOUGH_WORDS = 60
"""A passage this long takes no further paragraph."""
MOST_WORDS = 160
"""With its heading about 256 word pieces: all that the bundled models read."""


def cut(document: Document, parsed: ParsedDocument) -> list[Passage]:
    """The document's passages in reading order."""
    seen: Counter[str] = Counter()
    passages: list[Passage] = []
    for section_path, sentences in _pieces(parsed.fragments):
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
    """A hash that a paragraph inserted above does not change.

    `number` tells equal contents under one heading apart.
    """
    return hashlib.sha256(f"{content}#{number}".encode()).hexdigest()[:24]


Piece = tuple[tuple[str, ...], list[Sentence]]


def _pieces(fragments: Sequence[Fragment]) -> Iterator[Piece]:
    """Runs of sentences under one heading, and for a PDF on one page."""
    current: list[Sentence] = []
    section: tuple[str, ...] = ()
    words = 0
    lead = ""
    for number, fragment in enumerate(fragments):
        in_list = fragment.kind is FragmentKind.LIST_ITEM
        goes_on = fragment.section_path == section and _has_items(fragments[number : number + 2])
        if fragment.section_path != section:
            lead = ""
        if current and (
            fragment.section_path != section
            or fragment.sentences[0].page != current[-1].page
            or _is_full(words, current[-1], fragment)
        ):
            yield section, _ended(current, goes_on)
            current, words = [], 0
        section = fragment.section_path
        for sentence in fragment.sentences:
            length = _words([sentence])
            if current and words + length > MOST_WORDS:
                leant_on = _leant_on(current, sentence)
                yield section, _ended(current[: len(current) - len(leant_on)], goes_on)
                current, words = leant_on, _words(leant_on)
            above = lead if in_list and not current else ""
            current.append(replace(sentence, in_list=in_list, list_lead=above))
            words += length
            lead = _latest(_leading(lead, current[-1]))
    if current:
        yield section, current


def _has_items(following: Sequence[Fragment]) -> bool:
    """Whether a list goes on with it: at once, or after one more paragraph of its last item."""
    first, *others = following
    if first.kind is FragmentKind.LIST_ITEM:
        return True
    more = first.kind is FragmentKind.PARAGRAPH and not first.sentences[-1].text.endswith(":")
    return more and any(
        other.kind is FragmentKind.LIST_ITEM and other.section_path == first.section_path
        for other in others
    )


def _ended(passage: list[Sentence], list_follows: bool) -> list[Sentence]:
    *others, last = passage
    goes_on = list_follows and any(sentence.in_list for sentence in passage)
    return [*others, replace(last, list_goes_on=goes_on)]


def _leading(lead: str, sentence: Sentence) -> str:
    """What leads to the next item: the line above it, and those that end in a colon.

    A line that opened a list holds until another one does: what stands between may be a
    further paragraph of an item.
    """
    if sentence.text.endswith(":"):
        return f"{lead} {sentence.text}".strip() if sentence.in_list else sentence.text
    if sentence.in_list:
        return lead
    return f"{lead[: lead.rfind(':') + 1]} {sentence.text}".strip()


def _latest(lead: str) -> str:
    """The last lines of what leads to a list, as far as every passage of it can carry them."""
    return lead if len(lead) <= LONGEST_LEAD else lead[-LONGEST_LEAD:].partition(" ")[2]


def _is_full(words: int, last: Sentence, following: Fragment) -> bool:
    """Whether a fragment starts a passage of its own; a list stays with what leads to it."""
    starts_anew = following.kind is FragmentKind.PARAGRAPH and not last.text.endswith(":")
    return starts_anew and words >= ENOUGH_WORDS and not is_anaphoric(following.sentences[0].text)


def _leant_on(passage: Sequence[Sentence], following: Sentence) -> list[Sentence]:
    """The last sentences of a full passage, which the next one takes along; most of it stays."""
    found: list[Sentence] = []
    for sentence in reversed(passage[-MOST_BEFORE:]):
        if sentence.in_list or not is_anaphoric((found or [following])[0].text):
            break
        found.insert(0, sentence)
    fits = _words([*found, following]) <= MOST_WORDS
    return found if fits and 2 * _words(found) < _words(passage) else []


def _words(sentences: Sequence[Sentence]) -> int:
    return sum(len(sentence.text.split()) for sentence in sentences)
