"""Who writes to the bot directly is answered from messages that Slack's search finds for them."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from slack_scene import GENERAL, UNHURRIED, Reply, Scene, opened
from vouch_home import Home

from audit.record import Badge, Decision, badge_of
from audit.values import is_searched
from bot.wording import FROM_ELSEWHERE
from bot.wording import slack as wording

QUESTION = "What does a lost key of the boat house cost?"
SAID = "A lost key of the boat house costs forty euros."
UNSAID = "My budgerigar Zanzibar sleeps there in winter."
KEPT = {"VOUCH_SLACK_SEARCH": "true", "VOUCH_SLACK_SEARCH_KEPT": "true"}


@pytest.fixture(scope="module")
def scene(university: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("searching")
    with opened(university, folder, UNHURRIED, VOUCH_SLACK_SEARCH="true") as made:
        yield made


def stored(scene: Scene, reply: Reply) -> str:
    """All that is kept anywhere, as far as anybody can read it, and the bot's log."""
    with sqlite3.connect(scene.home.path / "inbox.sqlite") as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        rows = [database.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables]  # noqa: S608
    files = [each.read_bytes() for each in scene.home.path.rglob("*") if each.is_file()]
    return f"{rows} {files} {reply.record.model_dump_json()} {scene.program.log}"


def tokens(scene: Scene) -> list[str]:
    with sqlite3.connect(scene.home.path / "inbox.sqlite") as database:
        rows = database.execute("SELECT action_token FROM inbox_exchange").fetchall()
    return [token for (token,) in rows if token]


def test_a_message_answers_whoever_writes_directly_and_nobody_in_a_channel(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    said = scene.slack.says(ben.user, GENERAL, f"{SAID} {UNSAID}")
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
    assert "Zanzibar" not in stored(scene, reply), "none but what the reply says, and its hash"
    assert SAID.encode() not in (scene.home.path / "library.sqlite").read_bytes()
    assert tokens(scene) == [], "the token is let go once the question is answered"
    assert SAID not in scene.only_reply_to(scene.mentions(ana, QUESTION, GENERAL)).words

    scene.slack.deletes(ben.user, GENERAL, said)
    assert SAID not in scene.only_reply_to(scene.writes(ana, f"{QUESTION} Again?")).words


def test_what_documents_answer_is_not_searched_for_and_no_message_undoes_it(scene: Scene) -> None:
    ana, ben = scene.somebody("ana"), scene.somebody("ben")
    asked = "How late may I hand in coursework, and what does it cost me?"
    before = scene.only_reply_to(scene.writes(ana, asked)).record
    scene.slack.says(ben.user, GENERAL, "You may hand in coursework 90 days late, and it is free.")
    after = scene.only_reply_to(scene.writes(ana, f"{asked} Please tell me.")).record
    assert after.decision is before.decision is not Decision.ABSTAIN
    assert not any(is_searched(each.document_id) for each in after.candidates)


def test_where_slack_cannot_search_that_is_said(scene: Scene) -> None:
    ana = scene.somebody("ana")
    scene.workspace.faults.refuse("assistant.search.context", "ratelimited", times=1)
    reply = scene.only_reply_to(scene.writes(ana, "Where is the trampoline kept?"))
    assert wording.NOT_SEARCHED in reply.words
    assert wording.NOT_SEARCHED in reply.record.degraded


def test_words_are_kept_where_a_setting_says_so_until_whoever_said_them_is_erased(
    university: Home, tmp_path: Path
) -> None:
    with opened(university, tmp_path, UNHURRIED, **KEPT) as scene:
        ana, ben = scene.somebody("ana"), scene.somebody("ben")
        scene.slack.says(ben.user, GENERAL, f"{SAID} {UNSAID}")
        reply = scene.only_reply_to(scene.writes(ana, QUESTION))
        (shown,) = (each for each in reply.record.shown if each.text)
    assert shown.text == f"{SAID} {UNSAID}"
    assert "Zanzibar" in scene.home.does("audit", "show", reply.record.audit_id, "--json").out
    scene.home.does("audit", "erase", shown.by, "--because", "Asked for", "--yes")
    assert "Zanzibar" not in scene.home.does("audit", "show", reply.record.audit_id, "--json").out
    scene.home.does("audit", "verify")
