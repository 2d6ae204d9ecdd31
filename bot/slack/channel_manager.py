"""`/ask-settings`: the managers of a channel set how the bot answers there.

What they set only narrows what the operator allows. Who manages the channel is looked up at the
command and when the modal is sent.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from bot.access.channels import Widening
from bot.slack.blocks.channel_settings import (
    ANSWERS,
    CALLBACK,
    OUTSIDERS,
    PERSON,
    PLACE,
    SOURCES,
    key_of,
    settings_modal,
)
from bot.slack.blocks.forms import Filled, chosen, picked_channel, ticked
from bot.slack.channel_rules import ChannelRules
from bot.slack.clicked import open_modal
from bot.slack.exchange import Answers, is_direct
from bot.slack.failures import UNSENT
from bot.slack.inbox.channel_settings import ChannelSettings
from bot.wording import channels as wording

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ChannelManager:
    """Opens and keeps the settings of a channel; `on` tells Bolt."""

    rules: ChannelRules
    sources: Callable[[str], Sequence[str]]
    """Names of the sources of which something may be read in a channel."""
    now: Callable[[], datetime]

    def on(self, app: App) -> None:
        """Register with Bolt."""
        app.command("/ask-settings")(self.open)
        app.view(CALLBACK)(self.keep)

    def open(self, ack: Ack, body: dict[str, Any], client: WebClient, respond: Respond) -> None:
        """Show the settings, to a manager of the channel; others are told who is one."""
        ack()
        channel, user = str(body["channel_id"]), str(body["user_id"])
        if is_direct(channel):
            respond(wording.NOT_A_CHANNEL, response_type="ephemeral")
        elif not self.rules.may_change(channel, user):
            respond(wording.NOT_A_MANAGER, response_type="ephemeral")
        else:
            allowed, settings = self.rules.allowed(channel), self.rules.of(channel)
            view = settings_modal(channel, settings, allowed, self.sources(channel))
            open_modal(client, body["trigger_id"], view)

    def keep(self, ack: Ack, body: dict[str, Any], client: WebClient, view: dict[str, Any]) -> None:
        """Keep what was chosen, if whoever sends it manages the channel now.

        Everyone there is told where something else is read and kept of what they say.
        """
        channel, user = str(view["private_metadata"]), str(body["user"]["id"])
        if not self.rules.may_change(channel, user):
            log.warning("%s, who does not manage channel %s, sent settings of it", user, channel)
            ack(response_action="errors", errors={ANSWERS: wording.NOT_A_MANAGER})
            return
        values: Filled = view["state"]["values"]
        wanted, known = _sources(values), {key_of(each): each for each in self.sources(channel)}
        if not wanted <= known.keys():
            ack(response_action="errors", errors={ANSWERS: wording.CHOOSE_AGAIN})
            return
        allowed, before = self.rules.allowed(channel), self.rules.of(channel)
        unseen = before.sources - set(known.values())  # such as one that is away
        settings = ChannelSettings(
            answers=_answers(values) if Widening.UNASKED in allowed else Answers.MENTIONED,
            sources=frozenset(known[each] for each in wanted) | unseen,
            beside=chosen(values, PLACE) == "beside",
            outsiders=Widening.OUTSIDERS in allowed and bool(ticked(values, OUTSIDERS)),
            ask_person=_channel(values),
        )
        self.rules.kept.keep(channel, settings, user, self.now())
        ack()
        log.info("%s set how channel %s is answered: %s", user, channel, settings)
        if settings.answers is not before.answers:
            _tell_everyone(client, channel, wording.now_answers(settings.answers, user))


def _tell_everyone(client: WebClient, channel: str, said: str) -> None:
    """Where the bot is no member it reads nothing, either: a failure is logged and ends there."""
    try:
        client.chat_postMessage(channel=channel, text=said)
    except UNSENT as error:
        log.warning("Channel %s is not told how it is answered: %s", channel, error)


def _answers(values: Filled) -> Answers:
    wanted = chosen(values, ANSWERS)
    return Answers(wanted) if wanted in set(Answers) else Answers.MENTIONED


def _sources(values: Filled) -> set[str]:
    boxes = [each for each in values if each.startswith(f"{SOURCES}-")]
    return {value for each in boxes for value in ticked(values, each)}


def _channel(values: Filled) -> str:
    picked = picked_channel(values, PERSON)
    return "" if is_direct(picked) else picked
