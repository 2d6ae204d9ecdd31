"""From "I don't know" to somebody who does: what is shown and clicked on the way there and back."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from audit.record import AuditEvent, AuditRecord, Decision, EventKind
from audit.values import Channel, new_id, slack_id, team_of
from bot.access.channels import is_direct
from bot.access.entries import Facets
from bot.access.people import Person
from bot.slack.blocks.elements import (
    LONGEST_TYPED,
    MESSAGE,
    Block,
    Message,
    View,
    actions,
    boxes,
    button,
    chosen,
    fitting,
    form,
    form_field,
    in_line,
    line,
    marked,
    note,
    picked_day,
    plain,
    quotation,
    radio,
    rich,
    section,
    spoken,
    text_input,
    ticked,
    trimmed,
    typed,
    weight,
    words,
)
from bot.slack.blocks.reply import nearest_parts
from bot.slack.clicked import Replies, conclude, open_modal, post_ephemeral, record_for, refuse
from bot.slack.directory import SlackChannels
from bot.slack.failures import UNSENT
from bot.slack.inbox.kept import Referral, Referrals, ReferralStage
from bot.slack.message_events import spoken_words
from bot.wording import referrals as wording
from bot.wording.slack import YOU_ASKED
from retrieval.metadata.access import TEAM

ASK, GIVE, STANDARD = "ask_person", "give_answer", "make_standard"
RESOLVED, STILL_OPEN = "answer_resolved", "answer_still_open"
NOTE, NAMED = "note", "named"
WORDS, OTHERS, LAST_DAY, QUESTION = "words", "others", "last_day", "question"
_MOST_NEAREST = 3


def ask_form(
    audit_id: str, channel: str, audience: Mapping[str, Sequence[str]] | None, *, private: bool
) -> View:
    """`audience`: who else may be answered from what comes back, as `give_form` names it."""
    how = {"yes": wording.WITH_NAME, "no": wording.WITHOUT_NAME}
    others = "" if audience is None else wording.others_hear(audience)
    own = wording.THEY_READ_UNIT if others and private else ""
    told = {"type": "section", "text": plain(f"{others}{own}", emoji=False)}
    blocks = [
        section(wording.passes_to(channel)),
        *([told] if others else []),
        form_field(NAMED, wording.HOW, radio(how, "yes")),
        form_field(NOTE, wording.NOTE, text_input(), optional=True),
    ]
    return form(wording.TITLE, ASK, f"{audit_id}:{channel}", blocks, wording.SEND)


def give_form(
    referral: Referral,
    question: str,
    written: str,
    audience: Mapping[str, Sequence[str]] | None,
    *,
    shared: bool,
) -> View:
    """Take an answer to a question down.

    `audience`: who else may be answered from it, None for nobody. `shared`: people of another
    company read along where it was asked.
    """
    goes_to = wording.goes_to(
        private=referral.is_private, channel=referral.asked_channel, shared=shared
    )
    blocks: list[Block] = [
        form_field(WORDS, wording.THE_ANSWER, text_input(written[:LONGEST_TYPED])),
        note(goes_to),
    ]
    if audience is None:
        blocks.append(note(wording.NO_DOCUMENT))
    else:
        asked = text_input(trimmed(question, LONGEST_TYPED))
        box = boxes({"yes": wording.FOR_OTHERS_TOO})
        general = wording.IN_GENERAL_WORDS
        blocks += [
            form_field(OTHERS, wording.FOR_OTHERS, box, optional=True),
            {"type": "section", "text": plain(wording.others_are(audience), emoji=False)},
            form_field(QUESTION, wording.KIND_OF_QUESTION, asked, optional=True, hint=general),
            last_day(),
        ]
    return form(wording.GIVE_TITLE, GIVE, referral.audit_id, blocks, wording.GIVE_SEND)


def last_day() -> Block:
    day = {"type": "datepicker"}
    return form_field(LAST_DAY, wording.LAST_DAY, day, optional=True, hint=wording.LAST_DAY_HINT)


def passed_on(
    referral: Referral, record: AuditRecord, withheld: Collection[str], closed: str = ""
) -> Message:
    """Ask those who may know; nothing is quoted that they may not read.

    `closed`: whose answer there is, in Slack's markup, once there is one.
    """
    asked = record.standalone_question
    top: list[Block] = [
        section(wording.asks(referral.asker if referral.named else "")),
        rich(quotation(trimmed(asked, 1_500))),
        *([rich(line(words(trimmed(referral.note, 1_500))))] if referral.note else []),
    ]
    give = button(wording.GIVE, GIVE, referral.audit_id, primary=True)
    bottom = [section(closed) if closed else actions(give)]
    mark = referral.mark("asked")
    room = MESSAGE - weight(marked(mark, [*top, *bottom]))
    body = [] if closed else fitting(lambda detail: _found(record, withheld, detail), room)
    return Message(spoken(wording.asks_aloud(asked)), marked(mark, [*top, *body, *bottom]))


def _found(record: AuditRecord, withheld: Collection[str], detail: int) -> list[Block]:
    near = [
        rich(*nearest_parts(each, detail, over=""))
        for each in record.nearest[:_MOST_NEAREST]
        if each.document_id not in withheld
    ]
    missing = [in_line(each, 300) for each in record.missing]
    why = wording.why(missing, answered=record.decision is not Decision.ABSTAIN)
    return [rich(line(words(why))), *([note(wording.CLOSEST)] if near else []), *near]


def given(referral: Referral, question: str, name: str) -> Message:
    blocks: list[Block] = [
        section(wording.answered_by(referral.answered_by, referral.answered_on)),
        rich(line(words(f"{YOU_ASKED}:")), quotation(trimmed(question, 600))),
        rich(line(words(trimmed(referral.answer, LONGEST_TYPED)))),
        actions(
            button(wording.RESOLVED, RESOLVED, referral.given_id),
            button(wording.STILL_OPEN, STILL_OPEN, referral.given_id),
        ),
    ]
    aloud = wording.answered_aloud(name, referral.answer)
    return Message(spoken(aloud), marked(referral.mark("given"), blocks))


def said_below(referral: Referral, what: str, said: str) -> Message:
    return Message(spoken(said), marked(referral.mark(what), [section(said)]))


AudienceByFacet = Mapping[str, Sequence[str]]
_GIVEN = (ReferralStage.GIVEN, ReferralStage.PUBLISHING)
_ASKED_AGAIN = (ReferralStage.OPEN, ReferralStage.REOPENED)


@dataclass(frozen=True, slots=True)
class AskPerson:
    """What can be clicked while a question goes to people who may know; `on` tells Bolt."""

    replies: Replies
    referrals: Referrals
    channels: SlackChannels
    common_in: Callable[[str], Facets | None]
    """What everyone in a channel has; None where that is not known for certain."""
    units: Sequence[str]
    """Facets that name a person's unit, the smallest first."""
    asks_in: Callable[[AuditRecord], str]
    """The channel of those who may know; empty where nobody is named."""
    append: Callable[[AuditEvent], object]
    bot_user: Callable[[str], str]
    now: Callable[[], datetime]

    def on(self, app: App) -> None:
        app.action(ASK)(self.ask)
        app.view(ASK)(self.asked)
        app.action(GIVE)(self.give)
        app.view(GIVE)(self.given)
        app.action(RESOLVED)(self.resolved)
        app.action(STILL_OPEN)(self.still_open)

    def ask(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        """Say where the question would go; the asker alone decides whether it does."""
        ack()
        record = self.replies.clicked(body["actions"][0]["value"], body, client)
        if record is None:
            return
        channel = self._channel(record)
        if self.replies.who(body).id != record.person.id:
            post_ephemeral(client, body, wording.ONLY_ASKER)
        elif self._is_passed_on(record):
            post_ephemeral(client, body, wording.PASSED_ALREADY)
        elif not channel:
            post_ephemeral(client, body, wording.NOBODY)
        else:
            asker, asked_in = body["user"]["id"], self._asked_in(record).id
            audience = self._audience(asker, asked_in)
            form = ask_form(record.audit_id, channel, audience, private=not asked_in)
            open_modal(client, body["trigger_id"], form)

    def _is_passed_on(self, record: AuditRecord) -> bool:
        """Tell of a question whether it is, or was before the inbox forgot it."""
        events = self.replies.records.happened_to(record.audit_id)
        told = any(each.kind is EventKind.REFERRED for each in events)
        return told or self.referrals.find(record.audit_id) is not None

    def asked(self, ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        """Take it in before it is acknowledged; what was shown holds, or nothing is passed on."""
        audit_id, _, channel = view["private_metadata"].partition(":")
        record = record_for(self.replies.records, audit_id, body["user"]["id"])
        if self.replies.who(body).id != record.person.id:
            refuse(ack, NOTE, wording.ONLY_ASKER)
            return
        if not channel or self._channel(record) != channel:
            refuse(ack, NOTE, wording.NOBODY)
            return
        stored = self.referrals.add(self._referral(record, channel, body, view))
        said = wording.passed_to(slack_id(channel)) if stored else wording.PASSED_ALREADY
        conclude(ack, wording.TITLE, "passed_on", said)

    def _referral(
        self, record: AuditRecord, channel: str, body: Mapping[str, Any], view: Mapping[str, Any]
    ) -> Referral:
        values, now = view["state"]["values"], self.now()
        asked = self._asked_in(record)
        return Referral(
            audit_id=record.audit_id,
            asker=body["user"]["id"],
            named=chosen(values, NAMED) == "yes",
            note=typed(values, NOTE),
            channel=channel,
            asked_channel=asked.id,
            asked_thread=asked.thread,
            created_at=now,
            due=now,
        )

    def _asked_in(self, record: AuditRecord) -> Channel:
        """Return where everyone reads the reply; nowhere where the asker alone does."""
        asked, delivered = record.channel, self.replies.places(record)[-1]
        alone = not asked.id or is_direct(asked.id) or is_direct(delivered.id)
        return Channel() if alone else asked

    def _channel(self, record: AuditRecord) -> str:
        """Return where it can be passed on; empty for nowhere."""
        channel = self.asks_in(record)
        return channel if channel and self.channels.can_ask_in(channel) else ""

    def give(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        """Open the form for an answer, with what this person last wrote in the thread."""
        ack()
        referral = self.referrals.find(body["actions"][0]["value"])
        if referral is None or referral.channel != body["channel"]["id"]:
            return
        if referral.stage is not ReferralStage.OPEN:
            post_ephemeral(client, body, wording.ANSWERED_ALREADY)
        elif self._may_answer(referral, body["user"]["id"]) is None:
            post_ephemeral(client, body, wording.NOT_YOURS)
        else:
            record = record_for(self.replies.records, referral.audit_id, body["user"]["id"])
            written = self._written(client, referral, body["user"]["id"])
            shared = not referral.is_private and self.channels.is_shared(referral.asked_channel)
            audience = self._audience(referral.asker, referral.asked_channel)
            question = record.standalone_question
            form = give_form(referral, question, written, audience, shared=shared)
            open_modal(client, body["trigger_id"], form)

    def given(self, ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        """Keep an answer before it is acknowledged; who it is for is decided anew."""
        user, values = body["user"]["id"], view["state"]["values"]
        referral = self.referrals.find(view["private_metadata"])
        answer = typed(values, WORDS)
        if referral is None or self._may_answer(referral, user) is None:
            refuse(ack, WORDS, wording.NOT_YOURS)
            return
        if not answer:
            refuse(ack, WORDS, wording.EMPTY)
            return
        others = ticked(values, OTHERS)
        audience = self._audience(referral.asker, referral.asked_channel) if others else None
        question = typed(values, QUESTION)
        if audience is not None and not question:
            refuse(ack, QUESTION, wording.EMPTY)
            return
        told = {
            "answer": answer,
            "question": question if audience is not None else "",
            "answered_by": user,
            "answered_at": self.now(),
            "audience": "" if audience is None else json.dumps(audience),
            "valid_to": picked_day(values, LAST_DAY),
        }

        def answered(found: Referral) -> Referral | None:
            if found.stage is not ReferralStage.OPEN:
                return None
            return replace(
                found, stage=ReferralStage.GIVING, due=self.now(), answers=found.answers + 1, **told
            )

        if self.referrals.change(referral.audit_id, answered) is None:
            refuse(ack, WORDS, wording.ANSWERED_ALREADY)
            return
        conclude(ack, wording.GIVE_TITLE, "answer_given", wording.GIVEN)

    def _may_answer(self, referral: Referral, user: str) -> Person | None:
        """Return who answers: known, of this workspace, of the channel's people, not the asker."""
        people = self.replies.people
        person = people.person(user)
        if person is None or people.is_guest(user) or team_of(user) != team_of(referral.channel):
            return None
        if user == referral.asker or not people.is_colleague(user):
            return None
        common = self.common_in(referral.channel)
        fits = common is not None and all(
            values <= person.facets.get(facet, frozenset()) for facet, values in common.items()
        )
        return person if person.admin or fits else None

    def _audience(self, asker: str, asked_in: str) -> AudienceByFacet | None:
        """Return who else may be answered from it; None for nobody, where that is not certain.

        Of a channel all who have what its members have in common, of a question in private the
        asker's own unit. A document is for whoever has one of several values of a facet, and a
        channel's people have all of them: so of several it is for nobody else.
        """
        if asked_in:
            shared = self.channels.is_shared(asked_in)
            return None if shared else each_one(self.common_in(asked_in))
        person = self.replies.people.person(asker)
        units = (facet for facet in self.units if person and person.facets.get(facet))
        unit = next(units, None)
        if person is None or unit is None:
            return None
        own = {facet: person.facets[facet] for facet in (unit, TEAM) if facet in person.facets}
        return each_one(own)

    def _written(self, client: WebClient, referral: Referral, user: str) -> str:
        """Return what they last said in the thread; empty where Slack does not tell."""
        try:
            thread = client.conversations_replies(
                channel=referral.channel, ts=referral.post, limit=_MOST_READ
            )
        except UNSENT:
            return ""
        own = [each for each in thread["messages"] if each.get("user") == user]
        if not own:
            return ""
        text = spoken_words(str(own[-1].get("text") or ""), self.bot_user(user))
        return self.replies.people.named(text, user)

    def resolved(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        referral = self._own(body, client)
        if referral is None:
            return
        if referral.stage in (*_GIVEN, *_ASKED_AGAIN):
            self._note(EventKind.RESOLVED, referral, body)
        if referral.stage is ReferralStage.GIVEN:
            over = replace(referral, stage=ReferralStage.RESOLVED, due=None)
            self.referrals.save(referral, over)
        elif referral.stage in _ASKED_AGAIN:
            closing = replace(referral, stage=ReferralStage.CLOSING, due=self.now())
            self.referrals.save(referral, closing)
        post_ephemeral(client, body, wording.GLAD)

    def _note(self, kind: EventKind, referral: Referral, body: Mapping[str, Any]) -> None:
        now = self.now()
        self.append(
            AuditEvent(
                kind=kind,
                event_id=new_id(now),
                audit_id=referral.audit_id,
                time=now,
                person=self.replies.who(body),
                details={"answer": referral.given_id},
            )
        )

    def still_open(self, ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        referral = self._own(body, client)
        if referral is None:
            return

        def again(found: Referral) -> Referral | None:
            if found.stage not in (*_GIVEN, ReferralStage.RESOLVED):
                return None
            return replace(found, stage=ReferralStage.REOPENED, due=self.now())

        if again(referral) and not self.referrals.is_withdrawn(referral.audit_id):
            self._note(EventKind.REOPENED, referral, body)
        reopened = self.referrals.change(referral.audit_id, again)
        said = wording.ASKED_ONCE_MORE if reopened else wording.NOT_NOW
        post_ephemeral(client, body, said)

    def _own(self, body: Mapping[str, Any], client: WebClient) -> Referral | None:
        """Return what the clicker had passed on by this answer; tell anybody else so."""
        given_id = str(body["actions"][0]["value"])
        referral = self.referrals.find(given_id.partition("-given-")[0])
        if referral is None or referral.asker != body["user"]["id"]:
            post_ephemeral(client, body, wording.WHO_ASKED_ALONE)
            return None
        if referral.given_id != given_id:
            post_ephemeral(client, body, wording.NOT_NOW)
            return None
        return referral


_MOST_READ = 100
"""Messages of a thread."""


def each_one(facets: Facets | None) -> AudienceByFacet | None:
    """Return for whom a document of all of this can be; None where a facet has several values."""
    if facets is None or any(len(values) != 1 for values in facets.values()):
        return None
    return {facet: sorted(values) for facet, values in facets.items()}
