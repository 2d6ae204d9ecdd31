"""What a paragraph is to its reader, by its style, and the numbers that Word counts in lists.

Numbers after ECMA-376, part 1, 17.9: lists of one abstract definition go on with each other's,
unless one states a start; a level begins again below each item above it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import TypeVar

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.docx.formatting import StyleSheet, style_of, switched
from retrieval.parsing.office import related

_ONE_NUMBER = re.compile(r"\(?%[1-9][.)]?")
"""Such as "%1."; "%1.%2" shows more than the number of its own level."""
_NUMBER = re.compile(r"%([1-9])")
_LEVELS = "012345678"
_LONGEST_TEXT = 200
"""Characters of what is printed before an item; what is longer is not known."""
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


def _roman(number: int) -> str:
    said = ""
    for value, sign in _ROMAN:
        said += sign * (number // value)
        number %= value
    return said


def _letters(number: int) -> str:
    """As Word goes on behind z: aa, bb."""
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1) if number > 0 else ""


_FORMATS: Mapping[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda number: f"{number:02}",
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
}
"""What Word calls them; of others what people see is not known."""


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A paragraph is an item of a list, by its number there, and of a level, from 0."""

    num_id: str
    level: str

    @classmethod
    def of(cls, properties: BaseOxmlElement | None) -> "ListLevel":
        held = None if properties is None else properties.find(qn("w:numPr"))
        return cls(style_of(held, "w:numId"), style_of(held, "w:ilvl"))

    @property
    def depth(self) -> int:
        """From 0; also where it is not stated, or is no number."""
        return int(self.level) if self.level and self.level in tuple(_LEVELS) else 0

    def within(self, style: "ListLevel") -> "ListLevel":
        """With what the paragraph's style states where it does not itself."""
        return ListLevel(self.num_id or style.num_id, self.level or style.level)


NO_LIST = ListLevel("", "")


@dataclass(frozen=True, slots=True)
class Marker:
    """It stands before a paragraph."""

    number: int | None = None
    """Of an item that shows its own number alone."""
    shown: str = ""
    """As it is printed: "2.2", "(a)"; empty for a bullet, and where it is not known."""
    clause: str = ""
    """What people call it: "2.2 (a)"; empty in a plain list, whose items are steps."""


class Numbers:
    """They are the numbers of one document's lists, counted in reading order."""

    def __init__(self, document: Document) -> None:
        self._abstract: dict[str, str] = {}
        self._levels: dict[tuple[str, str], BaseOxmlElement] = {}
        """By the list where it states its own, else by its abstract definition; and the level."""
        self._restarts: dict[tuple[str, str], int] = {}
        self._counted: dict[tuple[str, str], int] = {}
        self._called: dict[tuple[str, str], str] = {}
        """The clause that was last counted at a level."""
        root = related(document.part, RELATIONSHIP_TYPE.NUMBERING, parse_xml)
        definitions = [] if root is None else root.findall(qn("w:abstractNum"))
        styled = {style_of(each, "w:styleLink"): _abstract_id(each) for each in definitions}
        links = {
            _abstract_id(each): styled.get(name)
            for each in definitions
            if (name := style_of(each, "w:numStyleLink"))
        }
        for num in () if root is None else root.findall(qn("w:num")):
            num_id, abstract = num.get(qn("w:numId"), ""), style_of(num, "w:abstractNumId")
            self._abstract[num_id] = links.get(abstract) or abstract
            for override in num.findall(qn("w:lvlOverride")):
                place = f"num {num_id}", override.get(qn("w:ilvl"), "0")
                if (own := override.find(qn("w:lvl"))) is not None:
                    self._note(place, own)
                start = _integer(style_of(override, "w:startOverride"))
                if start is not None:
                    self._restarts[place] = start
        for definition in definitions:
            for level in definition.findall(qn("w:lvl")):
                self._note((_abstract_id(definition), level.get(qn("w:ilvl"), "0")), level)
        self._legal = {
            at
            for (at, _), level in self._levels.items()
            if len(_NUMBER.findall(style_of(level, "w:lvlText"))) > 1
        }
        """Lists whose items show the numbers of those around them, as clauses do."""

    def _note(self, place: tuple[str, str], level: BaseOxmlElement) -> None:
        if place[1] in tuple(_LEVELS) and len(style_of(level, "w:lvlText")) <= _LONGEST_TEXT:
            self._levels[place] = level

    def take(self, item: ListLevel) -> Marker:
        """What stands before the next item."""
        at, level = self._place(item)
        held = self._level(item)
        if held is None:
            return Marker()
        self._end_below(item, at, level)
        start = self._restarts.pop((f"num {item.num_id}", level), None)
        if start is None and (at, level) not in self._counted:
            start = _integer(style_of(held, "w:start"))
        self._counted[at, level] = self._counted.get((at, level), 0) + 1 if start is None else start
        shown = self._shown(item, held)
        number = self._counted[at, level] if _shows_one_number(held) else None
        return Marker(number, shown, self._clause(at, level, held, shown))

    def is_blank(self, item: ListLevel) -> bool:
        """Whether nothing stands before the items of a level, which only go on with others."""
        level = self._level(item)
        if level is None or level.find(qn("w:lvlPicBulletId")) is not None:
            return False
        return not (style_of(level, "w:lvlText")).strip()

    def _place(self, item: ListLevel) -> tuple[str, str]:
        return self._abstract.get(item.num_id, ""), item.level or "0"

    def _level(self, item: ListLevel) -> BaseOxmlElement | None:
        own = self._levels.get((f"num {item.num_id}", item.level or "0"))
        return self._levels.get(self._place(item)) if own is None else own

    def _end_below(self, item: ListLevel, at: str, level: str) -> None:
        for deeper in _LEVELS[int(level) + 1 :]:
            below = self._level(ListLevel(item.num_id, deeper))
            until = _integer(style_of(below, "w:lvlRestart"))
            if until is None or int(level) < until:
                self._counted.pop((at, deeper), None)

    def _shown(self, item: ListLevel, level: BaseOxmlElement) -> str:
        """Empty where one of its numbers is written in a way that is not known."""
        is_legal = switched(level, "w:isLgl")
        text = style_of(level, "w:lvlText")
        said = []
        for depth in _NUMBER.findall(text):
            above = ListLevel(item.num_id, str(int(depth) - 1))
            held = self._level(above)
            written = _FORMATS.get(style_of(held, "w:numFmt") or "decimal")
            if written is None:
                return ""
            first = _integer(style_of(held, "w:start"))
            number = self._counted.get(self._place(above), 1 if first is None else first)
            said.append(str(number) if is_legal else written(number))
        waiting = iter(said)
        return _NUMBER.sub(lambda _: next(waiting), text).strip() if said else ""

    def _clause(self, at: str, level: str, held: BaseOxmlElement, shown: str) -> str:
        """With the numbers of the items around it, where it does not show them itself."""
        called = shown.rstrip(".:")
        above = (self._called.get((at, each), "") for each in reversed(_LEVELS[: int(level)]))
        if "%1" not in (style_of(held, "w:lvlText")) and called:
            called = " ".join(filter(None, (next(filter(None, above), ""), called)))
        for deeper in _LEVELS[int(level) :]:
            self._called.pop((at, deeper), None)
        self._called[at, level] = called
        return called if at in self._legal else ""


def _abstract_id(definition: BaseOxmlElement) -> str:
    return str(definition.get(qn("w:abstractNumId"), ""))


def _shows_one_number(level: BaseOxmlElement) -> bool:
    text = style_of(level, "w:lvlText")
    return style_of(level, "w:numFmt") == "decimal" and bool(_ONE_NUMBER.fullmatch(text.strip()))


def _integer(value: str) -> int | None:
    return int(value) if value.isdecimal() and len(value) < 5 else None


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
    depth: int = 0
    """By its name: 1 for "List Bullet 2"."""
    numbered: bool | None = None
    """Whether it states a bullet or number; None where it says nothing."""
    list_level: ListLevel = NO_LIST
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
        self._look = cache(lambda name: _look(list(sheet.lineage(name))))

    def of(self, paragraph: BaseOxmlElement) -> Look:
        return self._look(self.sheet.paragraph_style(paragraph))


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
