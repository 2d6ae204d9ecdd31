"""Posts a week's digest into a channel once, whatever becomes of the process that posts it.

Slack itself keeps that it was posted: a digest bears its week's mark, and is looked for in the
channel before it is sent. So nothing is posted twice, also after a backup was restored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial

from slack_sdk import WebClient

from bot.answering.digest import DigestLine, DigestPage, UnitDigest, Week
from bot.errors import JobFailed
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
from bot.slack.directory import is_shared
from bot.slack.failures import UNSENT, NotInstalled, reason_of
from bot.slack.inbox.removals import ts_before
from bot.slack.steps.sending import find_marked, post
from bot.wording import digest as wording


@dataclass(frozen=True, slots=True)
class DigestPosting:
    """It implements `bot.jobs.work.Post`."""

    client: WebClient
    """Without retry handlers: a request that is sent again by itself is posted twice."""
    zone: tzinfo
    """In which weeks begin."""
    admins: str
    page: str
    """The address of the digests' page, shown to administrators alone; empty for none."""

    def __call__(self, week: Week, channel: str, units: Sequence[UnitDigest]) -> bool:
        """Post it, and tell whether it did not stand there already.

        Raise `JobFailed` where it does not stand there now, and where another company reads along.
        """
        message = digest_message(week, units, self.page if channel == self.admins else "")
        try:
            if is_shared(self.client.conversations_info(channel=channel)["channel"]):
                raise JobFailed(wording.shared(channel))
            _, over = week.times(self.zone)
            if find_marked(self.client, channel, "", ts_before(over), {digest_mark(week)}):
                return False
            post(self.client, channel, message)
        except NotInstalled as error:
            raise JobFailed(wording.not_installed(channel)) from error
        except UNSENT as error:
            raise JobFailed(wording.unposted(channel, reason_of(error))) from error
        return True


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


def _line(asked: DigestLine) -> list[RichPiece]:
    first, *others = (in_line(each, _LONGEST_EXAMPLE) for each in asked.examples)
    times = wording.times(asked.asked, asked.people)
    below = [line(words(f"{wording.ALSO}{each}")) for each in others]
    if asked.pages:
        below.append(line(words(wording.NEAREST), *_pages(asked.pages)))
    top = bullets([line(words(first), words(f" · {times}", italic=True))])
    return [top, listed(below, "bullet", indent=1)] if below else [top]


def _pages(pages: Sequence[DigestPage]) -> list[Element]:
    shown: list[Element] = []
    for each in pages:
        title = in_line(each.title, _LONGEST_NAME)
        opens = each.link and len(each.link) <= _LONGEST_LINK
        shown += [words(", "), link(each.link, title) if opens else words(title)]
    return shown[1:]
