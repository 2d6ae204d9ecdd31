"""Many ask at once, or one asks very much, in a Slack with its usual limits."""

from collections.abc import Iterator

import pytest
from slack_reading import words
from slack_scene import CS, GENERAL, Scene, opened
from vouch_home import Home

from bot.slack.inbox.store import MOST_WAITING
from bot.workspace.server import Options

SUNDAYS = "is the main library open on sundays in term"
FLOOD = 2 * MOST_WAITING
"""So many that too many wait, whatever was answered while they came: ten pass at once."""


@pytest.fixture(scope="module")
def scene(university: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with opened(university, tmp_path_factory.mktemp("crowds"), Options()) as scene:
        yield scene


def test_several_who_ask_in_one_channel_at_once_are_all_answered(scene: Scene) -> None:
    everybody = [scene.somebody(like) for like in ("ana", "ben", "mei", "tomas", "priya", "guest")]
    asked = [scene.mentions(who, SUNDAYS, GENERAL) for who in everybody]
    replies = [scene.reply_to(each) for each in asked]
    assert [reply.record.person.id for reply in replies] == [who.id for who in everybody]


def test_somebody_who_floods_the_bot_is_slowed_down_kindly_and_alone(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    flood = [scene.writes(ana, f"{SUNDAYS} number {n}") for n in range(FLOOD)]
    scene.reads(flood[0], f"{MOST_WAITING} questions of yours wait already")
    scene.reply_to(scene.writes(ben, SUNDAYS))
    answered = len(scene.records_of(ana))
    assert answered < MOST_WAITING, "ben does not wait until ana's questions are done"
    scene.reads(flood[0], "You have asked a lot in a short time, so I take yours one by one")
    said = [words(one) for one in scene.said_by_bot(flood[0])]
    assert len([each for each in said if "wait already" in each]) == 1, "told once"
    scene.wait_for(lambda: len(scene.records_of(ana)) > answered)


def test_what_was_refused_is_listed_and_asked_again_by_its_button(scene: Scene) -> None:
    ana = scene.somebody("ana")
    flood = [scene.writes(ana, f"{SUNDAYS} number {n}") for n in range(FLOOD)]
    last = f"{SUNDAYS} number {FLOOD - 1}"
    listed = scene.wait_for(
        lambda: next((one for one in scene.said_by_bot(flood[0]) if last in words(one)), None)
    )
    [value] = [
        element["value"]
        for block in listed["blocks"][1:]
        for element in block["elements"]
        if last in element.get("value", "")
    ]
    scene.wait_for(lambda: len(scene.records_of(ana)) > MOST_WAITING // 2)
    scene.slack.clicks(ana.user, flood[0].channel, listed["ts"], "ask_refused", value)
    scene.wait_for(lambda: scene.whispers(ana, flood[0].channel))


def test_each_place_where_a_question_was_refused_is_told(scene: Scene) -> None:
    ana = scene.somebody("ana")
    for number in range(FLOOD):
        scene.writes(ana, f"{SUNDAYS} number {number}")
    refused = [scene.mentions(ana, f"{SUNDAYS} in {place}", place) for place in (GENERAL, CS)]
    for each in refused:
        scene.reads(each, "questions of yours wait already")
        said = [words(one) for one in scene.said_by_bot(each)]
        assert len(said) == 1, "a mention is two events, and none of them slips in"
