"""Where in a version's source the words stand that a record quotes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.record.claims import CellRecord
from audit.record.places import SourcePlace
from retrieval.documents.holdings import Parsed
from retrieval.types import Cell, Passage, Sentence


@dataclass(frozen=True, slots=True)
class CitedSpan:
    """A run of whole sentences, [start, end) in the source of a version."""

    start: int
    end: int
    cells: frozenset[tuple[int, str, str]] = frozenset()
    """Where a sentence begins, and column and value of a cell in it; empty for whole rows."""

    def covers(self, sentence: Sentence) -> bool:
        return self.start < sentence.char_end and sentence.char_start < self.end

    def covers_cell(self, sentence: Sentence, cell: Cell) -> bool:
        """Tell whether a cell is cited: by itself, or with all of a row of which none is."""
        if not self.covers(sentence):
            return False
        cited = [each for each in sentence.cells if _key(sentence, each) in self.cells]
        return not cited or cell in cited


NOWHERE = CitedSpan(0, 0)
"""It covers nothing."""


def _key(sentence: Sentence, cell: Cell) -> tuple[int, str, str]:
    return sentence.char_start, cell.name, sentence.text[cell.start : cell.end]


def cited_span(
    quote: str,
    place: SourcePlace,
    passage: Passage,
    parsed: Parsed,
    cells: Sequence[CellRecord] = (),
) -> CitedSpan | None:
    """Return where a quote of a passage stands; None where the source says something else there.

    The passage is sealed and the record is chained, the parsed text is neither: so what it says
    is held to the quote before anything of it is marked as cited.
    """
    found = list(_begins(quote, passage))
    at_place = [start for start, line in found if line == place.line_start]
    for start in (*at_place, *(start for start, _ in found)):
        end = start + len(quote)
        if parsed.source[start:end] == quote:
            return CitedSpan(start, end, _cells(cells, passage, start))
    return None


def _begins(quote: str, passage: Passage) -> Iterator[tuple[int, int | None]]:
    """Each run of whole sentences that reads as the quote: where it begins, and on which line."""
    if not quote:
        return
    offset = passage.sentences[0].char_start
    ends = {each.char_end for each in passage.sentences}
    for sentence in passage.sentences:
        start = sentence.char_start
        if start + len(quote) in ends and passage.source.startswith(quote, start - offset):
            yield start, sentence.line_start


def _cells(
    cells: Sequence[CellRecord], passage: Passage, start: int
) -> frozenset[tuple[int, str, str]]:
    begins = [each.char_start for each in passage.sentences if each.char_start >= start]
    return frozenset(
        (begins[each.sentence], each.name, each.value)
        for each in cells
        if 0 <= each.sentence < len(begins)
    )
