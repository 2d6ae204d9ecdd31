"""Who writes to the bot directly is answered from messages that Slack's search finds for them."""

import sqlite3
from collections.abc import Iterator

import pytest
from slack_scene import GENERAL, UNHURRIED, Scene, opened
from vouch_home import Home

from audit.record import Badge, Decision, badge_of
from audit.values import is_searched
from bot.wording import FROM_ELSEWHERE
from bot.wording import slack as wording

QUESTION = "What does a lost key of the boat house cost?"
SAID = "A lost key of the boat house costs forty euros."


@pytest.fixture(scope="module")
def scene(university: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("searching")
    with opened(university, folder, UNHURRIED, VOUCH_SLACK_SEARCH="true") as made:
        yield made


def inbox(scene: Scene) -> str:
    with sqlite3.connect(scene.home.path / "inbox.sqlite") as database:
        rows = database.execute("SELECT action_token FROM inbox_exchange").fetchall()
        kept = database.execute("SELECT passages FROM inbox_attachment").fetchall()
    return f"{[row for row in rows if row[0]]} {kept}"


def test_a_message_answers_whoever_writes_directly_and_nobody_in_a_channel(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    said = scene.slack.says(ben.user, GENERAL, SAID)
    reply = scene.only_reply_to(scene.writes(ana, QUESTION))
    (cited,) = reply.record.claims[0].citations
    assert SAID in reply.words
    assert badge_of(reply.record.decision, reply.record.missing) is Badge.PROBABLY
    assert FROM_ELSEWHERE in reply.record.reasons
    assert f"{wording.FROM_SEARCH} {cited.file}" in reply.words
    assert is_searched(cited.document_id)
    assert cited.link.endswith(f"/archives/{GENERAL}/p{said.replace('.', '')}")
    (shown,) = (one for one in reply.record.shown if one.document_id == cited.document_id)
    assert shown.sha256
    assert SAID.encode() not in (scene.home.path / "library.sqlite").read_bytes()
    assert inbox(scene).startswith("[] "), "the token is let go once the question is answered"
    assert SAID not in scene.only_reply_to(scene.mentions(ana, QUESTION, GENERAL)).words

    scene.slack.deletes(ben.user, GENERAL, said)
    scene.program.wait_for(lambda: SAID not in inbox(scene))
    assert SAID not in scene.only_reply_to(scene.writes(ana, f"{QUESTION} Again?")).words


def test_what_documents_answer_is_not_searched_for_and_no_message_undoes_it(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    asked = "How late may I hand in coursework, and what does it cost me?"
    before = scene.only_reply_to(scene.writes(ana, asked)).record
    scene.slack.says(ben.user, GENERAL, "You may hand in coursework 90 days late, and it is free.")
    after = scene.only_reply_to(scene.writes(ana, f"{asked} Please tell me.")).record
    assert after.decision is before.decision is not Decision.ABSTAIN
    assert not any(is_searched(each.document_id) for each in after.candidates)


def test_what_is_corrected_in_slack_is_kept_no_more(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    said = scene.slack.says(ben.user, GENERAL, "The sauna key hangs behind the red door.")
    scene.only_reply_to(scene.writes(ana, "Where does the sauna key hang?"))
    assert "red door" in inbox(scene)
    scene.slack.edits(ben.user, GENERAL, said, "The sauna key hangs behind the blue door.")
    scene.program.wait_for(lambda: "red door" not in inbox(scene))


def test_where_slack_cannot_search_that_is_said(scene: Scene) -> None:
    ana = scene.somebody("ana")
    scene.workspace.faults.refuse("assistant.search.context", "ratelimited", times=1)
    reply = scene.only_reply_to(scene.writes(ana, "Where is the trampoline kept?"))
    assert wording.NOT_SEARCHED in reply.words
    assert wording.NOT_SEARCHED in reply.record.degraded
