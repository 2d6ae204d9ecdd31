"""Something fails while somebody waits: they are told honestly, and it resumes by itself."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from slack_reading import audit_id_of, words
from slack_scene import GENERAL, IS, Asked, Scene
from slack_sdk import WebClient

from bot.wording import slack as wording

SUNDAYS = "is the main library open on sundays in term"


@pytest.fixture(autouse=True)
def all_is_well_again(scene: Scene) -> Iterator[None]:
    """Whatever a test broke, the next one finds it whole."""
    yield
    scene.workspace.faults.offline = False
    scene.workspace.faults.end_all()
    disk_is_full(scene, False)


@contextmanager
def held_up(scene: Scene, channel: str = GENERAL, like: str = "ben") -> Iterator[Asked]:
    """A question with a placeholder, whose answer waits for Slack to tell who asks."""
    hold = scene.workspace.faults.hold("users.info")
    asked = scene.mentions(scene.somebody(like), SUNDAYS, channel)
    scene.placeholder_of(asked)
    scene.wait_for(lambda: hold.is_reached)
    yield asked
    hold.release()


def as_bot(scene: Scene) -> WebClient:
    return WebClient(scene.workspace.bot_token, base_url=scene.workspace.api_url)


def disk_is_full(scene: Scene, full: bool) -> None:
    """Nothing that the program writes to a file takes any room, or all that it likes."""
    most = 0 if full else resource.RLIM_INFINITY
    resource.prlimit(scene.program.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def says(scene: Scene, asked: Asked, part: str) -> bool:
    return any(part in words(one) for one in scene.said_by_bot(asked))


def trouble(what: str) -> str:
    return f"{wording.NOT_YET}\n{wording.TROUBLE[what]} {wording.TRIES_AGAIN}"


def test_the_index_is_gone_for_a_while(scene: Scene) -> None:
    index = scene.home.path / "index"
    index.rename(index.with_name("away"))
    asked = scene.writes(scene.somebody("ana"), SUNDAYS)
    told = scene.reads(asked, trouble("index"))
    assert not audit_id_of(told)
    assert scene.records_of(asked.who) == ()
    index.with_name("away").rename(index)
    assert scene.only_reply_to(asked).ts > told["ts"], "what is new is read out, no edit is"


def test_the_audit_store_is_gone_for_a_while(scene: Scene) -> None:
    """Nobody sees what cannot be recorded."""
    with held_up(scene) as asked:
        store = scene.home.path / "audit.sqlite"
        store.rename(store.with_name("away"))
    told = scene.reads(asked, trouble("audit"))
    assert not audit_id_of(told)
    store.with_name("away").rename(store)
    assert scene.only_reply_to(asked).ts > told["ts"]


def test_the_disk_fills_up_while_an_answer_is_made(scene: Scene) -> None:
    with held_up(scene) as asked:
        disk_is_full(scene, True)
    told = scene.reads(asked, wording.NOT_YET)
    disk_is_full(scene, False)
    assert scene.only_reply_to(asked).ts > told["ts"]


def test_a_question_comes_while_the_disk_is_full(scene: Scene) -> None:
    """It is not acknowledged, and Slack delivers it again; then it was kept after all."""
    disk_is_full(scene, True)
    asked = scene.writes(scene.somebody("ben"), SUNDAYS)
    scene.reads(asked, wording.NOT_STORED)
    disk_is_full(scene, False)
    scene.reply_to(asked)
    scene.wait_for(lambda: not says(scene, asked, wording.NOT_STORED))
    scene.only_reply_to(asked)


@pytest.mark.exhaustive
def test_the_bot_dies_after_it_said_that_a_question_was_not_kept(scene: Scene) -> None:
    disk_is_full(scene, True)
    asked = scene.writes(scene.somebody("ben"), SUNDAYS)
    scene.reads(asked, wording.NOT_STORED)
    scene.program.end(signal.SIGKILL)
    scene.start()
    scene.wait_until_connected()
    scene.reply_to(asked)
    scene.wait_for(lambda: not says(scene, asked, wording.NOT_STORED))
    scene.only_reply_to(asked)


@pytest.mark.parametrize("place", ["channel", "direct message"])
def test_somebody_deletes_their_question_while_it_is_answered(scene: Scene, place: str) -> None:
    who = scene.somebody("tomas")
    channel = GENERAL if place == "channel" else scene.slack.direct(who.user)
    hold = scene.workspace.faults.hold("users.info")
    asked = (
        scene.mentions(who, SUNDAYS, channel) if place == "channel" else scene.writes(who, SUNDAYS)
    )
    scene.placeholder_of(asked)
    scene.slack.deletes(who.user, asked.channel, asked.ts)
    hold.release()
    scene.wait_for(lambda: not scene.said_by_bot(asked))
    scene.program.wait_for_log("now WITHDRAWN")
    for record in scene.records_of(who):
        assert scene.events(record.audit_id, "withdrawn")
        assert not scene.events(record.audit_id, "delivered")
    scene.let_settle(replace(asked, ts="0"))
    said = scene.said_by_bot(replace(asked, ts="0"))
    assert {words(one) for one in said} == {wording.THANKS}


def test_the_network_is_gone_while_an_answer_is_made(scene: Scene) -> None:
    with held_up(scene) as asked:
        failures = scene.program.log.count("failed, again in")
        scene.workspace.faults.offline = True
        scene.workspace.cut_sockets()
    scene.wait_for(lambda: scene.program.log.count("failed, again in") > failures)
    scene.workspace.faults.offline = False
    scene.wait_until_connected()
    scene.only_reply_to(asked)


def test_slack_drops_the_connection_and_a_question_comes_before_it_is_back(scene: Scene) -> None:
    scene.workspace.cut_sockets()
    scene.only_reply_to(scene.mentions(scene.somebody("ana"), SUNDAYS))


def test_somebody_deletes_the_placeholder(scene: Scene) -> None:
    with held_up(scene) as asked:
        placeholder = scene.placeholder_of(asked)["ts"]
        as_bot(scene).chat_delete(channel=asked.channel, ts=placeholder)
    assert scene.only_reply_to(asked).ts > placeholder


def test_the_channel_is_archived_so_the_reply_comes_directly_and_all_goes_on(scene: Scene) -> None:
    with held_up(scene, IS) as asked:
        scene.workspace.archive(IS)
    there = scene.slack.direct(asked.who.user)
    moved = scene.reply_to(replace(asked, channel=there, thread=""))
    assert SUNDAYS in moved.words, "nobody sees the question in the direct message"
    assert moved.record.channel.id == IS, "what was answered to the channel's audience is kept"
    assert len(scene.records_of(asked.who)) == 1
    scene.wait_for(lambda: scene.events(moved.record.audit_id, "delivered"))
    assert moved.record.audit_id in words(scene.opens(asked.who, moved, "evidence"))
    scene.only_reply_to(scene.mentions(scene.somebody("ben"), SUNDAYS))


def test_the_file_of_people_is_broken_by_an_edit_and_nobody_becomes_a_guest(scene: Scene) -> None:
    file = scene.home.path / "people.yaml"
    before = file.read_text()
    file.write_text(f"{before}\n  - name: nobody's id\n")
    reply = scene.reply_to(scene.writes(scene.somebody("ana"), SUNDAYS))
    assert reply.record.filter.facets["departments"] == ("cs",)
    file.write_text(before)
