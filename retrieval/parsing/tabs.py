"""Tabs of a page: the label of each stands before the text that it opens."""

from collections.abc import Mapping

_LABELS = frozenset({"tabbed-labels", "sd-tab-label"})
_PANELS = frozenset({"tabbed-block", "sd-tab-content", "tab-pane"})
"""Classes of Material for MkDocs, sphinx-design and Bootstrap."""
_Attributes = Mapping[str, str | None]


def _classes(attributes: _Attributes) -> set[str]:
    return set((attributes.get("class") or "").split())


def is_label(name: str, attributes: _Attributes) -> bool:
    """Whether it holds the label of a tab, or those of several."""
    role = (attributes.get("role") or "").strip().lower()
    return role == "tab" or (
        name in ("div", "label") and not _LABELS.isdisjoint(_classes(attributes))
    )


def is_panel(attributes: _Attributes) -> bool:
    role = (attributes.get("role") or "").strip().lower()
    return role == "tabpanel" or not _PANELS.isdisjoint(_classes(attributes))


class Tabs:
    """It takes labels as they come, and gives each to its panel: by its name, else in order."""

    def __init__(self) -> None:
        self._labels: list[tuple[set[str], list[str]]] = []
        self._all: list[list[str]] = []

    def begin(self, attributes: _Attributes) -> None:
        self._all.append([])
        self._labels.append((set(), self._all[-1]))
        self.name(attributes)

    def name(self, attributes: _Attributes) -> None:
        """An element within the last label, or its own, may name its panel."""
        names = (attributes.get(each) or "" for each in ("id", "aria-controls", "href"))
        if self._labels:
            self._labels[-1][0].update(each.lstrip("#") for each in names if each)

    def add(self, text: str) -> None:
        if self._labels:
            self._labels[-1][1].append(text)

    @property
    def texts(self) -> list[str]:
        """Of all labels so far."""
        return ["".join(each).strip() for each in self._all]

    def of(self, attributes: _Attributes) -> str:
        """The label of a panel; empty where none is known."""
        self._labels = [each for each in self._labels if "".join(each[1]).strip()]
        stated = (attributes.get("aria-labelledby"), attributes.get("id"))
        names = {each for each in stated if each}
        named = (n for n, (own, _) in enumerate(self._labels) if own & names)
        is_anonymous = bool(self._labels) and not (names and self._labels[0][0])
        at = next(named, 0 if is_anonymous else None)
        return "" if at is None else " ".join("".join(self._labels.pop(at)[1]).split())
