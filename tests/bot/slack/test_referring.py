"""A question on its way to people who may know survives faults, kills and silence."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import Mock, patch
from zoneinfo import ZoneInfo

import pytest
from block_records import an_abstention, read
from front_desk import FrontDesk
from office import ANA, BEN, EVE, GENERAL, LOUNGE, PEOPLE, Clock, NotedClient
from sample_records import a_record

from audit.errors import AuditUnavailable
from audit.log import AuditWriter
from audit.record import AuditEvent, Decision, EventKind
from audit.values import Channel, PersonRecord, new_id
from bot.access.channels import Channels
from bot.access.people import Access
from bot.access.reading import RecordAccess
from bot.slack import referring as asks
from bot.slack.clicked import Replies
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import Incoming, Stage
from bot.slack.failures import Advising
from bot.slack.inbox.kept import Referral, Referrals, ReferralStage
from bot.slack.standard import StandardAnswerForms
from bot.slack.steps.posting import StaleMessageRemover
from bot.slack.steps.referring import PublishStep, ReferralSteps, after_working_days
from bot.wording import referrals as wording
from bot.workspace.seed import BOT_USER
from retrieval.metadata.access import TEAM

FRIDAY = datetime(2026, 3, 6, 15, tzinfo=UTC)
LISBON = ZoneInfo("Europe/Lisbon")
PRICE = "It costs 120 euros."


@dataclass
class Passing:
    """A question that was passed on to the lounge, and what takes it further."""

    desk: FrontDesk
    steps: ReferralSteps
    clock: Clock
    audit_id: str
    published: list[str]
    advised: list[str]
    """What administrators are told to do in Slack."""
    key: str
    """Of the message that asked."""

    @property
    def now(self) -> Referral:
        found = self.desk.inbox.referrals.find(self.audit_id)
        assert found is not None
        return found

    def lounge(self, part: str) -> list[str]:
        """What the bot says there with these words, of this question."""
        said = self.desk.slack.messages(LOUNGE, ANA)
        mine = [each for each in said if each["user"] == BOT_USER and self.audit_id in str(each)]
        return [read(each["blocks"]) for each in mine if part in str(each)]

    def direct(self) -> list[str]:
        channel = self.desk.slack.direct(BEN)
        said = self.desk.slack.messages(channel, BEN)
        return [read(each["blocks"]) for each in said if self.audit_id in str(each)]

    def events(self) -> list[AuditEvent]:
        entries = [stored.entry for stored in self.desk.records.events(self.audit_id)]
        return [each for each in entries if isinstance(each, AuditEvent)]

    def until_done(self) -> None:
        """All that is due, also of what other tests passed on."""
        publish = PublishStep(
            self.desk.inbox.referrals, lambda: self.published.append("again"), self.clock
        )
        while self.steps() or publish():
            pass

    def remove(self) -> None:
        """Take away what is over."""
        client, stale = self.steps.client, self.desk.inbox.stale_messages
        append = self.desk.writer.append
        while StaleMessageRemover(client, stale, append, self.clock)():
            pass

    def presses(self, button: str) -> dict[str, Any]:
        """Ben presses it below the newest answer, and is told something alone."""
        channel, slack = self.desk.slack.direct(BEN), self.desk.slack
        mine = [e for e in slack.messages(channel, BEN) if self.now.given_id in str(e)]
        return self.desk.told(
            lambda: slack.clicks(BEN, channel, mine[-1]["ts"], button), BEN, channel
        )

    def answer(self, audience: str = "") -> None:
        def answered(found: Referral) -> Referral:
            return replace(
                found,
                stage=ReferralStage.GIVING,
                due=self.clock(),
                answers=found.answers + 1,
                answer=PRICE,
                answered_by=ANA,
                answered_at=self.clock(),
                audience=audience,
            )

        assert self.desk.inbox.referrals.change(self.audit_id, answered)


@pytest.fixture(params=["alone"])
def passing(desk: FrontDesk, request: pytest.FixtureRequest) -> Passing:
    """Ben's question, asked "alone", or in a channel and its reply "moved" to him alone."""
    clock, published, advised = Clock(), list[str](), list[str]()
    client = NotedClient(token=desk.workspace.bot_token, base_url=desk.workspace.api_url)
    alone = desk.slack.direct(BEN)
    where, private = (alone, True) if request.param == "alone" else (GENERAL, False)
    key = new_id(clock())
    asked = Incoming(key, "How much?", BEN, where, private=private, thread="", ts="1.0")
    desk.inbox.take_in(asked, clock())
    exchange = desk.inbox.claim(Stage.PLACEHOLDER, clock())
    assert exchange is not None
    desk.inbox.save(replace(exchange, stage=Stage.DONE, channel=alone))
    record = an_abstention(
        audit_id=exchange.audit_id,
        person=PersonRecord(id=BEN, name="Ben Okafor"),
        channel=Channel(id=where),
    )
    desk.writer.append(record)
    steps = ReferralSteps(
        client,
        desk.inbox.referrals,
        desk.inbox.stale_messages,
        desk.records,
        desk.writer.append,
        SlackPeople(client, lambda: PEOPLE),
        SlackChannels(client),
        RecordAccess(
            Access(PEOPLE, Channels({})).scope_for,
            desk.library.access_of,
            desk.library.rules_at,
            lambda: clock().date(),
        ),
        UTC,
        clock,
        Advising(advised.append),
    )
    now = clock()
    referral = Referral(record.audit_id, BEN, False, "", LOUNGE, "", "", now, due=now)
    assert desk.inbox.referrals.add(referral)
    assert not desk.inbox.referrals.add(referral)
    return Passing(desk, steps, clock, record.audit_id, published, advised, key)


def test_what_the_people_asked_may_not_read_is_not_quoted_to_them(passing: Passing) -> None:
    assert passing.steps()
    (asked,) = passing.lounge(wording.SOMEBODY)
    assert "How much parental leave" in asked
    assert "Parking is free." not in asked, "the document left the library"
    (event,) = passing.events()
    assert event.kind is EventKind.REFERRED


@pytest.mark.parametrize(
    ("decision", "missing", "why"),
    [
        (Decision.ABSTAIN, ("the fee",), "I found no document that answers it"),
        (Decision.PARTIAL, ("the fee",), "What is missing: the fee"),
        (Decision.PARTIAL, (), "I answered it, and am not sure"),
    ],
)
def test_the_people_asked_are_told_why_by_what_was_decided(
    decision: Decision, missing: tuple[str, ...], why: str
) -> None:
    record = an_abstention(decision=decision, missing=missing)
    referral = Referral(record.audit_id, BEN, False, "", LOUNGE, "", "", FRIDAY, due=FRIDAY)
    assert why in read(asks.passed_on(referral, record, ()).blocks)


def test_whoever_gives_an_answer_reads_for_whom_it_is_in_words() -> None:
    for audience, whom in (
        ({TEAM: ["home"]}, "others in your own workspace"),
        ({"departments": ["cs"]}, "others in cs"),
        ({}, "anybody else"),
    ):
        assert wording.others_are(audience) == f"This goes to {whom} who ask the same."
        assert f"tell {whom} the same" in wording.others_hear(audience)


@pytest.mark.parametrize("broken", ["refused", "lost", "late", "killed"])
def test_it_is_asked_once_whatever_fails(passing: Passing, broken: str) -> None:
    faults, referrals = passing.desk.workspace.faults, passing.desk.inbox.referrals
    hold = faults.carry_out_late("chat.postMessage") if broken == "late" else None
    if broken == "refused":
        faults.refuse("chat.postMessage", "internal_error")
    elif broken == "lost":
        faults.lose_response("chat.postMessage")
    assert passing.steps()
    if broken == "killed":  # before it is stored that it stands there
        unsaid = replace(passing.now, stage=ReferralStage.POSTING, post="", due=passing.clock())
        sent = replace(unsaid, sending_since=passing.clock())
        referrals.change(passing.audit_id, lambda _: sent)
    passing.clock.forward(120)
    assert passing.steps()
    if hold:
        hold.release()
        passing.desk.slack.wait_for(lambda: len(passing.lounge(wording.SOMEBODY)) == 2)
        passing.remove()
    assert len(passing.lounge(wording.SOMEBODY)) == 1
    assert passing.now.stage is ReferralStage.OPEN


def test_who_may_know_is_asked_again_after_two_working_days_and_no_more(passing: Passing) -> None:
    assert passing.steps()
    assert not passing.steps()
    passing.clock.forward(timedelta(days=5).total_seconds())
    passing.until_done()
    passing.clock.forward(timedelta(days=30).total_seconds())
    assert not passing.steps()
    assert len(passing.lounge(wording.REMINDER)) == 1


def test_the_answer_reaches_the_asker_once_and_stands_in_the_audit_before(passing: Passing) -> None:
    assert passing.steps()
    passing.answer(audience='{"departments": ["cs"]}')
    passing.desk.workspace.faults.lose_response("chat.postMessage")
    assert passing.steps()
    passing.clock.forward(120)
    passing.until_done()
    (told,) = passing.direct()
    assert PRICE in told
    given = [e for e in passing.events() if e.kind is EventKind.GIVEN]
    assert [each.text for each in given] == [PRICE]
    assert given[0].details["audience"] == {"departments": ["cs"]}
    assert passing.published == ["again"]
    assert passing.now.stage is ReferralStage.GIVEN
    assert not passing.steps()


def test_an_answer_that_comes_while_they_are_reminded_is_not_lost(passing: Passing) -> None:
    assert passing.steps()
    passing.clock.forward(timedelta(days=5).total_seconds())
    hold = passing.desk.workspace.faults.hold("chat.postMessage")
    with ThreadPoolExecutor(1) as threads:
        reminded = threads.submit(passing.steps)
        passing.desk.slack.wait_for(lambda: hold.is_reached)
        passing.answer()
        hold.release()
        assert reminded.result(30)
    assert passing.now.stage is ReferralStage.GIVING


def test_two_copies_of_the_bot_ask_once(passing: Passing) -> None:
    hold = passing.desk.workspace.faults.hold("chat.postMessage")
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(passing.steps)
        passing.desk.slack.wait_for(lambda: hold.is_reached)
        assert not passing.steps()
        hold.release()
        assert asked.result(30)
    assert len(passing.lounge(wording.SOMEBODY)) == 1


def test_where_nobody_else_is_certain_an_answer_is_for_the_asker_alone(passing: Passing) -> None:
    assert passing.steps()
    form = passing.desk.opens(
        lambda: passing.desk.slack.clicks(ANA, LOUNGE, passing.now.post, asks.GIVE), ANA
    )
    assert wording.NO_DOCUMENT in str(form)
    assert asks.OTHERS not in str(form)


def test_a_channel_that_another_company_reads_by_now_is_not_asked(passing: Passing) -> None:
    passing.desk.workspace.faults.refuse("conversations.info", "missing_scope")
    assert passing.steps()
    assert passing.lounge(wording.SOMEBODY) == []
    assert passing.direct() == [wording.NOT_PASSED]
    assert passing.now.stage is ReferralStage.RESOLVED


@pytest.mark.parametrize("code", ["restricted_action", "not_in_channel"])
def test_where_the_channel_takes_no_question_whoever_asked_hears_so(
    passing: Passing, code: str
) -> None:
    passing.desk.workspace.faults.refuse("chat.postMessage", code)
    passing.until_done()
    assert passing.lounge(wording.SOMEBODY) == []
    assert passing.direct() == [wording.NOT_PASSED]
    assert passing.now.stage is ReferralStage.RESOLVED
    assert [code in each for each in passing.advised] == [True] * (code == "not_in_channel")


def test_that_it_could_not_be_passed_on_is_said_once_though_an_answer_was_lost(
    passing: Passing,
) -> None:
    faults = passing.desk.workspace.faults
    faults.refuse("chat.postMessage", "restricted_action")
    faults.lose_response("chat.postMessage")
    faults.refuse("chat.postMessage", "restricted_action")
    for _ in range(4):
        passing.until_done()
        passing.clock.forward(4_000)
    assert passing.direct() == [wording.NOT_PASSED]


def test_where_nobody_can_be_told_either_it_ends(passing: Passing) -> None:
    passing.desk.workspace.faults.refuse("chat.postMessage", "restricted_action", times=2)
    passing.until_done()
    assert passing.now.stage is ReferralStage.RESOLVED


def test_what_keeps_a_question_from_being_passed_on_is_told_to_administrators_once(
    passing: Passing,
) -> None:
    passing.desk.workspace.faults.refuse("chat.postMessage", "missing_scope", times=3)
    for _ in range(3):
        assert passing.steps()
        passing.clock.forward(4_000)
    (advice,) = passing.advised
    assert "missing_scope" in advice
    assert passing.steps()
    assert len(passing.lounge(wording.SOMEBODY)) == 1


def test_who_says_that_it_is_answered_after_all_closes_it(passing: Passing) -> None:
    passing.until_done()
    passing.answer()
    passing.until_done()
    stages = []
    for button in (asks.STILL_OPEN, asks.RESOLVED):
        passing.presses(button)
        passing.until_done()
        stages.append(passing.now.stage)
    assert stages == [ReferralStage.OPEN, ReferralStage.RESOLVED]
    said = passing.desk.slack.messages(LOUNGE, ANA)
    (asked,) = [each for each in said if each["ts"] == passing.now.post]
    assert wording.CLOSED in str(asked)
    assert asks.GIVE not in str(asked)
    kinds = [each.kind for each in passing.events()]
    assert kinds[-2:] == [EventKind.REOPENED, EventKind.RESOLVED]
    passing.clock.forward(timedelta(days=30).total_seconds())
    passing.until_done()
    assert passing.lounge(wording.REMINDER) == []


@pytest.mark.parametrize("passing", ["alone", "moved"], indirect=True)
def test_a_deleted_question_is_not_asked_again_and_its_answer_folds_where_they_read_it(
    passing: Passing,
) -> None:
    passing.until_done()
    passing.answer()
    passing.until_done()
    passing.desk.inbox.withdraw(passing.key, passing.clock())
    assert passing.presses(asks.STILL_OPEN)["text"] == wording.NOT_NOW
    assert EventKind.REOPENED not in [each.kind for each in passing.events()]
    assert passing.now.stage is ReferralStage.GIVEN
    passing.remove()
    assert passing.direct() == [], "neither the question nor the answer"


@pytest.mark.parametrize("broken", ["lost", "late"])
def test_a_question_that_is_deleted_while_it_is_passed_on_stands_nowhere(
    passing: Passing, broken: str
) -> None:
    faults = passing.desk.workspace.faults
    hold = faults.carry_out_late("chat.postMessage") if broken == "late" else None
    if broken == "lost":
        faults.lose_response("chat.postMessage")
    assert passing.steps()
    passing.desk.inbox.withdraw(passing.key, passing.clock())
    if hold:
        passing.remove()
        hold.release()
    passing.desk.slack.wait_for(lambda: len(passing.lounge(wording.SOMEBODY)) == 1)
    passing.clock.forward(120)
    passing.until_done()
    passing.remove()
    assert passing.lounge(wording.SOMEBODY) == []


def test_what_the_audit_does_not_take_in_is_not_asked_again(passing: Passing) -> None:
    passing.until_done()
    passing.answer()
    passing.until_done()
    channel, slack = passing.desk.slack.direct(BEN), passing.desk.slack
    (told,) = [e for e in slack.messages(channel, BEN) if passing.now.given_id in str(e)]
    full = AuditUnavailable("disk full")
    with patch.object(AuditWriter, "_appended", side_effect=full) as refused:
        slack.clicks(BEN, channel, told["ts"], asks.STILL_OPEN)
        slack.wait_for(lambda: refused.called)
    assert passing.now.stage is ReferralStage.GIVEN


@pytest.mark.parametrize("user", [BEN, EVE])
def test_neither_the_asker_nor_a_stranger_answers(passing: Passing, user: str) -> None:
    assert passing.steps()
    post = passing.now.post
    told = passing.desk.told(
        lambda: passing.desk.slack.clicks(user, LOUNGE, post, asks.GIVE), user, LOUNGE
    )
    assert told["text"] == wording.NOT_YOURS
    assert passing.now.stage is ReferralStage.OPEN


def test_a_weekend_is_no_working_day() -> None:
    due = after_working_days(FRIDAY, 2, LISBON)
    assert due == datetime(2026, 3, 10, 15, tzinfo=UTC)


@pytest.mark.parametrize("kind", [EventKind.RETRACTED, None])
def test_who_reviewed_an_answer_that_is_refused_hears_so_also_where_it_is_not_taken_back(
    desk: FrontDesk, kind: EventKind | None
) -> None:
    """It is published without it: what is refused is no document."""
    clock, published = Clock(), list[str]()
    record = a_record(audit_id=new_id(clock()))
    desk.writer.append(record)

    def append(event: AuditEvent) -> None:
        if event.kind is kind:
            raise AuditUnavailable("disk full")
        desk.writer.append(event)

    forms = StandardAnswerForms(
        Replies(desk.records, SlackPeople(desk.bot, lambda: PEOPLE)),
        lambda *_: True,
        lambda _: "They lose ten points.",
        append,
        lambda: published.append("again"),
        lambda work: work(),
        clock,
    )
    words = {
        asks.QUESTION: "What does a late day cost?",
        asks.WORDS: "They lose ten points.",
    }
    values = {each: {each: {"value": said}} for each, said in words.items()}
    view = {"id": "V1", "private_metadata": record.audit_id, "state": {"values": values}}
    forms.made(Mock(), {"user": {"id": ANA}}, desk.bot, view)
    said = str(desk.slack.messages(desk.slack.direct(ANA), ANA)[-1])
    expected = wording.STANDARD_UNCHECKED if kind else "I tell your standard answer to nobody"
    assert (expected in said, published) == (True, ["again"])


BUTTON = {"type": "button", "action_id": asks.ASK, "text": {"type": "plain_text", "text": "Ask"}}
REPLY = {"ts": "17.1", "text": "No.", "blocks": [{"type": "actions", "elements": [BUTTON]}]}


@contextmanager
def replied(passing: Passing, read: Callable[[], dict[str, Any]]) -> Iterator[None]:
    """Its reply stands in Slack, as it is `read` there."""
    asked = passing.desk.inbox.referrals.asked_with(passing.audit_id)
    assert asked
    shown = replace(asked, placeholder="17.1")
    with (
        patch.object(Referrals, "asked_with", lambda *_: shown),
        patch("bot.slack.steps.referring.message_at", lambda *_: read()),
    ):
        yield


@pytest.mark.parametrize("left", [{"ts": "17.1", "subtype": "tombstone"}, {"blocks": [{}]}])
def test_a_reply_of_which_a_tombstone_is_left_does_not_keep_its_question_back(
    passing: Passing, left: dict[str, Any]
) -> None:
    with replied(passing, lambda: left):
        assert passing.steps()
    assert passing.now.stage is ReferralStage.OPEN
    assert passing.now.post


def test_a_reply_is_not_unfolded_where_its_question_is_deleted_meanwhile(passing: Passing) -> None:
    inbox, client = passing.desk.inbox, passing.steps.client
    assert isinstance(client, NotedClient)

    def deleted() -> dict[str, Any]:
        inbox.withdraw(passing.key, passing.clock())
        return REPLY

    with replied(passing, deleted):
        assert passing.steps()
    assert client.count("chat.update") == 0


def test_a_reply_that_was_folded_while_it_lost_its_button_is_folded_again(passing: Passing) -> None:
    def deleted(*_: object) -> None:
        passing.desk.inbox.withdraw(passing.key, passing.clock())

    stale = passing.desk.inbox.stale_messages
    with (
        replied(passing, lambda: REPLY),
        patch("bot.slack.steps.referring.update", deleted),
        patch.object(stale, "add") as added,
    ):
        assert passing.steps()
    (fold, _), _ = added.call_args
    assert (fold.ts, fold.says) == ("17.1", "gone")
