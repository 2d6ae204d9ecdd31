"""A cell of a table has a place of its own, in the row's text and in a PDF on the page."""

from io import BytesIO

import docx
import pdfplumber
from hypothesis import given
from hypothesis import strategies as st
from parsed_documents import sentences
from pdf_pages import built, styled
from reportlab.lib import colors
from reportlab.platypus import Spacer, Table
from word_files import add_table, parsed

from retrieval.parsing import html, markdown
from retrieval.parsing.pdf import parser as pdf
from retrieval.parsing.tables import Cell, row_texts
from retrieval.types import ParsedDocument, Sentence

GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.black)


def cells(sentence: Sentence) -> list[tuple[str, str]]:
    return [(cell.name, sentence.text[cell.start : cell.end]) for cell in sentence.cells]


def rows(document: ParsedDocument) -> list[list[tuple[str, str]]]:
    return [cells(sentence) for sentence in sentences(document) if sentence.cells]


def ruled(table: Table) -> bytes:
    return built(styled("Fees."), Spacer(1, 20), table)


def assert_boxes_hold(content: bytes) -> None:
    """By another reader: each cell's box holds its value, and nothing else."""
    with pdfplumber.open(BytesIO(content)) as opened:
        for sentence in sentences(pdf.parse(content)):
            for cell in sentence.cells:
                assert cell.box is not None
                box = cell.box.x0, cell.box.y0, cell.box.x1, cell.box.y1
                held = opened.pages[cell.box.page - 1].crop(box).extract_text()
                assert " ".join(held.split()) == sentence.text[cell.start : cell.end]


def test_cells_of_a_ruled_table_are_boxed_on_the_page() -> None:
    data = [
        ["Machine", "Hours", "Fee"],
        ["Lathe", "40", "12.50"],
        [styled("Laser cutter with its extraction"), "60", ""],
    ]
    content = ruled(Table(data, [90, 60, 60], style=[GRID]))
    assert rows(pdf.parse(content)) == [
        [("Machine", "Lathe"), ("Hours", "40"), ("Fee", "12.50")],
        [("Machine", "Laser cutter with its extraction"), ("Hours", "60")],
    ]
    assert_boxes_hold(content)


def test_a_cell_that_reaches_down_is_one_box_in_each_of_its_rows() -> None:
    data = [["Faculty", "Course", "Fee"], ["Law", "Short", "10"], ["", "Long", "20"]]
    content = ruled(Table(data, style=[GRID, ("SPAN", (0, 1), (0, 2))]))
    first, second = (s for s in sentences(pdf.parse(content)) if s.cells)
    assert cells(second) == [("Faculty", "Law"), ("Course", "Long"), ("Fee", "20")]
    assert first.cells[0].box == second.cells[0].box
    assert_boxes_hold(content)


def test_cells_of_a_table_that_goes_on_are_on_their_own_page() -> None:
    data = [["Unit", "Staff", "Open"], *([f"Unit {n}", str(n), "yes"] for n in range(60))]
    content = ruled(Table(data, style=[GRID]))
    found = [s for s in sentences(pdf.parse(content)) if s.cells]
    assert {(s.page, {cell.box and cell.box.page for cell in s.cells} == {s.page}) for s in found}
    assert {s.page for s in found} == {1, 2}
    assert cells(found[-1]) == [("Unit", "Unit 59"), ("Staff", "59"), ("Open", "yes")]
    assert_boxes_hold(content)


def test_markdown_and_html_name_the_columns_of_cells() -> None:
    table = b"| Machine | Fee |\n|---|---|\n| *Lathe* | 12.50 |\n"
    assert rows(markdown.parse(table)) == [[("Machine", "Lathe"), ("Fee", "12.50")]]
    page = (
        b"<table><tr><th>Faculty<th colspan=2>Fee</tr>"
        b"<tr><td rowspan=2>Law<td>10<td>EUR<tr><td>20<td></table>"
    )
    assert rows(html.parse(page)) == [
        [("Faculty", "Law"), ("Fee", "10"), ("Fee", "EUR")],
        [("Faculty", "Law"), ("Fee", "20")],
    ]


def test_a_value_over_several_columns_is_under_the_names_of_all() -> None:
    page = (
        b"<table><tr><th>Gate<th>Mon<th>Tue<th>Wed<tr><td>Main<td>8-20<td>9-20<td>9-20"
        b"<tr><td>Law<td colspan=2 rowspan=2>closed<td>9-12<tr><td>Art<td>10-12"
        b"<tr><td colspan=3>All on holidays<td>closed</table>"
    )
    assert [each.text for each in sentences(html.parse(page))] == [
        "Gate: Main; Mon: 8-20; Tue: 9-20; Wed: 9-20",
        "Gate: Law; Mon, Tue: closed; Wed: 9-12",
        "Gate: Art; Mon, Tue: closed; Wed: 10-12",
        "Gate, Mon, Tue: All on holidays; Wed: closed",
    ]


def test_a_header_that_leads_its_row_is_a_cell_without_a_name() -> None:
    page = b"<table><tr><th>Dean:<td>Ana<td>B 12</tr><tr><th>Porter<td>Ben<td>A 1</table>"
    (first, second) = sentences(html.parse(page))
    assert first.text == "Dean: Ana; B 12"
    assert cells(first) == [("", "Dean"), ("", "Ana"), ("", "B 12")]
    assert cells(second)[0] == ("", "Porter")


def test_cells_of_a_word_table_are_named() -> None:
    made = docx.Document()
    add_table(made, ["Machine", "Hours", "Fee"], ["Lathe", "40", "12.50"], ["Mill", "25", ""])
    assert rows(parsed(made)) == [
        [("Machine", "Lathe"), ("Hours", "40"), ("Fee", "12.50")],
        [("Machine", "Mill"), ("Hours", "25")],
    ]


grid = st.lists(
    st.lists(st.builds(Cell, st.text("ab ;:", max_size=4), st.booleans()), min_size=1, max_size=4),
    max_size=4,
)


@given(grid, st.lists(st.text("ab:", max_size=3), max_size=5))
def test_cells_stand_in_the_text_of_their_row_and_apart(
    table: list[list[Cell]], names: list[str]
) -> None:
    for own, read in zip(table, row_texts(table, names), strict=True):
        done = 0
        if any(cell.name and cell.name not in names for cell in read.cells):
            continue  # its labels name its values
        for cell in read.cells:
            value = read.text[cell.start : cell.end]
            assert done <= cell.start
            assert value in (own[cell.column].text, own[cell.column].text.rstrip(" :"))
            assert value or not own[cell.column].text
            done = cell.end
        held = [column for column, cell in enumerate(own) if cell.text]
        assert [cell.column for cell in read.cells] == held
