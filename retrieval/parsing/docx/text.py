"""People read so much of a paragraph's XML."""

from collections.abc import Iterator
from itertools import takewhile

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.table import Table
from docx.text.paragraph import Paragraph

from retrieval.parsing.docx.equations import EQUATION, linear
from retrieval.parsing.docx.notes import NOTES
from retrieval.parsing.docx.styles import Styles
from retrieval.parsing.docx.symbols import SYMBOL, sign

_BOX = qn("w:txbxContent")
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_NOT_READ = frozenset({qn("w:del"), qn("w:moveFrom"), _FALLBACK})
NOT_SHOWN = _NOT_READ | {qn("w:pPr"), qn("w:rPr"), _BOX, *NOTES}
"""Deleted text, properties, and text boxes and notes, which stand beside the paragraph."""
_CHARACTERS = {
    qn("w:tab"): "\t",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "-",
    qn("w:ptab"): "\t",
}
_TEXT = qn("w:t")
_TAKEN_OUT = (qn("w:del"), qn("w:moveFrom"))
_OFF = ("0", "false", "off")


def words(paragraph: Paragraph) -> str:
    """The text with insertions and without deletions."""
    return "".join(pieces(paragraph._p))  # noqa: SLF001  # python-docx leaves insertions out


def pieces(element: BaseOxmlElement) -> Iterator[str]:
    """What is read of a paragraph or a run."""
    for child in element.iterchildren():
        if child.tag in NOT_SHOWN:
            continue
        if child.tag == _TEXT:
            yield child.text or ""
        elif child.tag in _CHARACTERS:
            yield _CHARACTERS[child.tag]
        elif child.tag == SYMBOL:
            yield sign(child)
        elif child.tag == EQUATION:
            yield linear(child)
        else:
            yield from pieces(child)


def runs(element: BaseOxmlElement) -> Iterator[BaseOxmlElement]:
    """Those of a paragraph that are shown in it, in links and insertions as well."""
    for child in element.iterchildren():
        if child.tag == qn("w:r"):
            yield child
        elif child.tag not in NOT_SHOWN:
            yield from runs(child)


def asides(paragraph: BaseOxmlElement) -> Iterator[BaseOxmlElement]:
    """The text boxes and notes that hang on a paragraph, each once."""
    for aside in paragraph.iter(_BOX, *NOTES):
        above = takewhile(lambda each: each is not paragraph, aside.iterancestors())
        if not any(each.tag in NOT_SHOWN for each in above):
            yield aside


def notes(table: Table) -> Iterator[BaseOxmlElement]:
    """Those on what stands in the cells of a table."""
    for note in table._tbl.iter(*NOTES):  # noqa: SLF001
        if not any(above.tag in _NOT_READ or is_deleted(above) for above in note.iterancestors()):
            yield note


def paragraphs_in(cell: BaseOxmlElement) -> Iterator[BaseOxmlElement]:
    """Those that are read in a cell, in its tables and text boxes too."""
    apart = _NOT_READ.union(NOTES)
    for paragraph in cell.iter(qn("w:p")):
        above = takewhile(lambda each: each is not cell, paragraph.iterancestors())
        if not any(each.tag in apart for each in above):
            yield paragraph


def has_mark(paragraph: Paragraph) -> bool:
    """Whether its end is shown, neither deleted nor hidden: an empty item still has a number."""
    mark = paragraph._p.find(f"{qn('w:pPr')}/{qn('w:rPr')}")  # noqa: SLF001
    if mark is None:
        return True
    vanish = mark.find(qn("w:vanish"))
    is_hidden = vanish is not None and vanish.get(qn("w:val"), "1") not in _OFF
    return not is_hidden and not any(mark.find(tag) is not None for tag in _TAKEN_OUT)


def is_deleted(row: BaseOxmlElement) -> bool:
    properties = row.find(qn("w:trPr"))
    return properties is not None and properties.find(qn("w:del")) is not None


def paragraphs_of(table: Table) -> Iterator[Paragraph]:
    """Those in its cells, but for deleted rows, text boxes and notes."""
    for element in table._tbl.iter(qn("w:p")):  # noqa: SLF001
        above = takewhile(lambda each: each is not table._tbl, element.iterancestors())  # noqa: SLF001
        if not any(each.tag in (_BOX, *NOTES) or is_deleted(each) for each in above):
            yield Paragraph(element, table)


def is_bold(paragraph: Paragraph, styles: Styles) -> bool:
    """Whether all that it shows is bold."""
    runs = [run for run in paragraph.runs if run.text.strip()]
    by_style = styles.of(paragraph).bold
    return bool(runs) and all(run.bold or (run.bold is None and by_style) for run in runs)
