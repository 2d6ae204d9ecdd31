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


def hide_row(sheet: Worksheet) -> None:
    sheet.append(["Lamp", 9, SECRET])
    sheet.row_dimensions[4].hidden = True


def flatten_row(sheet: Worksheet) -> None:
    sheet.append(["Lamp", 9, SECRET])
    sheet.row_dimensions[4].height = 0.1


def row_of_two_points(sheet: Worksheet) -> None:
    sheet.append(["Lamp", 9, SECRET])
    sheet.row_dimensions[4].height = 2


def rows_without_height_but_for_three(sheet: Worksheet) -> None:
    sheet.append(["Lamp", 9, SECRET])
    sheet.sheet_format.defaultRowHeight = 0
    sheet.sheet_format.customHeight = True
    for row in (1, 2, 3):
        sheet.row_dimensions[row].height = 15


def columns_without_width_but_for_three(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet.sheet_format.defaultColWidth = 0
    for column in "ABC":
        sheet.column_dimensions[column].width = 9


def of_two_points(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet["D2"].font = Font(sz=2)


def hide_column(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet.column_dimensions["D"].hidden = True


def narrow_column(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet.column_dimensions["D"].width = 0.1


def colour_white(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet["D2"].font = Font(color="FFFFFFFF")


def colour_nearly_white(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet["D2"].font = Font(color=Color(theme=0, tint=-0.001))


def colour_black_and_light(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet["D2"].font = Font(color=Color(theme=1, tint=0.999))


def colour_as_fill(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet["D2"].font = Font(color="FF102030")
    sheet["D2"].fill = PatternFill("solid", fgColor="FF102030")


def shrink(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet["D2"].font = Font(sz=1)


def show_nothing(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet["D2"].number_format = ";;;"


def colour_words_white(sheet: Worksheet) -> None:
    white = InlineFont(color="FFFFFFFF")
    sheet["C2"] = CellRichText("Oak", TextBlock(white, f" {SECRET}"))


def shrink_words(sheet: Worksheet) -> None:
    sheet["C2"] = CellRichText(TextBlock(InlineFont(sz=1), f"{SECRET} "), "Oak")


def strike(sheet: Worksheet) -> None:
    sheet["D2"] = SECRET
    sheet["D2"].font = Font(strike=True)


def strike_words(sheet: Worksheet) -> None:
    sheet["C2"] = CellRichText("Oak", TextBlock(InlineFont(strike=True), f" {SECRET}"))


def cover(sheet: Worksheet) -> None:
    sheet["D1"], sheet["D2"] = "Seen", SECRET
    sheet.merged_cells.add("D1:D2")


def comment(sheet: Worksheet) -> None:
    sheet["B2"].comment = Comment(SECRET, "Ben")


def second_sheet(state: str) -> Callable[[Worksheet], None]:
    def write(sheet: Worksheet) -> None:
        made = sheet.parent.create_sheet("Old")
        made["A1"] = SECRET
        made.sheet_state = state

    return write


WAYS: dict[str, tuple[Callable[[Worksheet], None], str, str]] = {
    "a hidden row": (hide_row, "marked as hidden", "sheet Stock, row 4"),
    "a flat row": (flatten_row, "marked as hidden", "sheet Stock, row 4"),
    "a row of two points": (row_of_two_points, "marked as hidden", "sheet Stock, row 4"),
    "rows without height": (
        rows_without_height_but_for_three,
        "marked as hidden",
        "sheet Stock, row 4",
    ),
    "columns without width": (
        columns_without_width_but_for_three,
        "marked as hidden",
        "sheet Stock, cell D2",
    ),
    "of two points": (of_two_points, "too small to see", "sheet Stock, cell D2"),
    "a hidden column": (hide_column, "marked as hidden", "sheet Stock, cell D2"),
    "a narrow column": (narrow_column, "marked as hidden", "sheet Stock, cell D2"),
    "white": (colour_white, "in the colour of what is behind it", "sheet Stock, cell D2"),
    "toned white": (
        colour_nearly_white,
        "in the colour of what is behind it",
        "sheet Stock, cell D2",
    ),
    "black, made light": (
        colour_black_and_light,
        "in the colour of what is behind it",
        "sheet Stock, cell D2",
    ),
    "as its fill": (colour_as_fill, "in the colour of what is behind it", "sheet Stock, cell D2"),
    "tiny": (shrink, "too small to see", "sheet Stock, cell D2"),
    "a format that shows nothing": (show_nothing, "invisible", "sheet Stock, cell D2"),
    "white words": (
        colour_words_white,
        "in the colour of what is behind it",
        "sheet Stock, cell C2",
    ),
    "tiny words": (shrink_words, "too small to see", "sheet Stock, cell C2"),
    "struck out": (strike, "struck out", "sheet Stock, cell D2"),
    "words struck out": (strike_words, "struck out", "sheet Stock, cell C2"),
    "under a merged cell": (cover, "covered", "sheet Stock, cell D2"),
    "a comment": (comment, "a comment", "sheet Stock, cell B2"),
    "a hidden sheet": (second_sheet("hidden"), "marked as hidden", "sheet Old"),
    "a very hidden sheet": (second_sheet("veryHidden"), "marked as hidden", "sheet Old"),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_people_do_not_see_is_not_read_and_is_listed(way: str) -> None:
    write, how, where = WAYS[way]
    made = workbook({"Stock": ROWS})
    write(made["Stock"])
    document = parse(saved(made))
    assert SECRET not in document.source
    assert "xyzzy" not in " ".join(texts(document))
    assert "Item: Desk; Cost: 5; Note: Oak" in texts(document)
    assert len(document.hidden) == 1
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


def test_white_text_whose_ground_is_not_known_is_read_and_reported() -> None:
    made = workbook({"Stock": ROWS})
    made["Stock"]["D2"] = SECRET
    made["Stock"]["D2"].font = Font(color="FFFFFFFF")
    dark = PatternFill(bgColor="FF000000")
    made["Stock"].conditional_formatting.add("D2", CellIsRule("notEqual", ["0"], fill=dark))
    document = parse(saved(made))
    assert SECRET in document.source
    assert [hidden.left_out for hidden in document.hidden] == [False]


def test_a_rule_leaves_no_doubt_about_cells_that_it_does_not_stand_for() -> None:
    made = workbook({"Stock": ROWS})
    colour_white(made["Stock"])
    dark = PatternFill("solid", bgColor="FF000000")
    made["Stock"].conditional_formatting.add("A1:C9 D3", CellIsRule("notEqual", ["0"], fill=dark))
    document = parse(saved(made))
    assert SECRET not in document.source
    assert [hidden.left_out for hidden in document.hidden] == [True]


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
