"""Tables whose cells have no lines around them are read as people see them; what is none is not."""

import io
from collections.abc import Sequence
from typing import Any

import pytest
from pdf_pages import drawn_pages, write
from reportlab.lib.colors import black, lightgrey, whitesmoke
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

from retrieval.parsing.pdf.parser import parse
from retrieval.types import FragmentKind, ParsedDocument

TEXT = getSampleStyleSheet()["Normal"]
BEFORE = Paragraph("What follows holds for everybody here, whatever a department wrote. " * 2, TEXT)
AFTER = Paragraph("These rules were last looked at in May by the office that is named. " * 2, TEXT)
BOLD_HEAD = ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")
STYLES: dict[str, list[tuple[Any, ...]]] = {
    "bold names alone": [BOLD_HEAD],
    "rules above, below and under the names": [
        ("LINEABOVE", (0, 0), (-1, 0), 1, black),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, black),
        ("LINEBELOW", (0, -1), (-1, -1), 1, black),
    ],
    "a rule under each row": [BOLD_HEAD, ("LINEBELOW", (0, 0), (-1, -1), 0.3, black)],
    "every other row coloured": [
        ("BACKGROUND", (0, 0), (-1, 0), lightgrey),
        ("ROWBACKGROUNDS", (0, 1), (-1, -1), [whitesmoke, None]),
    ],
    "numbers to the right": [BOLD_HEAD, ("ALIGN", (1, 0), (-1, -1), "RIGHT")],
    "set to the middle": [BOLD_HEAD, ("ALIGN", (1, 0), (-1, -1), "CENTER")],
}
FEES = [
    ["Programme", "Home", "Overseas"],
    ["Biology", "4,200", "11,900"],
    ["Computing", "4,600", "13,400"],
    ["Medicine", "9,100", "24,000"],
]


def printed(*content: Any) -> ParsedDocument:
    file = io.BytesIO()
    SimpleDocTemplate(file).build([BEFORE, Spacer(1, 10), *content, Spacer(1, 10), AFTER])
    return parse(file.getvalue())


def rows(document: ParsedDocument) -> list[str]:
    return [
        sentence.text
        for fragment in document.fragments
        if fragment.kind is FragmentKind.TABLE_ROW
        for sentence in fragment.sentences
    ]


def told(names: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Each row with the names of its columns."""
    return ["; ".join(map(": ".join, zip(names, row, strict=True))) for row in body]


def table(rows: Sequence[Sequence[Any]], *style: tuple[Any, ...], widths: Any = None) -> Table:
    return Table(rows, colWidths=widths, style=[*style, ("VALIGN", (0, 0), (-1, -1), "TOP")])


@pytest.mark.parametrize("style", STYLES)
def test_each_value_stands_under_its_name_beside_its_row(style: str) -> None:
    document = printed(table(FEES, *STYLES[style]))
    assert rows(document) == [
        "Programme: Biology; Home: 4,200; Overseas: 11,900",
        "Programme: Computing; Home: 4,600; Overseas: 13,400",
        "Programme: Medicine; Home: 9,100; Overseas: 24,000",
    ]
    (row,) = document.fragments[1].sentences
    assert [row.text[cell.start : cell.end] for cell in row.cells] == ["Biology", "4,200", "11,900"]
    lefts = [cell.box.x0 for cell in row.cells if cell.box]
    assert len(lefts) == 3
    assert lefts == sorted(lefts)


def test_what_stands_beside_it_stays_prose() -> None:
    document = printed(table(FEES, BOLD_HEAD))
    kinds = [fragment.kind for fragment in document.fragments]
    assert kinds[0] == kinds[-1] == FragmentKind.PARAGRAPH
    assert len(document.fragments[0].sentences) == len(document.fragments[-1].sentences) == 2


def test_names_over_several_columns_are_told_with_those_below() -> None:
    head = [["Class", "Domestic", "", "Abroad", ""], ["", "Day", "Night", "Day", "Night"]]
    body = [["Staff", "28", "80", "42", "120"], ["Board", "35", "120", "55", "190"]]
    spans = [("SPAN", (n, 0), (n + 1, 0)) for n in (1, 3)]
    middle = ("ALIGN", (1, 0), (-1, -1), "CENTER")
    assert rows(printed(table([*head, *body], *spans, middle)))[-1] == (
        "Class: Board; Domestic Day: 35; Domestic Night: 120; Abroad Day: 55; Abroad Night: 190"
    )


def test_the_lines_of_a_long_cell_are_of_one_row() -> None:
    told = (
        "Report it to the service desk, which blocks it and prints a new one",
        "Call the porter, who opens the gate for the ambulance at once",
        "Press the bell",
    )
    body = [
        [what, Paragraph(do, TEXT), within]
        for what, do, within in zip(
            ("A lost card", "An injury", "The lift"),
            told,
            ("a day", "at once", "an hour"),
            strict=True,
        )
    ]
    found = rows(
        printed(table([["What", "What to do", "Within"], *body], BOLD_HEAD, widths=[90, 150, 60]))
    )
    assert found == [
        f"What: A lost card; What to do: {told[0]}; Within: a day",
        f"What: An injury; What to do: {told[1]}; Within: at once",
        f"What: The lift; What to do: {told[2]}; Within: an hour",
    ]


@pytest.mark.parametrize("height", ["TOP", "MIDDLE", "BOTTOM"])
@pytest.mark.parametrize("style", STYLES)
def test_they_are_at_whatever_height_the_other_cells_stand(style: str, height: str) -> None:
    body = [
        ["P2 deck", "240", "all staff", "2.50 a day"],
        ["P4 chargers", "22", "electric cars, while charging", "0.29 for each unit"],
        ["Court at the north gate", "18", "visitors", "free"],
        ["Bike cellar", "410", "anyone with a badge", "free"],
    ]
    names = ["Car park", "Spaces", "For whom it is meant", "Charge"]
    cells = [[Paragraph(each, TEXT) for each in row] for row in (names, *body)]
    lines = [*STYLES[style], ("VALIGN", (0, 0), (-1, -1), height)]
    found = rows(printed(Table(cells, colWidths=[75, 50, 80, 70], style=lines)))
    assert found == told(names, body)


def test_a_cell_that_fills_its_column_is_not_read_with_the_next() -> None:
    body = [
        ["Falke", "40 cm", "mono CCD", "4"],
        ["Kranich", "60 cm", "spectrograph", "3"],
        ["Milan", "80 cm", "mono CCD", "2"],
        ["Reiher", "12 cm, solar", "video", "5"],
    ]
    names = ["Telescope", "Aperture", "Camera", "Nights"]
    close = ("LEFTPADDING", (0, 0), (-1, -1), 3), ("RIGHTPADDING", (0, 0), (-1, -1), 1)
    found = rows(printed(table([names, *body], BOLD_HEAD, *close, widths=[60, 60, 65, 40])))
    assert found == told(names, body)


def test_a_sentence_over_several_columns_is_not_cut_where_a_word_begins_as_one_does() -> None:
    body = [
        ["Monday", "8 to 12", "13 to 17"],
        ["Tuesday", "8 to 12", "13 to 18"],
        ["Sunday", "closed for repairs", ""],
        ["Friday", "8 to 12", "closed"],
    ]
    closed = Canvas("unused").stringWidth("closed for ", "Helvetica", 10)
    widths = [60, closed, 80]
    flush = ("LEFTPADDING", (1, 0), (-1, -1), 0), ("RIGHTPADDING", (1, 0), (-1, -1), 0)
    over = ("SPAN", (1, 3), (2, 3))
    found = rows(
        printed(table([["Day", "Before", "After"], *body], BOLD_HEAD, *flush, over, widths=widths))
    )
    assert not any("After: repairs" in row for row in found)


@pytest.mark.parametrize(
    "leads",
    [
        ("Minors:", "Adults:", "Elders:"),
        ("2024", "2025", "2026"),
        ("Whoever is a minor then", "Whoever is an adult then", "Whoever is an elder then"),
    ],
)
def test_what_leads_a_group_is_no_part_of_its_row_though_as_near_as_a_wrapped_line(
    leads: tuple[str, ...],
) -> None:
    stays = [["4 hours", "none", "free"], ["8 hours", "lunch", "5 euros"], ["Night", "two", "9"]]
    body = [row for lead, stay in zip(leads, stays, strict=True) for row in ([lead, "", ""], stay)]
    tight = ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)
    apart = [("TOPPADDING", (0, n), (-1, n), 8) for n in (1, 3, 5)]
    found = rows(printed(table([["Stay", "Meals", "Charge"], *body], BOLD_HEAD, *tight, *apart)))
    values = ("4 hours", "8 hours", "Night")
    assert [each for each in found if each.startswith(tuple(f"Stay: {v};" for v in values))] == (
        told(["Stay", "Meals", "Charge"], stays)
    )


GROUPED = [["Mon", "open", "free"], ["Tue", "shut", "four"], ["Wed", "open", "five"]]


@pytest.mark.parametrize("ruled", [False, True])
@pytest.mark.parametrize("sizes", [(3, 3), (2, 1, 2), (3, 1, 1)])
def test_rows_set_as_tight_as_lines_are_rows_though_groups_stand_apart(
    sizes: tuple[int, ...], ruled: bool
) -> None:
    """All cells of a column are as wide, so no word would have had room on the line above."""
    body = [row for size in sizes for row in GROUPED[:size]]
    starts = [1 + sum(sizes[:n]) for n in range(len(sizes))]
    lines: list[tuple[Any, ...]] = [
        ("TOPPADDING", (0, 0), (-1, -1), 0),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
    ]
    lines += [("TOPPADDING", (0, n), (-1, n), 8) for n in starts]
    lines += [("LINEABOVE", (0, n), (-1, n), 0.5, black) for n in starts if ruled]
    found = rows(printed(table([["Day", "Door", "Fee"], *body], BOLD_HEAD, *lines)))
    assert found == told(["Day", "Door", "Fee"], body)


def test_what_leads_a_group_over_several_columns_is_no_part_of_its_row_either() -> None:
    stays = [["4 hours", "none", "free"], ["6 hours", "none", "two"], ["8 hours", "two", "free"]]
    ends = [["A night", "two", "nine"], ["A week", "six", "forty"]]
    leads = [[f"Whoever is {who}", "", ""] for who in ("a minor", "an adult", "an elder")]
    body = [leads[0], *stays, leads[1], ends[0], leads[2], ends[1]]
    tight = ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)
    apart = [("TOPPADDING", (0, n), (2, n), 8) for n in (1, 5, 7)]
    over = [("SPAN", (0, n), (1, n)) for n in (1, 5, 7)]
    names = ["Stay", "Meals", "Charge"]
    found = rows(printed(table([names, *body], BOLD_HEAD, *tight, *apart, *over)))
    assert [each for each in found if "Charge" in each] == told(names, [*stays, *ends])


AWARDS = [
    ["Marlow Scholarship", "Home students of engineering in their first year", "15 January 2027"],
    ["Hardship", "All students but those on a student visa", "any time"],
    ["Ashdown", "Home students whose income is not high", "none"],
    ["Nightingale Grant", "Nursing students with a child under 12", "13 November 2026"],
    ["Sports Scholarship", "Members of a national squad", "30 September 2026"],
]


def test_where_rules_part_each_row_cells_that_all_go_on_are_of_one() -> None:
    names = ["Award", "Who", "Deadline"]
    cells = [[Paragraph(each, TEXT) for each in row] for row in (names, *AWARDS)]
    below = ("LINEBELOW", (0, 0), (-1, -1), 0.5, black)
    assert rows(printed(table(cells, below, widths=[75, 130, 85]))) == told(names, AWARDS)


def test_where_rules_part_groups_rows_beside_wrapped_ones_stay_rows() -> None:
    names = ["Award", "Who", "Deadline"]
    wrapped = [[Paragraph(each, TEXT) for each in row] for row in (names, *AWARDS[1:3])]
    full = [["Grade A", "home", "15 January"], ["Grade B", "others", "18 January"]]
    tight = [("TOPPADDING", (0, 3), (-1, -1), 0), ("BOTTOMPADDING", (0, 3), (-1, -1), 0)]
    ruled = [("LINEBELOW", (0, n), (-1, n), 0.5, black) for n in (0, 1, 2, 4)]
    found = rows(printed(table([*wrapped, *full], *ruled, *tight, widths=[75, 130, 85])))
    assert found[-2:] == told(names, full)
    open_to = [["Open to", "Home students", "May"], ["Shut to", "Other students", "June"]]
    cells, below = [names, *open_to, *full], ("LINEBELOW", (0, 2), (-1, 2), 0.5, black)
    assert rows(printed(table(cells, below, ruled[0], widths=[75, 130, 85]))) == (
        told(names, [*open_to, *full])
    )


def test_an_empty_cell_takes_no_value_of_its_neighbours() -> None:
    body = [
        ["Copies", "100 a month", "5 cents", "8 cents"],
        ["Scans", "unlimited", "", ""],
        ["Posters", "", "9 euros", "14 euros"],
        ["Lockers", "one", "", "10 euros"],
    ]
    names = ["Service", "Free", "With card", "Guests"]
    assert rows(printed(table([names, *body], BOLD_HEAD)))[1:] == [
        "Service: Scans; Free: unlimited",
        "Service: Posters; With card: 9 euros; Guests: 14 euros",
        "Service: Lockers; Free: one; Guests: 10 euros",
    ]


def test_years_over_an_empty_corner_name_the_columns() -> None:
    money = [["", "2024", "2025"], ["Revenue", "481.0", "502.7"], ["Costs", "(220.9)", "(231.5)"]]
    right = ("ALIGN", (1, 0), (-1, -1), "RIGHT")
    assert rows(printed(table(money, right)))[1] == "Costs; 2024: (220.9); 2025: (231.5)"


def test_it_goes_on_over_the_page_with_its_names() -> None:
    widths = [120, 80, 80]
    more = [["History", "3,900", "9,800"], ["Physics", "4,300", "12,100"], ["Law", "5", "6"]]
    first = [table(FEES, *STYLES["numbers to the right"], widths=widths), PageBreak()]
    file = io.BytesIO()
    right = ("ALIGN", (1, 0), (-1, -1), "RIGHT")
    SimpleDocTemplate(file).build([*first, table(more, right, widths=widths), AFTER])
    assert rows(parse(file.getvalue()))[-1] == "Programme: Law; Home: 5; Overseas: 6"


def test_another_table_at_the_top_of_the_next_page_has_its_own_names() -> None:
    widths = [120, 80, 80]
    other = [
        ["Course", "Days", "Room"],
        ["Algebra", "5", "14"],
        ["Latin", "7", "15"],
        ["Art", "8", "9"],
    ]
    right = STYLES["numbers to the right"]
    found = rows(
        printed(
            table(FEES, *right, widths=widths), PageBreak(), table(other, *right, widths=widths)
        )
    )
    assert found[3:] == [
        "Course: Algebra; Days: 5; Room: 14",
        "Course: Latin; Days: 7; Room: 15",
        "Course: Art; Days: 8; Room: 9",
    ]


def test_what_stands_over_a_ruled_total_names_no_column() -> None:
    costs = [["Tuition", "4,000"], ["Housing", "2,000"], ["Total", "6,000"]]
    total = ("LINEABOVE", (0, -1), (-1, -1), 1, black)
    assert rows(printed(table(costs, total))) == [
        "Tuition; 4,000",
        "Housing; 2,000",
        "Total; 6,000",
    ]


def test_a_title_over_labels_and_values_names_no_column() -> None:
    module = [
        ["Module title", "Introduction to Law", "", ""],
        ["Code", "LAW-101", "Level", "Undergraduate"],
        ["Credits", "10", "Semester", "Autumn"],
    ]
    grid = ("GRID", (0, 0), (-1, -1), 0.5, black)
    found = rows(printed(table(module, grid, ("SPAN", (1, 0), (-1, 0)))))
    assert found[-1] == "Credits; 10; Semester; Autumn"


def test_words_of_their_own_rows_in_narrow_columns_stay_apart() -> None:
    states = [["State", "Who"], ["draft", "ana"], ["review", "ben"], ["closed", "eve"]]
    style = [BOLD_HEAD, ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)]
    found = rows(printed(table(states, *style, widths=[60, 60])))
    assert found == [f"State: {state}; Who: {who}" for state, who in states[1:]]


def test_the_head_of_every_page_is_no_table() -> None:
    def page(canvas: Canvas) -> None:
        write(canvas, ["Policy", "Version", "In force"], 40)
        write(canvas, ["HR-012", "3", "May 2025"], 40, left=200)
        write(canvas, [f"This is what page {canvas.getPageNumber()} says of it. " * 2] * 9, 200)

    document = parse(drawn_pages(page, page, page))
    assert rows(document) == []
    assert "HR-012" not in " ".join(s.text for f in document.fragments for s in f.sentences)


def _contents(canvas: Canvas) -> None:
    for number, name in enumerate(("Leave", "Travel", "Exams", "Parking"), start=1):
        top = 100 + 20 * number
        write(canvas, [name], top)
        write(canvas, [str(4 * number)], top, left=400)


def _items(canvas: Canvas) -> None:
    for number in range(1, 6):
        write(canvas, [f"({number})"], 100 + 20 * number)
        write(canvas, ["Write to the office before the end of May."], 100 + 20 * number, left=110)


def _equations(canvas: Canvas) -> None:
    for number in range(1, 5):
        write(canvas, [f"a + b = {number}c"], 100 + 20 * number, left=200)
        write(canvas, [f"({number})"], 100 + 20 * number, left=450)


def _columns(canvas: Canvas) -> None:
    """Drawn line by line across both."""
    for number in range(12):
        for left in (60, 320):
            words = "and whoever asks is told by the office when"
            write(canvas, [words], 100 + 12 * number, left=left)


def _program(canvas: Canvas) -> None:
    for number in range(6):
        write(canvas, [f"move a{number}"], 100 + 12 * number, font="Courier")
        write(canvas, ["; into the store"], 100 + 12 * number, font="Courier", left=220)


@pytest.mark.parametrize("draw", [_contents, _items, _equations, _columns, _program])
def test_what_only_stands_in_columns_is_no_table(draw: Any) -> None:
    def page(canvas: Canvas) -> None:
        draw(canvas)
        write(canvas, ["This is set as most of the text of the document is set. " * 2] * 9, 400)

    assert rows(parse(drawn_pages(page))) == []
