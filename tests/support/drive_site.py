"""A Google Drive on this machine, after the published REST API; it keeps what it was asked."""

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from remote_places import JsonSite, Place, Said, in_json, in_tree, opening, served

from retrieval.metadata.access import Audience
from retrieval.ports import DocumentSource
from retrieval.remote.urls import source_url

GOOGLE = "application/vnd.google-apps"
FOLDER = f"{GOOGLE}.folder"
ACCOUNT = "vouch@project.iam.gserviceaccount.com"
TOKEN = "ya29-of-the-service-account"
ROOT = "folder_Of-Handbooks"
_OFFICE = "application/vnd.openxmlformats-officedocument"
EXPORTS = {
    (f"{GOOGLE}.document", f"{_OFFICE}.wordprocessingml.document"),
    (f"{GOOGLE}.spreadsheet", f"{_OFFICE}.spreadsheetml.sheet"),
    (f"{GOOGLE}.presentation", f"{_OFFICE}.presentationml.presentation"),
}
_FILE = re.compile(r"/drive/v3/files(?:/([\w-]+))?(/export|/permissions)?")


@cache
def key() -> RSAKey:
    return RSAKey.generate_key(2048, private=True)


@cache
def another_key() -> str:
    return RSAKey.generate_key(2048, private=True).as_pem(private=True).decode()


def granted(name: str, kind: str = "group", **more: Any) -> dict[str, Any]:
    named = {"group": "emailAddress", "user": "emailAddress", "domain": "domain"}.get(kind)
    told = {"id": f"id-of-{name}", "type": kind, "role": "reader", "kind": "drive#permission"}
    details = {"permissionDetails": [{"permissionType": "file", "inherited": False}]}
    return {**told, **details, **({named: name} if named else {}), **more}


EVERYONE = granted("all-staff@example.org"), granted(ACCOUNT, "user")


@dataclass
class File:
    id: str
    name: str
    text: str = ""
    above: str = ROOT
    mime_type: str = "text/html"
    version: int = 1
    grants: tuple[dict[str, Any], ...] = EVERYONE
    is_limited: bool = False
    trashed: bool = False
    may_be_shared: bool = True
    link: str = "https://drive.google.com/file/d/{}/view"

    def told(self, drive: str) -> dict[str, Any]:
        own = self.mime_type.startswith(GOOGLE)
        time = f"2026-01-02T03:04:{self.version:02}.000Z"
        told: dict[str, Any] = {
            "kind": "drive#file",
            "id": self.id,
            "name": self.name,
            "mimeType": self.mime_type,
            "parents": [self.above],
            "modifiedTime": time,
            "webViewLink": self.link.format(self.id),
            "inheritedPermissionsDisabled": self.is_limited,
            "size": "1024" if own else str(len(self.text.encode())),
        }
        if not own:
            told["md5Checksum"] = f"{hash(self.text):x}"
        if drive:
            return told | {"driveId": drive}
        return told | ({"permissions": list(self.grants)} if self.may_be_shared else {})


class Site(JsonSite):
    """One folder, that a test writes, of My Drive or of a shared one."""

    def __init__(self, drive: str = "") -> None:
        super().__init__()
        self.drive, self.at_once = drive, 1_000
        self.files = {ROOT: File(ROOT, "Handbooks", above="root", mime_type=FOLDER)}
        self.claims: list[Mapping[str, Any]] = []
        self._ids = count(1)

    @property
    def url(self) -> str:
        return f"gdrive+{self.here}/drive/folders/{ROOT}"

    @property
    def login(self) -> dict[str, str]:
        return {"client_email": ACCOUNT, "private_key": key().as_pem(private=True).decode()}

    def file(self, name: str, text: str = "", above: File | None = None, **more: Any) -> File:
        one = File(f"id-{next(self._ids)}", name, text, above.id if above else ROOT, **more)
        return self.files.setdefault(one.id, one)

    def folder(self, name: str, above: File | None = None, **more: Any) -> File:
        return self.file(name, "", above, mime_type=FOLDER, **more)

    def source(
        self, groups: Mapping[str, Audience] | None = None, login: Mapping[str, str] | None = None
    ) -> DocumentSource:
        keys = {self.url: self.login if login is None else login}
        made = opening(keys, groups={self.url: groups or {}})
        return made.source(source_url(self.url), Path())

    def signed_in(self, form: Mapping[str, list[str]]) -> Said:
        try:
            (assertion,) = form["assertion"]
            claims = jwt.decode(assertion, key(), algorithms=["RS256"]).claims
        except (JoseError, KeyError, ValueError):
            return in_json({"error": "invalid_grant", "said": str(form)}, 400)
        self.claims.append(claims)
        if claims["aud"] != f"{self.here}/token" or claims["iss"] != ACCOUNT:
            return in_json({"error": "invalid_grant"}, 400)
        return in_json({"access_token": TOKEN, "expires_in": 3599, "token_type": "Bearer"})

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        if posted is not None:
            return self.signed_in(parse_qs(posted.decode()))
        stated = headers.get("authorization", "")
        if stated != f"Bearer {TOKEN}":
            return in_json({"error": {"code": 401, "said": stated}}, 401)
        parts = urlsplit(path)
        return self._answer(parts.path, dict(parse_qsl(parts.query)))

    def _answer(self, path: str, asked: Mapping[str, str]) -> Said:
        found = _FILE.fullmatch(path)
        if not found or ("supportsAllDrives" in asked) == (found[2] == "/export"):
            return in_json({}, 404)
        if found[1] is None:
            return self._listed(asked)
        one = self.files.get(found[1])
        if not one or one.trashed:
            return in_json({}, 404)
        if found[2] == "/permissions":
            return self._permissions(one, int(asked.get("pageToken", 0)))
        if found[2] == "/export":
            is_made = (one.mime_type, asked["mimeType"]) in EXPORTS
            return (200, {}, one.text.encode()) if is_made else in_json({}, 400)
        if asked.get("alt") == "media":
            return 200, {"Content-Type": "text/html"}, one.text.encode()
        return in_json(_only(one.told(self.drive), asked["fields"]))

    def _permissions(self, one: File, start: int) -> Said:
        if not one.may_be_shared:
            return refused("insufficientFilePermissions")
        said: dict[str, Any] = {"permissions": list(one.grants[start : start + 1])}
        if start + 1 < len(one.grants):
            said["nextPageToken"] = str(start + 1)
        return in_json(said)

    def _listed(self, asked: Mapping[str, str]) -> Said:
        where = re.fullmatch(r"'([\w-]+)' in parents and trashed = false", asked["q"])
        if not where or asked["includeItemsFromAllDrives"] != "true":
            return in_json({}, 400)
        if self.drive and (asked.get("corpora"), asked.get("driveId")) != ("drive", self.drive):
            return in_json({"files": []})
        all_of_it = [f for f in self.files.values() if f.above == where[1] and not f.trashed]
        start = int(asked.get("pageToken", 0))
        some = all_of_it[start : start + self.at_once]
        inner = re.search(r"files\((.*)\)$", asked["fields"])
        assert inner
        said: dict[str, Any] = {"files": [_only(f.told(self.drive), inner[1]) for f in some]}
        if start + self.at_once < len(all_of_it):
            said["nextPageToken"] = str(start + self.at_once)
        return in_json(said)


def _only(told: dict[str, Any], fields: str) -> dict[str, Any]:
    while "(" in fields:
        fields = re.sub(r"\([^()]*\)", "", fields)
    names = fields.split(",")
    return {name: value for name, value in told.items() if name in names}


def refused(reason: str, status: int = 403) -> Said:
    fault = {"domain": "usageLimits", "reason": reason, "message": "Said by the server"}
    return in_json({"error": {"code": status, "errors": [fault]}}, status)


def site(drive: str = "") -> AbstractContextManager[Site]:
    return served(Site(drive))


@contextmanager
def drive(folder: Path) -> Iterator[Place]:
    with site() as made:
        yield in_tree(made, folder, {made.url: made.login}, "private_key", wrong=another_key())
