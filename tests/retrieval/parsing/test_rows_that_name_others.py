"""A row that names others is told with each of them, whatever program wrote the table."""

from collections.abc import Callable
from typing import Any

import docx
import pytest
from decks import add_table as add_to_slide
from decks import deck, slide
from decks import saved as saved_deck
from openpyxl.styles import Font
from parsed_documents import kinds, texts
from pdf_pages import built
from reportlab.lib.colors import black
from reportlab.platypus import Table
from word_files import add_table, parsed
from workbooks import saved, workbook

from retrieval.parsing import delimited, html, markdown
from retrieval.parsing.pdf.parser import parse as parse_pdf
from retrieval.parsing.pptx.parser import parse as parse_deck
from retrieval.parsing.xlsx.parser import parse as parse_workbook
from retrieval.types import FragmentKind, ParsedDocument


def cells_of(row: str, width: int) -> tuple[list[tuple[str, bool]], bool]:
    """Of a row with bars between its cells, where "!" begins what is bold, and "=" a row of one
    cell that is merged over all columns: each text, whether it is bold; whether they are one."""
    written = row.removeprefix("=").split("|")
    held = [(each.removeprefix("!"), each.startswith("!")) for each in written]
    return [*held, *[("", False)] * (width - len(held))], row.startswith("=")


def in_html(*table: str, is_headed: bool = True) -> ParsedDocument:
    width, made = table[0].count("|") + 1, []
    for number, row in enumerate(table):
        cells, is_merged = cells_of(row, width)
        tag = "td" if number or not is_headed else "th"
        bold = [f"<b>{text}</b>" if is_bold else text for text, is_bold in cells]
        made.append(
            f"<tr><td colspan={width}>{bold[0]}"
            if is_merged
            else "<tr>" + "".join(f"<{tag}>{each}" for each in bold)
        )
    return html.parse(f"<table>{''.join(made)}</table>".encode())


def in_markdown(*table: str) -> ParsedDocument:
    lines = [
        f"| {' | '.join(f'**{text}**' if bold else text for text, bold in cells_of(row, 3)[0])} |"
        for row in table
    ]
    lines.insert(1, "|---|---|---|")
    return markdown.parse("\n".join(lines).encode())


def in_csv(*table: str) -> ParsedDocument:
    width = table[0].count("|") + 1
    rows = (",".join(text for text, _ in cells_of(row, width)[0]) for row in table)
    return delimited.parse("\n".join(rows).encode())


def in_workbook(*table: str, is_headed: bool = True) -> ParsedDocument:
    width = table[0].count("|") + 1
    rows = [cells_of(row, width) for row in table]
    values = [[int(t) if t.isdecimal() else t or None for t, _ in row] for row, _ in rows]
    made = workbook({"Sheet": values})
    sheet = made["Sheet"]
    for number, (row, is_merged) in enumerate(rows, 1):
        for cell, (_, is_bold) in zip(sheet[number], row, strict=True):
            cell.font = Font(bold=is_bold or (is_headed and number == 1))
        if is_merged:
            sheet.merge_cells(start_row=number, end_row=number, start_column=1, end_column=width)
    return parse_workbook(saved(made))


def in_word(*table: str, is_headed: bool = True) -> ParsedDocument:
    made, width = docx.Document(), table[0].count("|") + 1
    rows = [cells_of(row, width) for row in table]
    written = add_table(made, *([text for text, _ in row] for row, _ in rows))
    for number, (row, is_merged) in enumerate(rows):
        for cell, (_, is_bold) in zip(written.rows[number].cells, row, strict=True):
            for run in cell.paragraphs[0].runs:
                run.bold = is_bold or (is_headed and number == 0)
        if is_merged:
            written.cell(number, 0).merge(written.cell(number, width - 1))
    return parsed(made)


def on_slide(*table: str) -> ParsedDocument:
    made, width = deck(), table[0].count("|") + 1
    rows = [cells_of(row, width) for row in table]
    written = add_to_slide(slide(made), *([text for text, _ in row] for row, _ in rows))
    for number, (row, is_merged) in enumerate(rows):
        for column, (_, is_bold) in enumerate(row):
            for run in written.cell(number, column).text_frame.paragraphs[0].runs:
                run.font.bold = is_bold
        if is_merged:
            written.cell(number, 0).merge(written.cell(number, width - 1))
    return parse_deck(saved_deck(made))


def in_pdf(*table: str, is_headed: bool = True) -> ParsedDocument:
    width = table[0].count("|") + 1
    style: list[tuple[Any, ...]] = [("GRID", (0, 0), (-1, -1), 0.5, black)]
    rows = [cells_of(row, width) for row in table]
    for number, (row, is_merged) in enumerate(rows):
        style += [("SPAN", (0, number), (-1, number))] * is_merged
        style += [
            ("FONTNAME", (column, number), (column, number), "Helvetica-Bold")
            for column, (_, is_bold) in enumerate(row)
            if is_bold or (is_headed and number == 0)
        ]
    return parse_pdf(built(Table([[text for text, _ in row] for row, _ in rows], style=style)))


Reader = Callable[..., ParsedDocument]
MERGING = [in_html, in_word, in_workbook, on_slide, in_pdf]
BOLD = [*MERGING, in_markdown]
ALL = [in_html, in_word, in_workbook, on_slide, in_markdown, in_csv]
HEADS = "Class|Day|Night"
EUROPE, ASIA = ["Staff|28|80", "Board|35|120"], ["Staff|60|150", "Board|70|200"]
FEES = ["Fee: 30 EUR. For us 10.", "Due: May. Not late."]
LED = [
    *("Europe: Class: Staff; Day: 28; Night: 80", "Europe: Class: Board; Day: 35; Night: 120"),
    *("Asia: Class: Staff; Day: 60; Night: 150", "Asia: Class: Board; Day: 70; Night: 200"),
]


@pytest.mark.parametrize("read", MERGING)
@pytest.mark.parametrize(("one", "other"), [("=Europe", "=Asia"), ("=!Europe", "=!Asia")])
def test_a_row_over_all_columns_is_told_with_those_below_it(
    read: Reader, one: str, other: str
) -> None:
    assert texts(read(HEADS, one, *EUROPE, other, *ASIA)) == LED


@pytest.mark.parametrize("read", BOLD)
def test_a_bold_row_of_one_cell_is_told_with_those_below_it(read: Reader) -> None:
    assert texts(read(HEADS, "!Europe:", *EUROPE, "!Asia", *ASIA)) == LED


@pytest.mark.parametrize("read", ALL)
def test_so_is_a_plain_one_where_all_rows_stand_under_one(read: Reader) -> None:
    assert texts(read(HEADS, "Europe", *EUROPE, "Asia", *ASIA)) == LED


@pytest.mark.parametrize("read", ALL)
def test_so_is_a_plain_one_where_a_row_of_each_group_says_its_name(read: Reader) -> None:
    europe = ["Europe", "Austria|3|9", "Spain|2|1", "Total Europe|5|10"]
    asia = ["Asia", "Japan|4|2", "China|1|5", "Total Asia|5|7"]
    found = [each.partition(";")[0] for each in texts(read(HEADS, *europe, *asia))]
    assert found[0] == "Europe: Class: Austria"
    assert found[-1] == "Asia: Class: Total Asia"


@pytest.mark.parametrize("read", ALL)
def test_a_label_without_words_is_said_by_no_row(read: Reader) -> None:
    rows = ["Europe", "Austria|3|9", "Total Europe|5|1", ":", "Japan new|4|2", "Oman new|1|1"]
    assert not any(each.startswith("Europe: ") for each in texts(read(HEADS, *rows)))


@pytest.mark.parametrize("read", [in_html, in_word, in_workbook])
def test_a_bold_one_is_where_no_row_names_the_columns(read: Reader) -> None:
    rows = ["!Europe||", "Austria|3|9", "!Asia", "Japan|4|2"]
    assert texts(read(*rows, is_headed=False)) == ["Europe: Austria; 3; 9", "Asia: Japan; 4; 2"]


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        ([], ["Total sites"], ["Total sites"]),
        (["All of these"], ["All of these"], []),
        (["All here"], ["All there", "Total sites"], ["Total sites"]),
    ],
)
def test_a_total_over_several_columns_is_of_all_groups_unless_each_has_one(
    first: list[str], last: list[str], told: list[str]
) -> None:
    def wide(names: list[str]) -> str:
        return "".join(f"<tr><td colspan=2>{name}<td>40" for name in names)

    groups = f"<tr><th colspan=3>Europe<tr><td>Graz<td>Hall<td>3{wide(first)}"
    groups += f"<tr><th colspan=3>Asia<tr><td>Kobe<td>Hall<td>5{wide(last)}"
    page = f"<table><tr><th>City<th>Room<th>Seats{groups}</table>"
    found = [each for each in texts(html.parse(page.encode())) if ": City" not in each]
    assert found == [f"City, Room: {name}; Seats: 40" for name in told]


@pytest.mark.parametrize("read", BOLD)
def test_a_total_and_what_stands_before_the_first_name_are_of_no_group(read: Reader) -> None:
    found = texts(read(HEADS, "Guests|9|10", "!Asia", *ASIA, "!Total|!139|!360"))
    total = "Class: Total; Day: 139; Night: 360"
    assert found == ["Class: Guests; Day: 9; Night: 10", *LED[2:], total]


@pytest.mark.parametrize(
    ("read", "end"),
    [(each, ["!Sum|130|350", "!Total|193|550"]) for each in BOLD]
    + [(each, ["!Ask the desk first.", "Guests|9|10"]) for each in BOLD]
    + [(each, ["=Ask the desk first.", "Guests|9|10"]) for each in MERGING]
    + [(in_word, ["", "Guests|9|10"])],
)
def test_what_stands_below_a_total_a_text_or_a_blank_row_is_of_no_group(
    read: Reader, end: list[str]
) -> None:
    found = texts(read(HEADS, "!Europe", *EUROPE, "!Asia", *ASIA, *end))
    assert found[:4] == LED
    assert found[-1].startswith("Class: ")


@pytest.mark.parametrize("read", BOLD)
@pytest.mark.parametrize("mark", ["!", ""])
def test_a_plain_row_of_sums_of_all_groups_is_of_none(read: Reader, mark: str) -> None:
    groups = [f"{mark}Europe", *EUROPE, "Sum|63|200", f"{mark}Asia", *ASIA, "Sum|130|350"]
    found = texts(read(HEADS, *groups, "Total|193|550", "Guests|9|10"))
    assert [found[2], found[5]] == [
        *("Europe: Class: Sum; Day: 63; Night: 200", "Asia: Class: Sum; Day: 130; Night: 350")
    ]
    assert found[6] == "Class: Total; Day: 193; Night: 550"


@pytest.mark.parametrize("read", BOLD)
def test_what_is_the_sum_of_its_group_is_of_that(read: Reader) -> None:
    found = texts(read(HEADS, "!Asia", *ASIA, "Both|130|350"))
    assert found[-1] == "Asia: Class: Both; Day: 130; Night: 350"


@pytest.mark.parametrize("read", BOLD)
@pytest.mark.parametrize(
    ("row", "end", "group"),
    [
        ("Staff|28|80", ["Both|88|230"], ""),
        ("Loss|(28)|(80)", ["Both|32|70"], ""),
        ("Staff|28|80", ["Both|88|9"], "Europe: "),
        ("Staff|28|80", ["Both|88|230", "Guests|9|10"], "Europe: "),
    ],
)
def test_a_sum_of_two_rows_is_one_of_all_at_the_end_where_most_values_are(
    read: Reader, row: str, end: list[str], group: str
) -> None:
    found = texts(read(HEADS, "!Asia", ASIA[0], "!Europe", row, *end))
    assert found[2].partition("Class: ")[0] == group


@pytest.mark.parametrize("read", BOLD)
@pytest.mark.parametrize(
    ("second", "told"),
    [
        # Sums by chance: at the beginning of a group, or of a label that came before.
        (["!2025", "Income|170|297", "Costs|90|9", "Tax|20|5"], ["2025: "] * 3),
        (["!2025", "Costs|90|9", "Income|260|306", "Tax|20|5"], ["2025: "] * 3),
        (["!2025", "Both|170|297"], ["2025: "]),
        # Those of all, under a label that the sum of each group has too.
        (["!2025", "Costs|9|8", "Tax|5|7", "Total|14|15", "Total|184|312"], ["2025: "] * 3 + [""]),
    ],
)
def test_a_sum_by_chance_is_of_its_group_and_so_is_what_stands_below_it(
    read: Reader, second: list[str], told: list[str]
) -> None:
    first = ["!2024", "Income|100|200", "Costs|60|90", "Tax|10|7", "Total|170|297"]
    found = texts(read(HEADS, *first[: 5 if len(told) > 3 else 4], *second))
    assert [each.partition("Class: ")[0] for each in found][-len(told) :] == told


@pytest.mark.parametrize(
    ("read", "rows"),
    [
        (each, rows)
        for each in [in_html, in_word, in_workbook, on_slide, in_markdown]
        for rows in (
            ["!Staff", "Car|2|5", "!visitors", "Car|9|5"],
            ["!Staff", "Car|2|5", "Lunch|1|1", "!e-books", "Van|9|5"],
            ["!Staff", "Car|2|5", "visitors", "Car|9|5"],
            ["!Staff", "Car|2|5", "Visitors", "Car|9|5"],
            ["!Staff", "Car|2|5", "!closed", "Van|9|5", "!on request", "Bus|7|5"],
            ["!Monday", "9:00|Ann|Bo", "!break", "11:00|Bo|Ann"],
        )
    ]
    + [
        (each, ["Staff", "Car|2|5", "Lunch|1|1", "visitors", "Car|9|5", "Lunch|7|7"])
        for each in ALL
    ]
    + [
        (
            each,
            ["Staff", "Car|2|5", "visitors", "Car|9|5", "Board", "Car|3|3", "visitors", "Car|8|8"],
        )
        for each in ALL
    ]
    + [(each, ["=Staff", "Car|2|5", "=visitors", "Car|9|5"]) for each in MERGING],
)
def test_below_what_may_be_a_name_in_small_letters_or_a_value_rows_are_of_no_group(
    read: Reader, rows: list[str]
) -> None:
    found = texts(read(HEADS, *rows))
    assert ": Class: " in found[0]
    assert ": Class: " not in found[-1]
    assert all(each.startswith("Class: ") for each in found if "Day: 9" in each)


@pytest.mark.parametrize("read", BOLD)
@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["!Staff", "Car|2|5", "!iPhones", "Loan|9|5"], "iPhones"),
        (["!staff", "car|2|5", "!visitors", "car|9|5"], "visitors"),
        (["!Staff", "Car|2|5", "!visitors", "Car|9|5", "!pupils", "Car|8|1"], "pupils"),
        (
            ["!A", "!weekdays", "Car|2|5", "!weekends", "Car|9|5", "!B", "!weekdays", "Car|1|5"],
            "B: weekdays",
        ),
    ],
)
def test_a_name_in_small_letters_is_told_where_it_can_be_no_value(
    read: Reader, rows: list[str], told: str
) -> None:
    assert texts(read(HEADS, *rows))[-1].startswith(f"{told}: Class: ")


@pytest.mark.parametrize("read", [in_html, in_word, in_workbook, on_slide, in_markdown])
@pytest.mark.parametrize(
    "rows",
    [
        ["!Summer", "May|2|5", "closed", "June|9|5", "!Winter", "March|1|1", "closed", "July|3|3"],
        ["!Summer", "pool|2|5", "sauna", "yard|9|5", "!Winter", "pool|1|1", "July|3|3"],
    ],
)
def test_values_in_small_letters_part_no_group(read: Reader, rows: list[str]) -> None:
    found = texts(read(HEADS, *rows))
    assert found[2].startswith("Summer: Class: ")
    assert found[-1] == "Winter: Class: July; Day: 3; Night: 3"


@pytest.mark.parametrize(
    ("read", "outer", "inner"),
    [(each, "!", "!") for each in BOLD]
    + [(each, *marks) for each in MERGING for marks in (("=!", "!"), ("=", "="), ("=!", "="))],
)
@pytest.mark.parametrize(
    "names", [("Year 1", "Year 2", "Year 1"), ("Full time", "Evenings", "Evenings")]
)
def test_a_name_within_another_is_told_behind_it(
    read: Reader, outer: str, inner: str, names: tuple[str, str, str]
) -> None:
    first, second, third = (f"{inner}{name}" for name in names)
    bachelor = [f"{outer}Bachelor", first, "Logic|5|20", second, "Algebra|6|10"]
    found = texts(read(HEADS, *bachelor, f"{outer}Master", third, "Rings|3|30"))
    assert [each.partition(": Class")[0] for each in found] == [
        *(f"Bachelor: {names[0]}", f"Bachelor: {names[1]}", f"Master: {names[2]}")
    ]


@pytest.mark.parametrize("read", BOLD)
def test_what_says_nothing_of_other_names_may_stand_within_none(read: Reader) -> None:
    found = texts(read(HEADS, "!Fees", "!Europe", *EUROPE, "!Asia", *ASIA))
    assert found == [*(f"Fees: {each}" for each in LED[:2]), *LED[2:]]


def test_a_blank_row_of_a_page_ends_a_group() -> None:
    rule = "<tr><td colspan=3><hr></td></tr>"
    rows = f"<tr><th colspan=3>Asia<tr><td>Staff<td>60<td>150{rule}<tr><td>Guests<td>9<td>10"
    page = f"<table><tr><th>Class<th>Day<th>Night{rows}</table>"
    found = texts(html.parse(page.encode()))
    assert found == ["Asia: Class: Staff; Day: 60; Night: 150", "Class: Guests; Day: 9; Night: 10"]


@pytest.mark.parametrize("read", BOLD)
def test_a_row_that_lacks_its_values_parts_no_group(read: Reader) -> None:
    found = texts(read(HEADS, "!Asia", "Staff|60|150", "Guests", "Board|70|200", "Aides|5|6"))
    assert [found[0], found[2]] == LED[2:]


@pytest.mark.parametrize("read", BOLD)
def test_numbers_of_rows_may_stand_before_a_name(read: Reader) -> None:
    assert texts(read("No|Class|Day", "|!Asia|", "1|Staff|60"))[0].startswith("Asia: No: 1")


@pytest.mark.parametrize("read", BOLD)
def test_names_right_above_each_other_are_told_one_behind_the_other(read: Reader) -> None:
    found = texts(read(HEADS, "!Abroad", "!Asia", *ASIA))
    assert found == [f"Abroad: {each}" for each in LED[2:]]


@pytest.mark.parametrize("read", ALL)
@pytest.mark.parametrize(
    ("rows", "told"),
    [
        # What lacks its values, beside rows that have theirs.
        (["Staff|28|80", "Guests", "Board|35|120"], "Class: Guests"),
        (["Guests", "Staff|28|80", "Board|35|120"], "Class: Guests"),
        (["!Staff|28|80", "!Guests", "!Board|35|120"], "Class: Guests"),
        (["Guests", "Interns", "Staff|28|80", "Board|35|120"], "Class: Guests"),
        # A break, a sentence, a number.
        (["9:00|Ann|Bo", "!Lunch", "13:00|Bo|Ann"], "Class: Lunch"),
        (["Staff|28|80", "!Ask the desk first.", "Board|35|120"], "Class: Ask the desk first."),
        (["May|8|20", "!Closed", "June|9|21"], "Class: Closed"),
        (["Staff|28|80", "!closed", "Board|35|120"], "Class: closed"),
        (["9 am to 12|Ann|Bo", "!Lunch", "1 pm to 5|Bo|Ann"], "Class: Lunch"),
        (["Staff|28|80", "!412", "Board|35|120"], "Class: 412"),
        # What lacks values where other rows stand out, or have names of their own.
        (["!Card|5|9", "!Locker", "!Key|7|9", "!Gym", "Pool|9|9"], "Class: Gym"),
        (["Ann", "Ben|Sales|12", "Carl", "Dora|Desk|13"], "Class: Carl"),
        (["Room A|Open|10", "|!Closed|", "Room B|Open|20"], "Day: Closed"),
    ],
)
def test_a_row_that_may_name_nothing_stays_one(read: Reader, rows: list[str], told: str) -> None:
    found = texts(read(HEADS, *rows))
    assert told in found
    assert [each for each in found if ": Class" in each] == []


@pytest.mark.parametrize("read", MERGING)
def test_what_spans_a_table_between_its_rows_is_of_no_column(read: Reader) -> None:
    assert texts(read(HEADS, "Staff|28|80", "=Closed", "Board|35|120")) == [
        *("Class: Staff; Day: 28; Night: 80", "Closed", "Class: Board; Day: 35; Night: 120")
    ]


@pytest.mark.parametrize(
    ("read", "last"),
    [(each, "* From 2026 90.") for each in ALL] + [(each, "=* From 2026 90.") for each in MERGING],
)
def test_a_note_in_the_last_row_is_told_with_the_value_and_under_no_name(
    read: Reader, last: str
) -> None:
    document = read(HEADS, "Staff|28|80*", "Board|35|120", last)
    assert kinds(document) == [
        (FragmentKind.TABLE_ROW, "Class: Staff; Day: 28; Night: 80* (* From 2026 90)"),
        (FragmentKind.TABLE_ROW, "Class: Board; Day: 35; Night: 120"),
        (FragmentKind.PARAGRAPH, "* From 2026 90."),
    ]


@pytest.mark.parametrize(
    ("read", "last"),
    [*((each, "Prices without tax") for each in (in_csv, in_workbook))]
    + [(each, "=Prices without tax") for each in MERGING]
    + [(each, "Prices are without tax.") for each in ALL],
)
def test_a_line_below_a_table_is_under_no_name(read: Reader, last: str) -> None:
    document = read(HEADS, *EUROPE, last)
    assert kinds(document)[-1] == (FragmentKind.PARAGRAPH, last.strip("="))


@pytest.mark.parametrize("read", [in_html, in_word, on_slide, in_markdown])
def test_a_label_beside_empty_cells_is_a_row_to_the_last(read: Reader) -> None:
    assert kinds(read(HEADS, *EUROPE, "Guests"))[-1] == (FragmentKind.TABLE_ROW, "Class: Guests")


@pytest.mark.parametrize("read", ALL)
def test_what_lacks_values_in_a_table_of_gaps_is_no_line_below_it(read: Reader) -> None:
    rows = ["Mon|soup|", "Tue", "Wed|rice|", "Thu", "Fri"]
    assert texts(read("Class|Day|Night", *rows))[-1] == "Class: Fri"


@pytest.mark.parametrize("read", [in_html, in_word, in_workbook])
@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["Owner:|Jane", "Phone:|4400"], ["Owner: Jane", "Phone: 4400"]),
        (["!Owner|Jane", "!Phone|none"], ["Owner: Jane", "Phone: none"]),
        (
            ["Owner:|Jane|Phone:|4400", "Room:|K1|Fax:|no"],
            ["Owner: Jane; Phone: 4400", "Room: K1; Fax: no"],
        ),
        (["Fee:|30 EUR. For us 10.", "Due:|May. Not late."], FEES),
        (["Fee:|30 EUR. For us 10.|Due:|May. Not late."], ["; ".join(FEES)]),
        (["Owner|Jane", "Phone|none"], ["Owner; Jane", "Phone; none"]),
        (["!Owner|!Jane", "!Phone|!none"], ["Owner; Jane", "Phone; none"]),
    ],
)
def test_a_label_leads_its_value_where_no_row_names_the_columns(
    read: Reader, rows: list[str], told: list[str]
) -> None:
    assert texts(read(*rows, is_headed=False)) == told


@pytest.mark.parametrize("empty", ["<td></td>", "<th></th>"])
def test_a_group_right_below_the_head_of_a_page_names_no_column(empty: str) -> None:
    page = (
        f"<table><tr><th>What<th>Price</tr><tr><th>Staff{empty}</tr><tr><td>Parking<td>2</tr>"
        f"<tr><th>Visitors{empty}</tr><tr><td>Parking<td>9</tr></table>"
    )
    assert texts(html.parse(page.encode())) == [
        "Staff: What: Parking; Price: 2",
        "Visitors: What: Parking; Price: 9",
    ]


def test_what_stands_in_the_head_of_a_page_names_its_column_though_alone() -> None:
    head = "<thead><tr><th>Kind<th>Price</tr><tr><th>of car<th></tr></thead>"
    page = f"<table>{head}<tr><td>Van<td>2</tr></table>"
    assert texts(html.parse(page.encode())) == ["Kind of car: Van; Price: 2"]
