"""What the asker alone is told beside a reply in a channel."""

from audit.record import AuditRecord
from bot.slack.blocks.elements import actions, button, section
from bot.slack.blocks.limits import spoken
from bot.slack.message import Message
from bot.wording import slack as wording


def private_offer(record: AuditRecord) -> Message:
    """Say that they may read more than the channel, with a button for it."""
    label = wording.ANSWER_PRIVATELY
    ask = button(label, "ask_privately", record.audit_id, primary=True)
    blocks = (section(wording.MORE_IN_PRIVATE), actions(ask))
    return Message(spoken(wording.MORE_IN_PRIVATE_ALOUD), blocks)
