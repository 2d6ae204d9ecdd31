"""The number before an item of an ordered list is kept, in whichever format it is written."""

from functools import partial

import docx
import pytest
from parsed_documents import sentences
from pdf_pages import drawn, write
from word_files import add_table, parsed, xml

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
    lines = ["1. Read your script first.", "2. Pay.", "- Take a pen."]
    read = [("Read your script first.", 1), ("Pay.", 2), ("Take a pen.", None)]
    assert numbers(parse_pdf(drawn(partial(write, lines=lines, top=100)))) == read


def test_word_goes_on_counting_behind_a_paragraph_and_gives_a_bullet_no_number() -> None:
    made = docx.Document()
    items = [("List Number", "a"), ("Normal", "b"), ("List Number", "c"), ("List Bullet", "d")]
    for style, text in items:
        made.add_paragraph(text, style=style)
    assert numbers(parsed(made)) == [("a", 1), ("b", None), ("c", 2), ("d", None)]


@pytest.mark.parametrize(("mark", "number"), [("", 3), ("<w:del/>", 2), ("<w:vanish/>", 2)])
def test_word_numbers_an_empty_item_unless_it_is_deleted_or_hidden(mark: str, number: int) -> None:
    made = docx.Document()
    _, empty, _ = (made.add_paragraph(text, style="List Number") for text in ("a", "", "b"))
    empty.paragraph_format.element.pPr.append(xml(f"<w:rPr>{mark}</w:rPr>"))
    assert numbers(parsed(made)) == [("a", 1), ("b", number)]


def test_word_counts_the_items_in_a_table_but_not_in_a_deleted_row() -> None:
    made = docx.Document()
    made.add_paragraph("a", style="List Number")
    table = add_table(made, ["b", "c"], ["d", "e"])
    for cell in (*table.rows[0].cells, *table.rows[1].cells):
        cell.paragraphs[0].style = made.styles["List Number"]
    table.rows[1]._tr.get_or_add_trPr().append(xml("<w:del/>"))  # noqa: SLF001
    made.add_paragraph("f", style="List Number")
    assert numbers(parsed(made))[-1] == ("f", 4)


def test_a_word_document_without_numbering_is_read_all_the_same() -> None:
    made = docx.Document()
    relations = made.part.rels.items()
    made.part.drop_rel(next(id_ for id_, each in relations if each.reltype.endswith("numbering")))
    made.add_paragraph("a", style="List Number")
    assert numbers(parsed(made)) == [("a", None)]
