"""What people read of a paragraph's XML, and what its style says it is."""

import re
from collections.abc import Iterator

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.styles.style import CharacterStyle
from docx.text.paragraph import Paragraph

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
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_LIST_STYLE = re.compile(r"list (?:bullet|number|paragraph)", re.IGNORECASE)


def words(paragraph: Paragraph) -> str:
    """The text with insertions and without deletions."""
    return "".join(_pieces(paragraph._p))  # noqa: SLF001  # python-docx leaves insertions out


def _pieces(element: BaseOxmlElement) -> Iterator[str]:
    for child in element.iterchildren():
        if child.tag in _NOT_SHOWN:
            continue
        if child.tag == qn("w:t"):
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


def heading_level(paragraph: Paragraph) -> int:
    """1 to 9 for a heading, by its style, what that is based on, or its outline; else 0."""
    for style in _lineage(paragraph.style):
        if found := _HEADING.fullmatch(style.name or ""):
            return int(found[1])
    properties = [paragraph._p.pPr, *(s.element.pPr for s in _lineage(paragraph.style))]  # noqa: SLF001
    for held in properties:
        outline = None if held is None else held.find(qn("w:outlineLvl"))
        if outline is not None:
            level = int(outline.get(qn("w:val"), "9")) + 1
            return level if level <= 9 else 0
    return 0


def is_title(paragraph: Paragraph) -> bool:
    return any(style.name == "Title" for style in _lineage(paragraph.style))


def is_contents(paragraph: Paragraph) -> bool:
    """Whether it is a line of the table of contents: it repeats a heading."""
    return any((s.name or "").lower().startswith("toc ") for s in _lineage(paragraph.style)[:1])


def is_list_item(paragraph: Paragraph) -> bool:
    """Whether it has a bullet or a number; number 0 takes away what its style gives."""
    lineage = _lineage(paragraph.style)
    for properties in (paragraph._p.pPr, *(style.element.pPr for style in lineage)):  # noqa: SLF001
        numbering = None if properties is None else properties.numPr
        if numbering is not None and numbering.numId is not None:
            return bool(numbering.numId.val)
    return any(_LIST_STYLE.match(style.name or "") for style in lineage[:1])


def is_bold(paragraph: Paragraph) -> bool:
    """Whether all that it shows is bold."""
    runs = [run for run in paragraph.runs if run.text.strip()]
    styles = [style.font.bold for style in _lineage(paragraph.style)]
    return bool(runs) and all(
        run.bold or (run.bold is None and next((b for b in styles if b is not None), False))
        for run in runs
    )


def _lineage(style: CharacterStyle | None) -> list[CharacterStyle]:
    """A style and those it is based on, nearest first."""
    found: list[CharacterStyle] = []
    while style is not None and style not in found:
        found.append(style)
        style = style.base_style
    return found
