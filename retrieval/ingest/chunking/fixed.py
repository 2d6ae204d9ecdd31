"""Cutting a document at a fixed length, blind to its headings and paragraphs: the baseline.

Published pipelines cut at tokens, within sentences too. Here a passage ends with the last whole
sentence that fits, and the next one begins with the last whole sentences that fit the overlap:
what a reply copies is a sentence, and a piece of one may say the opposite of it. So passages are
by half a sentence shorter on average than the published ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from retrieval.errors import shortened
from retrieval.ingest.chunking.port import CHUNKING, Piece
from retrieval.ingest.chunking.sequence import runs, sentences_of, sequence
from retrieval.parsing.limits import LONGEST_HEADING
from retrieval.types import Fragment

TOKENS = 512
"""Of a passage, as the published baselines have it ("Index-RAG", 2026)."""
OVERLAP = 64
"""Likewise, tokens that stand in two passages."""


class WordPieces(Protocol):
    """A tokenizer, as far as lengths need it."""

    @property
    def name(self) -> str:
        """Identifies it; documents are cut anew where it changes."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many word pieces each text has, in their order; none for no texts."""
        ...


@dataclass(frozen=True, slots=True)
class Fixed:
    """It implements `Chunking`. Lengths are of sentences; a passage's heading comes on top."""

    pieces: WordPieces
    tokens: int = TOKENS
    """Word pieces of a passage at most, unless one sentence has more."""
    overlap: int = OVERLAP
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
        """Where the next window begins: as far back as overlap and the next sentence allow.

        That sentence did not fit behind all of this window, so the next one begins later.
        """
        room = min(self.overlap, self.tokens - lengths[end])
        while end > start and lengths[end - 1] <= room:
            room -= lengths[end - 1]
            end -= 1
        return end


def headings_of(sections: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings above sentences of several sections, as one path.

    What they have in common, and then each of them by itself: `("Pay", "Overtime / Leave")`.
    """
    apart = list(dict.fromkeys(sections))
    if len(apart) == 1:
        return apart[0]
    depth = 0
    shortest = min(len(path) for path in apart)
    while depth < shortest - 1 and len({path[depth] for path in apart}) == 1:
        depth += 1
    below = " / ".join(" - ".join(path[depth:]) for path in apart if path)
    return (*apart[-1][:depth], shortened(below, LONGEST_HEADING))
