"""Files as several programs make them: what a passage says stands where it says."""

from pathlib import Path

import pytest
from opened_sources import assert_places_yield_their_text
from parsed_documents import kinds, read, texts

from retrieval.parsing import is_read
from retrieval.parsing.pdf.parser import parse
from retrieval.types import FragmentKind, ParsedDocument

ROOT = Path(__file__).resolve().parents[3]
PDFS = ROOT / "tests" / "fixtures" / "pdfs"
SAMPLE = ROOT / "deploy" / "sample" / "documents"
FILES = sorted(path for path in SAMPLE.rglob("*") if path.is_file() and is_read(path.name))


def parsed(name: str) -> ParsedDocument:
    return parse((PDFS / name).read_bytes())


@pytest.mark.parametrize("name", ["latex.pdf", "libreoffice.pdf"])
def test_passages_of_real_pdfs_stand_in_their_boxes(name: str) -> None:
    content = (PDFS / name).read_bytes()
    assert len(assert_places_yield_their_text(name, content)) > 4


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_passages_of_the_sample_stand_where_they_say(path: Path) -> None:
    assert_places_yield_their_text(path.name, path.read_bytes())


def test_latex_is_read_column_by_column_with_its_table_and_list() -> None:
    document = parsed("latex.pdf")
    whole = " ".join(texts(document))
    assert whole.index("extraordinarily well-equipped") < whole.index("Every accident")
    assert "efficient difficult-to-miss sign affixed beside" in whole
    assert "Reservations for the extraordinarily" in whole
    assert [read(each) for each in document.fragments if each.kind is FragmentKind.LIST_ITEM] == [
        "Safety glasses that fit over ordinary spectacles.",
        "Closed footwear with reinforced toecaps.",
        "A certificate of the introductory examination, which the officer files.",
    ]
    assert (FragmentKind.TABLE_ROW, "Machine: Mill; Hours: 25; Fee: 18.00") in kinds(document)
    assert (
        FragmentKind.CAPTION,
        "Table 1: Machines, hours a week and the fee for an hour.",
    ) in kinds(document)
    assert [(heading.text, heading.last_page) for heading in document.headings] == [
        ("1 Using the workshop", 1),
        ("1.1 What to bring", 1),
        ("1.2 Opening hours", 1),
        ("2 Accidents", 1),
        ("3 Leaving", 2),
    ]
    assert {read(each) for each in document.left_out} == {
        "Marlow Institute Workshop rules",
        "1",
        "2",
    }


def test_libreoffice_is_read_column_by_column_with_its_table_and_headings() -> None:
    document = parsed("libreoffice.pdf")
    whole = " ".join(texts(document))
    assert "unpublished manuscripts are shown only in the presence of a librarian" in whole
    assert "-\n" in document.source
    assert whole.index("cannot be extended") < whole.index("Ten novels") < whole.index("A reminder")
    assert (
        FragmentKind.TABLE_ROW,
        "Kind of loan: Instrument with its case; Days: 90; Charge a day: 2.50",
    ) in kinds(document)
    assert [heading.text for heading in document.headings] == [
        *("Borrowing", "Loans", "Reminders", "Damage", "Charges", "Rooms"),
    ]
    assert not any("Harbour Library" in text for text in texts(document))
