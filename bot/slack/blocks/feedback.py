"""Asks after a thumb down what was wrong."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.slack.blocks.elements import modal, plain, section
from bot.slack.message import Block, View
from bot.wording import evidence as wording
from bot.wording.slack import CANCEL, SEND

_MOST_WORDS = 3_000
"""Of `plain_text_input`, in Slack's Block Kit reference."""


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody filled in; empty where they left it so."""

    why: str
    """One of `wording.WHYS`."""
    words: str


def feedback_words(audit_id: str) -> View:
    """Ask in a modal what kind of fault it is, in which words; both may stay empty."""
    blocks = [section(wording.THUMB_KEPT), _why(), _words()]
    view = modal(wording.FEEDBACK_TITLE, "feedback_words", audit_id, blocks, close=CANCEL)
    return {**view, "submit": plain(SEND)}


def said(values: Mapping[str, Any]) -> Said:
    """Read what came back in `view.state.values`; what was not offered is left out."""
    chosen = (values.get("why", {}).get("why") or {}).get("selected_option") or {}
    why = str(chosen.get("value") or "")
    typed = (values.get("words", {}).get("words") or {}).get("value") or ""
    return Said(why if why in wording.WHYS else "", str(typed).strip()[:_MOST_WORDS])


def feedback_thanks() -> str:
    return wording.FEEDBACK_THANKS


def _why() -> Block:
    options = [{"text": plain(label), "value": value} for value, label in wording.WHYS.items()]
    element = {"type": "radio_buttons", "action_id": "why", "options": options}
    return _input("why", wording.WHY, element)


def _words() -> Block:
    element = {
        "type": "plain_text_input",
        "action_id": "words",
        "multiline": True,
        "max_length": _MOST_WORDS,
    }
    return _input("words", wording.IN_YOUR_WORDS, element) | {"hint": plain(wording.WORDS_HINT)}


def _input(block_id: str, label: str, element: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": block_id,
        "label": plain(label),
        "element": dict(element),
        "optional": True,
    }
