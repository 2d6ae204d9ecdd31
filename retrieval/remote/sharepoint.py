"""A library of SharePoint, or a folder of one: its files, through Microsoft Graph.

Six requests of its REST API, through the guarded client. Who may read a file is asked of each:
what is told holds of it whether it was given there or above, which SharePoint does not tell apart.

Written after the published descriptions and tried against a stand-in: no SharePoint was asked.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import quote, unquote, urlsplit

import httpcore
from pydantic import Field
from tenacity import (
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    stop_after_delay,
    wait_exponential,
)

from retrieval.errors import BadSource, SourceUnavailable
from retrieval.metadata.access import EVERYBODY, NOBODY, Audience
from retrieval.parsing import is_read
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote import faults
from retrieval.remote.api import (
    Account,
    Api,
    CamelModel,
    M,
    NotUnderstood,
    audience_of,
    parts_of,
    understood,
)
from retrieval.remote.guarded import GuardedHttp, StatusError
from retrieval.remote.names import bounded, paths_below
from retrieval.remote.urls import KEYS, OPTIONS, SourceUrl

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
            is_stated = self.link.scope in ("users", "existingAccess", *_OPEN)
        else:
            is_stated = bool(self._people or self.invitation)
        return is_stated and all(each.is_known for each in self._people)

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


GRAPH, LOGIN = "https://graph.microsoft.com", "https://login.microsoftonline.com"
LONGEST_WAIT = 600
"""Seconds that Microsoft may name: it throttles for minutes, and counts who asks again sooner."""
HOST = re.compile(r"[\w-]+\.sharepoint\.com")
_PASSING = (
    OSError,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
)
_PATIENTLY = Retrying(
    retry=retry_if_exception(
        lambda error: (
            isinstance(error, _PASSING) or (isinstance(error, StatusError) and error.status >= 500)
        )
    ),
    wait=wait_exponential(0.5),
    stop=stop_after_attempt(3) | stop_after_delay(60),
    reraise=True,
)
"""For what passes by itself: so many are asked, that a listing would seldom come to its end."""
_PLACE = re.compile(r"((?:sites|teams)/[^/]+)(?:/([^/]+))?(?:/(.+))?")


class SharePointSource:
    """`DocumentSource` of one folder with all below it."""

    def __init__(
        self,
        api: Api,
        url: SourceUrl,
        place: Sequence[str],
        groups: Mapping[str, Audience],
        largest: int,
    ) -> None:
        """`place`: a site, a library and a folder; these two may be empty. `largest`: bytes.

        `groups`: whom those are here to whom SharePoint gives access, by e-mail or id.
        """
        self._api, self._url, self._place, self._largest = api, url, place, largest
        self._groups = {name.casefold(): whom for name, whom in groups.items()}
        self._drive = ""
        self._placed: dict[str, Item] = {}

    def listing(self) -> SourceListing:
        with faults.of_source():
            root = self._root()
            whole = self._permissions(root)
            if not any(each.lets_read and each.who for each in whole):
                raise SourceUnavailable("does not say who may read it; give the app full control")
            below = self._below(root.id)
            found = list(paths_below(root.id, below))
            self._placed = dict(found)
            files = tuple(self._file(path, each, whole) for path, each in found)
            return SourceListing(files, tells_readers=True)

    def _root(self) -> Item:
        path, library, folder = self._place
        site = self._api.get(Site, f"/sites/{self._url.parts.hostname}:/{quote(path)}")
        self._drive = f"/drives/{self._library(f'/sites/{site.id}', library).id}"
        which = f"root:/{quote(folder)}" if folder else "root"
        root = self._api.get(Item, f"{self._drive}/{which}")
        if not root.is_folder:
            raise BadSource("is no folder of SharePoint. Name a library or a folder of one")
        return root

    def _library(self, site: str, name: str) -> Site:
        """By its address, else by its title; the site's own where none is named."""
        if not name:
            return self._api.get(Site, f"{site}/drive")
        known = list(self._all(Site, f"{site}/drives"))
        addresses = [unquote(each.web_url).rpartition("/")[2] for each in known]
        for names in (addresses, [each.name for each in known]):
            found = [
                p for p, n in zip(known, names, strict=True) if n.casefold() == name.casefold()
            ]
            if len(found) == 1:
                return found[0]
        raise BadSource(f"has no library {name!r}, or several. Write it as the browser shows it")

    def _below(self, root: str) -> Sequence[Item]:
        """All that stands below a folder, each after the one that it stands in.

        The whole library is listed: Graph is published to list no part of one. What is told twice
        holds as it is told last.
        """
        listed = bounded(self._all(Item, f"{self._drive}/root/delta", is_listing=True))
        within = defaultdict[str, list[Item]](list)
        for each in {each.id: each for each in listed}.values():
            if each.deleted is None and each.id != root:
                within[each.above].append(each)
        below, waiting = list[Item](), deque([root])
        while waiting:
            here = within[waiting.popleft()]
            below += here
            waiting.extend(each.id for each in here if each.is_folder)
        return below

    def _permissions(self, item: Item) -> tuple[Permission, ...]:
        return tuple(self._all(Permission, f"{self._drive}/items/{item.id}/permissions"))

    def _all(self, kind: type[M], path: str, *, is_listing: bool = False) -> Iterator[M]:
        """What a list has in all its parts, which stand at Graph's own host."""

        def following(batch: Batch) -> str:
            if is_listing and not (batch.next_link or batch.delta_link):
                raise SourceUnavailable("lists only a part of its files")
            further = batch.next_link.removeprefix(self._api.site)
            if batch.next_link and further in ("", batch.next_link):
                raise SourceUnavailable("lists what it has in a way that is not known")
            return further

        for batch in parts_of(lambda part: self._api.get(Batch, part), following, path):
            yield from (understood(kind, each) for each in batch.value)

    def _file(self, path: str, item: Item, whole: Sequence[Permission]) -> SourceFile:
        """`whole`: who has access to all of it. Of what is not read nobody is asked."""
        audience = self._audience(item, whole) if is_read(path) else NOBODY
        return SourceFile(path, item.mark, is_link=item.is_link, audience=audience)

    def _audience(self, item: Item, whole: Sequence[Permission]) -> Audience:
        """Everybody where all its readers read it; nobody where something is not understood."""
        known = self._own_permissions(item)
        if not all(each.is_known for each in (*known, *whole)):
            return NOBODY
        kept = [each for each in known if each.lets_read or each in whole]
        if {who for each in kept for who in each.who}.issuperset(w for e in whole for w in e.who):
            return EVERYBODY
        return audience_of(
            [n for each in known if each.lets_read for n in each.names], self._groups
        )

    def _own_permissions(self, item: Item) -> Sequence[Permission]:
        """None where they cannot be read, now and later."""
        try:
            return _PATIENTLY(self._permissions, item)
        except NotUnderstood:
            return ()
        except StatusError as error:
            if error.status in (401, 429) or error.status >= 500:
                raise
            return ()

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        """It stands at the site's own host, to which Graph leads without its token."""
        item = self._placed[file.path]
        with faults.of_file():
            path = f"{self._drive}/items/{item.id}/content"
            return Fetched([self._api.content(path, self._largest)])

    def link(self, path: str) -> str:
        shown = self._placed[path].web_url if path in self._placed else ""
        parts, host = urlsplit(shown), self._url.parts.netloc.casefold()
        return shown if parts.scheme == "https" and parts.netloc.casefold() == host else ""


def _application(http: GuardedHttp, site: str, login: Mapping[str, Any]) -> Account:
    """It signs in with its secret, as itself and as nobody else."""
    options = OPTIONS["sharepoint"]
    tenant, app, secret = (str(login.get(each, "")) for each in options)
    if not (re.fullmatch(r"[\w.-]+", tenant) and app and secret):
        raise BadSource(f"needs {', '.join(options)} of a registered app in {KEYS}")
    form = {
        "grant_type": "client_credentials",
        "client_id": app,
        "client_secret": secret,
        "scope": f"{GRAPH}/.default",
    }
    refused = (
        ": Microsoft knows no such tenant, app or secret. Make a new secret of the app, and write "
        f"its value, not its id, to {KEYS}"
    )
    return Account(http, site, f"/{tenant}/oauth2/v2.0/token", lambda: form, refused)


def of_sharepoint(
    url: SourceUrl,
    login: Mapping[str, Any],
    groups: Mapping[str, Audience],
    largest: int,
) -> SharePointSource:
    """Of `sharepoint://HOST/sites/SITE/LIBRARY/FOLDER`, the address of a folder in a browser."""
    place, is_microsoft = _PLACE.fullmatch(url.path), not url.plain_host
    host = url.parts.netloc
    if not place or (is_microsoft and not HOST.fullmatch(host.casefold())):
        raise BadSource(
            "Write sharepoint://NAME.sharepoint.com/sites/SITE/LIBRARY/FOLDER, as it stands in the "
            "browser"
        )
    graph, sign_in = (GRAPH, LOGIN) if is_microsoft else (f"http://{host}", f"http://{host}")
    own = GuardedHttp((urlsplit(sign_in).netloc,), url.plain_host)
    account = _application(own, sign_in, login)
    http = GuardedHttp((urlsplit(graph).netloc, host), url.plain_host)
    api = Api(http, f"{graph}/v1.0", account.headers, longest_wait=LONGEST_WAIT)
    return SharePointSource(api, url, place.groups(""), groups, largest)
