"""Attributes, rules and its own style declare something for an element, the strongest last."""

from collections.abc import Iterable, Iterator, Mapping

import tinycss2
from tinycss2.ast import Node

from retrieval.parsing.css.selectors import Attributes
from retrieval.parsing.css.sheets import Declaration, Rule, Tokens, declarations
from retrieval.parsing.css.values import token_colour

_MOST_TOKENS = 500
"""That variables may grow a value to."""
_DEEPEST = 8
"""Variables within variables."""
Variables = Mapping[str, Tokens]


def declared(
    attributes: Attributes, rules: Iterable[Rule], variables: Variables
) -> tuple[dict[str, Tokens], Variables]:
    """The value of each property, variables filled in, and the variables it hands on."""
    ranked = _ranked(attributes, rules)
    if any(each.name.startswith("--") for each in ranked):
        own = {each.name: each.value for each in ranked if each.name.startswith("--")}
        variables = {**variables, **own}
    values: dict[str, Tokens] = {}
    for each in ranked:
        if not each.name.startswith("--"):
            values.update(_longhands(each.name, filled(each.value, variables)))
    return values, variables


def _ranked(attributes: Attributes, rules: Iterable[Rule]) -> list[Declaration]:
    of_rules = [each for rule in rules for each in rule.declarations]
    ranked = [*of_rules, *declarations(attributes.get("style") or "")]
    return sorted(ranked, key=lambda each: each.important)


def filled(value: Tokens, variables: Variables, depth: int = 0) -> Tokens:
    """With each `var()` replaced; nothing where one is not known."""
    if not any(token.type == "function" for token in value):
        return value
    found: list[Node] = []
    for token in value:
        if token.type == "function" and token.lower_name == "var":
            found.extend(_of_variable(token, variables, depth))
        else:
            found.append(token)
        if len(found) > _MOST_TOKENS:
            return ()
    return tuple(found)


def _of_variable(token: Node, variables: Variables, depth: int) -> Tokens:
    held = [t for t in token.arguments if t.type not in ("whitespace", "comment")]
    if not held or held[0].type != "ident" or depth > _DEEPEST:
        return ()
    known = variables.get(held[0].value)
    return filled(tuple(held[2:]) if known is None else known, variables, depth + 1)


def _longhands(name: str, value: Tokens) -> Iterator[tuple[str, Tokens]]:
    """A shorthand as what it stands for, as far as that bears on what is seen."""
    match name:
        case "background":
            yield "background-color", _colour_of(value)
            yield "background-image", tuple(t for t in value if t.type in ("function", "url"))
        case "font":
            sizes = [t for t in value if t.type in ("dimension", "percentage")]
            yield "font-size", tuple(sizes[:1])
        case "inset" | "margin":
            prefix = "margin-" if name == "margin" else ""
            yield f"{prefix}top", value[:1]
            yield f"{prefix}left", value[3:4] or value[1:2] or value[:1]
            if not prefix:
                yield "right", value[1:2] or value[:1]
                yield "bottom", value[2:3] or value[:1]
        case "overflow-x" | "overflow-y":
            yield "overflow", value
        case "text-decoration":
            yield "text-decoration-line", value
        case "-webkit-text-fill-color":
            yield "color", value
        case _:
            yield name, value


def _colour_of(value: Tokens) -> Tokens:
    """The colour of a background; none given is none painted, none known is not known."""
    found = [token for token in value if token_colour(token) is not None]
    if found:
        return (found[-1],)
    plain = all(t.type in ("url", "dimension", "percentage", "number", "literal") for t in value)
    words = all(t.type != "function" or t.lower_name != "var" for t in value)
    return _TRANSPARENT if value and (plain or words) else ()


_TRANSPARENT: Tokens = tuple(tinycss2.parse_component_value_list("transparent"))
