"""What the fonts of a Word document tell: program text, and digits set above or below the line."""

import re
from collections.abc import Mapping

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.docx.formatting import StyleSheet
from retrieval.parsing.docx.text import TEXT, runs, words
from retrieval.parsing.notes import LONGEST_TAIL, as_set, is_exponent

_MONOSPACED = re.compile(
    r"\b(?:mono|code|consol\w*|courier\w*|typewriter|fixedsys|menlo|monaco|inconsolata|terminal)\b"
    r"|mono(?:space\w*)?$",
    re.IGNORECASE,
)
_HOW: Mapping[str | None, str] = {"superscript": "super", "subscript": "sub"}


def set_apart(document: Document, sheet: StyleSheet) -> frozenset[BaseOxmlElement]:
    """Paragraphs of program text, told by a font that nothing else in the document has.

    The font of most of a document tells nothing: some people write all they write in Courier.
    """
    paragraphs = list(document.element.body.iter(qn("w:p")))
    found = frozenset(each for each in paragraphs if _is_monospaced(each, sheet))
    is_usual = bool(found) and 2 * sum(map(_length, found)) > sum(map(_length, paragraphs))
    return frozenset() if is_usual else found


def _length(element: BaseOxmlElement) -> int:
    return len(words(element).strip())


def _is_monospaced(paragraph: BaseOxmlElement, sheet: StyleSheet) -> bool:
    """Whether it shows text, and all of it in such a font."""
    style = sheet.paragraph_style(paragraph)
    properties = (run.find(qn("w:rPr")) for run in runs(paragraph) if _length(run))
    judged = (_MONOSPACED.search(sheet.of_run(each, style).font or "") for each in properties)
    return bool(next(judged, None)) and all(judged)


def write_raised(document: Document, sheet: StyleSheet) -> None:
    """Write digits as such, in the document, that are set above or below the line."""
    for paragraph in document.element.body.iter(qn("w:p")):
        style = sheet.paragraph_style(paragraph)
        in_cell = next(paragraph.iterancestors(qn("w:tc")), None) is not None
        tail = ""
        for run in runs(paragraph):
            text = words(run)
            if is_exponent(text):
                looks = sheet.of_run(run.find(qn("w:rPr")), style)
                how = _HOW.get(looks.set_as, "")
                _write(run, as_set(how, text, tail, in_cell=in_cell))
            tail = f"{tail}{text}"[-LONGEST_TAIL:]


def _write(run: BaseOxmlElement, text: str) -> None:
    """Where it holds nothing but text."""
    held = list(run.iterchildren(TEXT))
    if len("".join(each.text or "" for each in held)) == len(text):
        for each in held:
            each.text, text = text, ""
