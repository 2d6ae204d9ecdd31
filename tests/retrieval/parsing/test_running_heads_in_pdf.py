"""What is printed on every page is no text; what only looks like it, as values do, is."""

from collections.abc import Callable, Sequence

import pytest
from parsed_documents import texts
from pdf_pages import drawn_pages, write
from reportlab.pdfgen.canvas import Canvas

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


def told(printed: Callable[[int], Printed], pages: int = 5, *, below: int = 130) -> list[str]:
    """What is read of pages, numbered from 1, with that at their edges and the same text below."""

    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            for size, top, text in printed(number):
                canvas.setFont("Helvetica", size)
                canvas.drawString(72, 842 - top, text)
            canvas.setFont("Helvetica", 10)
            write(canvas, TEXT, below)

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
