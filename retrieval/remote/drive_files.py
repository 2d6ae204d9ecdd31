"""What Google Drive answers, as far as it is understood, and where its files stand in a copy."""

import re
from collections.abc import Iterator, Sequence
from mimetypes import MimeTypes
from typing import Any, NamedTuple

from pydantic import ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from retrieval.parsing import is_read
from retrieval.remote.api import Answered
from retrieval.remote.names import LONGEST_NAME, in_a_name

FOLDER = "application/vnd.google-apps.folder"
SHORTCUT = "application/vnd.google-apps.shortcut"
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
_ENDING = re.compile(r"\.[A-Za-z]\w{0,4}$")
_OF_OFFICE = dict(EXPORTED.values())
_OTHERS = MimeTypes()
"""As Python knows them, whatever the machine has."""


class Said(Answered):
    """Something that Drive says; its names are in camel case."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, said: Any) -> Any:
        """What is null says no more than what is left out."""
        return {k: v for k, v in said.items() if v is not None} if isinstance(said, dict) else said


class Inheritance(Said):
    """Whether a grant comes from what a file stands in."""

    inherited: bool = True


class Grant(Said):
    """Somebody who has access to a file, in whatever role."""

    id: str
    """The same on all files."""
    type: str
    role: str
    email_address: str = ""
    domain: str = ""
    deleted: bool = False
    view: str = ""
    expiration_time: str = ""
    permission_details: tuple[Inheritance, ...] = ()

    @property
    def name(self) -> str:
        """The e-mail of a person or a group, a domain, or `anyone`; small letters."""
        named = {"anyone": "anyone", "domain": self.domain}
        return named.get(self.type, self.email_address).casefold()

    @property
    def is_somebody(self) -> bool:
        """Whether it is there, and of the whole file and not one view of it."""
        return not (self.deleted or self.view)

    @property
    def lets_read(self) -> bool:
        """Whether it is known to do so, and for good."""
        is_known = self.type in _TYPES and self.role in _ROLES
        return self.is_somebody and is_known and not self.expiration_time

    @property
    def is_own(self) -> bool:
        """Whether it holds of a folder of limited access, where what is inherited does not."""
        direct = any(not each.inherited for each in self.permission_details)
        return direct or self.role in _ALWAYS


_TYPES = frozenset(("user", "group", "domain", "anyone"))
_ALWAYS = frozenset(("owner", "organizer"))
_ROLES = _ALWAYS | {"fileOrganizer", "writer", "commenter", "reader"}


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
    """A part of a list, and where the next one is."""

    next_page_token: str = ""


class Items(Batch):
    """What stands in a folder."""

    files: tuple[Item, ...]
    incomplete_search: bool = False


class Grants(Batch):
    """Who has access to a file."""

    permissions: tuple[Grant, ...]


def fields_of(kind: type[Said], **inner: str) -> str:
    """What is asked for, of all that there is; `inner` says it of what some fields hold."""
    names = {name: each.alias or name for name, each in kind.model_fields.items()}
    return ",".join(f"{alias}({inner[n]})" if n in inner else alias for n, alias in names.items())


def placed(root: str, below: Sequence[Item]) -> Iterator[tuple[str, Item]]:
    """The path of each file below a folder; folders come before what stands in them.

    Drive takes two of one name beside each other, which then have one path: a name that told them
    apart would be another than the one that metadata files speak of.
    """
    paths = {root: ""}
    for each in below:
        path = f"{paths[each.parents[0]]}{_called(each)}"
        if each.mime_type == FOLDER:
            paths[each.id] = f"{path}/"
        elif _is_file(each):
            yield path, each


def _is_file(item: Item) -> bool:
    """Not a form, a map, a site or what else only Google shows."""
    own = item.mime_type.startswith("application/vnd.google-apps.")
    return not own or item.mime_type == SHORTCUT or item.mime_type in EXPORTED


def _called(item: Item) -> str:
    """Its name, with an ending that says its kind where it has none."""
    name = item.name or item.id
    if item.mime_type in EXPORTED:
        ending = EXPORTED[item.mime_type].ending
    elif item.mime_type == FOLDER or _ENDING.search(name):
        return in_a_name(name, LONGEST_NAME)
    else:
        ending = _OF_OFFICE.get(item.mime_type) or _OTHERS.guess_extension(item.mime_type) or ""
        ending = ending if is_read(f"a{ending}") else ""
    return f"{in_a_name(name, LONGEST_NAME - len(ending))}{ending}"
