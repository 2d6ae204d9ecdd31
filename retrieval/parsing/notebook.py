"""Notebooks (Jupyter) are read cell by cell, with what they printed and what tables they showed."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from retrieval.errors import UnreadableDocument
from retrieval.parsing import html, markdown
from retrieval.parsing.decoding import decode
from retrieval.parsing.draft import Composition
from retrieval.parsing.office import without_text
from retrieval.types import FragmentKind, ParsedDocument

_DAMAGED = "is damaged, or no notebook; open it in Jupyter and save it as .ipynb again"
_OLD = "is a notebook of before 2014; open it in Jupyter and save it as .ipynb again"
_FIRST_READ = 4
"""Of the format of notebooks (nbformat): before it cells stood in worksheets."""


def parse(content: bytes) -> ParsedDocument:
    """Raise `UnreadableDocument` for what is no notebook, or shows nothing."""
    try:
        notebook = json.loads(decode(content))
        if notebook["nbformat"] < _FIRST_READ:
            raise UnreadableDocument(_OLD)
        cells = list(notebook["cells"])
        read = Composition()
        for number, cell in enumerate(cells, start=1):
            _read(cell, number, read)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableDocument(_DAMAGED) from error
    if read.draft.is_empty:
        raise without_text(hidden=False)
    return read.document()


def _read(cell: Mapping[str, Any], number: int, to: Composition) -> None:
    label, text = f"cell {number}", _text(cell["source"])
    match cell["cell_type"]:
        case "markdown" if text.strip():
            to.add(_part(markdown.parse, text), number, label)
        case "code" if text.strip():
            to.add_text(FragmentKind.CODE, text, number, label)
            for output in cell.get("outputs") or ():
                _read_output(output, number, f"{label}, output", to)
        case "raw" if text.strip():
            to.add_text(FragmentKind.PARAGRAPH, text, number, label)


def _part(parse_part: Callable[[bytes], ParsedDocument], text: str) -> ParsedDocument:
    """A cell of a remark alone shows nothing, and is none to complain of."""
    try:
        return parse_part(text.encode())
    except UnreadableDocument:
        return ParsedDocument("", text, ())


def _read_output(output: Mapping[str, Any], number: int, label: str, to: Composition) -> None:
    """A table that it shows as a page is read as one, where that says anything."""
    data = output.get("data") or {}
    page = _text(data.get("text/html") or "")
    if "<table" in page and (shown := _part(html.parse, page)).fragments:
        to.add(shown, number, label)
    elif said := _text(output.get("text") or data.get("text/plain") or ""):
        to.add_text(FragmentKind.CODE, said, number, label)


def _text(lines: str | Sequence[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)
