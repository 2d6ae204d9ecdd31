from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from parsed_documents import kinds, quotes, read, sentences, texts
from pdf_pages import drawn
from reportlab.lib import colors, pdfencrypt
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    ListFlowable,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from retrieval.errors import UnreadableDocument
from retrieval.parsing.pdf.parser import parse
from retrieval.types import FragmentKind, ParsedDocument

ITEM, PARAGRAPH, ROW = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH, FragmentKind.TABLE_ROW
STYLES = getSampleStyleSheet()
GRID = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
FILLER = "Leave is earned in every pay period and lapses at the end of the leave year. " * 6


def heading(text: str, level: int) -> Paragraph:
    return Paragraph(text, STYLES[f"Heading{level}"])


def body(text: str) -> Paragraph:
    return Paragraph(text, STYLES["BodyText"])


def built(story: list[Flowable], title: str | None = None, *, running: bool = False) -> bytes:
    def decorate(canvas: Canvas, document: SimpleDocTemplate) -> None:
        if running:
            canvas.drawString(72, 815, "Example University")
            canvas.drawString(280, 20, f"Page {document.page}")

    buffer = BytesIO()
    template = SimpleDocTemplate(buffer, pagesize=A4, title=title)
    template.build(story, onFirstPage=decorate, onLaterPages=decorate)
    return buffer.getvalue()


def assert_places_hold(document: ParsedDocument) -> None:
    """Offsets are in order, line numbers count the page's lines, boxes are on the page."""
    done = 0
    first_line_of_page: dict[int | None, int | None] = {}
    for sentence in sentences(document):
        assert done <= sentence.char_start < sentence.char_end <= len(document.source)
        done = sentence.char_end
        line = document.source.count("\n", 0, sentence.char_start)
        assert sentence.page is not None
        assert sentence.line_start is not None
        offset = first_line_of_page.setdefault(sentence.page, line - sentence.line_start)
        assert line - sentence.line_start == offset
        quote = document.source[sentence.char_start : sentence.char_end]
        assert sentence.line_end == sentence.line_start + quote.count("\n")
        assert sentence.boxes
        for box in sentence.boxes:
            assert box.page == sentence.page
            assert 0 <= box.x0 < box.x1 <= A4[0]
            assert 0 <= box.y0 < box.y1 <= A4[1]


def test_a_handbook_is_read_with_sections_pages_lines_and_boxes() -> None:
    document = parse(
        built(
            [
                heading("Annual leave", 1),
                body(f"You earn leave. {FILLER}"),
                body("A second paragraph."),
                heading("Who earns it", 2),
                ListFlowable([body("Staff. All of them."), body(FILLER)], bulletType="bullet"),
                ListFlowable([body("Ask first")], bulletType="1", bulletFormat="%s."),
                PageBreak(),
                body("On the next page."),
                heading("Sick leave", 1),
                body("Call us."),
            ],
            title="Leave handbook",
            running=True,
        )
    )
    assert_places_hold(document)
    assert document.title == "Leave handbook"
    assert kinds(document) == [
        (PARAGRAPH, f"You earn leave. {FILLER}".strip()),
        (PARAGRAPH, "A second paragraph."),
        (ITEM, "Staff. All of them."),
        (ITEM, FILLER.strip()),
        (ITEM, "Ask first"),
        (PARAGRAPH, "On the next page."),
        (PARAGRAPH, "Call us."),
    ]
    assert [f.section_path for f in document.fragments][1:3] == [
        ("Annual leave",),
        ("Annual leave", "Who earns it"),
    ]
    assert [s.page for s in sentences(document)][-2:] == [2, 2]
    assert "Example University" in document.source


def test_the_first_big_line_is_the_title_where_none_is_stated() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 22)
        canvas.drawString(72, 760, "Exam rules")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 720, "Exams are held twice a year. Bring a card.")

    document = parse(drawn(draw))
    assert document.title == "Exam rules"
    assert document.fragments[0].section_path == ()


def test_a_box_is_measured_from_the_top_left_of_the_page() -> None:
    document = parse(drawn(lambda canvas: canvas.drawString(100, A4[1] - 50, "Hello there.")))
    (box,) = sentences(document)[0].boxes
    assert box.x0 == pytest.approx(100, abs=2)
    assert box.y0 < 50 < box.y1 < 60


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_box_holds_on_a_page_that_is_turned_and_cropped(rotation: int) -> None:
    width, height = A4
    at = {
        0: (100, height - 50),
        90: (50, 100),
        180: (width - 100, 50),
        270: (width - 50, height - 100),
    }

    def draw(canvas: Canvas) -> None:
        if rotation in (90, 270):  # reportlab turns the page's sheet too
            canvas.setPageSize((height, width))
        canvas.setPageRotation(rotation)
        canvas.setCropBox((10, 10, width - 10, height - 10))
        canvas.translate(*at[rotation])
        canvas.rotate(rotation)
        canvas.drawString(0, 0, "Hello there.")

    (box,) = sentences(parse(drawn(draw)))[0].boxes
    assert box.x0 == pytest.approx(90, abs=2)
    assert box.y0 < 40 < box.y1 < 50


def test_ruled_tables_carry_column_names_on_to_the_next_page() -> None:
    rows = [[str(n), body("Half of the time, or more if they agree"), "16-20"] for n in range(60)]
    table = Table([["Direct reports", "Expectation", "Hours"], *rows], [90, 120, 60], style=GRID)
    document = parse(built([body("Before."), table, body("After the table.")], running=True))
    assert_places_hold(document)
    found = sentences(document)
    assert [f.kind for f in document.fragments] == [PARAGRAPH, *[ROW] * 60, PARAGRAPH]
    assert found[0].text == "Before."
    assert found[-1].text == "After the table."
    assert {s.page for s in found} >= {1, 2, 3}
    for number, row in enumerate(found[1:-1]):
        assert row.text == (
            f"Direct reports: {number}; Expectation: Half of the time, or more if they agree; "
            "Hours: 16-20"
        )
        assert len(row.boxes) == 3


def test_a_header_that_each_page_repeats_is_no_row() -> None:
    rows = [[f"Unit {n}", str(n), "yes"] for n in range(60)]
    table = Table([["Unit", "Staff", "Open"], *rows], style=GRID, repeatRows=1)
    document = parse(built([table]))
    assert texts(document) == [f"Unit: Unit {n}; Staff: {n}; Open: yes" for n in range(60)]


def test_a_table_of_names_and_values_gets_no_false_header() -> None:
    document = parse(built([Table([["Name", "Ana"], ["Office", "B 12"]], style=GRID)]))
    assert texts(document) == ["Name; Ana", "Office; B 12"]


def test_a_bold_first_row_names_two_columns() -> None:
    style = [*GRID, ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")]
    document = parse(built([Table([["Role", "Person"], ["Dean", "Ana Silva"]], style=style)]))
    assert texts(document) == ["Role: Dean; Person: Ana Silva"]


def test_words_parted_at_a_line_end_are_joined_in_the_text_only() -> None:
    def draw(canvas: Canvas) -> None:
        lines = ["A well-known re-evaluation is a new exami-", "nation after a re-", "evaluation."]
        for number, line in enumerate(lines):
            canvas.drawString(72, 760 - 14 * number, line)

    document = parse(drawn(draw))
    assert texts(document) == [
        "A well-known re-evaluation is a new examination after a re-evaluation."
    ]
    assert quotes(document)[0].count("-\n") == 2
    assert len(sentences(document)[0].boxes) == 3


def test_contents_page_numbers_and_running_heads_are_no_passages() -> None:
    def draw(canvas: Canvas) -> None:
        for page in range(1, 5):
            canvas.drawString(72, 815, f"Chapter 1: Leave {page}" if page > 1 else "Contents")
            canvas.drawString(72, 500, f"Page {page} says something." if page > 1 else "1 Leave")
            canvas.drawString(72, 400, "Leave" + " ." * 30 + " 2" if page == 1 else "And more.")
            canvas.drawString(300, 20, "iv" if page == 1 else f"{page} / 4")
            canvas.showPage()

    found = " ".join(texts(parse(drawn(draw))))
    assert "Page 3 says something." in found
    assert not any(word in found for word in ("Chapter", ". .", "/ 4", "iv"))


def test_two_columns_are_read_one_after_the_other() -> None:
    def draw(canvas: Canvas) -> None:
        for column, words in ((72, "left"), (320, "right")):
            for number in range(5):
                canvas.drawString(column, 760 - 14 * number, f"The {words} column, line {number}")

    read_as = " ".join(read(fragment) for fragment in parse(drawn(draw)).fragments)
    assert read_as.index("left column, line 4") < read_as.index("right column, line 0")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"%PDF-1.7 nonsense", "damaged"),
        (drawn(lambda canvas: canvas.rect(50, 50, 100, 100)), "OCR"),
        (
            drawn(lambda canvas: canvas.drawString(72, 700, "Secret"), encrypt="password"),
            "password",
        ),
    ],
)
def test_what_cannot_be_read_says_what_to_do(content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableDocument, match=reason):
        parse(content)


def test_a_document_that_only_restricts_printing_is_read() -> None:
    locked = pdfencrypt.StandardEncryption("", ownerPassword="owner", canPrint=0)
    table = Table([["A", "B", "C"], ["1", "2", "3"]], style=GRID)
    buffer = BytesIO()
    SimpleDocTemplate(buffer, encrypt=locked).build([body("Open."), Spacer(1, 20), table])
    assert texts(parse(buffer.getvalue())) == ["Open.", "A: 1; B: 2; C: 3"]


def test_several_threads_may_read_at_once() -> None:
    contents = [built([body(f"Document {n}. {FILLER}")]) for n in range(8)]
    with ThreadPoolExecutor(4) as threads:
        documents = list(threads.map(parse, contents))
    assert [texts(document)[0] for document in documents] == [f"Document {n}." for n in range(8)]
