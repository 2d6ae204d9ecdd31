"""Word documents for tests, written with python-docx."""

from collections.abc import Sequence
from io import BytesIO

from docx.document import Document
from docx.oxml.ns import nsdecls
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.table import Table, _Cell

from retrieval.parsing.docx.parser import parse
from retrieval.types import ParsedDocument


def saved(made: Document) -> bytes:
    buffer = BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def parsed(made: Document) -> ParsedDocument:
    return parse(saved(made))


def add_table(within: Document | _Cell, *rows: Sequence[str]) -> Table:
    table = within.add_table(len(rows), len(rows[0]))
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    return table


def xml(written: str) -> BaseOxmlElement:
    """An element, in which `w`, `a`, `m`, `r` and `wp` are known, to be put anywhere."""
    spaces = nsdecls("w", "a", "m", "r", "wp")
    element: BaseOxmlElement = parse_xml(f"<w:body {spaces}>{written}</w:body>")[0]
    return element
