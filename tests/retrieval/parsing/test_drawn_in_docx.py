"""What is drawn in a Word document says what it shows, and nothing where nobody sees it."""

import io

import docx
import pytest
from docx.document import Document
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.text.run import Run
from parsed_documents import kinds, quotes, sentences, texts
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.chart.xmlwriter import ChartXmlWriter
from pptx.enum.chart import XL_CHART_TYPE
from word_files import parsed, saved, xml

from bot.lab.proof.places import place_checker
from retrieval.types import FragmentKind

RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
DAYS = [
    (FragmentKind.PARAGRAPH, "Days of leave"),
    (FragmentKind.TABLE_ROW, "2024; Staff: 25; Students: 5"),
    (FragmentKind.TABLE_ROW, "2025; Staff: 30"),
]


@pytest.fixture
def made() -> Document:
    return docx.Document()


def related(made: Document, kind: str, content: bytes) -> str:
    folder = {"chart": "charts/chart", "diagramData": "diagrams/data"}[kind]
    name = PackURI(f"/word/{folder}{len(made.part.rels)}.xml")
    part = Part(name, "application/xml", content, made.part.package)
    return made.part.relate_to(part, f"{RELATIONS}/{kind}")


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
    assert {each.paragraph for each in sentences(document)[1:-1]} == {2}
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
