"""What the bot says besides replies: placeholders, trouble, help, thanks, an answer in private."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from enum import StrEnum
from itertools import chain

from audit.record import AuditRecord
from bot.slack.blocks.elements import (
    Block,
    Message,
    actions,
    button,
    in_line,
    marked,
    note,
    own_message,
    plain,
    plan,
    quotation,
    rich,
    section,
    spoken,
    trimmed,
)
from bot.slack.blocks.reply import quoted_question
from bot.slack.exchange import (
    MOST_GIVEN,
    AttachedFile,
    Incoming,
    Intent,
    files_in,
    placeholder_mark,
    to_button,
)
from bot.wording import channels, reading_in
from bot.wording import evidence as audit_wording
from bot.wording import slack as wording


def help_message(bot_user: str, *, admin: bool, private: bool) -> Message:
    lines = [*wording.help_lines(bot_user, private=private)]
    if admin:
        lines.append(f"{wording.ADMIN_HELP}\n{audit_wording.USAGE}")
    return Message(spoken(wording.HELP_ALOUD), tuple(section(each) for each in lines))


def small_talk(kind: Intent) -> Message:
    return own_message(
        {Intent.THANKS: wording.THANKS, Intent.BYE: wording.BYE}.get(kind, wording.ABOUT)
    )


def only_files(attached: Sequence[AttachedFile], unread: Mapping[str, str]) -> Message:
    """Answer files that come without a question; `unread`: by id, which cannot be read, and why."""
    heard = ", ".join(each.name for each in attached if each.file_id not in unread)
    said = [f"{wording.FILES_HEARD} {in_line(heard, 300)}"] if heard else []
    if unread:
        said.append(f"{wording.FILES_NOT_READ} {in_line('; '.join(unread.values()), 500)}")
    own = [{"type": "section", "text": plain(each, emoji=False)} for each in said]
    ask = [section(wording.ASK_OF_FILES)] if heard else []
    return Message(spoken("\n".join(said)), (*own, *ask))


READ_IN = "read_in"


def choose(files: Sequence[AttachedFile]) -> Message:
    said = reading_in.CHOOSE_FIRST
    press = button(reading_in.CHOOSE, READ_IN, packed_files(files), primary=True)
    return Message(spoken(said), (section(said), actions(press)))


def files_of(value: str) -> tuple[AttachedFile, ...]:
    return files_in(json.loads(value))


def packed_files(files: Sequence[AttachedFile]) -> str:
    """Pack as many as a button takes: one more than is read at once, so that it is named."""
    shown = [replace(each, name=_printed(each.name)) for each in files[: MOST_GIVEN + 1]]
    return json.dumps([asdict(each) for each in shown], ensure_ascii=False)


def _printed(name: str) -> str:
    """A name without what a button's value would have to spell out; its own is looked up again."""
    return "".join(each if each.isprintable() else "\ufffd" for each in name)


MOST_REFUSED = 24
"""Questions in one message: each is two of the 50 blocks."""


def too_many(waiting: int, refused: Sequence[Incoming] = ()) -> Message:
    """Say that too many wait, with a button for each `refused`, `MOST_REFUSED` at most."""
    said = wording.too_many(waiting)
    shown = [
        (
            rich(quotation(trimmed(each.text, 200))),
            actions(button(wording.ASK_AGAIN, "ask_refused", to_button(each))),
        )
        for each in refused
    ]
    return Message(spoken(said), (section(said), *chain.from_iterable(shown)))


def not_stored() -> Message:
    return own_message(wording.NOT_STORED, sign=":warning: ")


def taken_back() -> Message:
    return own_message(wording.TAKEN_BACK)


def folded_reply(why: str) -> Message:
    """Stand in for a reply whose question is no more what it was: one of `wording.FOLDED`."""
    said = wording.FOLDED[why]
    return Message(spoken(said), (note(said),))


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
    waits = [wording.ahead(ahead)] if ahead > 0 else []
    waits += [wording.slowed(slowed_seconds)] if slowed_seconds > 0 else []
    below = [section(wording.READING), *([note(" ".join(waits))] if waits else [])]
    return _in_place(exchange_id, question, below, [wording.READING_ALOUD, *waits], quoted)


def working(
    exchange_id: int, question: str, *, quoted: bool, steps: Sequence[str], as_plan: bool
) -> Message:
    """Say what is done and being done, `as_plan` in a block that Slack does not take everywhere."""
    signs = [*(":white_check_mark:" for _ in steps[:-1]), ":hourglass_flowing_sand:"]
    lines = [f"{sign} {step}" for sign, step in zip(signs, steps, strict=True)]
    below = [section(wording.READING), plan(steps)] if as_plan else [section("\n".join(lines))]
    return _in_place(exchange_id, question, below, steps, quoted)


def trouble(exchange_id: int, question: str, *, quoted: bool, trouble: Trouble) -> Message:
    """Say honestly what is wrong, unlike any reply; once that is posted, this goes."""
    said = [wording.TROUBLE[trouble], wording.TRIES_AGAIN]
    said += [wording.SEE_LOG] if trouble in _FOR_THE_OPERATOR else []
    body = section("\n".join([wording.NOT_YET, " ".join(said)]))
    return _in_place(exchange_id, question, [body], [wording.NOT_YET_ALOUD, *said], quoted)


def _in_place(
    exchange_id: int, question: str, below: Sequence[Block], said: Sequence[str], quoted: bool
) -> Message:
    """Where the reply will stand, below the question where nobody sees it otherwise."""
    asked = [f"{wording.YOU_ASKED}: {in_line(question, 300)}"] if quoted and question else []
    return Message(
        spoken("\n".join([*asked, " ".join(said)])),
        marked(placeholder_mark(exchange_id), [*quoted_question(question, quoted=quoted), *below]),
    )


def private_answer(record: AuditRecord) -> Message:
    show = button(channels.SHOW_ME, "ask_privately", record.audit_id, primary=True)
    return Message(spoken(channels.CAN_ANSWER), (section(channels.CAN_ANSWER), actions(show)))


def private_offer(record: AuditRecord) -> Message:
    """Offer what they may read beyond the channel, first of all another rule of their own unit."""
    shown, aloud = (
        (wording.OWN_RULE_IN_PRIVATE, wording.OWN_RULE_IN_PRIVATE_ALOUD)
        if record.own_rule_in_private
        else (wording.MORE_IN_PRIVATE, wording.MORE_IN_PRIVATE_ALOUD)
    )
    ask = button(wording.ANSWER_PRIVATELY, "ask_privately", record.audit_id, primary=True)
    return Message(spoken(aloud), (section(shown), actions(ask)))
