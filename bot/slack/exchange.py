"""A question asked in Slack and what became of it, as the inbox keeps it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from enum import IntEnum, StrEnum

from audit.values import team_of
from bot.access.channels import is_direct


class Stage(IntEnum):
    """What an exchange waits for; in the order that it passes them."""

    PLACEHOLDER = 1
    """A placeholder, so that the person sees that the question was heard."""
    ANSWERING = 2
    POSTING = 3
    """Its record stands in the audit store; nobody has seen the reply."""
    DELIVERY = 4
    """The reply was posted; the audit store does not know yet."""
    DONE = 5
    UNDELIVERABLE = 6
    """There is no place to reply any more, such as an archived channel; or a backup was restored,
    and nobody knows whether a reply stands."""
    WITHDRAWN = 7
    """The person deleted the question before the reply was posted."""


class Intent(StrEnum):
    """What somebody who spoke to the bot wants."""

    QUESTION = "question"
    HELP = "help"
    """A greeting, or nothing but a mention: replied to at once, never answered or audited."""
    THANKS = "thanks"
    """The same, as are those that follow."""
    ABOUT = "about"
    """Who or what the bot is."""
    BYE = "bye"
    READ_IN = "read_in"
    """That files which came with it are read as documents."""
    UNTOLD = "untold"
    """Not told yet: telling takes longer than Slack should wait to hear that it was received."""

    @property
    def may_ask(self) -> bool:
        return self in (Intent.QUESTION, Intent.UNTOLD)


class Answers(StrEnum):
    """What the bot answers in a channel; who mentions it is always answered."""

    MENTIONED = "mentioned"
    """What it is asked."""
    SURE = "sure"
    """And every question that it is sure to answer, once and for everyone there."""
    OFFERED = "offered"
    """And such a question's answer is offered to whoever asked it, alone."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The channel, and the thread in it, from which somebody asked privately; empty for none."""

    channel: str = ""
    thread: str = ""

    def __bool__(self) -> bool:
        return bool(self.channel) and not is_direct(self.channel)


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file that came with a message; of it no more is believed than that it is named."""

    file_id: str
    name: str
    message: str = ""
    """The key of the message that it came with, where that is not what asks."""

    @property
    def channel(self) -> str:
        """Where that message stands; empty where it is what asks."""
        return self.message.partition(":")[0]


@dataclass(frozen=True, slots=True)
class CameWith:
    """Files that came with a question, each by the id of the document that it is."""

    read: Mapping[str, str] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    """Their names, and why they were not read."""


MOST_FILES = 10
"""Of one message; Slack takes no more."""
MOST_GIVEN = 5
"""Of one submission to be read in."""
_LONGEST_NAME = 100


def files_in(values: object) -> tuple[AttachedFile, ...]:
    """Read files of an event, or of what is stored: an id and a name each; none where unclear."""
    if not isinstance(values, list):
        return ()
    stated = [each for each in values if isinstance(each, dict)]
    named = ((each.get("file_id") or each.get("id"), each.get("name")) for each in stated)
    found = [AttachedFile(str(key), str(name or key)[:_LONGEST_NAME]) for key, name in named if key]
    return tuple(found[:MOST_FILES])


@dataclass(frozen=True, slots=True)
class Incoming:
    """A question as it came, before it is stored."""

    key: str
    """Equal for everything that is the same question: `channel:ts`, or `command:trigger`.

    Of a message that was changed, `EDITED` and the time of the change stand behind it.
    """
    text: str
    """Without the mention of the bot, entities unescaped."""
    user: str
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
    kind: Intent = Intent.QUESTION
    shared: bool = False
    """People of another company read the channel too (Slack Connect)."""
    stands_alone: bool = False
    """It was made to, so it refers to nothing that was asked before."""
    as_of: date | None = None
    """The day as of which to answer; None for the day when it is answered."""
    origin: Origin = Origin()
    """Where a private question came from, and where its answer can be given to everyone."""
    respond_at: str = ""
    """The URL at which Slack takes a reply for the person alone, where they typed the command."""
    attached: tuple[AttachedFile, ...] = ()
    answers: Answers = Answers.MENTIONED
    """By which setting of its channel it was heard."""
    beside: bool = False
    """The reply stands beside it in the channel, and not in its thread."""
    action_token: str = ""
    """With which Slack searches for who asked, for a short time; empty where it may not."""

    def __post_init__(self) -> None:
        """Raise `ValueError` where one workspace's people would be answered in another."""
        places = (each for each in (self.channel, self.origin.channel) if each)
        if any(team_of(each) != team_of(self.user) for each in places):
            raise ValueError("who asks and where are not of one workspace")

    @property
    def is_unasked(self) -> bool:
        """Tell whether nobody asked it of the bot: then it is answered for sure, or in silence."""
        return self.answers is not Answers.MENTIONED

    @property
    def comes_again(self) -> bool:
        """Tell whether Slack delivers it again: a mention is two events, any may be repeated."""
        return not self.quoted

    @property
    def conversation(self) -> str:
        """Return what follow-ups refer to and in which nobody is overtaken."""
        if self.private and not self.thread:
            return f"dm:{self.user}"
        return f"{self.channel}:{self.thread}"


def asked_privately(
    key: str,
    text: str,
    user: str,
    at: datetime,
    kind: Intent = Intent.QUESTION,
    *,
    stands_alone: bool = False,
    as_of: date | None = None,
    origin: Origin | None = None,
    respond_at: str = "",
    attached: tuple[AttachedFile, ...] = (),
) -> Incoming:
    """Make a question that no message asked; only the person reads the answer."""
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
        stands_alone=stands_alone,
        as_of=as_of,
        origin=origin or Origin(),
        respond_at=respond_at,
        attached=attached,
    )


def asked_openly(
    key: str, text: str, user: str, at: datetime, where: Origin, *, shared: bool
) -> Incoming:
    """Make a question that no message asked, and that is answered for everyone in a channel."""
    alone = asked_privately(key, text, user, at, stands_alone=True)
    return replace(alone, channel=where.channel, thread=where.thread, private=False, shared=shared)


EDITED = "#"


def first_key(key: str) -> str:
    """Return the key of a message as it was before any change of it."""
    return key.partition(EDITED)[0]


MOST_OF_A_VALUE = 2_000
"""Characters of a button's value (docs.slack.dev, Block Kit reference)."""


_SHORT, _SHORT_NAME = 100, 20
"""Characters to which a question, and the name of each file, is cut before a file is left out."""


def to_button(asked: Incoming) -> str:
    """Pack a question that is kept nowhere else; of a very long one the end is lost."""
    text, packed = asked.text, _packed(asked)
    while len(packed) > MOST_OF_A_VALUE:
        if any(len(each.name) > _SHORT_NAME for each in asked.attached):
            named = (replace(each, name=each.name[:_SHORT_NAME]) for each in asked.attached)
            asked = replace(asked, attached=tuple(named))
        elif asked.attached and len(text) <= _SHORT:
            asked = replace(asked, attached=asked.attached[:-1])
        else:
            text = text[: len(text) * 9 // 10]
        packed = _packed(replace(asked, text=text if text == asked.text else f"{text}…"))
    return packed


def _packed(asked: Incoming) -> str:
    kept = asdict(replace(asked, respond_at=""))
    del kept["action_token"]
    return json.dumps(kept, ensure_ascii=False, default=date.isoformat)


def asked_with_button(value: str) -> Incoming:
    """Unpack it, for the reply to repeat; a click may be forged, so files are looked up anew."""
    values = json.loads(value)
    kept = {
        "as_of": date.fromisoformat(values["as_of"]) if values["as_of"] else None,
        "kind": Intent(values["kind"]),
        "origin": Origin(**values["origin"]),
        "answers": Answers.MENTIONED,
        "attached": tuple(AttachedFile(**each) for each in values.get("attached") or ()),
        "quoted": True,
    }
    return Incoming(**{**values, **kept})


@dataclass(frozen=True, slots=True)
class Exchange:
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
    sending_since: datetime | None = None
    """A placeholder or the reply may be on its way: look it up before sending another."""
    placeholder: str = ""
    """Its `ts`; once the reply is posted, the reply's."""
    told: str = ""
    """The trouble that the placeholder speaks of; empty for none."""
    attempts: int = 0
    posted_at: datetime | None = None
    """When the reply was first known to be posted; the audit store says the same."""
    withdrawn_at: datetime | None = None
    """When the person deleted the question."""
    respond_at: str = ""
    """As `asked.respond_at`; empty once it was used, or failed."""

    @property
    def moved(self) -> bool:
        """Tell whether the reply goes to the direct message, for lack of a place there."""
        return not self.asked.private and self.channel != self.asked.channel

    @property
    def thread(self) -> str:
        return "" if self.moved or self.asked.beside else self.asked.thread

    @property
    def quoted(self) -> bool:
        return self.asked.quoted or self.moved or self.asked.beside

    @property
    def speaks_for_somebody(self) -> bool:
        """Tell whether it stands in a channel in which nobody sees who asked."""
        said_there = self.asked.key.startswith(f"{self.asked.channel}:")
        return self.asked.quoted and not (self.asked.private or said_there)

    @property
    def is_given_to_everyone(self) -> bool:
        """Tell whether somebody had it asked in a channel for everyone there."""
        return self.speaks_for_somebody and self.asked.stands_alone and not self.moved

    def elsewhere(self) -> "Exchange":
        """Move on where Slack lets nothing be said: to the direct message, after that no more."""
        if self.asked.private or self.moved or self.asked.is_unasked:
            return replace(self, stage=Stage.UNDELIVERABLE)
        return replace(
            self, stage=Stage.PLACEHOLDER, channel="", placeholder="", sending_since=None, told=""
        )

    @property
    def mark(self) -> str:
        """Return the mark of what it sends at this stage, by which a lost send is found."""
        marks = reply_mark if self.stage is Stage.POSTING else placeholder_mark
        return marks(self.exchange_id)


def placeholder_mark(exchange_id: int) -> str:
    return f"vouch-{exchange_id}"


def reply_mark(exchange_id: int) -> str:
    """Return the `block_id` of a reply's first block: no late placeholder is taken for it."""
    return f"vouch-{exchange_id}-reply"
