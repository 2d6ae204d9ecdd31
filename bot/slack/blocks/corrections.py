"""What is said otherwise since a document changed: the words of then, and the answer of now."""

from collections.abc import Sequence
from functools import partial

from audit.record import AuditRecord
from bot.slack.blocks.elements import (
    MESSAGE,
    Block,
    Message,
    fitting,
    in_line,
    marked,
    note,
    quotation,
    rich,
    section,
    spoken,
)
from bot.slack.blocks.reply import question, reply
from bot.wording import corrections as wording

_ROOM = MESSAGE // 4
"""For the words of then."""
_LONGEST = 600
"""Characters of one claim."""


def correction_mark(now: AuditRecord) -> str:
    """Return the `block_id` of its first block, by which it is found again."""
    return f"vouch-correction-{now.audit_id}"


def correction(
    before: AuditRecord, now: AuditRecord, old: Sequence[str], *, quoted: bool
) -> Message:
    """Lay out `old`, what was said then from words that have changed, above the answer of today.

    `quoted`: the question, too, where it does not stand above.
    """
    day = before.time.date().isoformat()
    top = fitting(partial(_of_then, old), _ROOM)
    answer = reply(
        now,
        0,
        quoted=False,
        above=[
            section(f"*{wording.headline(day)}*"),
            *question(now.question, quoted=quoted),
            *top,
            section(f"*{wording.NOW}*"),
        ],
    )
    aloud = "\n".join([wording.headline(day), *old[:1], wording.NOW, now.reply])
    return Message(spoken(aloud), marked(correction_mark(now), answer.blocks))


def _of_then(old: Sequence[str], detail: int) -> list[Block]:
    if not old:
        return [note(wording.NOT_SHOWN)]
    quoted = [rich(quotation(in_line(each, _LONGEST))) for each in old[:detail]]
    left = len(old) - detail
    return [
        section(f"*{wording.THEN}*"),
        *quoted,
        *([note(wording.more(left))] if left > 0 else []),
    ]
