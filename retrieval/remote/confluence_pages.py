"""What Confluence answers, as far as it is understood, and where its pages stand in a copy."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TypeVar

from pydantic import AliasPath, ConfigDict, Field

from retrieval.parsing import is_read
from retrieval.remote.api import Answered
from retrieval.remote.names import in_a_name

LONGEST_NAME = 80
"""Bytes of a title in a name: a tree of pages may be deep."""


class Named(Answered):
    """A group; a person has other names."""

    id: str = ""
    name: str = ""


class Some(Answered):
    """Readers of one kind."""

    results: tuple[Named, ...]
    size: int = 0


class Readers(Answered):
    """Of a page with restrictions; without any, nobody is named."""

    model_config = ConfigDict(extra="allow")
    user: Some
    group: Some

    @property
    def are_all(self) -> bool:
        """Whether the page has no restriction, and none of a kind that is not known."""
        unknown = (self.model_extra or {}).keys() - {"_links", "_expandable"}
        return not unknown and not any(e.results or e.size for e in (self.user, self.group))


class Node(Answered):
    """A page, or another thing that pages stand below."""

    id: str = Field(pattern=r"^(att)?\d+$")
    title: str | None = None


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


class Written(Answered):
    """What its authors wrote into a page."""

    status: str
    storage: str = Field(validation_alias=AliasPath("body", "storage", "value"))


class Above(Answered):
    """What a page of Cloud stands below, the highest first."""

    results: tuple[Node, ...]


C = TypeVar("C", bound=Content)


class Batch(Answered):
    """A part of a listing, and where the next one is."""

    results: tuple[dict[str, object], ...]
    next: str = Field("", validation_alias=AliasPath("_links", "next"))


Trail = Sequence[Node]
"""From the top of a space down to a page."""


def placed(
    pages: Mapping[str, Page], attached: Collection[Attachment]
) -> Iterator[tuple[str, Trail, Page | Attachment]]:
    """The path and the trail of each page, and of what is attached to one, if that is read.

    The id in each name has two of one title be two, and none mean anything but a document.
    """
    trails = {each.id: (*each.ancestors, each) for each in pages.values()}
    paths = {key: "/".join(map(_name, trail)) for key, trail in trails.items()}
    for page in pages.values():
        if page.type == "page":
            yield f"{paths[page.id]}.html", trails[page.id], page
    for each in attached:
        above, ending = each.container.id, PurePosixPath(each.title or "").suffix
        if above in pages and is_read(each.title or ""):
            yield f"{paths[above]}/{_name(each, ending)}{ending}", trails[above], each


def _name(node: Node, ending: str = "") -> str:
    title = in_a_name((node.title or "").removesuffix(ending), LONGEST_NAME)
    return f"{node.id} {title}".strip(" .")
