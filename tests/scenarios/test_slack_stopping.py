"""Somebody stops and starts the bot, and Slack goes away and comes back."""

import signal
from collections.abc import Iterator
from dataclasses import replace

import pytest
from slack_people import add_doubles, seed_for
from slack_scene import UNHURRIED, Program, Scene, connecting_to, opened
from vouch_home import Home

from bot.workspace.server import Workspace

SUNDAYS = "is the main library open on sundays in term"


@pytest.fixture(scope="module")
def scene(university: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("stopping")
    with opened(university, folder, VOUCH_WORKERS="1") as scene:
        yield scene


@pytest.fixture(autouse=True)
def it_is_up(scene: Scene) -> None:
    scene.workspace.faults.end_all()
    if scene.program.has_ended:
        scene.start()
    scene.wait_until_connected()


def test_a_second_bot_on_the_same_home_refuses_to_start(scene: Scene) -> None:
    refused = scene.home.vouch("up", **connecting_to(scene.workspace))
    assert refused.status == 1
    assert "inbox.sqlite is in use by another Vouch. Stop that one" in refused.said


def test_stopped_amid_questions_the_next_bot_answers_the_rest_once(scene: Scene) -> None:
    first = scene.workspace.faults.hold("users.info")
    rest = scene.workspace.faults.hold("users.info", times=5)
    asked = [scene.mentions(scene.somebody("ana"), SUNDAYS) for _ in range(6)]
    first.release()
    scene.wait_for(lambda: rest.is_reached)
    scene.program.send(signal.SIGTERM)
    scene.program.wait_for_log("Finishing what is being answered")
    rest.release()
    assert scene.program.ended() == 0
    recorded = [len(scene.records_of(each.who)) for each in asked]
    assert 0 in recorded, "it stops before everything is answered"
    assert set(recorded) <= {0, 1}
    scene.start()
    scene.wait_until_connected()
    for each in asked:
        scene.only_reply_to(each)


@pytest.mark.exhaustive
def test_ctrl_c_ends_it_as_well(scene: Scene) -> None:
    assert scene.program.end(signal.SIGINT) == 0
    assert "Stopping" in scene.program.log
    assert "Finishing" not in scene.program.log, "nothing is being answered"


@pytest.mark.exhaustive
def test_a_question_that_came_while_the_bot_was_down_is_delivered_again(scene: Scene) -> None:
    assert scene.program.end() == 0
    asked = scene.mentions(scene.somebody("mei"), SUNDAYS)
    scene.start()
    scene.only_reply_to(asked)


@pytest.mark.exhaustive
def test_a_wrong_token_is_said_in_the_log_with_what_to_do(
    university: Home, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = university.copy_to(tmp_path_factory.mktemp("token") / "home")
    add_doubles(home)
    with Workspace(seed_for(home), options=UNHURRIED) as workspace:
        environment = {**connecting_to(workspace), "VOUCH_SLACK_BOT_TOKEN": "xoxb-wrong"}
        program = Program(home, **environment)
        program.wait_for_log("Slack refuses the connection")
        assert "invalid_auth" in program.log
        assert "`vouch check` says more" in program.log
        assert "Traceback" not in program.log
        assert program.end() == 0


def test_a_scope_that_is_missing_is_named_by_a_check(university: Home) -> None:
    seed = seed_for(university)
    scopes = tuple(scope for scope in seed.scopes if scope != "users:read.email")
    with Workspace(replace(seed, scopes=scopes)) as workspace:
        checked = university.vouch("check", **connecting_to(workspace))
    assert checked.status == 1
    assert "FAIL Slack bot token: Scopes are missing: users:read.email" in checked.said
    assert "install the app anew" in checked.said
