"""The digest of a week, as a channel reads it."""

from collections.abc import Sequence
from functools import partial

from bot.digest.values import Line, Page, UnitDigest, Week
from bot.slack.blocks.elements import (
    MESSAGE,
    Block,
    Element,
    Message,
    RichPiece,
    bullets,
    fitting,
    header,
    in_line,
    line,
    link,
    listed,
    marked,
    note,
    rich,
    spoken,
    words,
)
from bot.wording import digest as wording

_LONGEST_NAME = 100
_LONGEST_EXAMPLE = 240
_LONGEST_LINK = 200


def digest_mark(week: Week) -> str:
    """Return the `block_id` of a digest's first block, by which it is found in its channel."""
    return f"vouch-digest-{week.name}"


def digest_message(week: Week, units: Sequence[UnitDigest], page: str) -> Message:
    """`units`: what one channel hears of; `page`: the address of all weeks, empty for none."""
    blocks = fitting(partial(_blocks, week, units, page), MESSAGE)
    days = wording.days(week.monday, week.sunday)
    said = [each.examples[0] for unit in units for each in unit.lines]
    return Message(
        spoken("\n".join([f"{wording.TITLE}, {days}", *said])), marked(digest_mark(week), blocks)
    )


def _blocks(week: Week, units: Sequence[UnitDigest], page: str, detail: int) -> list[Block]:
    left = len(units) - detail
    end = [line(link(page, wording.ON_THE_PAGE))] if page else []
    return [
        header(wording.TITLE),
        note(f"{wording.days(week.monday, week.sunday)}. {wording.ALSO_IN_PART}"),
        *(_unit(each, detail) for each in units[:detail]),
        *([note(wording.more_lines(left))] if left > 0 else []),
        note(wording.MAKE_KNOWN),
        *([rich(*end)] if end else []),
    ]


def _unit(unit: UnitDigest, detail: int) -> Block:
    parts = [line(words(in_line(wording.unit(unit.unit), _LONGEST_NAME), bold=True))]
    for each in unit.lines[:detail]:
        parts += _line(each)
    left = len(unit.lines) - detail
    if left > 0:
        parts.append(line(words(wording.more_lines(left), italic=True)))
    if unit.unseen:
        said = wording.unseen(unit.unseen, more=bool(unit.lines))
        parts.append(line(words(said, italic=True)))
    return rich(*parts)


def _line(asked: Line) -> list[RichPiece]:
    first, *others = (in_line(each, _LONGEST_EXAMPLE) for each in asked.examples)
    times = wording.times(asked.asked, asked.people)
    below = [line(words(f"{wording.ALSO}{each}")) for each in others]
    if asked.pages:
        below.append(line(words(wording.NEAR), *_pages(asked.pages)))
    top = bullets([line(words(first), words(f" · {times}", italic=True))])
    return [top, listed(below, "bullet", indent=1)] if below else [top]


def _pages(pages: Sequence[Page]) -> list[Element]:
    shown: list[Element] = []
    for each in pages:
        title = in_line(each.title, _LONGEST_NAME)
        opens = each.link and len(each.link) <= _LONGEST_LINK
        shown += [words(", "), link(each.link, title) if opens else words(title)]
    return shown[1:]
