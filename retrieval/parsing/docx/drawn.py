"""What is drawn in a Word document and says something stands as text in a box where it is drawn.

So it is read, and hidden, as the text boxes of the document are. A picture says what it shows in
its caption, too.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.language.sentences import names_picture, names_table
from retrieval.parsing.docx.text import NOT_SHOWN, words
from retrieval.parsing.drawn import Drawn, description, drawn_in
from retrieval.parsing.office import BROKEN, DRAWN, GRAPHIC

DESCRIPTION = "description"
"""The attribute of a box that says what a picture shows, for who does not see it."""
OF_CHART = "chart"
"""The attribute of a table that is the values of a chart, and none that people see."""
_OLD_IMAGE = "{urn:schemas-microsoft-com:vml}imagedata"
_DRAWN = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"


def hang_drawn(document: Document) -> None:
    """Put into boxes what charts, diagrams (SmartArt) and descriptions of pictures say."""
    for drawing in list(document.element.body.iter(f"{_DRAWN}anchor", f"{_DRAWN}inline")):
        graphics = list(drawing.iter(GRAPHIC))
        if not graphics:
            continue
        with suppress(*BROKEN):  # it draws nothing
            if drawn := drawn_in(graphics, document.part.related_parts.__getitem__):
                graphics[0].append(_box(*_texts(drawn)))
        for properties in drawing.iterchildren(f"{_DRAWN}docPr"):
            if described := description(properties.get("descr")):
                box = _box(_paragraph(described))
                box.set(DESCRIPTION, "true")
                graphics[0].append(box)


def _texts(drawn: Drawn) -> Iterator[BaseOxmlElement]:
    if drawn.title:
        yield _paragraph(drawn.title)
    if drawn.rows:
        names = _row(drawn.names)
        names.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        rows = (_row(cell.text for cell in row) for row in drawn.rows)
        table = _held("w:tbl", OxmlElement("w:tblPr"), OxmlElement("w:tblGrid"), names, *rows)
        table.set(OF_CHART, "true")
        yield table
    yield from map(_paragraph, drawn.points)


def _box(*texts: BaseOxmlElement) -> BaseOxmlElement:
    return _held("w:txbxContent", *texts)


def _row(cells: Iterable[str]) -> BaseOxmlElement:
    return _held("w:tr", *(_held("w:tc", _paragraph(each)) for each in cells))


def _paragraph(text: str) -> BaseOxmlElement:
    written = OxmlElement("w:t")
    written.text = text
    return _held("w:p", _held("w:r", written))


def _held(name: str, *within: BaseOxmlElement) -> BaseOxmlElement:
    element = OxmlElement(name)
    element.extend(within)
    return element


def is_of_picture(caption: BaseOxmlElement) -> bool:
    """Whether a paragraph that is a caption has a picture in it or right beside it."""
    text = words(caption).strip()
    if names_table(text):
        return False
    if _holds_picture(caption):
        return True
    before, after = caption.getprevious(), caption.getnext()
    if after is not None and after.tag == qn("w:tbl") and not names_picture(text):
        return False
    return any(each is not None and _is_picture(each) for each in (before, after))


def _is_picture(element: BaseOxmlElement) -> bool:
    is_paragraph = element.tag == qn("w:p")
    return is_paragraph and not words(element).strip() and _holds_picture(element)


def _holds_picture(paragraph: BaseOxmlElement) -> bool:
    """Text that was deleted, and what old programs read in place of something, are passed over."""
    for child in paragraph.iterchildren():
        if child.tag in NOT_SHOWN:
            continue
        if child.tag == _OLD_IMAGE or (child.tag == GRAPHIC and child.get("uri") in DRAWN):
            return True
        if _holds_picture(child):
            return True
    return False
