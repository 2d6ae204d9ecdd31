"""What Notion answers, as far as it is understood, and its pages as HTML.

Of a page is read what its own authors wrote in it. Left out are pages and databases in it, which
are documents of their own, and what is copied from another page. Where a block stands that is not
known, that is said.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from itertools import groupby
from uuid import UUID

from pydantic import AliasPath, AwareDatetime, ConfigDict, Field

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.remote.api import ApiModel, parts_of, titled, understood
from retrieval.remote.names import in_a_name
from retrieval.types import UNKNOWN_VALUE

LONGEST_NAME = 40
"""Bytes of a title in a name: an id of 32 stands before it, and a tree of pages may be deep."""
_KNOWN = frozenset({"text", "equation", "user", "date"})
_LINKED_FROM = ("https://www.notion.so/", "https://notion.so/", "https://app.notion.com/")


class Rich(ApiModel):
    """A piece of text that is written in one way.

    The title of a page that is mentioned is not read: it may be for its readers alone, and changes.
    """

    type: str
    plain_text: str
    mention: str = Field("", validation_alias=AliasPath("mention", "type"))
    is_struck: bool = Field(False, validation_alias=AliasPath("annotations", "strikethrough"))
    is_bold: bool = Field(False, validation_alias=AliasPath("annotations", "bold"))

    @property
    def is_known(self) -> bool:
        """Whether it is what its author wrote."""
        return (self.mention or self.type) in _KNOWN

    @property
    def words(self) -> str:
        if self.mention == "custom_emoji":
            return ""
        return self.plain_text if self.is_known else UNKNOWN_VALUE


class Parent(ApiModel):
    """What something stands in; none of these, where that is the workspace or not known."""

    page_id: UUID | None = None
    database_id: UUID | None = None
    block_id: UUID | None = None

    @property
    def place(self) -> tuple[UUID, str] | None:
        """Its id, and as what it is asked for."""
        kinds = {"pages": self.page_id, "databases": self.database_id, "blocks": self.block_id}
        return next(((key, kind) for kind, key in kinds.items() if key), None)


class Trashable(ApiModel):
    """What may be in the trash."""

    archived: bool | None = None
    in_trash: bool | None = None

    @property
    def is_gone(self) -> bool:
        """Also where it does not say that it is not."""
        stated = [each for each in (self.archived, self.in_trash) if each is not None]
        return any(stated) or not stated


class Node(Trashable):
    """A page, or another thing that pages stand below."""

    id: UUID
    parent: Parent


class Database(Node):
    title: tuple[Rich, ...]

    @property
    def name(self) -> str:
        return "".join(each.words for each in self.title)


class Value(ApiModel):
    model_config = ConfigDict(extra="allow")
    type: str
    title: tuple[Rich, ...] = ()
    rich_text: tuple[Rich, ...] = ()

    @property
    def plain(self) -> str:
        """In words; empty where there are none, not known where its kind is not read."""
        match self.type, (self.model_extra or {}).get(self.type):
            case "rich_text", _:
                return "".join(each.words for each in self.rich_text)
            case ("title", _) | (_, None | [] | ""):
                return ""
            case "checkbox", bool(is_checked):
                return "yes" if is_checked else "no"
            case "number", int(number) | float(number):
                return str(number)
            case "url" | "email" | "phone_number" | "created_time" | "last_edited_time", str(text):
                return text
            case "select" | "status", {"name": str(name)}:
                return name
            case "multi_select", list(options):
                return ", ".join(name for each in options if (name := each.get("name")))
            case "date", {"start": str(start), "end": end}:
                return f"{start} – {end}" if end else start
        return UNKNOWN_VALUE


class Page(Node):
    last_edited_time: AwareDatetime
    properties: Mapping[str, Value]
    url: str = ""

    @property
    def name(self) -> str:
        titles = (each.title for each in self.properties.values() if each.type == "title")
        return "".join(each.words for title in titles for each in title)

    @property
    def link(self) -> str:
        """Where people open it; empty where that is no place of Notion's."""
        return self.url if self.url.startswith(_LINKED_FROM) else ""

    def mark(self, settled: datetime) -> str:
        """What changes with it; empty where it may change again within the same minute."""
        edited = self.last_edited_time
        return edited.isoformat() if edited < settled else ""


class Batch(ApiModel):
    results: tuple[dict[str, object], ...]
    has_more: bool
    next_cursor: str | None = None
    wholeness: str = Field("complete", validation_alias=AliasPath("request_status", "type"))


def listed(ask: Callable[[str], bytes]) -> Iterator[dict[str, object]]:
    """All of a list in parts; `ask` takes a cursor, which is empty at first."""

    def following(batch: Batch) -> str:
        if batch.has_more and not batch.next_cursor:
            raise SourceUnavailable("says not where its list goes on")
        return batch.next_cursor or "" if batch.has_more else ""

    for batch in parts_of(lambda cursor: understood(Batch, ask(cursor)), following):
        if batch.wholeness != "complete":
            raise BadSource("has more than Notion lists; divide it, or share less of it")
        yield from batch.results


Trail = Sequence[Page | Database]
"""From the root down to a page."""


def path_of(trail: Trail) -> str:
    """The id in each name has two of one title be two, and none mean anything but a document."""
    parts = (f"{each.id.hex} {in_a_name(each.name, LONGEST_NAME)}".strip(" .") for each in trail)
    return f"{'/'.join(parts)}.html"


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


class BlockKind(Trashable):
    """A block, but for what it says."""

    id: UUID
    type: str
    has_children: bool


class BlockText(ApiModel):
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

        return [block for each in listed(ask) if (block := self._block(each, depth))]

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise UnreadableDocument(f"has more than {MOST_BLOCKS} blocks; divide it")

    def _block(self, each: Mapping[str, object], depth: int) -> Block | None:
        self._count()
        kind = understood(BlockKind, each)
        if kind.is_gone or kind.type in _SILENT:
            return None
        if kind.type not in _READ | _CAPTIONED:
            return Block(kind.type, BlockText(expression=UNKNOWN_VALUE))
        content = each.get(kind.type)
        text = understood(BlockText, content if isinstance(content, Mapping) else {})
        if kind.type == "synced_block" and text.synced_from is not None:
            return None
        is_more = kind.has_children and kind.type in _NESTING
        return Block(kind.type, text, self.below(kind.id, depth - 1) if is_more else ())


def as_html(
    trail: Sequence[str], properties: Mapping[str, Value], blocks: Sequence[Block]
) -> bytes:
    """`trail` are the titles from the root to the page; properties are what it says of itself."""
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
