"""People who use the local workspace's page, for tests: what each of them does and sees."""

# ruff: noqa: S310 - the URL is the test's own, on loopback

import base64
import json
import time
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

from bot.workspace.server import Options
from bot.workspace.web_api import LimitFigures

UNHURRIED = Options(limits=LimitFigures(enabled=False), trigger_lasts=120.0)
"""As Slack, for machines that may take their time from a click to the modal."""
Message = dict[str, Any]
Found = TypeVar("Found")


class Refusal(Exception):
    def __init__(self, code: str, say: str) -> None:
        super().__init__(f"{code}: {say}")
        self.code = code
        self.say = say


class Slack:
    def __init__(self, url: str) -> None:
        self._url = url

    def says(
        self,
        user: str,
        channel: str,
        text: str,
        thread: str | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> str:
        """Writes a message, returns its `ts`; `@Vouch` mentions the bot, `files` come with it."""
        attached = [
            {"name": name, "content": base64.b64encode(content).decode()}
            for name, content in (files or {}).items()
        ]
        body = {
            "as": user,
            "channel": channel,
            "text": text,
            "thread_ts": thread,
            "files": attached,
        }
        return str(self.post("messages", body)["ts"])

    def edits(self, user: str, channel: str, ts: str, text: str) -> None:
        self.post("edit", {"as": user, "channel": channel, "ts": ts, "text": text})

    def deletes(self, user: str, channel: str, ts: str) -> None:
        self.post("delete", {"as": user, "channel": channel, "ts": ts})

    def reacts(self, user: str, channel: str, ts: str, reaction: str = "x") -> None:
        self.post("react", {"as": user, "channel": channel, "ts": ts, "reaction": reaction})

    def deletes_file(self, user: str, channel: str, ts: str, file_id: str) -> None:
        self.post("files/delete", {"as": user, "channel": channel, "ts": ts, "file": file_id})

    def direct(self, user: str, other: str = "U0VOUCH") -> str:
        return str(self.post("dm", {"as": user, "with": other})["channel"])

    def command(self, user: str, channel: str, command: str, text: str = "") -> None:
        body = {"as": user, "channel": channel, "command": command, "text": text}
        self.post("commands", body)

    def shortcut(self, user: str, shortcut: str, channel: str = "", ts: str = "") -> None:
        about = {"channel": channel, "message_ts": ts} if ts else {}
        self.post("shortcuts", {"as": user, "shortcut": shortcut, **about})

    def clicks(
        self,
        user: str,
        channel: str,
        ts: str,
        action_id: str,
        value: str | None = None,
        **more: Any,
    ) -> None:
        message = next(one for one in self.messages(channel, user) if one["ts"] == ts)
        block_id = _block_of(message["blocks"], action_id, value)
        body = {"as": user, "channel": channel, "message_ts": ts, "value": value, **more}
        self.post("actions", {**body, "block_id": block_id, "action_id": action_id})

    def clicks_in_view(
        self, user: str, view: Mapping[str, Any], action_id: str, value: str | None = None
    ) -> None:
        block_id = _block_of(view["blocks"], action_id, value)
        body = {"as": user, "view_id": view["id"], "block_id": block_id, "value": value}
        self.post("actions", {**body, "action_id": action_id})

    def submits(
        self, user: str, view_id: str, values: Mapping[str, Mapping[str, Any]] | None = None
    ) -> dict[str, str]:
        body = {"as": user, "view_id": view_id, "values": values or {}}
        errors: dict[str, str] = self.post("views/submit", body).get("errors", {})
        return errors

    def closes(self, user: str, view_id: str) -> None:
        self.post("views/close", {"as": user, "view_id": view_id})

    def messages(self, channel: str, as_user: str) -> list[Message]:
        answer = self._get("messages", {"as": as_user, "channel": channel})
        return list(answer["messages"])

    def thread(self, channel: str, ts: str, as_user: str) -> list[Message]:
        said = self.messages(channel, as_user)
        return [one for one in said if ts in (one["ts"], one.get("thread_ts"))]

    def rooms(self, user: str) -> list[dict[str, Any]]:
        return list(self._get("rooms", {"as": user})["rooms"])

    def state(self) -> dict[str, Any]:
        return self._get("state", {})

    def page(self, user: str) -> "OpenPage":
        """The events that a page of this person is shown from now on."""
        return OpenPage(f"{self._url}/page/events?{urlencode({'as': user})}")

    def wait_for(self, found: Callable[[], Found | None], seconds: float = 60.0) -> Found:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if result := found():
                return result
            time.sleep(0.02)
        raise AssertionError(f"Nothing came within {seconds} seconds.")

    def wait_for_bot(self, seconds: float = 60.0) -> None:
        self.wait_for(lambda: self.state()["bot"]["connected"], seconds)

    def _get(self, path: str, query: Mapping[str, str]) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self._url}/page/{path}?{urlencode(query)}") as response:
            return _accepted(response.read())

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(
            f"{self._url}/page/{path}",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as response:
            return _accepted(response.read())


class OpenPage:
    """A page's stream of events, read as they come."""

    def __init__(self, url: str) -> None:
        self._stream = urllib.request.urlopen(url, timeout=60)
        self._stream.readline()

    def next(self, kind: str) -> dict[str, Any]:
        until = time.monotonic() + 60
        for line in self._stream:
            if time.monotonic() > until:
                break
            if line.startswith(b"data: "):
                event: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
                if event["type"] == kind:
                    return event
        raise AssertionError(f"No {kind} came.")

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> "OpenPage":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _accepted(raw: bytes) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(raw)
    if not answer["ok"]:
        raise Refusal(answer["error"], answer["say"])
    return answer


def _block_of(blocks: list[dict[str, Any]], action_id: str, value: str | None) -> str:
    """The block with this element; by its value too where several share an id."""
    found = [
        {"block": block["block_id"], "value": element.get("value")}
        for block in blocks
        for element in (*block.get("elements", ()), block.get("accessory"), block.get("element"))
        if isinstance(element, dict) and element.get("action_id") == action_id
    ]
    if not found:
        raise AssertionError(f"There is no {action_id} to click.")
    exact = [one for one in found if value is not None and one["value"] == value]
    return str((exact or found)[0]["block"])
