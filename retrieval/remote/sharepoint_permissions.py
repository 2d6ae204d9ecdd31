"""What Microsoft Graph answers of SharePoint, as far as it is understood, and who may read it."""

from typing import TypeAlias

from pydantic import Field

from retrieval.remote.api import CamelModel

Facet: TypeAlias = dict[str, object]
Who: TypeAlias = tuple[tuple[str, str], ...]
"""Kinds of names, and the name of each."""
_FOR_GOOD = "0001-01-01"
"""A day that stands for none."""
_READING = frozenset(("read", "write", "owner"))
_LINKS = frozenset(("", "view", "edit", "embed"))
"""Kinds of links with which something is read; one to people may state none."""
_OPEN = {"anonymous": "anyone", "organization": "organization"}


class Identity(CamelModel):
    """One name of somebody. That which is displayed may be another's too, and is not read."""

    id: str = ""
    email: str = ""
    login_name: str = ""


class Identities(CamelModel):
    """All names of one person or group."""

    user: Identity | None = None
    group: Identity | None = None
    site_user: Identity | None = None
    site_group: Identity | None = None
    share_point_group: Identity | None = None
    application: Identity | None = None
    device: Identity | None = None

    @property
    def who(self) -> Who:
        """The same wherever they have access; empty for what is nobody."""
        said = self.user, self.group, self.site_user, self.site_group, self.share_point_group
        kinds = "user", "group", "site user", "site group", "sharepoint group"
        return tuple((k, one.id or one.email) for k, one in zip(kinds, said, strict=True) if one)

    @property
    def is_known(self) -> bool:
        """Whether they are told from others; a group has the id of its owners, its login tells."""
        if not self.who:
            return bool(self.application or self.device)
        return all(name for _, name in self.who) and not (self.group and not self._login)

    @property
    def names(self) -> list[str]:
        """What they may be mapped by, in small letters: ids and e-mails."""
        found: list[str] = []
        if self.user and not self._login.startswith("c:"):
            found += self.user.id, self.user.email
        if self.group and self.group.id and self._login.endswith(f"|{self.group.id.casefold()}"):
            found += self.group.id, self.group.email
        if self.site_group and self.site_group.id:
            found.append(f"site group {self.site_group.id}")
        return [each.casefold() for each in found if each]

    @property
    def _login(self) -> str:
        return self.site_user.login_name.casefold() if self.site_user else ""


class Link(CamelModel):
    """For whom one is; those of `existingAccess` give none."""

    scope: str = ""
    type: str = ""


class Permission(CamelModel):
    """That somebody may do something, whether here or with what it stands in."""

    granted_to_v2: Identities | None = None
    granted_to_identities_v2: tuple[Identities, ...] = ()
    link: Link | None = None
    invitation: Facet | None = None
    roles: tuple[str, ...] = ()
    expiration_date_time: str = _FOR_GOOD

    @property
    def _people(self) -> tuple[Identities, ...]:
        return (*self.granted_to_identities_v2, *filter(None, (self.granted_to_v2,)))

    @property
    def _open(self) -> str:
        return _OPEN.get(self.link.scope, "") if self.link else ""

    @property
    def is_known(self) -> bool:
        """Whether it is understood whom it is for; an invitation may wait for somebody."""
        if self.link and self.link.scope:
            told = self.link.scope in ("users", "existingAccess", *_OPEN)
        else:
            told = bool(self._people or self.invitation)
        return told and all(each.is_known for each in self._people)

    @property
    def lets_read(self) -> bool:
        """Whether it is known to do so, and for good."""
        lasts = self.expiration_date_time.startswith(_FOR_GOOD)
        kind = self.link.type if self.link else ""
        opens = kind in _LINKS and not (self.link and self.link.scope == "existingAccess")
        return lasts and opens and not _READING.isdisjoint(self.roles)

    @property
    def who(self) -> frozenset[Who]:
        people = {each.who for each in self._people if each.who}
        return frozenset({(("link", self._open),)} if self._open else people)

    @property
    def names(self) -> list[str]:
        """What those may be mapped by whom it is for."""
        people = [name for each in self._people for name in each.names]
        return [self._open] if self._open else people


class Item(CamelModel):
    """A file or a folder."""

    id: str = Field(pattern=r"^[\w-]+$")
    name: str = ""
    parent_reference: Facet = Field({})
    file: Facet | None = None
    folder: Facet | None = None
    package: Facet | None = None
    """A notebook of OneNote, whatever it is besides."""
    remote_item: Facet | None = None
    """A shortcut to what stands elsewhere."""
    deleted: Facet | None = None
    c_tag: str = ""
    """Of its content; a listing may leave it out."""
    e_tag: str = ""
    web_url: str = ""
    ending: str = ""

    @property
    def mark(self) -> str:
        return self.c_tag or self.e_tag

    @property
    def mime_type(self) -> str:
        return str((self.file or {}).get("mimeType") or "")

    @property
    def above(self) -> str:
        return str(self.parent_reference.get("id") or "")

    @property
    def is_link(self) -> bool:
        return self.remote_item is not None

    @property
    def is_folder(self) -> bool:
        return self.folder is not None and self.package is None and not self.is_link

    @property
    def is_file(self) -> bool:
        return self.is_link or (self.file is not None and self.package is None)


class Site(CamelModel):
    """A site, or a library of one, which is a drive to Graph."""

    id: str = Field(pattern=r"^[\w!.,-]+$")
    name: str = ""
    web_url: str = ""


class Batch(CamelModel):
    value: tuple[dict[str, object], ...]
    next_link: str = Field("", alias="@odata.nextLink")
    delta_link: str = Field("", alias="@odata.deltaLink")
    """Where later changes are told; of a listing alone, and there in its last part."""
