"""A Confluence on this machine, after the published REST API; it keeps what it was asked."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from remote_places import PASSWORD, JsonSite, Place, Said, in_json, in_tree, opening, served

from retrieval.metadata.access import Audience
from retrieval.ports import DocumentSource
from retrieval.remote.urls import source_url

USER = "vouch@example.org"


@dataclass
class Thing:
    id: str
    title: str
    text: str = ""
    above: "Thing | None" = None
    type: str = "page"
    status: str = "current"
    version: int = 1
    groups: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    is_told: bool = True
    """Whether search names it among what a page stands below."""

    @property
    def trail(self) -> "list[Thing]":
        return [*self.above.trail, self.above] if self.above else []

    @property
    def restrictions(self) -> dict[str, Any]:
        groups = [{"type": "group", "name": each, "id": f"id-of-{each}"} for each in self.groups]
        users = [{"type": "known", "accountId": each} for each in self.users]
        return {
            name: {"results": some, "start": 0, "limit": 100, "size": len(some)}
            for name, some in (("user", users), ("group", groups))
        }

    def told(self, expand: set[str]) -> dict[str, Any]:
        told: dict[str, Any] = {
            "id": self.id,
            "type": self.type,
            "status": self.status,
            "title": self.title,
            "_links": {"webui": f"/spaces/HR/pages/{self.id}/{quote(self.title, safe='')}"},
        }
        if "version" in expand:
            told["version"] = {"number": self.version, "when": "2026-01-02T03:04:05.000Z"}
        if "ancestors" in expand:
            told["ancestors"] = [each.told(set()) for each in self.trail if each.is_told]
        readers = {n: v for n, v in self.restrictions.items() if _EXPANDED + n in expand}
        if readers:
            told["restrictions"] = {"read": {"operation": "read", "restrictions": readers}}
        if "container" in expand and self.above:
            told["container"] = self.above.told(set())
        if self.type == "attachment" and self.above:
            told["extensions"] = {"fileSize": len(self.text.encode())}
            path = f"/download/attachments/{self.above.id}/{quote(self.title)}"
            told["_links"]["download"] = f"{path}?version={self.version}&api=v2"
        return told


_EXPANDED = "restrictions.read.restrictions."
_ABOVE = r"/api/v2/pages/(\d+)/ancestors"


class Site(JsonSite):
    """One space, HR, that a test writes; Cloud or Data Center."""

    def __init__(self, *, is_cloud: bool) -> None:
        super().__init__()
        self.is_cloud, self.at_once, self.path = is_cloud, 100, ""
        self.things: dict[str, Thing] = {}
        self.hidden: set[str] = set()
        """Ids that the token's owner may not see."""
        self.media = ""
        """Where files of Cloud are."""
        self._ids = count(98301)

    @property
    def context(self) -> str:
        return "/wiki" if self.is_cloud else self.path

    @property
    def url(self) -> str:
        return f"confluence+http://{self.place}{self.path}/HR"

    @property
    def login(self) -> dict[str, str]:
        return {"token": PASSWORD} | ({"username": USER} if self.is_cloud else {})

    @property
    def authorization(self) -> str:
        pair = b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        return f"Basic {pair}" if self.is_cloud else f"Bearer {PASSWORD}"

    def page(self, title: str, text: str = "", above: Thing | None = None, **more: Any) -> Thing:
        thing = Thing(str(next(self._ids)), title, text, above, **more)
        return self.things.setdefault(thing.id, thing)

    def folder(self, name: str, above: Thing | None = None) -> Thing:
        return self.page(name, above=above, type="folder")

    def file(self, name: str, text: str, above: Thing | None = None) -> Thing:
        return self.page(name.removesuffix(".html"), text, above)

    def rewrite(self, one: Thing, text: str) -> None:
        one.text, one.version = text, one.version + 1

    def trash(self, one: Thing) -> None:
        one.status = "trashed"

    def attach(self, title: str, text: str, above: Thing, **more: Any) -> Thing:
        thing = Thing(f"att{next(self._ids)}", title, text, above, "attachment", **more)
        return self.things.setdefault(thing.id, thing)

    def source(
        self, groups: Mapping[str, Audience] | None = None, login: Mapping[str, str] | None = None
    ) -> DocumentSource:
        keys = {self.url: self.login if login is None else login}
        made = opening(keys, groups={self.url: groups or {}})
        return made.source(source_url(self.url), Path())

    @property
    def fetched(self) -> list[str]:
        one = re.compile(r"/(?:api/v2/pages|rest/api/content)/(\d+)\?|.*(/download)")
        found = (one.match(path.removeprefix(self.context)) for path, _ in self.asked)
        return [each[1] or each[0] for each in found if each]

    def answered(self, path: str, headers: Mapping[str, str], _: bytes | None) -> Said:
        stated = headers.get("authorization", "")
        if stated != self.authorization:
            return 401, {}, "You are not signed in, but you said " + stated
        return self._answer(path)

    def _answer(self, path: str) -> Said:
        path = path.removeprefix(self.context)
        parts = urlsplit(path)
        asked = dict(parse_qsl(parts.query))
        if parts.path == "/rest/api/content/search":
            return self._search(asked)
        if self.is_cloud and (found := re.fullmatch(_ABOVE, parts.path)):
            above = self.things[found[1]].trail[-int(asked["limit"]) :]
            return in_json({"results": [{"id": each.id, "type": each.type} for each in above]})
        if self.is_cloud and (found := re.fullmatch(r"/api/v2/pages/(\d+)", parts.path)):
            return self._text(found[1], asked.get("body-format", ""), {"current", "trashed"})
        if not self.is_cloud and (found := re.fullmatch(r"/rest/api/content/(\d+)", parts.path)):
            return self._text(found[1], asked.get("expand", "")[5:], {"current"})
        file = r"/rest/api/content/\d+/child/attachment/(att\d+)/download"
        if self.is_cloud and (found := re.fullmatch(file, parts.path)):
            return 302, {"Location": f"{self.media}/file/{found[1]}?token=of-the-file"}, ""
        if not self.is_cloud and parts.path.startswith("/download/attachments/"):
            seen = (each for each in self.things.values() if each.status == "current")
            wanted = (t for t in seen if t.told(set())["_links"].get("download") == path)
            return next(((200, {}, thing.text) for thing in wanted), (404, {}, ""))
        return (410 if self.is_cloud else 404), {}, "{}"

    def _search(self, asked: dict[str, str]) -> Said:
        cql = re.fullmatch(
            r'space = "HR" and type (?:= (\w+)|in \(page, folder\)) order by created', asked["cql"]
        )
        if not cql:
            return 400, {}, "{}"
        kinds = {cql[1]} if cql[1] else {"page", "folder"}
        seen = [
            each
            for each in self.things.values()
            if each.type in kinds
            and each.status in ("current", "archived")
            and each.id not in self.hidden
        ]
        cursor = "cursor" if self.is_cloud else "start"
        start, step = int(asked.get(cursor, 0)), min(self.at_once, int(asked["limit"]))
        some = [each.told(set(asked["expand"].split(","))) for each in seen[start : start + step]]
        links = {"base": f"http://{self.place}{self.context}", "context": self.context}
        if start + step < len(seen):
            links["next"] = "/rest/api/content/search?" + urlencode(
                {**asked, cursor: str(start + step)}
            )
        return in_json({"results": some, "limit": step, "size": len(some), "_links": links})

    def _text(self, key: str, form: str, seen: set[str]) -> Said:
        thing = self.things.get(key)
        if not thing or thing.status not in seen or key in self.hidden:
            return 404, {}, "{}"
        body = {form: {"value": thing.text, "representation": form}}
        version = {"number": thing.version}
        return in_json({"id": key, "status": thing.status, "version": version, "body": body})


def site(*, is_cloud: bool = False) -> AbstractContextManager[Site]:
    return served(Site(is_cloud=is_cloud))


def own_words(whole: str) -> str:
    """What the authors of a page wrote, without what stands around it."""
    return whole.partition("</h2>\n")[2].partition("</body>")[0].strip()


def without_ids(path: str) -> str:
    """A path by titles alone."""
    return re.sub(r"(^|/)(att)?\d+ ", r"\1", path)


@contextmanager
def confluence(folder: Path) -> Iterator[Place]:
    with site(is_cloud=True) as made:
        keys = {made.url: made.login}
        yield in_tree(made, folder, keys, "token", own_words=own_words, called=without_ids)
