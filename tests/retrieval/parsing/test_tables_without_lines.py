"""Tables whose cells have no lines around them are read as people see them; what is none is not."""

from collections.abc import Sequence
from typing import Any

import pytest
from pdf_pages import built, drawn_pages, styled, write
from reportlab.lib.colors import black, lightgrey, whitesmoke
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Spacer, Table

from retrieval.parsing.pdf.parser import parse
from retrieval.types import FragmentKind, ParsedDocument

BEFORE = styled(
    "What follows holds for everybody here, whatever a department wrote. " * 2, "Normal"
)
AFTER = styled("These rules were last looked at in May by the office that is named. " * 2, "Normal")
BOLD_HEAD = ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")
RIGHT = ("ALIGN", (1, 0), (-1, -1), "RIGHT")
GRID = ("GRID", (0, 0), (-1, -1), 0.5, black)
TIGHT = ("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)
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


def printed(*content: Any) -> ParsedDocument:
    return parse(built(BEFORE, Spacer(1, 10), *content, Spacer(1, 10), AFTER))


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
def test_each_value_stands_under_its_name_beside_its_row_and_prose_stays_prose(style: str) -> None:
    document = printed(table(FEES, *STYLES[style]))
    assert rows(document) == told(FEES[0], FEES[1:])
    kinds = [fragment.kind for fragment in document.fragments]
    assert kinds[0] == kinds[-1] == FragmentKind.PARAGRAPH
    assert len(document.fragments[0].sentences) == len(document.fragments[-1].sentences) == 2
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
        told(
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
        told(["What", "What to do", "Within"], DONE),
    ),
    "where rules part each row, cells that all go on are of one": (
        table(
            [[styled(each, "Normal") for each in row] for row in (AWARDED, *AWARDS)],
            ("LINEBELOW", (0, 0), (-1, -1), 0.5, black),
            widths=[75, 130, 85],
        ),
        told(AWARDED, AWARDS),
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
        told(TELESCOPES, LENT),
    ),
    "an empty cell takes no value of its neighbours": (
        table(
            [
                ["Service", "Free", "With card", "Guests"],
                ["Copies", "100 a month", "5 cents", "8 cents"],
                ["Scans", "unlimited", "", ""],
                ["Posters", "", "9 euros", "14 euros"],
                ["Lockers", "one", "", "10 euros"],
            ],
            BOLD_HEAD,
        ),
        [
            "Service: Copies; Free: 100 a month; With card: 5 cents; Guests: 8 cents",
            "Service: Scans; Free: unlimited",
            "Service: Posters; With card: 9 euros; Guests: 14 euros",
            "Service: Lockers; Free: one; Guests: 10 euros",
        ],
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
        told(["State", "Who"], STATES),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_rows_are_told_as_people_see_them(case: str) -> None:
    made, expected = CASES[case]
    assert rows(printed(made)) == expected


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
    found = rows(printed(Table(cells, colWidths=[75, 50, 80, 70], style=lines)))
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
    apart = [("TOPPADDING", (0, n), (-1, n), 8) for n in (1, 3, 5)]
    found = rows(printed(table([["Stay", "Meals", "Charge"], *body], BOLD_HEAD, *TIGHT, *apart)))
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
    lines: list[tuple[Any, ...]] = [*TIGHT, *(("TOPPADDING", (0, n), (-1, n), 8) for n in starts)]
    lines += [("LINEABOVE", (0, n), (-1, n), 0.5, black) for n in starts if ruled]
    found = rows(printed(table([["Day", "Door", "Fee"], *body], BOLD_HEAD, *lines)))
    assert found == told(["Day", "Door", "Fee"], body)


def test_what_leads_a_group_over_several_columns_is_no_part_of_its_row_either() -> None:
    stays = [["4 hours", "none", "free"], ["6 hours", "none", "two"], ["8 hours", "two", "free"]]
    ends = [["A night", "two", "nine"], ["A week", "six", "forty"]]
    leads = [[f"Whoever is {who}", "", ""] for who in ("a minor", "an adult", "an elder")]
    body = [leads[0], *stays, leads[1], ends[0], leads[2], ends[1]]
    apart = [("TOPPADDING", (0, n), (2, n), 8) for n in (1, 5, 7)]
    over = [("SPAN", (0, n), (1, n)) for n in (1, 5, 7)]
    names = ["Stay", "Meals", "Charge"]
    found = rows(printed(table([names, *body], BOLD_HEAD, *TIGHT, *apart, *over)))
    assert [each for each in found if "Charge" in each] == told(names, [*stays, *ends])


def test_where_rules_part_groups_rows_beside_wrapped_ones_stay_rows() -> None:
    names = AWARDED
    wrapped = [[styled(each, "Normal") for each in row] for row in (names, *AWARDS[1:3])]
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


WIDE = [120, 80, 80]


def test_it_goes_on_over_the_page_with_its_names() -> None:
    more = [["History", "3,900", "9,800"], ["Physics", "4,300", "12,100"], ["Law", "5", "6"]]
    first = [table(FEES, BOLD_HEAD, RIGHT, widths=WIDE), PageBreak()]
    content = built(*first, table(more, RIGHT, widths=WIDE), AFTER)
    assert rows(parse(content))[-1] == "Programme: Law; Home: 5; Overseas: 6"


def test_another_table_at_the_top_of_the_next_page_has_its_own_names() -> None:
    names = ["Course", "Days", "Room"]
    courses = [["Algebra", "5", "14"], ["Latin", "7", "15"], ["Art", "8", "9"]]
    first, second = (
        table(each, BOLD_HEAD, RIGHT, widths=WIDE) for each in (FEES, [names, *courses])
    )
    assert rows(printed(first, PageBreak(), second))[3:] == told(names, courses)


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
