"""What the bot says where nobody asked a question, or one was not kept."""

from bot.slack.blocks.elements import section
from bot.slack.blocks.limits import spoken
from bot.slack.message import Message
from bot.wording import evidence as audit_wording
from bot.wording import slack as wording


def help_message(bot_user: str, *, admin: bool, private: bool) -> Message:
    """Answer a greeting or an empty mention: what I do, how to ask, what is kept."""
    lines = [*wording.help_lines(bot_user, private=private)]
    if admin:
        lines.append(f"{wording.ADMIN_HELP}\n{audit_wording.USAGE}")
    return Message(spoken(wording.HELP_ALOUD), tuple(section(each) for each in lines))


def thanks() -> Message:
    return _said(wording.THANKS)


def too_many(waiting: int) -> Message:
    """Tell somebody who has as many questions waiting as may wait."""
    return _said(wording.too_many(waiting))


def not_stored() -> Message:
    """Say that the question could not be kept; Slack will deliver it again."""
    return _said(wording.NOT_STORED, sign=":warning: ")


def taken_back() -> Message:
    """Stand in for a message of the bot's that is over and cannot be deleted."""
    return _said(wording.TAKEN_BACK)


def ask_acknowledged() -> str:
    """Answer `/ask` where it was typed."""
    return wording.ASK_ACKNOWLEDGED


def _said(own: str, sign: str = "") -> Message:
    return Message(spoken(own), (section(f"{sign}{own}"),))
