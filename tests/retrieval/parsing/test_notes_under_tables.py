"""A note under a table is told with the values that its mark stands behind, and with no other."""

import pytest
from parsed_documents import sentences, texts
from pdf_pages import drawn, write
from reportlab.pdfgen.canvas import Canvas

from retrieval.parsing.html import parse as parse_html
from retrieval.parsing.markdown import parse as parse_markdown
from retrieval.parsing.pdf.parser import parse as parse_pdf
from retrieval.types import FragmentKind, ParsedDocument


def markdown(below: str, one: str = "¹", other: str = "²") -> list[str]:
    """What is told of the two rows of a table."""
    table = f"| Tank | Soda | Acid |\n|---|---|---|\n| One | 70 °C | 1% {one} |\n"
    return rows(parse_markdown(f"{table}| Two | 80 °C {other} | 2% |\n\n{below}".encode()))


def pdf(below: list[str], one: str = " ¹", other: str = " ²") -> list[str]:
    table = [("Beer", "Keg", "Cask"), ("Pale", f"£92{one}", "£107"), (f"Sour{other}", "£118", "£1")]

    def draw(canvas: Canvas) -> None:
        for number, row in enumerate(table):
            for left, value in zip((72, 200, 300), row, strict=True):
                write(canvas, [value], top=100 + 20 * number, left=left)
        write(canvas, below, top=190)

    return rows(parse_pdf(drawn(draw)))


def rows(document: ParsedDocument) -> list[str]:
    return [
        sentence.text
        for fragment in document.fragments
        if fragment.kind is FragmentKind.TABLE_ROW
        for sentence in fragment.sentences
    ]


PRINTED = ["Tank: One; Soda: 70 °C; Acid: 1% ¹", "Tank: Two; Soda: 80 °C ²; Acid: 2%"]


@pytest.mark.parametrize(
    "below",
    [
        "¹ Every third batch.\n² At most 65 °C.",
        "¹ every third batch\n² at most 65 °C",
        "¹ Every third batch. ² At most 65 °C.",
        "All hold since May.\n¹ Every third batch.\n² At most 65 °C.",
        "All hold since May.\n\n¹ Every third batch.\n² At most 65 °C.",
        "¹ Every third batch.\n\n² At most 65 °C.",
        "¹) Every third batch.\n²: At most 65 °C.",
        "1 Every third batch.\n2 At most 65 °C.",
    ],
)
def test_notes_one_below_the_other_are_told_each_with_its_own_row(below: str) -> None:
    told = f"{PRINTED[0]} (¹ every third batch)", f"{PRINTED[1]} (² at most 65 °c)"
    assert [each.lower() for each in markdown(below)] == [each.lower() for each in told]


def test_the_paragraph_of_notes_stays_one() -> None:
    document = parse_markdown(
        b"| A | B |\n|---|---|\n| 1* | 2** |\n\n\\* One.  \n\\*\\* Two.\n\nPay \\* in time.\n"
    )
    told = "A: 1*; B: 2** (* One) (** Two)"
    assert texts(document) == [told, "* One.", "** Two.", "Pay * in time."]
    assert [len(each.sentences) for each in document.fragments] == [1, 2, 1]


@pytest.mark.parametrize(
    ("below", "marks", "told"),
    [
        ("\\* A batch.  \n\\*\\* 65 °C.", ("*", "**"), [" * (* A batch)", " (** 65 °C)"]),
        ("(1) A batch.\n(2) 65 °C.", ("(1)", "(2)"), [" (1) (1: A batch)", " (2: 65 °C)"]),
    ],
)
def test_notes_with_stars_and_in_brackets_are_told_apart_as_well(
    below: str, marks: tuple[str, str], told: list[str]
) -> None:
    assert [each.partition("%")[2] for each in markdown(below, *marks)] == told


@pytest.mark.parametrize(
    ("below", "told"),
    [
        ("¹ Every third batch.\n¹ At most 65 °C.", ["", ""]),
        ("¹ Every third batch, or after ² it is empty.\n² At 65 °C.", ["third", "At 65 °C"]),
        ("¹ every third batch, or after ² it is empty\n² at 65 °C", ["it is empty", ""]),
        ("³ Every third batch.\n4 At most 65 °C.", ["", ""]),
        ("Each takes 2 * 3 hours, and ² of them more.", ["", ""]),
        ("2 of them are new.\n1 is old.", ["", ""]),
        ("1 May is free.\n2 June is not.", ["", ""]),
        ("# Pumps\n\nThey are new.\n\n¹ Of 2024.", ["", ""]),
        ("They are new.\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n¹ Of 2024.", ["", ""]),
        ("They are new.\n\n(1) Of 2024.", ["", ""]),
    ],
)
def test_a_row_whose_mark_has_no_note_of_its_own_is_told_as_printed(
    below: str, told: list[str]
) -> None:
    for row, printed, note in zip(markdown(below)[:2], PRINTED, told, strict=True):
        assert row.startswith(printed)
        assert (note in row) if note else (row == printed)


def test_a_list_below_a_table_is_no_note_of_it() -> None:
    assert markdown("* They are new.\n* They are clean.", "*", "**")[0].endswith("1% *")


def test_a_number_in_brackets_below_other_text_is_a_clause() -> None:
    below = "Members agree to the rules.\n\n(1) Fees are due.\n\n(2) Keys are returned.\n"
    told = markdown(below, "(1)", "(2)")
    assert not any("due" in each or "returned" in each for each in told)


@pytest.mark.parametrize("lead", [[], ["All prices exclude VAT."], ["All prices exclude VAT"]])
def test_a_pdf_tells_notes_at_the_distance_of_lines_each_with_its_row(lead: list[str]) -> None:
    notes = [
        "¹ Brewed from October to March only.",
        "² Only for customers of more",
        "than 12 months.",
    ]
    assert pdf([*lead, *notes]) == [
        "Beer: Pale; Keg: £92 ¹; Cask: £107 (¹ Brewed from October to March only)",
        "Beer: Sour ²; Keg: £118; Cask: £1 (² Only for customers of more than 12 months)",
    ]


@pytest.mark.parametrize(("one", "other"), [("*", "**"), (" (1)", " (2)")])
def test_a_pdf_tells_notes_that_look_like_items_of_a_list(one: str, other: str) -> None:
    told = pdf([f"{one.strip()} From October on.", f"{other.strip()} For members."], one, other)
    assert told[0].endswith("From October on)")
    assert told[1].endswith("For members)")


def test_a_raised_digit_in_a_cell_is_the_mark_of_a_note_in_html() -> None:
    document = parse_html(
        b"<table><tr><th>Tank<th>Soda <sup>3</sup><tr><td>One<td>2 weeks<sup>1</sup>"
        b"<tr><td>Two<td>80 &deg;C <sup>2</sup><tr><td>Hall<td>45 m<sup>2</sup></table>"
        b"<p><sup>1</sup>From May<br><sup>2</sup> At most 65<br>\n<sup>3</sup> In store.</p>"
    )
    assert rows(document) == [
        "Tank: One; Soda ³: 2 weeks¹ (³ In store) (¹ From May)",
        "Tank: Two; Soda ³: 80 °C ² (³ In store) (² At most 65)",
        "Tank: Hall; Soda ³: 45 m² (³ In store)",
    ]
    assert [each.text for each in sentences(document)[3:]] == ["¹From May ² At most 65 ³ In store."]


def test_a_raised_letter_in_a_cell_is_one_too_and_stays_as_it_is_elsewhere() -> None:
    document = parse_html(
        b"<table><tr><th>Tank<th>Soda<tr><td>One<td>80<sup>a</sup><tr><td>Two<td>90<sup>b</sup>"
        b"<tr><td>Hall<td>the 5<sup>th</sup></table><p><sup>a</sup> From 2026.</p>"
        b"<p><sup>b</sup> Till 2027.</p><p>Rue 3<sup>e</sup></p>"
    )
    assert rows(document) == [
        "Tank: One; Soda: 80(a) (a: From 2026)",
        "Tank: Two; Soda: 90(b) (b: Till 2027)",
        "Tank: Hall; Soda: the 5th",
    ]
    assert [each.text for each in sentences(document)[3:]] == [
        *("a From 2026.", "b Till 2027.", "Rue 3e")
    ]


def test_a_letter_that_begins_a_sentence_below_a_table_is_no_mark_of_it() -> None:
    assert markdown("a Tank is rented.\nb Soda is not.") == PRINTED
