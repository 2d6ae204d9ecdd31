"""CSS selectors, followed while elements begin one after the other.

Followed are names, ids, classes, attributes, all four combinators, and the pseudo-classes below.
What needs what comes later (`:has()`), or is not known, is taken to fit, and is not sure.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from tinycss2.ast import Node
from tinycss2.nth import parse_nth

from retrieval.parsing.css.values import split_on_commas

Attributes = Mapping[str, str | None]
Specificity = tuple[int, ...]
"""Counts of ids; of classes, attributes and states; of names."""

LONGEST_SELECTOR = 200
"""Tokens; a longer one is not followed."""
_LONG_ATTRIBUTES = 1_000
"""Characters that are searched in about the time of a test."""


@dataclass(frozen=True, slots=True)
class Subject:
    keys: frozenset[str]
    """`<name`, `#id`, each `.class`, and nothing."""
    attributes: Attributes
    place: int
    """Among the elements of its parent, from 1."""
    weight: int
    """What a test of it may take: 1, and more where its attributes are long."""

    @classmethod
    def of(cls, name: str, attributes: Attributes, place: int) -> "Subject":
        classes = (f".{each}" for each in (attributes.get("class") or "").split())
        keys = frozenset(("", f"<{name}", f"#{attributes.get('id') or ''}", *classes))
        length = sum(len(value or "") for value in attributes.values())
        return cls(keys, attributes, place, 1 + length // _LONG_ATTRIBUTES)


Test = Callable[[Subject], bool]


_AT_REST_NEVER = frozenset(
    "hover focus focus-within focus-visible active target target-within checked visited "  # noqa: SIM905
    "popover-open open modal fullscreen playing paused autofill user-invalid user-valid "
    "before after first-line first-letter empty".split()
)


_STATES: Mapping[str, Test] = {
    "root": lambda e: "<html" in e.keys,
    "first-child": lambda e: e.place == 1,
    "any-link": lambda e: "href" in e.attributes and not e.keys.isdisjoint(("<a", "<area")),
}


class _NotFollowed(Exception):
    """It cannot even be told which parts a selector has."""


class _Never(Exception):
    """It matches nothing at rest: what is under the pointer, a pseudo-element."""


@dataclass(slots=True)
class Compound:
    """It has the simple selectors of one element, and how that hangs on the one before it."""

    combinator: str = ""
    keys: set[str] = field(default_factory=set)
    """An element without them cannot match."""
    tests: list[Test] = field(default_factory=list)
    specificity: Specificity = (0, 0, 0)
    is_sure: bool = True
    """Whether an element that it fits surely is one of its elements."""
    weight: int = 0
    """Of simple selectors, those in its lists as well."""

    @property
    def key(self) -> str:
        """That of its keys which the fewest elements have."""
        return max(self.keys, key=lambda key: "<.#".index(key[0]), default="")

    def fits(self, subject: Subject) -> bool:
        return self.keys <= subject.keys and all(test(subject) for test in self.tests)

    def add(self, token: Node, rest: Iterator[Node]) -> None:
        """One simple selector, the rest of which may follow."""
        self.weight += 1
        match token.type, getattr(token, "value", ""):
            case "ident", _:
                self._weigh(0, 0, 1)
                self.keys.add(f"<{token.lower_value}")
            case "hash", name:
                self._weigh(1, 0, 0)
                self.keys.add(f"#{name}")
            case "literal", ".":
                self._weigh(0, 1, 0)
                self.keys.add(f".{_ident(next(rest, None))}")
            case "[] block", _:
                self._weigh(0, 1, 0)
                self.tests.append(_attribute(token.content))
            case "literal", ":":
                self._add_state(next(rest, None))
            case "literal", "&":
                self.is_sure = False
            case "literal", "*":
                pass
            case _:
                raise _NotFollowed

    def _weigh(self, *weights: int) -> None:
        self.specificity = tuple(map(operator.add, self.specificity, weights))

    def _add_state(self, token: Node | None) -> None:
        name = getattr(token, "lower_value", getattr(token, "value", ""))
        if name == ":" or name in _AT_REST_NEVER:
            raise _Never
        if token is not None and token.type == "function":
            self._add_function(token)
        else:
            _ident(token)
            self._weigh(0, 1, 0)
            self._add_known(_STATES.get("any-link" if name == "link" else name))

    def _add_known(self, test: Test | None) -> None:
        self.is_sure &= test is not None
        self.tests += [test] if test else []

    def _add_function(self, token: Node) -> None:
        match token.lower_name:
            case "is" | "where" | "not" | "matches" | "-webkit-any" | "-moz-any":
                self._add_list(token)
            case name:
                found = parse_nth(token.arguments) if name == "nth-child" else None
                self._weigh(0, 1, 0)
                self._add_known(_nth(*found) if found else None)

    def _add_list(self, token: Node) -> None:
        held = []
        for part in split_on_commas(token.arguments):
            with suppress(_Never):
                held.append(_selector(part))
        if token.lower_name != "where":
            self._weigh(*max((each.specificity for each in held), default=(0, 0, 0)))
        options = [each.compounds[0] for each in held]
        is_known = all(len(each.compounds) == 1 and each.is_sure for each in held)
        is_not = token.lower_name == "not"
        self.weight += sum(option.weight for option in options)
        fits: Test = lambda e: any(option.fits(e) for option in options) is not is_not  # noqa: E731
        self._add_known(fits if is_known else None)


@dataclass(frozen=True, slots=True)
class Selector:
    """It has compounds from the outermost to that of the element itself."""

    compounds: tuple[Compound, ...]
    specificity: Specificity = (0, 0, 0)

    @property
    def is_sure(self) -> bool:
        return all(compound.is_sure for compound in self.compounds)


EVERYTHING = Selector((Compound(is_sure=False, weight=1),))
"""It may be any element."""


def selector(tokens: Sequence[Node]) -> Selector | None:
    """One that is not followed may be of any element; None for one that matches none at rest."""
    try:
        return EVERYTHING if len(tokens) > LONGEST_SELECTOR else _selector(tokens)
    except _NotFollowed:
        return EVERYTHING
    except _Never:
        return None


def _selector(tokens: Sequence[Node]) -> Selector:
    parts, waiting = [Compound()], ""
    rest = iter(tokens)
    for token in rest:
        if token.type == "whitespace" or (token.type == "literal" and token.value in ">+~"):
            waiting = token.value.strip() or waiting or " "
            continue
        if waiting:
            parts.append(Compound(waiting))
            waiting = ""
        parts[-1].add(token, rest)
    if waiting or not all(each.weight for each in parts):
        raise _NotFollowed
    weights = zip(*(each.specificity for each in parts), strict=True)
    return Selector(tuple(parts), tuple(map(sum, weights)))


def _ident(token: Node | None) -> str:
    if token is None or token.type != "ident":
        raise _NotFollowed
    return str(token.value)


def _nth(step: int, start: int) -> Test:
    def fits(subject: Subject) -> bool:
        beyond = subject.place - start
        return beyond == 0 or (step != 0 and beyond % step == 0 and beyond // step >= 0)

    return fits


_COMPARED: Mapping[str, Callable[[str, str], bool]] = {
    "=": operator.eq,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(f"{wanted}-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}


def _attribute(content: Iterable[Node]) -> Test:
    """`[name]`, or compared to a value; a flag `i` says that cases do not differ."""
    tokens = [token for token in content if token.type not in ("whitespace", "comment")]
    name = _ident(tokens[0] if tokens else None).lower()
    if len(tokens) == 1:
        return lambda e: name in e.attributes
    compared = _COMPARED.get(getattr(tokens[1], "value", ""))
    if compared is None or len(tokens) < 3 or tokens[2].type not in ("ident", "string"):
        raise _NotFollowed
    flags = [getattr(each, "lower_value", "") for each in tokens[3:]]
    written = str.lower if "i" in flags else str
    wanted = written(tokens[2].value)
    return lambda e: name in e.attributes and compared(written(e.attributes[name] or ""), wanted)
