"""Files as LibreOffice, pandoc and others write them: what is seen is read, where it stands."""

from pathlib import Path

import pytest
from opened_sources import assert_places_yield_their_text
from parsed_documents import kinds, sentences, texts

from retrieval.parsing import parser_for
from retrieval.types import FragmentKind, ParsedDocument

OFFICE = Path(__file__).resolve().parents[2] / "fixtures" / "office"
CODE, ITEM, PARAGRAPH = FragmentKind.CODE, FragmentKind.LIST_ITEM, FragmentKind.PARAGRAPH


def parsed(name: str) -> ParsedDocument:
    return parser_for(name)((OFFICE / name).read_bytes())


def rows(document: ParsedDocument) -> list[str]:
    return [text for kind, text in kinds(document) if kind is FragmentKind.TABLE_ROW]


UNSEEN = {
    "libreoffice.docx": "Nobody reads this|White on white|Struck out|A hidden|2 EUR|Is this right",
    "libreoffice.xlsx": "Hidden|White on white|Struck|struck|Ask the officer|hidden sheet",
    "libreoffice.pptx": "White on white|Struck out|Off the|A comment|hidden slide|Speak slowly",
    "pandoc.docx": "Gone|secret",
    "pandoc.epub": "Gone|secret",
}


@pytest.mark.parametrize("name", UNSEEN)
def test_passages_stand_where_they_say_and_what_nobody_sees_is_not_read(name: str) -> None:
    assert len(assert_places_yield_their_text(name, (OFFICE / name).read_bytes())) > 1
    read = " ".join(texts(parsed(name)))
    assert [each for each in UNSEEN[name].split("|") if each in read] == []


def test_a_text_document_of_libreoffice() -> None:
    document = parsed("libreoffice.docx")
    assert document.title == "Rules of the reading room"
    assert [heading.section_path for heading in document.headings] == [
        ("1 Loans",),
        ("1 Loans", "1.1 Charges"),
    ]
    assert [(each.text, each.paragraph) for each in sentences(document)[:7]] == [
        ("Members borrow ten books.", 3),
        ("Novels go out for 30 days.", 3),
        ("Except on public holidays.", 3),
        ("Rare books are never lent.", 3),
        ("A reminder costs 3 EUR for each week.", 4),
        ("Everybody reads this.", 5),
        ("And this2.", 5),
    ]
    assert [(each.text, each.item_number) for each in sentences(document)[7:14]] == [
        ("Sign in.", 1),
        ("Show the card.", None),
        ("Take the book.", 2),
        ("Second paragraph of the item.", None),
        ("No food.", None),
        ("No drinks.", None),
        ("Leave.", 1),
    ]
    assert rows(document) == [
        "Kind: Novel; Days: 30; Charge: 0.50",
        "Kind: Film; Days: 7; Charge: 1.00",
        "Kind: Film; Days: 14; Charge: 2.00",
        "Kind, Days: Anything else; Charge: 9.00",
    ]
    assert (FragmentKind.CAPTION, "Table 1: Charges for each day.") in kinds(document)
    assert {"Text in a frame.", "Text in a shape."} < set(texts(document))
    assert (CODE, "catalogue --find --author Woolf") in kinds(document)
    assert [each.sentences[0].text for each in document.left_out if each.kind == "contents"] == [
        "Loans 1",
        "Charges 1",
    ]


def test_a_workbook_of_libreoffice() -> None:
    document = parsed("libreoffice.xlsx")
    assert texts(document) == [
        "Machine: Mill; From: 2026-09-01; Fee: 1,218.00 €; Share: 25.0%",
        "Machine: Lathe; From: 2026-10-01; Fee: 12.50 €; Share: 12.5%",
        "Machine: Total; Fee: 1,230.50 €; Share: 37.5%",
        "Day: Monday; Opens: 08:30; Supervised: TRUE",
        "Day: Tuesday; Opens: 12:00; Supervised: FALSE",
        "Partly text second line",
        "0.5",
        "#DIV/0!",
        "Fee: 1218.00",
        "Room: North; Seats: 20",
        "Room: South; Seats: 30",
        "Room: South; Seats: 35",
    ]


def test_a_presentation_of_libreoffice() -> None:
    document = parsed("libreoffice.pptx")
    assert [(each.text, each.page_label, each.item_number) for each in sentences(document)] == [
        ("Sign in at the desk.", "slide 1", None),
        ("Show the card.", "slide 1", None),
        ("Take a seat.", "slide 1", None),
        ("First step.", "slide 1", 1),
        ("Second step.", "slide 1", 2),
        ("Plain between.", "slide 1", None),
        ("Third step.", "slide 1", 1),
        ("Kind: Film; Days: 7; Charge: 1.00", "slide 1", None),
        ("Kind: Film; Days: 14; Charge: 2.00", "slide 1", None),
        ("Everybody reads this.", "slide 2", None),
        ("And this2.", "slide 2", None),
        ("White on blue.", "slide 2", None),
        ("In a group.", "slide 2", None),
        ("catalogue --find", "slide 2", None),
        ("--author Woolf", "slide 2", None),
    ]
    assert [(each.text, each.way, each.where) for each in document.hidden] == [
        ("Speak slowly.", "speaker notes", "slide 1"),
        ("Off the slide.", "off the page", "slide 2"),
        ("White on white.", "in the colour of what is behind it", "slide 2"),
        ("Struck out.", "struck out", "slide 2"),
        ("A comment.", "a comment", "slide 2"),
        ("On a hidden slide.", "marked as hidden", "slide 3"),
    ]


@pytest.mark.parametrize("name", ["pandoc.docx", "pandoc.epub"])
def test_a_document_and_a_book_of_pandoc_read_alike(name: str) -> None:
    document = parsed(name)
    read = kinds(document)
    assert document.title == "Workshop guide"
    assert [text for kind, text in read if kind is ITEM] == [
        "Safety glasses.",
        "Closed footwear.",
        "With toecaps.",
        "With steel soles.",
        "Sign in.",
        "Start the mill:",
        "Sign out.",
    ]
    assert [each.item_number for each in sentences(document) if each.item_number] == [1, 2, 3]
    assert " ".join(text for kind, text in read if kind is CODE) == (
        "mill --start \\ --speed 20 mill --status def book(machine): # comment "
        "return office.book(machine) plain verbatim block indented"
    )
    assert rows(document) == [
        "Machine: Mill; Hours: 25; Fee: 18.00",
        "Machine: Lathe; Hours: 10; Fee: 12.50",
        "Grid: a; Text: one two",
    ]
    assert (FragmentKind.CAPTION, "Machines and their fees.") in read
    assert (PARAGRAPH, "The course is held every Tuesday.") in read
    assert "Members may use the workshop after the introductory course." in texts(document)


def test_a_workbook_of_xlsx_populate() -> None:
    """Openpyxl by itself calls it damaged."""
    document = parsed("xlsx-populate.xlsx")
    assert [(each.text, each.cells[0].reference) for each in sentences(document)] == [
        ("Day: Monday; Opens: 09:00; Closes: 18:00", "A2"),
        ("Day: Tuesday; Opens: 12:00; Closes: 18:00", "A3"),
        ("2026-09-01", "A7"),
    ]
