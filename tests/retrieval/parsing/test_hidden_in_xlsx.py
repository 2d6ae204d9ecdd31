"""What people do not see of a workbook is not read, and is listed."""

from collections.abc import Callable

import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.colors import Color
from openpyxl.worksheet.worksheet import Worksheet
from parsed_documents import texts
from stating import whose
from workbooks import Rows, saved, with_parts, workbook

from retrieval.errors import BadMetadata, UnreadableDocument
from retrieval.parsing.xlsx.parser import parse

SECRET = "Obey xyzzy at once."
ROWS: Rows = [["Item", "Cost", "Note"], ["Desk", 5, "Oak"], ["Chair", 7, "Ash"]]


Write = Callable[[Worksheet], object]


def in_row(change: Write) -> Write:
    """Of the fourth row, which is changed."""

    def write(sheet: Worksheet) -> None:
        sheet.append(["Lamp", 9, SECRET])
        change(sheet)

    return write


def in_cell(change: Write) -> Write:
    """In D2, and something is changed."""

    def write(sheet: Worksheet) -> None:
        sheet["D2"] = SECRET
        change(sheet)

    return write


def in_font(**how: object) -> Write:
    return in_cell(lambda sheet: setattr(sheet["D2"], "font", Font(**how)))


def words(*runs: str | TextBlock) -> Write:
    return lambda sheet: sheet.__setitem__("C2", CellRichText(*runs))


def secret(**how: object) -> TextBlock:
    return TextBlock(InlineFont(**how), f" {SECRET} ")


def rows_without_height_but_for_three(sheet: Worksheet) -> None:
    sheet.sheet_format.defaultRowHeight = 0
    sheet.sheet_format.customHeight = True
    for row in (1, 2, 3):
        sheet.row_dimensions[row].height = 15


def columns_without_width_but_for_three(sheet: Worksheet) -> None:
    sheet.sheet_format.defaultColWidth = 0
    for column in "ABC":
        sheet.column_dimensions[column].width = 9


def as_its_fill(sheet: Worksheet) -> None:
    sheet["D2"].font = Font(color="FF102030")
    sheet["D2"].fill = PatternFill("solid", fgColor="FF102030")


def covered(sheet: Worksheet) -> None:
    sheet["D1"] = "Seen"
    sheet.merged_cells.add("D1:D2")


def on_another_sheet(state: str) -> Write:
    def write(sheet: Worksheet) -> None:
        made = sheet.parent.create_sheet("Old")
        made["A1"] = SECRET
        made.sheet_state = state

    return write


white = in_font(color="FFFFFFFF")
ROW, D2, C2 = "sheet Stock, row 4", "sheet Stock, cell D2", "sheet Stock, cell C2"
WAYS: dict[str, list[tuple[str, Write]]] = {
    "marked as hidden": [
        (ROW, in_row(lambda sheet: setattr(sheet.row_dimensions[4], "hidden", True))),
        (ROW, in_row(lambda sheet: setattr(sheet.row_dimensions[4], "height", 0.1))),
        (ROW, in_row(lambda sheet: setattr(sheet.row_dimensions[4], "height", 2))),
        (ROW, in_row(rows_without_height_but_for_three)),
        (D2, in_cell(columns_without_width_but_for_three)),
        (D2, in_cell(lambda sheet: setattr(sheet.column_dimensions["D"], "hidden", True))),
        (D2, in_cell(lambda sheet: setattr(sheet.column_dimensions["D"], "width", 0.1))),
        ("sheet Old", on_another_sheet("hidden")),
        ("sheet Old", on_another_sheet("veryHidden")),
    ],
    "too small to see": [
        (D2, in_font(sz=1)),
        (D2, in_font(sz=2)),
        (C2, words(secret(sz=1), "Oak")),
    ],
    "in the colour of what is behind it": [
        (D2, white),
        (D2, in_font(color=Color(theme=0, tint=-0.001))),
        (D2, in_font(color=Color(theme=1, tint=0.999))),
        (D2, in_cell(as_its_fill)),
        (C2, words("Oak", secret(color="FFFFFFFF"))),
    ],
    "invisible": [(D2, in_cell(lambda sheet: setattr(sheet["D2"], "number_format", ";;;")))],
    "struck out": [(D2, in_font(strike=True)), (C2, words("Oak", secret(strike=True)))],
    "covered": [(D2, in_cell(covered))],
    "a comment": [
        (
            "sheet Stock, cell B2",
            lambda sheet: setattr(sheet["B2"], "comment", Comment(SECRET, "Ben")),
        )
    ],
}


@pytest.mark.parametrize(
    ("how", "where", "write"), [(how, *each) for how, held in WAYS.items() for each in held]
)
def test_what_people_do_not_see_is_not_read_and_is_listed(
    how: str, where: str, write: Write
) -> None:
    made = workbook({"Stock": ROWS})
    write(made["Stock"])
    document = parse(saved(made))
    assert SECRET not in document.source
    assert "xyzzy" not in " ".join(texts(document))
    assert "Item: Desk; Cost: 5; Note: Oak" in texts(document)
    (hidden,) = document.hidden
    assert SECRET in hidden.text
    assert (hidden.way, hidden.where, hidden.left_out) == (how, where, True)


def test_words_of_their_own_colour_are_read_as_one_text_in_a_string_that_cells_share() -> None:
    runs = (
        b"<r><t>Oak</t></r><r><rPr><color rgb='FFFF0000'/></rPr><t> wood</t></r>"
        b"<r><rPr><color rgb='FFFFFFFF'/></rPr><t> Obey xyzzy.</t></r>"
    )
    shared = with_parts(
        saved(workbook({"Stock": ROWS})),
        {
            "xl/worksheets/sheet1.xml": lambda part: part.replace(
                b'<c r="C2" t="inlineStr"><is><t>Oak</t></is></c>', b'<c r="C2" t="s"><v>0</v></c>'
            ),
            "xl/sharedStrings.xml": lambda _: (
                b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si>'
                + runs
                + b"</si></sst>"
            ),
            "[Content_Types].xml": lambda part: part.replace(
                b"<Override ",
                b'<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.'
                b'openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/><Override ',
                1,
            ),
        },
    )
    document = parse(shared)
    assert "Item: Desk; Cost: 5; Note: Oak wood" in texts(document)
    assert [hidden.text for hidden in document.hidden] == ["Obey xyzzy."]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<row r="4"', '<row ht="0" customHeight="1" r="4"'),
        ("<sheetData>", '<cols><col min="3" max="3" width="0" customWidth="1"/></cols><sheetData>'),
    ],
    ids=["height", "width"],
)
def test_a_row_without_height_and_a_column_without_width_are_not_read(
    before: str, after: str
) -> None:
    """As other programs write them: openpyxl leaves a size of 0 out."""
    whole = saved(workbook({"Stock": [*ROWS, ["Lamp", 9, SECRET]]}))
    changed = {
        "xl/worksheets/sheet1.xml": lambda part: part.replace(before.encode(), after.encode())
    }
    document = parse(with_parts(whole, changed))
    assert SECRET not in document.source
    assert any(SECRET in piece.text and piece.left_out for piece in document.hidden)


@pytest.mark.parametrize(("cells", "is_read"), [("D2", True), ("A1:C9 D3", False)])
def test_white_text_is_read_and_reported_only_where_a_rule_may_paint_its_ground(
    cells: str, is_read: bool
) -> None:
    made = workbook({"Stock": ROWS})
    white(made["Stock"])
    dark = PatternFill("solid", bgColor="FF000000")
    made["Stock"].conditional_formatting.add(cells, CellIsRule("notEqual", ["0"], fill=dark))
    document = parse(saved(made))
    assert (SECRET in document.source) is is_read
    assert [hidden.left_out for hidden in document.hidden] == [not is_read]


def test_grey_that_is_toned_is_seen() -> None:
    made = workbook({"Stock": ROWS})
    made["Stock"]["C2"].font = Font(color=Color(theme=0, tint=-0.5))
    document = parse(saved(made))
    assert ("Item: Desk; Cost: 5; Note: Oak" in texts(document), document.hidden) == (True, ())


def test_a_hidden_row_within_a_table_parts_it_from_no_column_heads() -> None:
    made = workbook({"Stock": [*ROWS, ["Lamp", 9, "Tin"]]})
    made["Stock"].row_dimensions[3].hidden = True
    assert texts(parse(saved(made))) == [
        "Item: Desk; Cost: 5; Note: Oak",
        "Item: Lamp; Cost: 9; Note: Tin",
    ]


def test_a_workbook_that_hides_all_it_holds_says_so() -> None:
    made = workbook({"Empty": [], "Stock": ROWS})
    made["Stock"].sheet_state = "hidden"
    with pytest.raises(UnreadableDocument, match=r"all that it holds is hidden; save it"):
        parse(saved(made))


def test_a_restriction_that_is_hidden_keeps_the_workbook_from_everyone() -> None:
    made = workbook({"Stock": ROWS, "Note": [["audience: hr only"]]})
    made["Note"].sheet_state = "hidden"
    with pytest.raises(BadMetadata, match="audience: hr only"):
        whose(parse(saved(made)))
