import re
from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

import docx
import pytest
from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.oxml.parser import OxmlElement
from docx.table import _Cell
from parsed_documents import kinds, quotes, sentences, texts

from retrieval.errors import UnreadableDocument
from retrieval.ingest.proof_places import place_checker
from retrieval.parsing.docx.parser import parse
from retrieval.types import FragmentKind, ParsedDocument

PACKAGE = b"http://schemas.openxmlformats.org/package/2006/"
ITEM, PARAGRAPH, ROW = FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH, FragmentKind.TABLE_ROW


def saved(write: Callable[[Document], object]) -> bytes:
    document = docx.Document()
    write(document)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def parsed(write: Callable[[Document], object]) -> ParsedDocument:
    return parse(saved(write))


def add_table(document: Document | _Cell, rows: list[list[str]]) -> None:
    table = document.add_table(len(rows), len(rows[0]))
    for row, texts_ in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts_, strict=True):
            cell.text = text


def test_a_document_is_read_in_order_with_paragraph_numbers() -> None:
    def write(document: Document) -> None:
        document.add_paragraph("Leave policy", style="Title")
        document.add_heading("Annual leave", 1)
        document.add_paragraph("")
        paragraph = document.add_paragraph("You earn  leave. It is ")
        paragraph.add_run("yours").bold = True
        paragraph.add_run(".")
        document.add_paragraph("First. With two sentences.", style="List Bullet")
        add_table(document, [["Grade", "Days", "Unit"], ["A", "20", ""], ["B", "25", "work days"]])
        document.add_heading("Sick leave", 2)
        document.add_paragraph("Call us.")

    document = parsed(write)
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
    def write(document: Document) -> None:
        paragraph = document.add_paragraph("Kept.")
        paragraph.add_run(" Hidden.").font.hidden = True
        inserted = '<w:t xml:space="preserve"> Inserted.</w:t>'
        for change, text in (("ins", inserted), ("del", "<w:delText>No</w:delText>")):
            paragraph._p.append(
                parse_xml(
                    f'<w:{change} {nsdecls("w")} w:id="1" w:author="a">'
                    f"<w:r>{text}</w:r></w:{change}>"
                )
            )

    assert texts(parsed(write)) == ["Kept.", "Inserted."]


def test_a_table_before_all_text_cites_the_first_paragraph() -> None:
    document = parsed(lambda d: add_table(d, [["Name", "Ana Silva"], ["Office", "B 12"]]))
    assert texts(document) == ["Name; Ana Silva", "Office; B 12"]
    assert [s.paragraph for s in sentences(document)] == [1, 1]


def test_a_cell_over_several_rows_is_read_in_each() -> None:
    def write(document: Document) -> None:
        add_table(document, [["Faculty", "Kind", "Fee"], ["Law", "new", "10"], ["", "old", "20"]])
        table = document.tables[0]
        table.cell(1, 0).merge(table.cell(2, 0))

    assert texts(parsed(write)) == [
        "Faculty: Law; Kind: new; Fee: 10",
        "Faculty: Law; Kind: old; Fee: 20",
    ]


NIGHTS = [["Nights", "EUR"], ["1 to 3", "120"], ["4 and more", "95"]]
DAYS = [["Grade", "Days"], ["A", "25"], ["B", "27"]]


def test_a_table_in_a_cell_is_read_behind_the_name_beside_it() -> None:
    def write(document: Document) -> None:
        add_table(document, [["Country", "Paid"], ["Austria", ""], ["Belgium", "110 a night"]])
        table = document.tables[0]
        add_table(table.cell(1, 1), NIGHTS)
        document.add_paragraph("Ask first.", style="List Number")
        table.cell(1, 0).paragraphs[0].style = document.styles["List Number"]

    document = parsed(write)
    assert kinds(document) == [
        (ROW, "Country; Paid"),
        (ROW, "Austria: Nights: 1 to 3; EUR: 120"),
        (ROW, "Austria: Nights: 4 and more; EUR: 95"),
        (ROW, "Belgium; 110 a night"),
        (ITEM, "Ask first."),
    ]
    assert sentences(document)[-1].item_number == 2, "what is numbered in a cell counts, and once"
    assert quotes(document)[1] == "1 to 3\t120"


@pytest.mark.parametrize(
    ("cells", "more", "read"),
    [
        (
            [["Plan", "Term", "Prices"], ["Bronze", "1 year", ""]],
            "",
            [
                "Bronze: 1 year: Prices: Nights: 1 to 3; EUR: 120",
                "Bronze: 1 year: Prices: Nights: 4 and more; EUR: 95",
            ],
        ),
        (
            [["", "Allowed", "Not allowed"], ["", "", ""]],
            "",
            ["Not allowed: Nights: 1 to 3; EUR: 120", "Not allowed: Nights: 4 and more; EUR: 95"],
        ),
        (
            [["Plan", "Term", "Prices"], ["Bronze", "", ""]],
            "Not for students.",
            ["Plan: Bronze; Prices: Nights EUR 1 to 3 120 4 and more 95 Not for students."],
        ),
    ],
)
def test_a_table_in_a_cell_is_read_with_the_names_of_row_and_column(
    cells: list[list[str]], more: str, read: list[str]
) -> None:
    def write(document: Document) -> None:
        add_table(document, cells)
        head, row = document.tables[0].rows
        head._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        add_table(row.cells[2], NIGHTS)
        row.cells[2].add_paragraph(more)

    assert texts(parsed(write))[-len(read) :] == read


def test_a_table_within_two_others_is_read_behind_both_names_and_one_of_a_row_as_text() -> None:
    def write(document: Document) -> None:
        add_table(document, [["EU", ""], ["Rest", ""]])
        inner = document.tables[0].cell(0, 1)
        add_table(inner, [["Austria", ""], ["Belgium", "none"]])
        add_table(inner.tables[0].cell(0, 1), NIGHTS)
        add_table(document.tables[0].cell(1, 1), [["ask", "first"]])

    assert texts(parsed(write)) == [
        "EU: Austria: Nights: 1 to 3; EUR: 120",
        "EU: Austria: Nights: 4 and more; EUR: 95",
        "EU: Belgium; none",
        "Rest; ask first",
    ]


def test_tables_beside_each_other_are_each_read_by_themselves() -> None:
    def write(document: Document) -> None:
        add_table(document, [["Who works on", ""], ["", ""]])
        table = document.tables[0]
        add_table(table.cell(1, 0), DAYS)
        add_table(table.cell(1, 1), NIGHTS)
        table.cell(1, 1).add_paragraph("Ask first. It is paid later.")

    assert texts(parsed(write)) == [
        "Who works on",
        "Grade: A; Days: 25",
        "Grade: B; Days: 27",
        "Nights: 1 to 3; EUR: 120",
        "Nights: 4 and more; EUR: 95",
        "Ask first.",
        "It is paid later.",
    ]


def test_text_in_a_content_control_is_read_but_not_counted() -> None:
    def write(document: Document) -> None:
        document.add_paragraph("Before.")
        document.element.body.insert(
            1,
            parse_xml(
                f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>Inside.</w:t></w:r></w:p>"
                "</w:sdtContent></w:sdt>"
            ),
        )
        document.add_paragraph("After.")

    document = parsed(write)
    assert [(s.text, s.paragraph) for s in sentences(document)] == [
        ("Before.", 1),
        ("Inside.", 1),
        ("After.", 2),
    ]


def test_a_document_without_text_is_refused() -> None:
    with pytest.raises(UnreadableDocument, match="no text"):
        parse(saved(lambda d: d.add_paragraph("")))


@pytest.mark.parametrize("part", ["word/styles.xml", "[Content_Types].xml"])
@pytest.mark.parametrize("content", [b"", b"<a", b"<a/>"])
def test_a_document_with_a_broken_part_is_refused(part: str, content: bytes) -> None:
    buffer = BytesIO()
    good = BytesIO(saved(lambda d: d.add_paragraph("Text.")))
    with ZipFile(good) as whole, ZipFile(buffer, "w") as broken:
        for name in whole.namelist():
            broken.writestr(name, content if name == part else whole.read(name))
    with pytest.raises(UnreadableDocument, match="damaged"):
        parse(buffer.getvalue())


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
        (
            part("nary", part("naryPr", '<m:chr m:val="∑"/>') + part("e", said("x"))),
            "∑ x",
        ),
        (
            part("nary", part("sub", said("0")) + part("sup", said("1")) + part("e", said("x"))),
            "∫_0^1 x",
        ),
    ],
)
def test_an_equation_is_read_on_one_line(equation: str, read: str) -> None:
    space = "http://schemas.openxmlformats.org/officeDocument/2006/math"

    def write(document: Document) -> None:
        paragraph = document.add_paragraph("You pay ")
        paragraph.paragraph_format.element.append(
            parse_xml(f'<m:oMath xmlns:m="{space}">{equation}</m:oMath>')
        )
        paragraph.add_run(" of it.")

    assert texts(parsed(write)) == [f"You pay {read} of it."]


def test_a_table_of_contents_is_left_out_whatever_the_style_of_its_lines() -> None:
    def write(document: Document) -> None:
        document.element.body.insert(
            0,
            parse_xml(
                f"<w:sdt {nsdecls('w')}><w:sdtPr><w:docPartObj>"
                '<w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
                "<w:sdtContent><w:p><w:r><w:t>Loans 1</w:t></w:r></w:p></w:sdtContent></w:sdt>"
            ),
        )
        document.add_paragraph("Ask first.")

    document = parsed(write)
    assert texts(document) == ["Ask first."]
    assert [(each.kind, each.sentences[0].text) for each in document.left_out] == [
        (FragmentKind.CONTENTS, "Loans 1")
    ]


def test_a_text_box_in_a_cell_is_read_once() -> None:
    """Word writes it twice, for itself and for older programs."""
    markup = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    box = "<w:pict><w:txbxContent><w:p><w:r><w:t>Noted.</w:t></w:r></w:p></w:txbxContent></w:pict>"

    def write(document: Document) -> None:
        add_table(document, [["Name", "Ana Silva"], ["Office", "B 12"]])
        document.tables[0].cell(1, 1).paragraphs[0].paragraph_format.element.append(
            parse_xml(
                f'<w:r {nsdecls("w")} xmlns:mc="{markup}"><mc:AlternateContent><mc:Choice>{box}'
                f"</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>"
            )
        )

    assert texts(parsed(write)) == ["Name; Ana Silva", "Office; B 12 Noted."]


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
    def write(document: Document) -> None:
        paragraph = document.add_paragraph("Marks ")
        symbol = f'<w:r {nsdecls("w")}><w:sym w:font="{font}" w:char="{char}"/></w:r>'
        paragraph.paragraph_format.element.append(parse_xml(symbol))
        paragraph.add_run(" 50")

    assert texts(parsed(write)) == [read]


def gridded(widths: list[int] | None, *rows: str) -> bytes:
    """A table of rows in XML under three heads, each of them over its share of the grid."""
    columns = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths or ())
    grid = "" if widths is None else f"<w:tblGrid>{columns}</w:tblGrid>"
    xml = f"<w:tbl {nsdecls('w')}><w:tblPr/>{grid}{''.join(rows)}</w:tbl>"
    return saved(lambda document: document.element.body.insert(0, parse_xml(xml)))


def row(*cells: tuple[str, int], before: int = 0) -> str:
    skipped = f'<w:trPr><w:gridBefore w:val="{before}"/></w:trPr>' if before else ""
    written = (
        f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr>'
        f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"
        for text, span in cells
    )
    return f"<w:tr>{skipped}{''.join(written)}</w:tr>"


HEADS = [("Kind", 1), ("Days", 2), ("Charge", 1)]


def test_borders_that_do_not_quite_meet_part_no_columns() -> None:
    """LibreOffice writes so what it read from RTF, and Word what somebody dragged."""
    rows = row(*HEADS), row(("Film", 1), ("7", 2), ("1", 1)), row(("Any other", 2), ("9", 2))
    assert texts(parse(gridded([3213, 3211, 1, 3213], *rows))) == [
        "Kind: Film; Days: 7; Charge: 1",
        "Kind: Any other; Charge: 9",
    ]


def test_an_empty_cell_on_such_a_border_is_none() -> None:
    rows = row(*HEADS), row(("Film", 1), ("7", 1), ("", 1), ("1", 1))
    assert texts(parse(gridded([3213, 3211, 1, 3213], *rows))) == ["Kind: Film; Days: 7; Charge: 1"]


@pytest.mark.parametrize("widths", [None, [], [3213], [0, 0, 0, 0], [3213] * 4])
def test_columns_of_no_width_or_of_none_that_is_stated_are_columns(
    widths: list[int] | None,
) -> None:
    rows = row(("Kind", 1), ("Days", 1), ("Charge", 1)), row(("Film", 2), ("1", 1))
    assert texts(parse(gridded(widths, *rows))) == ["Kind: Film; Charge: 1"]


def test_a_row_that_begins_farther_in_is_read_under_the_columns_that_it_stands_in() -> None:
    rows = row(("Kind", 1), ("Days", 1), ("Charge", 1)), row(("7", 1), ("1", 1), before=1)
    assert texts(parse(gridded([3213] * 3, *rows))) == ["Days: 7; Charge: 1"]


def test_a_row_that_begins_far_beyond_its_table_fills_no_memory() -> None:
    rows = row(("Kind", 1), ("Days", 1), ("Charge", 1)), row(("7", 1), before=2_000_000_000)
    assert texts(parse(gridded([3213] * 3, *rows))) == ["7"]


BREAKFAST, DINNER = ["Breakfast", "£9", "£12", "Line manager"], ["Dinner", "£24", "£32", "Head"]
LIMITS = [
    ["Expense", "At most, per day", "", "Approves"],
    ["", "UK", "Abroad", ""],
    BREAKFAST,
    DINNER,
]
DOWN, SPAN = ((0, 0), (1, 0)), ((0, 1), (0, 2))
READ_LIMITS = [
    "Expense: Breakfast; At most, per day UK: £9; At most, per day Abroad: £12; "
    "Approves: Line manager",
    "Expense: Dinner; At most, per day UK: £24; At most, per day Abroad: £32; Approves: Head",
]
Merged = tuple[tuple[int, int], tuple[int, int]]


def merged_table(
    rows: list[list[str]], merged: tuple[Merged, ...], *, bold: int = 0, marked: int = 0
) -> list[str]:
    """What a table is read as, so many rows of which are bold, and repeated on each page."""

    def write(document: Document) -> None:
        add_table(document, rows)
        table = document.tables[0]
        for first, last in merged:
            text = table.cell(*first).text
            table.cell(*first).merge(table.cell(*last)).text = text
        for row in table.rows[:bold]:
            for paragraph in (each for cell in row.cells for each in cell.paragraphs):
                for run in paragraph.runs:
                    run.bold = True
        for row in table.rows[:marked]:
            row._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))

    return texts(parsed(write))


@pytest.mark.parametrize("merged", [(SPAN,), (SPAN, DOWN), (SPAN, DOWN, ((0, 3), (1, 3)))])
@pytest.mark.parametrize(("bold", "marked"), [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)])
def test_a_head_over_several_columns_is_said_with_those_below_it(
    merged: tuple[Merged, ...], bold: int, marked: int
) -> None:
    assert merged_table(LIMITS, merged, bold=bold, marked=marked) == READ_LIMITS


def test_a_table_to_be_filled_in_that_is_empty_so_far_is_no_damage() -> None:
    def write(document: Document) -> None:
        add_table(document, [[""] * 3] * 4)
        document.tables[0].cell(0, 0).merge(document.tables[0].cell(0, 1))
        document.add_paragraph("Sign below.")

    assert texts(parsed(write)) == ["Sign below."]


def test_heads_in_two_rows_above_words_are_said_together() -> None:
    rows = [["Task", "Who", "", "When"], ["", "UK", "Abroad", ""], ["Invoices", "Ann", "Bo", "May"]]
    assert merged_table(rows, (SPAN, DOWN)) == [
        "Task: Invoices; Who UK: Ann; Who Abroad: Bo; When: May"
    ]


@pytest.mark.parametrize(
    ("rows", "merged", "bold", "read"),
    [
        (
            [["Name", "Contact", "", "Site"], ["Ann", "a@example.org", "0123", "Leeds"]],
            (SPAN,),
            0,
            ["Name: Ann; Contact: a@example.org; Contact: 0123; Site: Leeds"],
        ),
        (
            [["Name", "Contact", ""], ["Ann", "home", "lab"], ["Bo", "none", "lab"]],
            (SPAN,),
            1,
            ["Name: Ann; Contact: home; Contact: lab", "Name: Bo; Contact: none; Contact: lab"],
        ),
        # What may be no names is read as it stands.
        (
            [["Monday", "Early", ""], ["", "Ann", "Bo"], ["Tuesday", "Cleo", "Dan"]],
            (SPAN, DOWN),
            0,
            ["Monday; Early", "Monday; Ann; Bo", "Tuesday; Cleo; Dan"],
        ),
        (
            [["Opening hours", "", "Notes"], ["Monday", "closed", ""], ["Tuesday", "9", "late"]],
            (((0, 0), (0, 1)),),
            0,
            ["Opening hours; Notes", "Monday; closed", "Tuesday; 9; late"],
        ),
        (
            [["Opening hours", ""], ["Monday", "closed"], ["Tuesday", "9"]],
            (((0, 0), (0, 1)),),
            0,
            ["Opening hours", "Monday; closed", "Tuesday; 9"],
        ),
        (
            [["Task", "Who", "", "When"], ["", "UK", "Abroad", "by"], ["Tax", "Ann", "Bo", "May"]],
            (SPAN, DOWN),
            0,
            ["Task; Who; When", "Task; UK; Abroad; by", "Tax; Ann; Bo; May"],
        ),
    ],
)
def test_a_row_below_a_head_over_several_columns_is_data_where_it_may_be(
    rows: list[list[str]], merged: tuple[Merged, ...], bold: int, read: list[str]
) -> None:
    assert merged_table(rows, merged, bold=bold) == read


def test_strict_open_xml_and_tables_without_properties_are_read() -> None:
    """As Word saves "Strict Open XML Document", and opens what other programs leave out."""

    def write(document: Document) -> None:
        document.add_heading("Rooms", 1)
        document.add_paragraph("The hall is free.")
        add_table(document, [["Room", "Seats", "Floor"], ["Hall", "250", "1"]])
        table = document.tables[0]._tbl
        table.remove(table.tblPr)
        table.remove(table.tblGrid)

    made = BytesIO()
    with ZipFile(BytesIO(saved(write))) as before, ZipFile(made, "w") as after:
        for name in before.namelist():
            part = before.read(name)
            if name.endswith((".xml", ".rels")):
                part = re.sub(
                    rb"http://schemas\.openxmlformats\.org/(\w+)/2006/(?!metadata|content)",
                    rb"http://purl.oclc.org/ooxml/\1/",
                    part,
                ).replace(b"http://purl.oclc.org/ooxml/package/", PACKAGE)
            after.writestr(name, part)
    document = parse(made.getvalue())
    assert texts(document) == ["The hall is free.", "Room: Hall; Seats: 250; Floor: 1"]
    stands = place_checker(made.getvalue(), "a.docx", document.hidden)
    assert all(map(stands, sentences(document), quotes(document)))
