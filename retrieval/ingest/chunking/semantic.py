"""Cutting a section where its neighbouring sentences are least alike, as a small model sees it.

After the published university system, which cuts so with all-MiniLM-L6-v2; where exactly it did not
say. The breakpoints are those of LangChain's `SemanticChunker`: where the cosine distance of two
neighbouring sentences is over the 95th percentile of all in the document. A heading is a boundary
that needs no model, and models read only so much, so what is too long is cut at its weakest link.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.ingest.chunking.paragraphs import MOST_WORDS
from retrieval.ingest.chunking.port import CHUNKING, Piece
from retrieval.ingest.chunking.sequence import Placed, runs, sentences_of, sequence
from retrieval.language.anaphora import is_anaphoric
from retrieval.ports import Embedder
from retrieval.types import Fragment

BREAKPOINT_PERCENTILE = 95.0
"""Of the distances between neighbouring sentences of a document."""
_HELD = -1.0
"""In place of a distance, 0 to 2: less than any."""


@dataclass(frozen=True, slots=True)
class Semantic:
    """It implements `Chunking`."""

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
        """Of each sentence to the one before it in its section; held where they belong together.

        An item belongs to its list and what leads to it, and a sentence to what it leans on.
        """
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
