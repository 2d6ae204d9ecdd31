"""OpenDocument is opened with odfdo; texts are cited by paragraph, presentations by slide."""

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from zipfile import ZipFile

from odfdo import Document, Element

from retrieval.errors import UnreadableDocument
from retrieval.parsing.embedded_metadata import stated_beside
from retrieval.parsing.limits import DEEPEST_ELEMENT, MOST_SPANNED, require_at_most
from retrieval.parsing.odf.sheets import SheetReader
from retrieval.parsing.odf.styles import Styles, count, elements_in, in_a_line, rows_in, said
from retrieval.parsing.office import (
    BROKEN,
    OfficeFormat,
    require_sound,
    stated_in_property,
    without_text,
)
from retrieval.parsing.spreadsheet import Place
from retrieval.parsing.tables import Cell, heads_where_merged, looks_like_header
from retrieval.parsing.transcript import Transcript
from retrieval.types import ParsedDocument, Stated

_HEADING_STYLES = ("Table_20_Heading", "Table Heading")
_CODE_STYLES = ("Preformatted_20_Text", "Source_20_Code", "Source_20_Text")
_NOT_READ = frozenset(
    "text:tracked-changes text:table-of-content text:sequence-decls text:variable-decls "  # noqa: SIM905
    "text:user-field-decls office:forms table:table-column table:table-columns "
    "table:table-header-columns table:table-column-group text:note-citation text:hidden-text "
    "presentation:notes office:event-listeners draw:glue-point".split()
)
"""Deletions that are kept, contents, and what is no text."""
_NOT_SEEN = {"style": "display: none"}
_ASIDES = frozenset({"text:note", "draw:frame", "draw:custom-shape", "draw:rect", "draw:g"})
"""What hangs on a paragraph and has paragraphs of its own."""
_MOST_SPACES = 100
_MOST_REPEATED = 1_000
"""Rows and cells of a table in a text, told once for several."""


def text_of(element: Element) -> str:
    return "".join(_texts(element))


def _texts(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element.children:
        yield from _texts(child)
        yield child.tail or ""


class TextReader:
    """It tells a transcript of what stands in an element."""

    def __init__(self, styles: Styles, transcript: Transcript) -> None:
        self._styles = styles
        self._to = transcript
        self._depth = 0

    def read(self, parent: Element) -> None:
        self._depth += 1
        require_at_most(self._depth, DEEPEST_ELEMENT, "elements within each other")
        for child in parent.children:
            self._block(child)
        self._depth -= 1

    def read_slide(self, slide: Element) -> None:
        """Its title first; a slide that says no more than a title says that."""
        shapes = [each for each in slide.children if each.tag not in _NOT_READ]
        titles = [each for each in shapes if said(each, "presentation:class") == "title"]
        others = [each for each in shapes if said(each, "presentation:class") != "title"]
        alone = not any(text_of(each).strip() for each in others)
        for title in titles:
            words = " ".join(text_of(each) for each in title.get_elements("descendant::text:p"))
            if words.strip():
                self._wrapped("p" if alone else "h2", {}, words)
        for each in others:
            self._block(each)
        for notes in slide.get_elements("presentation:notes"):
            self._unseen(notes)

    def _wrapped(self, name: str, attributes: Mapping[str, str], words: str) -> None:
        self._to.open(name, attributes)
        self._to.add(words)
        self._to.close(name)
        self._to.end_paragraph()

    def _unseen(self, element: Element) -> None:
        paragraphs = element.get_elements("descendant::text:p")
        if words := " ".join(map(text_of, paragraphs)).strip():
            self._wrapped("div", _NOT_SEEN, words)

    def _block(self, element: Element) -> None:
        match element.tag:
            case tag if tag in _NOT_READ:
                return
            case "text:p" | "text:h":
                self._paragraph(element)
            case "text:list":
                self._list(element, said(element, "text:style-name"), 1)
            case "table:table":
                self._table(element)
            case "text:section":
                hidden = "true" if said(element, "text:display") == "none" else ""
                hidden = hidden or said(element, "text:is-hidden")
                self._to.open("div", _NOT_SEEN if hidden == "true" else {})
                self.read(element)
                self._to.close("div")
            case "draw:frame":
                self._frame(element)
            case "office:annotation":
                self._unseen(element)
            case _:
                self.read(element)

    def _frame(self, frame: Element) -> None:
        """A box of text, or a picture by its description."""
        parts = {child.tag: child for child in frame.children}
        words = parts.get("svg:desc") or parts.get("svg:title")
        if "draw:image" in parts and "draw:text-box" not in parts:
            self._to.open("p")
            self._to.image(text_of(words) if words is not None else "")
            self._to.close("p")
            self._to.end_paragraph()
            return
        self._to.open("div")
        self.read(frame)
        self._to.close("div")

    def _paragraph(self, element: Element) -> None:
        style = said(element, "text:style-name")
        name = self._name(element, style)
        self._to.open(name, self._attributes("paragraph", style))
        hiding = element.get_elements("descendant::text:hidden-paragraph")
        if any(said(each, "text:is-hidden") == "true" for each in hiding):
            self._to.open("span", _NOT_SEEN)
        asides = list(self._inline(element))
        self._to.close(name)
        self._to.end_paragraph()
        for aside in asides:
            self._to.open("div")
            self._block(aside) if aside.tag == "draw:frame" else self.read(aside)
            self._to.close("div")

    def _name(self, element: Element, style: str) -> str:
        level = said(element, "text:outline-level") if element.tag == "text:h" else ""
        if level.isdecimal() or (level := str(self._styles.outline_level(style))) != "0":
            return f"h{min(max(int(level), 1), 6)}"
        if self._styles.is_named(style, "Title"):
            return "h1"
        return "pre" if self._styles.is_named(style, *_CODE_STYLES) else "p"

    def _attributes(self, family: str, style: str) -> Mapping[str, str]:
        css = self._styles.css(family, style)
        return {"style": in_a_line(css)} if css else {}

    def _inline(self, element: Element) -> Iterator[Element]:
        """Tell the text of a paragraph; yield what hangs on it."""
        self._to.add(element.text or "")
        for child in element.children:
            yield from self._piece(child)
            self._to.add(child.tail or "")

    def _piece(self, child: Element) -> Iterator[Element]:
        match child.tag:
            case tag if tag in _NOT_READ:
                return
            case tag if tag in _ASIDES:
                yield child
            case "office:annotation":
                self._to.open("span", _NOT_SEEN)
                self._to.add(" ".join(map(text_of, child.get_elements("descendant::text:p"))))
                self._to.close("span")
            case "text:s":
                self._to.add(" " * count(child, "text:c", _MOST_SPACES))
            case "text:tab":
                self._to.add("\t")
            case "text:line-break":
                self._to.line_break()
            case "text:span":
                style = said(child, "text:style-name")
                self._to.open("span", self._attributes("text", style))
                yield from self._inline(child)
                self._to.close("span")
            case _:
                hidden = said(child, "text:display") == "none"
                self._to.open("span", _NOT_SEEN if hidden else {})
                yield from self._inline(child)
                self._to.close("span")

    def _list(self, element: Element, style: str, level: int) -> None:
        name = "ol" if self._styles.is_numbered(style, level) else "ul"
        start = next((said(each, "text:start-value") for each in element.children), "")
        self._to.open(name, {"start": start} if start else {})
        for item in element.children:
            if item.tag == "text:list-header":
                self.read(item)
                continue
            self._to.open("li")
            for child in item.children:
                if child.tag == "text:list":
                    self._list(child, said(child, "text:style-name") or style, level + 1)
                else:
                    self._block(child)
            self._to.close("li")
        self._to.close(name)

    def _table(self, element: Element) -> None:
        rows = [
            told
            for told in rows_in(element)
            for _ in range(count(told[0], "table:number-rows-repeated", _MOST_REPEATED))
        ]
        require_at_most(len(rows), _MOST_REPEATED * _MOST_REPEATED, "rows in a table")
        heads = sum(is_head for _, is_head in rows) or self._heads([row for row, _ in rows])
        self._to.open("table")
        for number, (row, _) in enumerate(rows):
            shown = said(row, "table:visibility") in ("", "visible")
            self._to.open("tr", {} if shown else _NOT_SEEN)
            for cell in row.children:
                if cell.tag == "table:table-cell":
                    self._cell(cell, "th" if number < heads else "td")
            self._to.close("tr")
        self._to.close("table")

    def _heads(self, rows: Sequence[Element]) -> int:
        """How many rows at the top name the columns, where the table does not say."""
        spanned = "table:number-columns-spanned"
        cells = [
            [
                Cell(_own_text(cell), columns=count(cell, spanned, MOST_SPANNED))
                for cell in row.children
                if cell.tag == "table:table-cell"
            ]
            for row in rows
        ]
        own = [[_own_text(cell) for cell in row.children] for row in rows]
        bold = [all(map(self._stands_out, row.children)) for row in rows[:3]]
        heads = heads_where_merged(cells, own, stand_out=bold == [True, True, False])
        texts = [[cell.text for cell in row] for row in (*cells[:1], *cells[heads:])]
        stands_out = [*bold[:1], *bold[heads : heads + 1]] == [True, False]
        return heads * looks_like_header(texts, stands_out)

    def _stands_out(self, cell: Element) -> bool:
        paragraphs = cell.get_elements("text:p")
        names = [said(each, "text:style-name") for each in paragraphs if text_of(each).strip()]
        return all(
            self._styles.is_named(name, *_HEADING_STYLES)
            or self._styles.css("paragraph", name).get("font-weight") == "bold"
            for name in names
        )

    def _cell(self, cell: Element, name: str) -> None:
        spans = {
            html: said(cell, attribute)
            for html, attribute in (
                ("colspan", "table:number-columns-spanned"),
                ("rowspan", "table:number-rows-spanned"),
            )
        }
        for _ in range(count(cell, "table:number-columns-repeated", MOST_SPANNED)):
            self._to.open(name, spans)
            self.read(cell)
            self._to.close(name)


def _own_text(cell: Element) -> str:
    """Nothing of one that another covers."""
    return text_of(cell).strip() if cell.tag == "table:table-cell" else ""


_OPEN_DOCUMENT = OfficeFormat("LibreOffice", "an OpenDocument file", ".odt, .ods or .odp")
_MANIFEST = "META-INF/manifest.xml"
_LISTS_OF_MACROS = ("script-lb.xml", "script-lc.xml", "dialog-lb.xml", "dialog-lc.xml")
"""LibreOffice writes them where there is no macro, too."""


def parse(content: bytes) -> ParsedDocument:
    """Read a text, a workbook or a presentation; raise `UnreadableDocument`."""
    require_sound(content, _OPEN_DOCUMENT)
    try:
        _require_readable(content)
        document = Document(BytesIO(content))
        parsed = _read(document)
    except BROKEN as error:
        raise UnreadableDocument(_OPEN_DOCUMENT.damaged) from error
    if not (parsed.fragments or parsed.headings):
        raise without_text(hidden=bool(parsed.hidden))
    return parsed


def _require_readable(content: bytes) -> None:
    with ZipFile(BytesIO(content)) as archive:
        names = archive.namelist()
        if b"encryption-data" in archive.read(_MANIFEST):
            raise UnreadableDocument("is protected by a password; save it without a password")
        held = [name for name in names if name.startswith(("Basic/", "Scripts/"))]
        if any(not name.endswith(("/", *_LISTS_OF_MACROS)) for name in held):
            raise UnreadableDocument("holds macros; save it without them")


def _read(document: Document) -> ParsedDocument:
    styles = Styles(document)
    stated = [*_stated(document), *_beside(document)]
    titles = (str(each.value) for each in stated if each.key == "title")
    title = " ".join(next(titles, "").split())
    match document.get_type().removesuffix("-template"):
        case "spreadsheet":
            return SheetReader(styles).read(document.body, title, stated)
        case "presentation":
            return _slides(document.body, styles).document(title, stated)
        case _:
            transcript = Transcript()
            TextReader(styles, transcript).read(document.body)
            return transcript.document(title, stated)


def _slides(body: Element, styles: Styles) -> Transcript:
    transcript = Transcript()
    slides = [each for each in body.children if each.tag == "draw:page"]
    for number, slide in enumerate(slides, start=1):
        transcript.begin_page(Place(number, f"slide {number}"))
        style = said(slide, "draw:style-name")
        shown = styles.states("drawing-page", style, "presentation:visibility") != "hidden"
        transcript.open("div", {} if shown else {"style": "display: none"})
        TextReader(styles, transcript).read_slide(slide)
        transcript.close("div")
    return transcript


def _stated(document: Document) -> Iterator[Stated]:
    for each in elements_in(document, "meta.xml", "descendant::office:meta/*"):
        key = said(each, "meta:name") or each.tag.rpartition(":")[2]
        yield from stated_in_property(key, text_of(each).strip())


def _beside(document: Document) -> Iterator[Stated]:
    for page in elements_in(document, "styles.xml", "descendant::style:master-page"):
        lines = [
            text_of(each)
            for part in page.children
            if part.tag.startswith(("style:header", "style:footer"))
            for each in part.get_elements("descendant::text:p")
        ]
        yield from stated_beside(lines, "its running heads")
