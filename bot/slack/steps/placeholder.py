"""The first step says, where the reply will be posted, that the question was received."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from slack_sdk import WebClient

from bot.slack.blocks import system_messages
from bot.slack.blocks.elements import marked
from bot.slack.blocks.progress import placeholder
from bot.slack.earlier_questions import EarlierQuestions
from bot.slack.exchange import Exchange, Kind, Stage
from bot.slack.inbox import Inbox
from bot.slack.message import Message
from bot.slack.people import SlackPeople
from bot.slack.steps.posting_once import PostingOnce
from retrieval.language.asking import says_something


@dataclass(frozen=True, slots=True)
class PlaceholderStep:
    """Posts a placeholder; to a greeting or thanks, the few words that are all of the reply."""

    client: WebClient
    post_once: PostingOnce
    inbox: Inbox
    earlier: EarlierQuestions
    people: SlackPeople
    bot_user: Callable[[], str]
    now: Callable[[], datetime]

    def __call__(self, exchange: Exchange) -> Exchange:
        here = exchange if exchange.channel else self._opened(exchange)
        kind = self._kind(here)
        message = self._message(here, kind)
        ts = self.post_once(here, message, message.text)
        shown = replace(here, placeholder=ts, sending_since=None)
        asks = kind is Kind.QUESTION
        return replace(shown, stage=Stage.ANSWERING if asks else Stage.DONE)

    def _kind(self, exchange: Exchange) -> Kind:
        """Tell what is wanted: "and then?" asks nothing where nothing was asked before."""
        kind, text = exchange.asked.kind, exchange.asked.text
        if kind is not Kind.QUESTION or says_something(text) or self.earlier(exchange):
            return kind
        return Kind.HELP

    def _opened(self, exchange: Exchange) -> Exchange:
        """Open the direct message in which it will be answered."""
        answer = self.client.conversations_open(users=exchange.asked.user)
        opened = replace(exchange, channel=answer["channel"]["id"])
        self.inbox.save(opened, keep=True)
        return opened

    def _message(self, exchange: Exchange, kind: Kind) -> Message:
        if kind is Kind.HELP:
            return self._marked(exchange, self._help(exchange))
        if kind is Kind.THANKS:
            return self._marked(exchange, system_messages.thanks())
        now = self.now()
        slowed = max(0.0, (exchange.paced_until - now).total_seconds())
        return placeholder(
            exchange.exchange_id,
            exchange.asked.text,
            quoted=exchange.quoted,
            ahead=self.inbox.ahead(exchange, now),
            slowed_seconds=round(slowed),
        )

    def _help(self, exchange: Exchange) -> Message:
        """What administrators can do besides, they are told alone."""
        private = exchange.asked.private
        person = self.people.person(exchange.asked.user) if private else None
        admin = person is not None and person.admin
        return system_messages.help_message(self.bot_user(), admin=admin, private=private)

    def _marked(self, exchange: Exchange, message: Message) -> Message:
        return Message(message.text, marked(exchange.mark, message.blocks))
