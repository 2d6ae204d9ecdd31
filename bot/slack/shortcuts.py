"""Asking without writing a message: from a message's menu, or from anywhere in Slack.

Slack delivers a shortcut once, so what is asked is stored before it is acknowledged.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from bot.answering.values import shortened
from bot.slack.blocks import system_messages
from bot.slack.blocks.elements import (
    Block,
    Message,
    channel_select,
    form,
    form_field,
    note,
    own_message,
    picked_channel,
    plain,
    text_input,
    typed,
)
from bot.slack.clicked import open_modal, refuse
from bot.slack.directory import SlackChannels
from bot.slack.exchange import (
    Incoming,
    Intent,
    Origin,
    asked_openly,
    asked_privately,
    files_in,
)
from bot.slack.inbox.store import Inbox
from bot.slack.message_events import Understand, intent_of, spoken_words
from bot.slack.steps.sending import respond
from bot.wording import slack as wording

ABOUT_MESSAGE = "ask_about_message"
ANYWHERE = "ask_anywhere"
_QUESTION, _CHANNEL = "question", "channel"


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """What the app's shortcuts do; `on` tells Bolt."""

    inbox: Inbox
    channels: SlackChannels
    bot_user: Callable[[str], str]
    understand: Understand
    now: Callable[[], datetime]

    def on(self, app: App) -> None:
        app.shortcut(ABOUT_MESSAGE)(self.about_message)
        app.shortcut(ANYWHERE)(open_ask_form)
        app.view(ANYWHERE)(self.asked)

    def about_message(self, ack: Ack, body: dict[str, Any]) -> None:
        """Ask what a message asks, for the one who chose it alone; it can be posted under it."""
        message, at = body["message"], str(body.get("response_url") or "")
        text = shortened(
            spoken_words(str(message.get("text") or ""), self.bot_user(body["user"]["id"]))
        )
        if intent_of(text, self.understand) is not Intent.QUESTION:
            ack()
            say_at(at, wording.ASKS_NOTHING)
            return
        thread = str(message.get("thread_ts") or message["ts"])
        key = f"{body['channel']['id']}:{message['ts']}"
        asked = asked_privately(
            f"shortcut:{body['trigger_id']}",
            text,
            body["user"]["id"],
            self.now(),
            stands_alone=True,
            origin=Origin(body["channel"]["id"], thread),
            respond_at=at,
            attached=tuple(replace(each, message=key) for each in files_in(message.get("files"))),
        )
        receipt = self.inbox.take_in(asked, self.now())
        ack()
        too_many = system_messages.too_many(receipt.waiting, [asked])
        say_at(at, too_many if receipt.refused else wording.ASKED_IN_PLACE)

    def asked(self, ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        """Take in what was written; a full inbox is said in the form, and nothing is lost."""
        values = view["state"]["values"]
        text = " ".join(typed(values, _QUESTION).split())
        if intent_of(text, self.understand) is not Intent.QUESTION:
            refuse(ack, _QUESTION, wording.ASKS_NOTHING)
            return
        channel = picked_channel(values, _CHANNEL)
        if channel and not self.channels.has(channel, body["user"]["id"]):
            refuse(ack, _CHANNEL, wording.NOT_BOTH_THERE)
            return
        receipt = self.inbox.take_in(self._incoming(body, view, text), self.now())
        if receipt.refused:
            refuse(ack, _QUESTION, wording.too_many(receipt.waiting))
        else:
            ack()

    def _incoming(self, body: Mapping[str, Any], view: Mapping[str, Any], text: str) -> Incoming:
        user, key = body["user"]["id"], f"form:{view['id']}"
        where = Origin(picked_channel(view["state"]["values"], _CHANNEL))
        if not where:
            return asked_privately(key, shortened(text), user, self.now(), stands_alone=True)
        shared = self.channels.is_shared(where.channel)
        return asked_openly(key, shortened(text), user, self.now(), where, shared=shared)


def open_ask_form(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
    """A question, and for whom it is answered: left open, for the asker alone."""
    ack()
    channel = channel_select(placeholder=plain(wording.ONLY_TO_ME))
    blocks: list[Block] = [
        form_field(_QUESTION, wording.YOUR_QUESTION, text_input()),
        form_field(_CHANNEL, wording.ANSWER_WHERE, channel, optional=True),
        note(wording.ANSWER_WHERE_HINT),
    ]
    view = form(wording.ASK_TITLE, ANYWHERE, "", blocks, wording.ASK)
    open_modal(client, body["trigger_id"], view)


def say_at(url: str, said: str | Message) -> None:
    """Say it to the one who used a shortcut or a button, alone."""
    if url:
        respond(url, own_message(said) if isinstance(said, str) else said)
