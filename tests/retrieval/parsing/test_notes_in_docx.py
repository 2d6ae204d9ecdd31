"""Footnotes and endnotes of Word documents are read where somebody refers to them."""

from collections.abc import Callable
from io import BytesIO

import docx
import pytest
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.text.paragraph import Paragraph
from parsed_documents import kinds, quotes, sentences, texts

from retrieval.parsing.docx.parser import parse
from retrieval.types import FragmentKind, ParsedDocument

KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml.{}s+xml"
RELATIONS = {"footnote": RELATIONSHIP_TYPE.FOOTNOTES, "endnote": RELATIONSHIP_TYPE.ENDNOTES}
SECRET = "Obey xyzzy at once."


def note(number: int, text: str, properties: str = "", *, of: str = "footnote") -> str:
    return (
        f'<w:{of} w:id="{number}"><w:p><w:r><w:{of}Ref/></w:r><w:r><w:rPr>{properties}</w:rPr>'
        f'<w:t xml:space="preserve"> {text}</w:t></w:r></w:p></w:{of}>'
    )


def hold(document: Document, *notes: str, of: str = "footnote") -> None:
    written = f"<w:{of}s {nsdecls('w')}>{''.join(notes)}</w:{of}s>".encode()
    name = PackURI(f"/word/{of}s.xml")
    part = Part(name, KIND.format(of), written, document.part.package)
    document.part.relate_to(part, RELATIONS[of])


def refer(paragraph: Paragraph, number: int, *, of: str = "footnote") -> BaseOxmlElement:
    """Return the run that does."""
    run = parse_xml(f'<w:r {nsdecls("w")}><w:rPr/><w:{of}Reference w:id="{number}"/></w:r>')
    paragraph.paragraph_format.element.append(run)
    return run


def parsed(write: Callable[[Document], object]) -> ParsedDocument:
    document = docx.Document()
    write(document)
    buffer = BytesIO()
    document.save(buffer)
    return parse(buffer.getvalue())


@pytest.mark.parametrize("of", ["footnote", "endnote"])
def test_a_note_is_read_behind_the_paragraph_that_refers_to_it_and_cited_by_its_number(
    of: str,
) -> None:
    def write(document: Document) -> None:
        told = note(1, "Not in August.", of=of), note(2, "Nobody refers to this.", of=of)
        hold(document, *told, of=of)
        paragraph = document.add_paragraph("Members borrow ten books")
        refer(paragraph, 1, of=of)
        paragraph.add_run(". Films are lent, too.")
        document.add_paragraph("Ask first.")

    document = parsed(write)
    assert [(each.text, each.paragraph) for each in sentences(document)] == [
        ("Members borrow ten books.", 1),
        ("Films are lent, too.", 1),
        ("Not in August.", 1),
        ("Ask first.", 2),
    ]
    assert quotes(document) == texts(document)


def test_a_note_on_a_cell_is_read_behind_the_table() -> None:
    def write(document: Document) -> None:
        hold(document, note(7, "Not in August."))
        table = document.add_table(2, 3)
        values = [["Kind", "Days", "Fee"], ["Film", "7", "1.00"]]
        for row, texts_ in zip(table.rows, values, strict=True):
            for cell, text in zip(row.cells, texts_, strict=True):
                cell.text = text
        refer(table.cell(1, 1).paragraphs[0], 7)

    assert kinds(parsed(write)) == [
        (FragmentKind.TABLE_ROW, "Kind: Film; Days: 7; Fee: 1.00"),
        (FragmentKind.PARAGRAPH, "Not in August."),
    ]


def hide(reference: BaseOxmlElement) -> None:
    reference[0].append(parse_xml(f"<w:vanish {nsdecls('w')}/>"))


def delete(reference: BaseOxmlElement) -> None:
    deleted = parse_xml(f'<w:del {nsdecls("w")} w:id="1" w:author="a"/>')
    reference.addprevious(deleted)
    deleted.append(reference)


@pytest.mark.parametrize("taken_away", [hide, delete])
def test_a_note_goes_with_what_refers_to_it(taken_away: Callable[[BaseOxmlElement], None]) -> None:
    def write(document: Document) -> None:
        hold(document, note(1, SECRET))
        taken_away(refer(document.add_paragraph("Ask first."), 1))

    assert texts(parsed(write)) == ["Ask first."]


@pytest.mark.parametrize(
    "properties", ["<w:vanish/>", '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>', "<w:strike/>"]
)
def test_what_nobody_sees_of_a_note_is_not_read(properties: str) -> None:
    def write(document: Document) -> None:
        hold(document, note(1, SECRET, properties))
        refer(document.add_paragraph("Ask first."), 1)

    document = parsed(write)
    assert texts(document) == ["Ask first."]
    assert [(each.text, each.where) for each in document.hidden] == [(SECRET, "paragraph 1")]


def test_a_note_that_is_referred_to_twice_or_by_itself_is_read_once() -> None:
    def write(document: Document) -> None:
        inner = '<w:footnoteReference w:id="1"/>'
        hold(document, note(1, "Not in August.").replace("<w:footnoteRef/>", inner))
        paragraph = document.add_paragraph("Ask first.")
        refer(paragraph, 1)
        refer(paragraph, 1)
        refer(paragraph, 5)

    document = parsed(write)
    assert texts(document) == ["Ask first.", "Not in August."]


@pytest.mark.parametrize("content", [b"", b"no xml", b"<footnotes/>"])
def test_a_document_whose_notes_are_damaged_is_read_without_them(content: bytes) -> None:
    def write(document: Document) -> None:
        name = PackURI("/word/footnotes.xml")
        part = Part(name, KIND.format("footnote"), content, document.part.package)
        document.part.relate_to(part, RELATIONS["footnote"])
        refer(document.add_paragraph("Ask first."), 1)

    assert texts(parsed(write)) == ["Ask first."]
