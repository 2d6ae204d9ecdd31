"""Tabs of a page: the label of each stands before the text that it opens."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

_LABELS = frozenset({"tabbed-labels", "sd-tab-label"})
_PANELS = frozenset({"tabbed-block", "sd-tab-content", "tab-pane"})
"""Classes of Material for MkDocs, sphinx-design and Bootstrap."""
_Attributes = Mapping[str, str | None]


def _classes(attributes: _Attributes) -> set[str]:
    return set((attributes.get("class") or "").split())


def is_label(name: str, attributes: _Attributes) -> bool:
    role = (attributes.get("role") or "").strip().lower()
    return role == "tab" or (
        name in ("div", "label") and not _LABELS.isdisjoint(_classes(attributes))
    )


def is_panel(attributes: _Attributes) -> bool:
    role = (attributes.get("role") or "").strip().lower()
    return role == "tabpanel" or not _PANELS.isdisjoint(_classes(attributes))


def pressed(attributes: _Attributes) -> _Attributes:
    """Of a panel as it is once its tab is pressed."""
    style = f"{attributes.get('style') or ''};{_PRESSED}"
    return {**{name: attributes[name] for name in attributes if name != "hidden"}, "style": style}


_PRESSED = "display:block!important;visibility:visible!important;opacity:1!important"


@dataclass(slots=True)
class _Label:
    words: list[str] = field(default_factory=list)
    is_named: bool = False
    """Whether it says which panel it is for."""
    is_taken: bool = False

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


class Tabs:
    """It takes labels as they come, and gives each to its panel: by its name, else in order.

    In order, a label is for a panel of its own set: what another set has left over is none of it.
    """

    def __init__(self) -> None:
        self._all: list[_Label] = []
        self._by_name: dict[str, _Label] = {}
        self._set: deque[_Label] = deque()
        """Those of the set that is being read."""
        self._has_panel = False
        """Whether a panel of that set has begun."""

    def begin(self, attributes: _Attributes) -> None:
        if self._has_panel:
            self._set, self._has_panel = deque(), False
        self._all.append(_Label())
        self._set.append(self._all[-1])
        self.name(attributes)

    def name(self, attributes: _Attributes) -> None:
        """An element within the last label, or its own, may name its panel."""
        for stated in map(attributes.get, ("id", "aria-controls", "href")):
            if stated and self._all:
                self._all[-1].is_named = True
                self._by_name[stated.lstrip("#")] = self._all[-1]

    def add(self, text: str) -> None:
        if self._all:
            self._all[-1].words.append(text)

    @property
    def texts(self) -> list[str]:
        return ["".join(each.words).strip() for each in self._all]

    def panel(self) -> Callable[[], None]:
        """What stands in a panel may have tabs of its own; return what ends it."""
        outer, self._set, self._has_panel = self._set, deque(), False

        def end() -> None:
            self._set, self._has_panel = outer, True

        return end

    def of(self, attributes: _Attributes) -> str:
        """The label of a panel; empty where none is known."""
        self._has_panel = True
        while self._set and (self._set[0].is_taken or not self._set[0].text):
            self._set.popleft()
        names = [each for each in map(attributes.get, ("aria-labelledby", "id")) if each]
        found = next((self._by_name[each] for each in names if each in self._by_name), None)
        if found is None and self._set and not attributes.get("aria-label"):
            found = None if names and self._set[0].is_named else self._set[0]
        if found is None or found.is_taken:
            return ""
        found.is_taken = True
        return found.text
