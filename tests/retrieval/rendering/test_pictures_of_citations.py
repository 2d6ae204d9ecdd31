"""From what an audit record says of a citation to its picture, out of a real library."""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
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
from retrieval.rendering.cited import CitedPictures, CitedWords
from retrieval.rendering.drawing import MARKER, DrawnLine, DrawnPicture
from retrieval.rendering.renderer import PageRenderer

pytestmark = pytest.mark.slow  # an ingest starts processes

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
    CitedPictures(library, noting).picture(cited)  # type: ignore[arg-type]
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
        ("leave.docx", word_table, ["¶ 1", "row 2", "row 3"], "Grade: Two; Days: 20"),
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
