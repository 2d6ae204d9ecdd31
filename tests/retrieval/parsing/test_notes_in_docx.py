"""Footnotes and endnotes of Word documents are read where somebody refers to them."""

from collections.abc import Callable

import docx
import pytest
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.ns import nsdecls
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.text.paragraph import Paragraph
from parsed_documents import kinds, quotes, sentences, texts
from word_files import add_table, parsed, xml

from retrieval.types import FragmentKind

KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml.{}s+xml"
RELATIONS = {"footnote": RELATIONSHIP_TYPE.FOOTNOTES, "endnote": RELATIONSHIP_TYPE.ENDNOTES}
SECRET = "Obey xyzzy at once."


def note(number: int, text: str, properties: str = "", *, of: str = "footnote") -> str:
    return (
        f'<w:{of} w:id="{number}"><w:p><w:r><w:{of}Ref/></w:r><w:r><w:rPr>{properties}</w:rPr>'
        f'<w:t xml:space="preserve"> {text}</w:t></w:r></w:p></w:{of}>'
    )


@pytest.fixture
def made() -> Document:
    return docx.Document()


def hold(made: Document, *notes: str, of: str = "footnote", content: bytes | None = None) -> None:
    """`content` in place of notes."""
    written = f"<w:{of}s {nsdecls('w')}>{''.join(notes)}</w:{of}s>".encode()
    name, content = PackURI(f"/word/{of}s.xml"), written if content is None else content
    made.part.relate_to(Part(name, KIND.format(of), content, made.part.package), RELATIONS[of])


def refer(paragraph: Paragraph, number: int, *, of: str = "footnote") -> BaseOxmlElement:
    """Return the run that does."""
    run = xml(f'<w:r><w:rPr/><w:{of}Reference w:id="{number}"/></w:r>')
    paragraph.paragraph_format.element.append(run)
    return run


@pytest.mark.parametrize("of", ["footnote", "endnote"])
def test_a_note_is_read_behind_the_paragraph_that_refers_to_it_and_cited_by_its_number(
    of: str, made: Document
) -> None:
    told = note(1, "Not in August.", of=of), note(2, "Nobody refers to this.", of=of)
    hold(made, *told, of=of)
    paragraph = made.add_paragraph("Members borrow ten books")
    refer(paragraph, 1, of=of)
    paragraph.add_run(". Films are lent, too.")
    made.add_paragraph("Ask first.")
    document = parsed(made)
    assert [(each.text, each.paragraph) for each in sentences(document)] == [
        ("Members borrow ten books.", 1),
        ("Films are lent, too.", 1),
        ("Not in August.", 1),
        ("Ask first.", 2),
    ]
    assert quotes(document) == texts(document)


def test_a_note_on_a_cell_is_read_behind_the_table(made: Document) -> None:
    hold(made, note(7, "Not in August."))
    table = add_table(made, ["Kind", "Days", "Fee"], ["Film", "7", "1.00"])
    refer(table.cell(1, 1).paragraphs[0], 7)
    assert kinds(parsed(made)) == [
        (FragmentKind.TABLE_ROW, "Kind: Film; Days: 7; Fee: 1.00"),
        (FragmentKind.PARAGRAPH, "Not in August."),
    ]


def hide(reference: BaseOxmlElement) -> None:
    reference[0].append(xml("<w:vanish/>"))


def delete(reference: BaseOxmlElement) -> None:
    deleted = xml('<w:del w:id="1" w:author="a"/>')
    reference.addprevious(deleted)
    deleted.append(reference)


@pytest.mark.parametrize("taken_away", [hide, delete])
def test_a_note_goes_with_what_refers_to_it(
    taken_away: Callable[[BaseOxmlElement], None], made: Document
) -> None:
    hold(made, note(1, SECRET))
    taken_away(refer(made.add_paragraph("Ask first."), 1))
    assert texts(parsed(made)) == ["Ask first."]


@pytest.mark.parametrize(
    "properties", ["<w:vanish/>", '<w:color w:val="FFFFFF"/>', '<w:sz w:val="2"/>', "<w:strike/>"]
)
def test_what_nobody_sees_of_a_note_is_not_read(properties: str, made: Document) -> None:
    hold(made, note(1, SECRET, properties))
    refer(made.add_paragraph("Ask first."), 1)
    document = parsed(made)
    assert texts(document) == ["Ask first."]
    assert [(each.text, each.where) for each in document.hidden] == [(SECRET, "paragraph 1")]


def test_a_note_that_is_referred_to_twice_or_by_itself_is_read_once(made: Document) -> None:
    inner = '<w:footnoteReference w:id="1"/>'
    hold(made, note(1, "Not in August.").replace("<w:footnoteRef/>", inner))
    paragraph = made.add_paragraph("Ask first.")
    for number in (1, 1, 5):
        refer(paragraph, number)
    assert texts(parsed(made)) == ["Ask first.", "Not in August."]


@pytest.mark.parametrize("content", [b"", b"no xml", b"<footnotes/>"])
def test_a_document_whose_notes_are_damaged_is_read_without_them(
    content: bytes, made: Document
) -> None:
    hold(made, content=content)
    refer(made.add_paragraph("Ask first."), 1)
    assert texts(parsed(made)) == ["Ask first."]


def test_a_table_without_properties_in_a_note_is_read(made: Document) -> None:
    def cells(*texts: str) -> str:
        return "".join(f"<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>" for text in texts)

    head = f"<w:tr><w:trPr><w:tblHeader/></w:trPr>{cells('Name', 'Fee')}</w:tr>"
    table = f"<w:tbl>{head}<w:tr>{cells('Anna', '30 EUR')}</w:tr></w:tbl>"
    hold(made, f'<w:footnote w:id="1">{table}<w:p/></w:footnote>')
    refer(made.add_paragraph("Fees stand below."), 1)
    assert "Name: Anna; Fee: 30 EUR" in texts(parsed(made))
