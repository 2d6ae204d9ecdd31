"""Program text on a page of a PDF is told from prose, and quoted as it is printed."""

from collections.abc import Callable

import pytest
from opened_sources import assert_places_yield_their_text
from parsed_documents import kinds, read, texts
from pdf_pages import drawn_pages, write
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from retrieval.parsing.pdf.parser import parse
from retrieval.types import Fragment, FragmentKind, ParsedDocument

CODE, PARAGRAPH = FragmentKind.CODE, FragmentKind.PARAGRAPH
PROGRAM = (
    "def leave(days):",
    "    if days > 30:     # too many",
    "        return 30",
    "    return days",
    "}",
)
PROSE = (
    "Whoever is employed for a year takes thirty days of leave, of which",
    "five may be taken along into the next year if the head of unit agrees.",
    "What is left then lapses at the end of March, and nothing is paid for it.",
)
LETTER = (
    "Dear student, your request for a second examination was received",
    "by this office on the third of March. It will be decided upon at",
    "the next meeting of the board, and you will hear from us in a",
    "letter within two weeks.",
)


def handout(canvas: Canvas, program: tuple[str, ...] = PROGRAM) -> None:
    write(canvas, PROSE, 100)
    write(canvas, program, 150, "Courier")
    write(canvas, PROSE, 250)


def code_in(document: ParsedDocument) -> list[Fragment]:
    return [fragment for fragment in document.fragments if fragment.kind is CODE]


def printed(document: ParsedDocument, fragment: Fragment) -> str:
    """As the page has it from the first word on."""
    return document.source[fragment.sentences[0].char_start : fragment.sentences[-1].char_end]


def test_program_text_is_one_fragment_line_by_line_and_quoted_as_printed() -> None:
    content = drawn_pages(handout)
    document = parse(content)
    (program,) = code_in(document)
    assert [sentence.text for sentence in program.sentences] == [
        " ".join(line.split()) for line in PROGRAM
    ]
    assert printed(document, program) == "\n".join(PROGRAM)
    assert [s.line_start for s in program.sentences] == [4, 5, 6, 7, 8]
    assert all(len(sentence.boxes) == 1 for sentence in program.sentences)
    assert program.sentences[1].boxes[0].x0 == pytest.approx(72 + 4 * 6, abs=0.5)
    assert [kind for kind, _ in kinds(document)] == [PARAGRAPH, CODE, PARAGRAPH]
    assert_places_yield_their_text("handout.pdf", content)


def test_a_blank_line_parts_no_program() -> None:
    document = parse(
        drawn_pages(lambda canvas: handout(canvas, ("import leave", "", "leave.ask(5)")))
    )
    assert [read(fragment) for fragment in code_in(document)] == ["import leave leave.ask(5)"]


def test_words_in_bold_are_of_the_program_that_they_stand_in() -> None:
    def draw(canvas: Canvas) -> None:
        write(canvas, PROSE, 100)
        write(canvas, ("for day in leave:", "    ask(day)"), 150, "Courier")
        canvas.setFont("Courier-Bold", 10)
        canvas.drawString(72, A4[1] - 174, "return")
        canvas.setFont("Courier", 10)
        canvas.drawString(72 + 7 * 6, A4[1] - 174, "days")

    assert [read(fragment) for fragment in code_in(parse(drawn_pages(draw)))] == [
        "for day in leave: ask(day) return days"
    ]


def test_on_the_next_page_the_program_is_another_fragment() -> None:
    document = parse(drawn_pages(handout, handout))
    assert [fragment.sentences[0].page for fragment in code_in(document)] == [1, 2]


def test_a_heading_above_a_program_is_its_heading() -> None:
    def draw(canvas: Canvas) -> None:
        handout(canvas)
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(72, A4[1] - 300, "Asking for leave")
        write(canvas, PROGRAM, 316, "Courier")

    document = parse(drawn_pages(draw))
    assert [heading.text for heading in document.headings] == ["Asking for leave"]
    assert len(code_in(document)) == 2


def test_a_word_in_a_typewriter_font_is_of_its_sentence() -> None:
    def draw(canvas: Canvas) -> None:
        for row in range(3):
            text = canvas.beginText(72, A4[1] - 100 - 12 * row)
            for font, words in (("Helvetica", "Then type "), ("Courier", "vouch.ask")):
                text.setFont(font, 10)
                text.textOut(words)
            text.setFont("Helvetica", 10)
            text.textOut(" and press the key.")
            canvas.drawText(text)

    document = parse(drawn_pages(draw))
    assert code_in(document) == []
    assert texts(document) == ["Then type vouch.ask and press the key."] * 3


def one_line(canvas: Canvas) -> None:
    write(canvas, PROSE, 100)
    write(canvas, ("vouch ask 'how much leave?'",), 150, "Courier")


def a_long_path(canvas: Canvas) -> None:
    path = ("/usr/share/doc/leave/which-is/a-long-path", "/that-goes-on/over-a-line/of-its-own.txt")
    write(canvas, (*PROSE, "The whole rule stands in the file"), 100)
    write(canvas, path, 148, "Courier")
    write(canvas, ("beside the others.",), 172)


def typed_as_a_whole(canvas: Canvas) -> None:
    write(canvas, ("Board of examinations",), 60)
    for top in (100, 200, 300):
        write(canvas, (*LETTER, "Room 5", "Hall 7"), top, "Courier")


def a_typed_letter(canvas: Canvas) -> None:
    handout(canvas, LETTER)


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (one_line, "vouch ask 'how much leave?'"),
        (a_long_path, "The whole rule stands in the file /usr/share/doc/leave"),
        (typed_as_a_whole, "It will be decided upon at the next meeting of the board,"),
        (a_typed_letter, "Dear student, your request for a second examination was received by"),
    ],
)
def test_what_is_set_in_a_typewriter_font_may_be_prose(
    draw: Callable[[Canvas], None], said: str
) -> None:
    document = parse(drawn_pages(draw))
    assert code_in(document) == []
    assert said in " ".join(texts(document))


def test_text_that_climbs_the_page_is_in_no_typewriter_font_however_even_it_looks() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.rotate(90)
        write(canvas, ("Arrival times",), A4[1] + 100)
        canvas.restoreState()
        handout(canvas)
        write(canvas, ("310", "320"), 400)

    assert [read(fragment) for fragment in code_in(parse(drawn_pages(draw)))] == [
        " ".join(" ".join(PROGRAM).split())
    ]


def test_a_caption_in_a_typewriter_font_stays_one() -> None:
    rows = ("Table 5.1: Fees by year", "2024     310.00", "2025     320.00")
    found = kinds(parse(drawn_pages(lambda canvas: handout(canvas, rows))))
    assert (FragmentKind.CAPTION, "Table 5.1: Fees by year") in found
    assert (CODE, "2024 310.00 2025 320.00") in found


def test_a_program_on_a_page_a_mile_wide_is_read_without_filling_the_memory() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageSize((14_000, A4[1]))
        handout(canvas)
        canvas.setFont("Courier", 10)
        for number in range(20):
            left = 13_000 if number else 72
            canvas.drawString(left, A4[1] - 500 - 12 * number, "x = fill(y)")

    document = parse(drawn_pages(draw))
    assert len(code_in(document)) == 2
    assert len(document.source) < 20_000
    assert "x = fill(y)" in texts(document)
