"""Somebody measures how fast documents of each format are read."""

import pytest
from parsed_documents import texts
from rich.console import Console
from scanned import with_tesseract

from bot.lab.commands import bench_parsing, bench_tables
from bot.lab.commands.bench_parsing import MAKERS, made_up, scanned_pdf
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


def test_the_cells_of_printed_tables_are_counted_beside_another_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    style = "ruled above and below"
    monkeypatch.setattr(bench_tables, "CSS", {style: bench_tables.CSS[style]})
    monkeypatch.setattr(bench_tables, "LATEX", {})
    console = Console(width=120, record=True)
    console.print(bench_tables.tables_table())
    (row,) = (line for line in console.export_text().splitlines() if style in line)
    cells, *shares = [part.strip() for part in row.split("│")[2:-1]]
    assert int(cells) > 80
    precision, recall, *others = map(float, shares)
    assert min(precision, recall) > 0.9 > max(others)
