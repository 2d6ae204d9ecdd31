"""MDX is read as Markdown with elements around it, and nothing of it is run."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from retrieval.parsing.placed import PlacedText, join
from retrieval.parsing.templates import is_within

_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,500}\}){0,500}\}){0,2000}\}"
_ATTRIBUTE = re.compile(
    r"(?P<key>[A-Za-z_][\w:.-]*+)(?:\s*+=\s*+(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'"
    rf"|(?P<braces>{_BRACES})))?"
)
_GIVEN = re.sub(r"\?P<\w+>", "?:", _ATTRIBUTE.pattern)
_TAG = re.compile(
    rf"<(?P<name>[A-Za-z][\w.]*+)(?P<given>(?:\s++(?:{_GIVEN}|\{{\.\.\.[^{{}}]*\}}))*+)\s*+"
    r"(?P<closed>/?)>|</(?P<ended>[A-Za-z][\w.]*+)\s*+>"
    r"|(?P<asks>\{[^{}<>\n]{1,200}(?:&&|\?)[ \t]*\(?\s{0,20}(?=<[A-Za-z>]))"
    r"|(?P<otherwise>\)?\s{0,20}:\s{0,20}\(?\s{0,20}(?=<[A-Za-z>]))"
    r"|(?P<asked>\)?\s{0,20}(?::\s{0,20}(?:null|undefined|''|\"\")\s{0,20})?\}(?=[ \t\r]*$))",
    re.MULTILINE,
)
_PANELS = ("TabItem", "Tab", "CodeGroupItem")
_CONDITIONAL = re.compile(r"(?:If|Show|When|Unless|Only|Hide|Feature)(?=[A-Z]|$)")
_SHOWN = ("title", "heading", "header", "summary", "question", "description")
_QUOTED = r"(?:\"([^\"]*)\"|'([^']*)')"
_LABEL, _VALUE = (re.compile(rf"\b{name}:\s*{_QUOTED}") for name in ("label", "value"))
_STYLE = re.compile(rf"([A-Za-z]+)\s*:\s*(?:{_QUOTED}|([\w.%-]+))")
_CAPITAL = re.compile(r"(?=[A-Z])")
_LEADING = re.compile(r"^[ \t]+", re.MULTILINE)
_DEEPEST = 100
_INDENT = 2
"""Of what stands in a component, at the least."""


@dataclass(frozen=True, slots=True)
class _Open:
    name: str
    start: int
    indent: int
    is_block: bool = False
    is_conditional: bool = False
    labels: Mapping[str, str] | None = None
    hides: bool = False


def components(
    text: PlacedText, kept: Sequence[tuple[int, int]]
) -> tuple[PlacedText, list[tuple[int, int]]]:
    """The text as Markdown, and the ranges of its source that hold on an unknown condition."""
    reader = _Reader(text)
    tags = (each for each in _TAG.finditer(text.text) if not is_within(each.start(), kept))
    return join(list(reader.read(tags))), reader.ranges


class _Reader:
    def __init__(self, text: PlacedText) -> None:
        self._text = text
        self._open: list[_Open] = []
        self.ranges: list[tuple[int, int]] = []

    def read(self, tags: Iterator["re.Match[str]"]) -> Iterator[PlacedText]:
        done = 0
        for tag in tags:
            yield from self._dedented(done, tag.start())
            said, done = self._said(tag), tag.end()
            place = self._text.span(tag.start(), done)
            kept = self._text[tag.start() : done]
            yield kept if said is None else PlacedText.in_place_of(said, *place)
        yield from self._dedented(done, len(self._text.text))

    def _dedented(self, start: int, end: int) -> Iterator[PlacedText]:
        """Lines within components, as they would stand without them."""
        blocks = [each for each in self._open if each.is_block]
        if blocks:
            outer, within = blocks[0].indent, blocks[-1].indent + _INDENT
            for found in _LEADING.finditer(self._text.text, start, end):
                stays = min(outer, len(found[0]))
                yield self._text[start : found.start() + stays]
                start = min(found.end(), max(found.start() + within, found.start() + stays))
        yield self._text[start:end]

    def _said(self, tag: "re.Match[str]") -> str | None:
        """What a tag reads as; None where it stands as it is."""
        if tag["ended"] is None and tag["asked"] is None and len(self._open) >= _DEEPEST:
            return None
        if tag["asks"]:
            self._open.append(_Open("{", tag.start(), 0, is_conditional=True))
            return ""
        if tag["otherwise"] or tag["asked"]:
            is_asked = any(each.name == "{" for each in self._open)
            if is_asked and tag["asked"]:
                self._end("{", tag.end())
            return "" if is_asked else None
        if tag["ended"]:
            ended = self._end(tag["ended"], tag.end())
            return None if ended is None else f"\n\n{' ' * self._base}{ended}\n\n"
        return self._begun(tag)

    @property
    def _base(self) -> int:
        return next((each.indent for each in self._open if each.is_block), 0)

    def _begun(self, tag: "re.Match[str]") -> str | None:
        name, given = tag["name"], _given(tag["given"])
        if not name[0].isupper():
            return _as_html(tag, given) if "style" in given or "className" in given else None
        line = self._text.text.rfind("\n", 0, tag.start()) + 1
        lead = self._text.text[line : tag.start()]
        rest = self._text.text[tag.end() :].partition("\n")[0]
        hides = bool(_HIDES.search(tag["given"]))
        is_panel = name in _PANELS and not hides
        shown = [given[each] for each in _SHOWN if given.get(each)]
        beside = rest.partition(f"</{name}>")[2] if shown else rest
        beyond = lead.rpartition(f"</{name}>")[2]
        within = _ANY_TAG.sub("", beyond) if shown and len(beyond) < _LONGEST_LEAD else lead
        is_block = is_panel or hides or not (within.strip() or _WORDS.match(beside))
        indent = len(lead) - len(lead.lstrip())
        base = " " * (self._base if any(each.is_block for each in self._open) else indent)
        if not tag["closed"]:
            is_asked = bool(_CONDITIONAL.match(name))
            self._open.append(
                _Open(name, tag.start(), indent, is_block, is_asked, _labels(given), hides)
            )
        if not is_block:
            return None
        if hides:
            return f"\n\n{base}<div hidden>\n\n" if not tag["closed"] else ""
        if is_panel:
            label = escape(self._label(given))
            return f'\n\n{base}<div role="tabpanel" aria-label="{label}">\n\n'
        return f"\n\n{base}{': '.join(shown)}\n\n"

    def _label(self, given: Mapping[str, str]) -> str:
        known = next((each.labels for each in reversed(self._open) if each.labels), {})
        value = given.get("value", "")
        stated = (given.get(each, "") for each in ("label", "title", "name"))
        return next(filter(None, stated), known.get(value, value))

    def _end(self, name: str, end: int) -> str | None:
        """What the end of the last such element reads as; None for one that is not known."""
        if not any(each.name == name for each in self._open):
            return None
        while (ended := self._open.pop()).name != name:
            pass
        if ended.is_conditional:
            self.ranges.append(self._text.span(ended.start, end))
        if not ended.is_block:
            return None
        return "</div>" if name in _PANELS or ended.hides else ""


_WORDS = re.compile(r"\s*[^<\s]")
_LONGEST_LEAD = 500
_ANY_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_HIDES = re.compile(r"(?<![\w-])hidden(?![\w-])|display|visibility|opacity")
"""Of a component that says any of it nobody sees surely what it holds."""


def _given(attributes: str) -> Mapping[str, str]:
    """A value that a program makes is known where it is a text, a style or labels."""
    found: dict[str, str] = {}
    for each in _ATTRIBUTE.finditer(attributes):
        made = (each["braces"] or "{}")[1:-1].strip()
        quoted = re.fullmatch(_QUOTED, made)
        made = quoted[1] or quoted[2] if quoted else made if each["key"] in _PROGRAMS else ""
        found[each["key"]] = each["double"] or each["single"] or made or ""
    return found


_PROGRAMS = ("style", "values")


def _labels(given: Mapping[str, str]) -> Mapping[str, str] | None:
    """Of items of tabs by their values, where the tabs state both."""
    stated = given.get("values", "").split("}")
    found = ((_VALUE.search(each), _LABEL.search(each)) for each in stated)
    return {v[1] or v[2]: label[1] or label[2] for v, label in found if v and label} or None


def _as_html(tag: "re.Match[str]", given: Mapping[str, str]) -> str:
    """An element of HTML whose style is written as a program's value."""
    style = "; ".join(
        f"{_CAPITAL.sub('-', each[1]).lower()}: {each[2] or each[3] or each[4]}"
        for each in _STYLE.finditer(given.get("style", ""))
    )
    attributes = {**given, "class": given.get("className", ""), "style": style}
    said = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items() if value)
    return f"<{tag['name']}{said}{tag['closed']}>"
