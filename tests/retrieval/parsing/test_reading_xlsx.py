"""A workbook is read as its cells show it; openpyxl writes it, and opens it again to compare."""

import io
import re
from datetime import date, datetime, time, timedelta

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.styles import Font
from openpyxl.utils.cell import get_column_letter
from parsed_documents import folded, kinds, quotes, sentences, texts
from workbooks import Rows, saved, with_parts, workbook

from bot.lab.proof.places import cells_checker
from retrieval.parsing.xlsx.cells import shown
from retrieval.parsing.xlsx.parser import parse
from retrieval.types import FragmentKind

FEES: Rows = [["Course", "Fee", "Due"], ["BSc Computing", 9250, "May"], ["MSc AI", 12500, "June"]]


def test_a_row_reads_as_a_sentence_with_its_column_heads_its_sheet_and_its_cells() -> None:
    document = parse(saved(workbook({"Read me": [["Ask Ann."]], "Fees": FEES})))
    assert kinds(document)[1:] == [
        (FragmentKind.TABLE_ROW, "Course: BSc Computing; Fee: 9250; Due: May"),
        (FragmentKind.TABLE_ROW, "Course: MSc AI; Fee: 12500; Due: June"),
    ]
    assert quotes(document)[1:] == ["BSc Computing\t9250\tMay", "MSc AI\t12500\tJune"]
    last = sentences(document)[-1]
    assert (last.page, last.page_label, last.line_start) == (2, "sheet Fees", None)
    assert [(each.name, each.reference) for each in last.cells] == [
        ("Course", "A3"),
        ("Fee", "B3"),
        ("Due", "C3"),
    ]
    assert document.fragments[-1].section_path == ("Fees",)


def test_a_caption_is_a_heading_and_tables_beside_gaps_have_heads_of_their_own() -> None:
    rows: Rows = [
        *(["Tuition fees 2026"], [], *FEES, []),
        *(["Deposits"], ["Hall", "Deposit", "Beds"], ["West", 300, 12], []),
        ["Ask the registry. It is open daily."],
    ]
    document = parse(saved(workbook({"Sheet1": rows})))
    assert [fragment.section_path for fragment in document.fragments] == [
        *[("Tuition fees 2026",)] * 2,
        *[("Deposits",)] * 2,
    ]
    assert texts(document)[2:] == [
        "Hall: West; Deposit: 300; Beds: 12",
        "Ask the registry.",
        "It is open daily.",
    ]
    assert document.title == ""
    made = workbook({"Sheet1": rows})
    made.properties.title = "Fees of 2026"
    assert parse(saved(made)).title == "Fees of 2026"


def test_cells_over_several_rows_and_heads_over_several_columns_are_read_with_each() -> None:
    rows: Rows = [
        *(["Faculty", "Room", "Seats", None], [None, None, "Lectures", "Exams"]),
        *(["Arts", "A1", 20, 10], [None, "A2", 30, 15]),
    ]
    made = workbook({"Rooms": rows})
    made["Rooms"].merge_cells("C1:D1")
    made["Rooms"].merge_cells("A3:A4")
    for cell in (*made["Rooms"][1], *made["Rooms"][2]):
        cell.font = Font(bold=True)
    document = parse(saved(made))
    assert texts(document) == [
        "Faculty: Arts; Room: A1; Seats Lectures: 20; Seats Exams: 10",
        "Faculty: Arts; Room: A2; Seats Lectures: 30; Seats Exams: 15",
    ]
    assert sentences(document)[1].cells[0].reference == "A3"


@pytest.mark.parametrize(
    ("value", "form", "read"),
    [
        (9250, "General", "9250"),
        (0.1 + 0.2, "General", "0.3"),
        (9250, "#,##0", "9,250"),
        (9250.5, '"£"#,##0.00', "£9,250.50"),
        (9250, "[$€-407]#,##0", "€9,250"),
        (9250, "#,##0\\ [$EUR]", "9,250 EUR"),
        (0.125, "0%", "13%"),
        (0.125, "0.0%", "12.5%"),
        (-3.5, "0.00", "-3.50"),
        (-3.5, "0.00;(0.00)", "(3.50)"),
        (0, '0;-0;"none"', "none"),
        (7, "000", "007"),
        (2.5, "0.##", "2.5"),
        (1_250_000, "#,##0,", "1,250"),
        (0.5, "# ?/?", "0.5"),
        (1e-7, "General", "1e-07"),
        (True, "General", "TRUE"),
        (date(2026, 9, 1), "d mmm yy", "2026-09-01"),
        (datetime(2026, 9, 1, 9, 30), "d/m/yy hh:mm", "2026-09-01 09:30"),
        (time(9, 5), "h:mm", "09:05"),
        (timedelta(hours=30, minutes=5), "[h]:mm", "30:05:00"),
        (3, '0" weeks"', "3 weeks"),
        (3, "[Red]0", "3"),
        (3, "[>2]0;General", "3"),
        (3, "0" * 300, "3"),
    ],
)
def test_a_value_is_read_as_its_format_shows_it(value: object, form: str, read: str) -> None:
    assert shown(value, form) == read


@given(
    st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False),
    st.text(alphabet="#0?,.%;\"'\\_*[]$€- ()@Ee/dmyhs<>=", max_size=20),
)
def test_no_format_is_too_broken(value: float, form: str) -> None:
    assert isinstance(shown(value, form), str)


@pytest.mark.parametrize("fill", [b"<fill/>", b"<fill></fill>", b"<fill />"])
def test_a_workbook_whose_styles_have_empty_fills_is_read(fill: bytes) -> None:
    """As xlsx-populate writes them."""
    whole = b'<fill><patternFill patternType="gray125"/></fill>'

    def emptied(styles: bytes) -> bytes:
        assert whole in styles
        return styles.replace(whole, fill)

    content = saved(workbook({"Stock": [["Item", "Cost", "Note"], ["Desk", 5, "Oak"]]}))
    assert texts(parse(with_parts(content, {"xl/styles.xml": emptied}))) == [
        "Item: Desk; Cost: 5; Note: Oak"
    ]


def test_a_formula_is_read_as_what_it_came_to() -> None:
    made = workbook({"Fees": [["Item", "Cost", "Note"], ["Desk", 5, "x"], ["Both", "=B2*2", "y"]]})

    def stored(sheet: bytes) -> bytes:
        return re.sub(rb"(<f>B2\*2</f><v) ?(/>|></v>)", rb"\1>10</v>", sheet)

    content = with_parts(saved(made), {"xl/worksheets/sheet1.xml": stored})
    assert texts(parse(content))[-1] == "Item: Both; Cost: 10; Note: y"


words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
values = (
    st.none()
    | words.filter(lambda text: not text.startswith("="))
    | st.integers(-9_999_999, 9_999_999)
    | st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 4))
    | st.dates(date(1950, 1, 1), date(2090, 1, 1))
    | st.booleans()
)
forms = st.sampled_from(["General", "0", "#,##0.00", "0.0%", '"£"0', "0.00;(0.00)"])


@given(st.lists(st.lists(values, min_size=1, max_size=4), min_size=1, max_size=5), forms)
def test_every_cell_stands_where_it_is_said_to(rows: list[list[object]], form: str) -> None:
    made = workbook({"First": [["Ask Ann."]], "Some rows": rows})
    for row in made["Some rows"].iter_rows():
        for cell in row:
            if isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
                cell.number_format = form
    content = saved(made)
    document = parse(content)
    stands = cells_checker(content)
    opened = openpyxl.load_workbook(io.BytesIO(content), data_only=True)
    for sentence in sentences(document):
        quote = document.source[sentence.char_start : sentence.char_end]
        assert stands(sentence, quote)
        for cell in sentence.cells:
            value = opened.worksheets[(sentence.page or 0) - 1][cell.reference].value
            if isinstance(value, str):
                assert sentence.text[cell.start : cell.end] in folded(value)
    filled = {
        f"{get_column_letter(column)}{number}"
        for number, row in enumerate(rows, start=1)
        for column, value in enumerate(row, start=1)
        if value is not None and (not isinstance(value, str) or folded(value))
    }
    named = {cell.reference for each in sentences(document) for cell in each.cells}
    placed = {cell.reference for each in document.headings for cell in each.sentence.cells}
    heads = filled - named - placed  # the names of columns stand in the rows below
    assert len({reference.strip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for reference in heads}) <= 2


CLASSES = ["Class|Pupils||Teacher", "|Girls|Boys|", "3a|11|13|Ms Sample", "3b|14|–|Mr Muster"]
READ_CLASSES = [
    "Class: 3a; Pupils Girls: 11; Pupils Boys: 13; Teacher: Ms Sample",
    "Class: 3b; Pupils Girls: 14; Pupils Boys: –; Teacher: Mr Muster",
]
CONTACTS = ["Name|Contact|", "|Phone|Mail", "Ann|home|a@b.org"]
PARTLY = ["Class|Pupils||", "|Girls|Boys|Note", "3a|1|2|late"]
TITLED = ["Budget|||Draft", "Site|Plan|Actual|Note", "Graz|1|2|late"]


@pytest.mark.parametrize(
    ("rows", "merged", "read"),
    [
        *(
            (CLASSES, merged, READ_CLASSES)
            for merged in ("", "B1:C1", "A1:A2", "A1:A2 B1:C1 D1:D2")
        ),
        (
            ["|Pupils||Staff|", "Class|Girls|Boys|Old|New", "3a|0|1|2|3"],
            "",
            ["Class: 3a; Pupils Girls: 0; Pupils Boys: 1; Staff Old: 2; Staff New: 3"],
        ),
        (
            ["Site|Spring||Fall|", "|Plan|Actual|Plan|Actual", "Graz|110|120|90|95"],
            "",
            ["Site: Graz; Spring Plan: 110; Spring Actual: 120; Fall Plan: 90; Fall Actual: 95"],
        ),
        (
            ["Room|Open|Close", "Hall|early|late", "Gym|late|late"],
            "",
            ["Room: Hall; Open: early; Close: late", "Room: Gym; Open: late; Close: late"],
        ),
        (
            ["Site|2025|", "|Plan|Actual", "Graz|1|2"],
            "",
            ["Site: Graz; 2025 Plan: 1; 2025 Actual: 2"],
        ),
        (
            ["Pupils||Staff|", "Girls|Boys|Old|New", "1|2|3|4"],
            "A1:B1 C1:D1",
            ["Pupils Girls: 1; Pupils Boys: 2; Staff Old: 3; Staff New: 4"],
        ),
        (PARTLY, "B1:C1", ["Class: 3a; Pupils Girls: 1; Pupils Boys: 2; Note: late"]),
        (CONTACTS, "B1:C1", ["Name: Ann; Contact Phone: home; Contact Mail: a@b.org"]),
        (
            ["Class|Pupils|Teacher", "||", "3a|11|Ann"],
            "A1:A2 B1:B2 C1:C2",
            ["Class: 3a; Pupils: 11; Teacher: Ann"],
        ),
        # What may be no names is read as it stands.
        (CONTACTS, "", ["Name; Contact", "Phone; Mail", "Ann; home; a@b.org"]),
        *(
            (TITLED, merged, ["Budget; Draft", "Site; Plan; Actual; Note", "Graz; 1; 2; late"])
            for merged in ("", "A1:C1")
        ),
        (PARTLY, "", ["Class; Pupils", "Girls; Boys; Note", "3a; 1; 2; late"]),
        (
            ["Arts|Hall|open", "|Lab|closed", "Law|Gym|open"],
            "A1:A2",
            ["Arts; Hall; open", "Arts; Lab; closed", "Law; Gym; open"],
        ),
        (
            ["Opening hours||Notes", "Monday|closed|", "Tuesday|9|late"],
            "A1:B1",
            ["Opening hours; Notes", "Monday; closed", "Tuesday; 9; late"],
        ),
        (
            ["Seen|Cost|Item", "|5|Desk", "no|7|Chair"],
            "A1:A2",
            ["Cost: 5; Item: Desk", "Seen: no; Cost: 7; Item: Chair"],
        ),
        (["Name||Age", "Ann|Sample|31"], "A1:B1", ["Name: Ann; Name: Sample; Age: 31"]),
        (
            ["Class|Girls|Boys", "3a|11|13", "Total|24|"],
            "B3:C3",
            ["Class: 3a; Girls: 11; Boys: 13", "Class: Total; Girls, Boys: 24"],
        ),
    ],
)
def test_names_over_several_columns_are_said_with_those_below_them(
    rows: list[str], merged: str, read: list[str]
) -> None:
    written = (row.split("|") for row in rows)
    values = [[int(each) if each.isdecimal() else each or None for each in row] for row in written]
    made = workbook({"Sheet": values})
    for cells in merged.split():
        made["Sheet"].merge_cells(cells)
    assert texts(parse(saved(made))) == read


@pytest.mark.parametrize("last", [["Prices without tax"], ["Room", None], ["* Without tax."]])
def test_a_gap_or_a_line_below_takes_no_name_from_the_columns(last: list[str | None]) -> None:
    rows: Rows = [["Item", "Fee"], ["Card", 10], ["Book", 20], ["Map", 5], last]
    found = texts(parse(saved(workbook({"Fees": rows}))))
    assert found[:3] == ["Item: Card; Fee: 10", "Item: Book; Fee: 20", "Item: Map; Fee: 5"]
    gap: Rows = [["Item", "Fee"], ["Card", 10], ["Room"], ["Book", 20]]
    assert texts(parse(saved(workbook({"Fees": gap}))))[1] == "Item: Room"


@pytest.mark.parametrize(
    "rows",
    [
        [["Owner", "HR"], ["Phone", 4400], ["Room"]],
        [["Owner", "HR"], ["Phone", 44], ["Site", "Graz"], ["Room", 5]],
    ],
)
def test_labels_and_their_values_are_no_heads_for_a_gap(rows: Rows) -> None:
    assert texts(parse(saved(workbook({"Card": rows}))))[0] == "Owner; HR"
