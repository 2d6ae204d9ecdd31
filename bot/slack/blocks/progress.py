"""What is said until there is a reply."""

from enum import StrEnum

from bot.slack.blocks.elements import marked, note, section
from bot.slack.blocks.limits import in_line, spoken
from bot.slack.blocks.reply import question as quotation
from bot.slack.exchange import placeholder_mark
from bot.slack.message import Block, Message
from bot.wording import slack as wording


class Trouble(StrEnum):
    """What keeps a question from being answered for the moment."""

    INDEX = "index"
    AUDIT = "audit"
    WRITER = "writer"
    LIBRARY_EMPTY = "library_empty"
    CONFIGURATION = "configuration"
    NETWORK = "network"
    OTHER = "other"


_FOR_THE_OPERATOR = frozenset({Trouble.CONFIGURATION, Trouble.OTHER})


def placeholder(
    exchange_id: int, question: str, *, quoted: bool, ahead: int, slowed_seconds: int
) -> Message:
    """Says that the question was heard, and how long it may take where it must wait."""
    waits = [wording.ahead(ahead)] if ahead > 0 else []
    waits += [wording.slowed(slowed_seconds)] if slowed_seconds > 0 else []
    blocks = [*quotation(question, quoted=quoted), section(wording.READING)]
    return _message(
        exchange_id,
        [*blocks, *([note(" ".join(waits))] if waits else [])],
        [wording.READING_ALOUD, *waits],
        question if quoted else "",
    )


def trouble(exchange_id: int, question: str, *, quoted: bool, trouble: Trouble) -> Message:
    """Say honestly what is wrong, unlike any reply; once that is posted, this goes."""
    said = [wording.TROUBLE[trouble], wording.TRIES_AGAIN]
    said += [wording.SEE_LOG] if trouble in _FOR_THE_OPERATOR else []
    body = section("\n".join([wording.NOT_YET, " ".join(said)]))
    return _message(
        exchange_id,
        [*quotation(question, quoted=quoted), body],
        [wording.NOT_YET_ALOUD, *said],
        question if quoted else "",
    )


def _message(exchange_id: int, blocks: list[Block], said: list[str], question: str) -> Message:
    asked = [f"{wording.YOU_ASKED}: {in_line(question, 300)}"] if question else []
    return Message(
        spoken("\n".join([*asked, " ".join(said)])), marked(placeholder_mark(exchange_id), blocks)
    )
