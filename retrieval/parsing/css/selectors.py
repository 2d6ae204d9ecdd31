"""CSS selectors can be followed while elements begin one after the other.

Followed are names, ids, classes, attributes, `:not()`, `:is()`, `:where()`, `:root`,
`:first-child`, `:nth-child()`, and all four combinators. What needs to know what comes later
(`:last-child`, `:has()`), or is not known, is taken to fit, and the selector is not sure.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tinycss2.ast import Node
from tinycss2.nth import parse_nth

Attributes = Mapping[str, str | None]
Specificity = tuple[int, int, int]


_LONG_ATTRIBUTES = 1_000
"""Characters that are searched in about the time of a test."""


class NotFollowed(Exception):
    """It cannot even be told which parts a selector has."""


@dataclass(frozen=True, slots=True)
class Subject:
    """It is an element as selectors see it."""

    name: str
    attributes: Attributes
    place: int
    """Among the elements of its parent, from 1."""
    id: str
    classes: frozenset[str]
    weight: int
    """What a test of it may take: 1, and more where its attributes are long."""

    @classmethod
    def of(cls, name: str, attributes: Attributes, place: int) -> "Subject":
        length = sum(len(value or "") for value in attributes.values())
        classes = frozenset((attributes.get("class") or "").split())
        weight = 1 + length // _LONG_ATTRIBUTES
        return cls(name, attributes, place, attributes.get("id") or "", classes, weight)


Test = Callable[[Subject], bool]


@dataclass(frozen=True, slots=True)
class Compound:
    """It has the simple selectors of one element, and how that hangs on the one before it."""

    combinator: str
    key: str
    """`#id`, `.class`, a name, or nothing: an element without it cannot match."""
    tests: tuple[Test, ...]
    specificity: Specificity
    is_sure: bool
    """Whether an element that it fits surely is one of its elements."""
    weight: int
    """How many tests it makes, at least 1."""

    def fits(self, subject: Subject) -> bool:
        return all(test(subject) for test in self.tests)


@dataclass(frozen=True, slots=True)
class Selector:
    """It has compounds from the outermost to that of the element itself."""

    compounds: tuple[Compound, ...]

    @property
    def specificity(self) -> Specificity:
        return _sum(compound.specificity for compound in self.compounds)

    @property
    def is_sure(self) -> bool:
        return all(compound.is_sure for compound in self.compounds)


EVERYTHING = Selector((Compound("", "", (), (0, 0, 0), False, 1),))
"""It may be any element."""


@dataclass(slots=True)
class _Parts:
    combinator: str
    keys: list[str] = field(default_factory=lambda: [""])
    tests: list[Test] = field(default_factory=list)
    weights: list[Specificity] = field(default_factory=list)
    is_empty: bool = True
    is_never: bool = False
    is_sure: bool = True
    made: int = 0

    def doubt(self, weight: Specificity) -> None:
        """It asks for something that is not followed."""
        self.add(None, weight)
        self.is_sure = False

    def add(self, test: Test | None, weight: Specificity, key: str = "", made: int = 1) -> None:
        self.made += made
        self.is_empty = False
        self.weights.append(weight)
        self.keys.append(key)
        if test is not None:
            self.tests.append(test)

    def compound(self) -> Compound:
        if self.is_empty:
            raise NotFollowed
        best = max(self.keys, key=lambda key: (key[:1] == "#", key[:1] == ".", bool(key)))
        tests, weight = tuple(self.tests), _sum(self.weights)
        return Compound(self.combinator, best, tests, weight, self.is_sure, max(1, self.made))


def selectors(prelude: Iterable[Node]) -> list[Selector]:
    """Those of a rule that can match a page at rest; raise `NotFollowed`."""
    found = []
    for tokens in split_on_commas(prelude):
        selector = _selector(tokens)
        if selector is not None:
            found.append(selector)
    return found


def split_on_commas(tokens: Iterable[Node]) -> Iterator[list[Node]]:
    part: list[Node] = []
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            yield part
            part = []
        elif token.type != "comment":
            part.append(token)
    yield part


def _selector(tokens: Sequence[Node]) -> Selector | None:
    """None for one that matches nothing at rest, such as what is under the pointer."""
    compounds: list[Compound] = []
    parts, waiting, never = _Parts(""), "", False
    rest = iter(tokens)
    for token in rest:
        combinator = _combinator(token)
        if combinator is not None:
            waiting = combinator.strip() or waiting or " "
            continue
        if waiting and not parts.is_empty:
            compounds.append(parts.compound())
            parts = _Parts(waiting)
        waiting = ""
        _simple(token, rest, parts)
        never = never or parts.is_never
    if waiting.strip():
        raise NotFollowed
    compounds.append(parts.compound())
    return None if never else Selector(tuple(compounds))


def _combinator(token: Node) -> str | None:
    if token.type == "whitespace":
        return " "
    return token.value if token.type == "literal" and token.value in ">+~" else None


def _simple(token: Node, rest: Iterator[Node], parts: _Parts) -> None:
    match token.type:
        case "ident":
            name = token.lower_value
            parts.add(lambda e: e.name == name, (0, 0, 1), name)
        case "hash":
            wanted = token.value
            parts.add(lambda e: e.id == wanted, (1, 0, 0), f"#{wanted}")
        case "[] block":
            parts.add(_attribute(token.content), (0, 1, 0))
        case "literal" if token.value == "*":
            parts.add(None, (0, 0, 0))
        case "literal" if token.value == ".":
            named = _ident(next(rest, None))
            parts.add(lambda e: named in e.classes, (0, 1, 0), f".{named}")
        case "literal" if token.value == "&":
            parts.doubt((0, 0, 0))
        case "literal" if token.value == ":":
            _pseudo(next(rest, None), rest, parts)
        case _:
            raise NotFollowed


def _ident(token: Node | None) -> str:
    if token is None or token.type != "ident":
        raise NotFollowed
    return str(token.value)


_AT_REST_NEVER = frozenset(
    "hover focus focus-within focus-visible active target target-within checked visited "  # noqa: SIM905
    "popover-open open modal fullscreen playing paused autofill user-invalid user-valid "
    "before after first-line first-letter empty".split()
)
_LINKS = frozenset({"a", "area"})


def _pseudo(token: Node | None, rest: Iterator[Node], parts: _Parts) -> None:
    if token is None:
        raise NotFollowed
    if token.type == "literal" and token.value == ":":  # a pseudo-element: not the text itself
        next(rest, None)
        parts.add(None, (0, 0, 1))
        parts.is_never = True
    elif token.type == "function":
        _function(token, parts)
    elif token.type == "ident":
        _named_pseudo(token.lower_value, parts)
    else:
        raise NotFollowed


def _named_pseudo(name: str, parts: _Parts) -> None:
    if name in _AT_REST_NEVER:
        parts.add(None, (0, 1, 0))
        parts.is_never = True
    elif name == "root":
        parts.add(lambda e: e.name == "html", (0, 1, 0), "html")
    elif name == "first-child":
        parts.add(lambda e: e.place == 1, (0, 1, 0))
    elif name in ("link", "any-link"):
        parts.add(lambda e: e.name in _LINKS and "href" in e.attributes, (0, 1, 0))
    else:
        parts.doubt((0, 1, 0))


def _function(token: Node, parts: _Parts) -> None:
    match token.lower_name:
        case "is" | "where" | "not" | "matches" | "-webkit-any" | "-moz-any":
            _any_of(token, parts)
        case "nth-child" if (found := parse_nth(token.arguments)) is not None:
            parts.add(_nth(*found), (0, 1, 0))
        case _:
            parts.doubt((0, 1, 0))


def _any_of(token: Node, parts: _Parts) -> None:
    held = selectors(token.arguments)
    options = [each.compounds[0] for each in held]
    weight = max((each.specificity for each in held), default=(0, 0, 0))
    if token.lower_name == "where":
        weight = (0, 0, 0)
    if any(len(each.compounds) > 1 or not each.is_sure for each in held):
        parts.doubt(weight)
        return
    made = sum(option.weight for option in options)
    if token.lower_name == "not":
        parts.add(lambda e: not any(option.fits(e) for option in options), weight, made=made)
    else:
        parts.add(lambda e: any(option.fits(e) for option in options), weight, made=made)


def _nth(step: int, start: int) -> Test:
    def fits(subject: Subject) -> bool:
        beyond = subject.place - start
        if step == 0:
            return bool(beyond == 0)
        return bool(beyond % step == 0 and beyond // step >= 0)

    return fits


_COMPARED: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(f"{wanted}-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}


def _attribute(content: Iterable[Node]) -> Test:
    tokens = [token for token in content if token.type not in ("whitespace", "comment")]
    name = _ident(tokens[0] if tokens else None).lower()
    if len(tokens) == 1:
        return lambda e: name in e.attributes
    compared = _COMPARED.get(getattr(tokens[1], "value", ""))
    if compared is None or len(tokens) < 3 or tokens[2].type not in ("ident", "string"):
        raise NotFollowed
    wanted = tokens[2].value
    if len(tokens) > 3:  # the flag `i`: cases do not differ
        wanted = wanted.lower()
        return lambda e: compared((e.attributes.get(name) or "").lower(), wanted)
    return lambda e: name in e.attributes and compared(e.attributes[name] or "", wanted)


def _sum(weights: Iterable[Specificity]) -> Specificity:
    ids = classes = names = 0
    for weight in weights:
        ids, classes, names = ids + weight[0], classes + weight[1], names + weight[2]
    return ids, classes, names
