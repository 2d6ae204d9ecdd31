"""The style sheets of a page and its elements say what is seen of it.

Rules are matched as elements begin. What was matched before is one integer, a bit for each part of
a selector that another part hangs on: an element costs what it may match, however deep it stands.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from types import MappingProxyType
from typing import Protocol

from retrieval.errors import UnreadableDocument, shortened
from retrieval.parsing.css.selectors import EVERYTHING, Attributes, Compound, Specificity, Subject
from retrieval.parsing.css.sheets import (
    Declaration,
    Rule,
    Sheet,
    SheetReader,
    declared,
    sheet_in_address,
)
from retrieval.parsing.css.values import SETTING, WEIGHT, Tokens, is_bold, word
from retrieval.parsing.css.visibility import Visibility, below, hints
from retrieval.parsing.elements import is_block
from retrieval.parsing.hiding import Way
from retrieval.parsing.limits import MOST_ELEMENTS, require_at_most
from retrieval.parsing.placed import PlacedText

_NO_ATTRIBUTES: Attributes = MappingProxyType({})
_MAY_HOLD_SHEETS = re.compile(r"<(?:style|link)\b", re.IGNORECASE)
_INERT = frozenset({"template", "noscript", "textarea", "title", "iframe"})
"""In these, sheets are not in force."""
_BOLD = frozenset({"b", "strong"})
_RAISED = {"super": "super", "sub": "sub"}
_RAISED_BY_NAME = {"sup": "super", "sub": "sub"}
_TOLD_BY_NAME = _BOLD | _RAISED_BY_NAME.keys() | {"dialog"}
_OUTSIDE_BODY = frozenset({"head", "title", "style", "script", "meta", "link", "base", "template"})


MOST_TESTS = 4_000_000
"""Of an element against a simple selector, in one document. Counted as well: 1,000 characters of
attributes, what is declared for an element, variables that are filled in or, ten as one, handed on.
"""
_MOST_PARTS = 20_000
"""Of selectors, but for their last ones: each is a bit of every integer."""
_MANY_PARTS = 4_000
"""Bits of which an integer is reckoned with in about the time of a test."""


@dataclass(slots=True)
class Matched:
    """In an element, this was matched of what must stand before a part; they are bits of parts."""

    before: dict[str, int] = field(default_factory=lambda: dict.fromkeys(" >+~", 0))
    """By the combinator that the part hangs on."""
    children: int = 0


@dataclass(frozen=True, slots=True)
class _Step:
    compound: Compound
    needs: int
    """The bit of the part before it; 0 for the first."""
    gives: int
    """Its own bit; 0 for the last."""
    rank: tuple[bool, Specificity, int]
    rule: Rule


@dataclass(slots=True)
class Spent:
    """A document has taken so much so far."""

    tests: int = 0
    elements: int = 0


class Matcher:
    """It has the rules of a page by what their elements must have."""

    def __init__(self, rules: Sequence[Rule], spent: Spent | None = None) -> None:
        self.spent = spent or Spent()
        self._steps: dict[tuple[str, int], list[_Step]] = {}
        """By a key of their elements, and by the part that must stand before."""
        self._needs: dict[str, int] = {}
        """All those parts, by the key."""
        bit = 1
        for order, rule in enumerate(rules):
            rank = not rule.in_layer, rule.selector.specificity, order
            needs = 0
            *earlier, last = rule.selector.compounds
            for compound in earlier:
                self._keep(_Step(compound, needs, bit, rank, rule))
                needs, bit = bit, bit << 1
                self._require(bit.bit_length() <= _MOST_PARTS)
            self._keep(_Step(last, needs, 0, rank, rule))
        self._unit = 1 + bit.bit_length() // _MANY_PARTS
        """What a test takes where selectors have many parts."""

    def spend(self, tests: int) -> None:
        """Raise `UnreadableDocument` where a document takes too many."""
        self.spent.tests += tests
        self._require(self.spent.tests <= MOST_TESTS)

    @staticmethod
    def _require(is_bounded: bool) -> None:
        if not is_bounded:
            raise UnreadableDocument(
                "has too many style rules for its size to see what they hide; save it without "
                "styles"
            )

    def _keep(self, step: _Step) -> None:
        key = step.compound.key
        self._steps.setdefault((key, step.needs), []).append(step)
        self._needs[key] = self._needs.get(key, 0) | step.needs

    def enter(
        self, parent: Matched, name: str, attributes: Attributes
    ) -> tuple[Matched, list[Rule]]:
        """The rules for an element in `parent`, the strongest last; raise `UnreadableDocument`."""
        if not self._steps:
            return parent, []
        parent.children += 1
        subject = Subject.of(name, attributes, parent.children)
        own, found = 0, []
        for step in self._candidates(subject, parent.before):
            if step.compound.fits(subject):
                own |= step.gives
                found += [] if step.gives else [step]
        inner = Matched({**dict.fromkeys("+~", 0), ">": own, " ": parent.before[" "] | own})
        parent.before["+"] = own
        parent.before["~"] |= own
        found.sort(key=lambda step: step.rank)
        self.spend(sum(len(step.rule.declarations) for step in found))
        return inner, [step.rule for step in found]

    def _candidates(self, subject: Subject, before: Mapping[str, int]) -> Iterator[_Step]:
        """Those of which what must stand before was matched there."""
        anywhere = before[" "] | before["+"] | before["~"]
        for key in self._needs.keys() & subject.keys:
            bits, left = [0], self._needs[key] & anywhere
            while left:
                bits.append(left & -left)
                left ^= bits[-1]
            for step in chain.from_iterable(self._steps.get((key, bit), ()) for bit in bits):
                self.spend(self._unit * subject.weight * step.compound.weight)
                if not step.needs or before[step.compound.combinator] & step.needs:
                    yield step


class ElementSink(Protocol):
    """Told of a page, in source order; offsets count characters from 0, ends are exclusive."""

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

    def __init__(self, elsewhere: Callable[[str], str | None] = lambda _: None) -> None:
        """`elsewhere`: a sheet by its address; None for one that nobody looks up."""
        self.sheets: list[Sheet] = []
        self.links = False
        self._inert = 0
        self._open: list[str] | None = None
        self._media = ""
        self._elsewhere = elsewhere

    def open(self, name: str, start: int, attributes: Attributes = _NO_ATTRIBUTES) -> bool:  # noqa: ARG002
        if name in _INERT:
            self._inert += 1
        elif name == "link" and not self._inert:
            rel = (attributes.get("rel") or "").lower().split()
            if "stylesheet" in rel and "alternate" not in rel and "disabled" not in attributes:
                self.link(attributes)
        elif name == "style" and not self._inert and _is_css(attributes):
            self._open, self._media = [], attributes.get("media") or ""
        return True

    def link(self, attributes: Attributes) -> None:
        address, text = attributes.get("href") or "", None
        if _is_css(attributes):
            text = sheet_in_address(address)
            text = self._elsewhere(address) if text is None else text
        self.links |= text is None
        self.sheets.append(Sheet(text or "", attributes.get("media") or ""))

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
            self.sheets.append(Sheet("".join(self._open), self._media))
            self._open = None


def _is_css(attributes: Attributes) -> bool:
    kind = (attributes.get("type") or "text/css").strip().lower()
    return kind == "text/css" and "disabled" not in attributes


@dataclass(frozen=True, slots=True)
class PageStyles:
    """A page's own style sheets say so much."""

    frames: Mapping[str, tuple[Declaration, ...]] = field(default_factory=dict)
    """How animations end, by their names."""
    has_others: bool = False
    """Whether style sheets that are not in the file belong to it."""
    matcher: Matcher = field(default_factory=lambda: Matcher(()))


class DocumentStyles:
    """What the sheets of a document say of its page, or of each of its chapters."""

    def __init__(self) -> None:
        self._reader = SheetReader()
        self._spent = Spent()
        self._known: dict[tuple[bool, tuple[Sheet, ...]], PageStyles] = {}

    def of(
        self, source: str, read: Callable[[ElementSink], None], collected: SheetCollector
    ) -> PageStyles:
        """`read` tells of the page, whose sheets may stand anywhere; raise `UnreadableDocument`."""
        if _MAY_HOLD_SHEETS.search(source):
            read(collected)
        collected.finish()
        asked = collected.links, tuple(collected.sheets)
        if asked not in self._known:
            sheets = self._reader.read(collected.sheets)
            matcher = Matcher(sheets.rules, self._spent)
            has_others = collected.links or sheets.imports
            self._known[asked] = PageStyles(sheets.frames, has_others, matcher)
        return self._known[asked]


@dataclass(frozen=True, slots=True)
class Look:
    """It says how an element is seen, and what style sheets need to know of it."""

    visibility: Visibility
    matched: Matched
    is_bold: bool = False
    raised: str = ""
    """"super" above the line, "sub" below it."""

    @property
    def way(self) -> Way | None:
        """How its own text is hidden, or may be."""
        return self.visibility.way

    @property
    def is_read(self) -> bool:
        """Whether that text is read; in doubt it is."""
        return self.way is None or self.visibility.is_doubtful

    @property
    def way_in_words(self) -> str:
        """With the style that is not followed, where there is one."""
        doubt = f": {self.visibility.doubt}" if self.way is Way.NOT_FOLLOWED else ""
        return f"{self.way or ''}{doubt}"


class Onlooker:
    """It tells of each element, as it begins, how it is seen."""

    def __init__(self, styles: PageStyles) -> None:
        self._frames = styles.frames
        self._matcher = styles.matcher
        self._first = Visibility(ground_is_sure=not styles.has_others)
        self._head = Look(Visibility(), Matched())
        self._html = self._within(Look(self._first, Matched()), "html", _NO_ATTRIBUTES)
        self.body = self._within(self._html, "body", _NO_ATTRIBUTES)

    def look(self, above: Look | None, name: str, attributes: Attributes) -> Look:
        """`above`: of the element around, None outside the body. Raise `UnreadableDocument`."""
        spent = self._matcher.spent
        spent.elements += 1
        require_at_most(spent.elements, MOST_ELEMENTS, "elements")
        if name == "html":
            self._html = self._within(Look(self._first, Matched()), name, attributes)
            self.body = self._within(self._html, "body", _NO_ATTRIBUTES)
            return self._html
        if name == "body":
            self.body = self._within(self._html, name, attributes)
            return self.body
        if above is None and name in _OUTSIDE_BODY:
            return self._head
        return self._within(above or self.body, name, attributes)

    def _within(self, above: Look, name: str, attributes: Attributes) -> Look:
        matched, rules = self._matcher.enter(above.matched, name, attributes)
        is_plain = name not in _TOLD_BY_NAME or (name in _BOLD and above.is_bold)
        if is_plain and not attributes and not rules and matched is above.matched:
            return above
        sure = [rule for rule in rules if rule.is_sure]
        look, values = self._seen(above, name, attributes, sure, matched)
        every = [*rules, *self._moved(values)]
        unsure = [rule.text for rule in every if not rule.is_sure]
        if not unsure or look.way is not None:
            return look
        if self._seen(above, name, attributes, every, matched)[0].way is None:
            return look
        visibility = replace(look.visibility, doubt=shortened(unsure[-1]))
        return replace(look, visibility=visibility)

    def _seen(
        self,
        above: Look,
        name: str,
        attributes: Attributes,
        rules: Sequence[Rule],
        matched: Matched,
    ) -> tuple[Look, Mapping[str, Tokens]]:
        """By some rules: how an element is seen, and what is declared for it."""
        usual = above.is_bold or name in _BOLD
        values = hints(name, attributes)
        variables = above.visibility.variables
        if rules or attributes.get("style"):
            stated, variables = declared(attributes, rules, variables, self._matcher.spend)
            values |= stated
        bold = is_bold(values.pop(WEIGHT, ()), usual)
        declared_as = _RAISED.get(word(values.pop(SETTING, ())), above.raised)
        raised = "" if is_block(name) else _RAISED_BY_NAME.get(name, declared_as)
        look = Look(above.visibility, matched, bold, raised)
        if not values and not attributes.get("class") and variables is above.visibility.variables:
            return look, {}
        visibility = below(above.visibility, attributes, values, variables)
        return replace(look, visibility=visibility), values

    def _moved(self, values: Mapping[str, Tokens]) -> Iterator[Rule]:
        """How an element ends that is moved, as rules; whether it gets there is not known."""
        for token in values.get("animation-name", ()):
            last = self._frames.get(getattr(token, "value", "")) if self._frames else None
            if last:
                yield Rule(EVERYTHING, last, is_sure=False, text=f"@keyframes {token.value}")
