"""A developer looks at what is read of a file, and builds on it."""

from pathlib import Path

import docx
import pytest
from pdf_pages import drawn_pages, write
from reportlab.pdfgen.canvas import Canvas
from vouch_home import Home

from retrieval.parsing.described import ReadDocument

RULES = [f"Rule {number} says that a form is signed in {number} days." for number in range(1, 15)]
ENTRIES = [f"{name}, {page}" for page, name in enumerate(("appeals", "fees", "leave", "rooms"), 3)]


def heading(canvas: Canvas, text: str) -> None:
    write_large(canvas, text, 90)


def write_large(canvas: Canvas, text: str, top: float) -> None:
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(72, 842 - top, text)


def cover(canvas: Canvas) -> None:
    write_large(canvas, "Staff Handbook", 300)
    write(canvas, ["Westhill Institute", "Spring 2026"], 340)


def chapter(canvas: Canvas) -> None:
    heading(canvas, "Forms")
    write(canvas, RULES, 130)


def index(canvas: Canvas) -> None:
    heading(canvas, "Index")
    write(canvas, ENTRIES, 130)


def form(canvas: Canvas) -> None:
    heading(canvas, "Request")
    canvas.acroForm.textfield(name="days", value="12", x=200, y=700, width=150, height=20)
    write(canvas, RULES, 200)


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    file = tmp_path / "handbook.pdf"
    file.write_bytes(drawn_pages(cover, chapter, form, index))
    return file


def test_what_is_read_comes_as_json_by_its_schema_with_places_and_kinds_of_pages(
    home: Home, handbook: Path
) -> None:
    read = home.vouch("parse", handbook, "--json").json
    assert ReadDocument.model_validate(read).model_dump(mode="json") == read
    assert home.vouch("parse", "--schema").json["properties"].keys() == read.keys()
    assert [page["kind"] for page in read["pages"]] == ["cover", "body", "form", "index"]
    told = [each for each in read["fragments"] if each["kind"] == "paragraph"]
    rule = next(s for each in told for s in each["sentences"] if s["text"] == RULES[3])
    (box,) = rule["boxes"]
    assert (rule["page"], rule["line_start"], box["page"]) == (2, 5, 2)
    assert box["x0"] == pytest.approx(72, abs=2)
    assert box["y0"] < 130 + 3 * 12 < box["y1"]
    heads = [(e["level"], e["sentences"][0]["text"]) for e in read["fragments"] if e["level"]]
    assert (heads[-1][1], read["fragments"][-1]["section_path"]) == ("Index", ["Index"])


def test_a_word_document_with_a_title_is_shown(home: Home, tmp_path: Path) -> None:
    made = docx.Document()
    made.add_heading("Leave", 0)
    made.add_paragraph("Staff have 28 days of leave.")
    made.save(str(tmp_path / "leave.docx"))
    read = home.vouch("parse", tmp_path / "leave.docx", "--json").json
    assert [each["kind"] for each in read["fragments"]] == ["heading", "paragraph"]


def test_cells_stand_with_their_columns(home: Home, tmp_path: Path) -> None:
    fees = tmp_path / "fees.csv"
    fees.write_text("Course,Fee\nDiving,90 euros\n")
    read = home.vouch("parse", fees, "--json").json
    (row,) = (each for each in read["fragments"] if each["kind"] == "table_row")
    cells = [(each["column"], each["text"]) for each in row["sentences"][0]["cells"]]
    assert cells == [("Course", "Diving"), ("Fee", "90 euros")]


def test_it_is_drawn_over_the_pages_and_no_document_writes_html(
    home: Home, handbook: Path, tmp_path: Path
) -> None:
    page = tmp_path / "read.html"
    home.does("parse", handbook, "--html", page)
    shown = page.read_text()
    assert shown.count("data:image/png;base64,") == 4
    assert f'title="paragraph: {RULES[3]}"' in shown
    hostile = tmp_path / "hostile.md"
    hostile.write_text('# Notes\n\nWrite `<script>alert("x")</script>` and "><img src=x> never.\n')
    home.does("parse", hostile, "--html", page)
    shown = page.read_text()
    assert "<script" not in shown
    assert "<img" not in shown
    assert "&lt;script&gt;" in shown


def test_what_cannot_be_read_says_what_to_do(home: Home, tmp_path: Path) -> None:
    broken, other = tmp_path / "broken.pdf", tmp_path / "notes.xyz"
    broken.write_bytes(b"%PDF-1.7 and nothing else")
    other.write_text("notes")
    for file, status in ((broken, 1), (other, 1), (tmp_path / "gone.pdf", 2)):
        finished = home.vouch("parse", file, "--json")
        assert (finished.status, finished.out) == (status, "")
        assert file.name in finished.err
    assert "convert it to one of" in home.vouch("parse", other).err
    assert home.vouch("parse").status == 2
