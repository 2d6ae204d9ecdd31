"""What stands in a message or a modal of Slack, as somebody reads it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Shown = Mapping[str, Any]

_AUDIT_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def words(shown: Shown) -> str:
    """Everything that can be read in its blocks, and its title; else its bare text."""
    texts = everything([shown.get("title"), shown.get("blocks")], "text")
    return "\n".join(text for text in texts if isinstance(text, str)) or str(shown.get("text", ""))


def audit_id_of(shown: Shown) -> str:
    """Of the reply in a message; empty in a placeholder and in small talk."""
    found = _AUDIT_ID.search(json.dumps(shown))
    return found[0] if found else ""


def buttons(shown: Shown) -> dict[str, str]:
    """The value of each button or pair of thumbs, by its action id."""
    return {
        str(element["action_id"]): str(element.get("value", ""))
        for block in shown.get("blocks") or []
        for element in (*block.get("elements", ()), block.get("accessory") or {})
        if "action_id" in element
    }


def everything(value: object, key: str) -> Iterator[Any]:
    """All that stands under a key, however deep, from top to bottom."""
    return (each[key] for each in parts(value) if key in each)


def parts(value: object) -> Iterator[Mapping[str, Any]]:
    inner: Iterable[object] = value if isinstance(value, list | tuple) else ()
    if isinstance(value, Mapping):
        yield value
        inner = value.values()
    for each in inner:
        yield from parts(each)
