"""People read so much of a paragraph's XML."""

from collections.abc import Iterator

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.text.paragraph import Paragraph

from retrieval.parsing.docx.styles import Styles

_NOT_SHOWN = frozenset(
    {qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:rPr"), qn("w:txbxContent")}
    | {"{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"}
)
"""Deleted text, properties, and text boxes, which stand beside the paragraph."""
_CHARACTERS = {
    qn("w:tab"): "\t",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "-",
    qn("w:ptab"): "\t",
}
_TEXT = qn("w:t")


def words(paragraph: Paragraph) -> str:
    """The text with insertions and without deletions."""
    return "".join(_pieces(paragraph._p))  # noqa: SLF001  # python-docx leaves insertions out


def _pieces(element: BaseOxmlElement) -> Iterator[str]:
    for child in element.iterchildren():
        if child.tag in _NOT_SHOWN:
            continue
        if child.tag == _TEXT:
            yield child.text or ""
        elif child.tag in _CHARACTERS:
            yield _CHARACTERS[child.tag]
        else:
            yield from _pieces(child)


def text_boxes(paragraph: Paragraph) -> Iterator[BaseOxmlElement]:
    """The text boxes that hang on a paragraph, each once."""
    for box in paragraph._p.iter(qn("w:txbxContent")):  # noqa: SLF001
        if not any(above.tag in _NOT_SHOWN for above in box.iterancestors()):
            yield box


def is_bold(paragraph: Paragraph, styles: Styles) -> bool:
    """Whether all that it shows is bold."""
    runs = [run for run in paragraph.runs if run.text.strip()]
    by_style = styles.of(paragraph).bold
    return bool(runs) and all(run.bold or (run.bold is None and by_style) for run in runs)
