"""The style sheets of a page and its elements say what is seen of it."""

import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol

from retrieval.parsing.css.cascade import declared
from retrieval.parsing.css.matching import Matched, Matcher
from retrieval.parsing.css.selectors import Attributes
from retrieval.parsing.css.sheets import Sheets, read_sheets
from retrieval.parsing.css.visibility import Visibility, below, hints
from retrieval.parsing.hiding import Way
from retrieval.parsing.placed import PlacedText
from retrieval.types import HiddenText

_NO_ATTRIBUTES: Attributes = MappingProxyType({})
_MAY_HOLD_SHEETS = re.compile(r"<(?:style|link)\b", re.IGNORECASE)
_INERT = frozenset({"template", "noscript", "textarea", "title", "iframe"})
"""In these, sheets are not in force."""
_OUTSIDE_BODY = frozenset({"head", "title", "style", "script", "meta", "link", "base", "template"})


class ElementSink(Protocol):
    """The readers of HTML and of Markdown tell it of a page, in source order.

    Offsets count characters of the source, from 0; an end is exclusive.
    """

    def open(self, name: str, start: int, attributes: Attributes = ...) -> bool:
        """Begin an element by its name in lower case; return whether people see what it holds."""

    def close(self, name: str, start: int, end: int) -> None:
        """End the innermost open element of that name; a stray end tag ends a block at most."""

    def add(self, text: PlacedText) -> None:
        """Add text to what is open; it may be empty."""

    def add_image(self, alternative: PlacedText) -> None:
        """Add an image by its alternative text; empty where it has none."""


class SheetCollector:
    """It gathers the text of the elements `style`, and whether a page asks for other sheets."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.links = False
        self._inert = 0
        self._open: list[str] | None = None
        self._end = ""

    @staticmethod
    def is_needed(source: str) -> bool:
        return _MAY_HOLD_SHEETS.search(source) is not None

    def open(self, name: str, start: int, attributes: Attributes = _NO_ATTRIBUTES) -> bool:  # noqa: ARG002
        if name in _INERT:
            self._inert += 1
        elif name == "link" and not self._inert:
            rel = (attributes.get("rel") or "").lower().split()
            if "stylesheet" in rel and "alternate" not in rel:
                self.link(attributes)
        elif name == "style" and not self._inert and _is_css(attributes):
            media = attributes.get("media") or ""
            self._open = [f"@media {media} {{" if media else ""]
            self._end = "}" if media else ""
        return True

    def link(self, attributes: Attributes) -> None:  # noqa: ARG002
        """The page asks for a sheet that stands elsewhere: here none is looked up."""
        self.links = True

    def close(self, name: str, start: int, end: int) -> None:  # noqa: ARG002
        if name in _INERT:
            self._inert = max(0, self._inert - 1)
        elif name == "style":
            self.finish()

    def add(self, text: PlacedText) -> None:
        if self._open is not None:
            self._open.append(text.text)

    def add_image(self, alternative: PlacedText) -> None:
        """It is no part of a sheet."""

    def finish(self) -> None:
        if self._open is not None:
            self.texts.append("".join(self._open) + self._end)
            self._open = None


def _is_css(attributes: Attributes) -> bool:
    kind = (attributes.get("type") or "text/css").strip().lower()
    return kind == "text/css" and "disabled" not in attributes


@dataclass(frozen=True, slots=True)
class PageStyles:
    """A page's own style sheets say so much."""

    sheets: Sheets = field(default_factory=Sheets)
    has_others: bool = False
    """Whether style sheets that are not in the file belong to it."""

    def not_followed(self) -> tuple[HiddenText, ...]:
        """Rules that hide something, it is not known what."""
        way = "of a style rule that hides and is not followed"
        return tuple(
            HiddenText(selector, way, "a style sheet", left_out=False)
            for selector in self.sheets.not_followed
        )


def styles_of(collected: SheetCollector) -> PageStyles:
    collected.finish()
    sheets = read_sheets(collected.texts)
    return PageStyles(sheets, has_others=collected.links or sheets.imports)


@dataclass(frozen=True, slots=True)
class Look:
    """It says how an element is seen, and what style sheets need to know of it."""

    visibility: Visibility
    matched: Matched
    way: Way | None
    """How its own text is hidden, or may be."""
    is_read: bool
    """Whether that text is read; in doubt it is."""


def _look(visibility: Visibility, matched: Matched) -> Look:
    way = visibility.way
    return Look(visibility, matched, way, is_read=way is None or visibility.is_doubtful)


class Onlooker:
    """It tells of each element, as it begins, how it is seen."""

    def __init__(self, styles: PageStyles) -> None:
        self._matcher = Matcher(styles.sheets.rules)
        self._first = Visibility(ground_is_sure=not styles.has_others)
        self._head = _look(Visibility(), Matched())
        self._html = self._within(_look(self._first, Matched()), "html", _NO_ATTRIBUTES)
        self._body = self._within(self._html, "body", _NO_ATTRIBUTES)

    @property
    def body(self) -> Look:
        """Of what stands in no element of the page's body."""
        return self._body

    def look(self, above: Look | None, name: str, attributes: Attributes) -> Look:
        """`above` is that of the element around; none outside the body."""
        if name == "html":
            self._html = self._within(_look(self._first, Matched()), name, attributes)
            self._body = self._within(self._html, "body", _NO_ATTRIBUTES)
            return self._html
        if name == "body":
            self._body = self._within(self._html, name, attributes)
            return self._body
        if above is None and name in _OUTSIDE_BODY:
            return self._head
        return self._within(above or self._body, name, attributes)

    def _within(self, above: Look, name: str, attributes: Attributes) -> Look:
        matched, rules = self._matcher.enter(above.matched, name, attributes)
        if not attributes and not rules and matched is above.matched and name != "dialog":
            return above
        values = hints(name, attributes)
        variables = above.visibility.variables
        if rules or attributes.get("style"):
            stated, variables = declared(attributes, rules, variables)
            values |= stated
        elif not values and not attributes.get("class"):
            return replace(above, matched=matched)
        return _look(
            replace(below(above.visibility, attributes, values), variables=variables), matched
        )
