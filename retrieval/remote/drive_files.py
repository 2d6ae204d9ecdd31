"""What Google Drive answers, as far as it is understood, and where its files stand in a copy."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from retrieval.metadata.metadata_file import may_be_metadata
from retrieval.parsing import is_read
from retrieval.remote.api import Answered
from retrieval.remote.names import folded, in_a_name

FOLDER = "application/vnd.google-apps.folder"
SHORTCUT = "application/vnd.google-apps.shortcut"
LONGEST_NAME = 180
"""Bytes of a name, which an id and an ending may follow."""
_OFFICE = "application/vnd.openxmlformats-officedocument"


class Form(NamedTuple):
    """A kind of file."""

    mime_type: str
    ending: str


_WORD = Form(f"{_OFFICE}.wordprocessingml.document", ".docx")
_SHEETS = Form(f"{_OFFICE}.spreadsheetml.sheet", ".xlsx")
_SLIDES = Form(f"{_OFFICE}.presentationml.presentation", ".pptx")
EXPORTED = {
    "application/vnd.google-apps.document": _WORD,
    "application/vnd.google-apps.spreadsheet": _SHEETS,
    "application/vnd.google-apps.presentation": _SLIDES,
}
"""As what Google's own documents are fetched."""
_ENDINGS = dict((*EXPORTED.values(), ("application/pdf", ".pdf")))
"""Of files that were put there without one."""


class Said(Answered):
    """Something that Drive says; its names are in camel case."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Grant(Said):
    """Somebody who has access to a file, in whatever role."""

    id: str
    """The same on all files."""
    type: str
    email_address: str = ""
    domain: str = ""
    deleted: bool = False
    view: str = ""
    expiration_time: str = ""

    @property
    def name(self) -> str:
        """The e-mail of a person or a group, a domain, or `anyone`; small letters."""
        return "anyone" if self.type == "anyone" else (self.email_address or self.domain).casefold()

    @property
    def lets_read(self) -> bool:
        """Whether it is somebody, and the whole file and not one view of it."""
        return not self.deleted and not self.view


class Item(Said):
    """A file or a folder."""

    id: str = Field(pattern=r"^[\w-]+$")
    name: str
    mime_type: str
    parents: tuple[str, ...] = ()
    drive_id: str = Field("", pattern=r"^[\w-]*$")
    modified_time: str = ""
    md5_checksum: str = ""
    size: int | None = None
    web_view_link: str = ""
    inherited_permissions_disabled: bool = False
    permissions: tuple[Grant, ...] = ()
    """None of a file in a shared drive, and where the account may not share it."""

    @property
    def mark(self) -> str:
        return self.md5_checksum or self.modified_time


class Batch(Said):
    """A part of a listing, and where the next one is."""

    files: tuple[Item, ...]
    incomplete_search: bool = False
    next_page_token: str = ""


class Grants(Said):
    """Who has access to a file, in part."""

    permissions: tuple[Grant, ...]
    next_page_token: str = ""


def fields_of(kind: type[Said], **inner: str) -> str:
    """What is asked for, of all that there is; `inner` says it of some fields' own."""
    names = {name: each.alias or name for name, each in kind.model_fields.items()}
    return ",".join(f"{alias}({inner[n]})" if n in inner else alias for n, alias in names.items())


def placed(root: str, below: Sequence[Item]) -> Iterator[tuple[str, Item]]:
    """The path of each file below a folder; folders come before what stands in them.

    Drive takes two of one name beside each other: then ids tell them apart, but for what may say
    who reads its folder, of which it must be seen that there are two.
    """
    within: defaultdict[str, list[Item]] = defaultdict(list)
    for each in below:
        within[each.parents[0]].append(each)
    paths = {root: ""}
    for parent, items in within.items():
        beside = Counter(folded(_called(each)) for each in items)
        for each in items:
            name = _called(each)
            if beside[folded(name)] > 1 and not may_be_metadata(name):
                path = PurePosixPath(name)
                name = f"{path.stem} ({each.id}){path.suffix}"
            paths[each.id] = f"{paths[parent]}{name}"
            if each.mime_type == FOLDER:
                paths[each.id] += "/"
            elif _is_file(each):
                yield paths[each.id], each


def _is_file(item: Item) -> bool:
    """Not a form, a map, a site or what else only Google shows."""
    own = item.mime_type.startswith("application/vnd.google-apps.")
    return not own or item.mime_type == SHORTCUT or item.mime_type in EXPORTED


def _called(item: Item) -> str:
    """Its name with an ending that says its kind; no name is empty."""
    if item.mime_type in EXPORTED:
        ending = EXPORTED[item.mime_type].ending
    else:
        ending = "" if is_read(item.name) else _ENDINGS.get(item.mime_type, "")
    kept = "" if ending or item.mime_type == FOLDER else PurePosixPath(item.name).suffix
    stem = in_a_name(item.name.removesuffix(kept), LONGEST_NAME)
    return f"{stem or item.id}{in_a_name(kept, 40)}{ending}"
