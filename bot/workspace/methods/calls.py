"""A request of the Web API may carry only so much.

The SDK sends JSON for some methods and forms for others; in a form, what is not text is JSON.
"""

import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qsl

from starlette.requests import Request

from bot.workspace.block_kit.validation import problems, too_long
from bot.workspace.conversations import with_block_ids
from bot.workspace.files import files_in
from bot.workspace.methods.rate_limits import TIER_3
from bot.workspace.methods.refusal import Refused

Answer = Mapping[str, Any]
LONGEST_POST = 40_000
"""Characters of `text`; more is cut off: .../reference/methods/chat.postMessage, at "Truncating
content"."""
LONGEST_UPDATE = 4_000
""".../reference/methods/chat.update, at `msg_too_long`."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call is one request, its token already judged."""

    arguments: Mapping[str, Any]
    base_url: str
    """Without a slash at its end."""

    def text(self, name: str) -> str:
        """Return a required argument."""
        value = self.arguments.get(name)
        if value in (None, ""):
            raise Refused.blocks("invalid_arguments", [f"missing required field: {name}"])
        return str(value)

    def maybe(self, name: str) -> str:
        return str(self.arguments.get(name) or "")

    def number(self, name: str, default: float) -> float:
        try:
            return float(self.maybe(name) or default)
        except ValueError:
            raise Refused.blocks("invalid_arguments", [f"must provide a number: {name}"]) from None

    def flag(self, name: str) -> bool:
        return self.arguments.get(name) in (True, 1, "1", "true", "True")

    def json(self, name: str, broken: str) -> Any:
        """Read an argument that may be JSON in a string; `broken` is the error if it is none."""
        value = self.arguments.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            raise Refused(broken) from None


@dataclass(frozen=True, slots=True)
class Method:
    """A method is one of the Web API's."""

    run: Callable[[Call], Answer]
    scope: str = ""
    """Empty where none is needed, or where it depends on the room."""
    a_minute: int | None = TIER_3
    """None where it has limits of its own."""
    caller: Literal["bot", "app", "nobody"] = "bot"
    """Whose token it takes."""


def content(call: Call, longest: int | None = None) -> dict[str, Any]:
    """Return the `text` and `blocks` of a message, judged as Slack judges them.

    A text over `longest` is refused; where there is no such limit, what is over another is lost.
    """
    text = call.maybe("text")
    blocks = call.json("blocks", "invalid_blocks_format")
    if blocks is not None and not isinstance(blocks, list):
        raise Refused("invalid_blocks_format")
    if not text.strip() and not blocks:
        raise Refused("no_text")
    if longest is not None and len(text) > longest:
        raise Refused("msg_too_long")
    text = text[:LONGEST_POST]
    if not blocks:
        return {"text": text}
    if wrong := problems(blocks) or [_no_file(path) for path, _ in files_in(blocks, "blocks")]:
        raise Refused.blocks("invalid_blocks", wrong)
    if too_long(blocks):
        raise Refused("msg_blocks_too_long")
    return {"text": text, "blocks": with_block_ids(blocks)}


def _no_file(path: str) -> str:
    """Slack shows files of its own in messages, too; here they stand in modals alone."""
    return f"invalid slack file [json-pointer:/{path}/slack_file]"


def cut_off(call: Call) -> Answer:
    """Return the warning that goes with a message that lost its end."""
    if len(call.maybe("text")) <= LONGEST_POST:
        return {}
    warning = "message_truncated"
    return {"warning": warning, "response_metadata": {"warnings": [warning]}}


async def arguments(request: Request) -> dict[str, Any]:
    """Read the arguments of the query, and of a body of either type.

    An app's id and secret may come as HTTP Basic authentication too, as the SDK sends them.
    """
    body = await request.body()
    given: dict[str, Any] = dict(request.query_params) | _credentials(request)
    if request.headers.get("content-type", "").startswith("application/json"):
        given |= _object(body)
    else:
        given |= dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
    return given


def _credentials(request: Request) -> dict[str, str]:
    kind, _, encoded = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "basic":
        return {}
    try:
        client_id, _, secret = b64decode(encoded).decode().partition(":")
    except ValueError:
        return {}
    return {"client_id": client_id, "client_secret": secret}


def _object(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body or b"{}")
    except ValueError:
        raise Refused("invalid_json") from None
    if not isinstance(given, dict):
        raise Refused("json_not_object")
    return given
