"""Footnotes and endnotes stand in parts of their own; each is hung on the run that refers to it.

So a note goes with its reference: it is read behind the paragraph, and not where that is hidden.
"""

from collections.abc import Iterator

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement

NOTES = (qn("w:footnote"), qn("w:endnote"))
_REFERENCES = (qn("w:footnoteReference"), qn("w:endnoteReference"))
_PARTS = (RELATIONSHIP_TYPE.FOOTNOTES, RELATIONSHIP_TYPE.ENDNOTES)


def hang_notes(document: Document) -> None:
    """Move each note into the run of the first reference to it."""
    references = list(document.element.body.iter(*_REFERENCES))
    held = {
        (reference, note.get(qn("w:id"))): note
        for reference, part, tag in zip(_REFERENCES, _PARTS, NOTES, strict=True)
        for note in _notes(document, part, tag)
    }
    for reference in references:
        note = held.pop((reference.tag, reference.get(qn("w:id"))), None)
        if note is not None:
            reference.addnext(note)


def _notes(document: Document, part: str, tag: str) -> Iterator[BaseOxmlElement]:
    try:
        root = parse_xml(document.part.part_related_by(part).blob)
    except (KeyError, ValueError, SyntaxError):
        return
    yield from root.findall(tag)
