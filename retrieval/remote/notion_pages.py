"""What Notion answers, as far as it is understood, and where its pages stand in a copy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from pydantic import AliasPath, AwareDatetime, ConfigDict, Field

from retrieval.errors import BadSource, SourceUnavailable
from retrieval.remote.api import MOST_ANSWERS, Answered, understood
from retrieval.remote.names import in_a_name
from retrieval.types import UNKNOWN_VALUE

LONGEST_NAME = 40
"""Bytes of a title in a name: an id of 32 stands before it, and a tree of pages may be deep."""
_KNOWN = frozenset({"text", "equation", "user", "date"})
_LINKED_FROM = ("https://www.notion.so/", "https://notion.so/", "https://app.notion.com/")


class Rich(Answered):
    """A piece of text that is written in one way.

    How a page is called that is mentioned is not read: it is told as it is today, which those
    alone may know who may read that page, and changes while the mark of this one does not.
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


class Parent(Answered):
    """What something stands in; none of these, where that is the workspace or not known."""

    page_id: UUID | None = None
    database_id: UUID | None = None
    block_id: UUID | None = None

    @property
    def place(self) -> tuple[UUID, str] | None:
        """Its id, and as what it is asked for."""
        kinds = {"pages": self.page_id, "databases": self.database_id, "blocks": self.block_id}
        return next(((key, kind) for kind, key in kinds.items() if key), None)


class Kept(Answered):
    """What may be in the trash."""

    archived: bool | None = None
    in_trash: bool | None = None

    @property
    def is_gone(self) -> bool:
        """Also where it does not say that it is not."""
        told = [each for each in (self.archived, self.in_trash) if each is not None]
        return any(told) or not told


class Node(Kept):
    """A page, or another thing that pages stand below."""

    id: UUID
    parent: Parent


class Database(Node):
    title: tuple[Rich, ...]

    @property
    def name(self) -> str:
        return "".join(each.words for each in self.title)


class Value(Answered):
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


class Batch(Answered):
    results: tuple[dict[str, object], ...]
    has_more: bool
    next_cursor: str | None = None
    wholeness: str = Field("complete", validation_alias=AliasPath("request_status", "type"))


def listed(ask: Callable[[str], bytes]) -> Iterator[dict[str, object]]:
    """All of a list that is told in parts; `ask` takes a cursor, which is empty at first."""
    cursor = ""
    for _ in range(MOST_ANSWERS):
        batch = understood(Batch, ask(cursor))
        if batch.wholeness != "complete":
            raise BadSource("has more than Notion lists; divide it, or share less of it")
        yield from batch.results
        if not batch.has_more:
            return
        if not batch.next_cursor:
            raise SourceUnavailable("says not where its list goes on")
        cursor = batch.next_cursor
    raise BadSource(f"lists what it has in more than {MOST_ANSWERS} answers")


Trail = Sequence[Page | Database]
"""From the root down to a page."""


def path_of(trail: Trail) -> str:
    """The id in each name has two of one title be two, and none mean anything but a document."""
    parts = (f"{each.id.hex} {in_a_name(each.name, LONGEST_NAME)}".strip(" .") for each in trail)
    return f"{'/'.join(parts)}.html"
