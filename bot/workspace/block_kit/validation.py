"""Blocks that break Slack's limits are refused in Slack's own words, apart from the bot's rules."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.workspace.block_kit.layouts import TEXT_TOO_LONG, Home, MessageBlocks, Modal, ModalBlocks

TABLE_CHARACTERS = 10_000
"""Of all cells of a message together: .../block-kit/blocks/table-block."""
MESSAGE_SIZE = 13_422
BLOCK_SIZE = 125
"""Not documented: github.com/slackapi/bolt-js/issues/2509 measured 13,297 characters with one
block and 13,172 with a divider besides, so that a block weighs 125 apart from its text."""

_SURFACES: dict[str, type[MessageBlocks] | type[ModalBlocks]] = {
    "message": MessageBlocks,
    "modal": ModalBlocks,
}
_WORDS = {
    "string_type": "must provide a string",
    "bool_type": "must provide a boolean",
    "int_type": "must provide a number",
    "list_type": "must provide an array",
    "dict_type": "must provide an object",
    "model_type": "must provide an object",
    "model_attributes_type": "must provide an object",
    "literal_error": "must be a valid enum value",
    "string_pattern_mismatch": "must match the format",
}


def problems(
    blocks: Sequence[Mapping[str, Any]], surface: Literal["message", "modal"] = "message"
) -> list[str]:
    sent = _as_sent(list(blocks))
    found = _validated(_SURFACES[surface], {"blocks": sent})
    return found or [*_repeated_ids(sent, ""), *_too_much_together(sent)]


def view_problems(view: Mapping[str, Any]) -> list[str]:
    sent = _as_sent(view)
    found = _validated(Home if sent.get("type") == "home" else Modal, sent)
    return [_within_view(text) for text in found] or list(_repeated_ids(sent["blocks"], "/view"))


def too_long(blocks: Sequence[Mapping[str, Any]]) -> bool:
    written = sum(len(text) for text in _strings(list(blocks)))
    return written + BLOCK_SIZE * len(blocks) > MESSAGE_SIZE


def _as_sent(value: object) -> Any:
    """In JSON a tuple is a list."""
    return json.loads(json.dumps(value))


def _validated(model: type[MessageBlocks] | type[ModalBlocks], body: object) -> list[str]:
    try:
        model.model_validate(body)
    except ValidationError as invalid:
        return [_in_slacks_words(error, body) for error in invalid.errors()]
    return []


def _in_slacks_words(error: ErrorDetails, body: object) -> str:
    kind, bounds = error["type"], error.get("ctx", {})
    path = _pointer(error["loc"], body)
    name = path.pop() if kind in ("missing", "extra_forbidden") else ""
    if kind == TEXT_TOO_LONG:
        path.append("text")
    said = {
        "missing": f"missing required field: {name}",
        "extra_forbidden": f"invalid additional property: {name}",
        "union_tag_not_found": "missing required field: type",
        "union_tag_invalid": f"unsupported type: {bounds.get('tag')}",
        "string_too_long": f"must be less than {bounds.get('max_length', 0) + 1} characters",
        "string_too_short": f"must be more than {bounds.get('min_length', 0) - 1} characters",
        "too_long": f"no more than {bounds.get('max_length')} items allowed",
        "too_short": f"no fewer than {bounds.get('min_length')} items allowed",
    }.get(kind, _WORDS.get(kind, error["msg"]))
    return f"{said} [json-pointer:/{'/'.join(path)}]"


def _pointer(location: tuple[int | str, ...], body: object) -> list[str]:
    path: list[str] = []
    here, just_entered = body, True
    for step in location:
        if just_entered and isinstance(here, Mapping) and here.get("type") == step:
            just_entered = False
            continue
        path.append(str(step))
        here, just_entered = _child(here, step), True
    return path


def _child(value: object, step: int | str) -> object:
    if isinstance(value, Mapping):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def _within_view(text: str) -> str:
    said, _, pointer = text.rpartition("[json-pointer:")
    return f"{said}[json-pointer:/view{'' if pointer == '/]' else pointer[:-1]}]"


def _repeated_ids(blocks: Sequence[Mapping[str, Any]], root: str) -> Iterator[str]:
    """Ids are unique: a block's in its surface, an element's in its block."""
    block_ids = Counter(block.get("block_id") for block in blocks)
    for place, block in enumerate(blocks):
        pointer = f"{root}/blocks/{place}"
        if block.get("block_id") and block_ids[block["block_id"]] > 1:
            yield f"`block_id` must be unique [json-pointer:{pointer}/block_id]"
        elements = [one for one in block.get("elements", ()) if one.get("action_id")]
        for action_id, times in Counter(one["action_id"] for one in elements).items():
            if times > 1:
                yield f'`action_id` "{action_id}" already exists [json-pointer:{pointer}/elements]'


def _too_much_together(blocks: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    tables = [block for block in blocks if block["type"] == "table"]
    if len(tables) > 1:
        yield "only_one_table_allowed [json-pointer:/blocks]"
    if sum(len(text) for table in tables for text in _strings(table["rows"])) > TABLE_CHARACTERS:
        yield f"must be less than {TABLE_CHARACTERS + 1} characters [json-pointer:/blocks]"


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key in ("text", "alt_text", "title") and isinstance(inner, str):
                yield inner
            else:
                yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)
