import re
from io import BytesIO
from zipfile import ZipFile

import docx
import pytest
from docx.oxml.parser import OxmlElement
from parsed_documents import kinds, quotes, sentences, texts
from traps import paragraph, table, word
from word_files import add_table, parsed, saved, xml
from workbooks import with_parts

from bot.lab.proof.places import place_checker
from retrieval.errors import UnreadableDocument
from retrieval.parsing.docx.parser import parse
from retrieval.types import FragmentKind

ITEM, PARAGRAPH, ROW = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH, FragmentKind.TABLE_ROW


def test_a_document_is_read_in_order_with_paragraph_numbers() -> None:
    made = docx.Document()
    made.add_paragraph("Leave policy", style="Title")
    made.add_heading("Annual leave", 1)
    made.add_paragraph("")
    written = made.add_paragraph("You earn  leave. It is ")
    written.add_run("yours").bold = True
    written.add_run(".")
    made.add_paragraph("First. With two sentences.", style="List Bullet")
    add_table(made, ["Grade", "Days", "Unit"], ["A", "20", ""], ["B", "25", "work days"])
    made.add_heading("Sick leave", 2)
    made.add_paragraph("Call us.")
    document = parsed(made)
    assert document.title == "Leave policy"
    assert kinds(document) == [
        (PARAGRAPH, "You earn leave. It is yours."),
        (ITEM, "First. With two sentences."),
        (ROW, "Grade: A; Days: 20"),
        (ROW, "Grade: B; Days: 25; Unit: work days"),
        (PARAGRAPH, "Call us."),
    ]
    assert [s.paragraph for s in sentences(document)] == [4, 4, 5, 5, 5, 7]
    assert {s.line_start for s in sentences(document)} == {None}
    assert quotes(document)[0] == "You earn  leave."
    assert quotes(document)[4] == "B\t25\twork days"
    assert document.fragments[-1].section_path == ("Annual leave", "Sick leave")


def test_insertions_are_read_and_deletions_and_hidden_text_are_not() -> None:
    changed = (
        "<w:p><w:r><w:t>Kept. </w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>Hidden.</w:t></w:r>"
        "<w:ins><w:r><w:t>Inserted.</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>No</w:delText></w:r></w:del></w:p>"
    )
    assert texts(parse(word(changed))) == ["Kept.", "Inserted."]


def test_a_table_before_all_text_cites_the_first_paragraph() -> None:
    made = docx.Document()
    add_table(made, ["Name", "Ana Silva"], ["Office", "B 12"])
    document = parsed(made)
    assert texts(document) == ["Name; Ana Silva", "Office; B 12"]
    assert [s.paragraph for s in sentences(document)] == [1, 1]


def test_each_row_of_a_table_has_a_place_of_its_own() -> None:
    made = docx.Document()
    made.add_paragraph("Paid is so much.")
    add_table(made, ["Grade", "Days", "Nights"], ["A", "3", "2"], ["B", "5", "4"])
    add_table(made, ["Name", "Ana Silva"])
    made.add_paragraph("Ask us.")
    document = parsed(made)
    assert [(s.paragraph, s.page_label) for s in sentences(document)] == [
        (1, ""),
        (1, "table 1, row 2"),
        (1, "table 1, row 3"),
        (1, "table 2, row 1"),
        (2, ""),
    ]


def test_rows_and_tables_that_nobody_sees_are_not_counted() -> None:
    made = docx.Document()
    made.add_paragraph("Paid is so much.")
    for rows in ([["A", "3"]], [["Grade", "Days"], ["A", "3"], ["B", "5"], ["C", "7"]]):
        table = add_table(made, *rows)
        hidden = table.rows[0 if len(rows) == 1 else 1]
        hidden._tr.get_or_add_trPr().append(OxmlElement("w:hidden"))
    assert [(s.text, s.page_label) for s in sentences(parsed(made))[1:]] == [
        ("Grade: B; Days: 5", "table 1, row 2"),
        ("Grade: C; Days: 7", "table 1, row 3"),
    ]


def test_a_cell_over_several_rows_is_read_in_each() -> None:
    made = docx.Document()
    fees = add_table(made, ["Faculty", "Kind", "Fee"], ["Law", "new", "10"], ["", "old", "20"])
    fees.cell(1, 0).merge(fees.cell(2, 0))
    assert texts(parsed(made)) == [
        "Faculty: Law; Kind: new; Fee: 10",
        "Faculty: Law; Kind: old; Fee: 20",
    ]


NIGHTS = ["Nights", "EUR"], ["1 to 3", "120"], ["4 and more", "95"]
READ_NIGHTS = ["Nights: 1 to 3; EUR: 120", "Nights: 4 and more; EUR: 95"]


def test_a_table_in_a_cell_is_read_behind_the_name_beside_it() -> None:
    made = docx.Document()
    paid = add_table(made, ["Country", "Paid"], ["Austria", ""], ["Belgium", "110 a night"])
    add_table(paid.cell(1, 1), *NIGHTS)
    made.add_paragraph("Ask first.", style="List Number")
    paid.cell(1, 0).paragraphs[0].style = made.styles["List Number"]
    document = parsed(made)
    assert kinds(document) == [
        (ROW, "Country; Paid"),
        *((ROW, f"Austria: {each}") for each in READ_NIGHTS),
        (ROW, "Belgium; 110 a night"),
        (ITEM, "Ask first."),
    ]
    assert sentences(document)[-1].item_number == 2, "what is numbered in a cell counts, and once"
    assert quotes(document)[1] == "1 to 3\t120"


@pytest.mark.parametrize(
    ("cells", "more", "read"),
    [
        (
            (["Plan", "Term", "Prices"], ["Bronze", "1 year", ""]),
            "",
            [f"Bronze: 1 year: Prices: {each}" for each in READ_NIGHTS],
        ),
        (
            (["", "Allowed", "Not allowed"], ["", "", ""]),
            "",
            [f"Not allowed: {each}" for each in READ_NIGHTS],
        ),
        (
            (["Plan", "Term", "Prices"], ["Bronze", "", ""]),
            "Not for students.",
            ["Plan: Bronze; Prices: Nights EUR 1 to 3 120 4 and more 95 Not for students."],
        ),
    ],
)
def test_a_table_in_a_cell_is_read_with_the_names_of_row_and_column(
    cells: tuple[list[str], ...], more: str, read: list[str]
) -> None:
    made = docx.Document()
    head, row = add_table(made, *cells).rows
    head._tr.get_or_add_trPr().append(xml("<w:tblHeader/>"))
    add_table(row.cells[2], *NIGHTS)
    row.cells[2].add_paragraph(more)
    assert texts(parsed(made))[-len(read) :] == read


def test_a_table_within_two_others_is_read_behind_both_names_and_one_of_a_row_as_text() -> None:
    made = docx.Document()
    outer = add_table(made, ["EU", ""], ["Rest", ""])
    inner = add_table(outer.cell(0, 1), ["Austria", ""], ["Belgium", "none"])
    add_table(inner.cell(0, 1), *NIGHTS)
    add_table(outer.cell(1, 1), ["ask", "first"])
    assert texts(parsed(made)) == [
        *(f"EU: Austria: {each}" for each in READ_NIGHTS),
        "EU: Belgium; none",
        "Rest; ask first",
    ]


def test_tables_beside_each_other_are_each_read_by_themselves() -> None:
    made = docx.Document()
    outer = add_table(made, ["Who works on", ""], ["", ""])
    add_table(outer.cell(1, 0), ["Grade", "Days"], ["A", "25"], ["B", "27"])
    add_table(outer.cell(1, 1), *NIGHTS)
    outer.cell(1, 1).add_paragraph("Ask first. It is paid later.")
    assert texts(parsed(made)) == [
        *("Who works on", "Grade: A; Days: 25", "Grade: B; Days: 27", *READ_NIGHTS),
        *("Ask first.", "It is paid later."),
    ]


def controlled(text: str, properties: str = "") -> str:
    return f"<w:sdt>{properties}<w:sdtContent>{paragraph(text)}</w:sdtContent></w:sdt>"


def test_text_in_a_content_control_is_read_but_not_counted() -> None:
    document = parse(word(paragraph("Before.") + controlled("Inside.") + paragraph("After.")))
    assert [(s.text, s.paragraph) for s in sentences(document)] == [
        ("Before.", 1),
        ("Inside.", 1),
        ("After.", 2),
    ]


def test_a_table_of_contents_is_left_out_whatever_the_style_of_its_lines() -> None:
    gallery = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    contents = controlled("Loans 1", f"<w:sdtPr>{gallery}</w:sdtPr>")
    document = parse(word(contents + paragraph("Ask first.")))
    assert texts(document) == ["Ask first."]
    assert [(each.kind, each.sentences[0].text) for each in document.left_out] == [
        (FragmentKind.CONTENTS, "Loans 1")
    ]


def test_a_document_without_text_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="no text"):
        parse(word(paragraph("")))


@pytest.mark.parametrize("part", ["word/styles.xml", "[Content_Types].xml"])
@pytest.mark.parametrize("content", [b"", b"<a", b"<a/>"])
def test_a_document_with_a_broken_part_is_refused(part: str, content: bytes) -> None:
    broken = with_parts(word(paragraph("Text.")), {part: lambda _: content})
    with pytest.raises(UnreadableDocument, match="damaged"):
        parse(broken)


def part(name: str, inner: str) -> str:
    return f"<m:{name}>{inner}</m:{name}>"


def said(text: str) -> str:
    return part("r", part("t", text))


@pytest.mark.parametrize(
    ("equation", "read"),
    [
        (part("f", part("num", said("1")) + part("den", said("2"))), "1/2"),
        (part("f", part("num", said("a+b")) + part("den", said("2.5"))), "(a+b)/2.5"),
        (part("sSup", part("e", said("x")) + part("sup", said("2"))) + said("+y"), "x^2+y"),
        (part("sSub", part("e", said("x")) + part("sub", said("i,j"))), "x_(i,j)"),
        (part("rad", part("deg", "") + part("e", said("x"))), "√x"),
        (part("rad", part("deg", said("3")) + part("e", said("x+1"))), "[3]√(x+1)"),
        (part("d", part("e", said("x")) + part("e", said("y"))), "(x|y)"),
        (part("nary", part("naryPr", '<m:chr m:val="∑"/>') + part("e", said("x"))), "∑ x"),
        (
            part("nary", part("sub", said("0")) + part("sup", said("1")) + part("e", said("x"))),
            "∫_0^1 x",
        ),
    ],
)
def test_an_equation_is_read_on_one_line(equation: str, read: str) -> None:
    made = docx.Document()
    written = made.add_paragraph("You pay ")
    written._p.append(xml(part("oMath", equation)))
    written.add_run(" of it.")
    assert texts(parsed(made)) == [f"You pay {read} of it."]


def test_a_text_box_in_a_cell_is_read_once() -> None:
    """Word writes it twice, for itself and for older programs."""
    markup = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    box = f"<w:pict><w:txbxContent>{paragraph('Noted.')}</w:txbxContent></w:pict>"
    twice = (
        f'<w:r xmlns:mc="{markup}"><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>'
        f"{box}</mc:Fallback></mc:AlternateContent></w:r>"
    )
    made = docx.Document()
    rooms = add_table(made, ["Name", "Ana Silva"], ["Office", "B 12"])
    rooms.cell(1, 1).paragraphs[0]._p.append(xml(twice))
    assert texts(parsed(made)) == ["Name; Ana Silva", "Office; B 12 Noted."]


@pytest.mark.parametrize(
    ("font", "char", "read"),
    [
        ("Symbol", "F0B3", "Marks ≥ 50"),
        ("Symbol", "F061", "Marks α 50"),
        ("Wingdings", "F0FE", "Marks ☑ 50"),
        ("MS Gothic", "2612", "Marks ☒ 50"),
        ("Wingdings", "F0A7", "Marks 50"),
        ("Webdings", "F0B3", "Marks 50"),
        ("Symbol", "no", "Marks 50"),
        ("Symbol", "D800", "Marks 50"),
    ],
)
def test_a_sign_that_is_a_place_in_a_font_is_read_where_it_is_known(
    font: str, char: str, read: str
) -> None:
    symbol = f'<w:r><w:sym w:font="{font}" w:char="{char}"/></w:r>'
    marked = f"<w:r><w:t>Marks </w:t></w:r>{symbol}<w:r><w:t> 50</w:t></w:r>"
    assert texts(parse(word(f"<w:p>{marked}</w:p>"))) == [read]


def gridded(widths: list[int] | None, *rows: str) -> list[str]:
    """What a table is read as of which the file states the columns of its grid."""
    columns = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths or ())
    grid = "" if widths is None else f"<w:tblGrid>{columns}</w:tblGrid>"
    return texts(parse(word(table(*rows).replace("<w:tblGrid/>", grid))))


def row(*cells: tuple[str, int], before: int = 0) -> str:
    skipped = f'<w:trPr><w:gridBefore w:val="{before}"/></w:trPr>' if before else ""
    return skipped + "".join(
        f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr>{paragraph(text)}</w:tc>'
        for text, span in cells
    )


HEADS = row(("Kind", 1), ("Days", 1), ("Charge", 1))


def test_borders_that_do_not_quite_meet_part_no_columns() -> None:
    """LibreOffice writes so what it read from RTF, and Word what somebody dragged."""
    heads, film = row(("Kind", 1), ("Days", 2), ("Charge", 1)), row(("Film", 1), ("7", 2), ("1", 1))
    no_cell = row(("Film", 1), ("8", 1), ("", 1), ("1", 1))
    assert gridded([3213, 3211, 1, 3213], heads, film, row(("Other", 2), ("9", 2)), no_cell) == [
        "Kind: Film; Days: 7; Charge: 1",
        "Kind, Days: Other; Charge: 9",
        "Kind: Film; Days: 8; Charge: 1",
    ]


@pytest.mark.parametrize("widths", [None, [], [3213], [0, 0, 0, 0], [3213] * 4])
def test_columns_of_no_width_or_of_none_that_is_stated_are_columns(
    widths: list[int] | None,
) -> None:
    assert gridded(widths, HEADS, row(("Film", 2), ("1", 1))) == ["Kind, Days: Film; Charge: 1"]


def test_a_row_that_begins_farther_in_is_read_under_its_columns_and_fills_no_memory() -> None:
    inner = row(("7", 1), ("1", 1), before=1)
    assert gridded([3213] * 3, HEADS, inner) == ["Days: 7; Charge: 1"]
    assert gridded([3213] * 3, HEADS, row(("7", 1), before=2_000_000_000)) == ["7"]


LIMITS = ["Expense|At most||Approves", "|UK|Abroad|", "Breakfast|£9|£12|Ann", "Dinner|£24|£32|Bo"]
READ_LIMITS = [
    "Expense: Breakfast; At most UK: £9; At most Abroad: £12; Approves: Ann",
    "Expense: Dinner; At most UK: £24; At most Abroad: £32; Approves: Bo",
]
Merged = tuple[tuple[int, int], tuple[int, int]]
DOWN, SPAN, FIRST = ((0, 0), (1, 0)), ((0, 1), (0, 2)), ((0, 0), (0, 1))


def merged_table(
    rows: list[str], merged: tuple[Merged, ...], *, bold: int = 0, marked: int = 0
) -> list[str]:
    """What a table is read as, so many rows of which are bold, and repeated on each page."""
    made = docx.Document()
    written = add_table(made, *(row.split("|") for row in rows))
    for first, last in merged:
        text = written.cell(*first).text
        written.cell(*first).merge(written.cell(*last)).text = text
    for each in (p for row in written.rows[:bold] for cell in row.cells for p in cell.paragraphs):
        for run in each.runs:
            run.bold = True
    for row in written.rows[:marked]:
        row._tr.get_or_add_trPr().append(xml("<w:tblHeader/>"))
    made.add_paragraph("Sign below.")
    *read, last_read = texts(parsed(made))
    assert last_read == "Sign below."
    return read


@pytest.mark.parametrize("merged", [(SPAN,), (SPAN, DOWN), (SPAN, DOWN, ((0, 3), (1, 3)))])
@pytest.mark.parametrize(("bold", "marked"), [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)])
def test_a_head_over_several_columns_is_said_with_those_below_it(
    merged: tuple[Merged, ...], bold: int, marked: int
) -> None:
    assert merged_table(LIMITS, merged, bold=bold, marked=marked) == READ_LIMITS


def test_a_table_to_be_filled_in_that_is_empty_so_far_is_no_damage() -> None:
    assert merged_table(["||"] * 4, (FIRST,)) == []


@pytest.mark.parametrize(
    ("rows", "merged", "bold", "read"),
    [
        (
            ["Task|Who||When", "|UK|Abroad|", "Tax|Ann|Bo|May"],
            (SPAN, DOWN),
            0,
            ["Task: Tax; Who UK: Ann; Who Abroad: Bo; When: May"],
        ),
        (
            ["Name|Contact||Site", "Ann|a@example.org|0123|Leeds"],
            (SPAN,),
            0,
            ["Name: Ann; Contact: a@example.org; Contact: 0123; Site: Leeds"],
        ),
        (
            ["Name|Contact|", "Ann|home|lab", "Bo|none|lab"],
            (SPAN,),
            1,
            ["Name: Ann; Contact: home; Contact: lab", "Name: Bo; Contact: none; Contact: lab"],
        ),
        # What may be no names is read as it stands.
        (
            ["Monday|Early|", "|Ann|Bo", "Tuesday|Cleo|Dan"],
            (SPAN, DOWN),
            0,
            ["Monday; Early", "Monday; Ann; Bo", "Tuesday; Cleo; Dan"],
        ),
        (
            ["Hours||Notes", "Monday|closed|", "Tuesday|9|late"],
            (FIRST,),
            0,
            ["Hours; Notes", "Monday; closed", "Tuesday; 9; late"],
        ),
        (
            ["Opening hours|", "Monday|closed", "Tuesday|9"],
            (FIRST,),
            0,
            ["Opening hours: Monday; closed", "Opening hours: Tuesday; 9"],
        ),
        (
            ["Task|Who||When", "|UK|Abroad|by", "Tax|Ann|Bo|May"],
            (SPAN, DOWN),
            0,
            ["Task; Who; When", "Task; UK; Abroad; by", "Tax; Ann; Bo; May"],
        ),
    ],
)
def test_a_row_below_a_head_over_several_columns_is_data_where_it_may_be(
    rows: list[str], merged: tuple[Merged, ...], bold: int, read: list[str]
) -> None:
    assert merged_table(rows, merged, bold=bold) == read


def test_strict_open_xml_and_tables_without_properties_are_read() -> None:
    """As Word saves "Strict Open XML Document", and opens what other programs leave out."""
    made = docx.Document()
    made.add_heading("Rooms", 1)
    made.add_paragraph("The hall is free.")
    bare = add_table(made, ["Room", "Seats", "Floor"], ["Hall", "250", "1"])._tbl
    bare.remove(bare.tblPr)
    bare.remove(bare.tblGrid)

    def strict(part: bytes) -> bytes:
        return re.sub(
            rb"http://schemas\.openxmlformats\.org/(?!package/)(\w+)/2006/(?!metadata|content)",
            rb"http://purl.oclc.org/ooxml/\1/",
            part,
        )

    content = saved(made)
    names = (name for name in ZipFile(BytesIO(content)).namelist())
    parts = dict.fromkeys((each for each in names if each.endswith((".xml", ".rels"))), strict)
    content = with_parts(content, parts)
    assert b"purl.oclc.org" in ZipFile(BytesIO(content)).read("_rels/.rels")
    document = parse(content)
    assert texts(document) == ["The hall is free.", "Room: Hall; Seats: 250; Floor: 1"]
    stands = place_checker(content, "a.docx", document.hidden)
    assert all(map(stands, sentences(document), quotes(document)))


def test_boxes_beside_each_other_read_as_prose_and_a_row_of_data_does_not() -> None:
    made = docx.Document()
    add_table(made, ["Parking is free. Ask first.", "Call 4400. Or come in."])
    add_table(made, ["Room", "Hall"], ["Note", "Open. Call 7."])
    add_table(made, ["Room", "Hall"])
    assert kinds(parsed(made)) == [
        (PARAGRAPH, "Parking is free. Ask first."),
        (PARAGRAPH, "Call 4400. Or come in."),
        *((ROW, "Room; Hall"), (ROW, "Note; Open. Call 7."), (ROW, "Room; Hall")),
    ]
