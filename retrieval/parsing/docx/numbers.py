"""Word keeps the numbers of a list nowhere: they are counted as it lays a document out.

After ECMA-376, part 1, section 17.9. Lists that share an abstract definition go on with each
other's numbers, unless one states where it starts; a level begins again below each item above it.
"""

import re
from dataclasses import dataclass

from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement

_ONE_NUMBER = re.compile(r"\(?%[1-9][.)]?")
"""Such as "%1."; "%1.%2" shows more than the number of its own level."""


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A paragraph is an item of a list, by its number there, and of a level, from 0."""

    num_id: str | None
    level: str | None
    """None where it is not stated."""

    @classmethod
    def of(cls, properties: BaseOxmlElement | None) -> "ListLevel":
        """What the properties of a paragraph state."""
        held = None if properties is None else properties.find(qn("w:numPr"))
        return cls(_value(held, "w:numId"), _value(held, "w:ilvl"))

    def within(self, style: "ListLevel") -> "ListLevel":
        """With what the paragraph's style states where it does not itself."""
        return ListLevel(self.num_id or style.num_id, self.level or style.level)


NO_LIST = ListLevel(None, None)


class Numbers:
    """They are the numbers of one document's lists, counted in reading order."""

    def __init__(self, document: Document) -> None:
        self._abstract: dict[str, str] = {}
        self._levels: dict[tuple[str, str], BaseOxmlElement] = {}
        self._restarts: dict[tuple[str, str], int] = {}
        self._counted: dict[tuple[str, str], int] = {}
        root = _definitions(document)
        for num in () if root is None else root.findall(qn("w:num")):
            num_id = num.get(qn("w:numId"), "")
            self._abstract[num_id] = _value(num, "w:abstractNumId") or ""
            for override in num.findall(qn("w:lvlOverride")):
                start = _integer(_value(override, "w:startOverride"))
                if start is not None:
                    self._restarts[num_id, override.get(qn("w:ilvl"), "0")] = start
        for abstract in () if root is None else root.findall(qn("w:abstractNum")):
            for level in abstract.findall(qn("w:lvl")):
                place = abstract.get(qn("w:abstractNumId"), ""), level.get(qn("w:ilvl"), "0")
                self._levels[place] = level

    def take(self, item: ListLevel) -> int | None:
        """The number of the next item; None where it has none, such as a bullet's."""
        num_id, level = item.num_id or "", item.level or "0"
        place = self._abstract.get(num_id, ""), level
        if place not in self._levels:
            return None
        for deeper in [each for each in self._counted if each[0] == place[0] and each[1] > level]:
            del self._counted[deeper]
        start = self._restarts.pop((num_id, level), None)
        if start is None and place not in self._counted:
            start = _integer(_value(self._levels[place], "w:start"))
        self._counted[place] = self._counted.get(place, 0) + 1 if start is None else start
        return self._counted[place] if _shows_one_number(self._levels[place]) else None

    def is_blank(self, item: ListLevel) -> bool:
        """Whether nothing stands before the items of a level, which only go on with others."""
        place = self._abstract.get(item.num_id or "", ""), item.level or "0"
        level = self._levels.get(place)
        if level is None or level.find(qn("w:lvlPicBulletId")) is not None:
            return False
        return not (_value(level, "w:lvlText") or "").strip()


def _shows_one_number(level: BaseOxmlElement) -> bool:
    text = _value(level, "w:lvlText") or ""
    return _value(level, "w:numFmt") == "decimal" and bool(_ONE_NUMBER.fullmatch(text.strip()))


def _definitions(document: Document) -> BaseOxmlElement | None:
    try:
        part = document.part.part_related_by(RELATIONSHIP_TYPE.NUMBERING)
        root: BaseOxmlElement = parse_xml(part.blob)
    except (KeyError, ValueError, SyntaxError):
        return None
    return root


def _value(parent: BaseOxmlElement | None, name: str) -> str | None:
    found = None if parent is None else parent.find(qn(name))
    return None if found is None else found.get(qn("w:val"))


def _integer(value: str | None) -> int | None:
    return int(value) if value and value.isdecimal() and len(value) < 5 else None
