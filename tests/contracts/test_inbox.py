"""What any inbox keeps to, on every database that it can live in."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from answering_values import passage
from hypothesis import given
from hypothesis import strategies as st
from inboxes import NOON, at, claimed, finish, said

from bot.errors import InboxUnavailable, LeaseLost
from bot.slack.exchange import AttachedFile, Exchange, Intent, Stage
from bot.slack.inbox.removals import erase_in
from bot.slack.inbox.store import LEASE, Inbox

LEASED = LEASE.total_seconds()


def advance(inbox: Inbox, stage: Stage, seconds: float = 0) -> Exchange:
    """Carry whatever has its turn at a stage to the next one."""
    exchange = claimed(inbox, stage, seconds)
    done = replace(exchange, stage=Stage(stage + 1))
    inbox.save(done)
    return done


# --- what is taken in is kept -------------------------------------------------------


def test_a_question_reads_back_as_it_was_asked(inbox: Inbox) -> None:
    asked = replace(said(1, text="Wann? « 14 » 🦉 متى"), quoted=True, kind=Intent.HELP)
    inbox.take_in(asked, NOON)
    exchange = claimed(inbox, Stage.PLACEHOLDER)
    assert exchange.asked == asked
    assert exchange.received_at == NOON
    assert exchange.channel == "C1"


def test_any_question_can_be_kept(inbox: Inbox) -> None:
    @given(text=st.text() | st.sampled_from(["\x00", "\ud800", "x" * 40_000]))
    def holds(text: str) -> None:
        number = inbox.counts()[Stage.DONE] + 1
        inbox.take_in(said(number, text=text or " "), at(60 * number))
        kept = advance(inbox, Stage.PLACEHOLDER, 60 * number)
        finish(inbox, Stage.ANSWERING, 60 * number)
        unstorable = "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text)
        assert unstorable or kept.asked.text == (text or " ")

    holds()


def test_a_question_that_is_delivered_again_counts_once(inbox: Inbox) -> None:
    first = inbox.take_in(said(1), NOON)
    again = inbox.take_in(said(1), at(1))
    assert (first.stored, again.stored, again.refused) == (True, False, False)
    assert inbox.counts()[Stage.PLACEHOLDER] == 1


def test_a_question_that_is_delivered_by_many_at_once_counts_once(inbox: Inbox) -> None:
    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(lambda _: inbox.take_in(said(1), NOON), range(24)))
    assert sum(receipt.stored for receipt in receipts) == 1


def test_an_answered_question_that_is_delivered_late_is_not_answered_again(inbox: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    finish(inbox, Stage.PLACEHOLDER)
    assert not inbox.take_in(said(1), at(300)).stored
    assert inbox.claim(Stage.PLACEHOLDER, at(300)) is None


def test_what_a_broken_off_step_stored_stands(inbox_url: str) -> None:
    with Inbox.open(inbox_url) as inbox:
        inbox.take_in(said(1), NOON)
        exchange = claimed(inbox, Stage.PLACEHOLDER)
        inbox.save(replace(exchange, channel="D9", sending_since=at(1)), keep=True)
        assert inbox.claim(Stage.PLACEHOLDER, at(2)) is None
    with Inbox.open(inbox_url) as inbox:
        found = claimed(inbox, Stage.PLACEHOLDER, LEASE.total_seconds() + 1)
        assert (found.channel, found.sending_since) == ("D9", at(1))


def test_a_step_that_is_put_off_keeps_what_it_stored(inbox: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    exchange = claimed(inbox, Stage.PLACEHOLDER)
    inbox.save(replace(exchange, sending_since=at(1)), keep=True)
    inbox.postpone(replace(exchange, attempts=1, told="index"), at(30))
    assert inbox.claim(Stage.PLACEHOLDER, at(29)) is None
    found = claimed(inbox, Stage.PLACEHOLDER, 30)
    assert (found.sending_since, found.attempts, found.told) == (at(1), 1, "index")


# --- whose turn it is ---------------------------------------------------------------


def test_nobody_is_overtaken_in_a_thread(inbox: Inbox) -> None:
    thread = said(0).ts
    inbox.take_in(said(2, thread=thread, user="U2"), NOON)
    inbox.take_in(said(1, thread=thread, user="U1"), at(1))  # delivered later, but said before
    assert advance(inbox, Stage.PLACEHOLDER, 1).asked.user == "U1"
    assert advance(inbox, Stage.PLACEHOLDER, 1).asked.user == "U2"
    first = claimed(inbox, Stage.ANSWERING, 1)
    assert first.asked.user == "U1"
    assert inbox.claim(Stage.ANSWERING, at(1)) is None
    inbox.save(replace(first, stage=Stage.POSTING))
    assert advance(inbox, Stage.ANSWERING, 1).asked.user == "U2"
    assert claimed(inbox, Stage.POSTING, 1).asked.user == "U1"
    assert inbox.claim(Stage.POSTING, at(1)) is None


def test_one_question_of_a_person_is_answered_at_a_time(inbox: Inbox) -> None:
    for number in range(2):
        inbox.take_in(said(number), NOON)
        advance(inbox, Stage.PLACEHOLDER)
    first = claimed(inbox, Stage.ANSWERING)
    assert inbox.claim(Stage.ANSWERING, NOON) is None
    inbox.save(replace(first, stage=Stage.POSTING))
    assert claimed(inbox, Stage.ANSWERING).exchange_id != first.exchange_id


@pytest.mark.parametrize("stage", [Stage.PLACEHOLDER, Stage.ANSWERING])
def test_threads_and_people_do_not_wait_for_each_other(inbox: Inbox, stage: Stage) -> None:
    for number in (1, 2):
        inbox.take_in(said(number, user=f"U{number}"), NOON)
        if stage is Stage.ANSWERING:
            advance(inbox, Stage.PLACEHOLDER)
    assert {claimed(inbox, stage).asked.user for _ in range(2)} == {"U1", "U2"}


def test_a_placeholder_on_its_way_holds_up_no_other_answer_to_its_person(inbox: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    advance(inbox, Stage.PLACEHOLDER)
    inbox.take_in(said(2), NOON)
    claimed(inbox, Stage.PLACEHOLDER)
    assert claimed(inbox, Stage.ANSWERING).asked == said(1)


def test_it_is_told_how_many_questions_wait_to_be_answered_before_one(inbox: Inbox) -> None:
    for number in range(3):
        inbox.take_in(said(number, user=f"U{number}"), NOON)
    last = [advance(inbox, Stage.PLACEHOLDER) for _ in range(3)][-1]
    assert inbox.ahead(last, NOON) == 2
    first = claimed(inbox, Stage.ANSWERING)
    assert [inbox.ahead(last, at(seconds)) for seconds in (0, LEASED)] == [1, 2]
    inbox.save(replace(first, stage=Stage.POSTING))
    assert inbox.ahead(last, at(LEASED)) == 1


def test_two_replicas_do_not_answer_one_person_twice_at_once(inbox: Inbox, inbox_url: str) -> None:
    if inbox_url.startswith("sqlite"):
        with pytest.raises(InboxUnavailable, match="Stop that one"):
            Inbox.open(inbox_url)
        return
    for number in range(8):
        inbox.take_in(said(number), at(60 * number))
        advance(inbox, Stage.PLACEHOLDER, 60 * number)
    with Inbox.open(inbox_url) as other, ThreadPoolExecutor(8) as pool:
        both = [inbox, other] * 8
        found = list(pool.map(lambda each: each.claim(Stage.ANSWERING, at(600)), both))
    assert sum(exchange is not None for exchange in found) == 1


def test_a_thread_does_not_wait_for_a_question_that_fails_for_its_own_reason(inbox: Inbox) -> None:
    thread = said(0).ts
    for number in (1, 2):
        inbox.take_in(said(number, thread=thread, user=f"U{number}"), NOON)
        advance(inbox, Stage.PLACEHOLDER)
    broken = claimed(inbox, Stage.ANSWERING)
    inbox.postpone(broken, at(60), passable=True)
    assert claimed(inbox, Stage.ANSWERING, 1).asked.user == "U2"


# --- a flood ------------------------------------------------------------------------


def test_a_flood_slows_its_person_alone(inbox: Inbox) -> None:
    thread = said(0).ts
    flood = [inbox.take_in(said(number, thread=thread, user="U1"), NOON) for number in range(13)]
    assert [(receipt.starts - NOON).total_seconds() for receipt in flood] == [
        *(0 for _ in range(10)),
        *(5, 10, 15),
    ]
    other = inbox.take_in(said(14, thread=thread, user="U2"), NOON)
    assert other.starts == NOON
    for _ in range(14):
        advance(inbox, Stage.PLACEHOLDER)
    answered = []
    while exchange := inbox.claim(Stage.ANSWERING, at(1)):
        answered.append(exchange.asked.user)
        inbox.save(replace(exchange, stage=Stage.POSTING))
    assert answered == ["U1"] * 10 + ["U2"]
    for _ in range(11):
        assert advance(inbox, Stage.POSTING, 1).asked.user in ("U1", "U2")
    assert inbox.claim(Stage.ANSWERING, at(4)) is None
    assert claimed(inbox, Stage.ANSWERING, 5).asked.user == "U1"


def test_who_asks_once_waits_for_few_of_the_many_that_others_asked_before(inbox: Inbox) -> None:
    """With one worker, which takes ten seconds for each; and in its thread nobody is overtaken."""
    thread = said(0).ts
    for number in range(9):
        for user in ("U1", "U2"):
            inbox.take_in(said(10 * number + int(user[1]), user=user, thread=thread + user), NOON)
    asked = inbox.take_in(said(500, user="U3"), at(7))
    in_thread = inbox.take_in(said(501, user="U4", thread=f"{thread}U1"), at(7))
    assert (asked.stored, in_thread.stored) == (True, True)
    while placed := inbox.claim(Stage.PLACEHOLDER, at(7)):
        inbox.save(replace(placed, stage=Stage.ANSWERING))
        if placed.asked.user == "U3":
            mei = placed
    assert inbox.ahead(mei, at(7)) == 4
    order = list[str]()
    while exchange := inbox.claim(Stage.ANSWERING, at(7 + 10 * len(order))):
        order.append(exchange.asked.user)
        inbox.save(replace(exchange, stage=Stage.DONE))
    assert order.index("U3") == 4
    assert order.index("U4") > max(n for n, user in enumerate(order) if user == "U1")


def test_more_than_twenty_waiting_are_refused(inbox: Inbox) -> None:
    receipts = [inbox.take_in(said(number), NOON) for number in range(22)]
    assert [receipt.refused for receipt in receipts] == [False] * 20 + [True] * 2
    assert receipts[-1].waiting == 20
    assert not inbox.take_in(said(3), NOON).refused  # it is there already
    assert inbox.take_in(said(30, user="U2"), NOON).stored
    advance(inbox, Stage.PLACEHOLDER)
    assert inbox.take_in(said(32), NOON).refused, "what is being answered waits, too"
    inbox.save(replace(claimed(inbox, Stage.ANSWERING), stage=Stage.POSTING))
    assert inbox.take_in(said(31), NOON).stored


def test_what_was_read_of_a_file_goes_with_the_question_that_brought_it(inbox: Inbox) -> None:
    asked, plan = said(1), passage("plan", "The courtyard is closed in May.")
    inbox.take_in(replace(asked, attached=(AttachedFile("F1", "plan.pdf"),)), NOON)
    [file] = inbox.attachments.of(claimed(inbox, Stage.PLACEHOLDER))
    inbox.attachments.begin(file, NOON)
    inbox.attachments.settle(file, [plan])
    assert [each.text for each in inbox.attachments.passages(["F1"])] == [plan.text]
    inbox.withdraw(asked.key, at(1))
    assert inbox.attachments.passages(["F1"]) == []


def test_what_was_read_of_a_file_is_erased_with_a_person_who_had_changed_the_question(
    inbox_url: str,
) -> None:
    asked = replace(said(1), attached=(AttachedFile("F1", "plan.pdf"),))
    with Inbox.open(inbox_url) as inbox:
        inbox.take_in(replace(asked, key=f"{asked.key}#1"), NOON)  # it came first
        [file] = inbox.attachments.of(claimed(inbox, Stage.PLACEHOLDER))
        inbox.attachments.begin(file, NOON)
        inbox.attachments.settle(file, [passage("plan", "The courtyard is closed in May.")])
    assert erase_in(inbox_url, asked.user, ()) == 1
    with Inbox.open(inbox_url) as inbox:
        assert inbox.attachments.passages(["F1"]) == []


def test_help_is_never_slowed_nor_does_it_slow_a_question(inbox: Inbox) -> None:
    thread = said(0).ts
    for number in range(13):
        inbox.take_in(said(number, thread=thread), NOON)
        advance(inbox, Stage.PLACEHOLDER)
    for number in range(20, 25):
        inbox.take_in(said(number, kind=Intent.HELP), NOON)
        finish(inbox, Stage.PLACEHOLDER)
    for number in range(25, 28):
        inbox.take_in(said(number, kind=Intent.UNTOLD), NOON)
        told = inbox.set_intent(claimed(inbox, Stage.PLACEHOLDER), Intent.THANKS, NOON)
        inbox.save(replace(told, stage=Stage.DONE))
    assert inbox.take_in(said(30), NOON).starts == at(20), "as if nobody had asked for help"
    finish(inbox, Stage.PLACEHOLDER)
    inbox.take_in(said(31, kind=Intent.UNTOLD), NOON)
    untold = claimed(inbox, Stage.PLACEHOLDER, 9)
    assert inbox.set_intent(untold, Intent.QUESTION, at(9)).paced_until == at(25)


def test_a_flood_of_greetings_is_refused_where_too_many_wait(inbox: Inbox) -> None:
    receipts = [inbox.take_in(said(number, kind=Intent.HELP), NOON) for number in range(22)]
    assert [receipt.refused for receipt in receipts] == [False] * 20 + [True] * 2


# --- conversations ------------------------------------------------------------------


def test_follow_ups_lean_on_what_anybody_asked_before_in_the_thread(inbox: Inbox) -> None:
    thread = said(0).ts
    for number, user in ((1, "U1"), (2, "U2"), (4, "U1")):
        inbox.take_in(said(number, thread=thread, user=user), at(number))
    inbox.take_in(said(3, thread=thread, kind=Intent.HELP), at(3))
    inbox.take_in(said(3, channel="C2", thread=thread), at(3))
    for number in range(5):
        advance(inbox, Stage.PLACEHOLDER, 10 + number)
    inbox.take_in(said(5, thread=thread), at(20))
    exchange = claimed(inbox, Stage.PLACEHOLDER, 20)
    assert inbox.previous(exchange) == ("question 1", "question 2", "question 4")


def test_however_many_follow_ups_there_were_the_first_question_is_remembered(inbox: Inbox) -> None:
    thread = said(0).ts
    for number in range(1, 31):
        inbox.take_in(said(number, thread=thread, user=f"U{number}"), at(number))
        last = advance(inbox, Stage.PLACEHOLDER, number)
    remembered = inbox.previous(last)
    assert remembered[0] == "question 1"
    assert remembered[1:] == tuple(f"question {number}" for number in range(11, 30))


def test_in_a_direct_message_what_was_asked_an_hour_ago_is_another_subject(inbox: Inbox) -> None:
    for number in (0, 3599, 3601, 7200):
        asked = said(number, channel="D1", private=True)
        inbox.take_in(asked, at(number))
        last = advance(inbox, Stage.PLACEHOLDER, number)
        finish(inbox, Stage.ANSWERING, number)
    assert inbox.previous(last) == ("question 3601",)
    under = said(9_000, channel="D1", private=True, thread=said(0).ts)
    inbox.take_in(under, at(9_000))
    in_thread = advance(inbox, Stage.PLACEHOLDER, 9_000)
    assert inbox.previous(in_thread) == ("question 0",), "a thread says itself what it is about"


def test_only_who_asked_in_a_thread_goes_on_there(inbox: Inbox) -> None:
    thread = said(0).ts
    inbox.take_in(said(0), NOON)
    inbox.take_in(said(1, thread=thread, user="U2", kind=Intent.THANKS), NOON)
    for first in (True, False):
        assert inbox.follow_up(said(2, thread=thread), NOON).stored is first
    assert not inbox.follow_up(said(3, thread=thread, user="U2"), NOON).stored
    assert not inbox.follow_up(said(4, thread="1.2"), NOON).stored


@pytest.mark.parametrize(("kind", "heard"), [(Intent.QUESTION, 1), (Intent.THANKS, 0)])
def test_who_goes_on_before_it_is_told_what_they_wanted_is_heard_where_they_asked(
    inbox: Inbox, kind: Intent, heard: int
) -> None:
    inbox.take_in(said(0, kind=Intent.UNTOLD), NOON)
    assert not inbox.follow_up(said(1, thread=said(0).ts), NOON).stored
    told = inbox.set_intent(claimed(inbox, Stage.PLACEHOLDER), kind, NOON)
    assert told.asked.kind is kind
    inbox.save(replace(told, stage=Stage.DONE))
    assert inbox.counts()[Stage.PLACEHOLDER] == heard


def test_what_is_told_of_an_exchange_that_another_process_took_over_is_not_kept(
    inbox: Inbox, another: Inbox
) -> None:
    inbox.take_in(said(0, kind=Intent.UNTOLD), NOON)
    lost = claimed(inbox, Stage.PLACEHOLDER)
    assert another.claim(Stage.PLACEHOLDER, at(LEASED + 1)) is not None
    with pytest.raises(LeaseLost):
        inbox.set_intent(lost, Intent.QUESTION, NOON)
    another.release_all()
    assert claimed(inbox, Stage.PLACEHOLDER, LEASED + 1).asked.kind is Intent.UNTOLD


def test_what_was_said_after_a_question_that_waits_long_to_be_told_is_heard_as_it_was_changed(
    inbox: Inbox,
) -> None:
    inbox.take_in(said(0, kind=Intent.UNTOLD), NOON)
    for text in ("how long on Monday?", "typo, how long on Tuesday?"):
        inbox.follow_up(said(1, thread=said(0).ts, text=text, kind=Intent.UNTOLD), NOON)
    inbox.forget_early_follow_ups(at(3600))
    told = inbox.set_intent(claimed(inbox, Stage.PLACEHOLDER), Intent.QUESTION, at(3600))
    inbox.save(replace(told, stage=Stage.DONE))
    heard = claimed(inbox, Stage.PLACEHOLDER, 3600)
    assert heard.asked.text == "typo, how long on Tuesday?"


# --- leases -------------------------------------------------------------------------


@pytest.mark.parametrize("stage", [Stage.PLACEHOLDER, Stage.ANSWERING, Stage.POSTING])
def test_what_another_process_works_on_is_taken_over_once_its_lease_runs_out(
    inbox: Inbox, another: Inbox, stage: Stage
) -> None:
    inbox.take_in(said(1), NOON)
    for before in range(Stage.PLACEHOLDER, stage):
        advance(inbox, Stage(before))
    held = claimed(inbox, stage)
    assert another.claim(stage, at(LEASED - 1)) is None
    taken = claimed(another, stage, LEASED)
    assert taken.exchange_id == held.exchange_id
    assert inbox.claim(stage, at(LEASED)) is None


def test_a_person_whom_another_process_answers_waits_no_longer_than_its_lease(
    inbox: Inbox, another: Inbox
) -> None:
    for number in (1, 2):
        inbox.take_in(said(number), NOON)
        advance(inbox, Stage.PLACEHOLDER)
    first = claimed(inbox, Stage.ANSWERING)
    assert another.claim(Stage.ANSWERING, at(LEASED - 1)) is None
    assert claimed(another, Stage.ANSWERING, LEASED).exchange_id == first.exchange_id


def test_a_lease_that_is_renewed_does_not_run_out(inbox: Inbox, another: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    claimed(inbox, Stage.PLACEHOLDER)
    inbox.renew(at(LEASED - 1))
    assert another.claim(Stage.PLACEHOLDER, at(2 * LEASED - 2)) is None
    assert another.claim(Stage.PLACEHOLDER, at(2 * LEASED)) is not None


def test_who_was_held_up_too_long_undoes_nothing_of_another(inbox: Inbox, another: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    late = claimed(inbox, Stage.PLACEHOLDER)
    another.save(replace(claimed(another, Stage.PLACEHOLDER, LEASED + 1), stage=Stage.DONE))
    with pytest.raises(LeaseLost):
        inbox.save(replace(late, stage=Stage.ANSWERING))
    assert inbox.counts()[Stage.DONE] == 1


def test_a_process_does_not_take_from_itself_what_it_still_works_on(inbox: Inbox) -> None:
    inbox.take_in(said(1), NOON)
    claimed(inbox, Stage.PLACEHOLDER)
    assert inbox.claim(Stage.PLACEHOLDER, at(10 * LEASE.total_seconds())) is None
