"""A paragraph's style says what it is to its reader; each style is looked at once."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

from docx.oxml.ns import qn
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.docx.formatting import StyleSheet, style_of, switched
from retrieval.parsing.docx.numbering import NO_LIST, ListLevel

_Stated = TypeVar("_Stated")
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_LIST = re.compile(r"list (?:bullet|number|paragraph)(?: ([2-5]))?", re.IGNORECASE)
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
    depth: int = 0
    """By its name: 1 for "List Bullet 2"."""
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

    def depth_of(self, properties: BaseOxmlElement | None) -> int:
        """How many lists the list of an item stands in."""
        return self.list_of(properties).depth or self.depth

    def list_of(self, properties: BaseOxmlElement | None) -> ListLevel:
        """The list that a paragraph is an item of, by its own properties or by its style."""
        return ListLevel.of(properties).within(self.list_level)


class Styles:
    """They say what the paragraphs of one document are."""

    def __init__(self, sheet: StyleSheet) -> None:
        self.sheet = sheet
        self._looks: dict[str, Look] = {}

    def of(self, paragraph: BaseOxmlElement) -> Look:
        name = self.sheet.paragraph_style(paragraph)
        if name not in self._looks:
            self._looks[name] = _look(list(self.sheet.lineage(name)))
        return self._looks[name]


def _look(lineage: Sequence[BaseOxmlElement]) -> Look:
    names = [style_of(style, "w:name") for style in lineage]
    properties = [style.find(qn("w:pPr")) for style in lineage]
    listed = _LIST.match(names[0]) if names else None
    return Look(
        heading=next((int(found[1]) for name in names if (found := _HEADING.fullmatch(name))), 0),
        outline=_first(_outline(held) for held in properties),
        is_title="Title" in names,
        is_contents=any(name.lower().startswith("toc ") for name in names[:1]),
        is_caption=any(name.lower() == "caption" for name in names),
        is_code=any(name.lower() in _CODE for name in names),
        is_list=listed is not None,
        depth=int((listed and listed[1]) or 1) - 1,
        numbered=_first(_numbered(held) for held in properties),
        list_level=reduce(ListLevel.within, map(ListLevel.of, properties), NO_LIST),
        bold=_first(switched(style.find(qn("w:rPr")), "w:b") for style in lineage),
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
