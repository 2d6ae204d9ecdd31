"""A SharePoint on this machine, after the published Graph: API, sign-in and site in one server."""

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from remote_places import PASSWORD, JsonSite, Place, Said, in_json, in_tree, opening, served

from retrieval.metadata.access import Audience
from retrieval.ports import DocumentSource
from retrieval.remote.urls import source_url

APP = {"tenant_id": "acme.onmicrosoft.com", "client_id": "0f1e-app", "client_secret": PASSWORD}
TOKEN = "eyJ-of-the-app"
DRIVE, ROOT = "b!of-Handbooks", "01ROOT"
Grant = dict[str, Any]
_ITEM = re.compile(rf"/v1\.0/drives/{DRIVE}/items/(\w+)/(permissions|content)")


def to_group(email: str, role: str = "read", own: str = "", **more: Any) -> Grant:
    """`own`: what is behind the group's id in its login, as of its owners alone."""
    key = f"id-of-{email}"
    group = {"id": key, "email": email, "displayName": "All of HR"}
    login = {"id": f"7{own}", "loginName": f"c:0o.c|federateddirectoryclaimprovider|{key}{own}"}
    told = {"id": f"p-{email}", "roles": [role], "grantedTo": {"user": {"displayName": "HR"}}}
    return {**told, "grantedToV2": {"group": group, "siteUser": login}, **more}


def to_site_group(key: str, name: str, role: str = "read") -> Grant:
    told = {"id": key, "displayName": name, "loginName": name}
    return {"id": f"p-{name}", "roles": [role], "grantedToV2": {"siteGroup": told}}


def to_person(email: str, **more: Any) -> Grant:
    names = {
        "user": {"id": f"id-of-{email}", "email": email, "displayName": "Ana"},
        "siteUser": {"id": f"9{email}", "loginName": f"i:0#.f|membership|{email}"},
    }
    return {"id": f"p-{email}", "roles": ["write"], "grantedToV2": names, **more}


def by_link(scope: str, *people: Grant, kind: str = "view", **more: Any) -> Grant:
    link = {"scope": scope, "type": kind, "webUrl": "https://acme.sharepoint.com/:w:/s/x"}
    known = [each["grantedToV2"] for each in people]
    return {"id": "p-link", "roles": ["read"], "link": link, "grantedToIdentitiesV2": known, **more}


OWNERS, VISITORS = to_site_group("3", "Owners", "owner"), to_site_group("4", "Visitors")
EVERYONE = (OWNERS, VISITORS)


@dataclass
class File:
    id: str
    name: str
    text: str = ""
    above: str = ROOT
    is_folder: bool = False
    grants: tuple[Grant, ...] | None = None
    """None where they are those of what it stands in."""
    trashed: bool = False
    more: tuple[tuple[str, Any], ...] = ()

    def told(self, place: str) -> dict[str, Any]:
        told: dict[str, Any] = {"id": self.id, "parentReference": {"id": self.above}}
        told |= {"name": self.name, "eTag": f'"{{{self.id}}},{hash(self.text)}"'}
        told["webUrl"] = f"https://{place}/sites/HR/Docs/{self.id}"
        own: dict[str, Any] = {"folder": {"childCount": 1}}
        if not self.is_folder:
            own = {"file": {"mimeType": "text/html"}, "size": len(self.text.encode())}
        gone = {"deleted": {"state": "deleted"}} if self.trashed else {}
        return {**told, **own, **gone, **dict(self.more)}


class Site(JsonSite):
    """One site of two libraries, of which a test writes one."""

    def __init__(self) -> None:
        super().__init__()
        self.at_once = 100
        self.files = {ROOT: File(ROOT, "root", above="", is_folder=True, grants=EVERYONE)}
        self.files[ROOT].more = (("root", {}),)
        self.told_before: list[dict[str, Any]] = []
        """What a listing tells of items before it tells how they are."""
        self.download = f"{self.here}/sites/HR/_layouts/15/download.aspx?tempauth=v1&id="
        self._ids = count(1)

    @property
    def url(self) -> str:
        return f"sharepoint+{self.here}/sites/HR/Shared%20Documents"

    def file(self, name: str, text: str = "x", above: File | None = None, **more: Any) -> File:
        one = File(f"01F{next(self._ids)}", name, text, above.id if above else ROOT, **more)
        return self.files.setdefault(one.id, one)

    def folder(self, name: str, above: File | None = None, **more: Any) -> File:
        return self.file(name, "", above, is_folder=True, **more)

    def source(
        self,
        groups: Mapping[str, Audience] | None = None,
        login: Mapping[str, str] = APP,
        url: str = "",
    ) -> DocumentSource:
        url = url or self.url
        made = opening({url: login}, groups={url: groups or {}})
        return made.source(source_url(url), Path())

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        parts = urlsplit(path)
        asked, where = dict(parse_qsl(parts.query)), unquote(parts.path)
        if posted is not None:
            return self._signed_in(where, dict(parse_qsl(posted.decode())))
        if where.endswith("/download.aspx"):
            return 200, {}, self.files[asked["id"]].text
        if headers.get("authorization") != f"Bearer {TOKEN}":
            return in_json({"error": {"code": "InvalidAuthenticationToken"}}, 401)
        return self._told(where, asked)

    def _signed_in(self, where: str, form: Mapping[str, str]) -> Said:
        of_app = {name: form.get(name) for name in ("client_id", "client_secret")}
        wanted = {"grant_type": "client_credentials", **of_app}
        wanted["scope"] = "https://graph.microsoft.com/.default"
        is_ours = of_app.items() <= APP.items() and form == wanted
        if where != f"/{APP['tenant_id']}/oauth2/v2.0/token" or not is_ours:
            return in_json({"error": "invalid_client", "error_description": str(form)}, 401)
        return in_json({"access_token": TOKEN, "expires_in": 3599, "token_type": "Bearer"})

    def _told(self, where: str, asked: Mapping[str, str]) -> Said:
        site, drive = "/v1.0/sites/127.0.0.1,2a-1,2b-3", f"/v1.0/drives/{DRIVE}"
        url = "https://acme.sharepoint.com/sites/HR"
        ours = {"id": DRIVE, "name": "Documents", "webUrl": f"{url}/Shared%20Documents"}
        other = {"id": "b!other", "name": "Assets", "webUrl": f"{url}/Documents"}
        fixed: dict[str, Any] = {
            "/v1.0/sites/127.0.0.1:/sites/HR": {"id": "127.0.0.1,2a-1,2b-3"},
            f"{site}/drive": ours,
            f"{site}/drives": {"value": [ours], "@odata.nextLink": f"{self.here}{site}/drives2"},
            f"{site}/drives2": {"value": [other]},
            f"{drive}/root": self.files[ROOT].told(self.place),
        }
        if where in fixed:
            return in_json(fixed[where])
        if where == f"{drive}/root/delta":
            return self._listed(int(asked.get("token", 0)))
        if where.startswith(f"{drive}/root:/"):
            return in_json(self._at(where.partition("root:/")[2]).told(self.place))
        found = _ITEM.fullmatch(where)
        one = self.files.get(found[1]) if found else None
        if not found or not one or one.trashed:
            return in_json({"error": {"code": "itemNotFound"}}, 404)
        if found[2] == "content":
            return 302, {"Location": f"{self.download}{one.id}"}, ""
        while one.grants is None:
            one = self.files[one.above]
        return in_json({"value": one.grants})

    def _at(self, path: str) -> File:
        above = ROOT
        for name in path.split("/"):
            one = next(f for f in self.files.values() if (f.above, f.name) == (above, name))
            above = one.id
        return one

    def _listed(self, start: int) -> Said:
        told = [each.told(self.place) for each in reversed(self.files.values())]
        told, here = [*self.told_before, *told], f"{self.here}/v1.0/drives/{DRIVE}/root/delta"
        end = start + self.at_once
        which = "nextLink" if end < len(told) else "deltaLink"
        return in_json({"value": told[start:end], f"@odata.{which}": f"{here}?token={end}"})


def site() -> AbstractContextManager[Site]:
    return served(Site())


@contextmanager
def sharepoint(folder: Path) -> Iterator[Place]:
    with site() as made:
        yield in_tree(made, folder, {made.url: APP}, "client_secret")
