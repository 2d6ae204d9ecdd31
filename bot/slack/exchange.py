"""A question asked in Slack and what became of it, as the inbox keeps it."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum


class Stage(IntEnum):
    """What an exchange waits for; in the order that it passes them."""

    PLACING = 1
    """A placeholder, so that the person sees that the question was heard."""
    ANSWERING = 2
    POSTING = 3
    """Its record stands in the audit store; nobody has seen the reply."""
    NOTING = 4
    """The reply was posted; the audit store does not know yet."""
    DONE = 5
    UNDELIVERABLE = 6
    """There is no place to reply any more, such as an archived channel."""


class Kind(StrEnum):
    """What somebody who spoke to the bot wants."""

    QUESTION = "question"
    HELP = "help"
    """A greeting, or nothing but a mention: placed at once, never answered or audited."""
    THANKS = "thanks"
    """The same."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A question as it came, before it is stored."""

    key: str
    """Equal for everything that is the same question: `channel:ts`, or `command:trigger`."""
    text: str
    """Without the mention of the bot, entities unescaped."""
    user: str
    """Slack's id."""
    channel: str
    """Where the reply goes; empty where the direct message is not open yet."""
    private: bool
    """Only the person reads the reply."""
    thread: str
    """The parent's `ts`; empty for the top level of a direct message."""
    ts: str
    """Of the message; orders a conversation. A command has the time of its arrival."""
    quoted: bool = False
    """Nobody sees the question itself, as after a command: the reply repeats it."""
    kind: Kind = Kind.QUESTION

    @property
    def conversation(self) -> str:
        """What follow-ups lean on and in which nobody is overtaken."""
        if self.private and not self.thread:
            return f"dm:{self.user}"
        return f"{self.channel}:{self.thread}"


def asked_privately(
    key: str, text: str, user: str, at: datetime, kind: Kind = Kind.QUESTION
) -> Incoming:
    """What was not asked by a message: answered in the direct message with the person."""
    return Incoming(
        key=key,
        text=text,
        user=user,
        channel="",
        private=True,
        thread="",
        ts=f"{at.timestamp():.6f}",
        quoted=True,
        kind=kind,
    )


@dataclass(frozen=True, slots=True)
class Exchange:
    """One row of the inbox."""

    exchange_id: int
    audit_id: str
    """Chosen on arrival, so that after a crash the audit store tells what was answered."""
    asked: Incoming
    received_at: datetime
    stage: Stage
    channel: str
    """As `asked.channel`, or the direct message that was opened."""
    paced_until: datetime
    """When its turn comes, for somebody who asks very much; else when it was received."""
    placing_since: datetime | None = None
    """A placeholder may be on its way: look it up before sending another."""
    placeholder: str = ""
    """Its `ts`."""
    told: str = ""
    """The trouble that the placeholder speaks of; empty for none."""
    attempts: int = 0
    """Failures in a row at this stage."""
    posted_at: datetime | None = None
    """When the reply was first known to be posted; the audit store says the same."""

    @property
    def mark(self) -> str:
        """`block_id` of the first block of its message, by which a lost send is found."""
        return f"vouch-{self.exchange_id}"
