"""Which paragraphs of a Word document are program text, by their font alone."""

import re

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.docx.formatting import StyleSheet
from retrieval.parsing.docx.text import runs, words

_MONOSPACED = re.compile(
    r"\b(?:mono|code|consol\w*|courier\w*|typewriter|fixedsys|menlo|monaco|inconsolata|terminal)\b"
    r"|mono(?:space\w*)?$",
    re.IGNORECASE,
)


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
