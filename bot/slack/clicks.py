"""Buttons and modals under a reply; who clicks is looked at anew every time."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from audit.feedback import Opinion, current_feedback
from audit.log import AuditReader
from audit.record import AuditEvent, AuditRecord, Decision, EventKind, NearestRecord
from audit.values import PersonRecord, is_attached, new_id, team_of
from bot.access.reading import RecordAccess, documents_of
from bot.answering.citations.links import CitedLinks, opening_here
from bot.slack.blocks import system_messages
from bot.slack.blocks.elements import (
    LONGEST_TYPED,
    View,
    chosen,
    form,
    form_field,
    in_line,
    radio,
    section,
    spoken,
    text_input,
    typed,
)
from bot.slack.blocks.evidence import NumbersButton, evidence, numbers
from bot.slack.channels import ChannelRules
from bot.slack.citations import EvidencePictures
from bot.slack.clicked import (
    Replies,
    audience_of,
    open_modal,
    post_ephemeral,
    push_modal,
    record_for,
)
from bot.slack.directory import SlackChannels
from bot.slack.exchange import (
    AttachedFile,
    Incoming,
    asked_openly,
    asked_privately,
    asked_with_button,
)
from bot.slack.failures import UNSENT
from bot.slack.inbox.store import Inbox
from bot.wording import channels
from bot.wording import evidence as evidence_wording
from bot.wording import slack as wording
from bot.wording.slack import SEND


@dataclass(frozen=True, slots=True)
class FeedbackReason:
    """What somebody filled in; empty where they left it so."""

    why: str
    """One of `wording.evidence.WHYS`."""
    words: str


def feedback_words(audit_id: str, event_id: str) -> View:
    """Ask in a modal what kind of fault it is, in which words; both may stay empty.

    `event_id`: of the thumb that opened it; empty where the thumb was down before. Slack tells of a
    modal that is cancelled where `notify_on_close` asks it to.
    """
    hint = evidence_wording.WORDS_HINT
    blocks = [
        section(evidence_wording.THUMB_KEPT if event_id else evidence_wording.THUMB_STANDS),
        form_field("why", evidence_wording.WHY, radio(evidence_wording.WHYS), optional=True),
        form_field("words", evidence_wording.IN_YOUR_WORDS, text_input(), optional=True, hint=hint),
    ]
    metadata = f"{audit_id}:{event_id}"
    view = form(evidence_wording.FEEDBACK_TITLE, "feedback_words", metadata, blocks, SEND)
    return {**view, "notify_on_close": True}


def reason_in(values: Mapping[str, Any]) -> FeedbackReason:
    why = chosen(values, "why")
    return FeedbackReason(
        why if why in evidence_wording.WHYS else "", typed(values, "words")[:LONGEST_TYPED]
    )


def it_was(passage: NearestRecord) -> str:
    return spoken(evidence_wording.it_was(in_line(passage.title or passage.file, 150)))


@dataclass(frozen=True, slots=True)
class FeedbackStore:
    """Appends what people say of a reply; nothing that they said last already."""

    records: AuditReader
    append: Callable[[AuditEvent], object]
    now: Callable[[], datetime]
    _turn: Lock = field(default_factory=Lock, init=False, repr=False)
    """One click at a time: a double click arrives as two at once."""

    def thumb(self, record: AuditRecord, who: PersonRecord, thumb: Opinion) -> str:
        """Keep it and return the event's id; empty where it is what this person said last."""
        with self._turn:
            last = self._last_thumb(record, who)
            if last is not None and last.details.get("value") == thumb:
                return ""
            return self._keep(record, who, {"value": thumb})

    def reason(self, record: AuditRecord, who: PersonRecord, said: FeedbackReason) -> None:
        self._keep(record, who, {"value": Opinion.BAD, "why": said.why}, said.words)

    def take_back(self, record: AuditRecord, who: PersonRecord, event_id: str) -> None:
        """Withdraw a thumb, unless this person has said something else since."""
        with self._turn:
            last = self._last_thumb(record, who)
            if last is not None and last.event_id == event_id:
                details = {"value": Opinion.WITHDRAWN, "withdraws": event_id}
                self._keep(record, who, details)

    def this_was_it(self, record: AuditRecord, who: PersonRecord, passage: NearestRecord) -> None:
        with self._turn:
            said = [each.details.get("passage_id") for each in self._current(record, who)]
            if passage.passage_id not in said:
                place = passage.model_dump(include={"passage_id", "document_id", "file", "version"})
                self._keep(record, who, {"value": Opinion.THIS_WAS_IT, **place})

    def _last_thumb(self, record: AuditRecord, who: PersonRecord) -> AuditEvent | None:
        thumbs = (Opinion.GOOD, Opinion.BAD)
        said = [each for each in self._current(record, who) if each.details.get("value") in thumbs]
        return said[-1] if said else None

    def _current(self, record: AuditRecord, who: PersonRecord) -> list[AuditEvent]:
        events = self.records.happened_to(record.audit_id)
        return [
            each for each in current_feedback(events) if each.person and each.person.id == who.id
        ]

    def _keep(
        self, record: AuditRecord, who: PersonRecord, details: dict[str, str], words: str = ""
    ) -> str:
        now = self.now()
        event_id = new_id(now)
        self.append(
            AuditEvent(
                kind=EventKind.FEEDBACK,
                event_id=event_id,
                audit_id=record.audit_id,
                time=now,
                person=who,
                channel=record.channel,
                text=words,
                details=details,
            )
        )
        return event_id


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Clicks:
    """What each button of a reply does; `on` tells Bolt."""

    replies: Replies
    kept: FeedbackStore
    inbox: Inbox
    channels: SlackChannels
    visibility: RecordAccess
    rules: ChannelRules
    texts: Callable[[AuditRecord], Mapping[str, str]]
    """Passages of a record as they stood when they were read, by passage id."""
    now: Callable[[], datetime]
    pictures: EvidencePictures | None = None
    """None where evidence is shown in words alone."""
    pages: str = ""
    """Where pages show what is cited, without a slash at its end; empty where none do."""

    def on(self, app: App) -> None:
        app.action("feedback")(self.feedback)
        app.action("evidence")(self.evidence)
        app.action("numbers")(self.numbers)
        app.action("ask_privately")(self.ask_privately)
        app.action("ask_as_of")(self.ask_as_of)
        app.action("post_here")(self.post_here)
        app.action("ask_refused")(self.ask_refused)
        app.action("this_was_it")(self.this_was_it)
        app.view("feedback_words")(self.feedback_words)
        app.view_closed("feedback_words")(self.feedback_cancelled)

    def feedback(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        """Keep a thumb at once; a thumb down may be explained."""
        ack()
        thumb, _, audit_id = body["actions"][0]["value"].partition(":")
        record = self.replies.clicked(audit_id, body, client)
        if record is None:
            return
        kept = self.kept.thumb(record, self.replies.who(body), Opinion(thumb))
        if thumb == Opinion.BAD:
            view = feedback_words(record.audit_id, kept)
            open_modal(client, body["trigger_id"], view)
        else:
            post_ephemeral(client, body, evidence_wording.FEEDBACK_THANKS)

    def feedback_words(
        self, ack: Ack, body: dict[str, Any], client: WebClient, view: dict[str, Any]
    ) -> None:
        audit_id, _, _ = view["private_metadata"].partition(":")
        record = record_for(self.replies.records, audit_id, body["user"]["id"])
        who = self.replies.who(body)
        reason = reason_in(view["state"]["values"])
        if reason.why or reason.words:
            self.kept.reason(record, who, reason)
        else:
            self.kept.thumb(record, who, Opinion.BAD)
        ack()
        self._tell_at_reply(record, body, client, evidence_wording.FEEDBACK_THANKS)

    def feedback_cancelled(
        self, ack: Ack, body: dict[str, Any], client: WebClient, view: dict[str, Any]
    ) -> None:
        """Take back the thumb that opened the modal; one that stood before it stays."""
        ack()
        audit_id, _, event_id = view["private_metadata"].partition(":")
        if event_id:
            record = record_for(self.replies.records, audit_id, body["user"]["id"])
            self.kept.take_back(record, self.replies.who(body), event_id)
            self._tell_at_reply(record, body, client, evidence_wording.THUMB_TAKEN_BACK)

    def this_was_it(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        """Keep which quoted passage answers the question, as the one who asked it says."""
        ack()
        audit_id, _, number = body["actions"][0]["value"].partition(":")
        record = self.replies.clicked(audit_id, body, client)
        if record is None:
            return
        who = self.replies.who(body)
        if who.id != record.person.id:
            post_ephemeral(client, body, wording.ASKER_ALONE)
            return
        passage = was_quoted(record, number)
        clicker = self.replies.people.person(body["user"]["id"])
        withheld = self.visibility.withheld(record, clicker, audience_of(body, record))
        if passage is None or passage.document_id in withheld:
            post_ephemeral(client, body, wording.NOT_KEPT)
            return
        self.kept.this_was_it(record, who, passage)
        post_ephemeral(client, body, it_was(passage))

    def evidence(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        record = self.replies.clicked(body["actions"][0]["value"], body, client)
        if record is None:
            return
        audience = audience_of(body, record)
        clicker = self.replies.people.person(body["user"]["id"])
        withheld = self.visibility.withheld(record, clicker, audience)
        shown = opening_here(record, self.pages)
        pictures, busy = self.pictures, self.pictures is not None and self.pictures.is_busy
        receipt = CitedLinks(self.pages, record.audit_id).receipt(record)
        view = evidence(shown, withheld, audience, pictures_left_out=busy, receipt=receipt)
        view_id = open_modal(client, body["trigger_id"], view)
        if pictures and view_id and not busy:
            pictures.add(view_id, shown, withheld, audience)

    def numbers(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        behind = NumbersButton.unpacked(body["actions"][0]["value"])
        record = record_for(self.replies.records, behind.audit_id, body["user"]["id"])
        clicker = self.replies.people.person(body["user"]["id"])
        withheld = self.visibility.withheld(record, clicker, behind.audience)
        texts = self.texts(record) if documents_of(record) - withheld else {}
        push_modal(client, body["trigger_id"], numbers(record, texts, withheld))

    def ask_privately(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        """Whoever clicks is answered for themselves, from what they themselves may read."""
        self._ask_again(ack, body, client, "private")

    def ask_as_of(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        """The same, as of the day that was asked about; no other day can be chosen by a click."""
        self._ask_again(ack, body, client, "as_of")

    def post_here(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        """Ask anew for everyone where it came from; nothing of the private answer goes along."""
        record = self.replies.clicked(body["actions"][0]["value"], body, client)
        if record is None:
            ack()
            return
        origin = self.inbox.origin(record.audit_id)
        if self.replies.who(body).id != record.person.id or not origin:
            ack()
            post_ephemeral(
                client, body, wording.NOWHERE_TO_POST if not origin else wording.ONLY_ASKER_POSTS
            )
            return
        asked = asked_openly(
            f"post:{record.audit_id}",
            record.standalone_question,
            body["user"]["id"],
            self.now(),
            origin,
            shared=self.channels.is_shared(origin.channel),
        )
        files = self.inbox.attachments.with_question(record.audit_id)
        here = tuple(each for each in files if each.channel == origin.channel)
        asked = replace(asked, attached=here)
        self._take_in(asked, ack, body, client, wording.POSTED_HERE, wording.POSTED_ALREADY)

    def ask_refused(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        """Ask again, where and for whom it was asked, what was refused for too many waiting."""
        asked = asked_with_button(body["actions"][0]["value"])
        if asked.user != body["user"]["id"]:
            ack()
            post_ephemeral(client, body, wording.REFUSED_TO_ANOTHER)
            return
        here = body["channel"]["id"]
        if not self._may_be_asked_in(asked, here):
            ack()
            post_ephemeral(client, body, wording.NOT_BOTH_THERE)
            return
        if not asked.private and self.channels.is_shared(asked.channel):
            asked = replace(asked, shared=True)
        asked = replace(asked, attached=self._readable(asked, here))
        self._take_in(asked, ack, body, client, wording.ASKED_AGAIN, wording.ASKED_BEFORE)

    def _may_be_asked_in(self, asked: Incoming, here: str) -> bool:
        """Tell where a button asks: in private where it stands, if not in one yet to be opened."""
        if asked.private:
            return asked.channel in ("", here)
        return self.channels.has(asked.channel, asked.user)

    def _readable(self, asked: Incoming, here: str) -> tuple[AttachedFile, ...]:
        """Return its files, with where they stand only if whoever is told is there, too."""
        if not asked.private:
            return tuple(e for e in asked.attached if e.channel in ("", asked.channel))
        return tuple(
            each if self._is_with(asked.user, each.channel, here) else replace(each, message="")
            for each in asked.attached
        )

    def _is_with(self, user: str, channel: str, here: str) -> bool:
        same_team = team_of(channel) == team_of(user)
        return same_team and (channel in ("", here) or self.channels.has(channel, user))

    def _ask_again(self, ack: Ack, body: dict[str, Any], client: WebClient, way: str) -> None:
        """Ask in the direct message with whoever clicked, once for each way and person."""
        record = self.replies.clicked(body["actions"][0]["value"], body, client)
        if record is None:
            ack()
            return
        user = body["user"]["id"]
        if self.rules.refuses(body["channel"]["id"], user):
            ack()
            post_ephemeral(client, body, channels.TURNED_AWAY)
            return
        asked = asked_privately(
            f"{way}:{record.audit_id}:{user}",
            record.standalone_question,
            user,
            self.now(),
            stands_alone=True,
            as_of=record.upcoming.day if way == "as_of" and record.upcoming else None,
            attached=self.inbox.attachments.with_question(record.audit_id),
        )
        self._take_in(asked, ack, body, client, wording.ASK_ACKNOWLEDGED, wording.ASKED_ALREADY)

    def _take_in(
        self,
        asked: Incoming,
        ack: Ack,
        body: Mapping[str, Any],
        client: WebClient,
        stored: str,
        known: str,
    ) -> None:
        """Store it before it is acknowledged, and say what came of it; `known`: stored before."""
        receipt = self.inbox.take_in(asked, self.now(), again=True)
        ack()
        too_many = system_messages.too_many(receipt.waiting, [asked])
        said = stored if receipt.stored else known
        post_ephemeral(client, body, too_many if receipt.refused else said)

    def _tell_at_reply(
        self, record: AuditRecord, body: Mapping[str, Any], client: WebClient, text: str
    ) -> None:
        stands = self.replies.places(record)[-1]
        where = {
            "channel": {"id": stands.id},
            "user": body["user"],
            "message": {"thread_ts": stands.thread or None},
        }
        try:
            post_ephemeral(client, where, text)
        except UNSENT as unsaid:  # it is kept, and nothing is left to say it in
            log.warning("Could not be said: %s", unsaid)


def was_quoted(record: AuditRecord, number: str) -> NearestRecord | None:
    """Return what a refusal quoted under that number, from 0; None where a click makes it up."""
    nearest = (each for each in enumerate(record.nearest) if each[1].passage_id)
    quoted = {str(n): each for n, each in nearest if not is_attached(each.document_id)}
    return quoted.get(number) if record.decision is Decision.ABSTAIN else None
