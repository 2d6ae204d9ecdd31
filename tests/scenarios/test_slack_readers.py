"""People ask the same in Slack and read what they may read, there and nowhere else."""

import json
import re

from slack_people import Somebody
from slack_reading import buttons, words
from slack_scene import CS, GENERAL, Asked, Reply, Scene

from bot.wording import otherwise
from bot.wording import slack as wording

LATE = "How late may I hand in coursework, and what does it cost me?"
DAYS = {"ana": "3 calendar days", "ben": "5 calendar days", "guest": "7 calendar days"}
EXAM = "what can i bring into the cs305 exam"
LEAVE = "how many days of annual leave do employees get"
SECRETS = {
    "CS305-handbook",
    "CS305 Database Systems",
    "t.lindqvist@example.org",
    "docs.example.org/cs/CS305",
}
"""File, title, owner and link of a document for the students of a course."""


def days_in(words: str) -> list[str]:
    """Whose rule it is, above what gives way to it."""
    answer, _, _ = words.partition(otherwise("own unit", alone=True))
    answer, _, _ = answer.partition(otherwise("own unit", alone=False))
    return [whose for whose, days in DAYS.items() if days in answer]


def privately(scene: Scene, who: Somebody, text: str) -> Asked:
    """As if asked directly: where the reply to a click on "Answer me privately" belongs."""
    return Asked(who, scene.slack.direct(who.user), "", "0", text)


def test_people_who_ask_the_same_directly_get_their_own_answers(scene: Scene) -> None:
    asked = {whose: scene.writes(scene.somebody(whose), LATE) for whose in DAYS}
    for whose, each in asked.items():
        reply = scene.reply_to(each)
        assert days_in(reply.words) == [whose]
        assert "ask_privately" not in buttons(reply.message)


def test_in_a_channel_everybody_gets_what_everybody_there_may_read(scene: Scene) -> None:
    for channel, whose in ((GENERAL, "guest"), (CS, "ana")):
        reply = scene.reply_to(scene.mentions(scene.somebody("ana"), LATE, channel))
        assert days_in(reply.words) == [whose]
        assert reply.record.channel.id == channel


def told_apart(reply: Reply) -> dict[str, str]:
    """The message as it stands, without the ids that no two replies share."""
    audit_id, shown = reply.record.audit_id, {}
    for key in ("text", "blocks"):
        own = json.dumps(reply.message[key]).replace(audit_id, "").replace(audit_id[:13], "")
        shown[key] = re.sub(r'"block_id": "[^"]*"', "", own)  # Slack makes them up
    return shown


def test_who_may_read_more_is_offered_it_alone_and_is_answered_alone(scene: Scene) -> None:
    ana = scene.somebody("ana")
    asked = scene.mentions(ana, LATE)
    reply = scene.reply_to(asked)
    assert reply.record.more_in_private
    offer = scene.offer_beside(reply, ana)
    assert wording.OWN_RULE_IN_PRIVATE in offer.words
    assert offer.message["thread_ts"] == asked.ts
    scene.clicks(ana, offer, "ask_privately")
    private = scene.reply_to(privately(scene, ana, LATE))
    assert days_in(private.words) == ["ana"]
    assert LATE in private.words
    assert private.record.person.id == ana.id
    assert private.record.channel.id == private.channel
    assert scene.whispers(ana, GENERAL)[-1] == wording.ASK_ACKNOWLEDGED


def test_the_channel_reads_the_same_whether_the_asker_may_read_more_or_not(scene: Scene) -> None:
    ana, ben, guest = (scene.somebody(like) for like in ("ana", "ben", "guest"))
    replies = [scene.reply_to(scene.mentions(who, LATE)) for who in (ana, ben, guest)]
    assert [reply.record.more_in_private for reply in replies] == [True, True, False]
    scene.offer_beside(replies[0], ana)
    scene.offer_beside(replies[1], ben)
    assert scene.whispers(guest, GENERAL) == []
    seen = [told_apart(reply) for reply in replies]
    assert seen[0] == seen[1] == seen[2]


def test_that_ones_own_unit_has_another_rule_is_told_to_nobody_else(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    seen = scene.watching(ben)
    reply = scene.reply_to(scene.mentions(ana, LATE))
    scene.offer_beside(reply, ana)
    scene.opens(ben, reply, "evidence")
    scene.wait_for(lambda: reply.record.audit_id in seen())
    assert DAYS["guest"] in seen()
    theirs = (wording.OWN_RULE_IN_PRIVATE_ALOUD, DAYS["ana"], "coursework-rules.md", "cs-office")
    assert not [each for each in theirs if each in seen()]


def test_somebody_who_may_read_no_more_sees_no_hint_that_there_is_more(scene: Scene) -> None:
    for who, question in (
        (scene.somebody("guest"), LATE),
        (scene.somebody("ben"), LEAVE),
        (scene.somebody("ben"), EXAM),
    ):
        reply = scene.reply_to(scene.mentions(who, question))
        assert not reply.record.more_in_private
        scene.let_settle(scene.mentions(who, "thanks", thread=str(reply.message["thread_ts"])))
        assert scene.whispers(who, GENERAL) == []


def test_what_somebody_may_not_read_is_never_named_to_them_by_anything(scene: Scene) -> None:
    ben = scene.somebody("ben")
    seen = scene.watching(ben)
    replies = [
        scene.reply_to(asked)
        for asked in (
            scene.writes(ben, EXAM),
            scene.mentions(ben, EXAM),
            scene.mentions(ben, EXAM, "C0ISBACHELOR"),
            scene.commands(ben, f"{EXAM} please"),
        )
    ]
    shown = [words(scene.opens(ben, reply, "evidence")) for reply in replies]
    scene.wait_for(lambda: all(reply.record.audit_id in seen() for reply in replies))
    assert all(shown)
    assert not [secret for secret in SECRETS if secret in seen() or secret in str(shown)]


def test_what_only_the_asker_may_read_is_never_named_in_the_channel(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    seen = scene.watching(ben)
    reply = scene.reply_to(scene.mentions(ana, EXAM))
    assert reply.record.more_in_private
    assert not reply.record.own_rule_in_private
    scene.opens(ana, reply, "evidence")
    offer = scene.offer_beside(reply, ana)
    assert wording.MORE_IN_PRIVATE in offer.words
    scene.clicks(ana, offer, "ask_privately")
    private = scene.reply_to(privately(scene, ana, EXAM))
    scene.opens(ben, reply, "evidence")
    scene.wait_for(lambda: reply.record.audit_id in seen())
    assert "ask_privately" not in seen()
    assert "CS305 Database Systems" in private.words
    assert not [secret for secret in SECRETS if secret in seen()]
