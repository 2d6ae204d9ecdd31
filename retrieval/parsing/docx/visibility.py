"""What people do not see of a Word document is taken out of it, before it is read.

Not looked at is text that a picture covers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from docx.document import Document
from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.docx import equations
from retrieval.parsing.docx.looks import Looks, Shade, StyleSheet, looks_of, shade_of, style_of
from retrieval.parsing.docx.notes import NOTES
from retrieval.parsing.docx.places import Places, Verdict
from retrieval.parsing.docx.symbols import SYMBOL, sign
from retrieval.parsing.hiding import SMALLEST_TYPE, WHITE, Way, cannot_be_told
from retrieval.types import HiddenText

_SMALLEST_SIZE = int(SMALLEST_TYPE * 2)
"""Half points."""
_LEAST_APART = -4
"""Twips between letters, for each half point of their size: nearer ones lie over each other."""
_USUAL_SIZE = 20
_NARROWEST = 5
"""Percent of the usual width of a character."""
_PARAGRAPH, _ROW, _CELL = (qn(name) for name in ("w:p", "w:tr", "w:tc"))
_RUNS, _TEXTS = (qn("w:r"), equations.RUN), (qn("w:t"), equations.TEXT, SYMBOL)
_MARKUP = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_WORD_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_BEHIND_TEXT = f".//{_WORD_DRAWING}anchor[@behindDoc='1']/{_WORD_DRAWING}wrapNone"
"""A drawing that text runs across; LibreOffice says of others as well that they are behind it."""
_SHAPE = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_MAIN = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_NOT_READ = frozenset({qn("w:del"), qn("w:moveFrom"), f"{_MARKUP}Fallback"})
_UNKNOWN = Shade(None)


@dataclass(frozen=True, slots=True)
class _Hidden:
    run: BaseOxmlElement
    way: Way
    left_out: bool
    paragraph: int


def take_out_hidden(document: Document) -> tuple[HiddenText, ...]:
    """Remove hidden runs and rows; return what they said, and what may be hidden."""
    found = list(_Eye(document).hidden())
    pieces = [
        HiddenText(text, way.value, f"paragraph {paragraph}", left_out)
        for (way, left_out, paragraph), group in groupby(
            found, key=lambda each: (each.way, each.left_out, each.paragraph)
        )
        if (text := " ".join("".join(_said(each) for each in group).split()))
    ]
    for each in found:
        if each.left_out:
            _remove(each)
    return tuple(pieces)


_WITH_ALL = (Way.MARKED, Way.AWAY, Way.CUT_AWAY)
"""Ways in which what hangs on a run is hidden with it."""


def _said(hidden: _Hidden) -> str:
    return _text(hidden.run, own=hidden.way not in _WITH_ALL)


def _text(run: BaseOxmlElement, *, own: bool = False) -> str:
    """`own`: without that of the text boxes that hang on it."""
    texts = run.iterchildren(*_TEXTS) if own else run.iter(*_TEXTS)
    return "".join(sign(text) if text.tag == SYMBOL else text.text or "" for text in texts)


def _remove(hidden: _Hidden) -> None:
    """What is marked as hidden takes what hangs on it along."""
    if hidden.way in _WITH_ALL:
        hidden.run.getparent().remove(hidden.run)
        return
    for text in list(hidden.run.iterchildren(*_TEXTS)):
        hidden.run.remove(text)


class _Eye:
    """It looks at all runs of a document, once."""

    def __init__(self, document: Document) -> None:
        self._body = document.element.body
        self._styles = StyleSheet(document)
        # Of paragraphs and rows that may hold tens of thousands of runs, each is asked once.
        self._grounds: dict[BaseOxmlElement, Shade] = {}
        self._names: dict[BaseOxmlElement, str] = {}
        self._hiding: dict[BaseOxmlElement, Verdict | None] = {}
        self._places = Places.of(document)
        is_plain = self._is_on_white(document) and self._body.find(_BEHIND_TEXT) is None
        self._page = Shade(WHITE) if is_plain else _UNKNOWN

    def _is_on_white(self, document: Document) -> bool:
        """Whether pages are white; another background is not shown everywhere."""
        background = document.element.find(qn("w:background"))
        return background is None or (
            set(background.attrib.values()) == {"FFFFFF"} and not len(background)
        )

    def hidden(self) -> Iterator[_Hidden]:
        paragraph = 0
        for child in self._body:
            paragraph += child.tag == _PARAGRAPH
            for run in child.iter(*_RUNS):
                above = list(run.iterancestors())
                if _text(run).strip() and not any(each.tag in _NOT_READ for each in above):
                    verdict = self._verdict(run, above)
                    if verdict is not None:
                        yield _Hidden(run, *verdict, max(1, paragraph))

    def _verdict(self, run: BaseOxmlElement, above: list[BaseOxmlElement]) -> Verdict | None:
        """How a run is hidden, and whether it is left out."""
        paragraph = next((each for each in above if each.tag == _PARAGRAPH), None)
        if paragraph is None:
            return None
        own = looks_of(run.find(qn("w:rPr")), self._styles.theme)
        styled = self._styled(run, paragraph, own)
        if styled.vanishes:
            return Way.MARKED, True
        found = [each for each in map(self._hides, above) if each is not None]
        if found:  # by one that hides for sure, where there is one
            return max(found, key=lambda each: each[1])
        return self._of_looks(styled, paragraph) if _text(run, own=True).strip() else None

    def _of_looks(self, styled: Looks, paragraph: BaseOxmlElement) -> Verdict | None:
        if styled.is_struck or styled.is_struck_twice:
            return Way.STRUCK, True
        if styled.is_clear:
            return Way.TRANSPARENT, True
        if _at_most(styled.size, _SMALLEST_SIZE) or _at_most(styled.width, _NARROWEST):
            return Way.TINY, True
        if _at_most(styled.apart, _LEAST_APART * (styled.size or _USUAL_SIZE)):
            return Way.TINY, True
        if self._places.is_moved_away(styled.raised):
            return Way.AWAY, True
        if styled.colour is None:
            return None
        ground = styled.shade or self._ground(paragraph)
        behind = WHITE if ground.rgb is None else ground.rgb
        return (
            (Way.COLOUR, ground.rgb is not None) if cannot_be_told(styled.colour, behind) else None
        )

    def _styled(self, run: BaseOxmlElement, paragraph: BaseOxmlElement, own: Looks) -> Looks:
        """All that is stated for a run."""
        run_style = style_of(run.find(qn("w:rPr")), "w:rStyle")
        return self._styles.styled(own, run_style, self._name(paragraph))

    def _name(self, paragraph: BaseOxmlElement) -> str:
        """Of its style."""
        if paragraph not in self._names:
            self._names[paragraph] = self._styles.paragraph_style(paragraph)
        return self._names[paragraph]

    def _hides(self, element: BaseOxmlElement) -> Verdict | None:
        """How an element hides what stands in it."""
        if element not in self._hiding:
            verdict = (Way.MARKED, True) if _is_marked(element) else self._places.verdict(element)
            if verdict is None and element.tag == _PARAGRAPH:
                lineage = self._styles.paragraph_properties(self._name(element))
                verdict = next(filter(None, map(self._places.of_paragraph, lineage)), None)
            self._hiding[element] = verdict
        return self._hiding[element]

    def _ground(self, element: BaseOxmlElement) -> Shade:
        """What is behind a paragraph, a cell or what holds them."""
        if element not in self._grounds:
            painted = self._painted(element)
            above = element.getparent()
            if painted is None:
                is_page = above is None or element is self._body
                painted = self._page if is_page else self._ground(above)
            self._grounds[element] = painted
        return self._grounds[element]

    def _painted(self, element: BaseOxmlElement) -> Shade | None:
        theme = self._styles.theme
        if element.tag == _PARAGRAPH:
            own = shade_of(element.find(qn("w:pPr")), theme)
            return own or self._styles.paragraph_shade(self._name(element))
        if element.tag == _CELL:
            return shade_of(element.find(qn("w:tcPr")), theme)
        if element.tag == qn("w:tbl"):
            properties = element.find(qn("w:tblPr"))
            if self._styles.shades_tables(style_of(properties, "w:tblStyle")):
                return _UNKNOWN
            return shade_of(properties, theme)
        if element.tag in NOTES:
            return self._page
        return _fill_of(element) if element.tag == qn("w:txbxContent") else None


def _at_most(value: int | None, limit: int) -> bool:
    return value is not None and value <= limit


def _is_marked(element: BaseOxmlElement) -> bool:
    """Whether it is a row or a drawing that Word does not show."""
    if element.tag == _ROW:
        hidden = element.find(f"{qn('w:trPr')}/{qn('w:hidden')}")
        return hidden is not None and hidden.get(qn("w:val"), "1") not in ("0", "false", "off")
    if element.tag in (f"{_WORD_DRAWING}anchor", f"{_WORD_DRAWING}inline"):
        properties = element.find(f"{_WORD_DRAWING}docPr")
        return properties is not None and properties.get("hidden", "0") in ("1", "true")
    return False


def _fill_of(box: BaseOxmlElement) -> Shade | None:
    """Of the shape that a text box stands in; None where it has none."""
    shape = next((each for each in box.iterancestors() if each.tag == f"{_SHAPE}wsp"), None)
    properties = None if shape is None else shape.find(f"{_SHAPE}spPr")
    if properties is not None and properties.find(f"{_MAIN}noFill") is not None:
        return None
    return _UNKNOWN
