"""Keeps messages within what Slack takes: always the middle is cut, never what matters.

One measure serves for every limit: the bytes of a text inside JSON. It is never less than
the characters that Slack counts for its single limits, in whichever encoding it counts.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Generic, TypeVar

from bot.visible import visible

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
    """Count the bytes of a text, a block or a list of blocks as they are sent."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def clean(words: str) -> str:
    """Remove what cannot be seen."""
    return visible(words).strip()


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
    """Return the most that a text of a modal may weigh; fewer claims are shown shorter, too."""
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
    """Cut the middle of a text without its quotation marks."""
    return weight(words) - 2


def _beginning(words: str, room: int) -> str:
    """Take as many whole characters as weigh `room`; each weighs one at least."""
    sums = accumulate(_inside(character) for character in words[:room])
    return words[: sum(each <= room for each in sums)]


def _unbroken(words: str, at: int) -> str:
    """Return what stands before `at`, less a character that goes on after it."""
    for back in range(min(at, _LONGEST_CLUSTER)):
        place = at - back
        if not _JOINING.match(words[place]) and words[place - 1] != "\u200d":
            return words[:place]
    return words[:at]
