"""Comments on cells: asides among those who write a workbook, listed and not read."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from openpyxl.packaging.relationship import get_dependents, get_rels_path
from openpyxl.xml.functions import fromstring

from retrieval.cells import CellRange
from retrieval.parsing.hiding import Way
from retrieval.types import HiddenText

_KINDS = ("/comments", "/threadedComment")
"""How the types of relations to them end."""


def notes_on(archive: ZipFile, part: str, label: str) -> Iterator[HiddenText]:
    """Those on the cells of a sheet, which stands in a part of the archive."""
    names = set(archive.namelist())
    relations = get_rels_path(part)
    if relations not in names:
        return
    for related in get_dependents(archive, relations):
        within = related.TargetMode != "External" and related.target in names
        if within and related.Type.endswith(_KINDS):
            yield from _notes(fromstring(archive.read(related.target)), label)


def _notes(root: Element, label: str) -> Iterator[HiddenText]:
    for element in root.iter():
        if not isinstance(element.tag, str) or _name(element) not in ("comment", "threadedComment"):
            continue
        texts = (each.text or "" for each in element.iter() if _name(each) in ("t", "text"))
        if said := " ".join("".join(texts).split()):
            yield HiddenText(said, Way.COMMENT.value, f"{label}, {_where(element)}")


def _where(element: Element) -> str:
    try:
        return f"cell {CellRange.of(element.get('ref', ''))}"
    except ValueError:
        return "a cell"


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]
