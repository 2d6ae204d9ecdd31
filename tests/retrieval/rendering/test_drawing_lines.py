"""Lines of documents without pages as pictures, and what is cited from record to picture."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

import pytest
from docx import Document as Word
from ingests import ingest_into, write
from openpyxl import Workbook
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from retrieval.documents.sql_library import SqlLibrary
from retrieval.errors import NoPicture
from retrieval.ingest.sync import Ingest
from retrieval.metadata.access import EVERYBODY
from retrieval.rendering.drawing import MARKER, OUTLINE, WIDTH, DrawnLine, DrawnPicture
from retrieval.rendering.renderer import CitedPictures, CitedWords, PageRenderer

pytestmark = pytest.mark.slow  # it starts processes

BEFORE = DrawnLine("7", "Leave is earned in every pay period.", is_cited=False)
CITED = DrawnLine(
    "8–11", "Employees earn £1,300 – and “thirteen days” – each year; see § 12.", is_cited=True
)
AFTER = DrawnLine("12", "Ask the office.", is_cited=False)
LONG = "Leave is earned in every pay period and lapses at the end of the year. "


@pytest.fixture(scope="module")
def renderer() -> Iterator[PageRenderer]:
    with PageRenderer() as renderer:
        yield renderer


def image_of(picture: DrawnPicture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    assert image.size == (picture.width, picture.height)
    return image


def bands(picture: DrawnPicture) -> list[str]:
    """Down the picture, whether there is ink on white ("ink"), on the marker ("cited"), or none."""
    image = image_of(picture)
    kinds = []
    for y in range(image.height):
        row = image.crop((0, y, image.width, y + 1)).getcolors(image.width) or []
        colours = {colour for _, colour in row}
        if MARKER in colours or OUTLINE in colours:
            kinds.append("cited")
        else:
            kinds.append("ink" if colours != {(255, 255, 255)} else "")
    return [kind for kind, _ in groupby(kinds)]


def test_only_the_cited_line_is_highlighted(renderer: PageRenderer) -> None:
    picture = renderer.lines([BEFORE, CITED, AFTER])
    assert picture.width == WIDTH
    found = bands(picture)
    assert found.count("cited") == 1
    assert found.index("cited") not in (0, len(found) - 1)
    assert "ink" in found[: found.index("cited")]
    assert "ink" in found[found.index("cited") :]


def test_the_number_stands_at_the_left_outside_of_what_is_cited(renderer: PageRenderer) -> None:
    image = image_of(renderer.lines([CITED]))
    left = image.crop((0, 0, 95, image.height)).getcolors(95 * image.height) or []
    assert len(left) > 1
    assert MARKER not in {colour for _, colour in left}
    unnumbered = renderer.lines([DrawnLine("", CITED.text, is_cited=True)])
    edge = image_of(unnumbered).crop((0, 0, 95, unnumbered.height))
    assert MARKER in {colour for _, colour in edge.getcolors(95 * unnumbered.height) or []}


def test_long_lines_around_are_cut_and_what_is_cited_is_not(renderer: PageRenderer) -> None:
    alone = renderer.lines([CITED])
    between = renderer.lines(
        [DrawnLine("1", LONG * 9, is_cited=False), CITED, DrawnLine("9", LONG * 9, is_cited=False)]
    )
    assert between.height - alone.height < 7 * 60
    cited_alone = renderer.lines([DrawnLine("1", LONG * 9, is_cited=True)])
    assert cited_alone.height > 12 * 50


@pytest.mark.parametrize(
    "text", ["Ausnahme für ≤ 3 Tage", "年次有給休暇", "خمسة أيام", "A 🙂 day", "x\ue000"]
)
def test_what_the_font_cannot_draw_is_not_drawn(renderer: PageRenderer, text: str) -> None:
    with pytest.raises(NoPicture, match="no shape for U\\+"):
        renderer.lines([DrawnLine("1", text, is_cited=True)])
    with pytest.raises(NoPicture):
        renderer.lines([DrawnLine("1", text, is_cited=False), CITED])


def test_accents_in_parts_are_drawn_and_what_is_unseen_is_left_out(renderer: PageRenderer) -> None:
    composed = renderer.lines([DrawnLine("1", "Café für alle", is_cited=True)])
    assert (
        renderer.lines([DrawnLine("1", "Cafe\u0301 fu\u0308r alle", is_cited=True)]).png
        == composed.png
    )
    reversing = renderer.lines([DrawnLine("1", "Caf\u202eé f\u200bür\u00ad alle", is_cited=True)])
    assert reversing.png == composed.png


def test_what_is_too_long_to_look_at_is_no_picture(renderer: PageRenderer) -> None:
    for text in (LONG * 60, "x" * 30_000):
        with pytest.raises(NoPicture, match="too"):
            renderer.lines([DrawnLine("1", text, is_cited=True)])
    with pytest.raises(NoPicture):
        renderer.lines([])


def test_a_word_wider_than_the_picture_is_broken(renderer: PageRenderer) -> None:
    picture = renderer.lines([DrawnLine("1", "w" * 200, is_cited=True)])
    image = image_of(picture)
    assert image.crop((WIDTH - 8, 0, WIDTH, image.height)).getcolors() == [
        (8 * image.height, (255, 255, 255))
    ]


HANDBOOK = """# Handbook

Leave is earned in every pay period.
Employees earn thirteen days
in each year. It lapses in May.

| Grade | Days |
|-------|------|
| One   | 13   |
| Two   | 20   |
"""


@dataclass
class Noting:
    """Stands in for the process that draws: notes what it is asked for."""

    lines_drawn: list[Sequence[DrawnLine]] = field(default_factory=list)

    def lines(self, lines: Sequence[DrawnLine]) -> DrawnPicture:
        self.lines_drawn.append(lines)
        return DrawnPicture(b"", 1, 1)


@pytest.fixture
def shelf(tmp_path: Path) -> tuple[Ingest, Path]:
    return ingest_into(tmp_path / "home"), tmp_path / "docs"


def read(shelf: tuple[Ingest, Path]) -> SqlLibrary:
    ingest, docs = shelf
    ingest.run(docs, EVERYBODY)
    library = ingest.indexed.library
    assert isinstance(library, SqlLibrary)
    return library


def citing(library: SqlLibrary, words: str) -> CitedWords:
    """As an answer cites the sentence with these words."""
    passage, at = next(
        (passage, at)
        for passage in library.all_passages()
        for at, sentence in enumerate(passage.sentences)
        if words in sentence.text
    )
    return CitedWords(
        passage.document.document_id,
        passage.document.version,
        passage.passage_id,
        passage.document.file,
        passage.quote(at, at),
        passage.sentences[at].boxes,
    )


def lines_of(library: SqlLibrary, cited: CitedWords) -> list[tuple[str, str, bool]]:
    noting = Noting()
    CitedPictures(library, noting).picture(cited)  # type: ignore[arg-type]  # it only notes
    return [(each.label, each.text, each.is_cited) for each in noting.lines_drawn[0]]


Write = Callable[[Path], None]


def word_file(path: Path) -> None:
    document = Word()
    for text in ("Leave is earned.", "Employees earn thirteen days.", "It lapses in May."):
        document.add_paragraph(text)
    document.save(str(path))


def word_table(path: Path) -> None:
    document = Word()
    document.add_paragraph("Leave is earned.")
    table = document.add_table(0, 2)
    for row in (["Grade", "Days"], ["One", "13"], ["Two", "20"]):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.save(str(path))


def workbook(path: Path) -> None:
    book = Workbook()
    for row in (["Grade", "Days"], ["One", 13], ["Two", 20]):
        book.active.append(row)
    book.save(path)


def handbook(path: Path) -> None:
    path.write_text(HANDBOOK)


THIRTEEN = "Employees earn thirteen days"


@pytest.mark.parametrize(
    ("file", "made", "labels", "cited"),
    [
        ("leave.md", handbook, ["3", "4–5", "5"], f"{THIRTEEN} in each year."),
        ("leave.md", handbook, ["9", "10"], "Grade: Two; Days: 20"),
        ("leave.docx", word_file, ["¶ 1", "¶ 2", "¶ 3"], f"{THIRTEEN}."),
        ("leave.docx", word_table, ["row 2", "row 3"], "Grade: Two; Days: 20"),
        ("leave.xlsx", workbook, ["A2:B2", "A3:B3"], "Grade: Two; Days: 20"),
    ],
)
def test_what_is_cited_is_shown_between_its_neighbours_with_its_place(
    shelf: tuple[Ingest, Path], file: str, made: Write, labels: list[str], cited: str
) -> None:
    shelf[1].mkdir()
    made(shelf[1] / file)
    library = read(shelf)
    shown = lines_of(library, citing(library, cited))
    assert [label for label, _, _ in shown] == labels
    assert [text for _, text, is_cited in shown if is_cited] == [cited]


def test_what_was_cited_is_shown_as_it_was_after_the_document_changed(
    shelf: tuple[Ingest, Path],
) -> None:
    write(shelf[1], {"handbook.md": HANDBOOK})
    cited = citing(read(shelf), "thirteen days")
    write(shelf[1], {"handbook.md": HANDBOOK.replace("thirteen", "fourteen")})
    library = read(shelf)
    assert lines_of(library, cited)[1][1] == "Employees earn thirteen days in each year."


def test_what_is_not_there_or_was_purged_is_not_drawn(shelf: tuple[Ingest, Path]) -> None:
    write(shelf[1], {"handbook.md": HANDBOOK})
    library = read(shelf)
    cited = citing(library, "thirteen days")
    with pytest.raises(NoPicture, match="does not stand"):
        lines_of(library, replace(cited, quote="Employees earn a hundred days."))
    library.purge(cited.document_id)
    with pytest.raises(NoPicture, match="not kept"):
        lines_of(library, cited)


def test_of_a_pdf_the_page_itself_is_shown(shelf: tuple[Ingest, Path]) -> None:
    shelf[1].mkdir()
    canvas = Canvas(str(shelf[1] / "Leave.PDF"))
    canvas.drawString(72, 700, "Nothing is cited here.")
    canvas.showPage()
    canvas.drawString(72, 700, "Employees earn thirteen days.")
    canvas.save()
    library = read(shelf)
    cited = citing(library, "thirteen")
    assert cited.boxes[0].page == 2
    with PageRenderer() as renderer:
        picture = CitedPictures(library, renderer).picture(cited)
        image = Image.open(io.BytesIO(picture.png))
        colours = {colour for _, colour in image.getcolors(1 << 20) or []}
        assert MARKER in colours
        library.purge(cited.document_id)
        with pytest.raises(NoPicture, match="not kept"):
            CitedPictures(library, renderer).picture(cited)
