"""The second step puts the answer into the audit store before anyone sees it."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date

from slack_sdk import WebClient

from audit.log import AuditReader
from audit.record.asker import Channel
from bot.access import UNLISTED
from bot.answering.values import Question
from bot.errors import NotAudited
from bot.slack.channels import SlackChannels
from bot.slack.earlier_questions import EarlierQuestions
from bot.slack.exchange import Exchange, Incoming, Stage
from bot.slack.failures import UNSENT
from bot.slack.people import SlackPeople
from bot.slack.steps.records import record_of
from bot.wording import steps as wording

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnswerStep:
    """Asks the pipeline, unless the question was answered before a crash."""

    client: WebClient
    earlier: EarlierQuestions
    people: SlackPeople
    answering: Callable[[Question], object]
    """Its outcome is read back from the audit store, as after a crash."""
    records: AuditReader
    today: Callable[[], date]
    channels: SlackChannels

    def __call__(self, exchange: Exchange) -> Exchange:
        if not record_of(self.records, exchange):
            with self._busy(exchange):
                self._answer(self._question(exchange), exchange)
        return replace(exchange, stage=Stage.POSTING)

    def _question(self, exchange: Exchange) -> Question:
        """In a channel everyone reads the reply, so the channel's audience counts."""
        asked = exchange.asked
        return Question(
            text=asked.text,
            person=self.people.person(asked.user) or self.people.guest(asked.user),
            on=asked.as_of or self.today(),
            channel=audience_of(asked),
            previous=self.earlier(exchange),
            place=self._named(place_of(exchange)),
            audit_id=exchange.audit_id,
        )

    def _named(self, place: Channel) -> Channel:
        """Add the channel's name of today, which may be another when the record is read."""
        return place.model_copy(update={"name": self.channels.name(place.id)})

    def _answer(self, question: Question, exchange: Exchange) -> None:
        try:
            self.answering(question)
        except NotAudited:
            # The append may have had no known outcome, or another process was faster.
            if not record_of(self.records, exchange):
                raise

    @contextmanager
    def _busy(self, exchange: Exchange) -> Iterator[None]:
        """Slack says under the thread that the bot is at work; only in threads."""
        self._say_status(exchange, wording.STATUS_READING)
        try:
            yield
        finally:
            self._say_status(exchange, "")

    def _say_status(self, exchange: Exchange, status: str) -> None:
        """Show a courtesy: the placeholder says the same, so a failure is no trouble."""
        if not exchange.thread:
            return
        try:
            self.client.assistant_threads_setStatus(
                channel_id=exchange.channel, thread_ts=exchange.thread, status=status
            )
        except UNSENT as error:
            log.debug("Exchange %d: no status was shown: %s", exchange.exchange_id, error)


def audience_of(asked: Incoming) -> str | None:
    """Return whose channel counts; None where only the person reads the reply.

    Of the people of another company `channels.yaml` knows nothing, so where they read along
    the reply is for guests.
    """
    if asked.private:
        return None
    return UNLISTED if asked.shared else asked.channel


def place_of(exchange: Exchange) -> Channel:
    """Return where it was said, for the audit."""
    return Channel(id=exchange.channel, thread=exchange.thread)
