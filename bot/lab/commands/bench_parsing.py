"""How fast documents are read, format by format, by one process and by two at once."""

import csv
import ctypes
import random
import time
from collections.abc import Callable, Mapping, Sequence
from html import escape
from io import BytesIO, StringIO
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile

from rich.table import Table

from bot.cli.console import table_of

if TYPE_CHECKING:
    from retrieval.ingest.parser_pool import ParserPool

LINES = 40
_SUBJECTS = ("leave", "travel", "exams", "laptops", "licences", "grants", "parking", "visas")
_UNITS = ("students", "staff", "visitors", "lecturers", "contractors", "graduates")
_SEED = 0
_DPI = 200
Pages = Sequence[Sequence[str]]


def made_up(pages: int) -> list[list[str]]:
    dice = random.Random(_SEED)  # noqa: S311  # made-up text, the same at every run
    return [
        [
            f"For {dice.choice(_SUBJECTS)} the {dice.choice(_UNITS)} of group "
            f"{dice.randrange(999)} write to their office {dice.randrange(2, 90)} days before."
            for _ in range(LINES)
        ]
        for _ in range(pages)
    ]


def markdown(pages: Pages) -> bytes:
    return "\n\n".join(f"## Page {n}\n\n{' '.join(page)}" for n, page in enumerate(pages)).encode()


def html(pages: Pages) -> bytes:
    parts = [
        f"<h2>Page {n}</h2>" + "".join(f"<p>{escape(line)}</p>" for line in page)
        for n, page in enumerate(pages)
    ]
    return f"<html><body>{''.join(parts)}</body></html>".encode()


def epub(pages: Pages) -> bytes:
    first = range(0, len(pages), 10)
    chapters = {f"{n}.xhtml": html(pages[n : n + 10]) for n in first}
    items = "".join(
        f'<item id="c{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>' for n in first
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in first)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
        'full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/container.xml", container)
        archive.writestr("book.opf", package)
        for name, chapter in chapters.items():
            archive.writestr(name, chapter)
    return buffer.getvalue()


def docx(pages: Pages) -> bytes:
    from docx import Document

    document = Document()
    for number, page in enumerate(pages):
        document.add_heading(f"Page {number}", 2)
        for line in page:
            document.add_paragraph(line)
    return _saved(document.save)


def pptx(pages: Pages) -> bytes:
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    for page in pages:
        for first in range(0, LINES, 10):
            slide = deck.slides.add_slide(deck.slide_layouts[5])
            box = slide.shapes.add_textbox(0, 0, Inches(8), Inches(5))
            box.text_frame.text = "\n".join(page[first : first + 10])
    return _saved(deck.save)


def xlsx(pages: Pages) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in _rows(pages):
        book.worksheets[0].append(row)
    return _saved(book.save)


def comma_separated(pages: Pages) -> bytes:
    text = StringIO()
    csv.writer(text).writerows(_rows(pages))
    return text.getvalue().encode()


def pdf(pages: Pages) -> bytes:
    import pypdfium2
    import pypdfium2.raw as raw

    document = pypdfium2.PdfDocument.new()
    font = pypdfium2.PdfFont.load_standard(document, "Helvetica")
    for lines in pages:
        page = document.new_page(612, 792)
        for number, line in enumerate(lines):
            text = raw.FPDFPageObj_CreateTextObj(document, font, 10)
            raw.FPDFText_SetText(text, (ctypes.c_ushort * (len(line) + 1))(*map(ord, line)))
            raw.FPDFPageObj_Transform(text, 1, 0, 0, 1, 60, 740 - 16 * number)
            raw.FPDFPage_InsertObject(page, text)
        page.gen_content()
    return _saved(document.save)


def scanned_pdf(pages: Pages) -> bytes:
    import pypdfium2

    with pypdfium2.PdfDocument(pdf(pages)) as document:
        first, *others = [
            page.render(scale=_DPI / 72, grayscale=True).to_pil() for page in document
        ]
    return _saved(
        lambda buffer: first.save(
            buffer, "PDF", resolution=_DPI, save_all=True, append_images=others
        )
    )


MAKERS: Mapping[str, tuple[str, Callable[[Pages], bytes]]] = {
    "Markdown": (".md", markdown),
    "HTML": (".html", html),
    "EPUB": (".epub", epub),
    "DOCX": (".docx", docx),
    "PPTX": (".pptx", pptx),
    "XLSX": (".xlsx", xlsx),
    "CSV": (".csv", comma_separated),
    "PDF": (".pdf", pdf),
}
"""What people call a format, to its suffix and what makes a document of it."""


def _rows(pages: Pages) -> list[list[str]]:
    rows = [[line, str(number)] for number, page in enumerate(pages) for line in page]
    return [["Rule", "Page"], *rows]


def _saved(save: Callable[[BytesIO], object]) -> bytes:
    buffer = BytesIO()
    save(buffer)
    return buffer.getvalue()


PAGES_IN_DOCUMENT = 10
DOCUMENTS = 24
SCANS = 8
PROCESSES = (1, 2)


def parsing_table(pool: "ParserPool") -> Table:
    """Pages a second by each number of processes, and how many times as fast the most are."""
    from retrieval.parsing import is_read
    from retrieval.parsing.recognition import missing

    columns = ("pages", *(f"{n} process{'es' * (n > 1)}" for n in PROCESSES), "times as fast")
    rows = []
    pages = made_up(DOCUMENTS * PAGES_IN_DOCUMENT)
    documents = [
        pages[first : first + PAGES_IN_DOCUMENT]
        for first in range(0, len(pages), PAGES_IN_DOCUMENT)
    ]
    for name, (suffix, make) in MAKERS.items():
        if is_read(suffix := f"a{suffix}"):
            files = [(suffix, make(each)) for each in documents]
            rows.append([name, *_measured(pool, files, len(pages))])
    if not missing(pool.recognition):
        files = [("a.pdf", scanned_pdf([page])) for page in pages[:SCANS]]
        rows.append(["PDF, scanned", *_measured(pool, files, SCANS)])
    return table_of(("format", *columns), rows, "Reading documents: pages a second")


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
