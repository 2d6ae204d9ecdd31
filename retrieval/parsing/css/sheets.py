"""Style sheets in a page are read with tinycss2 for the rules that can hide text.

They are read as a browser at rest reads them on a screen of 1280 by 800: nothing is under the
pointer, nothing is printed.
"""

from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import unquote_to_bytes

import tinycss2
from tinycss2.ast import Node

from retrieval.errors import UnreadableDocument
from retrieval.parsing.css.selectors import (
    EVERYTHING,
    NotFollowed,
    Selector,
    selectors,
    split_on_commas,
)
from retrieval.parsing.css.values import Tokens, bears_on_seeing

CONDITIONS = frozenset({"media", "supports", "layer", "container", "scope", "starting-style"})
"""Rules of a sheet that hold others."""


def condition_holds(name: str, prelude: Sequence[Node]) -> bool | None:
    """Whether what stands under the condition is in force; None where that is not known."""
    queries = [[t for t in query if t.type != "whitespace"] for query in split_on_commas(prelude)]
    match name:
        case "layer":
            return True
        case "supports":  # features that browsers of today have, as most are that are asked
            plain = all(token.type in ("() block", "ident") for token in queries[0])
            return None if not plain or any(_is_word([t], "not") for t in queries[0]) else True
        case "media":
            held = [_query_holds(query) for query in queries]
            return True if True in held else None if None in held else False
        case _:
            return None


def _query_holds(query: list[Node]) -> bool | None:
    """Whether a media query holds; None where it asks for a feature that is not known."""
    negated = _is_word(query[:1], "not")
    if negated or _is_word(query[:1], "only"):
        query = query[1:]
    held = [_part_holds(token) for token in query if not _is_word([token], "and")]
    holds = False if False in held else None if None in held else True
    return None if holds is None else holds != negated


def _is_word(tokens: Sequence[Node], word: str) -> bool:
    return bool(tokens) and tokens[0].type == "ident" and tokens[0].lower_value == word


def _part_holds(token: Node) -> bool | None:
    if token.type == "ident":
        return token.lower_value in ("all", "screen")
    held = [t for t in getattr(token, "content", ()) if t.type not in ("whitespace", "comment")]
    if token.type != "() block" or len(held) < 3 or held[0].type != "ident":
        return None
    comparison = "".join(str(getattr(t, "value", "?")) for t in held[1:-1])
    return _feature_holds(held[0].lower_value, comparison, held[-1])


_OF_THE_SCREEN: Mapping[str, str] = {
    "orientation": "landscape",
    "prefers-color-scheme": "light",
    "prefers-reduced-motion": "no-preference",
    "hover": "hover",
    "any-hover": "hover",
    "pointer": "fine",
    "any-pointer": "fine",
    "scripting": "enabled",
    "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference",
    "forced-colors": "none",
    "inverted-colors": "none",
    "display-mode": "browser",
    "color-gamut": "srgb",
    "update": "fast",
}
_SIZES: Mapping[str, float] = {"width": 1280.0, "height": 800.0}
_EM = 16.0


def _feature_holds(name: str, comparison: str, value: Node) -> bool | None:
    if value.type == "ident":
        known = _OF_THE_SCREEN.get(name)
        return None if known is None or comparison != ":" else known == value.lower_value
    size = _SIZES.get(name.removeprefix("min-").removeprefix("max-"))
    if value.type not in ("number", "dimension") or size is None:
        return None
    pixels = value.value * (_EM if getattr(value, "lower_unit", "px") in ("em", "rem") else 1.0)
    if comparison in (">", ">=") or (comparison, name[:4]) == (":", "min-"):
        return bool(size >= pixels)
    if comparison in ("<", "<=") or (comparison, name[:4]) == (":", "max-"):
        return bool(size <= pixels)
    return None


LONGEST_SHEETS = 2_000_000
"""Characters of style sheets in one document."""
MOST_RULES = 50_000
"""Of a sheet, a rule counting once for each of its selectors, and for those around it."""
MOST_READ = 10 * MOST_RULES
"""Of all chapters of a book together, but for those that have the same sheets."""
_DEEPEST = 32
"""Rules within rules."""
_LONGEST_SELECTOR = 200
"""Tokens; a longer one is not followed."""
TOO_MUCH = "holds more style rules than are followed to see what they hide; save it without styles"


@dataclass(frozen=True, slots=True)
class Declaration:
    """It is a property and what it is set to."""

    name: str
    value: Tokens
    important: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """It declares something for the elements of one selector."""

    selector: Selector
    declarations: tuple[Declaration, ...]
    in_layer: bool = False
    """Rules in a layer give way to all that stand in none."""
    is_sure: bool = True
    """Else it may hold, for some of these elements, or not."""
    text: str = ""
    """Its selector as it stands, where it is not sure."""


@dataclass(slots=True)
class Sheets:
    """They have the rules of one sheet, or of several, in order."""

    rules: list[Rule] = field(default_factory=list)
    frames: dict[str, tuple[Declaration, ...]] = field(default_factory=dict)
    """How animations end, by their names."""
    imports: bool = False
    """Whether a sheet that is not in the file belongs to the page."""


class SheetReader:
    """It reads the sheets of one document, each text once."""

    def __init__(self) -> None:
        self._known: dict[str, Sheets] = {}
        self._length = self._rules = 0

    def read(self, texts: Sequence[str]) -> Sheets:
        """What some of them say together, the last strongest.

        Raise `UnreadableDocument` where there is too much of them.
        """
        found = Sheets()
        for text in reversed(dict.fromkeys(reversed(texts))):
            sheet = self._sheet(text)
            found.rules += sheet.rules
            found.frames |= sheet.frames
            found.imports |= sheet.imports
        self._rules += len(found.rules)
        if len(found.rules) > MOST_RULES or self._rules > MOST_READ:
            raise UnreadableDocument(TOO_MUCH)
        return found

    def _sheet(self, text: str) -> Sheets:
        if text not in self._known:
            self._length += len(text)
            if self._length > LONGEST_SHEETS:
                raise UnreadableDocument(TOO_MUCH)
            self._known[text] = Sheets()
            try:
                _Reader(self._known[text]).read(_rules_of(text))
            except RecursionError as error:
                raise UnreadableDocument(TOO_MUCH) from error
        return self._known[text]


def _rules_of(text: str) -> list[Node]:
    found: list[Node] = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    return found


def declarations(content: str | Iterable[Node]) -> tuple[Declaration, ...]:
    """Those of a `style` attribute or of a rule that bear on what is seen."""
    nodes = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    return _last_of_each(_declared(nodes))


def _last_of_each(declared: Iterable[Declaration]) -> tuple[Declaration, ...]:
    """Those that count: a sheet may state one property over and over."""
    kept: dict[tuple[str, bool], Declaration] = {}
    for each in declared:
        key = each.name, each.important
        kept.pop(key, None)
        kept[key] = each
    return tuple(kept.values())


def _declared(nodes: Iterable[Node]) -> Iterator[Declaration]:
    for node in nodes:
        if node.type == "declaration":
            custom = node.name.startswith("--")
            name = node.name if custom else node.lower_name
            if custom or bears_on_seeing(name):
                value = tuple(t for t in node.value if t.type not in ("whitespace", "comment"))
                yield Declaration(name, value, node.important)


@dataclass(frozen=True)
class _Prelude:
    """What stands before a block, between two commas; however many blocks, it is read once."""

    own: Sequence[Node]
    outer: "_Prelude | None" = None

    @cached_property
    def tokens(self) -> Sequence[Node]:
        return _nested(self.own, self.outer.tokens) if self.outer else self.own

    @cached_property
    def selectors(self) -> list[Selector]:
        if len(self.tokens) > _LONGEST_SELECTOR:
            return [EVERYTHING]
        try:
            return selectors(self.tokens)
        except NotFollowed:
            return [EVERYTHING]

    @cached_property
    def text(self) -> str:
        return " ".join(tinycss2.serialize(self.tokens[:_LONGEST_SELECTOR]).split())


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around a rule."""

    preludes: "Sequence[_Prelude]" = ()
    in_layer: bool = False
    is_sure: bool = True
    depth: int = 0


class _Reader:
    """It walks through a sheet."""

    def __init__(self, found: Sheets) -> None:
        self._found = found
        self._made = 0

    def read(self, nodes: Iterable[Node], around: _Around = _Around()) -> None:
        if around.depth > _DEEPEST:
            raise UnreadableDocument(TOO_MUCH)
        for node in nodes:
            if node.type == "qualified-rule":
                self._rule(node, around)
            elif node.type == "at-rule":
                self._at_rule(node, around)

    def _rule(self, node: Node, around: _Around) -> None:
        own, above = list(split_on_commas(node.prelude)), around.preludes
        self._count(len(own) * max(1, len(above)))
        preludes = [_Prelude(part, outer) for part in own for outer in above or (None,)]
        nodes = _inner(node)
        self._add(_last_of_each(_declared(nodes)), replace(around, preludes=preludes))
        self.read(nodes, replace(around, preludes=preludes, depth=around.depth + 1))

    def _count(self, rules: int) -> None:
        self._made += rules
        if self._made > MOST_RULES:
            raise UnreadableDocument(TOO_MUCH)

    def _add(self, declared: tuple[Declaration, ...], around: _Around) -> None:
        for prelude in around.preludes if declared else ():
            for selector in prelude.selectors:
                is_sure = around.is_sure and selector.is_sure
                text = "" if is_sure else prelude.text
                self._found.rules.append(Rule(selector, declared, around.in_layer, is_sure, text))

    def _at_rule(self, node: Node, around: _Around) -> None:
        name = node.lower_at_keyword
        if name == "import":
            self._import(node.prelude)
        if name.endswith("keyframes") and node.content is not None:
            self._found.frames |= _last_frame(node)
        if name not in CONDITIONS or node.content is None:
            return
        holds = condition_holds(name, node.prelude)
        if holds is not False:
            inner = _inner(node)
            self._count(len(around.preludes))
            around = replace(around, is_sure=around.is_sure and holds is True)
            around = replace(around, in_layer=around.in_layer or name == "layer")
            self._add(_last_of_each(_declared(inner)), around)  # nested in a rule
            self.read(inner, replace(around, depth=around.depth + 1))

    def _import(self, prelude: Sequence[Node]) -> None:
        """A sheet that stands in the address itself; any other is not read."""
        held = [each for token in prelude for each in (token, *getattr(token, "arguments", ()))]
        addresses = (token.value for token in held if token.type in ("url", "string"))
        text = sheet_in_address(next(addresses, ""))
        self._found.imports |= text is None
        if text is not None:
            self._count(1)
            self.read(_rules_of(text))


def _inner(node: Node) -> list[Node]:
    found: list[Node] = tinycss2.parse_blocks_contents(
        node.content, skip_comments=True, skip_whitespace=True
    )
    return found


def _last_frame(node: Node) -> dict[str, tuple[Declaration, ...]]:
    names = [token.value for token in node.prelude if token.type in ("ident", "string")]
    last = [
        each
        for frame in _inner(node)
        if frame.type == "qualified-rule"
        and any(getattr(t, "value", 0) in ("to", 100) for t in frame.prelude)
        for each in declarations(frame.content)
    ]
    return dict.fromkeys(names, tuple(last))


def sheet_in_address(address: str) -> str | None:
    """The style sheet that an address holds itself (RFC 2397); None for any other address."""
    scheme, _, rest = address.strip().partition(":")
    kind, comma, data = rest.partition(",")
    if scheme.lower() != "data" or not comma:
        return None
    content = unquote_to_bytes(data)
    if kind.lower().endswith(";base64"):
        try:
            content = b64decode(content)
        except ValueError:
            return None
    return content.decode("utf-8", errors="replace")


def _nested(own: Sequence[Node], outer: Sequence[Node]) -> list[Node]:
    """A selector within a rule of another: `&` stands for the outer one, or it comes first."""
    space = tinycss2.parse_component_value_list(" ")
    place = next(
        (i for i, token in enumerate(own) if token.type == "literal" and token.value == "&"), None
    )
    stripped = _stripped(outer)
    if place is None:
        whole = [*stripped, *space, *_stripped(own)]
    else:
        whole = [*own[:place], *stripped, *own[place + 1 :]]
    return whole[: _LONGEST_SELECTOR + 1]


def _stripped(tokens: Sequence[Node]) -> list[Node]:
    kept = list(tokens)
    while kept and kept[0].type == "whitespace":
        kept.pop(0)
    while kept and kept[-1].type == "whitespace":
        kept.pop()
    return kept
