"""Somebody speaks to the bot in Slack, in each of the ways that there are."""

import json
from dataclasses import replace

import pytest
from slack_reading import words
from slack_scene import CS, GENERAL, Asked, Scene
from slack_sdk import WebClient

from audit.record import badge_of
from bot.slack.home import MOST_PROMPTS
from bot.wording import BADGES
from bot.wording import slack as wording

LATE = "How late may I hand in coursework, and what does it cost me?"
COLOUR, A3 = "how much is a colour page a4", "what about a3?"
STAFF_ONLY = "Guidance for examiners"
SUNDAYS = "is the main library open on sundays in term"


def test_a_mention_is_answered_in_its_thread(scene: Scene) -> None:
    ana = scene.somebody("ana")
    asked = scene.mentions(ana, LATE)
    reply = scene.only_reply_to(asked)
    record = reply.record
    assert (record.person.id, record.person.name) == (ana.id, ana.name)
    assert (record.channel.id, record.channel.thread) == (GENERAL, asked.ts)
    assert record.channel.name == "general"
    shown = scene.home.vouch("audit", "show", record.audit_id).said
    assert f"general ({GENERAL})" in shown
    listed = scene.home.vouch("audit", "list", "--person", ana.id, "--json").json
    assert [each["channel_name"] for each in listed] == ["general"]
    assert BADGES[badge_of(record.decision, record.missing)] in reply.words
    assert record.claims
    assert all(claim.text in reply.words for claim in record.claims)
    assert reply.message["text"], "notifications and screen readers have nothing but this"
    (delivered,) = scene.events(record.audit_id, "delivered")
    assert delivered.details == {"ts": reply.ts}


def test_a_direct_message_is_answered_below_it(scene: Scene) -> None:
    ben = scene.somebody("ben")
    asked = scene.writes(ben, LATE)
    record = scene.only_reply_to(asked).record
    assert record.channel.id == asked.channel
    assert record.filter.facets["departments"] == ("is",)


def test_in_a_thread_of_a_direct_message_the_reply_stays_in_it(scene: Scene) -> None:
    ben = scene.somebody("ben")
    root = scene.writes(ben, COLOUR)
    scene.reply_to(root)
    reply = scene.only_reply_to(scene.writes(ben, A3, thread=root.ts))
    assert reply.message["thread_ts"] == root.ts


def test_a_command_is_answered_to_the_person_alone_wherever_it_was_typed(scene: Scene) -> None:
    ana = scene.somebody("ana")
    asked = scene.commands(ana, LATE, CS)
    assert scene.whispers(ana, CS)[0] == wording.ASKED_IN_PLACE
    reply = scene.only_reply_to(asked)
    assert LATE in reply.words, "nobody sees the question otherwise"
    assert reply.record.filter.facets["courses"] == ("CS101", "CS201", "CS305")
    in_channel = scene.slack.messages(CS, scene.somebody("ana").user)
    assert not [one for one in in_channel if reply.record.audit_id in str(one)]


def test_what_was_answered_alone_is_asked_anew_for_where_it_is_posted(scene: Scene) -> None:
    ana = scene.somebody("ana")
    alone = scene.only_reply_to(scene.commands(ana, LATE, GENERAL))
    scene.clicks(ana, alone, "post_here")
    everyone = Asked(ana, GENERAL, "", alone.ts, LATE)
    posted = scene.reply_to(everyone)
    assert "courses" not in posted.record.filter.facets
    assert posted.record.audit_id != alone.record.audit_id
    assert f"<@{ana.user}>" in posted.words
    scene.clicks(ana, alone, "post_here")
    scene.wait_for(lambda: wording.POSTED_ALREADY in scene.whispers(ana, GENERAL))


def test_a_message_is_asked_from_its_menu_and_its_answer_posted_under_it(scene: Scene) -> None:
    ben, mei = scene.somebody("ben"), scene.somebody("mei")
    ts = scene.slack.says(mei.user, GENERAL, COLOUR)
    scene.slack.shortcut(ben.user, "ask_about_message", GENERAL, ts)
    alone = scene.reply_to(Asked(ben, GENERAL, "", "0", COLOUR, alone=True))
    assert alone.record.person.id == ben.id
    assert not [one for one in scene.whispers(mei, GENERAL) if COLOUR in one]
    scene.clicks(ben, alone, "post_here")
    posted = scene.reply_to(Asked(ben, GENERAL, ts, ts, COLOUR))
    assert posted.message["thread_ts"] == ts


def test_a_message_that_asks_nothing_is_said_to(scene: Scene) -> None:
    ben = scene.somebody("ben")
    ts = scene.slack.says(ben.user, GENERAL, ":tada:")
    scene.slack.shortcut(ben.user, "ask_about_message", GENERAL, ts)
    scene.wait_for(lambda: scene.whispers(ben, GENERAL) == [wording.ASKS_NOTHING])
    assert scene.records_of(ben) == ()


def test_a_question_is_asked_from_anywhere_alone_or_in_a_channel(scene: Scene) -> None:
    ana = scene.somebody("ana")
    assert scene.fills_form(ana, ":tada:") == {"question": wording.ASKS_NOTHING}
    assert scene.fills_form(ana, LATE) == {}
    alone = scene.reply_to(Asked(ana, scene.slack.direct(ana.user), "", "0", LATE))
    assert alone.record.filter.facets["courses"] == ("CS101", "CS201", "CS305")
    assert scene.fills_form(ana, COLOUR, GENERAL) == {}
    posted = scene.reply_to(Asked(ana, GENERAL, "", "0", COLOUR))
    assert "courses" not in posted.record.filter.facets


def test_a_command_without_a_question_is_helped_at_once(scene: Scene) -> None:
    ana = scene.somebody("ana")
    scene.slack.command(ana.user, GENERAL, "/ask", "  ")
    (said,) = scene.whispers(ana, GENERAL)
    assert "How to ask" in said
    assert scene.records_of(ana) == ()


def test_the_person_who_asked_goes_on_in_the_thread_without_a_mention(scene: Scene) -> None:
    asked = scene.mentions(scene.somebody("ben"), COLOUR)
    scene.reply_to(asked)
    record = scene.only_reply_to(scene.adds(asked, A3)).record
    assert record.question == A3
    assert record.previous_questions == (COLOUR,)
    assert record.standalone_question == f"{COLOUR}: {A3}"


def test_in_the_thread_what_asks_nothing_is_left_alone_and_what_asks_is_not(scene: Scene) -> None:
    asked = scene.mentions(scene.somebody("mei"), COLOUR)
    reply = scene.reply_to(asked)
    for said in ("great, that worked", "brb", "yes", "+1", "sorry, wrong thread"):
        scene.adds(asked, said)
    scene.adds(asked, "https://example.org/a3?colour=yes")
    scene.adds(asked, "`what is a3?`")
    follow_up = scene.adds(asked, "and for a3")
    record = scene.only_reply_to(follow_up).record
    assert record.previous_questions == (COLOUR,)
    assert record.standalone_question == f"{COLOUR}: and for a3"
    posted = [one for one in scene.said_by_bot(asked) if words(one) != wording.THANKS]
    assert len(posted) == 2
    assert posted[0]["ts"] == reply.ts
    assert len(scene.records_of(asked.who)) == 2


def test_somebody_else_in_the_thread_is_answered_when_they_mention_the_bot(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    asked = scene.mentions(ana, COLOUR)
    scene.reply_to(asked)
    record = scene.reply_to(scene.mentions(ben, A3, thread=asked.ts)).record
    assert (record.person.id, record.previous_questions) == (ben.id, (COLOUR,))


@pytest.mark.parametrize("said", ["", "hello there"])
def test_an_empty_mention_or_a_greeting_is_helped_and_no_record(scene: Scene, said: str) -> None:
    who = scene.somebody("tomas")
    asked = scene.mentions(who, said)
    helped = scene.reads(asked, "How to ask")
    assert all(sign in words(helped) for sign in wording.SIGNS.values())
    assert "/audit" not in words(helped)
    assert scene.records_of(who) == ()


def test_an_administrator_who_greets_hears_of_the_audit_too_but_alone(scene: Scene) -> None:
    priya = scene.somebody("priya")
    assert "/audit" in words(scene.reads(scene.writes(priya, "hi!"), "How to ask"))
    assert "/audit" not in words(scene.reads(scene.mentions(priya, "hi!"), "How to ask"))


def test_a_question_that_is_changed_is_asked_anew_and_the_old_answer_folds(scene: Scene) -> None:
    ana = scene.somebody("ana")
    asked = scene.mentions(ana, SUNDAYS)
    before = scene.delivered_to(asked)
    scene.slack.edits(ana.user, asked.channel, asked.ts, f"@Vouch {COLOUR}")
    now = scene.reply_to(replace(asked, text=COLOUR))
    assert now.record.previous_questions == ()
    folded = scene.reads(asked, wording.FOLDED["changed"])
    assert folded["ts"] == before.ts
    scene.wait_for(lambda: scene.events(before.record.audit_id, "folded"))
    assert [record.question for record in scene.records_of(ana)] == [COLOUR, SUNDAYS]


def test_the_answer_to_a_question_that_is_deleted_folds(scene: Scene) -> None:
    ana = scene.somebody("ana")
    asked = scene.mentions(ana, SUNDAYS)
    reply = scene.only_reply_to(asked)
    chat = scene.slack.says(ana.user, asked.channel, "a slip", asked.ts)
    scene.slack.deletes(ana.user, asked.channel, chat)
    scene.let_settle(asked)
    assert SUNDAYS in {record.question for record in scene.records_of(ana)}
    scene.slack.deletes(ana.user, asked.channel, asked.ts)
    folded = scene.reads(asked, wording.FOLDED["deleted"])
    assert folded["ts"] == reply.ts
    scene.wait_for(lambda: scene.events(reply.record.audit_id, "folded"))


def test_the_home_tab_shows_what_this_person_asked_and_may_read(scene: Scene) -> None:
    ben, priya = scene.somebody("ben"), scene.somebody("priya")
    scene.only_reply_to(scene.writes(ben, LATE))
    own, staff = scene.home_of(ben), scene.home_of(priya)
    assert LATE in own
    assert LATE not in staff
    assert (wording.FOR_ADMINS in own, wording.FOR_ADMINS in staff) == (False, True)
    assert STAFF_ONLY in staff
    assert STAFF_ONLY not in own


def test_the_home_tab_finds_documents_by_their_title_and_opens_the_form(scene: Scene) -> None:
    ben = scene.somebody("ben")
    with scene.slack.page(ben.user) as page:
        scene.slack.post("home", {"as": ben.user})
        view = page.next("home")["view"]
        scene.slack.clicks_in_view(ben.user, view, "home_search", "fee schedule")
        found = page.next("home")["view"]
        scene.slack.clicks_in_view(ben.user, found, "home_ask", "ask")
        form = page.next("view")["view"]
    assert "Fee Schedule" in json.dumps(found)
    assert "Getting to campus" in json.dumps(view)
    assert "Getting to campus" not in json.dumps(found)
    assert form["callback_id"] == "ask_anywhere"


def test_who_opens_a_talk_is_offered_what_they_could_ask(scene: Scene) -> None:
    ben = scene.somebody("ben")
    with scene.slack.page(ben.user) as page:
        scene.slack.direct(ben.user)
        prompts = page.next("prompts")["prompts"]
    assert prompts
    assert len(prompts) <= MOST_PROMPTS


def test_what_slack_delivers_twice_counts_once(scene: Scene) -> None:
    scene.workspace.faults.deliver_twice(4)
    scene.only_reply_to(scene.mentions(scene.somebody("ana"), SUNDAYS))


def test_a_bot_that_writes_to_the_bot_is_not_answered(scene: Scene) -> None:
    """Two bots that thank each other never end."""
    web = WebClient(scene.workspace.bot_token, base_url=scene.workspace.api_url)
    ts = web.chat_postMessage(channel=GENERAL, text=f"<@U0VOUCH> {LATE}")["ts"]
    ana = scene.somebody("ana")
    asked = scene.mentions(ana, "hello", thread=ts)
    scene.reads(asked, "How to ask")
    assert len(scene.said_by_bot(asked)) == 1
