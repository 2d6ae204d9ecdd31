"""Markdown is read with pulldown-cmark (through pyromark), which says where each element stands."""

import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyromark

from retrieval.errors import UnreadableDocument
from retrieval.parsing.blocks import BlockBuilder
from retrieval.parsing.css.page_styles import DocumentStyles, ElementSink, SheetCollector
from retrieval.parsing.decoding import decode
from retrieval.parsing.dialects import (
    as_markdown,
    code_ranges,
    is_mdx,
    not_mdx,
)
from retrieval.parsing.elements import VOID, is_known
from retrieval.parsing.embedded_metadata import (
    split_front_matter,
    stated_in_front_matter,
    stated_in_source,
    title_of,
)
from retrieval.parsing.html import HtmlReader
from retrieval.parsing.jsx import components
from retrieval.parsing.limits import require_at_most
from retrieval.parsing.placed import PlacedText, join, replaced
from retrieval.parsing.templates import (
    apart,
    conditions,
    is_within,
    makes_value,
    on_condition,
    rendered,
    stands_alone,
)
from retrieval.types import UNKNOWN_VALUE, ParsedDocument

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_DEFINITION_LIST
    | pyromark.Options.ENABLE_HEADING_ATTRIBUTES
    | pyromark.Options.ENABLE_GFM
)
_NOT_READ = re.compile(
    r"^[ \t>]*(?:[-*+]|\d+\.)[ \t].*\r?\n[ \t>]*\{:[ \t]*toc\b[^}\n]*\}"  # a list to be replaced
    r"|^[ \t]*\[\[?_?toc_?\]?\](?=[ \t]*\r?$)"
    r"|^[ \t>]*\{::?[^}\n]*\}(?=[ \t]*\r?$)"
    r"|(?<=[)\]*_`])\{:[^}\n]{0,1000}\}",
    re.IGNORECASE | re.MULTILINE,
)
"""Places for a table of contents, and kramdown's attribute lists."""
_COMPONENT = re.compile(
    r"<(?P<name>[A-Za-z][\w.-]*)(?![\w.:-])(?![^>]*\s(?:class|className|hidden|id|style)\b)[^>]*?"
    r"(?P<closed>/)?>"
)
"""A tag with nothing that makes a mark or an anchor of it."""
_ELEMENTS = {
    "Paragraph": "p",
    "BlockQuote": "blockquote",
    "CodeBlock": "pre",
    "Item": "li",
    "FootnoteDefinition": "div",
    "DefinitionList": "dl",
    "DefinitionListTitle": "dt",
    "DefinitionListDefinition": "dd",
    "Table": "table",
    "TableRow": "tr",
    "Emphasis": "em",
    "Strong": "strong",
    "Strikethrough": "del",
    "Link": "a",
}


def parse(content: bytes) -> ParsedDocument:
    """Read a page as it is published; raise `UnreadableDocument`. Front matter alone is empty."""
    source = decode(content)
    front_matter, body_start = split_front_matter(source)
    body = PlacedText.verbatim(source, 0)[body_start:]
    in_mdx = is_mdx(body.text)
    body, asked = components(body, not_mdx(body.text)) if in_mdx else (body, [])
    # A file without front matter is no template to Jekyll: its code may be one.
    kept = () if front_matter else code_ranges(body.text)
    held = conditions(body, kept)
    ranges = apart([*asked, *held.ranges])
    body = as_markdown(_without_attributes(rendered(body, kept, held.said)), is_mdx=in_mdx)

    def read(sink: ElementSink) -> None:
        _MarkdownReader(sink, body).read()

    builder = BlockBuilder(source, DocumentStyles().of(body.text, read, SheetCollector()))
    read(builder)
    builder.finish()
    if builder.draft.is_empty and not front_matter:
        raise UnreadableDocument("holds nothing that people read; add text to it, or remove it")
    rest = stated_in_source(source[body_start:], is_below=body_start > 0)
    builder.draft.state((*stated_in_front_matter(front_matter), *rest))
    document = builder.draft.document(
        source,
        stated_title=title_of(front_matter),
        head="",
        hidden=builder.hidden.all(),
    )
    return replace(
        document, fragments=tuple(on_condition(each, ranges) for each in document.fragments)
    )


def _without_attributes(text: PlacedText) -> PlacedText:
    code = code_ranges(text.text)
    found = (each for each in _NOT_READ.finditer(text.text) if not is_within(each.start(), code))
    return replaced(text, found, lambda _: PlacedText())


class _MarkdownReader:
    """It tells a builder of Markdown in terms of HTML."""

    def __init__(self, builder: ElementSink, text: PlacedText) -> None:
        self._builder = builder
        self._text = text
        self._characters = _characters_of_bytes(text.text)
        self._html: list[PlacedText] | None = None
        self._alternative: list[PlacedText] | None = None
        self._in_table_head = False
        self._row_end = -1
        self._missing = 0
        """Cells that rows have fewer than the heads of their tables."""

    def read(self) -> None:
        for event, place in pyromark.events_with_range(self._text.text, options=_OPTIONS):
            start = self._characters[place["start"]]
            end = self._characters[place["end"]]
            if isinstance(event, str):
                self._mark(event, start, end)
            else:
                ((kind, value),) = event.items()
                if not (start == end and self._is_missing(value, start)):
                    self._event(kind, value, start, end)

    def _is_missing(self, value: object, place: int) -> bool:
        """Whether it is a cell behind the last of its row; raise `UnreadableDocument` for many."""
        is_missing = value == "TableCell" and place == self._row_end
        self._missing += is_missing
        most = max(_FEW, len(self._text.text))
        require_at_most(self._missing, most, "cells that rows of tables lack")
        return is_missing

    def _event(self, kind: str, value: object, start: int, end: int) -> None:
        match kind:
            case "Start":
                self._row_end = end if value in _ROWS else self._row_end
                self._start(_name(value), value, self._text.span(start, end)[0])
            case "End":
                self._end(_name(value), value, *self._text.span(start, end))
            case "Text":
                self._add(self._written(str(value), start, end))
            case "TaskListMarker":
                box = {"type": "checkbox", **({"checked": ""} if value else {})}
                self._builder.open("input", self._text.span(start, end)[0], box)
            case "Code":
                self._code(str(value), start, end)
            case "Html" if self._html is not None:
                self._html.append(self._text[start:end])
            case "Html" | "InlineHtml":
                if kind == "InlineHtml" and self._is_unknown_value(start, end):
                    self._add(PlacedText.in_place_of(UNKNOWN_VALUE, *self._text.span(start, end)))
                HtmlReader(self._builder, self._text[start:end]).read()

    def _is_unknown_value(self, start: int, end: int) -> bool:
        """Whether a site fills in a value there: a component, or an element unknown to HTML."""
        found = _COMPONENT.fullmatch(self._text.text, start, end)
        if not found or stands_alone(self._text.text, start, end):
            return False
        name, is_closed = found["name"], found["closed"]
        is_component = name[0].isupper() and not name.isupper() and name.lower() not in VOID
        if is_known(name.lower()) and not is_component:
            return False
        return makes_value(name, self._text.text, len(self._text.text) if is_closed else end)

    def _mark(self, event: str, start: int, end: int) -> None:
        place = self._text.span(start, end)
        if event == "Rule":
            self._builder.open("hr", place[0])
        else:
            self._add(PlacedText.in_place_of("\n", *place))

    def _start(self, name: str, value: object, start: int) -> None:
        match name:
            case "HtmlBlock":
                self._html = []
            case "Image":
                self._alternative = []
            case "TableHead":
                self._in_table_head = True
                self._builder.open("thead", start)
                self._builder.open("tr", start)
            case _ if element := self._element(name, value):
                attributes = _list(value)[1] if name == "List" else {}
                self._builder.open(element, start, attributes)

    def _end(self, name: str, value: object, start: int, end: int) -> None:
        match name:
            case "HtmlBlock":
                HtmlReader(self._builder, join(self._html or ())).read()
                self._html = None
            case "Image":
                words = join(self._alternative or ()).text
                self._builder.add_image(PlacedText.in_place_of(words, start, end))
                self._alternative = None
            case "TableHead":
                self._in_table_head = False
                self._builder.close("thead", end, end)
            case _ if element := self._element(name, value):
                self._builder.close(element, end, end)

    def _element(self, name: str, value: object) -> str:
        """What a tag is called in HTML; empty for none."""
        match name:
            case "Heading":
                return _heading(value)
            case "List":
                return _list(value)[0]
            case "TableCell":
                return "th" if self._in_table_head else "td"
            case _:
                return _ELEMENTS.get(name, "")

    def _add(self, text: PlacedText) -> None:
        if self._alternative is not None:
            self._alternative.append(text)
        else:
            self._builder.add(text)

    def _code(self, code: str, start: int, end: int) -> None:
        """Code in a line: the range is that of its backticks."""
        place = self._text.span(start, end)
        inner = self._text.text.find(code, start, end)
        self._builder.open("code", place[0])
        self._add(
            self._text[inner : inner + len(code)]
            if inner >= 0
            else PlacedText.in_place_of(code, *place)
        )
        self._builder.close("code", place[1], place[1])

    def _written(self, words: str, start: int, end: int) -> PlacedText:
        text = self._text[start:end]
        if text.text == words:
            return text
        return PlacedText.in_place_of(words, *self._text.span(start, end))


_FEW = 10_000
_ROWS = ("TableHead", "TableRow")


def _name(value: object) -> str:
    """The name of a tag: some come as text, those that hold values as a mapping."""
    return next(iter(value)) if isinstance(value, dict) else str(value)


def _heading(value: object) -> str:
    """`h1` to `h6`, of {"Heading": "H1"} or {"Heading": {"level": "H1"}}."""
    held = value["Heading"] if isinstance(value, dict) else value
    return str(held["level"] if isinstance(held, dict) else held).lower()


def _list(value: object) -> tuple[str, Mapping[str, str]]:
    """`ol` or `ul` with attributes, of {"List": 3}, which ends as {"List": True}, or of another."""
    held = value["List"] if isinstance(value, dict) else None
    if held is None or held is False:
        return "ul", {}
    return "ol", {"start": str(held)}


def _characters_of_bytes(text: str) -> Sequence[int]:
    """For each byte of the text in UTF-8, and its end, the character that it is part of."""
    if text.isascii():
        return range(len(text) + 1)
    encoded = np.frombuffer(text.encode(), dtype=np.uint8)
    begins = (encoded & 0xC0) != 0x80
    places = np.append(np.cumsum(begins) - 1, len(text)).astype(np.int64)
    return array("q", places.tobytes())
