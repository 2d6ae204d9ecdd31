"""Somebody measures how fast documents of each format are read."""

import gzip
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from parsed_documents import texts
from rich.console import Console
from scanned import with_tesseract

from bot.lab.commands import bench_parsing, bench_tables
from bot.lab.commands.bench import documents_table
from bot.lab.commands.bench_parsing import MAKERS, made_up, pdf, scanned_pdf
from retrieval.ingest.parser_pool import ParserPool
from retrieval.parsing import is_read, parser_for
from retrieval.parsing.pdf.parser import parse
from retrieval.parsing.recognition import Recognition

READ = {name: made for name, made in MAKERS.items() if is_read(f"a{made[0]}")}


@pytest.mark.parametrize("name", READ)
def test_what_is_measured_is_read_whole(name: str) -> None:
    suffix, make = READ[name]
    pages = made_up(3)
    said = " ".join(texts(parser_for(f"a{suffix}")(make(pages))))
    assert all(line.removesuffix(".") in said for page in pages for line in page)


@pytest.mark.exhaustive
@with_tesseract
def test_the_scanned_page_that_is_measured_is_read_almost_whole() -> None:
    (page,) = made_up(1)
    said = texts(parse(scanned_pdf([page]), Recognition()))
    assert sum(line in said for line in page) > len(page) / 2


@pytest.mark.exhaustive
@with_tesseract
def test_each_format_has_a_row_with_its_rate_by_one_process_and_by_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("DOCUMENTS", 2), ("PAGES_IN_DOCUMENT", 1), ("SCANS", 1)):
        monkeypatch.setattr(bench_parsing, name, value)
    console = Console(width=120)
    with console.capture() as captured:
        console.print(bench_parsing.parsing_table(ParserPool(2, recognition=Recognition())))
    rows = [line.split("│")[1:-1] for line in captured.get().splitlines() if "│" in line]
    assert [row[0].strip() for row in rows] == [*READ, "PDF, scanned"]
    for _, _, *numbers in rows:
        assert all(float(number.replace(",", "")) > 0 for number in numbers)


def test_the_cells_of_printed_tables_are_counted_beside_other_programs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    style = "ruled above and below"
    monkeypatch.setattr(bench_tables, "CSS", {style: bench_tables.CSS[style]})
    monkeypatch.setattr(bench_tables, "LATEX", {})
    biology = [["Programme", "Home fee"], ["Biology", "4,200"], ["Biology", "9"]]
    camelot = ModuleType("camelot")
    camelot.__spec__ = ModuleSpec("camelot", None)
    camelot.__dict__["read_pdf"] = lambda *_, **__: [SimpleNamespace(data=biology)]
    monkeypatch.setitem(sys.modules, "camelot", camelot)
    console = Console(width=160, record=True)
    console.print(bench_tables.tables_table())
    (row,) = (line for line in console.export_text().splitlines() if style in line)
    cells, *shares = [part.strip() for part in row.split("│")[2:-1]]
    assert int(cells) > 80
    precision, recall, *pdfplumber, named, told = map(float, shares)
    assert min(precision, recall) > 0.9 > max(pdfplumber)
    assert (named, told) == (0.5, 0.01)


def test_of_real_documents_it_is_told_how_many_are_read_kind_by_kind(tmp_path: Path) -> None:
    (tmp_path / "fees.csv.gz").write_bytes(
        gzip.compress(b"Item,Fee,Due\nMap,3 EUR,May\nPen,1 EUR,\n")
    )
    below = tmp_path / "below"
    below.mkdir()
    (below / "leave.md").write_text("# Leave\n\nStaff have 28 days.\n")
    (below / "leave.pdf").write_bytes(pdf(made_up(2)))
    (below / "damaged.pdf").write_bytes(b"%PDF-1.7 nonsense")
    console = Console(width=120, record=True)
    console.print(documents_table([tmp_path], ParserPool()))
    rows = [line.split("│")[1:-1] for line in console.export_text().splitlines() if "│" in line]
    assert [[part.strip() for part in row[:-1]] for row in rows] == [
        [".csv", "1", "1", "1", "5", "5"],
        [".md", "1", "1", "1", "0", "0"],
        [".pdf", "2", "1", "2", "0", "0"],
    ]
