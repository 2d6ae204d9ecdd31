"""The lines and tables of a PDF's pages become fragments."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, zip_longest

from retrieval.language.sentences import cut, sentence_spans
from retrieval.parsing.draft import Draft, number_in
from retrieval.parsing.limits import MOST_PLACES, require_at_most
from retrieval.parsing.pdf.layout import HYPHEN, Block, Body, Role, blocks_of, with_pictures
from retrieval.parsing.pdf.lines import Line, Table, TableRow, lines_in
from retrieval.parsing.placed import PlacedText, item_spans, join
from retrieval.parsing.rectangles import Rectangle
from retrieval.parsing.row_groups import told_rows
from retrieval.parsing.tables import (
    Cell,
    RowText,
    are_names,
    column_names,
    filled,
    heads_where_merged,
    labelled,
    looks_like_header,
    may_name,
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

_BROKEN_WORD = re.compile(rf"([^\W_]+)[-{HYPHEN}]$")
_LONGEST_WORD = 100
"""Characters at a line's end in which a broken word is looked for."""
_WORD = re.compile(r"[^\W_]+")
_COMPOUND = re.compile(
    r"[^\W\d_]-.*|.*\d-.*|.*-\d.*"
    r"|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-(?:one|two|three|four|five|six"
    r"|seven|eight|nine|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    r"|self-(?!ish).+|non-(?!e$|sense).+|co-o.+|(?:re|pre)-e.+"
    r"|(?:long|short|medium)-(?:term|time|standing|range|lasting|list\w*)|(?:part|full)-timer?s?"
    r"|(?:high|low)-(?:level|risk|cost|quality|income|speed|priority)|well-(?:being|known)"
    r"|half-(?:day|days|year|yearly|hour|hourly|term|time)|year-(?:end|round)"
    r"|(?:first|second|third)-(?:party|class|year|hand|time|line)"
    r"|[^\W_]{4,}-(?:based|related|specific|sized|wide|free|friendly)",
)
"""Words of two that keep their hyphen wherever a line ends, in lower case, and numbers such as
those of phones. No word is parted behind one letter."""
_CONTINUED = re.compile(r".{0,80}\b(?:continued|cont(?:['’]?d|\.))\W*", re.IGNORECASE)
_SAME_SIZE = 0.6
"""Points."""


_SAME_EDGE = 3.0
"""Points by which columns of a table may differ from page to page, beside how far all are moved."""
_MOVED = 40.0
"""Points by which all of them may be, as margins are on facing pages."""
_LONGEST_NOTE = 60
"""Words of all that may stand between the parts of a table on two pages: notes, not a text."""


@dataclass(frozen=True, slots=True)
class TableBefore:
    """It ended the page before, and its columns have these names."""

    table: Table
    header: list[str]
    texts: list[list[str]]
    words_between: int = 0

    def above(self, role: Role, text: str) -> "TableBefore | None":
        """The same with a note below it; None where more than notes parts it from what follows."""
        words = self.words_between + len(text.split())
        is_note = role not in (Role.HEADING, Role.CODE) and words <= _LONGEST_NOTE
        return replace(self, words_between=words) if is_note else None

    def has_columns_of(self, table: Table) -> bool:
        """Whether a table at the top of the next page has the same columns, and so goes on."""
        above, count = self.table, len(table.edges)
        if len(above.edges) != count or len(above.rights) != len(table.rights):
            return False
        moved = table.edges[0] - above.edges[0]
        sides = [(above.edges, table.edges), (above.rights, table.rights)]
        return abs(moved) <= _MOVED and all(
            any(abs(one[n] + moved - other[n]) < _SAME_EDGE for one, other in sides if one)
            for n in range(count)
        )

    def repeats(self, texts: Sequence[list[str]]) -> bool:
        """Whether a table begins with the same row, which so names the columns."""
        is_same = len(texts) > 1 and texts[0] == self.texts[0]
        return is_same and all(texts[0]) and may_name(texts[0])

    def lead(self, row: list[str]) -> None:
        """Say what leads a row that was cut in two by the page's end, and goes on in the middle."""
        if not row[0] and any(text[:1].islower() for text in row):
            row[0] = next((text[0] for text in reversed(self.texts) if any(text)), "")


class PdfWriter:
    def __init__(self, body: Body) -> None:
        self._body = body
        self._pages: list[tuple[int, list[Block | Table], list[tuple[FragmentKind, Line]]]] = []

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
        beside: list[tuple[FragmentKind, Line]] = []
        lines: list[Line] = []
        own: list[Line] = []
        for block in blocks:
            if kind := left_out.get(id(block)):
                beside += [(kind, line) for line in lines_in(block)]
            elif isinstance(block, Line):
                lines.append(block)
                own.append(block)
            else:
                found += [*blocks_of(lines, self._body, above_table=True), block]
                lines = []
        found += blocks_of(lines, self._body)
        found = with_pictures(found, pictures, own) if pictures else found
        self._pages.append((number, found, beside))

    def source(self, lines: Sequence[Line]) -> str:
        """All lines as one text, once each page is added; each knows its place in it from then on.

        What a paragraph goes on with on the next page stands right behind it, and what is left out
        between, such as a running head, before it.
        """
        ordered = list(lines)
        places = {id(line): place for place, line in enumerate(ordered)}
        for (_, above, _), (_, below, _) in pairwise(self._pages):
            last, rest = next(iter(above[-1:]), None), next(iter(below), None)
            if isinstance(last, Block) and isinstance(rest, Block) and _goes_over(last, rest):
                del below[0]
                first, end = places[id(last.lines[0])], places[id(rest.lines[0])]
                between = places[id(last.lines[-1])] + 1
                ordered[first:end] = [*ordered[between:end], *ordered[first:between]]
                above[-1] = replace(last, lines=(*last.lines, *rest.lines))
        start = 0
        for line in ordered:
            line.start = start
            start += len(line.text) + 1
        return "\n".join(line.text for line in ordered)

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
        table: TableBefore | None = None
        for number, page, beside in self._pages:
            for kind, line in beside:
                whole = PlacedText.verbatim(line.text, line.start).folded()
                draft.leave_out(kind, _sentences(whole, [(0, len(whole.text))], [line]))
            at_top = True
            for block in page:
                if isinstance(block, Table):
                    goes_on = table is not None and at_top and table.has_columns_of(block)
                    table = self._table(draft, number, block, table if goes_on else None)
                    at_top = False
                else:
                    self._block(draft, block, levels)
                    said = " ".join(line.text for line in block.lines)
                    at_top = at_top and bool(_CONTINUED.fullmatch(said))
                    if table and not at_top:
                        table = table.above(block.role, said)
        return draft.document(source, stated_title=stated_title, hidden=hidden, pages=sizes)

    def _block(
        self, draft: Draft, block: Block, levels: Mapping[tuple[float, bool, int], int]
    ) -> None:
        if block.role is Role.CODE:
            draft.fragment(FragmentKind.CODE, list(_code(block.lines)))
            return
        text = self._text(block.lines)
        if block.role is Role.HEADING:
            for place in _sentences(text, [(0, len(text.text))], block.lines):
                draft.heading(levels[block.rank], place.text, place)
            return
        if block.role is Role.ITEM:
            item = self._text(block.lines, skip=block.marker)
            number = number_in(block.lines[0].text[: block.marker])
            draft.item(number, _sentences(item, item_spans(item.text), block.lines))
        else:
            sentences = _sentences(text, sentence_spans(text.text), block.lines)
            if block.picture:
                picture = Box(block.lines[0].page, *block.picture)
                sentences = [replace(each, picture=picture) for each in sentences]
            for _, some in groupby(sentences, key=lambda each: each.page):
                draft.fragment(_kind(block), list(some))

    def _table(
        self, draft: Draft, page: int, table: Table, before: TableBefore | None
    ) -> TableBefore:
        require_at_most(len(table.rows) * len(table.edges), MOST_PLACES, "places in a table")
        grid = self._grid(table)
        texts = [[place.text for place in row] for row in grid]
        if are_labelled(table) and (len(table.edges) > 2 or not header_of(table, texts)[0]):
            self._rows(draft, page, table.rows, grid, map(labelled, texts))
            return TableBefore(table, [], texts)
        first, names = header_of(table, texts)
        is_told = bool(names) and (table.header_rows == first or first_row_stands_out(table.rows))
        if before is not None:
            if before.repeats(texts):
                first, names = 1, column_names([[Cell(text) for text in texts[0]]])
            elif names != before.header and not is_told:
                first, names = 0, before.header
            before.lead(texts[first])
        read = told_rows(cells_of(table, texts)[first:], names)
        if len(table.edges) > 2:
            read = map(_alone_in_no_column, read)
        self._rows(draft, page, table.rows[first:], grid[first:], read)
        return TableBefore(table, names, texts)

    def _rows(
        self,
        draft: Draft,
        page: int,
        rows: Sequence[TableRow],
        grid: Sequence[Sequence["_Place"]],
        read: Iterable[RowText],
    ) -> None:
        for row, places, text in zip(rows, grid, read, strict=True):
            if text.is_prose:
                self._long_row(draft, row)
            elif text.text and row.lines:
                sentence = self._row(page, row, text, places)
                draft.fragment(FragmentKind.TABLE_ROW, [sentence])

    def _row(self, page: int, row: TableRow, text: RowText, places: Sequence["_Place"]) -> Sentence:
        boxes = tuple(Box(page, *cell.box) for cell in row.cells if cell and cell.lines)
        stands = {n: Box(page, *place.box) for n, place in enumerate(places) if place.box}
        start, end = row.lines[0].start, row.lines[-1].end
        sentence = _sentence(text.text, (start, end), row.lines, boxes)
        return replace(sentence, cells=text.placed(stands))

    def _long_row(self, draft: Draft, row: TableRow) -> None:
        """What is too long for a sentence is text, or line by line where cells share lines."""
        wrapped = sum(len(cell.lines) > 1 for cell in row.cells if cell)
        for lines in [row.lines] if wrapped == 1 else [[line] for line in row.lines]:
            text = self._text(lines)
            spans = sentence_spans(text.text)
            draft.fragment(FragmentKind.PARAGRAPH, _sentences(text, spans, lines))

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
                parts += [text, PlacedText.in_place_of(between, line.end, line.end)]
        return join(parts).folded()

    def _parting_hyphen(self, line: Line, below: Line | None) -> str:
        """Whether a hyphen at the line's end only `parts` a word, or `belongs` to it."""
        before = _BROKEN_WORD.search(line.text[-_LONGEST_WORD:])
        after = _WORD.match(below.text) if below else None
        if before is None or after is None or after[0][0].isupper():
            return ""
        hyphenated, whole = f"{before[1]}-{after[0]}".lower(), f"{before[1]}{after[0]}".lower()
        if hyphenated in self._body.words:
            return "belongs"
        is_compound = whole not in self._body.words and _COMPOUND.fullmatch(hyphenated)
        return "belongs" if is_compound else "parts"


@dataclass(frozen=True, slots=True)
class _Place:
    text: str = ""
    box: Rectangle | None = None


def _alone_in_no_column(read: RowText) -> RowText:
    is_alone = [cell.column for cell in read.cells] == [0]
    return read.alone(is_line=read.is_line) if is_alone else read


def _kind(block: Block) -> FragmentKind:
    if block.role is not Role.CAPTION:
        return FragmentKind.PARAGRAPH
    return FragmentKind.FIGURE if block.picture else FragmentKind.CAPTION


def _goes_over(above: Block, below: Block) -> bool:
    """Whether a paragraph that ends a page goes on in the middle of a sentence on the next one."""
    one, other = above.lines[-1], below.lines[0]
    return (
        above.role in (Role.PARAGRAPH, Role.ITEM)
        and below.role is Role.PARAGRAPH
        and other.text[:1].islower()
        and one.text[-1] not in ".!?:;"
        and abs(one.style.size - other.style.size) < _SAME_SIZE
        and one.is_bold == other.is_bold
        and above.picture is below.picture is None
    )


def _code(lines: Sequence[Line]) -> Iterator[Sentence]:
    """Each line by itself; one that is too long for a sentence makes several."""
    for line in lines:
        text = PlacedText.verbatim(line.text, line.start).folded()
        yield from _sentences(text, list(cut(text.text)), [line])


def _sentences(
    text: PlacedText, spans: Sequence[tuple[int, int]], lines: Sequence[Line]
) -> list[Sentence]:
    return [
        _sentence(text.text[first:last], text.span(first, last), lines)
        for first, last in spans
        if first < last
    ]


def _sentence(
    text: str,
    place: tuple[int, int],
    lines: Sequence[Line],
    boxes: tuple[Box, ...] | None = None,
) -> Sentence:
    """One that goes on over a page's end is of the page on which it begins, and named by both."""
    start, end = place
    first = bisect_right(lines, start, key=lambda line: line.end)
    last = bisect_left(lines, end, key=lambda line: line.start)
    held = lines[first:last]
    if boxes is None:
        found = ((line.page, line.box_of(start - line.start, end - line.start)) for line in held)
        boxes = tuple(Box(page, *box) for page, box in found if box is not None)
    page, over = held[0].page, held[-1].page
    return Sentence(
        text,
        start,
        end,
        line_start=held[0].number,
        line_end=next(line.number for line in reversed(held) if line.page == page),
        page=page,
        page_label=f"pages {page}-{over}" if over != page else "",
        boxes=boxes,
    )


def are_labelled(table: Table) -> bool:
    """Whether every other cell is set as a label of the next, or ends as one, in each row."""
    held = [
        (column, cell)
        for row in table.rows
        for column, cell in enumerate(row.cells)
        if cell and cell.lines
    ]
    is_even = len(table.edges) % 2 == 0 and len(table.rows) > 1
    told = (
        [(column, cell.stands_out) for column, cell in held],
        [(column, cell.lines[-1].text.endswith(":")) for column, cell in held],
    )
    return is_even and any(all(is_label == (n % 2 == 0) for n, is_label in way) for way in told)


def header_of(table: Table, texts: Sequence[Sequence[str]]) -> tuple[int, list[str]]:
    """How many rows at the top name the columns, and the names."""
    count, cells = table.header_rows, cells_of(table, texts)
    if count is None or not all(may_name(row) for row in texts[:count]):
        is_named = looks_like_header(texts, first_row_stands_out(table.rows))
        own = [
            [text if cell else "" for text, cell in zip(read, row.cells, strict=True)]
            for read, row in zip(texts, table.rows, strict=True)
        ]
        count = 2 if heads_where_merged(cells, own) == 2 else int(is_named)
    heads = cells[:count]
    if count == 2:
        heads[0] = [*map(Cell, _over_all(*filled(heads, sideways=True)))]
    names = column_names(heads)
    return (count, names) if count < len(texts) and are_names(names) else (0, [])


def _over_all(above: Sequence[str], below: Sequence[str]) -> Iterator[str]:
    """The names of groups over all their columns: a column that is called as another is in one."""
    group = ""
    for name, own in zip_longest(above, below, fillvalue=""):
        group = name or (group if own and below.count(own) > 1 else "")
        yield group


def cells_of(table: Table, texts: Sequence[Sequence[str]]) -> list[list[Cell]]:
    """The cells of each row, which take so many columns; `texts` stand by column."""
    return [
        [
            Cell(
                text,
                columns=table.reach(n, cell) if cell else 1,
                is_bold=cell is not None and cell.stands_out,
            )
            for n, (text, cell) in enumerate(zip(read, row.cells, strict=True))
            if cell or text or not _is_reached(table, row, n)
        ]
        for read, row in zip(texts, table.rows, strict=True)
    ]


def _is_reached(table: Table, row: TableRow, column: int) -> bool:
    """Whether a cell to the left spans a column too."""
    before = [(n, cell) for n, cell in enumerate(row.cells[:column]) if cell]
    return bool(before) and before[-1][0] + table.reach(*before[-1]) > column


def first_row_stands_out(rows: Sequence[TableRow]) -> bool:
    """Whether the first row is set in styles that the second does not use."""
    if len(rows) < 2:
        return False
    first, second = rows[0].styles(), rows[1].styles()
    return bool(first and second) and not first & second
