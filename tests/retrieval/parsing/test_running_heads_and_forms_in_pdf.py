"""Running heads and watermarks are no text; what only looks like them is, and what is filled in."""

from collections.abc import Callable, Sequence

import pytest
from parsed_documents import quotes, sentences, texts
from pdf_pages import drawn_pages, write
from reportlab.lib.colors import Color, black
from reportlab.pdfgen.canvas import Canvas

from bot.lab.proof.places import place_checker
from retrieval.parsing.pdf.parser import parse

Printed = Sequence[tuple[int, int, str]]
"""Each with the size of its letters and how far from the top it stands, in points."""
TEXT = [
    "A claim is sent to the desk of the office in which you work now, and it is",
    "paid within ten days. Whoever claims later asks the head of the depot.",
]
TOLD = [
    "A claim is sent to the desk of the office in which you work now, and it is paid within ten "
    "days.",
    "Whoever claims later asks the head of the depot.",
]


def told(printed: Callable[[int], Printed], pages: int = 5) -> list[str]:
    """What is read of pages, numbered from 1, with that at their edges and the same text below."""

    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            for size, top, text in printed(number):
                canvas.setFont("Helvetica", size)
                canvas.drawString(72, 842 - top, text)
            canvas.setFont("Helvetica", 10)
            write(canvas, TEXT, 130)

        return draw

    document = parse(drawn_pages(*map(page, range(1, pages + 1))))
    return [*(each.sentence.text for each in document.headings), *texts(document)]


@pytest.mark.parametrize(
    "printed",
    [
        lambda n: [(10, 40, f"Annual report 2025 | {n + 16}")],
        lambda n: [(10, 40, f"{n + 16} | Annual report 2025")],
        lambda n: [(9, 810, f"Version 2 - Page {n} of 5 - July 2026")],
        lambda n: [(10, 40, f"{('Fees', 'Rooms')[n > 2]} – {n}"), (8, 810, "Staff handbook")],
        lambda n: [(10, 40, f"Chapter {n // 2 + 1}: Fees{' ' * 9}{n}")],
        lambda n: [(8, 40, f"Staff handbook {n}")],
        lambda n: [(10, 810, f"{n + 16}")] if n > 2 else [(10, 820, f"{n}")],
        lambda n: [(10, 40, "Staff handbook"), (10, 52, f"Page {n}"), (8, 820, "In confidence")],
        lambda n: [(10, 108, "Staff handbook"), (10, 118, f"Policy 7, page {n} of 5")],
        lambda n: [(10, 810, ("i", "ii", "iii", "iv", "v")[n - 1])],
    ],
)
def test_a_running_head_is_no_text(printed: Callable[[int], Printed]) -> None:
    found = [each for each in told(printed) if each != "Staff handbook"]
    assert found == TOLD * 5


@pytest.mark.parametrize(
    "printed",
    [
        lambda n: [(10, 118, f"The fee of level {n} is {n}00 EUR.")],
        lambda n: [(10, 118, f"Level {n} has its own fee.")],
        lambda n: [(18, 60, f"Chapter {n}")],
        lambda n: [(10, 60, f"Fee of level {n}")],
        lambda n: [(10, 60, f"Fee of level {n}"), (10, 810, f"{n}")],
        lambda n: [(10, 60, f"{n} {('Scope', 'Fees', 'Rooms', 'Leave', 'Cars')[n - 1]}")],
        lambda n: [(8, 790, f"{n} Not {('here', 'now', 'so', 'there', 'yet')[n - 1]}.")],
        lambda n: [(10, 60, f"Marks: {n} of 10")],
        lambda n: [(8, 60, f"Marks: {n} of 10")],
        lambda n: [(10, 60, ("Civil", "C", "X", "civil", "L")[n - 1])],
        lambda n: [(10, 60, ("Law", "x", "II", "Art", "Fee")[n - 1])],
        lambda n: [(10, 60, f"{n * n + 407}"), (10, 810, f"Page {n}")],
        lambda n: [(18, 90, f"Invoice {4410 + 7 * n}"), (10, 118, f"To pay: {100 + n} EUR")],
        lambda n: [(10, 60, f"Invoice {4410 + n}")],
        lambda n: [(10, 60, f"Room {n + 2}"), (10, 810, f"{n}")],
        lambda n: [(10, 105, f"Sheet of {'ABCDE'[n - 1]}"), (10, 118, "To pay: 100 EUR")],
    ],
)
def test_values_at_the_top_of_pages_are_told(printed: Callable[[int], Printed]) -> None:
    found = " ".join(told(printed))
    for number in range(1, 6):
        assert all(text in found for _, top, text in printed(number) if top < 800)


def test_in_a_document_of_two_pages_only_what_says_so_has_the_number_of_a_page() -> None:
    found = told(lambda n: [(10, 60, f"Room {n}"), (10, 810, f"Handbook, page {n} of 2")], pages=2)
    assert found == [*("Room 1", *TOLD), *("Room 2", *TOLD)]


@pytest.mark.parametrize(
    ("printed", "pages"),
    [
        (lambda n: [(10, 60, "Staff handbook")] if n < 3 else [], 5),
        (lambda n: [(10, 60, f"Staff handbook | {n + 16}")], 2),
    ],
)
def test_what_stands_on_two_pages_alone_and_names_no_page_is_told(
    printed: Callable[[int], Printed], pages: int
) -> None:
    assert " ".join(told(printed, pages)).count("Staff handbook") == 2


def test_a_number_at_the_top_that_is_a_value_is_told() -> None:
    found = told(lambda _: [(10, 94, "Seats in the hall"), (10, 106, "24")], pages=1)
    assert found[0] == "Seats in the hall 24"


def test_what_always_reads_the_same_and_stands_with_the_text_is_told_once() -> None:
    found = " ".join(told(lambda _: [(10, 118, "The deposit is 40 EUR.")]))
    assert found.count("The deposit is 40 EUR.") == 1


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
    assert texts(document) == TOLD
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
    assert (document.headings[0].text, texts(document)) == ("Depots", TOLD)


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

    assert texts(parse(drawn_pages(page))) == ["Days off: 12 Office use", *TOLD]


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

    assert texts(parse(drawn_pages(page))) == TOLD
