"""A paragraph's style says what it is to its reader.

Each style is looked at once: python-docx goes through all of them for every paragraph.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.ns import qn
from docx.oxml.styles import CT_Style
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.styles.style import CharacterStyle, StyleFactory
from docx.text.paragraph import Paragraph

from retrieval.parsing.docx.numbering import NO_LIST, ListLevel
from retrieval.parsing.limits import DEEPEST_STYLE

_Stated = TypeVar("_Stated")
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_LIST = re.compile(r"list (?:bullet|number|paragraph)", re.IGNORECASE)
_CODE = frozenset(
    {"source code", "html preformatted", "preformatted text", "macro", "code", "code block"}
)
"""What Word, LibreOffice and pandoc call styles of program text, and people do."""


@dataclass(frozen=True, slots=True)
class Look:
    """A style says so much, with those that it is based on; the nearest counts."""

    heading: int = 0
    """1 to 9 by its name; 0 for none."""
    outline: int | None = None
    """1 to 9, or 0 for the level of plain text; None where nothing is stated."""
    is_title: bool = False
    is_contents: bool = False
    is_caption: bool = False
    is_code: bool = False
    is_list: bool = False
    """By its name."""
    numbered: bool | None = None
    """Whether it states a bullet or number; None where it says nothing."""
    list_level: ListLevel = NO_LIST
    """The list that its paragraphs are items of."""
    bold: bool | None = None

    def heading_level(self, properties: BaseOxmlElement | None) -> int:
        """1 to 9 for a paragraph that is a heading, by its style or its own outline; else 0."""
        own = _outline(properties)
        return self.heading or (own if own is not None else self.outline or 0)

    def is_list_item(self, properties: BaseOxmlElement | None) -> bool:
        """Whether it has a bullet or a number; number 0 takes away what its style gives."""
        own = _numbered(properties)
        stated = own if own is not None else self.numbered
        return self.is_list if stated is None else stated

    def list_of(self, properties: BaseOxmlElement | None) -> ListLevel:
        """The list that a paragraph is an item of, by its own properties or by its style."""
        return ListLevel.of(properties).within(self.list_level)


class Styles:
    """They are the styles of one document."""

    def __init__(self, document: Document) -> None:
        self._by_id: dict[str, CT_Style] = {}
        self._defaults: dict[object, CT_Style] = {}
        self._looks: dict[tuple[object, str | None], Look] = {}
        for element in document.styles.element.findall(qn("w:style")):
            self._by_id.setdefault(element.styleId, element)
            if element.default:
                self._defaults[element.type] = element

    def of(self, paragraph: Paragraph) -> Look:
        return self._look(WD_STYLE_TYPE.PARAGRAPH, paragraph._p.style)  # noqa: SLF001

    def _look(self, kind: object, style_id: str | None) -> Look:
        if (kind, style_id) not in self._looks:
            self._looks[kind, style_id] = _look(self._lineage(kind, style_id))
        return self._looks[kind, style_id]

    def _lineage(self, kind: object, style_id: str | None) -> list[CharacterStyle]:
        """A style and those it is based on, nearest first."""
        element = self._by_id.get(style_id) if style_id else None
        if element is None or element.type != kind:
            element = self._defaults.get(kind)
        found: list[CT_Style] = []
        while element is not None and element not in found and len(found) < DEEPEST_STYLE:
            found.append(element)
            based_on = element.basedOn_val
            element = None if based_on is None else self._by_id.get(based_on)
        styles = [StyleFactory(each) for each in found]
        return [style for style in styles if isinstance(style, CharacterStyle)]


def _look(lineage: Sequence[CharacterStyle]) -> Look:
    names = [style.name or "" for style in lineage]
    properties = [style.element.pPr for style in lineage]
    return Look(
        heading=next((int(found[1]) for name in names if (found := _HEADING.fullmatch(name))), 0),
        outline=_first(_outline(held) for held in properties),
        is_title="Title" in names,
        is_contents=any(name.lower().startswith("toc ") for name in names[:1]),
        is_caption=any(name.lower() == "caption" for name in names),
        is_code=any(name.lower() in _CODE for name in names),
        is_list=any(bool(_LIST.match(name)) for name in names[:1]),
        numbered=_first(_numbered(held) for held in properties),
        list_level=reduce(ListLevel.within, map(ListLevel.of, properties), NO_LIST),
        bold=_first(style.font.bold for style in lineage),
    )


def _first(stated: Iterable[_Stated | None]) -> _Stated | None:
    return next((each for each in stated if each is not None), None)


def _outline(properties: BaseOxmlElement | None) -> int | None:
    outline = None if properties is None else properties.find(qn("w:outlineLvl"))
    if outline is None:
        return None
    level = int(outline.get(qn("w:val"), "9")) + 1
    return level if level <= 9 else 0


def _numbered(properties: BaseOxmlElement | None) -> bool | None:
    numbering = None if properties is None else properties.numPr
    if numbering is None or numbering.numId is None:
        return None
    return bool(numbering.numId.val)
