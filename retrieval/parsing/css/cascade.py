"""Which rules of style sheets hold for an element, and what they declare, the strongest last.

Rules are matched while elements begin one after the other. What an element and those before it
match is one integer, a bit for each part of a selector that another part hangs on. So an element
costs what it may match, however deep it stands.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import tinycss2
from tinycss2.ast import FunctionBlock, Node

from retrieval.errors import UnreadableDocument
from retrieval.parsing.css.selectors import Attributes, Compound, Subject
from retrieval.parsing.css.sheets import Declaration, Rule, declarations
from retrieval.parsing.css.values import Tokens, physical, plain, token_colour

MOST_TESTS = 4_000_000
"""Of an element against a part of a selector, in one document; so much else counts as one."""
_FEW_KEYS = 10
"""Classes of an element that are looked up in about the time of a test."""
_MOST_PARTS = 20_000
"""Of selectors, but for their last ones: each is a bit of every integer."""
_MANY_PARTS = 4_000
"""Bits of which an integer is reckoned with in about the time of a test."""


@dataclass(slots=True)
class Matched:
    """An element matched these, and its children did so far; they are bits of parts."""

    own: int = 0
    around: int = 0
    """Of it and all it stands in."""
    children: int = 0
    """How many have begun."""
    last: int = 0
    """Of the child that began last."""
    earlier: int = 0
    """Of all children together."""


@dataclass(frozen=True, slots=True)
class _Step:
    compound: Compound
    needs: int
    """The bit of the part before it; 0 for the first."""
    gives: int
    """Its own bit; 0 for the last."""
    rule: Rule | None
    order: int


@dataclass(slots=True)
class _Shelf:
    """Its steps have elements with one thing in common, by the part that must stand before."""

    free: list[_Step] = field(default_factory=list)
    by_need: dict[int, list[_Step]] = field(default_factory=dict)
    needs: int = 0

    def keep(self, step: _Step) -> None:
        steps = self.by_need.setdefault(step.needs, []) if step.needs else self.free
        steps.append(step)
        self.needs |= step.needs

    def reached(self, before: int) -> Iterator[list[_Step]]:
        """Those of which all that must stand before was matched somewhere before."""
        yield self.free
        left = self.needs & before
        while left:
            bit = left & -left
            yield self.by_need[bit]
            left ^= bit


@dataclass(slots=True)
class Spent:
    """A document has taken so much so far."""

    tests: int = 0
    elements: int = 0


@dataclass(slots=True)
class Matcher:
    """It has the rules of a page by what their elements must have."""

    rules: Sequence[Rule]
    spent: Spent = field(default_factory=Spent)
    _shelves: dict[str, _Shelf] = field(default_factory=dict)
    _unit: int = 1
    """What a test takes where selectors have many parts."""

    def __post_init__(self) -> None:
        bit = 1
        for order, rule in enumerate(self.rules):
            needs = 0
            compounds = rule.selector.compounds
            for compound in compounds[:-1]:
                self._keep(_Step(compound, needs, bit, None, order))
                needs, bit = bit, bit << 1
                self._require(bit.bit_length() <= _MOST_PARTS)
            self._keep(_Step(compounds[-1], needs, 0, rule, order))
        self._unit += bit.bit_length() // _MANY_PARTS

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
        self._shelves.setdefault(step.compound.key, _Shelf()).keep(step)

    def enter(
        self, parent: Matched, name: str, attributes: Attributes
    ) -> tuple[Matched, list[Rule]]:
        """The rules for an element that begins within `parent`, the strongest last.

        Raise `UnreadableDocument` where a page takes too many tests.
        """
        if not self.rules:
            return parent, []
        parent.children += 1
        subject = Subject.of(name, attributes, parent.children)
        own, found = 0, []
        before = parent.around | parent.last | parent.earlier
        for step in self._candidates(subject, before):
            if _hangs(step, parent) and step.compound.fits(subject):
                own |= step.gives
                if step.rule is not None:
                    found.append(step)
        parent.last = own
        parent.earlier |= own
        found.sort(key=_precedence)
        self.spend(sum(len(each.rule.declarations) for each in found if each.rule))
        return Matched(own, parent.around | own), [s.rule for s in found if s.rule is not None]

    def _candidates(self, subject: Subject, before: int) -> Iterator[_Step]:
        keys = {subject.name, "", f"#{subject.id}", *(f".{name}" for name in subject.classes)}
        self.spend(len(keys) // _FEW_KEYS)
        unit = self._unit * subject.weight
        shelves = (self._shelves[key] for key in keys if key in self._shelves)
        for steps in chain.from_iterable(shelf.reached(before) for shelf in shelves):
            for step in steps:
                self.spend(unit * step.compound.weight)
                yield step


def _precedence(step: _Step) -> tuple[bool, tuple[int, int, int], int]:
    assert step.rule is not None  # noqa: S101
    return not step.rule.in_layer, step.rule.selector.specificity, step.order


def _hangs(step: _Step, parent: Matched) -> bool:
    """Whether the part before stands where the combinator says."""
    match step.compound.combinator:
        case ">":
            return bool(parent.own & step.needs)
        case "+":
            return bool(parent.last & step.needs)
        case "~":
            return bool(parent.earlier & step.needs)
        case " ":
            return bool(parent.around & step.needs)
        case _:
            return True


_MOST_TOKENS = 500
"""That are looked at to fill in the variables of a value."""
_FEW = 10
"""Variables that are handed on in about the time of a test."""
_DEEPEST = 8
"""Variables within variables."""
Variables = Mapping[str, Tokens]
Spend = Callable[[int], None]


def declared(
    attributes: Attributes, rules: Iterable[Rule], variables: Variables, spend: Spend
) -> tuple[dict[str, Tokens], Variables]:
    """The value of each property, variables filled in, and the variables it hands on.

    `spend` is told how much is looked at.
    """
    ranked = _ranked(attributes, rules)
    if any(each.name.startswith("--") for each in ranked):
        own = {each.name: each.value for each in ranked if each.name.startswith("--")}
        spend((len(own) + len(variables)) // _FEW)
        variables = {**variables, **own}
    values: dict[str, Tokens] = {}
    for each in ranked:
        if not each.name.startswith("--"):
            filling = _Filling(variables, spend)
            for name, value in _longhands(plain(each.name), filling.filled(each.value)):
                values |= dict.fromkeys(physical(name), value)
    return values, variables


def _ranked(attributes: Attributes, rules: Iterable[Rule]) -> list[Declaration]:
    of_rules = [each for rule in rules for each in rule.declarations]
    ranked = [*of_rules, *declarations(attributes.get("style") or "")]
    return sorted(ranked, key=lambda each: each.important)


@dataclass(slots=True)
class _Filling:
    """One value is filled with what variables stand for."""

    variables: Variables
    spend: Spend
    looked_at: int = 0
    is_void: bool = False
    """Whether a variable is not known, so that the whole value says nothing."""

    def filled(self, value: Tokens) -> Tokens:
        """With each `var()` replaced; nothing where one is not known."""
        if not any(token.type == "function" for token in value):
            return value
        found = tuple(self._filled(value, 0))
        self.spend(self.looked_at)
        if self.looked_at > _MOST_TOKENS:
            return _TOO_MUCH
        return () if self.is_void else found

    def _filled(self, value: Iterable[Node], depth: int) -> Iterator[Node]:
        for token in value:
            self.looked_at += 1
            if self.looked_at > _MOST_TOKENS or depth > _DEEPEST:
                self.looked_at = _MOST_TOKENS + 1
                return
            if token.type != "function":
                yield token
            elif token.lower_name == "var":
                yield from self._filled(self._of_variable(token), depth + 1)
            else:
                held = list(self._filled(token.arguments, depth + 1))
                yield FunctionBlock(token.source_line, token.source_column, token.name, held)

    def _of_variable(self, token: Node) -> Tokens:
        held = [t for t in token.arguments if t.type not in ("whitespace", "comment")]
        if not held or held[0].type != "ident":
            return ()
        known = self.variables.get(held[0].value)
        self.is_void |= known is None and len(held) < len(("name", "comma"))
        return tuple(held[2:]) if known is None else known


def _longhands(name: str, value: Tokens) -> Iterator[tuple[str, Tokens]]:
    """A shorthand as what it stands for, as far as that bears on what is seen."""
    match name:
        case "background":
            yield "background-color", _colour_of(value)
            yield "background-image", tuple(t for t in value if t.type in ("function", "url"))
        case "font":
            yield "font-size", _size_of(value)
        case "inset" | "margin" | "padding":
            prefix = "" if name == "inset" else f"{name}-"
            yield f"{prefix}top", value[:1]
            yield f"{prefix}left", value[3:4] or value[1:2] or value[:1]
            if not prefix:
                yield "right", value[1:2] or value[:1]
                yield "bottom", value[2:3] or value[:1]
        case "inset-inline" | "inset-block" | "margin-inline" | "margin-block" | "padding-inline":
            yield f"{name}-start", value[:1]
            yield f"{name}-end", value[1:2] or value[:1]
        case "text-decoration":
            yield "text-decoration-line", value
        case "animation":
            yield "animation-name", value
        case _:
            yield name, value


def _size_of(value: Tokens) -> Tokens:
    """In the shorthand for fonts: what stands before a slash, or is no weight."""
    kinds = ("dimension", "percentage", "function")
    sizes = [t for t in value if t.type in kinds or (t.type == "number" and t.value == 0)]
    return tuple(sizes[:1])


def _colour_of(value: Tokens) -> Tokens:
    """The colour of a background; none given is none painted, none known is not known."""
    found = [token for token in value if token_colour(token) is not None]
    if found:
        return (found[-1],)
    return _TRANSPARENT if value else ()


_TRANSPARENT: Tokens = tuple(tinycss2.parse_component_value_list("transparent"))
_TOO_MUCH: Tokens = tuple(tinycss2.parse_component_value_list("too-much()"))
"""A function that nobody knows."""
