"""What the asker alone is told beside a reply in a channel."""

from audit.record import AuditRecord
from bot.slack.blocks.elements import actions, button, section
from bot.slack.blocks.limits import spoken
from bot.slack.message import Message
from bot.wording import slack as wording


def private_offer(record: AuditRecord) -> Message:
    """Say that they may read more than the channel, with a button for it.

    Where their own unit has another rule, that comes first: the reply there may not hold for them.
    """
    shown, aloud = (
        (wording.OWN_RULE_IN_PRIVATE, wording.OWN_RULE_IN_PRIVATE_ALOUD)
        if record.own_rule_in_private
        else (wording.MORE_IN_PRIVATE, wording.MORE_IN_PRIVATE_ALOUD)
    )
    ask = button(wording.ANSWER_PRIVATELY, "ask_privately", record.audit_id, primary=True)
    return Message(spoken(aloud), (section(shown), actions(ask)))
