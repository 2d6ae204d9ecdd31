"""Which rules hold for an element is found while elements begin one after the other.

What an element and those before it match is one integer, a bit for each part of a selector
that another part hangs on. So an element costs what it may match, however deep it stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from retrieval.errors import UnreadableDocument
from retrieval.parsing.css.selectors import Attributes, Compound, Subject
from retrieval.parsing.css.sheets import Rule

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

    @property
    def tests(self) -> int:
        return self.spent.tests

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
