"""Attributes, rules and its own style declare something for an element, the strongest last."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import tinycss2
from tinycss2.ast import FunctionBlock, Node

from retrieval.parsing.css.properties import Tokens, physical, plain
from retrieval.parsing.css.selectors import Attributes
from retrieval.parsing.css.sheets import Declaration, Rule, declarations
from retrieval.parsing.css.values import token_colour

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
    sizes = [t for t in value if t.type in ("dimension", "percentage", "function") or _is_nought(t)]
    return tuple(sizes[:1])


def _is_nought(token: Node) -> bool:
    return bool(token.type == "number" and token.value == 0)


def _colour_of(value: Tokens) -> Tokens:
    """The colour of a background; none given is none painted, none known is not known."""
    found = [token for token in value if token_colour(token) is not None]
    if found:
        return (found[-1],)
    return _TRANSPARENT if value else ()


_TRANSPARENT: Tokens = tuple(tinycss2.parse_component_value_list("transparent"))
_TOO_MUCH: Tokens = tuple(tinycss2.parse_component_value_list("too-much()"))
"""A function that nobody knows."""
