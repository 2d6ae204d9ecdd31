"""What people read of Word's paragraphs: symbols, equations, notes, and what is drawn.

Equations read on one line, as people type them (ECMA-376, part 1, 22.1). Notes and what is drawn
are hung on the run that refers to them, so they are hidden with it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import takewhile

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement, parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.text.font import Font

from retrieval.language.sentences import names_picture, names_table
from retrieval.parsing.docx.formatting import StyleSheet, switched
from retrieval.parsing.docx.styles import Styles
from retrieval.parsing.drawn import Drawn, description, drawn_in
from retrieval.parsing.notes import LONGEST_TAIL, as_set, is_exponent
from retrieval.parsing.office import BROKEN, DRAWN, GRAPHIC, related

SYMBOL = qn("w:sym")
_PRIVATE = range(0xF000, 0xF100)
_SIGNS: Mapping[str, Mapping[int, str]] = {
    "symbol": {
        **dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)),
        **dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
        **dict(
            zip(b"\xa3\xa5\xac\xae\xb0\xb1\xb3\xb4\xb7\xb8\xb9\xbb", "≤∞←→°±≥×•÷≠≈", strict=True)
        ),
    },
    "wingdings": dict(zip(b"\x6f\xa8\xe0\xfb\xfc\xfd\xfe", "☐☐→✗✓☒☑", strict=True)),
}


def sign(symbol: BaseOxmlElement) -> str:
    """A place in a font as the sign that people see; empty where it only adorns or is not known."""
    code = symbol.get(qn("w:char"), "")
    try:
        place = int(code, 16)
    except ValueError:
        return ""
    if place in _PRIVATE:
        known = _SIGNS.get(symbol.get(qn("w:font"), "").casefold(), {})
        return known.get(place - _PRIVATE.start, "")
    return chr(place) if 0x20 <= place < 0xD800 else ""


_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
EQUATION, MATH_RUN, MATH_TEXT = (f"{_MATH}{name}" for name in ("oMath", "r", "t"))


def linear(equation: BaseOxmlElement) -> str:
    """An equation, or a part of one, on one line."""
    match _name(equation):
        case "t":
            return equation.text or ""
        case "f":
            return f"{_grouped(equation, 'num')}/{_grouped(equation, 'den')}"
        case "sSup" | "sSub" | "sSubSup":
            return _part(equation, "e") + _scripts(equation)
        case "rad":
            degree = _part(equation, "deg")
            return f"{f'[{degree}]' if degree else ''}√{_grouped(equation, 'e')}"
        case "nary":
            sign = _property(equation, "chr", "∫")
            return f"{sign}{_scripts(equation)} {_part(equation, 'e')}"
        case "d":
            first, last = (_property(equation, f"{end}Chr", sign) for end, sign in _BRACKETS)
            between = _property(equation, "sepChr", "|")
            return first + between.join(map(linear, equation.findall(f"{_MATH}e"))) + last
        case name if name.endswith("Pr"):
            return ""
        case _:
            return "".join(map(linear, equation.iterchildren(f"{_MATH}*")))


_BRACKETS = (("beg", "("), ("end", ")"))


def _name(element: BaseOxmlElement) -> str:
    return str(element.tag).rpartition("}")[2]


def _part(element: BaseOxmlElement, name: str) -> str:
    found = element.find(_MATH + name)
    return "" if found is None else linear(found)


def _grouped(element: BaseOxmlElement, name: str) -> str:
    """In brackets, unless it is one number or word."""
    text = _part(element, name)
    return text if text.replace(".", "").isalnum() else f"({text})"


def _scripts(element: BaseOxmlElement) -> str:
    written = {"sub": "_", "sup": "^"}
    return "".join(
        sign + _grouped(element, name) for name, sign in written.items() if _part(element, name)
    )


def _property(element: BaseOxmlElement, name: str, usual: str) -> str:
    found = element.find(f"{_MATH}{_name(element)}Pr/{_MATH}{name}")
    return usual if found is None else str(found.get(f"{_MATH}val", ""))


NOTES = (qn("w:footnote"), qn("w:endnote"))
_REFERENCES = (qn("w:footnoteReference"), qn("w:endnoteReference"))
_PARTS = (RELATIONSHIP_TYPE.FOOTNOTES, RELATIONSHIP_TYPE.ENDNOTES)


def hang_notes(document: Document) -> None:
    """Move each note into the run of the first reference to it."""
    references = list(document.element.body.iter(*_REFERENCES))
    held = {
        (reference, note.get(qn("w:id"))): note
        for reference, part, tag in zip(_REFERENCES, _PARTS, NOTES, strict=True)
        if (root := related(document.part, part, parse_xml)) is not None
        for note in root.findall(tag)
    }
    for reference in references:
        note = held.pop((reference.tag, reference.get(qn("w:id"))), None)
        if note is not None:
            reference.addnext(note)


_BOX = qn("w:txbxContent")
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
NOT_READ = frozenset({qn("w:del"), qn("w:moveFrom"), _FALLBACK})
NOT_SHOWN = NOT_READ | {qn("w:pPr"), qn("w:rPr"), _BOX, *NOTES}
"""Deleted text, properties, and text boxes and notes, which stand beside the paragraph."""
_CHARACTERS = {
    qn("w:tab"): "\t",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
    qn("w:noBreakHyphen"): "-",
    qn("w:ptab"): "\t",
}
TEXT = qn("w:t")
_TAKEN_OUT = (qn("w:del"), qn("w:moveFrom"))


def words(element: BaseOxmlElement) -> str:
    """What is read of a paragraph or a run: python-docx leaves insertions out."""
    return "".join(_pieces(element))


def _pieces(element: BaseOxmlElement) -> Iterator[str]:
    for child in element.iterchildren():
        if child.tag in NOT_SHOWN:
            continue
        if child.tag == TEXT:
            yield child.text or ""
        elif child.tag in _CHARACTERS:
            yield _CHARACTERS[child.tag]
        elif child.tag == SYMBOL:
            yield sign(child)
        elif child.tag == EQUATION:
            yield linear(child)
        else:
            yield from _pieces(child)


def runs(element: BaseOxmlElement) -> Iterator[BaseOxmlElement]:
    """Those of a paragraph that are shown in it, in links and insertions as well."""
    for child in element.iterchildren():
        if child.tag == qn("w:r"):
            yield child
        elif child.tag not in NOT_SHOWN:
            yield from runs(child)


def _held(
    root: BaseOxmlElement, names: Iterable[str], apart: Collection[str]
) -> Iterator[BaseOxmlElement]:
    """Elements of some names in another, but for those within what is read apart."""
    for each in root.iter(*names):
        above = takewhile(lambda element: element is not root, each.iterancestors())
        if not any(element.tag in apart for element in above):
            yield each


def asides(paragraph: BaseOxmlElement) -> Iterator[BaseOxmlElement]:
    """The text boxes and notes that hang on a paragraph, each once."""
    return _held(paragraph, (_BOX, *NOTES), NOT_SHOWN)


def notes(cells: BaseOxmlElement) -> Iterator[BaseOxmlElement]:
    """Those on what stands in a row or a cell."""
    return _held(cells, NOTES, NOT_READ)


def has_mark(paragraph: BaseOxmlElement) -> bool:
    """Whether its end is shown, neither deleted nor hidden: an empty item still has a number."""
    mark = paragraph.find(f"{qn('w:pPr')}/{qn('w:rPr')}")
    if mark is None:
        return True
    is_hidden = switched(mark, "w:vanish")
    return not is_hidden and not any(mark.find(tag) is not None for tag in _TAKEN_OUT)


def paragraphs_of(cells: BaseOxmlElement) -> Iterator[BaseOxmlElement]:
    """Those in a row or a cell, but for text boxes and notes."""
    return _held(cells, (qn("w:p"),), (_BOX, *NOTES))


def is_bold(paragraph: BaseOxmlElement, styles: Styles) -> bool:
    stated = [Font(run).bold for run in runs(paragraph) if words(run).strip()]
    by_style = styles.of(paragraph).bold
    return bool(stated) and all(by_style if own is None else own for own in stated)


def cell_text(cell: BaseOxmlElement) -> str:
    """What is read in it, in its tables and text boxes too."""
    held = _held(cell, (qn("w:p"),), (*NOT_READ, *NOTES))
    return " ".join(" ".join(map(words, held)).split())


_MONOSPACED = re.compile(
    r"\b(?:mono|code|consol\w*|courier\w*|typewriter|fixedsys|menlo|monaco|inconsolata|terminal)\b"
    r"|mono(?:space\w*)?$",
    re.IGNORECASE,
)
_HOW: Mapping[str | None, str] = {"superscript": "super", "subscript": "sub"}


def set_apart(document: Document, sheet: StyleSheet) -> frozenset[BaseOxmlElement]:
    """Paragraphs of program text, by a font that most of the document is not in."""
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


DESCRIPTION = "description"
"""The attribute of a box that says what a picture shows, for who does not see it."""
OF_CHART = "chart"
"""The attribute of a table that is the values of a chart, and none that people see."""
_OLD_IMAGE = "{urn:schemas-microsoft-com:vml}imagedata"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"


def hang_drawn(document: Document) -> None:
    """Put into boxes what charts, diagrams (SmartArt) and descriptions of pictures say."""
    for drawing in list(document.element.body.iter(f"{DRAWING}anchor", f"{DRAWING}inline")):
        graphics = list(drawing.iter(GRAPHIC))
        if not graphics:
            continue
        with suppress(*BROKEN):  # it draws nothing
            if drawn := drawn_in(graphics, document.part.related_parts.__getitem__):
                graphics[0].append(_box(*_texts(drawn)))
        for properties in drawing.iterchildren(f"{DRAWING}docPr"):
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
        table = _made("w:tbl", OxmlElement("w:tblPr"), OxmlElement("w:tblGrid"), names, *rows)
        table.set(OF_CHART, "true")
        yield table
    yield from map(_paragraph, drawn.points)


def _box(*texts: BaseOxmlElement) -> BaseOxmlElement:
    return _made("w:txbxContent", *texts)


def _row(cells: Iterable[str]) -> BaseOxmlElement:
    return _made("w:tr", *(_made("w:tc", _paragraph(each)) for each in cells))


def _paragraph(text: str) -> BaseOxmlElement:
    written = OxmlElement("w:t")
    written.text = text
    return _made("w:p", _made("w:r", written))


def _made(name: str, *within: BaseOxmlElement) -> BaseOxmlElement:
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
    beside = (each for each in (before, after) if each is not None and each.tag == qn("w:p"))
    return any(not words(each).strip() and _holds_picture(each) for each in beside)


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
