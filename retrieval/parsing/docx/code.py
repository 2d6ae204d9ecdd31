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
        lengths = {each: len("".join(pieces(each)).strip()) for each in paragraphs}
        found = frozenset(
            each for each in paragraphs if lengths[each] and _is_monospaced(each, sheet)
        )
        is_usual = 2 * sum(map(lengths.__getitem__, found)) > sum(lengths.values())
        return frozenset() if is_usual else found


def _is_monospaced(paragraph: BaseOxmlElement, sheet: StyleSheet) -> bool:
    style = sheet.paragraph_style(paragraph)
    shown = (run for run in runs(paragraph) if "".join(pieces(run)).strip())
    properties = (run.find(qn("w:rPr")) for run in shown)
    return all(is_monospaced(_font(each, style, sheet)) for each in properties)


def _font(
    properties: BaseOxmlElement | None, paragraph_style: str, sheet: StyleSheet
) -> str | None:
    own = looks_of(properties, sheet.theme)
    return sheet.styled(own, style_of(properties, "w:rStyle"), paragraph_style).font
