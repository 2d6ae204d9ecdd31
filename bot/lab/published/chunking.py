"""Chunking of published systems: at a fixed length, and where sentences are least alike.

Published pipelines cut at tokens, within sentences too. Here a passage ends with the last whole
sentence that fits, and the next one begins with the last whole sentences that fit the overlap: what
a reply copies is a sentence, and a piece of one may say the opposite of it.

Semantic chunking is after the published university system, which cuts so with all-MiniLM-L6-v2;
where exactly it did not say. The breakpoints are those of LangChain's `SemanticChunker`: where the
cosine distance of two neighbouring sentences is over the 95th percentile of all in the document. A
heading is a boundary that needs no model, and models read only so much, so what is too long is cut
at its weakest link.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from retrieval.errors import shortened
from retrieval.ingest.chunking import (
    CHUNKING,
    MOST_WORDS,
    LeadIns,
    Piece,
    ended,
    has_items,
    of_kind,
)
from retrieval.language.questions import is_anaphoric
from retrieval.models.bundled_model import BUNDLED, TOKENIZER, read_manifest
from retrieval.parsing.limits import LONGEST_HEADING
from retrieval.ports import Embedder
from retrieval.types import Fragment, Sentence

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class Placed:
    """A sentence stands in a fragment, and so under headings and perhaps in a list."""

    sentence: Sentence
    fragment: int
    """Its number among the document's, from 0."""
    section: tuple[str, ...]
    lead: str
    """The lines of its section that lead to it, if it is of a list."""


def sequence(fragments: Sequence[Fragment]) -> list[Placed]:
    found: list[Placed] = []
    leads = LeadIns()
    for number, fragment in enumerate(fragments):
        if found and fragment.section_path != found[-1].section:
            leads = LeadIns()
        for sentence in fragment.sentences:
            placed = of_kind(sentence, fragment.kind)
            found.append(Placed(placed, number, fragment.section_path, leads.to(placed)))
            leads = leads.after(placed)
    return found


def runs(placed: Sequence[Placed], *, of_one_section: bool) -> Iterator[range]:
    """The longest ranges of sentences on one page, and under one heading if that is asked."""
    start = 0
    for at in range(1, len(placed) + 1):
        if at < len(placed):
            before, here = placed[at - 1], placed[at]
            same_page = before.sentence.page == here.sentence.page
            if same_page and (before.section == here.section or not of_one_section):
                continue
        yield range(start, at)
        start = at


def sentences_of(
    placed: Sequence[Placed], run: range, fragments: Sequence[Fragment]
) -> list[Sentence]:
    """The sentences of one passage, which tell what of a list is not in it."""
    found = [each.sentence for each in placed[run.start : run.stop]]
    first = placed[run.start]
    if first.sentence.in_list:
        found[0] = replace(found[0], list_lead=first.lead)
    if run.stop == len(placed):
        return found
    following, last = placed[run.stop], placed[run.stop - 1]
    below = fragments[following.fragment : following.fragment + 2]
    return ended(found, following.section == last.section and has_items(below))


class WordPieces(Protocol):
    @property
    def name(self) -> str:
        """Identifies it; documents are cut anew where it changes."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]: ...


_DIGITS = 8
"""Of a hash, enough to tell two tokenizers apart."""


class BundledWordPieces:
    """The bundled embedder's tokenizer, without its network; it loads at its first use."""

    _folder = BUNDLED / "embedder"

    @property
    def name(self) -> str:
        """Other weights with the same vocabulary cut nothing in another way."""
        return f"word pieces ({read_manifest(self._folder).files[TOKENIZER][:_DIGITS]})"

    def count(self, texts: Sequence[str]) -> list[int]:
        """Of whole texts, however many of their word pieces a model reads."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [len(encoding.ids) for encoding in encodings]

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / TOKENIZER))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer


@dataclass(frozen=True, slots=True)
class Fixed:
    """It implements `Chunking`. Lengths are of sentences; a passage's heading comes on top."""

    pieces: WordPieces
    tokens: int
    """Word pieces of a passage at most, unless one sentence has more."""
    overlap: int
    """Word pieces at most that a passage repeats of the one before it, fewer than `tokens`."""

    @property
    def name(self) -> str:
        return f"{CHUNKING} fixed {(self.tokens, self.overlap)} {self.pieces.name}"

    def __call__(self, fragments: Sequence[Fragment]) -> Iterator[Piece]:
        placed = sequence(fragments)
        lengths = self.pieces.count([each.sentence.text for each in placed])
        for page in runs(placed, of_one_section=False):
            for window in self._windows(lengths, page):
                sections = [each.section for each in placed[window.start : window.stop]]
                yield headings_of(sections), sentences_of(placed, window, fragments)

    def _windows(self, lengths: Sequence[int], page: range) -> Iterator[range]:
        start = page.start
        while True:
            end = self._end(lengths, start, page.stop)
            yield range(start, end)
            if end == page.stop:
                return
            start = self._repeated_from(lengths, start, end)

    def _end(self, lengths: Sequence[int], start: int, stop: int) -> int:
        """Before the first sentence that does not fit; after one sentence at least."""
        total, end = lengths[start], start + 1
        while end < stop and total + lengths[end] <= self.tokens:
            total += lengths[end]
            end += 1
        return end

    def _repeated_from(self, lengths: Sequence[int], start: int, end: int) -> int:
        """Where the next window begins: as far back as overlap and the next sentence allow."""
        room = min(self.overlap, self.tokens - lengths[end])
        while end > start and lengths[end - 1] <= room:
            room -= lengths[end - 1]
            end -= 1
        return end


def headings_of(sections: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What headings have in common, then each: `("Pay", "Overtime / Leave")`."""
    apart = list(dict.fromkeys(sections))
    if len(apart) == 1:
        return apart[0]
    depth = 0
    shortest = min(len(path) for path in apart)
    while depth < shortest - 1 and len({path[depth] for path in apart}) == 1:
        depth += 1
    below = " / ".join(" - ".join(path[depth:]) for path in apart if path)
    return (*apart[-1][:depth], shortened(below, LONGEST_HEADING))


BREAKPOINT_PERCENTILE = 95.0
"""Of the distances between neighbouring sentences of a document."""
_HELD = -1.0
"""In place of a distance, 0 to 2: less than any."""


@dataclass(frozen=True, slots=True)
class Semantic:
    embedder: Embedder
    """One that runs here: it reads every sentence of every document."""
    most: int = MOST_WORDS
    """Words of a passage, unless one sentence has more."""

    @property
    def name(self) -> str:
        return f"{CHUNKING} semantic {self.most} {self.embedder.name}"

    def __call__(self, fragments: Sequence[Fragment]) -> Iterator[Piece]:
        placed = sequence(fragments)
        if not placed:
            return
        sections = list(runs(placed, of_one_section=True))
        distances = self._distances(placed, sections)
        measured = [each for each in distances if each != _HELD]
        limit = float(np.percentile(measured, BREAKPOINT_PERCENTILE)) if measured else 0.0
        words = [len(each.sentence.text.split()) for each in placed]
        for section in sections:
            for run in self._runs(section, words, distances, limit):
                yield placed[run.start].section, sentences_of(placed, run, fragments)

    def _distances(self, placed: Sequence[Placed], sections: Sequence[range]) -> list[float]:
        """Of each sentence to the one before it; held where a list or a reference binds them."""
        vectors = self.embedder.embed([each.sentence.text for each in placed])
        distances = [_HELD] * len(placed)
        for section in sections:
            for at in section[1:]:
                sentence = placed[at].sentence
                if not sentence.in_list and not is_anaphoric(sentence.text):
                    distances[at] = 1.0 - float(vectors[at] @ vectors[at - 1])
        return distances

    def _runs(
        self, section: range, words: Sequence[int], distances: Sequence[float], limit: float
    ) -> Iterator[range]:
        start = section.start
        for at in range(section.start + 1, section.stop + 1):
            if at == section.stop or distances[at] > limit:
                yield from self._short_enough(range(start, at), words, distances)
                start = at

    def _short_enough(
        self, run: range, words: Sequence[int], distances: Sequence[float]
    ) -> Iterator[range]:
        """The run, cut at its weakest links into parts that are half full, but for the last."""
        start, left = run.start, sum(words[run.start : run.stop])
        while left > self.most and run.stop - start > 1:
            cut = self._weakest_link(start, words, distances)
            yield range(start, cut)
            left -= sum(words[start:cut])
            start = cut
        yield range(start, run.stop)

    def _weakest_link(self, start: int, words: Sequence[int], distances: Sequence[float]) -> int:
        """Among what a passage can hold that begins with `start`, and more follows."""
        end, total = start + 1, words[start]
        half_full = [end] if 2 * total >= self.most else []
        while total + words[end] <= self.most:
            total += words[end]
            end += 1
            if 2 * total >= self.most:
                half_full.append(end)
        return max(half_full or [end], key=lambda at: (distances[at], at))
