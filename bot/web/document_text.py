"""A version's text as readable blocks, made of what the parser read and of nothing else.

Of a long document one part is made at a time, so that a page stays small whatever it shows.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from string import ascii_uppercase

from audit.places import Place
from audit.values import CellRecord
from bot.web.views import BlockGroup, BlockKind, BlockView, Body, CellView, TextPiece
from retrieval.documents.cells import table_and_row
from retrieval.documents.holdings import Parsed
from retrieval.parsing.draft import in_reading_order
from retrieval.types import SURELY_READ, Cell, Fragment, FragmentKind, Passage, Sentence


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


@dataclass(frozen=True, slots=True)
class FieldSpans:
    spans: tuple[tuple[int, CitedSpan], ...]

    def covers(self, sentence: Sentence) -> bool:
        return any(each.covers(sentence) for _, each in self.spans)

    def covers_cell(self, sentence: Sentence, cell: Cell) -> bool:
        return any(each.covers_cell(sentence, cell) for _, each in self.spans)

    def fields(self, sentence: Sentence) -> tuple[int, ...]:
        return tuple(number for number, each in self.spans if each.covers(sentence))

    def cuts(self, sentence: Sentence) -> tuple[tuple[int, int], ...]:
        """Where lines of it begin and end that are cited by themselves, in order."""
        inside = {(each.start, each.end) for _, each in self.spans if each.covers(sentence)}
        parts = (start > sentence.char_start or end < sentence.char_end for start, end in inside)
        return tuple(sorted(inside)) if all(parts) else ()


Marked = CitedSpan | FieldSpans


def _key(sentence: Sentence, cell: Cell) -> tuple[int, str, str]:
    return sentence.char_start, cell.name, sentence.text[cell.start : cell.end]


def cited_span(
    quote: str, place: Place, passage: Passage, parsed: Parsed, cells: Sequence[CellRecord] = ()
) -> CitedSpan | None:
    """Where a quote stands; the parsed text is neither sealed nor chained, so held to the quote."""
    found = list(_begins(quote, passage))
    at_place = [start for start, line in found if line == place.line_start]
    for start in (*at_place, *(start for start, _ in found)):
        end = start + len(quote)
        if parsed.source[start:end] == quote:
            return CitedSpan(start, end, _cited_cells(cells, passage, start))
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


def _cited_cells(
    cells: Sequence[CellRecord], passage: Passage, start: int
) -> frozenset[tuple[int, str, str]]:
    starts = dict.fromkeys(each.char_start for each in passage.sentences)
    begins = [each for each in starts if each >= start]
    return frozenset(
        (begins[each.sentence], each.name, each.value)
        for each in cells
        if 0 <= each.sentence < len(begins)
    )


MOST_COLUMNS = 40
"""Of a table; rows of one that has more, or whose names change with every row, are read one by
one, for a table takes rows times columns, filled or not."""


def columns_of(rows: Sequence[BlockView]) -> tuple[str, ...]:
    """In order; none where a cell has no name, or two of a row have one, for gaps are not told."""
    columns: list[str] = []
    for row in rows:
        names = [cell.column for cell in row.cells]
        if not names or not all(names) or len(set(names)) < len(names):
            return ()
        _add(columns, names)
        if len(columns) > MOST_COLUMNS:
            return ()
    return tuple(columns)


def _add(columns: list[str], names: Iterable[str]) -> None:
    place = 0
    for name in names:
        if name in columns:
            place = columns.index(name) + 1
        else:
            columns.insert(place, name)
            place += 1


MOST_CHARACTERS = 12_000
"""Of one part; a sentence that is longer by itself makes one alone."""
CONTEXT_CHARACTERS = 2_000
"""Before the citation, in the part where it stands."""
_KINDS = {
    FragmentKind.HEADING: BlockKind.HEADING,
    FragmentKind.LIST_ITEM: BlockKind.ITEM,
    FragmentKind.TABLE_ROW: BlockKind.ROW,
    FragmentKind.CODE: BlockKind.CODE,
    FragmentKind.CAPTION: BlockKind.CAPTION,
    FragmentKind.FIGURE: BlockKind.FIGURE,
}
_INDENTATION = " \t"


@dataclass(frozen=True, slots=True)
class _Placed:
    fragment: Fragment
    sentence: Sentence


def part(parsed: Parsed, span: CitedSpan, at: int | None, around: CitedSpan | None = None) -> Body:
    """Around the citation (or `around`), or from sentence `at` on, from 1; `span` is marked."""
    place = around or span
    every = _placed(parsed)
    first_cited = next((n for n, each in enumerate(every) if place.covers(each.sentence)), 0)
    begin = _back(every, first_cited, CONTEXT_CHARACTERS) if at is None else at - 1
    begin = min(max(begin, 0), max(len(every) - 1, 0))
    end = _forth(every, begin)
    shown = every[begin:end]
    return Body(
        runs=_runs(parsed, shown, span),
        before=_back(every, begin, MOST_CHARACTERS) + 1 if begin else None,
        after=end + 1 if end < len(every) else None,
        holds_citation=any(span.covers(each.sentence) for each in shown),
        cut_before=bool(begin) and every[begin - 1].fragment is every[begin].fragment,
        cut_after=end < len(every) and every[end - 1].fragment is every[end].fragment,
    )


def whole_text(parsed: Parsed, spans: FieldSpans) -> tuple[BlockGroup, ...]:
    return _runs(parsed, _placed(parsed), spans)


def page_text(
    parsed: Parsed, span: CitedSpan, at: int | None, around: CitedSpan | None = None
) -> Body:
    """The page where the citation begins, or another one, from 1; else as `part`."""
    place = around or span
    every = _placed(parsed)
    numbers = [each.sentence.page or 1 for each in every]
    last = len(parsed.pages) or max(numbers, default=1)
    cited = next(
        (
            number
            for number, each in zip(numbers, every, strict=True)
            if place.covers(each.sentence)
        ),
        1,
    )
    page = min(max(at or cited, 1), last)
    shown = [each for number, each in zip(numbers, every, strict=True) if number == page]
    return Body(
        runs=_runs(parsed, shown, span),
        before=page - 1 if page > 1 else None,
        after=page + 1 if page < last else None,
        page=page,
        pages=last,
        holds_citation=any(span.covers(each.sentence) for each in shown),
    )


def _placed(parsed: Parsed) -> list[_Placed]:
    """Return all that people read, in order; the title and running lines stand elsewhere."""
    ordered = in_reading_order(parsed.fragments, parsed.headings, parsed.left_out)
    return [
        _Placed(each, sentence)
        for each in ordered
        if each.kind is not FragmentKind.RUNNING
        and (each.section_path or each.kind is not FragmentKind.HEADING)  # the title
        for sentence in each.sentences
    ]


def _back(every: Sequence[_Placed], begin: int, most: int) -> int:
    characters = 0
    while begin > 0:
        characters += len(every[begin - 1].sentence.text)
        if characters > most:
            break
        begin -= 1
    return begin


def _forth(every: Sequence[_Placed], begin: int) -> int:
    end, characters = begin, 0
    while end < len(every):
        characters += len(every[end].sentence.text)
        if characters > MOST_CHARACTERS and end > begin:
            break
        end += 1
    return end


def _runs(parsed: Parsed, shown: Sequence[_Placed], span: Marked) -> tuple[BlockGroup, ...]:
    blocks = list(_blocks(parsed, shown, span))
    if (first := next((n for n, each in enumerate(blocks) if each.cited), None)) is not None:
        blocks[first] = replace(blocks[first], is_first_cited=True)
    runs = (list(some) for _, some in groupby(blocks, key=lambda block: block.kind))
    return tuple(_run(some) for some in runs)


def _run(blocks: Sequence[BlockView]) -> BlockGroup:
    kind = blocks[0].kind
    return BlockGroup(kind, tuple(blocks), columns_of(blocks) if kind is BlockKind.ROW else ())


def _blocks(parsed: Parsed, shown: Sequence[_Placed], span: Marked) -> Iterator[BlockView]:
    """Begin with the headings above; of what 0.3 and before read only their names are known."""
    path: tuple[str, ...] = ()
    label = ""
    for number, (_, some) in enumerate(groupby(shown, key=lambda each: id(each.fragment))):
        placed = list(some)
        fragment = placed[0].fragment
        page, _ = table_and_row(placed[0].sentence.page_label)
        if page != label:
            label = page
            if page:
                yield BlockView(BlockKind.PAGE, (TextPiece(page),))
        if not parsed.headings or number == 0:
            above = fragment.section_path[: -1 if fragment.kind is FragmentKind.HEADING else None]
            yield from _headings(path, above)
        path = fragment.section_path
        yield _block(parsed, fragment, [each.sentence for each in placed], span)


def _headings(before: Sequence[str], path: Sequence[str]) -> Iterator[BlockView]:
    """Those of a section that did not stand above the last block already."""
    same = next(
        (n for n, (one, other) in enumerate(zip(before, path, strict=False)) if one != other),
        min(len(before), len(path)),
    )
    for level, name in enumerate(path[same:], start=same + 1):
        if name.strip():
            yield BlockView(BlockKind.HEADING, (TextPiece(name),), level=level)


def _block(
    parsed: Parsed, fragment: Fragment, sentences: Sequence[Sentence], span: Marked
) -> BlockView:
    kind = _KINDS.get(fragment.kind, BlockKind.TEXT)
    is_code = kind is BlockKind.CODE
    said = (each for one in sentences for each in _said(parsed.source, one, span, is_code=is_code))
    return BlockView(
        kind=kind,
        pieces=tuple(
            TextPiece(("\n" if is_code else " ").join(text for text, _ in some), *marks)
            for marks, some in groupby(said, key=lambda each: each[1])
        ),
        number=_number(sentences),
        level=len(fragment.section_path) if kind is BlockKind.HEADING else 0,
        item_number=sentences[0].item_number,
        cells=_cells(sentences, span) if kind is BlockKind.ROW else (),
        fields=tuple(dict.fromkeys(n for each in sentences for n in span.fields(each)))
        if isinstance(span, FieldSpans)
        else (),
    )


def _said(
    source: str, sentence: Sentence, span: Marked, *, is_code: bool
) -> Iterator[tuple[str, tuple[bool, bool]]]:
    """Its text, with whether that is cited and doubtful; line by line where lines are cited."""
    text = _code(source, sentence) if is_code else sentence.text
    begin, end, doubtful = sentence.char_start, sentence.char_end, _is_doubtful(sentence)
    cuts = span.cuts(sentence) if isinstance(span, FieldSpans) and not is_code else ()
    if not cuts or " ".join(source[begin:end].split()) != text:
        yield text, (span.covers(sentence), doubtful)
        return
    edges = sorted({begin, end, *(edge for cut in cuts for edge in cut if begin < edge < end)})
    for start, until in pairwise(edges):
        cited = any(first <= start and until <= last for first, last in cuts)
        if part := " ".join(source[start:until].split()):
            yield part if until == end else f"{part}\n", (cited, doubtful)


def _is_doubtful(sentence: Sentence) -> bool:
    return sentence.recognised is not None and sentence.recognised < SURELY_READ


def _cells(sentences: Sequence[Sentence], span: Marked) -> tuple[CellView, ...]:
    """Return the cells of a row; none of one that was too long and is read in pieces."""
    if len(sentences) > 1:
        return ()
    (row,) = sentences
    return tuple(
        CellView(
            cell.name, row.text[cell.start : cell.end], span.covers_cell(row, cell), cell.reference
        )
        for cell in row.cells
    )


def _code(source: str, sentence: Sentence) -> str:
    """Indented as in the source; where that has markup within it, it is what was read of it."""
    start = sentence.char_start
    if source[start : sentence.char_end].split() != sentence.text.split():
        return sentence.text
    while start > 0 and source[start - 1] in _INDENTATION:
        start -= 1
    return source[start : sentence.char_end]


def _number(sentences: Sequence[Sentence]) -> str:
    first, last = sentences[0], sentences[-1]
    if first.line_start is None and first.cells and first.cells[0].reference:
        return first.cells[0].reference.lstrip(ascii_uppercase)
    if first.line_start is None:
        _, row = table_and_row(first.page_label)
        number = "" if first.paragraph is None else str(first.paragraph)
        return row.removeprefix("row ") or number
    end = last.line_end or first.line_start
    return str(first.line_start) if end == first.line_start else f"{first.line_start}-{end}"
