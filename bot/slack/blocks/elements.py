"""Messages, modals and forms, and the blocks that they are made of, within what Slack takes.

Names and fields as in "Blocks" and "Block elements" of Slack's Block Kit reference. Where something
is too long the middle is cut, never what matters. One measure serves for every limit: the bytes of
a text inside JSON. It is never less than the characters that Slack counts for its single limits, in
whichever encoding it counts.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any, Generic, TypeVar

from bot.wording import slack as wording
from bot.wording.slack import CANCEL
from bot.wording.untrusted_text import printable

Block = dict[str, Any]
View = dict[str, Any]
"""A modal, as `views.open` takes it."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message; `text` is what notifications show and screen readers read."""

    text: str
    blocks: tuple[Block, ...]


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


def preformatted(text: str) -> RichPiece:
    return {"type": "rich_text_preformatted", "elements": [words(text)]}


def own_message(own: str, sign: str = "") -> Message:
    return Message(spoken(own), (section(f"{sign}{own}"),))


def labelled(label: str, text: str) -> RichPiece:
    return line(words(f"{label}: ", bold=True), words(text))


def section(own: str) -> Block:
    return {"type": "section", "text": _markup(own)}


def note(own: str) -> Block:
    return {"type": "context", "elements": [_markup(own)]}


def small(foreign: str) -> Block:
    """Show a line with foreign words in it, small and letter for letter."""
    return {"type": "context", "elements": [plain(foreign, emoji=False)]}


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


def plan(steps: Sequence[str]) -> Block:
    """Show what is done and being done; bears no id, as every update of a plan needs another."""
    tasks = [
        {"type": "task_card", "task_id": f"step-{at}", "title": step, "status": "complete"}
        for at, step in enumerate(steps, 1)
    ]
    tasks[-1]["status"] = "in_progress"
    return {"type": "plan", "title": steps[-1], "tasks": tasks}


def actions(*buttons: Element) -> Block:
    return {"type": "actions", "elements": list(buttons)}


def button(label: str, action_id: str, value: str, *, primary: bool = False) -> Element:
    return {
        "type": "button",
        "text": plain(label),
        "action_id": action_id,
        "value": value,
    } | ({"style": "primary"} if primary else {})


def without_button(blocks: Sequence[Block], action_id: str) -> list[Block]:
    """Return what stands in a message but one button, and a row of which nothing is left."""
    rows = (
        {**each, "elements": [e for e in each["elements"] if e.get("action_id") != action_id]}
        if each["type"] == "actions"
        else each
        for each in blocks
    )
    return [each for each in rows if each["type"] != "actions" or each["elements"]]


def feedback_buttons(audit_id: str) -> Block:
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


MESSAGE = 12_000
"""Most that the blocks of a message may weigh. Slack documents no total; people measured
`msg_blocks_too_long` from 13,200 characters on, containers counted (issues 2509 and 2867 of
slackapi/bolt-js)."""
MODAL = 100_000
"""Most that a modal may weigh; Slack refuses more than 250 kB (`views.open`)."""
MOST_DETAIL = 20
_DETAILS = (MOST_DETAIL, 10, 5, 2)
SPOKEN = 2_500
"""Most of a message's top-level text, which notifications show and screen readers read."""
ELLIPSIS = "…"
_JOINING = re.compile("[\u0300-\u036f\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
"""What belongs to the character before it: accents, joiners, an emoji's variants."""
_LONGEST_CLUSTER = 12
_BROADCAST = re.compile(r"@(?=channel|here|everyone|group)", re.IGNORECASE)
_WORD_JOINER = "\u2060"
Item = TypeVar("Item")
Built = TypeVar("Built")


def weight(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def clean(words: str) -> str:
    return printable(words).strip()


def trimmed(words: str, most: int) -> str:
    """Show foreign words over several lines, weighing at most `most`; never empty."""
    return cut_middle(clean(words), most) or ELLIPSIS


def in_line(words: str, most: int) -> str:
    """Show foreign words as one line, so that they cannot forge another; never empty."""
    return cut_middle(" ".join(clean(words).split()), most) or ELLIPSIS


def spoken(words: str) -> str:
    """Escape words for a message's top-level text, which Slack reads as markup.

    Escaped as "Formatting message text" in Slack's documentation says; and no @here pings,
    even where somebody sends it with `link_names`.
    """
    safe = trimmed(words, SPOKEN).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _BROADCAST.sub("@" + _WORD_JOINER, safe)


def cut_middle(words: str, most: int) -> str:
    """Keep beginning and end, the beginning twice as long; all where it weighs at most `most`."""
    if _inside(words) <= most:
        return words
    room = most - _inside(ELLIPSIS)
    if room <= 0:
        return ELLIPSIS
    end = _beginning(words[::-1], room // 3)[::-1]
    while end and _JOINING.match(end):
        end = end[1:]
    beginning = _unbroken(words, len(_beginning(words, room - _inside(end))))
    return f"{beginning}{ELLIPSIS}{end}"


def fit(texts: Sequence[str], room: int) -> list[str]:
    """Fit each into one line, weighing `room` together: only the longest are cut."""
    lines = [in_line(each, max(room, 0)) for each in texts]
    left = room
    for number, each in enumerate(sorted(map(_inside, lines))):
        share = left // (len(lines) - number)
        if each > share:
            return [cut_middle(line, share) for line in lines]
        left -= each
    return lines


def fitting(build: Callable[[int], Built], room: int) -> Built:
    """Build with as much detail as fits; `build` takes how many of each list to show."""
    for detail in _DETAILS:
        built = build(detail)
        if weight(built) <= room:
            break
    return built


def text_room(detail: int) -> int:
    return 100 * detail


@dataclass(frozen=True, slots=True)
class Ends(Generic[Item]):
    """A list whose middle was left out."""

    first: tuple[Item, ...]
    omitted: int
    last: tuple[Item, ...]

    @property
    def kept(self) -> tuple[Item, ...]:
        return self.first + self.last


def ends(items: Sequence[Item], most: int) -> Ends[Item]:
    """Keep the first two thirds and the last third of what may be kept."""
    if len(items) <= most:
        return Ends(tuple(items), 0, ())
    tail = most // 3
    return Ends(tuple(items[: most - tail]), len(items) - most, tuple(items[len(items) - tail :]))


def _inside(words: str) -> int:
    return weight(words) - 2


def _beginning(words: str, room: int) -> str:
    sums = accumulate(_inside(character) for character in words[:room])
    return words[: sum(each <= room for each in sums)]


def _unbroken(words: str, at: int) -> str:
    """Return what stands before `at`, less a character that goes on after it."""
    for back in range(min(at, _LONGEST_CLUSTER)):
        place = at - back
        if not _JOINING.match(words[place]) and words[place - 1] != "\u200d":
            return words[:place]
    return words[:at]


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
