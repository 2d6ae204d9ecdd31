"""The few kinds of blocks and elements that the bot's messages are made of.

Names and fields as in "Blocks" and "Block elements" of Slack's Block Kit reference.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.slack.message import Block
from bot.wording import slack as wording

Element = Mapping[str, Any]
"""A piece of a rich text line."""
RichPiece = Mapping[str, Any]
"""A line, a list or a quotation of a rich text block."""


def words(text: str, *, bold: bool = False, italic: bool = False) -> Element:
    """Show `text` letter for letter; it must not be empty."""
    style = {name: True for name, on in (("bold", bold), ("italic", italic)) if on}
    return {"type": "text", "text": text} | ({"style": style} if style else {})


def link(url: str, label: str) -> Element:
    return {"type": "link", "url": url, "text": label}


def emoji(name: str) -> Element:
    return {"type": "emoji", "name": name}


def line(*elements: Element) -> RichPiece:
    return {"type": "rich_text_section", "elements": list(elements)}


def bullets(lines: Sequence[RichPiece]) -> RichPiece:
    return listed(lines, "bullet")


def listed(lines: Sequence[RichPiece], style: str, indent: int = 0, offset: int = 0) -> RichPiece:
    """Make a list; `style`: bullet or ordered, which counts from one more than `offset`."""
    placed = {name: at for name, at in (("indent", indent), ("offset", offset)) if at}
    return {"type": "rich_text_list", "style": style, **placed, "elements": list(lines)}


def quotation(text: str) -> RichPiece:
    return {"type": "rich_text_quote", "elements": [words(text)]}


def rich(*parts: RichPiece) -> Block:
    return {"type": "rich_text", "elements": list(parts)}


def labelled(label: str, text: str) -> RichPiece:
    """Make one line of a label of ours and foreign words."""
    return line(words(f"{label}: ", bold=True), words(text))


def section(own: str) -> Block:
    """Show the bot's own words, in Slack's markup."""
    return {"type": "section", "text": _markup(own)}


def note(own: str) -> Block:
    """Show the bot's own words, small."""
    return {"type": "context", "elements": [_markup(own)]}


def header(own: str) -> Block:
    return {"type": "header", "text": plain(own)}


def image(file_id: str, instead: str, title: str) -> Block:
    """Show a file that was uploaded; `instead`: what is read to whoever does not see it."""
    return {
        "type": "image",
        "slack_file": {"id": file_id},
        "alt_text": instead,
        "title": plain(title, emoji=False),
    }


def actions(*buttons: Element) -> Block:
    return {"type": "actions", "elements": list(buttons)}


def button(label: str, action_id: str, value: str, *, primary: bool = False) -> Element:
    return {
        "type": "button",
        "text": plain(label),
        "action_id": action_id,
        "value": value,
    } | ({"style": "primary"} if primary else {})


def feedback_buttons(audit_id: str) -> Block:
    """Offer thumbs up and down; the value says which, and of what."""
    thumbs = {
        "positive_button": ("good", wording.GOOD, wording.GOOD_ALOUD),
        "negative_button": ("bad", wording.BAD, wording.BAD_ALOUD),
    }
    element: dict[str, Any] = {"type": "feedback_buttons", "action_id": "feedback"}
    for name, (value, label, aloud) in thumbs.items():
        element[name] = {
            "text": plain(label),
            "value": f"{value}:{audit_id}",
            "accessibility_label": aloud,
        }
    return {"type": "context_actions", "elements": [element]}


def marked(mark: str, blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Mark the first block, by which a message is known again after a crash."""
    first, *others = blocks
    return ({**first, "block_id": mark}, *others)


def modal(
    title: str, callback_id: str, metadata: str, blocks: Sequence[Block], *, close: str
) -> dict[str, Any]:
    return {
        "type": "modal",
        "callback_id": callback_id,
        "private_metadata": metadata,
        "title": plain(title),
        "close": plain(close),
        "blocks": list(blocks),
    }


def plain(text: str, *, emoji: bool = True) -> Element:
    return {"type": "plain_text", "text": text, "emoji": emoji}


def _markup(own: str) -> Element:
    """Make markup; `verbatim` keeps names and addresses in it from becoming links."""
    return {"type": "mrkdwn", "text": own, "verbatim": True}
