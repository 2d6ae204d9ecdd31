"""A folder of Google Drive, or a shared drive: its files, and its documents as Office has them.

Written after the published descriptions and tried against a stand-in: no Google Drive was asked.
"""

import re
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from pydantic import Field

from retrieval.errors import BadSource, SourceUnavailable, UnreadableDocument
from retrieval.metadata.access import EVERYBODY, Audience
from retrieval.ports import Fetched, SourceFile, SourceListing
from retrieval.remote import faults
from retrieval.remote.api import (
    LARGEST_ANSWER,
    Account,
    Api,
    CamelModel,
    audience_of,
    parts_of,
    understood,
)
from retrieval.remote.guarded import GuardedHttp, StatusError
from retrieval.remote.names import SHEETS, SLIDES, WORD, bounded, paths_below
from retrieval.remote.urls import KEYS, SourceUrl

FOLDER = "application/vnd.google-apps.folder"
SHORTCUT = "application/vnd.google-apps.shortcut"
EXPORTED = {
    "application/vnd.google-apps.document": WORD,
    "application/vnd.google-apps.spreadsheet": SHEETS,
    "application/vnd.google-apps.presentation": SLIDES,
}
"""As what Google's own documents are fetched."""


class Inheritance(CamelModel):
    """Whether a grant comes from what a file stands in."""

    inherited: bool = True


class Grant(CamelModel):
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


class Item(CamelModel):
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


class Batch(CamelModel):
    next_page_token: str = ""


class Items(Batch):
    files: tuple[Item, ...]
    incomplete_search: bool = False


class Grants(Batch):
    permissions: tuple[Grant, ...]


def fields_of(kind: type[CamelModel], **inner: str) -> str:
    """What is asked for, of all that there is; `inner` says it of what some fields hold."""
    names = {name: each.alias or name for name, each in kind.model_fields.items()}
    return ",".join(f"{alias}({inner[n]})" if n in inner else alias for n, alias in names.items())


HOST, API, LOGIN = "drive.google.com", "https://www.googleapis.com", "https://oauth2.googleapis.com"
SHOWN_AT = frozenset({HOST, "docs.google.com"})
_FILES = "/drive/v3/files"
AT_ONCE = 1_000
"""Files in an answer."""
_GRANT = fields_of(Grant, permission_details=fields_of(Inheritance))
_ITEM = fields_of(Item, permissions=_GRANT)
_LIMIT = re.compile(rb'"reason":\s*"(?:\w*[rR]ate|daily|quota|downloadQuota)(?:Limit)?Exceeded"')
"""It is refused for a while alone: so many requests were made."""
B = TypeVar("B", bound=Batch)
_TOO_LARGE = re.compile(rb'"reason":\s*"exportSizeLimitExceeded"')


class DriveSource:
    """`DocumentSource` of one folder with all below it."""

    def __init__(self, api: Api, root: str, groups: Mapping[str, Audience], largest: int) -> None:
        """`root`: the id of a folder or a shared drive. `largest`: bytes of a file.

        `groups`: whom those are here to whom Drive gives access, by e-mail or domain, or `anyone`.
        """
        self._api, self._root, self._largest = api, root, largest
        self._groups = {name.casefold(): whom for name, whom in groups.items()}
        self._placed: dict[str, Item] = {}

    def listing(self) -> SourceListing:
        with faults.of_source():
            root = understood(Item, self._content(f"/{self._root}", {"fields": _ITEM}))
            if not root.is_folder:
                raise BadSource("is no folder of Google Drive. Name a folder or a shared drive")
            readers = {each.id for each in self._granted(root.id) if each.is_somebody}
            if not readers:
                raise SourceUnavailable("does not say who may read it")
            below = bounded(self._below(root))
            audiences = {root.id: EVERYBODY}
            for each in below:
                audiences[each.id] = self._audience(each, readers, audiences[each.above])
            found = list(paths_below(root.id, below))
            self._placed = dict(found)
            files = tuple(_file(path, each, audiences) for path, each in found)
            return SourceListing(files, tells_readers=True)

    def _below(self, root: Item) -> Iterator[Item]:
        """All that stands below it, with the folder that each stands in, which comes first.

        A folder a request: asked for several at once, Drive is known to answer with nothing.
        """
        waiting, seen = deque([root.id]), {root.id}
        while waiting:
            for each in self._within(waiting.popleft(), root.drive_id):
                if each.id not in seen:
                    seen.add(each.id)
                    waiting.extend([each.id] if each.is_folder else [])
                    yield each

    def _within(self, folder: str, drive: str) -> Iterator[Item]:
        asked = {
            "q": f"'{folder}' in parents and trashed = false",
            "fields": f"nextPageToken,incompleteSearch,files({_ITEM})",
            "pageSize": str(AT_ONCE),
            "includeItemsFromAllDrives": "true",
            **({"corpora": "drive", "driveId": drive} if drive else {}),
        }
        for batch in self._batches(Items, "", asked):
            if batch.incomplete_search:
                raise SourceUnavailable("lists only a part of its files")
            held = (each for each in batch.files if folder in each.parents)
            yield from (each.model_copy(update={"parents": (folder,)}) for each in held)

    def _granted(self, key: str) -> Sequence[Grant]:
        """Who has access to it, as somebody is told who may share it."""
        asked = {"fields": f"nextPageToken,permissions({_GRANT})", "pageSize": "100"}
        batches = self._batches(Grants, f"/{key}/permissions", asked)
        return [grant for batch in batches for grant in batch.permissions]

    def _batches(self, kind: type[B], which: str, asked: Mapping[str, str]) -> Iterator[B]:
        def batch(token: str) -> B:
            goes_on = {"pageToken": token} if token else {}
            return understood(kind, self._content(which, {**asked, **goes_on}))

        return parts_of(batch, lambda made: made.next_page_token)

    def _audience(self, item: Item, readers: Collection[str], above: Audience) -> Audience:
        """Everybody where whoever reads the whole source reads it; else whom its own readers are.

        In a shared drive nothing is narrower than what it stands in, but folders of limited access.
        """
        if not item.drive_id:
            known: Sequence[Grant] = item.permissions
        elif item.inherited_permissions_disabled:
            known = [each for each in self._own_grants(item.id) if each.is_own]
        else:
            return above
        grants = [each for each in known if each.lets_read]
        if {each.id for each in grants}.issuperset(readers):
            return EVERYBODY
        return audience_of([each.name for each in grants], self._groups)

    def _own_grants(self, key: str) -> Sequence[Grant]:
        """None where the account is not told."""
        try:
            return self._granted(key)
        except StatusError as error:
            if error.status not in (403, 404):
                raise
            return ()

    def fetch(self, file: SourceFile, held: str = "") -> Fetched | None:  # noqa: ARG002
        item = self._placed[file.path]
        exported = EXPORTED.get(item.mime_type)
        asked = {"mimeType": exported.mime_type} if exported else {"alt": "media"}
        which = f"/{item.id}/export" if exported else f"/{item.id}"
        with faults.of_file():
            return Fetched([self._content(which, asked, self._largest)])

    def _content(self, which: str, asked: Mapping[str, str], most: int = LARGEST_ANSWER) -> bytes:
        all_drives = {} if which.endswith("/export") else {"supportsAllDrives": "true"}
        query = urlencode({**asked, **all_drives})
        return self._api.content(f"{_FILES}{which}?{query}", most)

    def link(self, path: str) -> str:
        shown = self._placed[path].web_view_link if path in self._placed else ""
        parts = urlsplit(shown)
        return shown if parts.scheme == "https" and parts.netloc in SHOWN_AT else ""


def _file(path: str, item: Item, audiences: Mapping[str, Audience]) -> SourceFile:
    return SourceFile(
        path,
        item.mark,
        size=None if item.mime_type in EXPORTED else item.size,
        is_link=item.mime_type == SHORTCUT,
        audience=audiences[item.id],
    )


def _service_account(http: GuardedHttp, site: str, login: Mapping[str, Any]) -> Account:
    """It signs in with its key (RFC 7523)."""

    def form() -> Mapping[str, str]:
        now = int(time.time())
        claims = {
            "iss": login.get("client_email", ""),
            "scope": f"{API}/auth/drive.readonly",
            "aud": f"{site}/token",
            "iat": now,
            "exp": now + 3_600,
            **({"sub": login["subject"]} if "subject" in login else {}),
        }
        try:
            key = RSAKey.import_key(str(login.get("private_key", "")))
            assertion = jwt.encode({"alg": "RS256"}, claims, key)
        except (JoseError, ValueError):
            raise BadSource(
                f"has no `private_key` of a service account in {KEYS}. Copy it with "
                "`client_email` from the account's JSON file"
            ) from None
        grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        return {"grant_type": grant, "assertion": assertion}

    return Account(http, site, "/token", form)


def of_drive(
    url: SourceUrl, login: Mapping[str, Any], groups: Mapping[str, Audience], largest: int
) -> DriveSource:
    """Of `gdrive://drive.google.com/...`, the address of a folder in a browser."""
    root, is_google = url.path.rpartition("/")[2], not url.plain_host
    if not re.fullmatch(r"[\w-]+", root) or (is_google and url.parts.netloc != HOST):
        raise BadSource(f"Write gdrive://{HOST}/drive/folders/ID, as it stands in the browser")
    here = f"http://{url.parts.netloc}"
    api, sign_in = (API, LOGIN) if is_google else (here, here)
    hosts = [urlsplit(each).netloc for each in (api, sign_in)]
    http = GuardedHttp(hosts, url.plain_host)
    account = _service_account(http, sign_in, login)
    return DriveSource(Api(http, api, account.headers, _refusal), root, groups, largest)


def _refusal(said: bytes) -> Exception | None:
    if _LIMIT.search(said):
        return SourceUnavailable("has too much to do")
    if _TOO_LARGE.search(said):
        return UnreadableDocument("is more than the 10 MB that Google makes a file of; divide it")
    return None
