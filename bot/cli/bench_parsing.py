"""How fast documents are read, format by format, by one process and by two at once."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from bot.cli.bench_documents import MAKERS, made_up, scanned_pdf

if TYPE_CHECKING:
    from retrieval.ingest.pool import ParserPool

PAGES_IN_DOCUMENT = 10
DOCUMENTS = 24
SCANS = 8
"""Documents of one page: it takes seconds."""
PROCESSES = (1, 2)


def parsing_table(pool: "ParserPool") -> Table:
    """Pages a second by each number of processes, and how many times as fast the most are.

    `pool`: its limits, and how pictures are read. Every process has started and read one document
    before the clock does.
    """
    from retrieval.parsing import is_read
    from retrieval.parsing.recognition.tesseract import missing

    table = Table("format", title="Reading documents: pages a second")
    for column in ("pages", *(f"{n} process{'es' * (n > 1)}" for n in PROCESSES), "times as fast"):
        table.add_column(column, justify="right")
    pages = made_up(DOCUMENTS * PAGES_IN_DOCUMENT)
    documents = [
        pages[first : first + PAGES_IN_DOCUMENT]
        for first in range(0, len(pages), PAGES_IN_DOCUMENT)
    ]
    for name, (suffix, make) in MAKERS.items():
        if is_read(suffix := f"a{suffix}"):
            files = [(suffix, make(each)) for each in documents]
            table.add_row(name, *_measured(pool, files, len(pages)))
    if not missing(pool.recognition):
        files = [("a.pdf", scanned_pdf([page])) for page in pages[:SCANS]]
        table.add_row("PDF, scanned", *_measured(pool, files, SCANS))
    return table


def _measured(pool: "ParserPool", files: Sequence[tuple[str, bytes]], pages: int) -> list[str]:
    rates = [pages / _seconds(pool.of(processes), files) for processes in PROCESSES]
    return [str(pages), *(f"{rate:,.1f}" for rate in rates), f"{rates[-1] / rates[0]:.2f}"]


def _seconds(pool: "ParserPool", files: Sequence[tuple[str, bytes]]) -> float:
    with pool:
        for started in [pool.submit(*files[0]) for _ in range(pool.workers)]:
            started.result()
        begin = time.perf_counter()
        for reading in [pool.submit(*file) for file in files]:
            reading.result()
        return time.perf_counter() - begin
