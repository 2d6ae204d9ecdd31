"""Slack calls the bot over HTTP, and so do strangers."""

import json
import sqlite3
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest
from slack_people import Somebody
from slack_reading import words
from slack_scene import GENERAL, UNHURRIED, Asked, Scene, opened
from slack_sdk.signature import SignatureVerifier
from two_workspaces import free_url
from vouch_home import Home

from bot.wording import slack as wording
from bot.workspace.seed import APP_ID, BOT_USER, TEAM_ID

SUNDAYS = "is the main library open on sundays in term"
NONE: Mapping[str, str] = {}


@pytest.fixture(scope="module")
def url() -> str:
    """Of the bot, on a port that is free."""
    return free_url()


@pytest.fixture(scope="module")
def health() -> str:
    """Of its health checks."""
    return free_url()


@pytest.fixture(scope="module")
def scene(
    university: Home, url: str, health: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scene]:
    options = replace(UNHURRIED, events_url=f"{url}/slack/events")
    with opened(
        university,
        tmp_path_factory.mktemp("http"),
        options,
        VOUCH_SLACK_TRANSPORT="http",
        VOUCH_SLACK_APP_TOKEN="",
        VOUCH_PORT=url.rpartition(":")[2],
        VOUCH_HEALTH_PORT=health.rpartition(":")[2],
    ) as scene:
        yield scene


def answer(request: urllib.request.Request | str) -> tuple[int, str]:
    """Status and body; 0 where nobody listens yet."""
    try:
        with urllib.request.urlopen(request) as response:  # noqa: S310 - on loopback
            return response.status, response.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()
    except OSError:
        return 0, ""


def wait_until_wrong(scene: Scene, health: str, name: str) -> None:
    """Until the bot, which looks every few seconds, says that this is wrong, and this alone."""
    wrong = (503, {"ready": False, "problems": [name]})

    def said() -> bool:
        status, body = answer(f"{health}/readyz")
        return bool(body) and (status, json.loads(body)) == wrong

    scene.wait_for(said)


def calls(
    url: str,
    secret: str,
    body: str,
    *,
    form: bool = False,
    more: Mapping[str, str] = NONE,
) -> int:
    """Whoever has this secret calls as Slack would; the status of the answer."""
    stamp = str(int(time.time()))
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body)
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    given = {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": str(signature)}
    request = urllib.request.Request(  # noqa: S310 - on loopback
        f"{url}/slack/events",
        data=body.encode(),
        headers={"Content-Type": kind, **given, **more},
    )
    return answer(request)[0]


def asked_by_event(who: Somebody, ts: str) -> str:
    """The body with which Slack tells of a mention."""
    event = {
        "type": "app_mention",
        "user": who.user,
        "text": f"<@{BOT_USER}> {SUNDAYS}",
        "ts": ts,
        "channel": GENERAL,
        "event_ts": ts,
    }
    return json.dumps(
        {
            "type": "event_callback",
            "team_id": TEAM_ID,
            "api_app_id": APP_ID,
            "event_id": f"Ev{ts}",
            "event": event,
        }
    )


def clicked(who: Somebody, channel: str, ts: str, value: str) -> str:
    """The body with which Slack tells of a click on "Show evidence"."""
    payload: Mapping[str, Any] = {
        "type": "block_actions",
        "user": {"id": who.user},
        "team": {"id": TEAM_ID},
        "api_app_id": APP_ID,
        "trigger_id": "1.2.3",
        "channel": {"id": channel},
        "message": {"ts": ts},
        "actions": [{"type": "button", "action_id": "evidence", "value": value, "block_id": "x"}],
    }
    return urlencode({"payload": json.dumps(payload)})


@pytest.mark.exhaustive
def test_it_is_alive_at_once_and_ready_once_slack_was_reached(scene: Scene, health: str) -> None:
    scene.program.end()
    scene.workspace.faults.offline = True
    scene.start()
    scene.wait_for(lambda: answer(f"{health}/healthz")[0] == 200)
    wait_until_wrong(scene, health, "slack")
    scene.workspace.faults.offline = False
    scene.wait_for(lambda: answer(f"{health}/readyz")[0] == 200)


@pytest.mark.parametrize("name", ["audit", "inbox"])
def test_it_is_unready_while_a_store_cannot_be_written(
    scene: Scene, health: str, name: str
) -> None:
    other = sqlite3.connect(scene.home.path / f"{name}.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # as a backup program may
    wait_until_wrong(scene, health, name)
    other.close()
    scene.wait_for(lambda: answer(f"{health}/readyz")[0] == 200)


@pytest.mark.parametrize("part", ["index", "index/index.json"])
def test_it_is_unready_while_the_index_is_unreadable(scene: Scene, health: str, part: str) -> None:
    there, away = scene.home.path / part, scene.home.path / "away"
    there.rename(away)
    wait_until_wrong(scene, health, "index")
    away.rename(there)
    scene.wait_for(lambda: answer(f"{health}/readyz")[0] == 200)


def test_a_mention_a_command_and_a_click_are_answered(scene: Scene) -> None:
    ana = scene.somebody("ana")
    reply = scene.only_reply_to(scene.mentions(ana, SUNDAYS))
    assert reply.record.audit_id in words(scene.opens(ana, reply, "evidence"))
    asked = scene.commands(ana, SUNDAYS)
    assert wording.ASKED_IN_PLACE in scene.whispers(ana, GENERAL)
    scene.reply_to(asked)


def test_slack_calls_again_though_the_question_is_there_already(scene: Scene, url: str) -> None:
    ben, secret = scene.somebody("ben"), scene.workspace.signing_secret
    ts = scene.slack.says(ben.user, GENERAL, SUNDAYS)
    body = asked_by_event(ben, ts)
    assert calls(url, secret, body) == 200
    again = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
    assert calls(url, secret, body, more=again) == 200
    scene.only_reply_to(Asked(ben, GENERAL, ts, ts, SUNDAYS))


def test_a_follow_up_that_comes_first_is_answered_after_its_question(
    scene: Scene, url: str
) -> None:
    mei, secret = scene.somebody("mei"), scene.workspace.signing_secret
    ts = scene.slack.says(mei.user, GENERAL, SUNDAYS)
    more = "and how late is it open on fridays"
    later = scene.slack.says(mei.user, GENERAL, more, ts)  # to people, as far as anybody knows
    first = Asked(mei, GENERAL, ts, ts, SUNDAYS)
    assert scene.said_by_bot(first) == []
    again = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_timeout"}
    assert calls(url, secret, asked_by_event(mei, ts), more=again) == 200
    follow_up = Asked(mei, GENERAL, ts, later, more)
    replies = [scene.reply_to(each) for each in (first, follow_up)]
    assert replies[0].ts < replies[1].ts
    assert replies[1].record.previous_questions == (SUNDAYS,)
