"""The number before an item of an ordered list is kept, in whichever format it is written."""

from io import BytesIO

import docx
import pytest
from docx.document import Document
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import qn
from docx.oxml.table import CT_Row
from docx.oxml.text.parfmt import CT_PPr
from docx.text.paragraph import Paragraph
from parsed_documents import sentences
from reportlab.pdfgen.canvas import Canvas

from retrieval.parsing.docx.parser import parse as parse_docx
from retrieval.parsing.html import parse as parse_html
from retrieval.parsing.markdown import parse as parse_markdown
from retrieval.parsing.pdf.parser import parse as parse_pdf
from retrieval.parsing.plain import parse as parse_plain
from retrieval.types import ParsedDocument

Numbered = list[tuple[str, int | None]]


def numbers(document: ParsedDocument) -> Numbered:
    return [(each.text, each.item_number) for each in sentences(document)]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Do:\n\n1. a\n1. b\n", [("Do:", None), ("a", 1), ("b", 2)]),
        ("4. a\n5. b\n", [("a", 4), ("b", 5)]),
        ("- a\n- b\n", [("a", None), ("b", None)]),
        ("1. a\n\n   More of a.\n2. b\n", [("a", 1), ("More of a.", None), ("b", 2)]),
        ("1. a\n   1. c\n   2. d\n2. b\n", [("a", 1), ("c", 1), ("d", 2), ("b", 2)]),
        ("1. a\n   - c\n2. b\n", [("a", 1), ("c", None), ("b", 2)]),
        ("0. a\n1. b\n", [("a", None), ("b", 1)]),
    ],
)
def test_markdown_counts_from_the_first_number_on(text: str, read: Numbered) -> None:
    assert numbers(parse_markdown(text.encode())) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("<ol><li>a<li>b</ol><p>c", [("a", 1), ("b", 2), ("c", None)]),
        ("<ol start=3><li>a<li value=7>b<li>c</ol>", [("a", 3), ("b", 7), ("c", 8)]),
        ("<ol><li>a<ul><li>c</ul><li>b</ol>", [("a", 1), ("c", None), ("b", 2)]),
        ("<ol type=a><li>a</ol><ol reversed><li>b</ol>", [("a", None), ("b", None)]),
        ("<ol start=many><li>a<li hidden>b<li>c</ol>", [("a", 1), ("c", 2)]),
        ("<ul><li>a</ul><menu><li>b</menu><li>c", [("a", None), ("b", None), ("c", None)]),
    ],
)
def test_a_page_shows_the_numbers_that_a_browser_shows(text: str, read: Numbered) -> None:
    assert numbers(parse_html(text.encode())) == read


def test_plain_text_is_numbered_as_it_is_written() -> None:
    text = "Do:\n1. a\n(2) b\n3) c\na. d\n- e\n"
    read = [("Do:", None), ("a", 1), ("b", 2), ("c", 3), ("d", None), ("e", None)]
    assert numbers(parse_plain(text.encode())) == read


def test_a_pdf_is_numbered_as_it_is_drawn() -> None:
    buffer = BytesIO()
    canvas = Canvas(buffer)
    for line, text in enumerate(["1. Read your script first.", "2. Pay.", "- Take a pen."]):
        canvas.drawString(72, 700 - 20 * line, text)
    canvas.save()
    read = [("Read your script first.", 1), ("Pay.", 2), ("Take a pen.", None)]
    assert numbers(parse_pdf(buffer.getvalue())) == read


def word(*paragraphs: tuple[str, str], restart: str = "") -> Numbered:
    """A Word document of (style, text); at the text `restart` the numbers begin anew."""
    document = docx.Document()
    for style, text in paragraphs:
        added = document.add_paragraph(text, style=style)
        if text == restart:
            _begin_anew(document, added._element.get_or_add_pPr())  # noqa: SLF001
    buffer = BytesIO()
    document.save(buffer)
    return numbers(parse_docx(buffer.getvalue()))


def _begin_anew(document: Document, properties: object) -> None:
    """As Word writes "restart at 1": another number of the same definition, with an override."""
    root = document.part.numbering_part.element
    style = document.styles["List Number"].element.pPr.numPr.numId.val
    shared = next(each for each in root.num_lst if each.numId == style).abstractNumId.val
    num = root.add_num(shared)
    num.add_lvlOverride(ilvl=0).add_startOverride(1)
    held = properties.get_or_add_numPr()  # type: ignore[attr-defined]  # python-docx has no types
    held.get_or_add_numId().val = num.numId
    assert properties.find(qn("w:numPr")) is not None  # type: ignore[attr-defined]


def test_word_goes_on_counting_behind_a_paragraph_and_gives_a_bullet_no_number() -> None:
    items = [("List Number", "a"), ("Normal", "b"), ("List Number", "c"), ("List Bullet", "d")]
    assert word(*items) == [("a", 1), ("b", None), ("c", 2), ("d", None)]


def test_word_begins_anew_where_the_list_says_so() -> None:
    items = [("List Number", each) for each in "abc"]
    assert word(*items, restart="c") == [("a", 1), ("b", 2), ("c", 1)]


ARTICLES = """<w:abstractNum xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
 w:abstractNumId="77"><w:multiLevelType w:val="multilevel"/>
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="Article %1"/>
</w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="(%2)"/>
</w:lvl></w:abstractNum>"""


class Articles:
    """A Word document with one list of two levels: "Article 1" are headings, "(1)" items."""

    def __init__(self) -> None:
        self.document = docx.Document()
        root = self.document.part.numbering_part.element
        root.insert(0, parse_xml(ARTICLES))
        self._num_id = root.add_num(77).numId

    def article(self, text: str) -> None:
        self._numbered(self.document.add_paragraph(text, style="Heading 1"), 0)

    def item(self, text: str, mark: str = "") -> None:
        """`mark`: what is stated for the paragraph's end, such as that it is deleted."""
        properties = self._numbered(self.document.add_paragraph(text), 1)
        if mark:
            properties.append(OxmlElement("w:rPr"))
            properties[-1].append(OxmlElement(mark))

    def table(self, *texts: str) -> CT_Row:
        """A row with these items as its cells."""
        row = self.document.add_table(rows=1, cols=len(texts)).rows[0]
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
            self._numbered(cell.paragraphs[0], 1)
        return row._tr  # noqa: SLF001

    def _numbered(self, paragraph: Paragraph, level: int) -> CT_PPr:
        properties = paragraph._p.get_or_add_pPr()  # noqa: SLF001
        held = properties.get_or_add_numPr()
        held.get_or_add_ilvl().val = level
        held.get_or_add_numId().val = self._num_id
        return properties

    def items(self) -> Numbered:
        buffer = BytesIO()
        self.document.save(buffer)
        read = numbers(parse_docx(buffer.getvalue()))
        return [(text, number) for text, number in read if number is not None]


def test_word_begins_the_items_anew_below_each_numbered_heading() -> None:
    made = Articles()
    made.article("Leave")
    made.item("a")
    made.item("b")
    made.article("Pay")
    made.item("c")
    made.item("d")
    assert made.items() == [("a", 1), ("b", 2), ("c", 1), ("d", 2)]


@pytest.mark.parametrize(("mark", "number"), [("", 3), ("w:del", 2), ("w:vanish", 2)])
def test_word_numbers_an_empty_item_unless_it_is_deleted_or_hidden(mark: str, number: int) -> None:
    made = Articles()
    made.item("a")
    made.item("", mark)
    made.item("b")
    assert made.items() == [("a", 1), ("b", number)]


def test_word_counts_the_items_in_a_table_but_not_in_a_deleted_row() -> None:
    made = Articles()
    made.item("a")
    made.table("b", "c")
    made.table("d", "e").get_or_add_trPr().append(OxmlElement("w:del"))
    made.item("f")
    assert made.items() == [("a", 1), ("f", 4)]


def test_a_word_document_without_numbering_is_read_all_the_same() -> None:
    document = docx.Document()
    part = document.part
    part.drop_rel(
        next(name for name, each in part.rels.items() if each.reltype.endswith("numbering"))
    )
    document.add_paragraph("a", style="List Number")
    buffer = BytesIO()
    document.save(buffer)
    assert numbers(parse_docx(buffer.getvalue())) == [("a", None)]
