"""Texts, sheets and slides of LibreOffice are read as people see them, each with its place."""

import io

import pytest
from odfdo import Document, DrawPage, Element, Frame, Header, List, Paragraph, Span, Style, Table
from parsed_documents import quotes, sentences, texts
from workbooks import with_parts

from bot.lab.proof.places import place_checker
from retrieval.errors import UnreadableDocument
from retrieval.parsing import parser_for
from retrieval.types import ParsedDocument

GONE = {"style:text-line-through-style": "solid"}


def saved(document: Document) -> bytes:
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def begun(kind: str) -> Document:
    document = Document(kind)
    document.body.clear()
    document.meta.title = ""
    return document


def parsed(document: Document, suffix: str) -> ParsedDocument:
    content = saved(document)
    read = parser_for(f"file{suffix}")(content)
    stands = place_checker(content, f"file{suffix}", read.hidden)
    assert all(map(stands, sentences(read), quotes(read)))
    return read


def style(
    document: Document, family: str, name: str, properties: dict[str, str], area: str = "text"
) -> None:
    made = Style(family, name=name)
    made.set_properties(properties, area=area)
    document.insert_style(made, automatic=True)


def a_text() -> Document:
    document = begun("text")
    style(document, "text", "Hidden", {"text:display": "none"})
    style(document, "text", "White", {"fo:color": "#ffffff"})
    style(document, "text", "Gone", GONE)
    fee = Paragraph("The fee is 5 EUR. ")
    for name in ("Hidden", "White", "Gone"):
        fee.append(Span(f"It was {name} before. ", style=name))
    fee.append(Span("Ask Ann."))
    noted = Paragraph("Bring a key.")
    noted.insert_note(after="key", note_id="n1", citation="1", body="Staff alone have one.")
    table = Table("Rooms")
    table.set_values([["Room", "Seats", "Floor"], ["Hall", 250, 1]])
    section = Element.from_tag("<text:section text:display='condition' text:is-hidden='true'/>")
    section.append(Paragraph("It was 3 EUR."))
    away = Paragraph("It was 2 EUR.")
    away.append(Element.from_tag("<text:hidden-paragraph text:is-hidden='true'/>"))
    fee.append(Element.from_tag("<text:variable-set text:display='none'>77</text:variable-set>"))
    for each in (Header(1, "Rooms"), fee, List(["Knock.", "Wait."]), away, table, section, noted):
        document.body.append(each)
    return document


def test_a_text_is_read_with_its_headings_items_tables_and_notes() -> None:
    read = parsed(a_text(), ".odt")
    assert read.title == "Rooms"
    assert texts(read) == [
        "The fee is 5 EUR.",
        "Ask Ann.",
        "Knock.",
        "Wait.",
        "Room: Hall; Seats: 250; Floor: 1",
        "Bring a key.",
        "Staff alone have one.",
    ]
    assert [each.paragraph for each in sentences(read)] == [2, 2, 3, 4, 9, 13, 14]
    assert [(each.text, each.where) for each in read.hidden] == [
        *((f"It was {name} before.", "paragraph 2") for name in ("Hidden", "White", "Gone")),
        *(
            ("77", "paragraph 2"),
            ("It was 2 EUR.", "paragraph 5"),
            ("It was 3 EUR.", "paragraph 12"),
        ),
    ]


def test_a_sheet_is_read_row_by_row_and_hidden_columns_are_not() -> None:
    document = begun("spreadsheet")
    fees, rates = Table("Fees"), Table("Rates")
    fees.set_values([["Course", "Fee", "Cost", "Due"], ["BSc", 9250, 8000, "May"]])
    fees.get_elements("table:table-column")[0].set_attribute("table:number-columns-repeated", "2")
    hidden = Element.from_tag("<table:table-column table:visibility='collapse'/>")
    fees.insert(hidden, position=1)
    rates.set_values([["Room", "Rate", "Unit"], ["Hall", 40, "hour"]])
    document.body.append(fees)
    document.body.append(rates)
    read = parsed(document, ".ods")
    assert texts(read) == ["Course: BSc; Fee: 9250; Due: May", "Room: Hall; Rate: 40; Unit: hour"]
    first, second = sentences(read)
    assert [each.reference for each in first.cells] == ["A2", "B2", "D2"]
    assert (second.page, second.page_label) == (2, "sheet Rates")
    assert [each.text for each in read.hidden] == ["Cost", "8000"]


def test_names_that_are_merged_in_a_sheet_are_said_with_those_below_them() -> None:
    document = begun("spreadsheet")
    classes = Table("Classes")
    heads = ["Class", "Pupils", "", "Teacher"], ["", "Girls", "Boys", ""]
    classes.set_values([*heads, ["3a", 11, 13, "Ann"]])
    for merged in ("A1:A2", "B1:C1", "D1:D2"):
        classes.set_span(merged)
    document.body.append(classes)
    assert texts(parsed(document, ".ods")) == [
        "Class: 3a; Pupils Girls: 11; Pupils Boys: 13; Teacher: Ann"
    ]


def test_so_are_those_of_a_table_in_a_text() -> None:
    document = begun("text")
    rooms, plain = Table("Rooms"), Table("Plain")
    rooms.set_values([["Class", "Pupils", ""], ["", "Girls", "Boys"], ["3a", 11, 13], ["3b", 9, 8]])
    rooms.set_span("B1:C1")
    plain.set_values([["Name", "Contact", ""], ["Ann", "home", "lab"], ["Bo", "none", "lab"]])
    plain.set_span("B1:C1")
    for each in (rooms, Paragraph("Ask Ann."), plain):
        document.body.append(each)
    assert texts(parsed(document, ".odt")) == [
        "Class: 3a; Pupils Girls: 11; Pupils Boys: 13",
        "Class: 3b; Pupils Girls: 9; Pupils Boys: 8",
        *("Ask Ann.", "Name; Contact", "Ann; home; lab", "Bo; none; lab"),
    ]


@pytest.mark.parametrize("look", [GONE, {"fo:font-size": "2pt"}, {"fo:color": "#fefefe"}])
def test_what_a_sheets_columns_rows_and_words_hide_is_not_read(look: dict[str, str]) -> None:
    document = begun("spreadsheet")
    style(document, "table-cell", "Gone", GONE)
    style(document, "text", "Gone", look)
    style(document, "table-cell", "Plain", {})
    fees = Table("Fees")
    fees.set_values([["Course", "Fee", "Cost"], ["BSc", "", 8], ["MSc", 7, 6], ["PhD", 5, 4]])
    default = "table:default-cell-style-name"
    fees.get_elements("table:table-column")[0].set_attribute("table:number-columns-repeated", "2")
    gone = f"<table:table-column {default}='Gone'/>"
    fees.insert(Element.from_tag(gone), position=1)
    rows = fees.get_elements("table:table-row")
    rows[3].set_attribute(default, "Gone")
    rows[0].get_elements("table:table-cell")[2].set_attribute("table:style-name", "Plain")
    fee = Paragraph()
    fee.append(Span("9", style="Gone"))
    fee.append(Span("10 EUR"))
    cell = rows[1].get_elements("table:table-cell")[1]
    cell.clear()
    cell.append(fee)
    document.body.append(fees)
    style(document, "table", "Away", {"table:display": "false"}, area="table")
    away = Table("Away", style="Away")
    away.set_values([["3 EUR"]])
    document.body.append(away)
    read = parsed(document, ".ods")
    assert texts(read) == ["Course: BSc; Fee: 10 EUR", "Course: MSc; Fee: 7"]
    assert [(each.text, each.where.rpartition(" ")[2]) for each in read.hidden] == [
        *(("9", "B2"), ("8", "C2"), ("6", "C3"), ("PhD", "A4"), ("5", "B4"), ("4", "C4")),
        ("3 EUR", "A1"),
    ]
    assert all(each.left_out for each in read.hidden)
    rows[1].set_attribute("table:number-rows-repeated", "150000")
    with pytest.raises(UnreadableDocument, match="rows that are alike"):
        parser_for("file.ods")(saved(document))


def test_slides_are_cited_by_their_numbers_and_a_lone_title_is_read() -> None:
    document = begun("presentation")
    for number, texts_of in enumerate((["Opening hours", "From 8 to 20."], ["Closed on Mondays"])):
        page = DrawPage(f"page{number}", name=f"Page {number}")
        for at, text in enumerate(texts_of):
            kind = "outline" if at else "title"
            page.append(Frame.text_frame(text, presentation_class=kind, size=("5cm", "2cm")))
        document.body.append(page)
    read = parsed(document, ".odp")
    assert [(each.page_label, each.text) for each in sentences(read)] == [
        ("slide 1", "From 8 to 20."),
        ("slide 2", "Closed on Mondays"),
    ]
    assert read.fragments[0].section_path == ("Opening hours",)


@pytest.mark.parametrize(
    ("name", "part", "why"),
    [
        ("META-INF/manifest.xml", b"<m:encryption-data/>", "protected by a password"),
        ("Basic/Standard/Module1.xml", b"<script/>", "holds macros"),
        ("content.xml", b"<office", "is damaged"),
        ("content.xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "declares entities"),
        ("Pictures/a.xml", b" " * (65 * 1024 * 1024), "unpacks to"),
    ],
)
def test_what_may_not_be_read_is_refused_by_name(name: str, part: bytes, why: str) -> None:
    with pytest.raises(UnreadableDocument, match=rf"{why}.*; "):
        parser_for("file.odt")(with_parts(saved(a_text()), {name: lambda _: part}))


def test_a_label_among_its_properties_counts_for_its_readers() -> None:
    document = a_text()
    document.meta.set_user_defined_metadata("MSIP_Label_1_Name", "Confidential")
    stated = [(each.key, each.value) for each in parsed(document, ".odt").stated]
    assert ("sensitivity_label", "Confidential") in stated
