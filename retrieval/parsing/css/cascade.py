"""Which rules of style sheets hold for an element, and what they declare, the strongest last.

Rules are matched as elements begin. What was matched before is one integer, a bit for each part of
a selector that another part hangs on: an element costs what it may match, however deep it stands.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile

import tinycss2
from tinycss2.ast import FunctionBlock, Node

from retrieval.errors import UnreadableDocument
from retrieval.parsing.css.selectors import Attributes, Compound, Specificity, Subject
from retrieval.parsing.css.sheets import Rule, declarations
from retrieval.parsing.css.values import WEIGHT, Tokens, plain, token_colour, word

MOST_TESTS = 4_000_000
"""Of an element against a part of a selector, in one document; so much else counts as one."""
_MOST_PARTS = 20_000
"""Of selectors, but for their last ones: each is a bit of every integer."""


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
                self.spend(1)
                if not step.needs or before[step.compound.combinator] & step.needs:
                    yield step


_MOST_TOKENS = 500
"""That are looked at to fill in the variables of a value."""
_DEEPEST = 8
"""Variables within variables."""
Variables = Mapping[str, Tokens]


def declared(
    attributes: Attributes, rules: Iterable[Rule], variables: Variables
) -> tuple[dict[str, Tokens], Variables]:
    """The value of each property, variables filled in, and the variables it hands on."""
    of_rules = [each for rule in rules for each in rule.declarations]
    ranked = [*of_rules, *declarations(attributes.get("style") or "")]
    ranked.sort(key=lambda each: each.important)
    if own := {each.name: each.value for each in ranked if each.name.startswith("--")}:
        variables = {**variables, **own}
    values: dict[str, Tokens] = {}
    for each in ranked:
        if not each.name.startswith("--"):
            filling = _Filling(variables)
            values |= _longhands(plain(each.name), filling.filled(each.value))
    return values, variables


@dataclass(slots=True)
class _Filling:
    """One value is filled with what variables stand for."""

    variables: Variables
    looked_at: int = 0
    is_void: bool = False
    """Whether a variable is not known, so that the whole value says nothing."""

    def filled(self, value: Tokens) -> Tokens:
        """With each `var()` replaced; nothing where one is not known."""
        if not any(token.type == "function" for token in value):
            return value
        found = tuple(self._filled(value, 0))
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


def _longhands(name: str, value: Tokens) -> dict[str, Tokens]:
    """A shorthand as what it stands for, as far as that bears on what is seen."""
    match name:
        case "background":
            pictures = tuple(t for t in value if t.type in ("function", "url"))
            return {"background-color": _colour_of(value), "background-image": pictures}
        case "font":
            return {"font-size": _size_of(value), WEIGHT: _weight_of(value)}
        case "text-decoration":
            return {"text-decoration-line": value}
        case _ if name in _BOXES:
            return {
                side: value[i : i + 1] or value[max(0, i - 2) : i - 1] or value[:1]
                for i, side in enumerate(_BOXES[name])
            }
        case _:
            return {name: value}


def _boxes() -> dict[str, tuple[str, ...]]:
    """The sides that a property is about, where text runs as in English."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, prefix in (("inset", ""), ("margin", "margin-"), ("padding", "padding-")):
        top, right, bottom, left = (f"{prefix}{side}" for side in _SIDES)
        found |= {kind: (top, right, bottom, left)}
        for axis, start, end in (("block", top, bottom), ("inline", left, right)):
            along = f"{kind}-{axis}"
            found |= {along: (start, end), f"{along}-start": (start,), f"{along}-end": (end,)}
    for most in ("", "max-"):
        found |= {f"{most}block-size": (f"{most}height",), f"{most}inline-size": (f"{most}width",)}
    return found


_SIDES = ("top", "right", "bottom", "left")
_BOXES = _boxes()


def _size_of(value: Tokens) -> Tokens:
    """In the shorthand for fonts: what stands before a slash, or is no weight."""
    kinds = ("dimension", "percentage", "function")
    sizes = [t for t in value if t.type in kinds or (t.type == "number" and t.value == 0)]
    return tuple(sizes[:1])


def _weight_of(value: Tokens) -> Tokens:
    """In the shorthand for fonts: what stands before the size; normal where nothing does."""
    kinds = ("number", "ident")
    before = list(takewhile(lambda token: token.type in kinds, value))
    said = (t for t in before if t.type == "number" or word((t,)) in _WEIGHTS)
    return tuple(islice(said, 1)) or (_NORMAL if value else ())


def _colour_of(value: Tokens) -> Tokens:
    """The colour of a background; none given is none painted, none known is not known."""
    found = [token for token in value if token_colour(token) is not None]
    if found:
        return (found[-1],)
    return _TRANSPARENT if value else ()


_WEIGHTS = frozenset({"bold", "bolder", "lighter", "inherit", "unset"})
_NORMAL: Tokens = tuple(tinycss2.parse_component_value_list("normal"))
_TRANSPARENT: Tokens = tuple(tinycss2.parse_component_value_list("transparent"))
_TOO_MUCH: Tokens = tuple(tinycss2.parse_component_value_list("too-much()"))
