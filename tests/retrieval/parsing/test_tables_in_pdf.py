"""Tables of PDFs are read as people see them, whatever lines they have; what is none is not."""

from collections.abc import Sequence
from typing import Any

import pytest
from parsed_documents import assert_places_hold, rows, texts
from pdf_pages import built, drawn_pages, styled, write
from reportlab.lib.colors import black, darkblue, lightgrey, white, whitesmoke
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Table

from retrieval.parsing.pdf.parser import parse
from retrieval.types import FragmentKind, ParsedDocument

BEFORE = "What follows holds for everybody here, whatever a department wrote."
BOLD = "Helvetica-Bold"
BOLD_HEAD = ("FONTNAME", (0, 0), (-1, 0), BOLD)
GRID = ("GRID", (0, 0), (-1, -1), 0.5, black)
TOP = ("VALIGN", (0, 0), (-1, -1), "TOP")
STAYS = [["Staff", "28", "80", "42", "120"], ["Board", "35", "95", "55", "190"]]
SPANS = [(1, 2), (3, 4)]
TOLD_STAYS = [
    "Class: Staff; Home Day: 28; Home Night: 80; Abroad Day: 42; Abroad Night: 120",
    "Class: Board; Home Day: 35; Home Night: 95; Abroad Day: 55; Abroad Night: 190",
]


RIGHT = ("ALIGN", (1, 0), (-1, -1), "RIGHT")
TIGHT = ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)


def ruled(row: int, first: int = 0, last: int = -1) -> tuple[Any, ...]:
    return "LINEBELOW", (first, row), (last, row), 0.5, black


def printed(*content: Any) -> ParsedDocument:
    return parse(built(styled(BEFORE), *content, styled(BEFORE)))


def told(*content: Any) -> list[str]:
    """All but the text before and after."""
    before, *found, after = texts(printed(*content))
    assert before == after == BEFORE
    return found


def table(rows: Sequence[Sequence[Any]], *style: tuple[Any, ...], widths: Any = None) -> Table:
    return Table(rows, colWidths=widths, style=[TOP, *style])


RULED_BELOW = [ruled(0, *span) for span in SPANS]
SHADED = [
    ("BACKGROUND", (first, row), (last, row), lightgrey)
    for row, cells in enumerate([[(0, 0), *SPANS], [(n, n) for n in range(5)]])
    for first, last in cells
]


@pytest.mark.parametrize("side", ["LEFT", "CENTER"])
@pytest.mark.parametrize(
    "style",
    [RULED_BELOW, [*RULED_BELOW, *map(ruled, (2, 3))], SHADED],
    ids=["ruled", "all", "fill"],
)
def test_what_is_drawn_under_a_name_alone_tells_over_which_columns_it_is(
    style: list[tuple[Any, ...]], side: str
) -> None:
    head = [["", "Home", "", "Abroad", ""], ["Class", "Day", "Night", "Day", "Night"]]
    over = [("SPAN", (first, 0), (last, 0)) for first, last in SPANS]
    lines = [*over, *style, ruled(1), ("ALIGN", (1, 0), (-1, -1), side)]
    assert told(table([*head, *STAYS], *lines, widths=[70, 40, 40, 40, 40])) == TOLD_STAYS


def test_a_rule_over_a_total_makes_no_name_of_what_stands_above_it() -> None:
    rows = [["Cost", "Plan", "Spent"], ["Halls", "2,000", "900"], ["Food", "400", ""]]
    total = ["Total", "2,400", "900"]
    found = told(
        table([*rows, total], ruled(0), ruled(2, 1, 2), ("ALIGN", (1, 0), (-1, -1), "RIGHT"))
    )
    assert found == [
        "Cost: Halls; Plan: 2,000; Spent: 900",
        "Cost: Food; Plan: 400",
        "Cost: Total; Plan: 2,400; Spent: 900",
    ]


@pytest.mark.parametrize("between", [True, False])
@pytest.mark.parametrize("times", [2, 5, 12])
def test_a_cell_that_is_taller_than_the_others_ends_no_table(times: int, *, between: bool) -> None:
    tall = " ".join(["Travel is paid second class and by bus where no train goes."] * times)
    body = [["Hotel", "Three stars.", "140"], ["Travel", tall, "50"], ["Food", "Two.", "20"]]
    cells = [[kind, styled(rule, "Normal"), limit] for kind, rule, limit in body]
    rules = [ruled(n) for n in range(4 if between else 1)]
    found = told(table([["Kind", "Rule", "EUR"], *cells], BOLD_HEAD, *rules, widths=[80, 260, 80]))
    assert found == [f"Kind: {kind}; Rule: {rule}; EUR: {limit}" for kind, rule, limit in body]


@pytest.mark.parametrize("height", ["TOP", "MIDDLE", "BOTTOM"])
@pytest.mark.parametrize("blank", ["", "60"])
def test_names_of_several_lines_are_told_whole(height: str, blank: str) -> None:
    head = ["Hall", "Seats in\nrows and\nboxes", "Standing\nplaces", "Hire a\nday"]
    body = [["Great hall", "420", "900", "2,400"], ["Foyer", blank, "150", "300"]]
    lines = [BOLD_HEAD, ruled(0), ("ALIGN", (1, 1), (-1, -1), "RIGHT")]
    found = told(
        table([head, *body], *lines, ("VALIGN", (0, 0), (-1, 0), height), widths=[120, 80, 80, 80])
    )
    seats = f"Seats in rows and boxes: {blank}; " if blank else ""
    assert found == [
        "Hall: Great hall; Seats in rows and boxes: 420; Standing places: 900; Hire a day: 2,400",
        f"Hall: Foyer; {seats}Standing places: 150; Hire a day: 300",
    ]


@pytest.mark.parametrize("style", [[BOLD_HEAD], [BOLD_HEAD, ruled(0)], [*map(ruled, range(3))]])
def test_tables_beside_each_other_are_two(style: list[tuple[Any, ...]]) -> None:
    fees = table([["Item", "Fee"], ["Map", "3 EUR"], ["Pen", "1 EUR"], ["Bag", "9 EUR"]], *style)
    halls = table([["Room", "Seats"], ["K1", "24"], ["K2", "40"], ["K3", "7"]], *style)
    assert told(Table([[fees, "", halls]], colWidths=[150, 60, 150])) == [
        *("Item: Map; Fee: 3 EUR", "Item: Pen; Fee: 1 EUR", "Item: Bag; Fee: 9 EUR"),
        *("Room: K1; Seats: 24", "Room: K2; Seats: 40", "Room: K3; Seats: 7"),
    ]


@pytest.mark.parametrize(("count", "moved"), [(1, 0), (2, 0), (1, 60)])
def test_a_row_or_two_on_the_next_page_go_on_with_the_table_that_ended_the_one_before(
    count: int, moved: int
) -> None:
    rows = [[hall, str(n), "daily"] for n, hall in enumerate(("Great", "Foyer", "Aula", "Cellar"))]
    split = len(rows) + 1 - count

    def page(canvas: Canvas, first: int, last: int, top: float, left: float) -> None:
        write(canvas, ["Handbook of the halls"], 30)
        for row, cells in enumerate([["Hall", "Seats", "Open"], *rows][first:last]):
            for n, text in enumerate(cells):
                write(canvas, [text], top + 16 * row, left=left + 100 * n)

    content = drawn_pages(
        lambda canvas: page(canvas, 0, split, 620, 72),
        lambda canvas: page(canvas, split, len(rows) + 1, 80, 72 + moved),
    )
    told_whole = [f"Hall: {hall}; Seats: {seats}; Open: {days}" for hall, seats, days in rows]
    found = texts(parse(content))
    assert found == ([*told_whole[: split - 1], "Cellar 3 daily"] if moved else told_whole)


CARD = [
    ["Name", "Ana Ruiz", "Room", "K12"],
    ["Unit", "Registry", "Phone", "555-0142"],
    ["Since", "", "Grade", "B1"],
]


@pytest.mark.parametrize("label", [("FONTNAME", BOLD), ("BACKGROUND", lightgrey)])
def test_labels_name_the_values_beside_them_and_no_column(label: tuple[str, Any]) -> None:
    found = told(table(CARD, GRID, *((label[0], (n, 0), (n, -1), label[1]) for n in (0, 2))))
    assert found == [
        "Name: Ana Ruiz; Room: K12",
        "Unit: Registry; Phone: 555-0142",
        "Since; Grade: B1",
    ]


def test_what_ends_with_a_colon_is_a_label_too() -> None:
    rows = [["Owner:", "HR department"], ["Approved:", "4 June 2025"]]
    assert told(table(rows, GRID)) == ["Owner: HR department", "Approved: 4 June 2025"]


def test_a_table_whose_head_is_coloured_or_whose_cells_are_white_has_no_labels() -> None:
    style = [
        GRID,
        ("BACKGROUND", (0, 0), (-1, 0), lightgrey),
        ("BACKGROUND", (0, 1), (0, -1), white),
    ]
    rows = [["Hall", "Seats"], ["Foyer", "60"], ["Aula", "420"]]
    assert told(table(rows, *style)) == ["Hall: Foyer; Seats: 60", "Hall: Aula; Seats: 420"]


def test_labels_that_are_drawn_before_a_heading_stand_beside_their_values_below_it() -> None:
    def page(canvas: Canvas) -> None:
        labels, values = ["Name", "Office", "Phone"], ["Ana Ruiz", "Room 12, hall B", "555-0142"]
        write(canvas, labels, 130, font=BOLD)
        canvas.setFont(BOLD, 20)
        canvas.drawString(72, 740, "Contact")
        write(canvas, values, 130, left=170)
        write(canvas, [BEFORE] * 3, 190)

    document = parse(drawn_pages(page))
    assert document.source.startswith("Contact\nName\tAna Ruiz\n")
    assert texts(document)[:3] == ["Name: Ana Ruiz", "Office: Room 12, hall B", "Phone: 555-0142"]
    assert_places_hold(document)


YEARS = [
    ["Course", "Credits", "Lecturer"],
    ["First year", "", ""],
    ["Algebra", "6", "Amsel"],
    ["Second year", "", ""],
    ["Logic", "5", "Dohle"],
    ["Total", "11", ""],
]


@pytest.mark.parametrize("is_bold", [True, False])
@pytest.mark.parametrize("lines", [GRID, ruled(0)])
def test_the_name_of_a_group_is_told_with_its_rows_and_under_no_column(
    lines: tuple[Any, ...], *, is_bold: bool
) -> None:
    over = [("SPAN", (0, row), (-1, row)) for row in (1, 3)]
    bold = [("FONTNAME", (0, row), (0, row), BOLD) for row in (1, 3, 5) if is_bold]
    found = told(table(YEARS, BOLD_HEAD, lines, *over, *bold))
    if lines == GRID or is_bold:
        assert found == [
            "First year: Course: Algebra; Credits: 6; Lecturer: Amsel",
            "Second year: Course: Logic; Credits: 5; Lecturer: Dohle",
            "Course: Total; Credits: 11",
        ]
    else:
        assert [found[0], found[2]] == ["First year", "Second year"]
        assert found[1] == "Course: Algebra; Credits: 6; Lecturer: Amsel"


def test_a_text_beside_a_text_is_no_table_though_one_of_them_is_bold() -> None:
    def page(canvas: Canvas) -> None:
        said = ["and whoever asks is told by the", "office when the halls are open"] * 6
        write(canvas, said, 100, font=BOLD)
        write(canvas, [*said, *said], 100, left=320)

    kinds = {fragment.kind for fragment in parse(drawn_pages(page)).fragments}
    assert FragmentKind.TABLE_ROW not in kinds


LEAVE = [
    ["Grade", "Annual leave", "Notes"],
    ["A1 to A3", "24 days", ""],
    ["B1", "28 days", "after a year"],
    ["B2", "", "unlimited"],
    ["C", "30 days", ""],
]
DARK_HEAD = [("BACKGROUND", (0, 0), (-1, 0), darkblue), ("TEXTCOLOR", (0, 0), (-1, 0), white)]


@pytest.mark.parametrize(
    "style",
    [
        [BOLD_HEAD],
        DARK_HEAD,
        [*DARK_HEAD, ("ROWBACKGROUNDS", (0, 1), (-1, -1), [whitesmoke, white])],
        [BOLD_HEAD, ("LINEABOVE", (0, 0), (-1, 0), 1, black), ruled(0), ruled(-1)],
    ],
    ids=["bold", "dark", "zebra", "booktabs"],
)
@pytest.mark.parametrize("lead", [[], ["Leave is as below."]], ids=["heading", "sentence"])
def test_a_heading_above_a_table_and_one_short_sentence_are_no_column_of_it(
    style: list[tuple[Any, ...]], lead: list[str]
) -> None:
    above = [styled("Leave", "Heading1"), *map(styled, lead)]
    document = parse(
        built(*above, table(LEAVE, *style, widths=[100] * 3), styled("Apply in time."))
    )
    assert texts(document) == [
        *lead,
        "Grade: A1 to A3; Annual leave: 24 days",
        "Grade: B1; Annual leave: 28 days; Notes: after a year",
        "Grade: B2; Notes: unlimited",
        "Grade: C; Annual leave: 30 days",
        "Apply in time.",
    ]


def test_below_a_heading_names_are_told_on_every_page_of_a_long_table() -> None:
    rows = [LEAVE[0], *([f"Grade {n}", f"{n} days", "as agreed"] for n in range(90))]
    content = built(styled("Leave", "Heading1"), table(rows, *DARK_HEAD))
    assert texts(parse(content)) == [
        f"Grade: {grade}; Annual leave: {days}; Notes: {notes}" for grade, days, notes in rows[1:]
    ]


def test_a_name_over_the_first_of_its_columns_alone_is_over_those_called_as_others() -> None:
    rows = [
        ["Grade", "Weekday pay", "", "Sunday", ""],
        ["", "Day", "Night", "Day", "Night"],
        *(["Porter", "1.10", "2.20", "3.30", "4.40"], ["Guard", "1.50", "2.60", "3.70", "4.80"]),
    ]
    bold = ("FONTNAME", (0, 0), (-1, 1), BOLD)
    assert told(table(rows, bold, ruled(1), widths=[70, 50, 50, 60, 50]))[1] == (
        "Grade: Guard; Weekday pay Day: 1.50; Weekday pay Night: 2.60; "
        "Sunday Day: 3.70; Sunday Night: 4.80"
    )


def test_what_stands_in_the_middle_over_all_columns_names_the_rows_below() -> None:
    found = told(
        table(
            YEARS,
            BOLD_HEAD,
            *(("SPAN", (0, n), (-1, n)) for n in (1, 3)),
            ("ALIGN", (0, 1), (0, 1), "CENTER"),
            ("ALIGN", (0, 3), (0, 3), "CENTER"),
        )
    )
    assert found[0] == "First year: Course: Algebra; Credits: 6; Lecturer: Amsel"
    assert found[1] == "Second year: Course: Logic; Credits: 5; Lecturer: Dohle"


def test_a_name_over_several_columns_is_told_beside_one_that_reaches_down() -> None:
    rows = [["Grade", "Leave", ""], ["", "Annual", "Study"], ["A", "25", "3"], ["B", "28", "5"]]
    spans = ("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (2, 0))
    assert told(table(rows, GRID, *spans))[1] == "Grade: B; Leave Annual: 28; Leave Study: 5"


@pytest.mark.parametrize("group", ["Europe and all of it", "Europe\nand all\nof it"])
def test_a_bold_name_of_a_group_right_below_the_heads_is_none_of_them(group: str) -> None:
    rows = [["Class", "Day", "Night"], [group, "", ""], ["Staff", "28", "80"], ["Board", "35", ""]]
    style = [("SPAN", (0, 1), (-1, 1)), ("ALIGN", (0, 1), (0, 1), "CENTER")]
    bold = ("FONTNAME", (0, 0), (-1, 1), BOLD)
    found = told(table(rows, bold, *style, widths=[100] * 3))
    assert found[-2:] == ["Class: Staff; Day: 28; Night: 80", "Class: Board; Day: 35"]


SERVICES = [
    ["Service", "Free", "With card", "Guests"],
    ["Copies", "100 a month", "5 cents", "8 cents"],
    ["Scans", "unlimited", "", ""],
    ["Posters", "", "9 euros", "14 euros"],
    ["Lockers", "one", "", "10 euros"],
]
SERVED = [
    "Service: Copies; Free: 100 a month; With card: 5 cents; Guests: 8 cents",
    "Service: Scans; Free: unlimited",
    "Service: Posters; With card: 9 euros; Guests: 14 euros",
    "Service: Lockers; Free: one; Guests: 10 euros",
]


def test_rows_with_gaps_as_near_as_the_lines_of_a_text_are_rows_below_a_rule() -> None:
    near = [("TOPPADDING", (0, 1), (-1, -1), 0), ("BOTTOMPADDING", (0, 1), (-1, -1), 0)]
    near += [("LEADING", (0, 1), (-1, -1), 12), ("BOTTOMPADDING", (0, 0), (-1, 0), 6)]
    assert told(table(SERVICES, *near, ruled(0)))[1:3] == SERVED[1:3]


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
    "numbers to the right": [BOLD_HEAD, RIGHT],
    "set to the middle": [BOLD_HEAD, ("ALIGN", (1, 0), (-1, -1), "CENTER")],
}
FEES = [
    ["Programme", "Home", "Overseas"],
    ["Biology", "4,200", "11,900"],
    ["Computing", "4,600", "13,400"],
    ["Medicine", "9,100", "24,000"],
]


def named(names: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Each row with the names of its columns."""
    return ["; ".join(map(": ".join, zip(names, row, strict=True))) for row in body]


@pytest.mark.parametrize("style", STYLES)
def test_each_value_stands_under_its_name_beside_its_row_and_prose_stays_prose(style: str) -> None:
    document = printed(table(FEES, *STYLES[style]))
    assert rows(document) == named(FEES[0], FEES[1:])
    kinds = [fragment.kind for fragment in document.fragments]
    assert kinds[0] == kinds[-1] == FragmentKind.PARAGRAPH
    (row,) = document.fragments[1].sentences
    assert [row.text[cell.start : cell.end] for cell in row.cells] == ["Biology", "4,200", "11,900"]
    lefts = [cell.box.x0 for cell in row.cells if cell.box]
    assert len(lefts) == 3
    assert lefts == sorted(lefts)


AWARDS = [
    ["Marlow Scholarship", "Home students of engineering in their first year", "15 January 2027"],
    ["Hardship", "All students but those on a student visa", "any time"],
    ["Ashdown", "Home students whose income is not high", "none"],
    ["Nightingale Grant", "Nursing students with a child under 12", "13 November 2026"],
    ["Sports Scholarship", "Members of a national squad", "30 September 2026"],
]


AWARDED = ["Award", "Who", "Deadline"]
DONE = [
    ["A lost card", "Report it to the service desk, which blocks it and prints a new one", "a day"],
    ["An injury", "Call the porter, who opens the gate for the ambulance at once", "at once"],
    ["The lift", "Press the bell", "an hour"],
]
LENT = [
    ["Falke", "40 cm", "mono CCD", "4"],
    ["Kranich", "60 cm", "spectrograph", "3"],
    ["Milan", "80 cm", "mono CCD", "2"],
    ["Reiher", "12 cm, solar", "video", "5"],
]
TELESCOPES = ["Telescope", "Aperture", "Camera", "Nights"]
STATES = [["draft", "ana"], ["review", "ben"], ["closed", "eve"]]
CASES: dict[str, tuple[Table, list[str]]] = {
    "names over several columns are told with those below": (
        table(
            [
                ["Class", "Domestic", "", "Abroad", ""],
                ["", "Day", "Night", "Day", "Night"],
                ["Staff", "28", "80", "42", "120"],
                ["Board", "35", "120", "55", "190"],
            ],
            *(("SPAN", (n, 0), (n + 1, 0)) for n in (1, 3)),
            ("ALIGN", (1, 0), (-1, -1), "CENTER"),
        ),
        named(
            ["Class", "Domestic Day", "Domestic Night", "Abroad Day", "Abroad Night"],
            [["Staff", "28", "80", "42", "120"], ["Board", "35", "120", "55", "190"]],
        ),
    ),
    "the lines of a long cell are of one row": (
        table(
            [
                ["What", "What to do", "Within"],
                *([what, styled(do, "Normal"), within] for what, do, within in DONE),
            ],
            BOLD_HEAD,
            widths=[90, 150, 60],
        ),
        named(["What", "What to do", "Within"], DONE),
    ),
    "where rules part each row, cells that all go on are of one": (
        table(
            [[styled(each, "Normal") for each in row] for row in (AWARDED, *AWARDS)],
            ("LINEBELOW", (0, 0), (-1, -1), 0.5, black),
            widths=[75, 130, 85],
        ),
        named(AWARDED, AWARDS),
    ),
    "a cell that fills its column is not read with the next": (
        table(
            [TELESCOPES, *LENT],
            *(
                BOLD_HEAD,
                ("LEFTPADDING", (0, 0), (-1, -1), 3),
                ("RIGHTPADDING", (0, 0), (-1, -1), 1),
            ),
            widths=[60, 60, 65, 40],
        ),
        named(TELESCOPES, LENT),
    ),
    "an empty cell takes no value of its neighbours": (
        table(SERVICES, BOLD_HEAD),
        SERVED,
    ),
    "years over an empty corner name the columns": (
        table(
            [["", "2024", "2025"], ["Revenue", "481.0", "502.7"], ["Costs", "(220.9)", "(231.5)"]],
            RIGHT,
        ),
        ["Revenue; 2024: 481.0; 2025: 502.7", "Costs; 2024: (220.9); 2025: (231.5)"],
    ),
    "what stands over a ruled total names no column": (
        table(
            [["Tuition", "4,000"], ["Housing", "2,000"], ["Total", "6,000"]],
            ("LINEABOVE", (0, -1), (-1, -1), 1, black),
        ),
        ["Tuition; 4,000", "Housing; 2,000", "Total; 6,000"],
    ),
    "a title over labels and values names no column": (
        table(
            [
                ["Module title", "Introduction to Law", "", ""],
                ["Code", "LAW-101", "Level", "Undergraduate"],
                ["Credits", "10", "Semester", "Autumn"],
            ],
            *(GRID, ("SPAN", (1, 0), (-1, 0))),
        ),
        [
            "Module title; Introduction to Law",
            "Code; LAW-101; Level; Undergraduate",
            "Credits; 10; Semester; Autumn",
        ],
    ),
    "words of their own rows in narrow columns stay apart": (
        table([["State", "Who"], *STATES], BOLD_HEAD, *TIGHT, widths=[60, 60]),
        named(["State", "Who"], STATES),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_rows_are_told_as_people_see_them(case: str) -> None:
    made, expected = CASES[case]
    assert told(made) == expected


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
    cells = [[styled(each, "Normal") for each in row] for row in (names, *body)]
    lines = [*STYLES[style], ("VALIGN", (0, 0), (-1, -1), height)]
    found = told(Table(cells, colWidths=[75, 50, 80, 70], style=lines))
    assert found == named(names, body)


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
    found = told(table([["Day", "Before", "After"], *body], BOLD_HEAD, *flush, over, widths=widths))
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
    apart = [("TOPPADDING", (0, n), (-1, n), 8) for n in (1, 3, 5)]
    found = told(table([["Stay", "Meals", "Charge"], *body], BOLD_HEAD, *TIGHT, *apart))
    values = ("4 hours", "8 hours", "Night")
    assert [each for each in found if each.startswith(tuple(f"Stay: {v};" for v in values))] == (
        named(["Stay", "Meals", "Charge"], stays)
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
    lines: list[tuple[Any, ...]] = [*TIGHT, *(("TOPPADDING", (0, n), (-1, n), 8) for n in starts)]
    lines += [("LINEABOVE", (0, n), (-1, n), 0.5, black) for n in starts if ruled]
    found = told(table([["Day", "Door", "Fee"], *body], BOLD_HEAD, *lines))
    assert found == named(["Day", "Door", "Fee"], body)


def test_what_leads_a_group_over_several_columns_is_no_part_of_its_row_either() -> None:
    stays = [["4 hours", "none", "free"], ["6 hours", "none", "two"], ["8 hours", "two", "free"]]
    ends = [["A night", "two", "nine"], ["A week", "six", "forty"]]
    leads = [[f"Whoever is {who}", "", ""] for who in ("a minor", "an adult", "an elder")]
    body = [leads[0], *stays, leads[1], ends[0], leads[2], ends[1]]
    apart = [("TOPPADDING", (0, n), (2, n), 8) for n in (1, 5, 7)]
    over = [("SPAN", (0, n), (1, n)) for n in (1, 5, 7)]
    names = ["Stay", "Meals", "Charge"]
    found = told(table([names, *body], BOLD_HEAD, *TIGHT, *apart, *over))
    assert [each for each in found if "Charge" in each] == named(names, [*stays, *ends])


def test_where_rules_part_groups_rows_beside_wrapped_ones_stay_rows() -> None:
    names = AWARDED
    wrapped = [[styled(each, "Normal") for each in row] for row in (names, *AWARDS[1:3])]
    full = [["Grade A", "home", "15 January"], ["Grade B", "others", "18 January"]]
    tight = [("TOPPADDING", (0, 3), (-1, -1), 0), ("BOTTOMPADDING", (0, 3), (-1, -1), 0)]
    ruled = [("LINEBELOW", (0, n), (-1, n), 0.5, black) for n in (0, 1, 2, 4)]
    found = told(table([*wrapped, *full], *ruled, *tight, widths=[75, 130, 85]))
    assert found[-2:] == named(names, full)
    open_to = [["Open to", "Home students", "May"], ["Shut to", "Other students", "June"]]
    cells, below = [names, *open_to, *full], ("LINEBELOW", (0, 2), (-1, 2), 0.5, black)
    assert told(table(cells, below, ruled[0], widths=[75, 130, 85])) == (
        named(names, [*open_to, *full])
    )


WIDE = [120, 80, 80]


def test_another_table_at_the_top_of_the_next_page_has_its_own_names() -> None:
    names = ["Course", "Days", "Room"]
    courses = [["Algebra", "5", "14"], ["Latin", "7", "15"], ["Art", "8", "9"]]
    first, second = (
        table(each, BOLD_HEAD, RIGHT, widths=WIDE) for each in (FEES, [names, *courses])
    )
    assert told(first, PageBreak(), second)[3:] == named(names, courses)


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
