"""Asks after a thumb down what was wrong, and confirms what was kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audit.record.nearest import NearestRecord
from bot.slack.blocks.elements import modal, plain, section
from bot.slack.blocks.limits import in_line, spoken
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


@dataclass(frozen=True, slots=True)
class About:
    """The modal carries which answer it asks about, and which thumb opened it."""

    audit_id: str
    event_id: str
    """Empty where the thumb was down before."""


def feedback_words(audit_id: str, event_id: str) -> View:
    """Ask in a modal what kind of fault it is, in which words; both may stay empty.

    Slack tells of a modal that is cancelled where `notify_on_close` asks it to.
    """
    blocks = [section(wording.THUMB_KEPT if event_id else wording.THUMB_STANDS), _why(), _words()]
    about = f"{audit_id}:{event_id}"
    view = modal(wording.FEEDBACK_TITLE, "feedback_words", about, blocks, close=CANCEL)
    return {**view, "submit": plain(SEND), "notify_on_close": True}


def about(metadata: str) -> About:
    """Read what `feedback_words` put into `private_metadata`."""
    audit_id, _, event_id = metadata.partition(":")
    return About(audit_id, event_id)


def said(values: Mapping[str, Any]) -> Said:
    """Read what came back in `view.state.values`; what was not offered is left out."""
    chosen = (values.get("why", {}).get("why") or {}).get("selected_option") or {}
    why = str(chosen.get("value") or "")
    typed = (values.get("words", {}).get("words") or {}).get("value") or ""
    return Said(why if why in wording.WHYS else "", str(typed).strip()[:_MOST_WORDS])


def it_was(passage: NearestRecord) -> str:
    """Confirm which quoted passage was kept as the answer, as message text."""
    return spoken(wording.it_was(in_line(passage.title or passage.file, 150)))


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
