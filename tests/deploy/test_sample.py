"""The sample organisation is what its labels and metadata say; nothing of the product reads it."""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import docx
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
import yaml

SAMPLE = Path(__file__).resolve().parents[2] / "deploy" / "sample"
DOCUMENTS = SAMPLE / "documents"
REGULATIONS = "university/regulations/academic-regulations-2025.pdf"
FACETS = {"faculties", "departments", "programmes", "batches", "courses"}
KEYS = {
    *("title", "stream", "subtype", "level", "audience", "valid_from", "valid_to"),
    *("effective", "owner", "link"),
}
REQUIRED = {"title", "stream", "subtype", "level", "effective", "owner", "link"}
GOLD_BY_KIND = {"answerable", "partial", "followup"}
FORMATS = {".md", ".txt", ".html", ".pdf", ".docx"}


def load(name: str) -> Any:
    return yaml.safe_load((SAMPLE / name).read_text(encoding="utf-8"))


def files() -> list[str]:
    found = (path for path in DOCUMENTS.rglob("*") if path.is_file())
    return sorted(str(p.relative_to(DOCUMENTS)) for p in found if p.name != "metadata.yaml")


PEOPLE = {person["id"]: person for person in load("people.yaml")["people"]}
CHANNELS = load("channels.yaml")["channels"]
TOUR = load("tour.yaml")["stops"]
FILES = files()
QUESTIONS = [
    json.loads(line)
    for line in (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
GOLDS = [(question["id"], gold) for question in QUESTIONS for gold in question["gold"]]


def entries(folder: Path) -> dict[str, dict[str, Any]]:
    path = folder / "metadata.yaml"
    return yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}


def metadata(file: str) -> dict[str, Any]:
    """Farther mappings first, globs before names, front matter last: the later one wins."""
    merged: dict[str, Any] = {}
    path = DOCUMENTS / file
    for folder in reversed([f for f in path.parents if f.is_relative_to(DOCUMENTS)]):
        below = str(path.relative_to(folder))
        for key, values in sorted(entries(folder).items(), key=lambda item: item[0] == below):
            if fnmatch(below, key):
                merged |= values
    if path.suffix == ".md":
        merged |= yaml.safe_load(path.read_text(encoding="utf-8").split("---\n", 2)[1])
    return merged


METADATA = {file: metadata(file) for file in FILES}


def facets(person: dict[str, Any] | None) -> dict[str, set[str]]:
    person = person or {}
    courses = person.get("courses", {})
    plain = {facet: set(person.get(facet, [])) for facet in FACETS - {"courses"}}
    return plain | {"courses": {*courses.get("current", []), *courses.get("completed", [])}}


def may_read(person: dict[str, Any] | None, on: date, file: str) -> bool:
    about = METADATA[file]
    if not about.get("valid_from", date.min) <= on <= about.get("valid_to", date.max):
        return False
    held = facets(person)
    return all(held[facet] & set(values) for facet, values in about.get("audience", {}).items())


def folded(text: str) -> str:
    return " ".join(text.split())


def docx_parts(path: Path) -> Iterator[tuple[int, str]]:
    """(paragraph, text); a table row has the number of the paragraph before its table."""
    number = 0
    for element in docx.Document(str(path)).iter_inner_content():
        if hasattr(element, "rows"):
            for row in element.rows:
                yield max(number, 1), " ".join(cell.text for cell in row.cells)
        else:
            number += 1
            yield number, element.text


def pdf_pages(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as pdf:
        texts = [page.get_textpage().get_text_range() for page in pdf]
    return [text.replace("\r\n", "\n") for text in texts]


def text_at(gold: dict[str, Any]) -> str:
    """What stands at a gold place, folded where the format has no text of its own."""
    path = DOCUMENTS / gold["file"]
    if path.suffix == ".docx":
        return "\n".join(folded(t) for n, t in docx_parts(path) if n == gold["paragraph"])
    source = path.read_text(encoding="utf-8") if path.suffix != ".pdf" else ""
    source = pdf_pages(path)[gold["page"] - 1] if path.suffix == ".pdf" else source
    lines = source.split("\n")[gold["line_start"] - 1 : gold["line_end"]]
    return folded(" ".join(lines)) if path.suffix == ".pdf" else "\n".join(lines)


def test_documents_come_in_all_five_formats() -> None:
    assert {Path(file).suffix for file in FILES} == FORMATS
    assert 24 <= len(FILES) <= 30


def test_documents_are_neither_snippets_nor_books() -> None:
    for file in FILES:
        path = DOCUMENTS / file
        if path.suffix in {".md", ".txt", ".html"}:
            assert 150 <= len(path.read_text(encoding="utf-8").split()) <= 900, file


def test_regulations_run_over_ten_pages_with_header_page_number_and_ruled_tables() -> None:
    pages = pdf_pages(DOCUMENTS / REGULATIONS)
    assert len(pages) >= 10
    for number, text in enumerate(pages, start=1):
        assert text.startswith("Larkmere University - Academic Regulations 2025")
        assert text.endswith(f"Page {number}")
    assert "Grade Mark from Mark to Meaning Grade points\nA 85 100 Excellent 4.0" in pages[5]
    with pypdfium2.PdfDocument(DOCUMENTS / REGULATIONS) as pdf:
        drawn = [len(list(page.get_objects([pdfium.FPDF_PAGEOBJ_PATH]))) for page in pdf]
    assert sum(count > 10 for count in drawn) >= 6


def test_handbook_has_headings_lists_and_a_table() -> None:
    document = docx.Document(str(DOCUMENTS / "computer-science/msc-handbook.docx"))
    styles = {paragraph.style.name for paragraph in document.paragraphs if paragraph.style}
    assert {"Title", "Heading 1", "List Number"} <= styles
    assert document.tables


@pytest.mark.parametrize("file", FILES)
def test_metadata_is_complete_and_known(file: str) -> None:
    about = METADATA[file]
    assert REQUIRED <= about.keys() <= KEYS
    assert about["stream"] in {"academic", "non-academic"}
    assert about["level"] in {"department", "faculty", "university"}
    assert about["owner"].endswith("@example.org")
    assert all(isinstance(about[key], date) for key in ("valid_from", "valid_to") if key in about)
    assert isinstance(about["effective"], date)
    assert about.get("audience", {}).keys() <= FACETS
    assert all(values for values in about.get("audience", {}).values())


def test_metadata_mappings_name_files_that_exist() -> None:
    for path in DOCUMENTS.rglob("metadata.yaml"):
        for key in entries(path.parent):
            assert any(path.parent.glob(key)), f"{path}: {key}"


@pytest.mark.parametrize("file", FILES)
def test_somebody_may_read_each_document_on_some_day(file: str) -> None:
    day = METADATA[file].get("valid_to", METADATA[file].get("valid_from", date(2026, 11, 21)))
    assert any(may_read(person, day, file) for person in PEOPLE.values())


def test_effective_dates_spread_over_a_decade() -> None:
    years = {about["effective"].year for about in METADATA.values()}
    assert min(years) == 2017
    assert max(years) == 2027


def test_one_version_of_the_re_evaluation_regulation_is_valid_on_each_day() -> None:
    versions = [file for file in FILES if "/re-evaluation-20" in file]
    for day in (date(2025, 7, 31), date(2025, 8, 1), date(2026, 12, 31), date(2027, 1, 1)):
        assert len([file for file in versions if may_read(None, day, file)]) == 1


def test_people_and_channels_have_known_facets() -> None:
    assert len(PEOPLE) == 5
    assert [person["id"] for person in PEOPLE.values() if person["admin"]] == ["priya"]
    assert max(Counter(channel["id"] for channel in CHANNELS).values()) == 1
    assert all(channel["audience"].keys() <= FACETS for channel in CHANNELS)


def test_staff_documents_are_closed_to_every_student_and_guest() -> None:
    students = [person for person in PEOPLE.values() if person["role"] == "student"]
    for file in (file for file in FILES if file.startswith("staff/")):
        for reader in [None, *students]:
            assert not may_read(reader, date(2026, 11, 21), file)


@pytest.mark.parametrize(("question", "gold"), GOLDS)
def test_each_gold_quote_stands_at_its_place(question: str, gold: dict[str, Any]) -> None:
    binary = Path(gold["file"]).suffix in {".pdf", ".docx"}
    quote = folded(gold["quote"]) if binary else gold["quote"]
    assert quote in text_at(gold), question


def test_questions_are_labelled_in_full() -> None:
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS) >= 45
    assert {question["split"] for question in QUESTIONS} == {"calibration", "test"}
    kinds = Counter(question["kind"] for question in QUESTIONS)
    assert kinds.keys() == {*GOLD_BY_KIND, "unanswerable", "restricted"}
    assert min(kinds.values()) >= 5
    for question in QUESTIONS:
        kind = question["kind"]
        assert bool(question["gold"]) == (kind in GOLD_BY_KIND), question["id"]
        assert bool(question["answer"]) == (kind in GOLD_BY_KIND), question["id"]
        assert bool(question["previous"]) == (kind == "followup"), question["id"]
        assert bool(question["missing"]) == (kind == "partial"), question["id"]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_labels_agree_with_what_the_person_may_read(question: dict[str, Any]) -> None:
    person = PEOPLE[question["as"]] if "as" in question else None
    on = date.fromisoformat(question["on"])
    for gold in question["gold"]:
        assert may_read(person, on, gold["file"])
    for file in question["forbidden"]:
        assert file in FILES
        assert not may_read(person, on, file)
    assert question["kind"] != "restricted" or question["forbidden"]


def test_the_same_question_has_different_right_answers_for_different_people() -> None:
    answers: dict[str, set[str]] = {}
    for question in QUESTIONS:
        answers.setdefault(question["question"], set()).add(question["answer"])
    assert len(answers["how late may i hand in coursework, and what does it cost me?"]) == 3
    assert len(answers["how long can i borrow a laptop for"]) == 3
    refused_to_one = [texts for texts in answers.values() if "" in texts and len(texts) > 1]
    assert len(refused_to_one) >= 2


def bare(question: str) -> str:
    """Its letters and digits: questions are labelled as people type them."""
    return re.sub(r"[\W_]+", "", question.casefold())


LABELLED = {(each.get("as"), bare(each["question"])): each["kind"] for each in QUESTIONS}


def test_the_tour_asks_labelled_questions_and_the_readme_tells_it() -> None:
    kinds = [LABELLED[stop["as"], bare(stop["question"])] for stop in TOUR]
    assert kinds == ["answerable", "answerable", "unanswerable"]
    assert len({bare(stop["question"]) for stop in TOUR}) == len(TOUR)
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    for stop in TOUR:
        assert f"{stop['as'].capitalize()} asks: {stop['question']}" in readme


def test_everybody_is_offered_questions_of_their_own() -> None:
    """That they are answered is tried in `tests/scenarios/test_sample_promises.py`."""
    offered = load("tour.yaml")["questions"]
    assert offered.keys() == PEOPLE.keys()
    asked = [(who, bare(question)) for who, several in offered.items() for question in several]
    assert {LABELLED[each] for each in asked if each in LABELLED} == {"answerable"}
    assert len({question for _, question in asked}) == len(asked)


@pytest.mark.slow
def test_rebuilding_gives_the_committed_pdf_and_docx_text(tmp_path: Path) -> None:
    subprocess.run([sys.executable, SAMPLE / "build_binaries.py", tmp_path], check=True)
    binaries = [file for file in FILES if Path(file).suffix in {".pdf", ".docx"}]
    assert sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.*")) == binaries
    for file in binaries:
        read = pdf_pages if file.endswith(".pdf") else lambda path: list(docx_parts(path))
        assert read(tmp_path / file) == read(DOCUMENTS / file), file
