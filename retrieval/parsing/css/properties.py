"""Which properties bear on whether text is seen.

A property is understood, or is known to hide nothing, or leaves it in doubt whether text is seen:
so one that browsers learn tomorrow is in doubt until somebody has looked at it.
"""

import re

from tinycss2.ast import Node

Tokens = tuple[Node, ...]

LENGTHS = frozenset(
    "bottom font-size height inset left letter-spacing line-height margin margin-left margin-top "  # noqa: SIM905
    "max-height max-width padding padding-left right text-indent top translate "
    "width".split()
)
OTHERS = frozenset(
    "all animation animation-name background background-color background-image clip "  # noqa: SIM905
    "clip-path color contain content-visibility display filter font opacity overflow position "
    "rotate scale text-decoration text-decoration-line text-shadow transform visibility "
    "zoom".split()
)
_LOGICAL = re.compile(
    r"(?P<kind>inset|margin|padding)-(?P<axis>block|inline)(?:-(?P<end>start|end))?"
    r"|(?P<most>max-)?(?P<size>block|inline)-size"
)
_SIDES = {("block", "start"): "top", ("block", "end"): "bottom"} | {
    ("inline", "start"): "left",
    ("inline", "end"): "right",
}
_SAME = {
    "overflow-x": "overflow",
    "overflow-y": "overflow",
    "overflow-block": "overflow",
    "overflow-inline": "overflow",
    "text-fill-color": "color",
}
HARMLESS = re.compile(
    r"(?:accent|align|animation-|appearance|aspect|backface|background-|block-step|border|box|break"
    r"|caption|caret|clear|color-scheme|column|contain-intrinsic|container|counter|cursor"
    r"|dominant|empty|fill|flex|float|flow|font-(?!size)|forced|gap|grid|hanging|highlight|hyphen"
    r"|image|initial-letter|interpolate|isolation|justify|kerning|line-break|list-style"
    r"|margin-(?:bottom|right|trim)|marker|min-|mso-|nav|object|order|orphans|outline|overflow-"
    r"|overscroll|padding-(?:bottom|right|top)|page|paint|perspective|place|pointer|print|quotes|resize|row-gap|ruby"
    r"|scroll|shape|size$|speak|src$|stroke|table|tab-size|tap-highlight|text-(?:align|anchor|box"
    r"|combine|decoration-|emphasis|justify|orientation|overflow|rendering|size-adjust|spacing"
    r"|stroke|transform|underline|wrap)|touch|transform-(?:box|origin|style)|transition|unicode-range|user-"
    r"|vertical-align|view-transition|white-space|widows|will-change|word-(?:break|wrap)"
    r"|writing-mode|z-index|direction$|behavior$|osx-|font-smoothing|overflow-scrolling)"
)
"""Beginnings of the names of properties that hide no text by themselves, without a maker's prefix;
the margins and paddings among them stand behind the text."""
_ALIAS = re.compile(r"-(?:webkit|moz)-")
_IGNORED = re.compile(r"-(?:ms|o|khtml|apple|epub)-|_|mso-")
"""Of makers whose prefixes no browser of today knows."""


def plain(name: str) -> str:
    """A property by the name that it has without a maker's prefix."""
    name = _ALIAS.sub("", name, count=1) if name[:1] == "-" else name
    return _SAME.get(name, name)


def physical(name: str) -> tuple[str, ...]:
    """The properties that a logical one stands for where text runs as in English."""
    found = _LOGICAL.fullmatch(name)
    if found is None:
        return (name,)
    if found["size"]:
        side = "height" if found["size"] == "block" else "width"
        return (f"{found['most'] or ''}{side}",)
    ends = (found["end"],) if found["end"] else ("start", "end")
    prefix = "" if found["kind"] == "inset" else f"{found['kind']}-"
    return tuple(f"{prefix}{_SIDES[found['axis'], end]}" for end in ends)


def bears_on_seeing(name: str) -> bool:
    """Whether a property can have to do with what is seen, as far as is known."""
    if _IGNORED.match(name):
        return False
    name = plain(name)
    may_be_empty = name.startswith("grid")
    return name in LENGTHS or name in OTHERS or may_be_empty or not HARMLESS.match(name)
