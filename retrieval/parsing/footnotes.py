"""Notes of a page are told where it refers to them, since what they say is a condition there."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from retrieval.parsing.placed import PlacedText

_MAY_HOLD = re.compile(r"href=[\"']?#[\w:.-]*(?:fn|note|ftn|\bf\d|id\d)", re.IGNORECASE)
_HOLDERS = frozenset({"aside", "dd", "div", "li", "p"})
_SENTENCE_ENDS = re.compile(r"[.!?]\s+")
_LONGEST_NOTE = 500
_Attributes = Mapping[str, str | None]
_NO_ATTRIBUTES: _Attributes = MappingProxyType({})


@dataclass(slots=True)
class _Holder:
    name: str
    start: int
    names: list[str] = field(default_factory=list)
    """By which it is linked to."""
    refers: list[str] = field(default_factory=list)
    """To where it links back."""
    parts: list[str] = field(default_factory=list)


def may_hold_notes(source: str) -> bool:
    return _MAY_HOLD.search(source) is not None


def in_brackets(note: str) -> str:
    """A note as a part of the sentence that it is about."""
    return _SENTENCE_ENDS.sub("; ", " ".join(note.split()).rstrip("."))


class Notes:
    """It is told of a page before it is read: a note and what refers to it link to each other."""

    def __init__(self) -> None:
        self._open: list[_Holder] = []
        self._notes: dict[str, _Holder] = {}
        self._links = 0
        """How many are open: the words of a link are a mark, or an arrow."""

    def open(self, name: str, start: int, attributes: _Attributes = _NO_ATTRIBUTES) -> bool:
        if name in _HOLDERS:
            self._open.append(_Holder(name, start))
        if self._open and (stated := attributes.get("id")):
            self._open[-1].names.append(stated)
        if name == "a" and self._open and (attributes.get("href") or "").startswith("#"):
            self._links = 1
            self._open[-1].refers.append((attributes.get("href") or "")[1:])
        return True

    def close(self, name: str, start: int, end: int) -> None:  # noqa: ARG002
        if name == "a":
            self._links = 0
        if name not in _HOLDERS or name not in (each.name for each in self._open[-3:]):
            return
        while self._open:
            held = self._open.pop()
            for each in held.names:
                self._notes.setdefault(each, held)
            if self._open and held.name == "p":
                self._open[-1].refers += held.refers
                self._open[-1].parts += [" ", *held.parts]
            if held.name == name:
                return

    def add(self, text: PlacedText) -> None:
        if self._open and not self._links:
            self._open[-1].parts.append(text.text)

    def add_image(self, alternative: PlacedText) -> None:
        """It is no part of a note."""

    def of(self, attributes: _Attributes, names: Iterable[str], place: int) -> str:
        """The note that a link leads to from `place`, itself of one of these names."""
        note = self._notes.get((attributes.get("href") or "").removeprefix("#"))
        if note is None or note.start < place or set(names).isdisjoint(note.refers):
            return ""
        said = in_brackets("".join(note.parts).lstrip("[] \xa0"))
        return said if len(said) <= _LONGEST_NOTE else ""
