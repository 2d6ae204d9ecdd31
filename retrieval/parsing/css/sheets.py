"""Style sheets in a page are read with tinycss2 for the rules that can hide text.

They are read as a browser at rest reads them on a screen of 1280 by 800: nothing is under the
pointer, nothing is printed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import tinycss2
from tinycss2.ast import Node

from retrieval.errors import UnreadableDocument
from retrieval.parsing.css.selectors import NotFollowed, Selector, selectors, split_on_commas

PROPERTIES = frozenset(
    "all background background-color background-image bottom clip clip-path color "  # noqa: SIM905
    "content-visibility display filter font font-size height inset left margin margin-left "
    "margin-top max-height max-width opacity overflow overflow-x overflow-y position right scale "
    "text-decoration text-decoration-line text-indent text-shadow top transform translate "
    "visibility width zoom -webkit-text-fill-color".split()
)
"""Of which the visibility of text is made; custom properties can be part of each."""
LONGEST_SHEETS = 2_000_000
"""Characters of style sheets in one page."""
MOST_RULES = 20_000
"""That can hide text, a rule counting once for each of its selectors."""
_DEEPEST = 32
"""Rules within rules."""
_LONGEST_SELECTOR = 200
"""Tokens; a longer one is not followed."""
_TOO_MUCH = "holds more style rules than are followed to see what they hide; save it without styles"

Tokens = tuple[Node, ...]


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


@dataclass(slots=True)
class Sheets:
    """They have the rules of all sheets of a page in order."""

    rules: list[Rule] = field(default_factory=list)
    not_followed: list[str] = field(default_factory=list)
    """Selectors of rules that hide something, it is not known what."""
    imports: bool = False
    """Whether a sheet that is not in the file belongs to the page."""


def read_sheets(texts: Iterable[str]) -> Sheets:
    """Raise `UnreadableDocument` where there is too much of them."""
    found, length = Sheets(), 0
    for text in texts:
        length += len(text)
        if length > LONGEST_SHEETS:
            raise UnreadableDocument(_TOO_MUCH)
        nodes = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
        _Reader(found).read(nodes)
    return found


def declarations(content: str | Iterable[Node]) -> tuple[Declaration, ...]:
    """Those of a `style` attribute or of a rule that bear on what is seen."""
    nodes = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    return tuple(_declared(nodes))


def _declared(nodes: Iterable[Node]) -> Iterator[Declaration]:
    for node in nodes:
        if node.type == "declaration":
            custom = node.name.startswith("--")
            name = node.name if custom else node.lower_name
            if custom or name in PROPERTIES:
                value = tuple(t for t in node.value if t.type not in ("whitespace", "comment"))
                yield Declaration(name, value, node.important)


class _Reader:
    """It walks through sheets, with what stands around a rule."""

    def __init__(self, found: Sheets) -> None:
        self._found = found

    def read(
        self,
        nodes: Iterable[Node],
        above: Sequence[Sequence[Node]] = (),
        *,
        in_layer: bool = False,
        depth: int = 0,
    ) -> None:
        if depth > _DEEPEST:
            raise UnreadableDocument(_TOO_MUCH)
        for node in nodes:
            if node.type == "qualified-rule":
                self._rule(node, above, in_layer, depth)
            elif node.type == "at-rule":
                self._at_rule(node, above, in_layer, depth)

    def _rule(
        self, node: Node, above: Sequence[Sequence[Node]], in_layer: bool, depth: int
    ) -> None:
        own = list(split_on_commas(node.prelude))
        if len(own) * max(1, len(above)) + len(self._found.rules) > MOST_RULES:
            raise UnreadableDocument(_TOO_MUCH)
        preludes = [_nested(part, outer) for part in own for outer in above] if above else own
        nodes = tinycss2.parse_blocks_contents(
            node.content, skip_comments=True, skip_whitespace=True
        )
        self._add(preludes, tuple(_declared(nodes)), in_layer)
        self.read(nodes, preludes, in_layer=in_layer, depth=depth + 1)

    def _add(
        self,
        preludes: Iterable[Sequence[Node]],
        declared: tuple[Declaration, ...],
        in_layer: bool,
    ) -> None:
        for prelude in preludes if declared else ():
            if len(prelude) > _LONGEST_SELECTOR:
                self._left(tinycss2.serialize(prelude[:_LONGEST_SELECTOR]), declared)
                continue
            try:
                for selector in selectors(prelude):
                    self._found.rules.append(Rule(selector, declared, in_layer))
            except NotFollowed:
                self._left(tinycss2.serialize(prelude), declared)

    def _left(self, selector: str, declared: Iterable[Declaration]) -> None:
        if any(may_hide(each) for each in declared):
            self._found.not_followed.append(" ".join(selector.split()))

    def _at_rule(
        self, node: Node, above: Sequence[Sequence[Node]], in_layer: bool, depth: int
    ) -> None:
        name = node.lower_at_keyword
        if name == "import":
            self._found.imports = True
        if node.content is None or name not in ("media", "supports", "layer", "container", "scope"):
            return
        inner = tinycss2.parse_blocks_contents(
            node.content, skip_comments=True, skip_whitespace=True
        )
        if name in ("container", "scope"):
            if any(may_hide(each) for each in _all_declared(inner, depth)):
                self._found.not_followed.append(f"@{name}")
        elif name == "layer" or _holds(name, node.prelude):
            self._add(above, tuple(_declared(inner)), in_layer)  # nested in a rule
            layered = in_layer or name == "layer"
            self.read(inner, above, in_layer=layered, depth=depth + 1)


def _all_declared(nodes: Iterable[Node], depth: int) -> Iterator[Declaration]:
    for node in nodes:
        yield from _declared([node])
        if getattr(node, "content", None) and depth < _DEEPEST:
            inner = tinycss2.parse_blocks_contents(node.content, skip_whitespace=True)
            yield from _all_declared(inner, depth + 1)


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


_HIDING_WORDS = frozenset(
    {"none", "hidden", "collapse", "transparent", "absolute", "fixed", "white"}
)


def may_hide(declaration: Declaration) -> bool:
    """Whether it is of those that usually hide: a number near nothing, or such a word."""
    return any(
        (token.type == "ident" and token.lower_value in _HIDING_WORDS)
        or (
            token.type in ("number", "dimension", "percentage")
            and declaration.name in ("opacity", "font-size", "height", "width", "max-height")
            and token.value <= 1
        )
        for token in declaration.value
    )


def _holds(name: str, prelude: Sequence[Node]) -> bool:
    """Whether what stands under the condition is in force."""
    queries = [[t for t in query if t.type != "whitespace"] for query in split_on_commas(prelude)]
    if name == "supports":  # of features that browsers of today have, as most are that are asked
        return not any(_is_word(query[:1], "not") for query in queries)
    return any(_query_holds(query) for query in queries)


def _query_holds(query: list[Node]) -> bool:
    """A media query; one with a feature that is not known does not hold."""
    negated = _is_word(query[:1], "not")
    if negated or _is_word(query[:1], "only"):
        query = query[1:]
    parts = [token for token in query if not _is_word([token], "and")]
    holds = all(_part_holds(part) for part in parts)
    return holds != negated


def _is_word(tokens: Sequence[Node], word: str) -> bool:
    return bool(tokens) and tokens[0].type == "ident" and tokens[0].lower_value == word


def _part_holds(token: Node) -> bool:
    if token.type == "ident":
        return token.lower_value in ("all", "screen")
    if token.type != "() block":
        return False
    held = [t for t in token.content if t.type not in ("whitespace", "comment")]
    if len(held) < 3 or held[0].type != "ident":
        return False
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
}
_SIZES: Mapping[str, float] = {"width": 1280.0, "height": 800.0}
_EM = 16.0


def _feature_holds(name: str, comparison: str, value: Node) -> bool:
    if value.type == "ident":
        return comparison == ":" and _OF_THE_SCREEN.get(name) == value.lower_value
    size = _SIZES.get(name.removeprefix("min-").removeprefix("max-"))
    if value.type not in ("number", "dimension") or size is None:
        return False
    pixels = value.value * (_EM if getattr(value, "lower_unit", "px") in ("em", "rem") else 1.0)
    if comparison in (">", ">=") or (comparison, name[:4]) == (":", "min-"):
        return bool(size >= pixels)
    if comparison in ("<", "<=") or (comparison, name[:4]) == (":", "max-"):
        return bool(size <= pixels)
    return False
