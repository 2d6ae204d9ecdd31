"""Program text in a Word document is told by its style, or by a font that nothing else there has.

The font of most of a document tells nothing: some people write all they write in Courier.
"""

from functools import cached_property

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.text.paragraph import Paragraph

from retrieval.parsing.docx.looks import StyleSheet, looks_of, style_of
from retrieval.parsing.docx.styles import Styles
from retrieval.parsing.docx.text import pieces, runs
from retrieval.parsing.monospaced import is_monospaced


class CodeLook:
    """It looks at the paragraphs of one document; ask it once what is hidden has gone."""

    def __init__(self, document: Document, styles: Styles) -> None:
        self._document = document
        self._styles = styles

    def is_code(self, paragraph: Paragraph) -> bool:
        """Whether its style says so, or a font of equally wide letters throughout."""
        return self._styles.of(paragraph).is_code or paragraph._p in self._set_apart  # noqa: SLF001

    @cached_property
    def _set_apart(self) -> frozenset[BaseOxmlElement]:
        """Paragraphs whose font sets them apart from the others."""
        sheet = StyleSheet(self._document)
        paragraphs = list(self._document.element.body.iter(qn("w:p")))
        found = frozenset(each for each in paragraphs if _is_monospaced(each, sheet))
        is_usual = bool(found) and 2 * sum(map(_length, found)) > sum(map(_length, paragraphs))
        return frozenset() if is_usual else found


def _length(element: BaseOxmlElement) -> int:
    return len("".join(pieces(element)).strip())


def _is_monospaced(paragraph: BaseOxmlElement, sheet: StyleSheet) -> bool:
    """Whether it shows text, and all of it in such a font."""
    style = sheet.paragraph_style(paragraph)
    properties = (run.find(qn("w:rPr")) for run in runs(paragraph) if _length(run))
    judged = (is_monospaced(_font(each, style, sheet)) for each in properties)
    return next(judged, False) and all(judged)


def _font(
    properties: BaseOxmlElement | None, paragraph_style: str, sheet: StyleSheet
) -> str | None:
    own = looks_of(properties, sheet.theme)
    return sheet.styled(own, style_of(properties, "w:rStyle"), paragraph_style).font
