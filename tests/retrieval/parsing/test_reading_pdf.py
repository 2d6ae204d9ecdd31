from concurrent.futures import ThreadPoolExecutor

import pytest
from parsed_documents import kinds, quotes, sentences, texts
from pdf_pages import built, drawn, styled
from reportlab.lib import colors, pdfencrypt
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import ListFlowable, PageBreak, Spacer, Table

from retrieval.errors import UnreadableDocument
from retrieval.parsing.pdf.parser import parse
from retrieval.types import FragmentKind, ParsedDocument

ITEM, PARAGRAPH, ROW = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH, FragmentKind.TABLE_ROW
GRID = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
FILLER = "Leave is earned in every pay period and lapses at the end of the leave year. " * 6


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
            styled("Annual leave", "Heading1"),
            styled(f"You earn leave. {FILLER}"),
            styled("A second paragraph."),
            styled("Who earns it", "Heading2"),
            ListFlowable([styled("Staff. All of them."), styled(FILLER)], bulletType="bullet"),
            ListFlowable([styled("Ask first")], bulletType="1", bulletFormat="%s."),
            PageBreak(),
            styled("On the next page."),
            styled("Sick leave", "Heading1"),
            styled("Call us."),
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


def test_ruled_tables_carry_column_names_on_to_the_next_page() -> None:
    rows = [[str(n), styled("Half of the time, or more if they agree"), "16-20"] for n in range(60)]
    table = Table([["Direct reports", "Expectation", "Hours"], *rows], [90, 120, 60], style=GRID)
    document = parse(built(styled("Before."), table, styled("After the table."), running=True))
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
    document = parse(built(table))
    assert texts(document) == [f"Unit: Unit {n}; Staff: {n}; Open: yes" for n in range(60)]


def test_a_table_of_names_and_values_gets_no_false_header() -> None:
    document = parse(built(Table([["Name", "Ana"], ["Office", "B 12"]], style=GRID)))
    assert texts(document) == ["Name; Ana", "Office; B 12"]


def test_a_bold_first_row_names_two_columns() -> None:
    style = [*GRID, ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")]
    document = parse(built(Table([["Role", "Person"], ["Dean", "Ana Silva"]], style=style)))
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
            canvas.drawString(72, 815, f"Chapter 1: Leave | {page}" if page > 1 else "Contents")
            canvas.drawString(72, 500, f"Page {page} says something." if page > 1 else "1 Leave")
            canvas.drawString(72, 400, "Leave" + " ." * 30 + " 2" if page == 1 else "And more.")
            canvas.drawString(300, 20, "iv" if page == 1 else f"{page} / 4")
            canvas.showPage()

    found = " ".join(texts(parse(drawn(draw))))
    assert "Page 3 says something." in found
    assert not any(word in found for word in ("Chapter", ". .", "/ 4", "iv"))


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
    content = built(styled("Open."), Spacer(1, 20), table, encrypt=locked)
    assert texts(parse(content)) == ["Open.", "A: 1; B: 2; C: 3"]


def test_a_page_with_few_words_whose_letters_are_drawn_one_by_one_is_read_in_words() -> None:
    def draw(canvas: Canvas) -> None:
        for number, line in enumerate(("Contents of all", "1 Rent", "2 Deposit", "3 Notice")):
            left = 34.0
            for letter in line:
                canvas.drawString(left, 706 - 13 * number, letter)
                left += canvas.stringWidth(letter)

    assert texts(parse(drawn(draw))) == ["Contents of all 1 Rent 2 Deposit 3 Notice"]


def test_several_threads_may_read_at_once() -> None:
    contents = [built(styled(f"Document {n}. {FILLER}")) for n in range(8)]
    with ThreadPoolExecutor(4) as threads:
        documents = list(threads.map(parse, contents))
    assert [texts(document)[0] for document in documents] == [f"Document {n}." for n in range(8)]
