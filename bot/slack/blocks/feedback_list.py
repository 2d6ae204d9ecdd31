"""Lists what people said of answers, for an administrator."""

from collections.abc import Sequence

from audit.feedback_queries import GivenFeedback
from bot.slack.blocks import facts
from bot.slack.blocks.audit import asked_for, more_button
from bot.slack.blocks.elements import button, line, plain, rich, words
from bot.slack.blocks.limits import MESSAGE, fit, in_line, spoken, weight
from bot.slack.message import Block, Message
from bot.wording import evidence as wording


def feedback_list(
    given: Sequence[GivenFeedback], query_words: str, more: str | None, *, older: bool = False
) -> Message:
    """Give each a line with a button for its exchange; `more` is what the one for older holds."""
    heading = wording.feedback_heading(asked_for(query_words), older=older)
    top = rich(line(words(heading, bold=True)))
    bottom = more_button(more, "feedback_more")
    frame = weight([top, *(_row(each, "") for each in given), *bottom])
    lines = fit([_in_words(each) for each in given], MESSAGE - frame)
    rows = [_row(each, text) for each, text in zip(given, lines, strict=True)]
    return Message(spoken("\n".join([heading, *lines])), (top, *rows, *bottom))


def feedback_nothing(query_words: str) -> Message:
    said = wording.feedback_nothing(asked_for(query_words))
    return Message(spoken(said), (rich(line(words(said))),))


def _row(given: GivenFeedback, text: str) -> Block:
    """Use plain text, for a rich text block cannot have a button beside it."""
    opening = button(wording.OPEN, "audit_open", given.audit_id)
    return {"type": "section", "text": plain(text, emoji=False), "accessory": opening}


def _in_words(given: GivenFeedback) -> str:
    said = wording.feedback_in_words(given.value, given.why, given.file, given.words)
    who = given.person_name or given.person_id
    parts = [facts.minute(given.time), who, in_line(said, 400), in_line(given.question, 400)]
    return " · ".join(parts)
