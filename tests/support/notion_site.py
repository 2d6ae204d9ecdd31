"""A Notion on this machine, after the published REST API (2025-09-03)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

from confluence_site import own_words
from remote_places import PASSWORD, JsonSite, Place, Said, in_json, opening, served

from retrieval.metadata.access import Audience
from retrieval.ports import DocumentSource
from retrieval.remote.urls import source_url

EDITED = "2025-03-01T10:00:00.000Z"
LATER = "2025-03-01T10:01:00.000Z"


@dataclass
class Thing:
    """A page, a database, or a block with what is in it."""

    title: str = ""
    above: "Thing | None" = None
    object: str = "page"
    below: "Sequence[Thing]" = ()
    type: str = ""
    said: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)
    edited: str = EDITED
    in_trash: bool = False
    id: str = field(default_factory=lambda: str(uuid4()))

    @property
    def key(self) -> str:
        return self.id.replace("-", "")

    @property
    def told(self) -> dict[str, Any]:
        """As everything tells of it."""
        kind = f"{self.above.object}_id" if self.above else "workspace"
        parent = {"type": kind, kind: self.above.id if self.above else True}
        if kind == "database_id":
            parent |= {"type": "data_source_id", "data_source_id": str(uuid4())}
        told: dict[str, Any] = {
            "object": self.object,
            "id": self.id,
            "parent": parent,
            "last_edited_time": self.edited,
            "archived": self.in_trash,
            "in_trash": self.in_trash,
        }
        if self.object == "block":
            told |= {"type": self.type, "has_children": bool(self.below), self.type: self.said}
        elif self.object == "database":
            told |= {"title": rich(self.title), "data_sources": [{"id": str(uuid4()), "name": "A"}]}
        else:
            title = {"id": "title", "type": "title", "title": rich(self.title)}
            told["properties"] = {**self.properties, "Name": title}
            told["url"] = f"https://www.notion.so/Page-{self.key}"
        return told

    @property
    def as_block(self) -> dict[str, Any]:
        """A page or a database where it stands in a page."""
        if self.object == "block":
            return self.told
        kind = f"child_{self.object}"
        told = {k: v for k, v in self.told.items() if k not in ("properties", "title", "url")}
        more = {"type": kind, "has_children": True, kind: {"title": self.title}}
        return {**told, "object": "block", **more}


def rich(text: str, **annotations: bool) -> list[dict[str, Any]]:
    if not text:
        return []
    styles = dict.fromkeys(("bold", "italic", "strikethrough", "underline", "code"), False)
    return [
        {
            "type": "text",
            "text": {"content": text, "link": None},
            "annotations": {**styles, "color": "default", **annotations},
            "plain_text": text,
            "href": None,
        }
    ]


def mention(kind: str, text: str) -> list[dict[str, Any]]:
    return [{**rich(text)[0], "type": "mention", "mention": {"type": kind, kind: {}}}]


def block(kind: str, text: str | list[dict[str, Any]] = "", *below: Thing, **said: Any) -> Thing:
    written = rich(text) if isinstance(text, str) else text
    return Thing(object="block", type=kind, below=below, said={"rich_text": written, **said})


class Site(JsonSite):
    """A workspace that a test writes, with a page `top` of which everything is."""

    def __init__(self, kind: str = "page") -> None:
        super().__init__()
        self.at_once = 100
        self.things: dict[str, Thing] = {}
        self.hidden: set[str] = set()
        """Ids of what is not shared with the integration."""
        self.lost: set[str] = set()
        """Ids of what search does not have, or not yet."""
        self.stale: dict[str, dict[str, Any]] = {}
        """What search tells of some still, by id."""
        self.top = self._kept(Thing("Top", object=kind))

    @property
    def url(self) -> str:
        return f"notion+http://{self.place}/{self.top.key}"

    @property
    def login(self) -> dict[str, str]:
        return {"token": PASSWORD}

    def page(
        self, title: str, *blocks: Thing | str, above: Thing | None = None, **more: Any
    ) -> Thing:
        below = [block("paragraph", e) if isinstance(e, str) else e for e in blocks]
        return self._kept(Thing(title, above or self.top, below=below, **more))

    def database(self, title: str, above: Thing | None = None, **more: Any) -> Thing:
        return self._kept(Thing(title, above or self.top, "database", **more))

    def _kept(self, thing: Thing) -> Thing:
        self.things[thing.id] = thing
        for each in thing.below:
            each.above = thing
            self._kept(each)
        return thing

    def source(
        self, readers: Mapping[str, Audience] | None = None, token: str = PASSWORD
    ) -> DocumentSource:
        groups = {self.url: readers} if readers is not None else {}
        made = opening({self.url: {"token": token}}, groups=groups)
        return made.source(source_url(self.url), Path())

    @property
    def fetched(self) -> list[str]:
        """Ids of pages whose blocks were asked for."""
        found = (re.match(r"/v1/blocks/([\w-]+)/children", path) for path, _ in self.asked)
        ids = (each[1] for each in found if each)
        return [each for each in ids if self.things[each].object == "page"]

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        stated = headers.get("authorization", "")
        if stated != f"Bearer {PASSWORD}":
            return 401, {}, "API token is invalid, for you said " + stated
        if headers.get("notion-version") != "2025-09-03":
            return in_json({"object": "error", "code": "missing_version"}, 400)
        return self._answer(path, None if posted is None else json.loads(posted))

    def _answer(self, path: str, posted: dict[str, Any] | None) -> Said:
        parts = urlsplit(path)
        asked = dict(parse_qsl(parts.query))
        if parts.path == "/v1/search" and posted is not None:
            return self._search(posted)
        if found := re.fullmatch(r"/v1/(page|database|block)s/([\w-]+)", parts.path):
            thing = self._seen(found[2])
            if not thing:
                return _missing()
            if found[1] == "block":
                return in_json(thing.as_block)
            if thing.object != found[1]:
                return 400, {}, json.dumps({"object": "error", "code": "validation_error"})
            return in_json(thing.told)
        if found := re.fullmatch(r"/v1/blocks/([\w-]+)/children", parts.path):
            thing = self._seen(found[1])
            if not thing:
                return _missing()
            pages = (e for e in self.things.values() if e.above is thing and e.object != "block")
            some = [*thing.below, *pages]
            return self._part([e.as_block for e in some if not e.in_trash], asked)
        return 400, {}, "{}"

    def _seen(self, key: str) -> Thing | None:
        return None if key in self.hidden else self.things.get(key)

    def _search(self, asked: dict[str, Any]) -> Said:
        if asked["filter"] != {"property": "object", "value": "page"}:
            return 400, {}, "{}"
        without = self.hidden | self.lost
        found = (e for e in self.things.values() if e.object == "page" and e.id not in without)
        told = [self.stale.get(each.id, each.told) for each in found if not each.in_trash]
        is_oldest_first = asked.get("sort") == {
            "timestamp": "last_edited_time",
            "direction": "ascending",
        }
        told.sort(key=lambda each: str(each["last_edited_time"]), reverse=not is_oldest_first)
        return self._part(told, asked)

    def _part(self, some: list[dict[str, Any]], asked: Mapping[str, Any]) -> Said:
        ids = [each["id"] for each in some]
        start = ids.index(asked["start_cursor"]) if "start_cursor" in asked else 0
        end = start + min(self.at_once, int(asked["page_size"]))
        more = end < len(some)
        next_cursor = ids[end] if more else None
        told = {"object": "list", "results": some[start:end], "has_more": more}
        return in_json({**told, "next_cursor": next_cursor})


def _missing() -> Said:
    return in_json({"object": "error", "status": 404, "code": "object_not_found"}, 404)


def site(kind: str = "page") -> AbstractContextManager[Site]:
    return served(Site(kind))


@dataclass
class _Written:
    """Pages of a database, and of databases on its first page, written as paths."""

    site: Site
    made: dict[str, Thing] = field(default_factory=dict)

    def put(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            words = block("paragraph", text.removeprefix("<p>").removesuffix("</p>"))
            folder, _, name = path.rpartition("/")
            if path in self.made:
                page = self.made[path]
                page.below, page.edited = [words], LATER
                continue
            if folder and folder not in self.made:
                first = next(iter(self.made.values()))
                self.made[folder] = self.site.database(folder, first)
            above = self.made.get(folder, self.site.top)
            self.made[path] = self.site.page(name.removesuffix(".html"), words, above=above)

    def drop(self, path: str) -> None:
        self.made.pop(path).in_trash = True


def without_ids(path: str) -> str:
    """A path by titles alone, below the top."""
    return re.sub(r"(^|/)[0-9a-f]{32} ?", r"\1", path).removeprefix("Top/")


@contextmanager
def notion(folder: Path) -> Iterator[Place]:
    with site("database") as made:
        written = _Written(made)

        def called(path: str) -> str:
            return without_ids(path).removeprefix("always/")

        keys = {made.url: made.login}
        yield Place(
            made.url, folder, written.put, written.drop, keys, "", "token", own_words, called
        )
