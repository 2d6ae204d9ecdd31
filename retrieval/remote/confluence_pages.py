"""What Confluence answers, as far as it is understood, and where its pages stand in a copy.

Where something is missing in an answer none of it is taken.
"""

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeVar

from pydantic import AliasPath, BaseModel, ConfigDict, Field, ValidationError

from retrieval.errors import SourceUnavailable
from retrieval.ingest.sources import is_left_alone
from retrieval.metadata.metadata_file import may_be_metadata
from retrieval.parsing import is_read
from retrieval.remote.names import folded

LONGEST_NAME = 80
"""Bytes of a name that is not all of a title: a tree of pages may be deep."""


class Answered(BaseModel):
    """Something that Confluence says."""

    model_config = ConfigDict(coerce_numbers_to_str=True, frozen=True)


class Named(Answered):
    """A group; a person has other names."""

    id: str = ""
    name: str = ""


class Readers(Answered):
    """Of a page with restrictions; without any, nobody is named."""

    users: tuple[Named, ...] = Field(validation_alias=AliasPath("user", "results"))
    groups: tuple[Named, ...] = Field(validation_alias=AliasPath("group", "results"))


class Node(Answered):
    """A page, or another thing that pages stand below."""

    id: str = Field(pattern=r"^(att)?\d+$")
    title: str | None = None

    @property
    def is_attached(self) -> bool:
        return not self.id.isdecimal()


class Content(Node):
    """A node with versions."""

    type: str
    status: str
    version: int = Field(validation_alias=AliasPath("version", "number"))
    webui: str = Field("", validation_alias=AliasPath("_links", "webui"))


class Page(Content):
    """A page, or a folder of Cloud, which has readers as well."""

    ancestors: tuple[Node, ...]
    readers: Readers = Field(validation_alias=AliasPath("restrictions", "read", "restrictions"))


class Attachment(Content):
    """A file on a page, whose readers it has."""

    container: Node
    size: int | None = Field(None, validation_alias=AliasPath("extensions", "fileSize"))
    download: str = Field("", validation_alias=AliasPath("_links", "download"))


class ReadersOfOne(Answered):
    """Who may read a node that was asked for."""

    readers: Readers = Field(validation_alias=AliasPath("restrictions"))


class Written(Answered):
    """What its authors wrote into a page."""

    status: str
    storage: str = Field(validation_alias=AliasPath("body", "storage", "value"))


C = TypeVar("C", bound=Content)
A = TypeVar("A", bound=Answered)


class Batch(Answered):
    """A part of a listing, and where the next one is."""

    results: tuple[dict[str, object], ...]
    next: str = Field("", validation_alias=AliasPath("_links", "next"))


def understood(kind: type[A], said: bytes | Mapping[str, object]) -> A:
    """Raise `SourceUnavailable`."""
    try:
        if isinstance(said, bytes):
            return kind.model_validate_json(said)
        return kind.model_validate(said)
    except ValidationError:
        raise SourceUnavailable(
            "answers what is not understood, such as a page to sign in; see that its URL is right"
        ) from None


Trail = Sequence[Node]
"""From the top of a space down to a page, and to what is attached to it."""


def placed(
    pages: Mapping[str, Page], attached: Collection[Attachment]
) -> Iterator[tuple[str, Trail]]:
    """The path of each page, and of what is attached to one and of a kind that is read."""
    trails: list[Trail] = [(*each.ancestors, each) for each in pages.values()]
    trails += [
        (*pages[each.container.id].ancestors, pages[each.container.id], each)
        for each in attached
        if each.container.id in pages and is_read(each.title or "")
    ]
    names = _names(trails)
    for trail in trails:
        path = "/".join(names[each.id] for each in trail)
        last = trail[-1]
        if last.is_attached:
            yield path, trail
        elif pages[last.id].type == "page":
            yield f"{path}.html", trail


def _names(trails: Sequence[Trail]) -> Mapping[str, str]:
    """What each node is called in its folder; with its id where another would be called so."""
    plain = {
        node.id: (trail[depth - 1].id if depth else "", node, _name(node))
        for trail in trails
        for depth, node in enumerate(trail)
    }

    def seen(above: str, node: Node, name: str) -> tuple[str, str]:
        return above, folded(name if node.is_attached else f"{name}.html")

    same = Counter(seen(*each) for each in plain.values())
    return {
        key: _with_id(each[1], each[2]) if same[seen(*each)] > 1 else each[2]
        for key, each in plain.items()
    }


def _name(node: Node) -> str:
    """A title as the name of a file; with the id where it is not whole, or would mislead."""
    title = node.title or ""
    name = "".join("-" if e in "/\\" or unicodedata.category(e)[0] == "C" else e for e in title)
    misleads = is_left_alone(name) or may_be_metadata(name) or (is_read(name) != node.is_attached)
    is_whole = name == title == name.strip(" .") and len(name.encode()) <= LONGEST_NAME
    return name if name and is_whole and not misleads else _with_id(node, name)


def _with_id(node: Node, name: str) -> str:
    suffix = PurePosixPath(name).suffix if node.is_attached else ""
    short = name.removesuffix(suffix).encode()[:LONGEST_NAME].decode(errors="ignore").strip(" .")
    return f"page {node.id} {short}".strip() + suffix
