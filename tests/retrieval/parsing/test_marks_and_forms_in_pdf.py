"""Watermarks are no part of what they cross; what was filled in is told with its label."""

import pytest
from parsed_documents import quotes, sentences, texts
from pdf_pages import drawn_pages, write
from reportlab.lib.colors import Color, black
from reportlab.pdfgen.canvas import Canvas

from bot.lab.proof.places import place_checker
from retrieval.parsing.pdf.parser import parse

TEXT = [
    "A claim is sent to the desk of the office in which you work now, and it is",
    "paid within ten days. Whoever claims later asks the head of the depot.",
]
SAID = [
    "A claim is sent to the desk of the office in which you work now, and it is paid within ten "
    "days.",
    "Whoever claims later asks the head of the depot.",
]


def mark(canvas: Canvas, text: str, *, angle: int, grey: float, at: tuple[int, int]) -> None:
    canvas.saveState()
    canvas.setFillColor(Color(grey, grey, grey))
    canvas.setFont("Helvetica-Bold", 60)
    canvas.translate(*at)
    canvas.rotate(angle)
    canvas.drawString(0, 0, text)
    canvas.restoreState()


@pytest.mark.parametrize(
    ("angle", "grey", "at"), [(45, 0.85, (100, 600)), (45, 0.5, (100, 600)), (0, 0.85, (72, 725))]
)
@pytest.mark.parametrize("is_under", [True, False])
def test_a_watermark_is_seen_and_in_no_sentence(
    angle: int, grey: float, at: tuple[int, int], *, is_under: bool
) -> None:
    def page(canvas: Canvas) -> None:
        for is_mark in (is_under, not is_under):
            if is_mark:
                mark(canvas, "DRAFT ONLY", angle=angle, grey=grey, at=at)
            else:
                write(canvas, TEXT, 100)

    document = parse(drawn_pages(page))
    assert texts(document) == SAID
    assert [each.text for held in document.left_out for each in held.sentences] == ["DRAFT ONLY"]


def test_a_mark_that_is_drawn_right_behind_a_word_is_no_part_of_its_text() -> None:
    def page(canvas: Canvas) -> None:
        write(canvas, ["Two weeks are paid to all in full, to part-", "time staff by half."], 500)
        mark(canvas, "DRAFT", angle=45, grey=0.85, at=(150, 300))

    said = ["Two weeks are paid to all in full, to part-time staff by half."]
    assert texts(parse(drawn_pages(page))) == said


def test_a_mark_across_the_page_that_says_who_may_read_is_heard() -> None:
    def page(canvas: Canvas) -> None:
        mark(canvas, "HR only", angle=45, grey=0.85, at=(100, 600))
        write(canvas, TEXT, 100)

    assert "HR only" in {each.value for each in parse(drawn_pages(page)).stated}


def test_large_letters_that_cross_nothing_are_a_heading() -> None:
    def page(canvas: Canvas) -> None:
        mark(canvas, "Depots", angle=0, grey=0.7, at=(72, 775))
        write(canvas, TEXT, 100)

    document = parse(drawn_pages(page))
    assert (document.headings[0].text, texts(document)) == ("Depots", SAID)


def test_pale_titles_and_numbers_that_small_text_only_touches_are_read() -> None:
    def page(canvas: Canvas) -> None:
        mark(canvas, "30 days", angle=0, grey=0.7, at=(72, 600))
        write(canvas, ["of leave a year for everybody."], 252)
        write(canvas, TEXT, 400)

    assert texts(parse(drawn_pages(page)))[0] == "30 days of leave a year for everybody."


def form(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 10)
    canvas.drawString(72, 700, "Name of the applicant")
    canvas.drawString(72, 660, "Amount claimed (EUR)")
    canvas.drawString(72, 600, "Reason for the claim")
    for name, value, x, y in (
        ("amount", "123.45", 220, 652),
        ("name", "Ada Lovelace", 220, 692),
        ("reason", "A lost key", 72, 576),
    ):
        canvas.acroForm.textfield(name=name, value=value, x=x, y=y, width=200, height=20)


def test_what_was_filled_in_is_told_with_its_label_and_cited_where_it_stands() -> None:
    content = drawn_pages(form)
    document = parse(content)
    assert texts(document) == [
        "Name of the applicant Ada Lovelace",
        "Amount claimed (EUR) 123.45",
        "Reason for the claim",
        "A lost key",
    ]
    assert max(box.x1 for box in sentences(document)[0].boxes) > 250
    stands = place_checker(content, "form.pdf", document.hidden)
    assert all(map(stands, sentences(document), quotes(document)))


def two_in_a_row(canvas: Canvas) -> None:
    write(canvas, ["Confidential"], 80)
    write(canvas, TEXT, 300)
    field = canvas.acroForm.textfield
    field(name="day", value="2026-01-01", x=220, y=752, width=90, height=20)
    for name, value, x in (("Name", "Ada", 72), ("Town", "Ulm", 260)):
        canvas.drawString(x, 700, name)
        field(name=name, value=value, x=x + 60, y=692, width=90, height=20)


def test_what_is_printed_behind_a_value_stands_apart_from_it() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 760, "Days off:")
        canvas.acroForm.textfield(name="days", value="12", x=200, y=752, width=150, height=20)
        canvas.drawString(372, 760, "Office use")
        write(canvas, TEXT, 200)

    assert texts(parse(drawn_pages(page))) == ["Days off: 12 Office use", *SAID]


def test_values_beside_each_other_are_proven_and_what_a_page_does_not_say_so_is_not() -> None:
    content = drawn_pages(two_in_a_row)
    document = parse(content)
    filled_in = sentences(document)[-1]
    stands = place_checker(content, "form.pdf", document.hidden)
    assert (filled_in.text, document.title) == ("Name Ada Town Ulm", "")
    assert all(map(stands, sentences(document), quotes(document)))
    assert not stands(filled_in, "A claim is sent to the head of the depot.")


def test_a_mark_beside_which_something_was_filled_in_is_heard() -> None:
    assert "Confidential" in {each.value for each in parse(drawn_pages(two_in_a_row)).stated}


def test_a_colour_space_that_is_not_defined_does_not_lose_its_page() -> None:
    def page(canvas: Canvas) -> None:
        canvas._code.append("/Nope cs 0.5 scn")  # noqa: SLF001  # ReportLab writes none that is wrong
        write(canvas, TEXT, 100)
        canvas.setFillColor(black)

    assert texts(parse(drawn_pages(page))) == SAID
