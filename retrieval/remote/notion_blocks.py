"""A page of Notion becomes HTML, of what its own authors wrote in it alone.

Left out are pages and databases in it, which are documents of their own, what is copied from
another page (a synced block is its own in one place alone). Where a block stands that is not
known, that is said.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from uuid import UUID

from retrieval.errors import UnreadableDocument
from retrieval.remote.api import Answered, understood
from retrieval.remote.notion_pages import Kept, Rich, Value, listed
from retrieval.remote.titled import titled
from retrieval.types import UNKNOWN_VALUE

MOST_BLOCKS, DEEPEST = 20_000, 30
"""Of a page that is read; answers count as blocks."""
_LISTS = {"bulleted_list_item": "ul", "to_do": "ul", "numbered_list_item": "ol"}
_HEADINGS = {"heading_1": "h3", "heading_2": "h4", "heading_3": "h5", "heading_4": "h6"}
"""Below that of the tree."""
_NESTING = frozenset(
    {*_LISTS, *_HEADINGS, "paragraph", "toggle", "quote", "callout", "table", "synced_block"}
    | {"column_list", "column"}
)
_LINKS = frozenset({"bookmark", "link_preview"})
_READ = _NESTING | _LINKS | {"code", "equation", "table_row"}
_CAPTIONED = frozenset({"image", "video", "audio", "file", "pdf", "embed"})
"""Of these is read what is written below them."""
_SILENT = frozenset(
    {"child_page", "child_database", "link_to_page", "divider", "breadcrumb", "table_of_contents"}
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Told(Kept):
    """A block, but for what it says."""

    id: UUID
    type: str
    has_children: bool


class BlockText(Answered):
    """What a block says, of whatever kind."""

    rich_text: tuple[Rich, ...] = ()
    caption: tuple[Rich, ...] = ()
    cells: tuple[tuple[Rich, ...], ...] = ()
    checked: bool = False
    is_toggleable: bool = False
    has_column_header: bool = False
    has_row_header: bool = False
    expression: str = ""
    url: str = ""
    synced_from: object = ""
    """None of what is a block's own."""


@dataclass(frozen=True, slots=True)
class Block:
    kind: str
    said: BlockText
    below: "Sequence[Block]" = ()


def read_blocks(page: UUID, ask: Callable[[UUID, str], bytes]) -> Sequence[Block]:
    """`ask` takes an id and a cursor. Raise `UnreadableDocument` for blocks without end."""
    return _Reading(ask).below(page, DEEPEST)


class _Reading:
    def __init__(self, ask: Callable[[UUID, str], bytes]) -> None:
        self._ask, self._left = ask, MOST_BLOCKS

    def below(self, key: UUID, depth: int) -> Sequence[Block]:
        if depth == 0:
            raise UnreadableDocument(f"has blocks in more than {DEEPEST} others; divide it")

        def ask(cursor: str) -> bytes:
            self._count()
            return self._ask(key, cursor)

        return [block for told in listed(ask) if (block := self._block(told, depth))]

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise UnreadableDocument(f"has more than {MOST_BLOCKS} blocks; divide it")

    def _block(self, each: Mapping[str, object], depth: int) -> Block | None:
        self._count()
        told = understood(Told, each)
        if told.is_gone or told.type in _SILENT:
            return None
        if told.type not in _READ | _CAPTIONED:
            return Block(told.type, BlockText(expression=UNKNOWN_VALUE))
        content = each.get(told.type)
        said = understood(BlockText, content if isinstance(content, Mapping) else {})
        if told.type == "synced_block" and said.synced_from is not None:
            return None
        is_more = told.has_children and told.type in _NESTING
        return Block(told.type, said, self.below(told.id, depth - 1) if is_more else ())


def as_html(
    trail: Sequence[str], properties: Mapping[str, Value], blocks: Sequence[Block]
) -> bytes:
    """A whole document; `trail` are the titles from the root down to the page's own.

    What properties say counts as what a page says of itself, also where they are not read.
    """
    stated = [(name, said) for name, each in properties.items() if (said := each.plain)]
    read = (
        (name, _words(rich) if (rich := properties[name].rich_text) else _escaped(said))
        for name, said in stated
        if said != UNKNOWN_VALUE
    )
    lines = (f"<p>{_escaped(name)}: {value}</p>\n" for name, value in read if value)
    return titled(trail, "".join([*lines, *_written(blocks, is_top=True)]), stated)


def _written(blocks: Sequence[Block], *, is_top: bool = False) -> Iterator[str]:
    """`is_top`: that they stand in no other block."""
    for tag, some in groupby(blocks, lambda each: _LISTS.get(each.kind, "")):
        within = "".join(_block(each, is_top=is_top) for each in some)
        yield f"<{tag}>\n{within}</{tag}>\n" if tag else within


def _block(block: Block, *, is_top: bool) -> str:
    said, text = block.said, _words(block.said.rich_text)
    if block.kind == "table":
        return _table(block)
    if block.kind == "code":
        code = _words(said.rich_text, line="\n")
        return f"<pre>{code}</pre>\n{_paragraph(_words(said.caption))}"
    below = "".join(_written(block.below))
    if block.kind in _LISTS:
        mark = ("☑ " if said.checked else "☐ ") if block.kind == "to_do" else ""
        return f"<li>{mark}{text}\n{below}</li>\n"
    if tag := _HEADINGS.get(block.kind):
        if is_top and not said.is_toggleable and not block.below:
            return f"<{tag}>{text}</{tag}>\n"
        # a heading would go on over what comes after that which it stands in
        return _paragraph(f"<strong>{text}</strong>" if text else "") + below
    if block.kind == "quote":
        return f"<blockquote>{_paragraph(text)}{below}</blockquote>\n"
    link = said.url if block.kind in _LINKS else ""
    others = (_words(said.caption), _escaped(said.expression), _escaped(link))
    return "".join(map(_paragraph, (text, *others))) + below


def _paragraph(text: str) -> str:
    return f"<p>{text}</p>\n" if text else ""


def _table(table: Block) -> str:
    said = table.said
    rows = []
    for number, row in enumerate(table.below):
        is_head = said.has_column_header and number == 0
        cells = (
            f"<{tag}>{_words(cell)}</{tag}>"
            for at, cell in enumerate(row.said.cells)
            for tag in ["th" if is_head or (said.has_row_header and at == 0) else "td"]
        )
        rows.append(f"<tr>{''.join(cells)}</tr>\n")
    return f"<table>\n{''.join(rows)}</table>\n"


def _words(text: Sequence[Rich], line: str = "<br>\n") -> str:
    """As HTML; empty where nothing in it is known."""
    if not any(each.is_known and each.words.strip() for each in text):
        return ""
    return "".join(_piece(each, line) for each in text)


def _piece(piece: Rich, line: str) -> str:
    html = _escaped(piece.words).replace("\n", line)
    html = f"<strong>{html}</strong>" if piece.is_bold else html
    return f"<s>{html}</s>" if piece.is_struck else html


def _escaped(text: str) -> str:
    return escape(_CONTROLS.sub(" ", text), quote=False)
