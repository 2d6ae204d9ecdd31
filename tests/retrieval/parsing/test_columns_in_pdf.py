"""Pages whose columns, tables and headings are drawn in ways that mislead a reader of the file."""

from collections.abc import Iterable
from io import BytesIO
from itertools import product

import pdfplumber
import pytest
from parsed_documents import quotes, sentences, texts
from pdf_pages import drawn
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

from retrieval.parsing.pdf.parser import parse
from retrieval.types import Box, ParsedDocument

LEFT = [
    "The left column begins here and",
    "goes on for some lines of text",
    "until it reaches its very end,",
    "where the right one takes over.",
]
RIGHT = [
    "The right column begins beside",
    "it and is read afterwards, line",
    "by line, though it was drawn in",
    "between the lines of the other.",
]
THIRD = [
    "A third one stands at the edge",
    "of the page and comes last of",
    "all, which nobody would doubt",
    "who looks at it as a whole.",
]
TITLE = "A title that runs across all of the columns that stand below it, from edge to edge."


def page_of(
    columns: list[list[str]], order: Iterable[tuple[int, int]], between: float = 165
) -> bytes:
    """Columns, their left edges so far apart, drawn in an order of (column, line)."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(60, 790, TITLE)
        for column, line in order:
            canvas.drawString(60 + between * column, 740 - 14 * line, columns[column][line])
        canvas.drawString(60, 500, "What stands below all columns is read last of all of them.")

    return drawn(draw)


def assert_boxes_hold(content: bytes, corner: tuple[float, float] = (0.0, 0.0)) -> ParsedDocument:
    """By another reader: what stands in a sentence's boxes is what is quoted.

    `corner`: of the page as it is shown, on the uncropped one that pdfplumber reads.
    """
    document = parse(content)
    with pdfplumber.open(BytesIO(content)) as opened:
        for sentence, quote in zip(sentences(document), quotes(document), strict=True):
            held = [inside(opened.pages[box.page - 1], box, corner) for box in sentence.boxes]
            assert " ".join(" ".join(held).split()) == " ".join(quote.split())
    return document


def inside(page: pdfplumber.page.Page, box: Box, corner: tuple[float, float]) -> str:
    left, top = corner
    edges = (box.x0 + left, box.y0 + top, box.x1 + left, box.y1 + top)
    middle = page.filter(
        lambda each: (
            each["object_type"] == "char"
            and edges[0] <= (each["x0"] + each["x1"]) / 2 <= edges[2]
            and edges[1] <= (each["top"] + each["bottom"]) / 2 <= edges[3]
        )
    )
    return str(middle.extract_text())


@pytest.mark.parametrize("columns", [[LEFT, RIGHT], [LEFT, RIGHT, THIRD]])
@pytest.mark.parametrize("between", [160, 172])
def test_columns_drawn_line_by_line_are_read_one_after_the_other(
    columns: list[list[str]], between: float
) -> None:
    order = [(column, line) for line, column in product(range(4), range(len(columns)))]
    document = assert_boxes_hold(page_of(columns, order, between))
    expected = [TITLE, *(" ".join(column) for column in columns)]
    assert texts(document)[:-1] == expected
    assert texts(document)[-1].startswith("What stands below")


def test_the_left_column_is_read_first_though_it_is_drawn_last() -> None:
    order = [*((1, line) for line in range(4)), *((0, line) for line in range(4))]
    document = assert_boxes_hold(page_of([LEFT, RIGHT], order, 260))
    assert texts(document)[1:3] == [" ".join(LEFT), " ".join(RIGHT)]


def test_columns_that_are_drawn_in_order_stay_so_line_for_line() -> None:
    order = product(range(2), range(4))
    document = assert_boxes_hold(page_of([LEFT, RIGHT], order))
    assert document.source.splitlines()[1:-1] == [*LEFT, *RIGHT]


def test_a_table_of_sentences_is_no_columns() -> None:
    asked = ["Who may borrow a laptop?", "How long is it lent for?", "Who repairs a broken one?"]
    told = ["All students may do that.", "Three days, or a weekend.", "The desk in building B."]
    columns = [[*asked, "Where is it returned to?"], [*told, "The place it was lent at."]]
    order = [(column, line) for line, column in product(range(4), range(2))]
    read_as = " ".join(texts(parse(page_of(columns, order))))
    assert f"{asked[0]}; {told[0]} {asked[1]}; {told[1]}" in read_as


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_turned_page_is_read_and_boxed_as_it_is_shown(rotation: int) -> None:
    width, height = A4

    def draw(canvas: Canvas) -> None:
        if rotation in (90, 270):  # reportlab turns the page's sheet too
            canvas.setPageSize((height, width))
        canvas.setPageRotation(rotation)
        canvas.setCropBox((10, 20, 570, 800))
        origin = {0: (0, 0), 90: (width, 0), 180: (width, height), 270: (0, height)}
        canvas.translate(*origin[rotation])
        canvas.rotate(rotation)
        for number, line in enumerate(LEFT):
            canvas.drawString(100, 500 - 14 * number, line)
        rows = [["Machine", "Hours", "Fee"], ["Lathe", "40", "12.50"], ["Mill", "25", "18.00"]]
        table = Table(rows, style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
        table.wrapOn(canvas, 300, 300)
        table.drawOn(canvas, 100, 300)

    content = drawn(draw)
    corners = {90: (20, 10), 180: (width - 570, 20), 270: (height - 800, width - 570)}
    document = assert_boxes_hold(content, corners.get(rotation, (10, height - 800)))
    assert texts(document) == [
        " ".join(LEFT),
        "Machine: Lathe; Hours: 40; Fee: 12.50",
        "Machine: Mill; Hours: 25; Fee: 18.00",
    ]
    (page,) = document.pages
    with pdfplumber.open(BytesIO(content)) as opened:
        for sentence in sentences(document)[1:]:
            for cell in sentence.cells:
                assert cell.box is not None
                assert 0 < cell.box.x0 < cell.box.x1 < page.width
                assert 0 < cell.box.y0 < cell.box.y1 < page.height
                value = sentence.text[cell.start : cell.end]
                assert (
                    inside(opened.pages[0], cell.box, corners.get(rotation, (10, height - 800)))
                    == value
                )


def test_a_table_ruled_row_by_row_is_read_with_its_columns() -> None:
    """As LaTeX draws it: an upright line of each row, no longer than the row is high."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 8)
        rows = [["Machine", "Hours", "Fee"], ["Lathe", "40", "12.50"], ["Mill", "25", "18.00"]]
        for number, row in enumerate(rows):
            top = 700 - 11 * number
            canvas.line(70, top, 250, top)
            for x in (70, 130, 190, 250):
                canvas.line(x, top, x, top - 11)
            for x, text in zip((72, 132, 192), row, strict=True):
                canvas.drawString(x, top - 8, text)
        canvas.line(70, 667, 250, 667)

    assert texts(parse(drawn(draw))) == [
        "Machine: Lathe; Hours: 40; Fee: 12.50",
        "Machine: Mill; Hours: 25; Fee: 18.00",
    ]


def test_ligatures_are_read_as_the_letters_that_they_stand_for() -> None:
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Vera", 12)
        canvas.drawString(72, 700, "The \ufb01rst \ufb02oor is \ufb01lled; it was con\ufb01rmed.")

    content = drawn(draw)
    document = parse(content)
    assert texts(document) == ["The first floor is filled; it was confirmed."]
    with pdfplumber.open(BytesIO(content)) as opened:
        page = opened.pages[0]
        assert "\ufb01" in page.extract_text(expand_ligatures=False)
        (box,) = sentences(document)[0].boxes
        first, last = page.chars[0], page.chars[-1]
        assert box.x0 <= first["x0"] + 1
        assert box.x1 >= last["x1"] - 1
