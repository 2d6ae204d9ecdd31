"""From a stored question to a reply that is seen, each step also broken off and repeated."""

import logging
from dataclasses import replace
from datetime import date

import pytest
from office import ANA, ASKED, BEN, EVE, GENERAL, PEOPLE, Office, record_for
from slack_sdk.errors import SlackApiError

from audit.record import Decision, EventKind
from audit.values import ATTACHED, Channel
from bot.access.people import UNLISTED
from bot.errors import NotAudited
from bot.slack.blocks.system_messages import Trouble
from bot.slack.exchange import (
    AttachedFile,
    CameWith,
    Intent,
    Origin,
    Stage,
    asked_openly,
    asked_privately,
    reply_mark,
)
from bot.slack.failures import understand
from bot.slack.steps.answering import AnswerStep
from bot.slack.steps.sending import TroubleNotice
from bot.wording import slack as wording
from retrieval.search.timing import Watch


def words(message: dict[str, object]) -> str:
    return str(message["text"]) + str(message.get("blocks"))


# --- placeholder --------------------------------------------------------------------


def test_a_command_is_placed_with_its_words_in_the_direct_message(office: Office) -> None:
    office.command(ANA, ASKED)
    shown = office.step(Stage.PLACEHOLDER)
    assert shown.channel == office.direct(ANA)
    [message] = office.bot_said(shown.channel)
    assert "thread_ts" not in message
    assert ASKED in words(message)


@pytest.mark.parametrize("where", ["channel", "direct message", "command"])
def test_a_send_of_unknown_outcome_is_looked_up_not_repeated(office: Office, where: str) -> None:
    direct = office.direct(ANA)
    if where == "command":
        office.command(ANA, ASKED)
    else:
        office.say(ANA, ASKED, channel=direct if where == "direct message" else GENERAL)
    office.workspace.faults.lose_response("chat.postMessage")
    assert understand(office.broken_off(Stage.PLACEHOLDER)).trouble is Trouble.NETWORK
    shown = office.step(Stage.PLACEHOLDER)
    assert office.client.count("chat.postMessage") == 1
    assert [each["ts"] for each in office.bot_said(shown.channel)] == [shown.placeholder]


def test_a_lost_placeholder_is_found_behind_many_other_messages(office: Office) -> None:
    direct = office.direct(ANA)
    office.say(ANA, ASKED, channel=direct)
    office.workspace.faults.lose_response("chat.postMessage")
    office.broken_off(Stage.PLACEHOLDER)
    for number in range(210):
        office.client.chat_postMessage(channel=direct, text=f"news {number}")
    shown = office.step(Stage.PLACEHOLDER)
    assert shown.placeholder == office.bot_said(direct)[0]["ts"]


def test_a_send_that_never_arrived_is_repeated(office: Office) -> None:
    office.say(ANA, ASKED)
    office.workspace.faults.refuse("chat.postMessage", "internal_error")
    office.broken_off(Stage.PLACEHOLDER)
    office.step(Stage.PLACEHOLDER)
    assert office.client.count("conversations.replies") == 1
    assert len(office.bot_said()) == 1


def test_a_send_that_slack_refused_for_certain_is_repeated_without_looking(office: Office) -> None:
    office.say(ANA, ASKED)
    office.workspace.faults.refuse("chat.postMessage", "ratelimited", retry_after=7)
    office.broken_off(Stage.PLACEHOLDER)
    office.step(Stage.PLACEHOLDER)
    assert office.client.count("conversations.replies") == 0
    assert len(office.bot_said()) == 1


def test_who_waits_behind_others_is_told_how_many(office: Office) -> None:
    for number, user in enumerate((ANA, BEN, EVE)):
        office.say(user, f"{ASKED} {number}")
    for _ in range(3):
        office.step(Stage.PLACEHOLDER)
    assert "2 questions" in words(office.bot_said()[2])


# --- answering ----------------------------------------------------------------------


def test_in_a_channel_the_channels_audience_counts(office: Office) -> None:
    heard = office.say(ANA, ASKED)
    office.step(Stage.PLACEHOLDER)
    answered = office.step(Stage.ANSWERING)
    [question] = office.answers.asked
    assert question.channel == GENERAL
    assert question.place == Channel(id=GENERAL, name="general", thread=heard.ts)
    assert question.audit_id == answered.audit_id
    assert question.person == PEOPLE.by_id["ana"]  # by the e-mail, in another case


def test_somebody_whom_nobody_listed_is_kept_by_the_name_that_slack_shows(office: Office) -> None:
    office.asked(Stage.ANSWERING, user=EVE)
    [question] = office.answers.asked
    assert question.person
    assert (question.person.id, question.person.name) == (EVE, "Eve Adams")
    assert question.person.facets == {}


@pytest.mark.parametrize("method", ["conversations.info", "assistant.threads.setStatus"])
def test_no_answer_waits_for_a_channels_name_or_the_busy_sign(office: Office, method: str) -> None:
    office.asked(Stage.PLACEHOLDER)
    office.workspace.faults.refuse(method, "missing_scope", times=2)
    assert office.step(Stage.ANSWERING).stage is Stage.POSTING
    [question] = office.answers.asked
    assert question.place
    assert question.place.name == ("" if method == "conversations.info" else "general")


def test_where_another_company_reads_along_the_reply_is_for_guests(office: Office) -> None:
    office.asked(Stage.ANSWERING, shared=True)
    assert office.answers.asked[-1].channel == UNLISTED


@pytest.mark.parametrize("under", ["the question", "its reply"])
def test_a_thread_in_private_leans_on_what_it_stands_under(office: Office, under: str) -> None:
    direct = office.direct(ANA)
    first = office.say(ANA, ASKED, channel=direct)
    reply = office.step(Stage.PLACEHOLDER)
    office.step(Stage.ANSWERING)
    root = first.ts if under == "the question" else reply.placeholder
    office.asked(Stage.ANSWERING, "and in winter?", channel=direct, thread=root)
    assert office.answers.asked[-1].previous == (ASKED,)


def test_what_was_made_to_stand_alone_leans_on_nothing(office: Office) -> None:
    office.command(ANA, ASKED)
    office.reach(Stage.ANSWERING)
    now = office.clock()
    again = asked_privately("private:1", "How long is it?", ANA, now, stands_alone=True)
    office.inbox.take_in(again, now)
    office.reach(Stage.ANSWERING)
    assert office.answers.asked[-1].previous == ()


def test_a_question_is_answered_as_of_the_day_that_was_chosen(office: Office) -> None:
    now, day = office.clock(), date(2027, 2, 1)
    office.inbox.take_in(asked_privately("as_of:1", ASKED, ANA, now, as_of=day), now)
    office.reach(Stage.ANSWERING)
    assert office.answers.asked[-1].on == day


def test_what_asks_on_is_a_follow_up_under_an_answer_and_else_nothing(office: Office) -> None:
    alone = office.say(EVE, "and then?", channel=office.direct(EVE))
    assert office.step(Stage.PLACEHOLDER).stage is Stage.DONE
    [helped] = office.bot_said(alone.channel, EVE)
    assert "How to ask" in words(helped)
    thread = office.say(ANA, ASKED).ts
    office.reach(Stage.ANSWERING)
    office.asked(Stage.ANSWERING, "so?", thread=thread)
    assert [question.previous for question in office.answers.asked] == [(), (ASKED,)]


def test_who_mentions_the_bot_in_a_thread_of_people_has_it_read(office: Office) -> None:
    root = office.slack.says(BEN, GENERAL, f"@ana {ASKED}")
    office.slack.says(EVE, GENERAL, "good question", root)
    office.slack.says(EVE, GENERAL, "does it depend on the country?", root)
    office.say(ANA, "what about part-timers?", thread=root)
    office.slack.says(BEN, GENERAL, "is that a record?", root)
    office.reach(Stage.ANSWERING)
    assert office.answers.asked[-1].previous == (ASKED, "does it depend on the country?")
    office.asked(Stage.ANSWERING, "and for guests?", user=BEN, thread=root)
    assert office.answers.asked[-1].previous[0] == ASKED


@pytest.mark.parametrize("said", ["?", "can you help?"])
def test_who_calls_the_bot_below_a_colleagues_question_has_that_answered(
    office: Office, said: str
) -> None:
    root = office.slack.says(BEN, GENERAL, "is everybody well?")
    office.slack.says(EVE, GENERAL, ASKED.replace(" ", "\n \n", 1), root)
    office.say(ANA, said, thread=root, kind=Intent.UNTOLD)
    office.reach(Stage.POSTING)
    asked = office.answers.asked[-1]
    assert (asked.text, asked.person and asked.person.id, asked.channel) == (ASKED, "ana", GENERAL)
    [reply] = office.bot_said()
    quoted, *_ = reply["blocks"]
    assert ASKED in str(quoted), "it says which question it took up"
    assert "asked:" not in str(reply["blocks"]), "and who called it stands there"


@pytest.mark.parametrize("said", ["help", "Hello!", "what can you do?"])
def test_who_wants_help_below_a_colleagues_question_is_helped(office: Office, said: str) -> None:
    root = office.slack.says(BEN, GENERAL, ASKED)
    office.say(ANA, said, thread=root, kind=Intent.UNTOLD)
    assert office.step(Stage.PLACEHOLDER).stage is Stage.DONE
    assert "How to ask" in words(office.bot_said()[-1])


@pytest.mark.parametrize("above", ["oh no, sorry to hear that", ASKED])
def test_who_calls_the_bot_below_what_asks_nothing_or_is_not_told_is_helped(
    office: Office, above: str
) -> None:
    root = office.slack.says(BEN, GENERAL, ASKED)
    office.slack.says(EVE, GENERAL, above, root)
    if above == ASKED:
        office.workspace.faults.refuse("conversations.replies", "missing_scope")
    office.say(ANA, "?", thread=root, kind=Intent.UNTOLD)
    assert office.step(Stage.PLACEHOLDER).stage is Stage.DONE
    assert "How to ask" in words(office.bot_said()[-1])
    office.say(BEN, "?", thread=root, kind=Intent.UNTOLD)
    assert office.step(Stage.PLACEHOLDER).stage is Stage.DONE, "the bot spoke last"


def test_what_people_talk_of_is_known_where_nothing_asks(office: Office) -> None:
    root = office.slack.says(BEN, GENERAL, "my laptop was stolen")
    office.slack.says(EVE, GENERAL, "oh no", root)
    office.asked(Stage.ANSWERING, "who has to know?", thread=root)
    assert office.answers.asked[-1].previous == ("my laptop was stolen",)


def test_an_answer_does_not_wait_for_a_thread_that_slack_lets_nobody_read(office: Office) -> None:
    root = office.slack.says(BEN, GENERAL, ASKED)
    office.say(ANA, "what about part-timers?", thread=root)
    office.step(Stage.PLACEHOLDER)
    office.workspace.faults.refuse("conversations.replies", "missing_scope")
    office.step(Stage.ANSWERING)
    assert office.answers.asked[-1].previous == ()


def test_a_thread_that_began_with_a_question_to_the_bot_is_not_read(office: Office) -> None:
    thread = office.say(ANA, ASKED).ts
    office.reach(Stage.ANSWERING)
    office.asked(Stage.ANSWERING, "and for me?", user=BEN, thread=thread)
    assert office.client.count("conversations.replies") == 0


def test_a_question_that_was_answered_before_a_crash_is_not_asked_again(office: Office) -> None:
    office.asked(Stage.PLACEHOLDER)
    exchange = office.claimed(Stage.ANSWERING)
    office.steps()[Stage.ANSWERING](exchange)  # and the process dies before it is stored
    office.inbox.postpone(exchange, office.clock())
    office.step(Stage.ANSWERING)
    assert len(office.answers.asked) == 1


def test_an_append_whose_outcome_was_unknown_but_good_is_good(office: Office) -> None:
    office.asked(Stage.PLACEHOLDER)
    office.answers.failing = NotAudited("The server went away during the commit.")
    office.broken_off(Stage.ANSWERING)
    office.writer.append(record_for(office.answers.asked[0]))
    assert office.step(Stage.ANSWERING).stage is Stage.POSTING


def test_nobody_becomes_a_guest_because_slack_does_not_answer(office: Office) -> None:
    office.asked(Stage.PLACEHOLDER)
    office.workspace.faults.refuse("users.info", "internal_error")
    assert isinstance(office.broken_off(Stage.ANSWERING), SlackApiError)
    assert office.answers.asked == []
    office.step(Stage.ANSWERING)


def test_the_busy_sign_is_taken_away_whatever_happens(office: Office) -> None:
    office.asked(Stage.PLACEHOLDER)
    office.answers.failing = RuntimeError("no answer")
    office.broken_off(Stage.ANSWERING)
    signs = [g["status"] for name, g in office.client.calls if name.endswith("setStatus")]
    assert signs == ["is reading the documents…", ""]


def test_who_asks_directly_sees_under_the_question_that_the_bot_is_at_work(office: Office) -> None:
    heard = office.say(ANA, ASKED, channel=office.direct(ANA))
    office.reach(Stage.POSTING)
    office.command(ANA, ASKED)
    office.reach(Stage.POSTING)
    said = [given for name, given in office.client.calls if name.endswith("setStatus")]
    assert [(each["thread_ts"], each["status"]) for each in said] == [
        (heard.ts, "is reading the documents…"),
        (heard.ts, ""),
    ], "a command is no message under which anything could stand"
    assert not any("thread_ts" in each for each in office.bot_said(heard.channel))


# --- posting ------------------------------------------------------------------------


def test_posting_twice_changes_nothing(office: Office) -> None:
    office.asked(Stage.ANSWERING)
    office.workspace.faults.lose_response("chat.postMessage")
    office.broken_off(Stage.POSTING)
    sent = [message["ts"] for message in office.bot_said()]
    office.step(Stage.POSTING)
    [message] = office.bot_said()
    assert message["ts"] == sent[-1]
    assert "14 weeks" in words(message)
    assert office.whispered(ANA) == [], "they may read no more than everybody here"


@pytest.mark.parametrize("method", ["chat_delete", "chat_postEphemeral"])
def test_a_process_that_dies_after_the_reply_stands_posts_no_other(
    office: Office, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(**_: object) -> None:
        raise KeyboardInterrupt

    office.answers.more_in_private = True
    office.asked(Stage.ANSWERING)
    exchange = office.claimed(Stage.POSTING)
    post = office.steps()[Stage.POSTING]
    with monkeypatch.context() as patched:
        patched.setattr(office.client, method, dies)
        with pytest.raises(KeyboardInterrupt):
            post(exchange)
    office.inbox.postpone(exchange, office.clock())
    office.step(Stage.POSTING)
    [message] = office.bot_said()
    assert "14 weeks" in words(message)


@pytest.mark.parametrize("sent", [False, True])
def test_a_command_that_can_be_replied_to_no_more_in_place_or_may_be_is_answered_directly(
    office: Office, sent: bool
) -> None:
    """`sent`: nobody knows whether the reply stands there."""
    office.command(ANA, ASKED, f"{office.workspace.url}/response/over")
    assert office.step(Stage.PLACEHOLDER).channel == ""
    office.step(Stage.ANSWERING)
    exchange = office.claimed(Stage.POSTING)
    office.inbox.save(replace(exchange, sending_since=office.clock() if sent else None))
    assert office.step(Stage.POSTING).stage is Stage.PLACEHOLDER
    office.reach(Stage.POSTING)
    [message] = office.bot_said(office.direct(ANA))
    assert "14 weeks" in words(message)
    assert len(office.answers.asked) == 1


def test_what_everyone_may_read_does_not_answer_is_told_to_the_asker_alone(office: Office) -> None:
    where = Origin(GENERAL)
    asked = asked_openly("post:1", ASKED, ANA, office.clock(), where, shared=False)
    office.inbox.take_in(asked, office.clock())
    office.answers.decision = Decision.ABSTAIN
    office.reach(Stage.POSTING)
    assert office.bot_said() == []
    [told] = office.whispered(ANA)
    assert told["text"] == wording.NOT_POSTED
    assert office.whispered(BEN) == []


def test_where_nothing_may_be_deleted_the_placeholder_says_that_it_is_over(office: Office) -> None:
    office.asked(Stage.ANSWERING)
    refusal = "compliance_exports_prevent_deletion"
    office.workspace.faults.refuse("chat.delete", refusal, times=2)
    office.step(Stage.POSTING)
    office.clean_up()
    over, message = office.bot_said()
    assert words(over).count(wording.TAKEN_BACK) == 2
    assert "14 weeks" in words(message)


# --- rapid fire ---------------------------------------------------------------------


def names(message: dict[str, object], question: str) -> bool:
    return f"{wording.YOU_ASKED}: {question}" in words(message)


def test_a_reply_alone_after_its_question_does_not_repeat_it(office: Office) -> None:
    direct = office.direct(ANA)
    for number in range(2):
        office.say(ANA, f"{ASKED} {number}", channel=direct)
        office.reach(Stage.DELIVERY)
    assert not any(wording.YOU_ASKED in words(message) for message in office.bot_said(direct))


@pytest.mark.parametrize("where", ["direct message", "thread"])
def test_of_questions_in_a_row_each_reply_says_which_it_answers(office: Office, where: str) -> None:
    direct = office.direct(ANA)
    asked = [f"{ASKED} {number}" for number in range(3)]
    if where == "thread":
        root = office.say(ANA, asked[0])
        for text in asked[1:]:
            office.say(ANA, text, thread=root.ts)
    else:
        for text in asked:
            office.say(ANA, text, channel=direct)
    for stage in (Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING, Stage.DELIVERY):
        for _ in asked:
            office.step(stage)
    said = office.bot_said() if where == "thread" else office.bot_said(direct)
    assert [[names(each, text) for text in asked] for each in said] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]


def test_a_question_asked_elsewhere_or_deleted_stands_between_nothing(office: Office) -> None:
    office.say(ANA, ASKED, channel=office.direct(ANA))
    office.step(Stage.PLACEHOLDER)
    office.say(BEN, ASKED, channel=office.direct(BEN))
    office.say(ANA, "hello", channel=office.direct(ANA), kind=Intent.HELP)
    gone = office.say(ANA, "And the sick?", channel=office.direct(ANA))
    office.inbox.withdraw(gone.key, office.clock())
    office.step(Stage.ANSWERING)
    office.step(Stage.POSTING)
    [message] = office.bot_said(office.direct(ANA))
    assert wording.YOU_ASKED not in words(message)


@pytest.mark.parametrize("refusal", ["invalid_blocks", "msg_blocks_too_long", "msg_too_long"])
def test_a_reply_that_slack_refuses_is_posted_in_plain_words(
    office: Office, refusal: str, caplog: pytest.LogCaptureFixture
) -> None:
    office.answers.more_in_private = True
    office.asked(Stage.ANSWERING, "Leave <!channel> & more?")
    office.workspace.faults.refuse("chat.postMessage", refusal)
    posted = office.step(Stage.POSTING)
    [message] = office.bot_said()
    assert "Answer to: Leave &lt;!channel&gt; &amp; more?" in message["text"]
    assert posted.audit_id in message["text"]
    assert message["blocks"][0]["block_id"] == reply_mark(posted.exchange_id)
    assert "may read" not in words(message), "nothing tells that there is more"
    assert [record.levelno for record in caplog.records if "layout" in record.message] == [
        logging.ERROR
    ]


@pytest.mark.parametrize("refusal", ["ratelimited", "internal_error", "user_not_in_channel"])
def test_a_reply_stands_although_none_in_private_was_offered(office: Office, refusal: str) -> None:
    office.answers.more_in_private = True
    office.asked(Stage.ANSWERING)
    office.workspace.faults.refuse("chat.postEphemeral", refusal)
    assert office.step(Stage.POSTING).stage is Stage.DELIVERY
    assert "14 weeks" in words(office.bot_said()[0])
    assert office.whispered(ANA) == []


def test_who_was_offered_an_answer_in_private_is_not_offered_it_again(office: Office) -> None:
    office.answers.more_in_private = True
    office.asked(Stage.ANSWERING)
    exchange = office.claimed(Stage.POSTING)
    office.steps()[Stage.POSTING](exchange)  # and the process dies before it is stored
    office.inbox.postpone(exchange, office.clock())
    office.step(Stage.POSTING)
    assert len(office.whispered(ANA)) == 1


def test_a_record_that_is_gone_is_made_anew(office: Office) -> None:
    office.asked(Stage.PLACEHOLDER)
    exchange = office.claimed(Stage.ANSWERING)
    assert office.steps()[Stage.POSTING](exchange).stage is Stage.ANSWERING


# --- delivery and trouble -----------------------------------------------------------


def test_the_delivery_is_noted_once_however_often_it_is_repeated(office: Office) -> None:
    office.asked(Stage.POSTING)
    exchange = office.claimed(Stage.DELIVERY)
    for _ in range(2):
        assert office.steps()[Stage.DELIVERY](exchange).stage is Stage.DONE
    [event] = office.delivered(exchange.audit_id)
    assert event.kind is EventKind.DELIVERED
    assert event.event_id == f"{exchange.audit_id}-delivered"
    assert event.details == {"ts": exchange.placeholder}
    assert event.time == exchange.posted_at


def test_a_delivery_whose_record_is_gone_is_logged_and_not_tried_for_ever(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    office.asked(Stage.PLACEHOLDER)
    exchange = office.claimed(Stage.ANSWERING)
    assert office.steps()[Stage.DELIVERY](exchange).stage is Stage.DONE
    assert f"delivered of record {exchange.audit_id} is not recorded" in caplog.text


@pytest.mark.parametrize("trouble", Trouble)
def test_every_trouble_is_told_in_the_place_of_the_reply(office: Office, trouble: Trouble) -> None:
    shown = office.asked(Stage.PLACEHOLDER)
    TroubleNotice(office.client)(shown, trouble)
    [message] = office.bot_said()
    assert message["ts"] == shown.placeholder
    assert ":warning:" in words(message)


def _works_long(office: Office, *stages: tuple[str, dict[str, int]]) -> None:
    """Answering takes more than a second before each stage."""

    def show(watch: Watch) -> None:
        for stage, counts in stages:
            office.clock.forward(2.0)
            watch(stage, counts)

    office.answers.show = show


FOUND = ("rerank", {"passages": 50, "documents": 12, "read": 16})
DONE = "Found 50 passages in 12 documents, reading 16"


def test_while_it_takes_long_the_placeholder_tells_what_is_being_done(office: Office) -> None:
    _works_long(office, FOUND, ("order", {}), ("verify", {"claims": 3}))
    shown = office.asked(Stage.PLACEHOLDER)
    office.step(Stage.ANSWERING)
    [message] = office.bot_said()
    assert message["ts"] == shown.placeholder
    assert message["blocks"][0]["block_id"] == shown.mark
    assert message["text"] == f"{DONE} Checking 3 claims"
    plan = message["blocks"][1]
    assert (plan["type"], plan["title"]) == ("plan", "Checking 3 claims")
    assert [(task["title"], task["status"]) for task in plan["tasks"]] == [
        (DONE, "complete"),
        ("Checking 3 claims", "in_progress"),
    ]
    office.step(Stage.POSTING)
    [reply] = office.bot_said()
    assert "Checking" not in words(reply)


def test_where_slack_refuses_plans_the_placeholder_tells_in_lines_and_asks_no_more(
    office: Office,
) -> None:
    office.workspace.faults.refuse("chat.update", "invalid_blocks")
    _works_long(office, FOUND, ("verify", {"claims": 3}))
    office.asked(Stage.ANSWERING)
    assert office.client.count("chat.update") == 3
    [message] = office.bot_said()
    lines = f":white_check_mark: {DONE}\n:hourglass_flowing_sand: Checking 3 claims"
    assert message["blocks"][0]["text"]["text"] == lines


def test_a_quick_answer_costs_no_update(office: Office) -> None:
    office.answers.show = lambda watch: watch(*FOUND)
    office.asked(Stage.ANSWERING)
    assert office.client.count("chat.update") == 0


def test_where_slack_limits_updates_a_placeholder_stays_and_an_answer_comes(office: Office) -> None:
    office.workspace.faults.refuse("chat.update", "ratelimited", times=5)
    _works_long(office, FOUND, ("verify", {"claims": 3}))
    office.asked(Stage.ANSWERING)
    assert office.client.count("chat.update") == 1
    office.step(Stage.POSTING)
    [reply] = office.bot_said()
    assert "14 weeks" in words(reply)


@pytest.mark.parametrize(
    ("said", "goes_on"),
    [("typo, I meant Tuesday", True), ("I'm a part-timer", True), ("who signs it?", False)],
)
def test_who_tells_of_their_case_or_mends_a_question_asks_it_again(
    office: Office, said: str, goes_on: bool
) -> None:
    first = office.say(ANA, ASKED)
    office.say(ANA, said, thread=first.ts)
    with office.workers():
        office.wait_for(Stage.DONE, 2)
    assert office.answers.asked[-1].goes_on is goes_on


def test_who_is_mentioned_in_a_question_is_read_by_name(office: Office) -> None:
    first = office.say(ANA, f"does @{EVE} get leave too?")
    office.say(ANA, "and @U0NOBODY?", thread=first.ts)
    with office.workers():
        office.wait_for(Stage.DONE, 2)
    named = office.answers.asked[-1]
    assert named.previous == ("does @eve get leave too?",)
    assert named.text == "and @U0NOBODY?"


@pytest.mark.parametrize("code", ["message_not_found", "edit_window_closed"])
def test_files_that_came_alone_are_done_with_though_what_stands_cannot_be_changed(
    office: Office, code: str
) -> None:
    files = (AttachedFile("F0PLAN", "plan.md"),)
    office.say(ANA, "hello", channel=office.direct(ANA), kind=Intent.HELP, attached=files)
    office.step(Stage.PLACEHOLDER)
    office.workspace.faults.refuse("chat.update", code)
    step = office.steps()[Stage.ANSWERING]
    unread = CameWith(unread={f"{ATTACHED}F0PLAN": "plan.md is damaged"})
    assert isinstance(step, AnswerStep)
    step = replace(step, came_with=lambda _: unread)
    assert step(office.claimed(Stage.ANSWERING)).stage is Stage.DONE
    assert office.client.count("chat.update") == 1
