"""Forms in modals: their fields, and what somebody filled in.

A field's block and its element bear one name.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any

from bot.slack.blocks.elements import Block, Element, in_line, modal, plain
from bot.wording.slack import CANCEL

Filled = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""`view.state.values`: what was filled in, by block and element."""
LONGEST_TYPED = 3_000
"""Characters; the most that Slack takes of an input (docs.slack.dev, plain-text input)."""
LONGEST_LABEL = 75
"""Characters of an option (docs.slack.dev, option object)."""
MOST_OF_GROUP = 100
"""Options (docs.slack.dev, option group object)."""
LONGEST_ERROR = 250
"""Characters; Slack documents no limit, and shows about this much under an input."""


def form(
    title: str, callback_id: str, metadata: str, blocks: Sequence[Block], submit: str
) -> dict[str, Any]:
    view = modal(title, callback_id, metadata, blocks, close=CANCEL)
    return {**view, "submit": plain(submit)}


def form_field(
    name: str, label: str, element: Element, *, optional: bool = False, hint: str = ""
) -> Block:
    own = {**element, "action_id": name}
    more = {"hint": plain(hint)} if hint else {}
    shown = {"type": "input", "block_id": name, "label": plain(label), "element": own, **more}
    return {**shown, "optional": optional}


def text_input(initial: str = "") -> dict[str, Any]:
    """Several lines; `initial`: `LONGEST_TYPED` characters at most."""
    own = {"type": "plain_text_input", "multiline": True, "max_length": LONGEST_TYPED}
    return {**own, **({"initial_value": initial} if initial else {})}


def radio(options: Mapping[str, str], chosen: str = "") -> dict[str, Any]:
    """One of several; `options`: labels by value."""
    shown = {value: _option(label, value) for value, label in options.items()}
    own = {"type": "radio_buttons", "options": list(shown.values())}
    return {**own, **({"initial_option": shown[chosen]} if chosen else {})}


def select(groups: Mapping[str, Mapping[str, str]], placeholder: str) -> dict[str, Any]:
    """One of very many; `groups`: labels by value, by the name of their group; `MOST_OF_GROUP`."""
    shown = [
        {
            "label": plain(in_line(group, LONGEST_LABEL), emoji=False),
            "options": [
                _option(in_line(label, LONGEST_LABEL), value)
                for value, label in islice(options.items(), MOST_OF_GROUP)
            ],
        }
        for group, options in groups.items()
        if options
    ]
    return {"type": "static_select", "option_groups": shown, "placeholder": plain(placeholder)}


def boxes(options: Mapping[str, str], ticked: Collection[str] = ()) -> dict[str, Any]:
    """Any of several, ten at most; `options`: labels by value."""
    shown = {value: _option(label, value) for value, label in options.items()}
    initial = [option for value, option in shown.items() if value in ticked]
    own = {"type": "checkboxes", "options": list(shown.values())}
    return {**own, **({"initial_options": initial} if initial else {})}


def channel_select(**more: object) -> dict[str, Any]:
    known = {"include": ["public", "private"], "exclude_bot_users": True}
    return {"type": "conversations_select", "filter": known, **more}


def _option(label: str, value: str) -> Element:
    return {"text": plain(label, emoji=False), "value": value}


def typed(filled: Filled, name: str) -> str:
    """Return what was typed; empty for nothing, as what the others return."""
    return str(_state(filled, name).get("value") or "").strip()


def chosen(filled: Filled, name: str) -> str:
    return str((_state(filled, name).get("selected_option") or {}).get("value") or "")


def ticked(filled: Filled, name: str) -> list[str]:
    return [str(each["value"]) for each in _state(filled, name).get("selected_options") or ()]


def picked_day(filled: Filled, name: str) -> str:
    return str(_state(filled, name).get("selected_date") or "")


def picked_channel(filled: Filled, name: str) -> str:
    return str(_state(filled, name).get("selected_conversation") or "")


def _state(filled: Filled, name: str) -> Mapping[str, Any]:
    return filled.get(name, {}).get(name) or {}
