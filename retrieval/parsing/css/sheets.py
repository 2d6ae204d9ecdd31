"""Style sheets are read for rules that can hide text, as on a screen of 1280 by 800 at rest."""

from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, takewhile
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

import tinycss2
from tinycss2.ast import FunctionBlock, Node, WhitespaceToken

from retrieval.errors import UnreadableDocument
from retrieval.parsing.css.selectors import LONGEST_SELECTOR, Attributes, Selector, selector
from retrieval.parsing.css.values import (
    HIGH,
    WEIGHT,
    WIDE,
    Tokens,
    bears_on_seeing,
    is_taken,
    plain,
    split_on_commas,
    token_colour,
    token_pixels,
    word,
)

CONDITIONS = frozenset({"media", "supports", "layer", "container", "scope", "starting-style"})


def condition_holds(name: str, prelude: Sequence[Node]) -> bool | None:
    """Whether what stands under the condition is in force; None where that is not known."""
    queries = [[t for t in query if t.type != "whitespace"] for query in split_on_commas(prelude)]
    if name == "media":
        held = [_query_holds(query) for query in queries]
        return True if True in held else None if None in held else False
    if name == "supports":  # features that browsers of today have, as most are that are asked
        words = [t for t in queries[0] if t.type != "() block"]
        return True if all(t.type == "ident" and not _is_word(t, "not") for t in words) else None
    return True if name == "layer" else None


def _is_word(token: Node, *words: str) -> bool:
    return token.type == "ident" and token.lower_value in words


def _query_holds(query: list[Node]) -> bool | None:
    """Whether a media query holds; None where it asks for a feature that is not known."""
    is_not = bool(query) and _is_word(query[0], "not")
    query = query[1:] if query and _is_word(query[0], "not", "only") else query
    held = [_part_holds(token) for token in query if not _is_word(token, "and")]
    holds = False if False in held else None if None in held else True
    return None if holds is None else holds is not is_not


def _part_holds(token: Node) -> bool | None:
    if token.type == "ident":
        return token.lower_value in ("all", "screen")
    held = [t for t in getattr(token, "content", ()) if t.type not in ("whitespace", "comment")]
    if token.type != "() block" or len(held) < 3 or held[0].type != "ident":
        return None
    comparison = "".join(str(getattr(t, "value", "?")) for t in held[1:-1])
    return _feature_holds(held[0].lower_value, comparison, held[-1])


_OF_THE_SCREEN = dict(
    each.split(":")
    for each in "orientation:landscape prefers-color-scheme:light hover:hover any-hover:hover "  # noqa: SIM905
    "pointer:fine any-pointer:fine scripting:enabled prefers-reduced-motion:no-preference "
    "prefers-contrast:no-preference prefers-reduced-transparency:no-preference forced-colors:none "
    "inverted-colors:none display-mode:browser color-gamut:srgb update:fast".split()
)
_SIZES: Mapping[str, float] = {"width": WIDE, "height": HIGH}
_EM = 16.0


def _feature_holds(name: str, comparison: str, value: Node) -> bool | None:
    if value.type == "ident":
        known = _OF_THE_SCREEN.get(name)
        return None if known is None or comparison != ":" else known == value.lower_value
    size = _SIZES.get(name.removeprefix("min-").removeprefix("max-"))
    bound = None if value.type == "function" else token_pixels(value, _EM)
    if size is None or bound is None:
        return None
    match name[:4] if comparison == ":" else comparison:
        case "min-" | ">" | ">=":
            return size >= bound
        case "max-" | "<" | "<=":
            return size <= bound
        case _:
            return None


LONGEST_SHEETS = 2_000_000
MOST_RULES = 50_000
"""Of a sheet, a rule counting once for each of its selectors, and for those around it."""
MOST_READ = 10 * MOST_RULES
"""Of all chapters of a book together, but for those that have the same sheets."""
_DEEPEST = 32
"""Rules within rules."""
_NO_MEDIA = frozenset({"url", "string", "layer", "supports"})
"""What else stands in an `@import`."""
TOO_MUCH = "holds more style rules than are followed to see what they hide; save it without styles"


@dataclass(frozen=True, slots=True)
class Declaration:
    name: str
    value: Tokens
    important: bool


@dataclass(frozen=True, slots=True)
class Rule:
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


class Sheet(NamedTuple):
    """A style sheet stands in a page."""

    text: str
    media: str = ""
    """For which it is; empty for all."""


class SheetReader:
    """It reads the sheets of one document, each once."""

    def __init__(self) -> None:
        self._known: dict[Sheet, Sheets] = {}
        self._length = self._rules = 0

    def read(self, sheets: Sequence[Sheet]) -> Sheets:
        """What some say together, the last strongest; raise `UnreadableDocument` for too much."""
        found = Sheets()
        for sheet in reversed(dict.fromkeys(reversed(sheets))):
            held = self._held(sheet)
            found.rules += held.rules
            found.frames |= held.frames
            found.imports |= held.imports
        self._rules += len(found.rules)
        if len(found.rules) > MOST_RULES or self._rules > MOST_READ:
            raise UnreadableDocument(TOO_MUCH)
        return found

    def _held(self, sheet: Sheet) -> Sheets:
        if sheet not in self._known:
            self._length += len(sheet.text)
            if self._length > LONGEST_SHEETS:
                raise UnreadableDocument(TOO_MUCH)
            self._known[sheet] = Sheets()
            try:
                media = tinycss2.parse_component_value_list(sheet.media)
                _Reader(self._known[sheet]).read_sheet(sheet.text, media)
            except (RecursionError, ValueError) as error:  # or a number of thousands of digits
                raise UnreadableDocument(TOO_MUCH) from error
        return self._known[sheet]


def _held_in(content: str | Iterable[Node]) -> list[Node]:
    try:
        found = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    except ValueError as error:
        raise UnreadableDocument(TOO_MUCH) from error
    return list(found)


def declarations(content: str | Iterable[Node]) -> tuple[Declaration, ...]:
    """Those of a `style` attribute or of a rule that bear on what is seen."""
    return _declared(_held_in(content))


def _declared(nodes: Iterable[Node]) -> tuple[Declaration, ...]:
    """The last of each counts: a sheet may state one property over and over."""
    kept: dict[tuple[str, bool], Declaration] = {}
    for node in nodes:
        if node.type == "declaration":
            key = node.name if node.name.startswith("--") else node.lower_name, node.important
            value = tuple(t for t in node.value if t.type not in ("whitespace", "comment"))
            if bears_on_seeing(key[0]) and is_taken(plain(key[0]), value):
                kept.pop(key, None)
                kept[key] = Declaration(key[0], value, node.important)
    return tuple(kept.values())


@dataclass(frozen=True)
class _Prelude:
    """What stands before a block, between two commas; however many blocks, it is read once."""

    own: Sequence[Node]
    outer: "_Prelude | None" = None

    @cached_property
    def tokens(self) -> Sequence[Node]:
        return _nested(self.own, self.outer.tokens) if self.outer else self.own

    @cached_property
    def selector(self) -> Selector | None:
        return selector(self.tokens)

    @cached_property
    def text(self) -> str:
        return " ".join(tinycss2.serialize(self.tokens[:LONGEST_SELECTOR]).split())


@dataclass(frozen=True, slots=True)
class _Around:
    preludes: "Sequence[_Prelude]" = ()
    in_layer: bool = False
    is_sure: bool = True
    depth: int = 0


class _Reader:
    def __init__(self, found: Sheets) -> None:
        self._found = found
        self._made = 0

    def read_sheet(self, text: str, media: Sequence[Node], *, in_layer: bool = False) -> None:
        holds = condition_holds("media", media)
        if holds is not False:
            nodes = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
            self._read(nodes, _Around(in_layer=in_layer, is_sure=holds is True))

    def _read(self, nodes: Sequence[Node], around: _Around) -> None:
        """What a block declares for the rules around it, and the rules in it."""
        if around.depth > _DEEPEST:
            raise UnreadableDocument(TOO_MUCH)
        declared = _declared(nodes)
        for prelude in around.preludes if declared else ():
            if found := prelude.selector:
                is_sure = around.is_sure and found.is_sure
                text = "" if is_sure else prelude.text
                self._found.rules.append(Rule(found, declared, around.in_layer, is_sure, text))
        for node in nodes:
            if node.type == "qualified-rule":
                self._rule(node, around)
            elif node.type == "at-rule":
                self._at_rule(node, around)

    def _rule(self, node: Node, around: _Around) -> None:
        own, above = split_on_commas(node.prelude), around.preludes
        self._count(len(own) * max(1, len(above)))
        preludes = [_Prelude(part, outer) for part in own for outer in above or (None,)]
        within = replace(around, preludes=preludes, depth=around.depth + 1)
        self._read(_held_in(node.content), within)

    def _count(self, rules: int) -> None:
        self._made += rules
        if self._made > MOST_RULES:
            raise UnreadableDocument(TOO_MUCH)

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
            self._count(len(around.preludes))
            within = replace(
                around,
                is_sure=around.is_sure and holds is True,
                in_layer=around.in_layer or name == "layer",
                depth=around.depth + 1,
            )
            self._read(_held_in(node.content), within)

    def _import(self, prelude: Sequence[Node]) -> None:
        """A sheet that stands in the address itself; any other is not read."""
        held = [each for token in prelude for each in (token, *getattr(token, "arguments", ()))]
        addresses = (token.value for token in held if token.type in ("url", "string"))
        text = sheet_in_address(next(addresses, ""))
        self._found.imports |= text is None
        if text is not None:
            self._count(1)
            names = [getattr(t, "lower_name", getattr(t, "lower_value", t.type)) for t in prelude]
            media = [t for t, name in zip(prelude, names, strict=True) if name not in _NO_MEDIA]
            self.read_sheet(text, media, in_layer="layer" in names)


def _last_frame(node: Node) -> dict[str, tuple[Declaration, ...]]:
    names = [token.value for token in node.prelude if token.type in ("ident", "string")]
    last = [
        each
        for frame in _held_in(node.content)
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
    place = next((i for i, each in enumerate(own) if each == "&"), None)
    if place is None:
        whole = [*outer, WhitespaceToken(0, 0, " "), *own]
    else:
        whole = [*own[:place], *outer, *own[place + 1 :]]
    return whole[: LONGEST_SELECTOR + 1]


_MOST_TOKENS = 500
"""That are looked at to fill in the variables of a value."""
_FEW = 10
"""Variables that are handed on in about the time of a test."""
_DEEPEST_VARIABLES = 8
"""Variables within variables."""
Variables = Mapping[str, Tokens]
Spend = Callable[[int], None]


def declared(
    attributes: Attributes, rules: Iterable[Rule], variables: Variables, spend: Spend
) -> tuple[dict[str, Tokens], Variables]:
    """The values of properties, and variables handed on; `spend` hears how much is looked at."""
    of_rules = [each for rule in rules for each in rule.declarations]
    ranked = [*of_rules, *declarations(attributes.get("style") or "")]
    ranked.sort(key=lambda each: each.important)
    if own := {each.name: each.value for each in ranked if each.name.startswith("--")}:
        spend((len(own) + len(variables)) // _FEW)
        variables = {**variables, **own}
    values: dict[str, Tokens] = {}
    for each in ranked:
        if not each.name.startswith("--"):
            filling = _Filling(variables, spend)
            values |= _longhands(plain(each.name), filling.filled(each.value))
    return values, variables


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
            if self.looked_at > _MOST_TOKENS or depth > _DEEPEST_VARIABLES:
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
        case "animation":
            return {"animation-name": value}
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
