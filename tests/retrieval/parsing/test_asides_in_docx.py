"""Notes of Word documents are read where somebody refers to them, and what is drawn where it is."""

import io
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
from docx.text.run import Run
from parsed_documents import kinds, quotes, sentences, texts
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.chart.xmlwriter import ChartXmlWriter
from pptx.enum.chart import XL_CHART_TYPE
from word_files import add_table, parsed, saved, xml

from bot.lab.proof.places import place_checker
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


RELATIONS_DRAWN = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
DAYS = [
    (FragmentKind.PARAGRAPH, "Days of leave"),
    (FragmentKind.TABLE_ROW, "2024; Staff: 25; Students: 5"),
    (FragmentKind.TABLE_ROW, "2025; Staff: 30"),
]


def related(made: Document, kind: str, content: bytes) -> str:
    folder = {"chart": "charts/chart", "diagramData": "diagrams/data"}[kind]
    name = PackURI(f"/word/{folder}{len(made.part.rels)}.xml")
    part = Part(name, "application/xml", content, made.part.package)
    return made.part.relate_to(part, f"{RELATIONS_DRAWN}/{kind}")


def draw(run: Run, graphic: str, *, properties: str = "", wide: int = 900_000) -> None:
    """As Word writes what stands in a line."""
    run._r.append(  # noqa: SLF001
        xml(
            f'<w:drawing><wp:inline><wp:extent cx="{wide}" cy="900000"/>'
            f'<wp:docPr id="1" name="it" {properties}/>'
            f"<a:graphic>{graphic}</a:graphic></wp:inline></w:drawing>"
        )
    )


def chart_of(*names: str) -> bytes:
    data = CategoryChartData()
    data.categories = ["2024", "2025"]
    for name, values in zip(names, ((25, 30), (5, None)), strict=True):
        data.add_series(name, values)
    written = ChartXmlWriter(XL_CHART_TYPE.COLUMN_CLUSTERED, data).xml
    title = (
        "<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>Days of leave</a:t></a:r></a:p>"
        "</c:rich></c:tx></c:title>"
    )
    return written.replace("<c:chart>", f"<c:chart>{title}", 1).encode()


def chart(made: Document, content: bytes | None = None) -> str:
    content = chart_of("Staff", "Students") if content is None else content
    key = related(made, "chart", content)
    return (
        f'<a:graphicData uri="{DRAWING}/chart">'
        f'<c:chart xmlns:c="{DRAWING}/chart" r:id="{key}"/></a:graphicData>'
    )


def test_a_chart_reads_as_its_title_and_a_table_of_its_values(made: Document) -> None:
    made.add_paragraph("Before.")
    draw(made.add_paragraph("It rises.").add_run(), chart(made))
    made.add_paragraph("After.")
    document = parsed(made)
    before, rises, *drawn, after = kinds(document)
    assert [before[1], rises[1], after[1]] == ["Before.", "It rises.", "After."]
    assert drawn == DAYS
    assert {(each.paragraph, each.page_label) for each in sentences(document)[1:-1]} == {(2, "")}
    stands = place_checker(saved(made), "a.docx", document.hidden)
    assert all(map(stands, sentences(document), quotes(document)))


def test_numbers_that_series_are_called_by_are_no_values(made: Document) -> None:
    draw(made.add_paragraph().add_run(), chart(made, chart_of("101", "102")))
    assert texts(parsed(made))[1:] == ["2024; 101: 25; 102: 5", "2025; 101: 30"]


def test_a_diagram_reads_as_its_points(made: Document) -> None:
    points = "".join(
        f"<d:pt><d:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></d:t></d:pt>"
        for text in ("Knock.", "", "Wait.")
    )
    data = (
        f'<d:dataModel xmlns:d="{DRAWING}/diagram" xmlns:a="{DRAWING}/main">'
        f"<d:ptLst>{points}</d:ptLst></d:dataModel>"
    )
    key = related(made, "diagramData", data.encode())
    graphic = (
        f'<a:graphicData uri="{DRAWING}/diagram">'
        f'<d:relIds xmlns:d="{DRAWING}/diagram" r:dm="{key}"/></a:graphicData>'
    )
    draw(made.add_paragraph().add_run(), graphic)
    assert texts(parsed(made)) == ["Knock.", "Wait."]


@pytest.mark.parametrize("way", ["vanishes", "is marked", "has no width", "was deleted"])
def test_what_nobody_sees_of_what_is_drawn_is_not_read(way: str, made: Document) -> None:
    paragraph = made.add_paragraph("Seen. ")
    run = paragraph.add_run()
    marked = 'hidden="1"' if way == "is marked" else ""
    stated = f'descr="A secret plan." {marked}'
    draw(run, chart(made), properties=stated, wide=0 if way == "has no width" else 900_000)
    if way == "vanishes":
        run.font.hidden = True
    if way == "was deleted":
        deleted = xml('<w:del w:id="1" w:author="a"/>')
        run._r.addprevious(deleted)  # noqa: SLF001
        deleted.append(run._r)  # noqa: SLF001
    document = parsed(made)
    assert texts(document) == ["Seen."]
    listed = " ".join(each.text for each in document.hidden)
    assert ("A secret plan." in listed and "Days of leave" in listed) is (way != "was deleted")


@pytest.mark.parametrize("content", [b"", b"<html/>", b"<c:chartSpace", b"<a>&lol;</a>"])
def test_a_chart_that_is_damaged_costs_nothing_else(content: bytes, made: Document) -> None:
    draw(made.add_paragraph("Read.").add_run(), chart(made, content))
    nowhere = chart(made).replace('r:id="', 'r:id="no-')
    draw(made.add_paragraph("This too.").add_run(), nowhere)
    assert texts(parsed(made)) == ["Read.", "This too."]


@pytest.mark.parametrize(
    ("stated", "read_as"),
    [
        ("A plan of the library. The exit is in the west.", True),
        ("A dog on a desk\n\nDescription automatically generated", False),
        ("A screenshot.\n\nAI-generated content may be incorrect.", False),
        ("scan0001.JPG", False),
        ("", False),
    ],
)
def test_a_picture_is_described_by_who_put_it_there_alone(
    stated: str, read_as: bool, made: Document
) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (400, 300)).save(picture, "PNG")
    made.add_paragraph("Look.")
    shown = made.add_picture(picture)
    shown._inline.docPr.set("descr", stated)  # noqa: SLF001
    _, *described = kinds(parsed(made))
    wanted = "A plan of the library. The exit is in the west."
    assert described == ([(FragmentKind.FIGURE, wanted)] if read_as else [])
