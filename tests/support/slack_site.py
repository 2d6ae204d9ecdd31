"""A channel of Slack on this machine, after the published Web API; it keeps what it was asked."""

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from remote_places import JsonSite, Place, Said, in_json, served

from retrieval.metadata.access import EVERYBODY, Audience
from retrieval.remote.slack import SlackReading, SlackSource, of_slack
from retrieval.remote.urls import source_url

TOKEN = "xoxb-of-the-bot"
CHANNEL, BOT = "C0FACILITY", "U0VOUCH"
NAMES = {"U0ANA": "Ana Lopez", "U0BEN": "Ben Okafor", BOT: "vouch"}
SIGN_IN = "<!DOCTYPE html><title>Sign in</title><form><input name=email></form>"
_FILE = re.compile(r"/files-pri/T0-(F\w+)/")


@dataclass
class Site(JsonSite):
    """One channel, that a test writes."""

    channel: dict[str, Any] = field(default_factory=dict)
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)
    pins: list[dict[str, Any]] = field(default_factory=list)
    bookmarks: list[dict[str, Any]] = field(default_factory=list)
    threads: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    people: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: dict[str, dict[str, str]] = field(default_factory=dict)
    at_once: int = 200
    now: Any = field(default_factory=lambda: count(1_790_000_000))

    def __post_init__(self) -> None:
        super().__init__()
        kinds = {"is_private": False, "is_im": False, "is_mpim": False, "is_ext_shared": False}
        self.people |= {user: {"real_name": name, "name": user} for user, name in NAMES.items()}
        self.channel |= {"id": CHANNEL, "name": "facilities", "is_member": True, **kinds}

    __hash__ = JsonSite.__hash__

    @property
    def api_url(self) -> str:
        return f"http://{self.place}/api/"

    def ts(self) -> str:
        return f"{next(self.now)}.000100"

    def file(self, name: str, text: str, key: str = "", **more: Any) -> dict[str, Any]:
        key = key or f"F0{len(self.files):03}"
        self.contents[key] = text
        url = f"http://{self.place}/files-pri/T0-{key}/{name}"
        told = {"id": key, "name": name, "mode": "hosted", "size": len(text.encode())}
        stated = {"timestamp": 1_790_000_000, "url_private": url, "permalink": f"{url}?shown"}
        self.files[key] = {**told, **stated, **more}
        return self.files[key]

    def canvas(self, title: str, page: str, key: str = "", updated: int = 1) -> dict[str, Any]:
        kind = {"mode": "quip", "filetype": "quip", "title": title, "updated": updated}
        return self.file("canvas", page, key, **kind)

    def says(self, text: str, user: str = "U0ANA", thread: str = "", **more: Any) -> str:
        message = {"type": "message", "user": user, "text": text, "ts": self.ts(), **more}
        if thread:
            root = self.threads[thread][0]
            replies = {"reply_count": len(self.threads[thread]), "latest_reply": message["ts"]}
            self.threads[thread][0] = {**root, **replies, "thread_ts": thread}
            self.threads[thread].append({**message, "thread_ts": thread})
        else:
            self.threads[str(message["ts"])] = [message]
        return str(message["ts"])

    def pin(self, text: str, user: str = "U0ANA", **more: Any) -> None:
        message = {"type": "message", "user": user, "text": text, "ts": self.ts(), **more}
        self.pins.append({"type": "message", "channel": CHANNEL, "message": message})

    def source(
        self, members: Audience = EVERYBODY, everyone: Audience = EVERYBODY, days: int = 36_500
    ) -> SlackSource:
        reading = SlackReading(TOKEN, self.api_url, days, everyone, members)
        return of_slack(source_url(f"slack://{CHANNEL}"), reading, 1_000_000)

    def answered(self, path: str, headers: Mapping[str, str], posted: bytes | None) -> Said:
        is_known = headers.get("authorization") == f"Bearer {TOKEN}"
        if found := _FILE.match(path):
            there = found[1] in self.files
            page = self.contents[found[1]] if is_known and there else SIGN_IN
            return 200 if there else 404, {"Content-Type": "text/html"}, page
        method, asked = path.removeprefix("/api/"), dict(parse_qsl((posted or b"").decode()))
        if not is_known:
            return in_json({"ok": False, "error": "invalid_auth"})
        if method in self.refused:
            return in_json({"ok": False, **self.refused[method]})
        told = getattr(self, f"_{method.replace('.', '_')}")(asked)
        return in_json({"ok": "error" not in told, **told})

    def _auth_test(self, _: Mapping[str, str]) -> dict[str, Any]:
        return {"url": f"http://{self.place}/", "team_id": "T0", "user_id": BOT}

    def _conversations_info(self, asked: Mapping[str, str]) -> dict[str, Any]:
        known = asked["channel"] == CHANNEL
        return {"channel": self.channel} if known else {"error": "channel_not_found"}

    def _files_list(self, asked: Mapping[str, str]) -> dict[str, Any]:
        page, shown = int(asked["page"]), list(self.files.values())
        at_once = min(self.at_once, int(asked["count"]))
        some = shown[(page - 1) * at_once : page * at_once]
        return {"files": some, "paging": {"page": page, "pages": -(-len(shown) // at_once)}}

    def _pins_list(self, _: Mapping[str, str]) -> dict[str, Any]:
        return {"items": self.pins}

    def _bookmarks_list(self, asked: Mapping[str, str]) -> dict[str, Any]:
        return {"bookmarks": self.bookmarks if asked["channel_id"] == CHANNEL else []}

    def _conversations_history(self, asked: Mapping[str, str]) -> dict[str, Any]:
        roots = [said[0] for ts, said in sorted(self.threads.items(), reverse=True)]
        return self._part([e for e in roots if float(e["ts"]) > float(asked["oldest"])], asked)

    def _conversations_replies(self, asked: Mapping[str, str]) -> dict[str, Any]:
        if asked["ts"] not in self.threads:
            return {"error": "thread_not_found"}
        root, *replies = self.threads[asked["ts"]]
        told = self._part(replies, asked)
        return {**told, "messages": [root, *told["messages"]]}

    def _part(self, said: list[dict[str, Any]], asked: Mapping[str, str]) -> dict[str, Any]:
        start, at_once = int(asked.get("cursor", 0)), min(self.at_once, int(asked["limit"]))
        end = start + at_once
        cursor = str(end) if end < len(said) else ""
        told = {"messages": said[start:end], "has_more": bool(cursor)}
        return {**told, "response_metadata": {"next_cursor": cursor}}

    def _users_info(self, asked: Mapping[str, str]) -> dict[str, Any]:
        person = self.people.get(asked["user"])
        return {"user": person} if person else {"error": "user_not_found"}


def site() -> AbstractContextManager[Site]:
    return served(Site())


def without_ids(path: str) -> str:
    return re.sub(r"^(?:canvases|files)/F\w+ ", "", path).replace("-", "/")


@contextmanager
def slack(folder: Path) -> Iterator[Place]:
    """Canvases called by paths."""
    with site() as made:
        keys: dict[str, str] = {}

        def put(files: Mapping[str, str]) -> None:
            for path, text in files.items():
                key = keys.setdefault(path, f"F0CANVAS{len(keys)}")
                made.canvas(path.removesuffix(".html"), text, key, next(made.now))

        def drop(path: str) -> None:
            del made.files[keys.pop(path)]

        class _Place(Place):
            @property
            def source(self) -> SlackSource:
                token = str(self.keys.get(self.url, {}).get("token", TOKEN))
                reading = SlackReading(token, made.api_url, 0)
                return of_slack(source_url(self.url), reading, 1_000_000)

        url = f"slack://{CHANNEL}"
        keyed = {url: {"token": TOKEN}}
        yield _Place(url, folder, put, drop, keyed, "", "token", str, without_ids)
