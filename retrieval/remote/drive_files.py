"""What Google Drive answers, as far as it is understood."""

from pydantic import Field

from retrieval.remote.entries import SHEETS, SLIDES, WORD, ApiObject

FOLDER = "application/vnd.google-apps.folder"
SHORTCUT = "application/vnd.google-apps.shortcut"
EXPORTED = {
    "application/vnd.google-apps.document": WORD,
    "application/vnd.google-apps.spreadsheet": SHEETS,
    "application/vnd.google-apps.presentation": SLIDES,
}
"""As what Google's own documents are fetched."""


class Inheritance(ApiObject):
    """Whether a grant comes from what a file stands in."""

    inherited: bool = True


class Grant(ApiObject):
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


class Item(ApiObject):
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

    @property
    def above(self) -> str:
        return self.parents[0]

    @property
    def is_folder(self) -> bool:
        return self.mime_type == FOLDER

    @property
    def is_file(self) -> bool:
        """Not a form, a map, a site or what else only Google shows."""
        own = self.mime_type.startswith("application/vnd.google-apps.")
        return not own or self.mime_type == SHORTCUT or self.mime_type in EXPORTED

    @property
    def ending(self) -> str:
        return EXPORTED[self.mime_type].ending if self.mime_type in EXPORTED else ""


class Batch(ApiObject):
    next_page_token: str = ""


class Items(Batch):
    files: tuple[Item, ...]
    incomplete_search: bool = False


class Grants(Batch):
    permissions: tuple[Grant, ...]


def fields_of(kind: type[ApiObject], **inner: str) -> str:
    """What is asked for, of all that there is; `inner` says it of what some fields hold."""
    names = {name: each.alias or name for name, each in kind.model_fields.items()}
    return ",".join(f"{alias}({inner[n]})" if n in inner else alias for n, alias in names.items())
