"""What no document says is asked of people who may know; their answer serves others, too."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from slack_people import rewrite
from slack_reading import words
from slack_scene import GENERAL, STAFF, Asked, Reply, Scene
from vouch_home import SAMPLE
from workspace_client import Refusal

from audit.record import Decision
from bot.slack import referring as asks
from bot.wording import STANDARD_ANSWER
from bot.wording import referrals as wording
from bot.wording import slack as slack_wording
from bot.wording.documents import EACH_ITS_OWN

PARKING = "How much does a parking permit cost?"
LATE = "How late may I hand in coursework, and what does it cost me?"
IN_OTHER_WORDS = "what happens if my coursework is late by two days"
REVIEWED = "You may hand in coursework up to three days late, and lose ten points for each day."
GENERAL_WORDS = "How much is a parking permit?"
PRICE = "A parking permit costs 120 euros for a year."


def passes_on(scene: Scene, reply: Reply, asked: Asked, *, named: bool, note: str = "") -> str:
    """What the form said before it was sent."""
    view = scene.opens(asked.who, reply, asks.ASK)
    assert f"<#{STAFF}>" in str(view["blocks"][0])
    how = {"selected_option": {"value": "yes" if named else "no"}}
    values: dict[str, dict[str, Any]] = {
        asks.NAMED: {asks.NAMED: how},
        asks.NOTE: {asks.NOTE: {"value": note}},
    }
    with scene.slack.page(asked.who.user) as page:
        assert scene.slack.submits(asked.who.user, view["id"], values) == {}
        confirmed = page.next("view")["view"]
    assert wording.passed_to(STAFF) in str(confirmed["blocks"])
    return str(view["blocks"])


def among_staff(scene: Scene, audit_id: str, part: str = "") -> dict[str, Any]:
    """The message that asks staff, once it says this, too."""
    tomas = scene.somebody("tomas").user

    def found() -> dict[str, Any] | None:
        said = scene.slack.messages(STAFF, tomas)
        mine = (one for one in said if audit_id in str(one) and part in str(one))
        return next(mine, None)

    return scene.wait_for(found)


def gives(scene: Scene, who: str, post: dict[str, Any], *, to_others: bool) -> dict[str, Any]:
    """What the form held before it was sent."""
    with scene.slack.page(who) as page:
        scene.slack.clicks(who, STAFF, post["ts"], asks.GIVE)
        view: dict[str, Any] = page.next("view")["view"]
    written = view["blocks"][0]["element"]["initial_value"]
    chosen = [{"value": "yes"}] if to_others else []
    values = {
        asks.WORDS: {asks.WORDS: {"value": written}},
        asks.OTHERS: {asks.OTHERS: {"selected_options": chosen}},
        asks.QUESTION: {asks.QUESTION: {"value": GENERAL_WORDS}},
    }
    assert scene.slack.submits(who, view["id"], values) == {}
    return view


def given_documents(scene: Scene) -> int:
    sources = scene.home.vouch("sources", "--json").json
    return sum(each["documents"] for each in sources if each["name"] == "given-answers")


def told_directly(scene: Scene, user: str) -> str:
    return " ".join(map(words, scene.slack.messages(scene.slack.direct(user), user)))


def answered(scene: Scene, asked: Asked, part: str = PRICE) -> dict[str, Any]:
    channel = scene.slack.direct(asked.who.user)
    found: dict[str, Any] = scene.wait_for(
        lambda: next(
            (
                one
                for one in scene.slack.messages(channel, asked.who.user)
                if part in words(one) and wording.RESOLVED in str(one)
            ),
            None,
        )
    )
    return found


def test_a_person_answers_and_others_of_the_unit_are_answered_from_it(scene: Scene) -> None:
    mei, tomas = scene.somebody("mei"), scene.somebody("tomas")
    asked = scene.writes(mei, PARKING)
    reply = scene.only_reply_to(asked)
    assert reply.record.decision is Decision.ABSTAIN
    form_said = passes_on(scene, reply, asked, named=False, note="For a small car.")
    unit = {"departments": ["cs"]}
    assert wording.others_hear(unit) + wording.THEY_READ_UNIT in form_said
    post = among_staff(scene, reply.record.audit_id)
    said = words(post)
    scene.wait_for(lambda: asks.ASK not in str(scene.reads(asked, "no document that")))
    assert PARKING in said
    assert "For a small car." in said
    assert "Parking on campus needs a parking permit" in said, "everybody may read it"
    assert mei.user not in str(post)
    assert mei.name not in said

    scene.slack.says(tomas.user, STAFF, PRICE, post["ts"])
    form = gives(scene, tomas.user, post, to_others=True)
    assert wording.others_are(unit) in str(form)
    answer = answered(scene, asked)
    assert f"<@{tomas.user}>" in str(answer)
    closed = among_staff(scene, reply.record.audit_id, wording.CLOSED)
    assert asks.GIVE not in str(closed)
    (given,) = scene.events(reply.record.audit_id, "given")
    assert (given.text, given.person and given.person.id) == (PRICE, tomas.id)

    listed = scene.wait_for(lambda: scene.home.vouch("answers", "list", "--json").json)
    assert [each["event_id"] for each in listed] == [given.event_id]
    scene.wait_for(lambda: given_documents(scene) == 1)
    assert EACH_ITS_OWN in scene.home.vouch("sources").said
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    told = scene.only_reply_to(scene.writes(ana, PARKING))
    assert "120 euros" in told.words
    assert f"nswered by {tomas.name}" in told.words
    kept_from = scene.only_reply_to(scene.writes(ben, PARKING))
    assert "120 euros" not in kept_from.words

    scene.slack.clicks(mei.user, asked.channel, answer["ts"], asks.STILL_OPEN)
    again = among_staff(scene, reply.record.audit_id, asks.GIVE)
    scene.wait_for(
        lambda: (
            wording.REOPENED
            in " ".join(map(words, scene.slack.thread(STAFF, again["ts"], tomas.user)))
        )
    )
    retracted = scene.home.vouch("answers", "retract", given.event_id)
    assert wording.RETRACTED in retracted.said
    late = scene.only_reply_to(scene.writes(scene.somebody("ana"), PARKING))
    assert "120 euros" not in late.words


def stands(scene: Scene, answer: str) -> bool:
    listed = scene.home.vouch("answers", "list", "--json").json
    return bool(next(each["stands"] for each in listed if each["event_id"] == answer))


def test_a_reviewed_reply_is_the_standard_answer_until_what_it_rests_on_changes(
    scene: Scene, tmp_path: Path
) -> None:
    ana, priya, ben = (scene.somebody(each) for each in ("ana", "priya", "ben"))
    reply = scene.only_reply_to(scene.writes(ana, LATE))
    audited = scene.audits(priya, reply.record.audit_id)
    form = scene.shown(
        priya, lambda: scene.slack.clicks_in_view(priya.user, audited, asks.STANDARD)
    )
    filled = {
        asks.QUESTION: {asks.QUESTION: {"value": f"{LATE}\n{IN_OTHER_WORDS}"}},
        asks.WORDS: {asks.WORDS: {"value": REVIEWED}},
    }
    with pytest.raises(Refusal):
        scene.slack.submits(ben.user, form["id"], filled)
    too_many = {asks.QUESTION: {asks.QUESTION: {"value": "\n".join("abcdefghijk")}}}
    assert asks.QUESTION in scene.slack.submits(priya.user, form["id"], filled | too_many)
    assert scene.events(reply.record.audit_id, "given") == []
    assert scene.slack.submits(priya.user, form["id"], filled) == {}
    (given,) = scene.events(reply.record.audit_id, "given")
    scene.wait_for(lambda: wording.STANDARD_KEPT in told_directly(scene, priya.user))
    scene.wait_for(lambda: given_documents(scene) == 2)

    told = scene.only_reply_to(scene.writes(scene.somebody("ana"), LATE))
    assert told.record.decision is Decision.ANSWER
    assert STANDARD_ANSWER in told.record.reasons
    by_whom, words_of_it = f"Standard answer, reviewed by {priya.name}", "up to three days late"
    assert told.words.index(by_whom) < told.words.index(words_of_it)
    other = scene.only_reply_to(scene.writes(ben, LATE))
    assert "three days late" not in other.words

    assert stands(scene, given.event_id)
    assert "never leads" not in scene.home.vouch("answers", "list").said
    cited = reply.record.claims[0].citations[0].file
    documents = shutil.copytree(SAMPLE / "documents", tmp_path / "documents")
    (documents / cited).write_text((documents / cited).read_text() + "\nA further rule.\n")
    scene.home.vouch("ingest", documents, "--source", "documents")
    assert not stands(scene, given.event_id)
    assert given_documents(scene) == 0


def test_what_the_check_refuses_is_told_to_nobody_and_who_sent_it_hears_so(scene: Scene) -> None:
    ana, priya = scene.somebody("ana"), scene.somebody("priya")
    reply = scene.only_reply_to(scene.writes(ana, LATE))
    audited = scene.audits(priya, reply.record.audit_id)
    form = scene.shown(
        priya, lambda: scene.slack.clicks_in_view(priya.user, audited, asks.STANDARD)
    )
    filled = {
        asks.QUESTION: {asks.QUESTION: {"value": f"{LATE}\nWhich rule no longer applies?"}},
        asks.WORDS: {asks.WORDS: {"value": REVIEWED}},
    }
    before = given_documents(scene)
    assert scene.slack.submits(priya.user, form["id"], filled) == {}
    scene.wait_for(lambda: "does not bear out" in told_directly(scene, priya.user))
    assert REVIEWED in told_directly(scene, priya.user), "to send it anew"
    (taken_back,) = scene.events(reply.record.audit_id, "retracted")
    (given,) = scene.events(reply.record.audit_id, "given")
    assert taken_back.details["retracts"] == given.event_id
    assert given_documents(scene) == before


def test_nobody_else_passes_it_on_or_answers(scene: Scene) -> None:
    mei, ben, tomas = (scene.somebody(each) for each in ("mei", "ben", "tomas"))
    asked = scene.mentions(mei, PARKING)
    reply = scene.only_reply_to(asked)
    before = len(scene.whispers(ben, GENERAL))
    scene.clicks(ben, reply, asks.ASK)
    scene.wait_for(lambda: scene.whispers(ben, GENERAL)[before:] == [wording.ONLY_ASKER])

    passes_on(scene, reply, asked, named=True)
    post = among_staff(scene, reply.record.audit_id)
    assert f"<@{mei.user}>" in str(post)
    scene.clicks(mei, reply, asks.ASK)
    scene.wait_for(lambda: wording.PASSED_ALREADY in scene.whispers(mei, GENERAL))

    scene.slack.says(tomas.user, STAFF, PRICE, post["ts"])
    view = scene.shown(tomas, lambda: scene.slack.clicks(tomas.user, STAFF, post["ts"], asks.GIVE))
    rewrite(scene.home, tomas, programmes=["bsc-cs"])
    values = {asks.WORDS: {asks.WORDS: {"value": PRICE}}}
    assert asks.WORDS in scene.slack.submits(tomas.user, view["id"], values)
    rewrite(scene.home, tomas, programmes=["staff"])
    assert scene.events(reply.record.audit_id, "given") == []

    gives(scene, tomas.user, post, to_others=False)
    scene.wait_for(
        lambda: any(
            PRICE in words(one)
            for one in scene.slack.thread(GENERAL, asked.ts, scene.somebody("guest").user)
        )
    )
    (given,) = scene.events(reply.record.audit_id, "given")
    assert given.details == {}

    (told,) = [
        one for one in scene.slack.thread(GENERAL, asked.ts, mei.user) if asks.RESOLVED in str(one)
    ]
    scene.slack.clicks(ben.user, GENERAL, told["ts"], asks.RESOLVED)
    scene.wait_for(lambda: wording.WHO_ASKED_ALONE in scene.whispers(ben, GENERAL))
    assert scene.events(reply.record.audit_id, "resolved") == []
    scene.slack.clicks(mei.user, GENERAL, told["ts"], asks.RESOLVED)
    (resolved,) = scene.wait_for(lambda: scene.events(reply.record.audit_id, "resolved"))
    assert resolved.person
    assert resolved.person.id == mei.id


def test_a_deleted_question_is_shown_nowhere_also_where_a_person_answered_it(scene: Scene) -> None:
    mei, tomas = scene.somebody("mei"), scene.somebody("tomas")
    asked = scene.mentions(mei, PARKING)
    reply = scene.only_reply_to(asked)
    passes_on(scene, reply, asked, named=False)
    post = among_staff(scene, reply.record.audit_id)
    scene.slack.says(tomas.user, STAFF, PRICE, post["ts"])
    gives(scene, tomas.user, post, to_others=False)
    given = scene.reads(asked, PRICE)
    beside = scene.delivered_to(scene.mentions(mei, PARKING))
    scene.slack.deletes(mei.user, GENERAL, asked.ts)

    def stands(channel: str, ts: str) -> str:
        said = [*scene.slack.messages(channel, tomas.user)]
        return next((words(each) for each in said if each["ts"] == ts), "")

    scene.wait_for(lambda: said_instead("given") in stands(GENERAL, given["ts"]))
    scene.wait_for(lambda: said_instead("asked") in stands(STAFF, post["ts"]))
    assert beside.words in stands(GENERAL, beside.ts), "what was asked beside it stands"
    for channel, ts in ((GENERAL, given["ts"]), (STAFF, post["ts"])):
        assert PARKING not in stands(channel, ts)


def said_instead(why: str) -> str:
    return slack_wording.FOLDED[why]


def test_who_corrects_what_was_passed_on_hears_that_it_was_taken_back_and_may_pass_it_on_again(
    scene: Scene,
) -> None:
    mei, tomas = scene.somebody("mei"), scene.somebody("tomas").user
    asked = scene.mentions(mei, PARKING)
    reply = scene.only_reply_to(asked)
    passes_on(scene, reply, asked, named=True)
    among_staff(scene, reply.record.audit_id)
    scene.slack.edits(mei.user, GENERAL, asked.ts, f"@Vouch {GENERAL_WORDS}")
    corrected = replace(asked, text=GENERAL_WORDS)
    scene.reads(asked, said_instead("changed, taken back"))
    scene.wait_for(lambda: reply.record.audit_id not in str(scene.slack.messages(STAFF, tomas)))
    again = scene.reply_to(corrected)
    passes_on(scene, again, corrected, named=True)
    among_staff(scene, again.record.audit_id)
