"""Presentations are read with python-pptx: titles first, then shapes from the top left on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO

import pptx
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.exc import PythonPptxError
from pptx.oxml import parse_xml
from pptx.oxml.xmlchemy import BaseOxmlElement
from pptx.presentation import Presentation
from pptx.slide import NotesSlide, Slide
from pptx.table import Table

from retrieval.errors import UnreadableDocument
from retrieval.language.sentences import sentence_spans
from retrieval.parsing.draft import Draft
from retrieval.parsing.drawn import Drawn, description, drawn_in
from retrieval.parsing.hiding import SMALLEST_TYPE, Verdict, Way
from retrieval.parsing.limits import LONGEST_HEADING, MOST_SPANNED, require_at_most
from retrieval.parsing.notes import as_set
from retrieval.parsing.office import (
    BROKEN,
    GRAPHIC,
    OfficeFormat,
    as_transitional,
    require_sound,
    stated_in_office,
    without_text,
)
from retrieval.parsing.placed import PlacedText, Source, item_spans
from retrieval.parsing.pptx.shapes import (
    EMU,
    Placed,
    TablePlaces,
    choose_alternatives,
    is_picture,
    is_squeezed,
    picture_of,
    shapes_of,
)
from retrieval.parsing.pptx.visibility import Covers, Looks
from retrieval.parsing.row_groups import told_rows
from retrieval.parsing.tables import (
    Cell,
    RowText,
    go_on_below,
    heads_and_names,
    heads_where_merged,
    looks_like_header,
    row_texts,
)
from retrieval.types import Box, FragmentKind, HiddenText, PageSize, ParsedDocument, Sentence

TITLE_LEVEL = 2
"""Of the heading that a slide's title is; that of a title slide stands above all others."""
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
RUNNING = (
    *(PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER),
    *(PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.HEADER),
)
_BODIES = (
    *(PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT),
    *(PP_PLACEHOLDER.VERTICAL_BODY, PP_PLACEHOLDER.VERTICAL_OBJECT),
)
"""Placeholders whose paragraphs have bullets, unless they say that they have none."""
_BULLETS = tuple(f"{_DRAWING}{name}" for name in ("buChar", "buAutoNum", "buBlip"))
_RUNS = tuple(f"{_DRAWING}{name}" for name in ("r", "fld", "br"))


class SlideWriter:
    """It adds the shapes of one slide to a draft; `hidden` lists what of them is not seen."""

    def __init__(
        self,
        draft: Draft,
        source: Source,
        page: PageSize,
        looks: Looks,
        pictures: Sequence[Placed],
    ) -> None:
        self.hidden: list[HiddenText] = []
        self._titled: list[Sentence] = []
        self._draft = draft
        self._source = source
        self._page = page
        self._looks = looks
        self._pictures = [box for each in pictures if (box := self._on_slide(each.box))]

    def write(self, placed: Placed, at: int, *, is_title: bool) -> None:
        """`at`: in the order in which shapes are painted."""
        shape = placed.shape
        box = self._on_slide(placed.box)
        stated = shape._element.xpath("*/p:cNvPr/@descr")  # noqa: SLF001
        for described in filter(None, map(description, stated)):
            sentences = self._sentences(self._source.add(described), box)
            self._draft.fragment(FragmentKind.FIGURE, sentences)
        if getattr(shape, "has_table", False):
            self._table(shape.table, at, box)
        elif drawn := drawn_in(shape._element.iter(GRAPHIC), shape.part.related_part):  # noqa: SLF001
            self._drawn(drawn, box)
        elif shape.has_text_frame:
            paragraphs = list(shape.text_frame._txBody.iterchildren(f"{_DRAWING}p"))  # noqa: SLF001
            kind = shape.placeholder_format.type if shape.is_placeholder else None
            if is_title:
                self._title(paragraphs, at, box, is_first=kind is PP_PLACEHOLDER.CENTER_TITLE)
            elif kind in RUNNING:
                text = self._text(paragraphs, at)
                if text:
                    self._draft.leave_out(FragmentKind.RUNNING, [self._added(text, box)])
            else:
                self._paragraphs(paragraphs, at, box, are_items=kind in _BODIES)

    def _on_slide(self, box: Box | None) -> Box | None:
        """The part of a box that is on the slide."""
        if box is None:
            return None
        across = min(max(box.x0, 0.0), self._page.width), min(box.x1, self._page.width)
        down = min(max(box.y0, 0.0), self._page.height), min(box.y1, self._page.height)
        return Box(box.page, across[0], down[0], across[1], down[1])

    def _added(self, text: str, box: Box | None) -> Sentence:
        """One sentence on a line of its own."""
        return self._sentence(self._source.add(text), 0, len(text), box)

    def _sentence(self, placed: PlacedText, first: int, last: int, box: Box | None) -> Sentence:
        return Sentence(
            placed.text[first:last],
            *placed.span(first, last),
            page=self._page.number,
            boxes=() if box is None else (box,),
            page_label=self._page.label,
        )

    def _row(self, held: str, read: RowText, box: Box | None, boxes: Mapping[int, Box]) -> None:
        """`held` stands in the source; `boxes` are those of its cells, by column."""
        sentence = replace(self._added(held, box), text=read.text, cells=read.placed(boxes))
        self._draft.fragment(FragmentKind.TABLE_ROW, [sentence])

    def _title(
        self, paragraphs: Sequence[BaseOxmlElement], at: int, box: Box | None, *, is_first: bool
    ) -> None:
        text = self._text(paragraphs, at)
        if not text:
            return
        placed = self._source.add(text)
        if len(text) > LONGEST_HEADING:
            self._draft.fragment(FragmentKind.PARAGRAPH, self._sentences(placed, box))
            return
        level = TITLE_LEVEL - (is_first and self._page.number == 1)
        self._draft.heading(level, text, self._sentence(placed, 0, len(text), box))
        self._titled = self._sentences(placed, box)

    def say_title(self) -> None:
        """It is all that the slide says, and so no heading of something."""
        self._draft.fragment(FragmentKind.PARAGRAPH, self._titled)

    def _drawn(self, drawn: Drawn, box: Box | None) -> None:
        if drawn.title:
            placed = self._source.add(drawn.title)
            self._draft.fragment(FragmentKind.CAPTION, self._sentences(placed, box))
        for row in row_texts(drawn.rows, drawn.names):
            held = "\t".join(row.text[each.start : each.end] for each in row.cells)
            self._row(held, row, box, {})
        for text in drawn.points:
            self._draft.item(None, [self._added(text, box)])

    def _sentences(self, placed: PlacedText, box: Box | None) -> list[Sentence]:
        spans = sentence_spans(placed.text)
        return [self._sentence(placed, first, last, box) for first, last in spans]

    def _paragraphs(
        self, paragraphs: Sequence[BaseOxmlElement], at: int, box: Box | None, *, are_items: bool
    ) -> None:
        texts = [(each, self._text([each], at)) for each in paragraphs]
        told = [(each, text) for each, text in texts if text]
        several = len(told) > 1
        numbers = _Numbers()
        for each, text in told:
            placed = self._source.add(text)
            properties = each.find(f"{_DRAWING}pPr")
            number = numbers.take(properties)
            if _is_item(properties, by_default=are_items and several):
                spans = item_spans(text)
                sentences = [self._sentence(placed, *each, box) for each in spans]
                self._draft.item(number, sentences, _level(properties))
            else:
                picture = picture_of(text, box, self._pictures)
                kind = FragmentKind.FIGURE if picture else FragmentKind.PARAGRAPH
                sentences = self._sentences(placed, box)
                self._draft.fragment(kind, [replace(each, picture=picture) for each in sentences])

    def _text(
        self,
        paragraphs: Sequence[BaseOxmlElement],
        at: int,
        cell: BaseOxmlElement | None = None,
    ) -> str:
        """What people see of some paragraphs, folded."""
        seen: list[str] = []
        for paragraph in paragraphs:
            for run in paragraph.iterchildren(*_RUNS):
                said = _said(run)
                way = self._looks.way(run, at, cell) if said.strip() else None
                if way is not None:
                    self._note(said, *way)
                if way is None or not way[1]:
                    before = "".join(seen[-2:])
                    seen.append(as_set(_raised(run), said, before, in_cell=cell is not None))
            seen.append(" ")
        return PlacedText.verbatim("".join(seen), 0).folded().text

    def _cell_text(self, cell: BaseOxmlElement, at: int) -> str:
        """What people see of a cell: nothing of one that another covers."""
        paragraphs = list(cell.iterfind(f"{_DRAWING}txBody/{_DRAWING}p"))
        if not _is_merged(cell):
            return self._text(paragraphs, at, cell)
        covered = (_said(run) for each in paragraphs for run in each.iterchildren(*_RUNS))
        if said := "".join(covered).strip():
            self._note(said, Way.COVERED, left_out=True)
        return ""

    def _note(self, text: str, way: Way, left_out: bool) -> None:
        folded = " ".join(text.split())
        self.hidden.append(HiddenText(folded, way.value, self._page.label, left_out))

    def _table(self, table: Table, at: int, box: Box | None) -> None:
        rows = [
            [(cell, self._cell_text(cell, at)) for cell in row.tc_lst]
            for row in table._tbl.tr_lst  # noqa: SLF001  # python-pptx's cells repeat merged ones
        ]
        narrow = [column.width / EMU <= SMALLEST_TYPE for column in table.columns]
        for said in rows:
            for (_, text), is_narrow in zip(said, narrow, strict=False):
                if is_narrow and text:
                    self._note(text, Way.CUT_AWAY, left_out=False)
        cells = [[_cell(cell, text) for cell, text in row if not _is_merged(cell)] for row in rows]
        texts = [[text for _, text in row] for row in rows]
        heads = heads_where_merged(cells, texts)
        first = [[cell.text for cell in cells[0]]] if heads > 1 else texts[:1]
        has_head = looks_like_header([*first, *texts[heads:]], stands_out=table.first_row)
        is_sure = has_head and not go_on_below(cells[:heads], texts[heads:])
        heads, names = heads_and_names(cells, heads if is_sure else 0)
        places = TablePlaces(table, box)
        for number, read in enumerate(told_rows(cells[heads:], names), start=heads):
            own = [text for _, text in rows[number]]
            if read.is_prose:
                for text in filter(None, own):
                    sentences = self._sentences(self._source.add(text), places.row(number))
                    self._draft.fragment(FragmentKind.PARAGRAPH, sentences)
            elif any(own) and read.text:
                held = "\t".join(filter(None, own))
                self._row(held, read, places.row(number), places.cells(number))


class _Numbers:
    """Of the items of one shape; a paragraph without a number ends those of its level."""

    def __init__(self) -> None:
        self._counted: dict[int, int] = {}

    def take(self, properties: BaseOxmlElement | None) -> int | None:
        """The number of the next paragraph; None for one with a bullet, or with nothing."""
        numbering = None if properties is None else properties.find(_BULLETS[1])
        level = _level(properties)
        self._counted = {each: count for each, count in self._counted.items() if each <= level}
        if numbering is None or properties is None:
            self._counted.pop(level, None)
            return None
        first = int(numbering.get("startAt", 1))
        self._counted[level] = self._counted.get(level, first - 1) + 1
        return self._counted[level] if "arabic" in numbering.get("type", "") else None


def _level(properties: BaseOxmlElement | None) -> int:
    return 0 if properties is None else int(properties.get("lvl", 0))


def _said(run: BaseOxmlElement) -> str:
    if run.tag == _RUNS[2]:
        return " "
    text = run.find(f"{_DRAWING}t")
    return "" if text is None else text.text or ""


def _raised(run: BaseOxmlElement) -> str:
    properties = run.find(f"{_DRAWING}rPr")
    percents = "0" if properties is None else properties.get("baseline", "0")
    return "sub" if percents.startswith("-") else "" if percents.rstrip("0%") == "" else "super"


def _is_item(properties: BaseOxmlElement | None, *, by_default: bool) -> bool:
    if properties is None:
        return by_default
    if properties.find(f"{_DRAWING}buNone") is not None:
        return False
    return by_default or next(iter(properties.iterchildren(*_BULLETS)), None) is not None


def _is_merged(cell: BaseOxmlElement) -> bool:
    """Whether it is covered by the cell beside or above it."""
    return any(cell.get(name, "0") in ("1", "true") for name in ("hMerge", "vMerge"))


def _cell(cell: BaseOxmlElement, text: str) -> Cell:
    columns, rows = (min(int(cell.get(name, 1)), MOST_SPANNED) for name in ("gridSpan", "rowSpan"))
    looks = [run.find(f"{_DRAWING}rPr") for run in cell.iter(*_RUNS[:2]) if _said(run).strip()]
    bold = all(look is not None and look.get("b") in ("1", "true") for look in looks)
    return Cell(text, columns=max(1, columns), rows=max(1, rows), is_bold=bold)


def asides_of(slide: Slide, where: str) -> Iterator[HiddenText]:
    """They are listed and not read: who sees the slides need not see them."""
    if slide.has_notes_slide and (said := " ".join(_notes(slide.notes_slide))):
        yield HiddenText(said, Way.NOTES.value, where)
    for relation in slide.part.rels.values():
        if relation.is_external or not relation.reltype.endswith("/comments"):
            continue
        root = parse_xml(relation.target_part.blob)
        names = (str(each.tag).rpartition("}")[2] for each in root.iter())
        texts = (
            each.text or ""
            for each, name in zip(root.iter(), names, strict=True)
            if name in ("text", "t")
        )
        if said := " ".join(" ".join(texts).split()):
            yield HiddenText(said, Way.COMMENT.value, where)


def _notes(page: NotesSlide) -> Iterator[str]:
    """All words on the page of notes, in text boxes as well, but for running lines."""
    for shape in page.shapes:
        kind = shape.placeholder_format.type if shape.is_placeholder else None
        if shape.has_text_frame and kind not in RUNNING:
            yield from shape.text_frame.text.split()


POWERPOINT = OfficeFormat("PowerPoint", "a presentation", ".pptx")
_NO_TITLES = frozenset({"powerpoint presentation", "powerpoint-präsentation", "presentation"})
_MOST_SHAPES = 5_000
"""Of a slide: each is compared with those that it may stand on."""
_SAME_HEIGHT = 18.0
"""Points: shapes whose tops are no farther apart are read from left to right."""
_COMPARISON = "twoTxTwoObj"
_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE)


def parse(content: bytes) -> ParsedDocument:
    """Read it slide by slide; raise `UnreadableDocument`."""
    require_sound(content, POWERPOINT)
    reader = _Reader()
    try:
        presentation = pptx.Presentation(BytesIO(as_transitional(content)))
        reader.read(presentation)
        title = " ".join((presentation.core_properties.title or "").split())
    except (*BROKEN, PythonPptxError) as error:
        raise UnreadableDocument(POWERPOINT.damaged) from error
    if not reader.source.lines:
        raise without_text(hidden=bool(reader.hidden))
    reader.draft.state(stated_in_office(content))
    return reader.draft.document(
        reader.source.text,
        stated_title="" if title.casefold() in _NO_TITLES else title,
        hidden=tuple(reader.hidden),
        pages=tuple(reader.pages),
    )


class _Reader:
    def __init__(self) -> None:
        self.draft = Draft()
        self.source = Source()
        self.hidden: list[HiddenText] = []
        self.pages: list[PageSize] = []

    def read(self, presentation: Presentation) -> None:
        size = presentation.slide_width / EMU, presentation.slide_height / EMU
        for number, slide in enumerate(presentation.slides, start=1):
            label = f"slide {number}"
            self.pages.append(PageSize(number, *size, label))
            self.draft.end_sections()
            choose_alternatives(slide._element)  # noqa: SLF001
            placed = list(shapes_of(iter(slide.shapes), number))
            require_at_most(len(placed), _MOST_SHAPES, "shapes on a slide")
            if slide._element.get("show", "1") in ("0", "false"):  # noqa: SLF001
                words = " ".join(word for each in placed for word in _words(each))
                self.hidden += [HiddenText(words, Way.MARKED.value, label)] if words else []
            else:
                self._read_slide(slide, placed, self.pages[-1])
            self.hidden += asides_of(slide, label)

    def _read_slide(self, slide: Slide, placed: list[Placed], page: PageSize) -> None:
        pictures = [each for each in placed if is_picture(each) and not _stated(each, page)]
        writer = SlideWriter(self.draft, self.source, page, Looks(slide, placed), pictures)
        covers = Covers(slide, placed, page)
        before = self.draft.count
        halves = slide.slide_layout._element.get("type") == _COMPARISON  # noqa: SLF001
        middle = page.width / 2 if halves else page.width
        order = sorted(range(len(placed)), key=lambda at: _order(placed[at], middle))
        for at in order:
            each = placed[at]
            squeezed = (Way.TINY, False) if is_squeezed(each) else (None, False)
            way, left_out = _stated(each, page) or covers.way(at) or squeezed
            if way is not None and (words := " ".join(_words(each))):
                self.hidden.append(HiddenText(words, way.value, page.label, left_out))
            if not left_out:
                writer.write(each, at, is_title=_is_title(each))
        if self.draft.count == before:
            writer.say_title()
        self.hidden += writer.hidden


def _order(placed: Placed, middle: float) -> tuple[bool, bool, float, float]:
    """All that begins left of the `middle` comes before the rest."""
    if placed.box is None:
        return not _is_title(placed), False, 0.0, 0.0
    is_right = placed.box.x0 >= middle
    return not _is_title(placed), is_right, placed.box.y0 // _SAME_HEIGHT, placed.box.x0


def _is_title(placed: Placed) -> bool:
    shape = placed.shape
    return bool(shape.is_placeholder and shape.placeholder_format.type in _TITLES)


def _stated(placed: Placed, page: PageSize) -> Verdict | None:
    """How a shape is hidden by what it says of itself."""
    if placed.is_marked:
        return Verdict(Way.MARKED)
    box = placed.box
    is_away = box is not None and (
        box.x1 <= 0 or box.y1 <= 0 or box.x0 >= page.width or box.y0 >= page.height
    )
    return Verdict(Way.AWAY) if is_away else None


def _words(placed: Placed) -> Iterator[str]:
    """All that a shape holds, seen or not."""
    for element in placed.shape._element.iter():  # noqa: SLF001
        if str(element.tag).endswith("/main}t") and element.text:
            yield from element.text.split()
