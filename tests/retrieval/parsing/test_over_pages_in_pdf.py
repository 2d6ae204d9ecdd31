"""What goes on from one page of a PDF to the next, and what a line's end does to words."""

from collections.abc import Sequence

import pytest
from parsed_documents import quotes, sentences, texts
from pdf_pages import drawn_pages, write
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

from bot.lab.proof.places import place_checker
from retrieval.parsing.pdf.parser import parse
from retrieval.types import ParsedDocument

HEAD, ROWS = ["Depot", "Desk", "Pallets"], [[f"Town {n}", f"Desk {n}", str(n)] for n in range(5)]
RULED = [("GRID", (0, 0), (-1, -1), 0.5, "black")]


def page(canvas: Canvas, lines: Sequence[str], top: float = 80) -> None:
    write(canvas, ["Handbook of the depot"], 30)
    write(canvas, lines, top)
    write(canvas, [str(canvas.getPageNumber())], 815)


def table(canvas: Canvas, rows: Sequence[Sequence[str]], top: float, left: float = 72) -> None:
    drawn = Table(rows, colWidths=[120, 120, 80], style=RULED)
    _, height = drawn.wrap(400, 700)
    drawn.drawOn(canvas, left, A4[1] - top - height)


def over_two_pages(above: Sequence[str], below: Sequence[str]) -> tuple[ParsedDocument, bytes]:
    content = drawn_pages(lambda c: page(c, above, 640), lambda c: page(c, below))
    return parse(content), content


def test_a_sentence_over_a_page_end_is_one_and_cited_with_both_places() -> None:
    document, content = over_two_pages(
        [
            "Ask early. Whoever claims later than that asks the head of the depot, who",
            "may allow it, but",
        ],
        ["not a claim that is older than a year. Keep the receipts of all that you", "paid for."],
    )
    assert texts(document) == [
        "Ask early.",
        "Whoever claims later than that asks the head of the depot, who may allow it, but not "
        "a claim that is older than a year.",
        "Keep the receipts of all that you paid for.",
    ]
    over = sentences(document)[1]
    assert (over.page, over.page_label, [box.page for box in over.boxes]) == (
        1,
        "pages 1-2",
        [1, 1, 2],
    )
    assert (over.line_start, over.line_end) == (2, 3)
    assert "Handbook" not in quotes(document)[1]
    stands = place_checker(content, "rules.pdf", document.hidden)
    assert all(map(stands, sentences(document), quotes(document)))
    assert [each.page for each in sentences(document)] == [1, 1, 2]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("Ask the head of the depot.", "bring the form along, please."),
        ("Ask the head of the depot", "Bring the form along, please."),
        ("Ask the head of the depot:", "bring the form along, please."),
    ],
)
def test_sentences_that_end_with_their_page_stay_two(above: str, below: str) -> None:
    document, _ = over_two_pages([above], [below])
    assert texts(document) == [above, below]


def test_a_word_of_two_keeps_its_hyphen_at_a_line_end_and_a_parted_one_loses_it() -> None:
    lines = [
        "Claims are registered within thirty-", "five days by those who work part-",
        "time, or send an e-", "mail, and the long-", "term fee is paid by non-",
        "members alone. Call 555-", "0199 of the depart-", "ment, or the under-", "standing sec-",
        "retary, who is short-", "er of time.",
    ]  # fmt: skip
    document = parse(drawn_pages(lambda canvas: write(canvas, lines, 80)))
    assert " ".join(texts(document)) == (
        "Claims are registered within thirty-five days by those who work part-time, or send an "
        "e-mail, and the long-term fee is paid by non-members alone. Call 555-0199 of the "
        "department, or the understanding secretary, who is shorter of time."
    )


def test_a_table_goes_on_behind_a_note_on_a_page_with_other_margins() -> None:
    def first(canvas: Canvas) -> None:
        table(canvas, [HEAD, *ROWS], 640)
        write(canvas, ["* Told by the depots themselves."], 790)

    document = parse(drawn_pages(first, lambda c: table(c, [["Ulm", "West", "9"], *ROWS], 60, 90)))
    assert "Depot: Ulm; Desk: West; Pallets: 9" in texts(document)


def test_another_table_behind_a_heading_or_a_text_has_names_of_its_own() -> None:
    def first(canvas: Canvas) -> None:
        table(canvas, [HEAD, *ROWS], 80)
        write(canvas, ["Some words of the text that follows the table on its page."] * 9, 300)

    document = parse(drawn_pages(first, lambda c: table(c, [["Ulm", "West", "9"], *ROWS], 60)))
    assert "Ulm; West; 9" in texts(document)


@pytest.mark.parametrize(("said", "ends"), [("Ask for all that", 790), ("", 800)])
def test_a_row_that_a_page_end_cuts_in_two_is_led_by_what_it_is_about(
    said: str, ends: float
) -> None:
    def cut(
        canvas: Canvas, rows: list[list[str]], top: float, bottom: float, *rules: float
    ) -> None:
        """No rule closes the row at the page's end, and none opens it on the next."""
        canvas.setFont("Helvetica", 10)
        for x in (72, 172, 500):
            canvas.line(x, A4[1] - top, x, A4[1] - top - 20)
            canvas.line(x, A4[1] - top - 20, x, A4[1] - bottom)
        for y in (top, *rules):
            canvas.line(72, A4[1] - y, 500, A4[1] - y)
        for number, (name, said) in enumerate(rows):
            canvas.drawString(76, A4[1] - top - 14 - 20 * number, name)
            canvas.drawString(176, A4[1] - top - 14 - 20 * number, said)

    above = [["Topic", "Rule"], ["Travel", said]]
    below = [["Topic", "Rule"], ["", "costs more than 777 EUR."]]
    rules = [760] if said else [760, 780]
    document = parse(
        drawn_pages(
            lambda c: cut(c, above, 740, ends, *rules), lambda c: cut(c, below, 60, 110, 110)
        )
    )
    assert "Topic: Travel; Rule: costs more than 777 EUR." in texts(document)


def test_rows_that_rules_hold_together_are_told_apart_by_their_numbers() -> None:
    blocks = [["Depot", "Pallets", "Crates"], ["Aalen\nBonn", "12\n15", "40\n42"]]
    document = parse(drawn_pages(lambda canvas: table(canvas, blocks, 80)))
    assert texts(document)[-2:] == [
        "Depot: Aalen; Pallets: 12; Crates: 40",
        "Depot: Bonn; Pallets: 15; Crates: 42",
    ]


def test_cells_of_several_lines_of_words_stay_one_row() -> None:
    rows = [["Depot", "Open", "Head"], ["New\nYork", "all\nday", "Ann\nLee"], ["Ulm", "9-5", "Bo"]]
    document = parse(drawn_pages(lambda canvas: table(canvas, rows, 80)))
    assert "Depot: New York; Open: all day; Head: Ann Lee" in texts(document)
