"""The lines and tables of a PDF's pages become fragments."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.language.sentences import cut, sentence_spans
from retrieval.parsing.draft import Draft, number_in
from retrieval.parsing.limits import LONGEST_SENTENCE, MOST_PLACES, require_at_most
from retrieval.parsing.pdf.layout import HYPHEN, Block, Body, Role, blocks_of
from retrieval.parsing.pdf.lines import Line, Table, TableRow, lines_in
from retrieval.parsing.pdf.pictures import with_pictures
from retrieval.parsing.pdf.text import Rectangle
from retrieval.parsing.placed import PlacedText, join
from retrieval.parsing.tables import (
    Cell,
    RowText,
    are_names,
    column_names,
    looks_like_header,
    may_name,
    row_texts,
)
from retrieval.types import (
    Box,
    FragmentKind,
    HiddenText,
    PageSize,
    ParsedDocument,
    Sentence,
    Stated,
)

_BROKEN_WORD = re.compile(rf"([^\W\d_]+)[-{HYPHEN}]$")
_LONGEST_WORD = 100
"""Characters at a line's end in which a broken word is looked for."""
_WORD = re.compile(r"[^\W\d_]+")
_SAME_EDGE = 3.0
"""Points by which the columns of a table may move from page to page."""
_LeftOut = tuple[FragmentKind, Line]


class PdfWriter:
    """It takes pages in order; headings keep their rank until all are known."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._pages: list[tuple[int, list[Block | Table], list[_LeftOut]]] = []

    def page(
        self,
        number: int,
        blocks: Sequence[Line | Table],
        left_out: Mapping[int, FragmentKind],
        pictures: Sequence[Rectangle] = (),
    ) -> None:
        """Add a page's content; the lines that are left out, by their id, make no passage.

        `pictures` are the places of those that may have a caption.
        """
        found: list[Block | Table] = []
        shown = [block for block in blocks if id(block) not in left_out]
        beside = [
            (left_out[id(block)], line)
            for block in blocks
            if id(block) in left_out
            for line in lines_in(block)
        ]
        lines: list[Line] = []
        for block in shown:
            if isinstance(block, Line):
                lines.append(block)
            else:
                found += [*blocks_of(lines, self._body, above_table=True), block]
                lines = []
        found += blocks_of(lines, self._body)
        if pictures:
            own = [block for block in shown if isinstance(block, Line)]
            found = with_pictures(found, pictures, own)
        self._pages.append((number, found, beside))

    def document(
        self,
        source: str,
        stated_title: str,
        stated: Iterable[Stated] = (),
        hidden: tuple[HiddenText, ...] = (),
        sizes: tuple[PageSize, ...] = (),
    ) -> ParsedDocument:
        draft = Draft()
        draft.state(stated)
        blocks = [block for _, page, _ in self._pages for block in page if isinstance(block, Block)]
        ranked = sorted({block.rank for block in blocks if block.role is Role.HEADING})
        levels = {rank: level for level, rank in enumerate(ranked, start=1)}
        table: _TableBefore | None = None
        for number, page, beside in self._pages:
            for kind, line in beside:
                whole = PlacedText.verbatim(line.text, line.start).folded()
                draft.leave_out(kind, _sentences(whole, [(0, len(whole.text))], [line], number))
            for place, block in enumerate(page):
                if isinstance(block, Table):
                    header = table.header_for(block) if table and place == 0 else None
                    table = _TableBefore(block, self._table(draft, number, block, header))
                else:
                    self._block(draft, number, block, levels)
                    table = None
        return draft.document(source, stated_title=stated_title, hidden=hidden, pages=sizes)

    def _block(
        self, draft: Draft, page: int, block: Block, levels: Mapping[tuple[float, bool, int], int]
    ) -> None:
        if block.role is Role.CODE:
            draft.fragment(FragmentKind.CODE, list(_code(block.lines, page)))
            return
        text = self._text(block.lines)
        if block.role is Role.HEADING:
            for place in _sentences(text, [(0, len(text.text))], block.lines, page):
                draft.heading(levels[block.rank], place.text, place)
            return
        if block.role is Role.ITEM:
            item = self._text(block.lines, skip=block.marker)
            fits = len(item.text) <= LONGEST_SENTENCE
            spans = [(0, len(item.text))] if fits else sentence_spans(item.text)
            number = number_in(block.lines[0].text[: block.marker])
            draft.item(number, _sentences(item, spans, block.lines, page))
        else:
            sentences = _sentences(text, sentence_spans(text.text), block.lines, page)
            if block.picture:
                picture = Box(page, *block.picture)
                sentences = [replace(each, picture=picture) for each in sentences]
            draft.fragment(_kind(block), sentences)

    def _table(self, draft: Draft, page: int, table: Table, header: list[str] | None) -> list[str]:
        """Add a table's rows; return its header, which a next page may go on with.

        `header` is that of the page before, empty where it had none.
        """
        require_at_most(len(table.rows) * len(table.edges), MOST_PLACES, "places in a table")
        grid = self._grid(table)
        texts = [[place.text for place in row] for row in grid]
        first, names = _header(table, texts)
        is_told = bool(names) and (table.header_rows == first or _stands_out(table.rows))
        if header is not None and names != header and not is_told:
            first, names = 0, header
        read = row_texts([[Cell(text) for text in row] for row in texts[first:]], names)
        for row, places, text in zip(table.rows[first:], grid[first:], read, strict=True):
            if len(text.text) > LONGEST_SENTENCE:
                self._long_row(draft, page, row)
            elif text.text and row.lines:
                sentence = self._row(page, row, text, places)
                draft.fragment(FragmentKind.TABLE_ROW, [sentence])
        return names

    def _row(self, page: int, row: TableRow, text: RowText, places: Sequence["_Place"]) -> Sentence:
        boxes = tuple(Box(page, *cell.box) for cell in row.cells if cell and cell.lines)
        stands = {n: Box(page, *place.box) for n, place in enumerate(places) if place.box}
        start, end = row.lines[0].start, row.lines[-1].end
        sentence = _sentence(text.text, (start, end), row.lines, page, boxes)
        return replace(sentence, cells=text.placed(stands))

    def _long_row(self, draft: Draft, page: int, row: TableRow) -> None:
        """What is too long for a sentence is read line by line."""
        for line in row.lines:
            text = PlacedText.verbatim(line.text, line.start).folded()
            spans = sentence_spans(text.text)
            draft.fragment(FragmentKind.PARAGRAPH, _sentences(text, spans, [line], page))

    def _grid(self, table: Table) -> list[list["_Place"]]:
        """What stands in each column of a row; a cell that reaches down does in all its rows."""
        above = [_Place()] * len(table.edges)
        grid = []
        for row in table.rows:
            top = min((cell.box[1] for cell in row.cells if cell), default=0.0)
            places = []
            for column, cell in enumerate(row.cells):
                if cell is not None:
                    above[column] = _Place(self._text(cell.lines).text, cell.box)
                held = above[column]
                goes_on = held.box is not None and held.box[3] > top + 1
                places.append(held if cell is not None or goes_on else _Place())
            grid.append(places)
        return grid

    def _text(self, lines: Sequence[Line], skip: int = 0) -> PlacedText:
        """Lines as they read, words that were parted at a line's end put together."""
        parts: list[PlacedText] = []
        for number, line in enumerate(lines):
            text = PlacedText.verbatim(line.text, line.start)[skip if number == 0 else 0 :]
            below = lines[number + 1] if number + 1 < len(lines) else None
            hyphen = self._parting_hyphen(line, below)
            if hyphen == "parts":
                parts.append(text[: len(text.text) - 1])
            else:
                between = "" if hyphen or below is None else " "
                parts += [text, PlacedText.standing_for(between, line.end, line.end)]
        return join(parts).folded()

    def _parting_hyphen(self, line: Line, below: Line | None) -> str:
        """Whether a hyphen at the line's end only `parts` a word, or `belongs` to it."""
        before = _BROKEN_WORD.search(line.text[-_LONGEST_WORD:])
        after = _WORD.match(below.text) if below else None
        if before is None or after is None or not after[0][0].islower():
            return ""
        hyphenated = f"{before[1]}-{after[0]}".lower()
        return "belongs" if hyphenated in self._body.words else "parts"


@dataclass(frozen=True, slots=True)
class _Place:
    """A cell stands at a place of a table's grid, with its text and the box around it."""

    text: str = ""
    box: Rectangle | None = None


@dataclass(frozen=True, slots=True)
class _TableBefore:
    """It ended the page before, and its columns have these names."""

    table: Table
    header: list[str]

    def header_for(self, table: Table) -> list[str] | None:
        """Its header, if the table has the same columns, and so goes on with it."""
        above, count = self.table, len(table.edges)
        if len(above.edges) != count or len(above.rights) != len(table.rights):
            return None
        sides = [(above.edges, table.edges), (above.rights, table.rights)]
        same = all(
            any(abs(one[n] - other[n]) < _SAME_EDGE for one, other in sides if one)
            for n in range(count)
        )
        return self.header if same else None


def _header(table: Table, texts: Sequence[Sequence[str]]) -> tuple[int, list[str]]:
    """How many rows at the top name the columns, and the names."""
    count = table.header_rows
    if count is None or not all(may_name(row) for row in texts[:count]):
        first = [(n, cell) for n, cell in enumerate(table.rows[0].cells) if cell and cell.lines]
        spans = len(first) > 1 and any(table.reach(n, cell) > 1 for n, cell in first)
        is_led = spans and all(may_name(row) for row in texts[:2]) and _is_filled_in(table, texts)
        count = 2 if is_led else int(looks_like_header(texts, _stands_out(table.rows)))
    names = column_names(
        [
            [
                Cell(text, columns=table.reach(n, cell) if cell else 1)
                for n, (text, cell) in enumerate(zip(read, row.cells, strict=True))
                if cell or text or not _is_reached(table, row, n)
            ]
            for read, row in zip(texts[:count], table.rows[:count], strict=True)
        ]
    )
    return (count, names) if count < len(texts) and are_names(names) else (0, [])


def _is_filled_in(table: Table, texts: Sequence[Sequence[str]]) -> bool:
    """Whether the second row has names below what spans columns, and there alone."""
    above = [(n, cell) for n, cell in enumerate(table.rows[0].cells) if cell and cell.lines]
    return len(texts) > 2 and all(
        all(texts[1][n : n + table.reach(n, cell)])
        if table.reach(n, cell) > 1
        else texts[1][n] in ("", texts[0][n])
        for n, cell in above
    )


def _is_reached(table: Table, row: TableRow, column: int) -> bool:
    """Whether a cell to the left spans a column too."""
    before = [(n, cell) for n, cell in enumerate(row.cells[:column]) if cell]
    return bool(before) and before[-1][0] + table.reach(*before[-1]) > column


def _stands_out(rows: Sequence[TableRow]) -> bool:
    """Whether the first row is set in styles that the second does not use."""
    if len(rows) < 2:
        return False
    first, second = rows[0].styles(), rows[1].styles()
    return bool(first and second) and not first & second


def _kind(block: Block) -> FragmentKind:
    if block.role is not Role.CAPTION:
        return FragmentKind.PARAGRAPH
    return FragmentKind.FIGURE if block.picture else FragmentKind.CAPTION


def _code(lines: Sequence[Line], page: int) -> Iterator[Sentence]:
    """Each line by itself; one that is too long for a sentence makes several."""
    for line in lines:
        text = PlacedText.verbatim(line.text, line.start).folded()
        yield from _sentences(text, list(cut(text.text)), [line], page)


def _sentences(
    text: PlacedText, spans: Sequence[tuple[int, int]], lines: Sequence[Line], page: int
) -> list[Sentence]:
    return [
        _sentence(text.text[first:last], text.span(first, last), lines, page)
        for first, last in spans
        if first < last
    ]


def _sentence(
    text: str,
    place: tuple[int, int],
    lines: Sequence[Line],
    page: int,
    boxes: tuple[Box, ...] | None = None,
) -> Sentence:
    start, end = place
    first = bisect_right(lines, start, key=lambda line: line.end)
    last = bisect_left(lines, end, key=lambda line: line.start)
    held = lines[first:last]
    if boxes is None:
        found = (
            line.box_of(max(0, start - line.start), min(len(line.text), end - line.start))
            for line in held
        )
        boxes = tuple(Box(page, *box) for box in found if box is not None)
    return Sentence(
        text,
        start,
        end,
        line_start=held[0].number,
        line_end=held[-1].number,
        page=page,
        boxes=boxes,
    )
