"""Starting, stopping, restarting, and what a test makes go wrong."""

import json
import socket
import subprocess
import sys
from dataclasses import replace
from http.client import IncompleteRead
from pathlib import Path

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from websockets.sync.client import connect
from westhill import QUICK, SEED, App
from workspace_client import Slack

from bot.errors import BadConfiguration
from bot.workspace.server import Workspace


def test_what_was_said_survives_a_restart(tmp_path: Path) -> None:
    options = replace(QUICK, path=tmp_path / "workspace.sqlite")
    with Workspace(SEED, options=options) as workspace:
        slack = Slack(workspace.url)
        direct = slack.direct("U0ANA")
        kept = slack.says("U0ANA", direct, "remember this")
        gone = slack.says("U0ANA", "C0GENERAL", "not this")
        slack.deletes("U0ANA", "C0GENERAL", gone)
        web = WebClient(workspace.bot_token, base_url=workspace.api_url)
        reply = web.chat_postMessage(channel=direct, text="wait", thread_ts=kept)["ts"]
        web.chat_update(channel=direct, ts=reply, text="done")
    with Workspace(SEED, options=options) as workspace:
        slack = Slack(workspace.url)
        root, answer = slack.thread(direct, kept, "U0ANA")
        assert (root["reply_count"], answer["text"]) == (1, "done")
        assert slack.messages("C0GENERAL", "U0ANA") == []
        assert direct in [room["id"] for room in slack.rooms("U0ANA")]
        assert slack.rooms("U0ANA")[-1]["unread"] == 0
        assert slack.says("U0ANA", direct, "more") > reply


def test_a_stopped_workspace_comes_back_where_it_was(workspace: Workspace) -> None:
    url, token = workspace.api_url, workspace.bot_token
    app = App(workspace)
    workspace.stop()
    with pytest.raises(OSError, match="refused"):
        WebClient(token, base_url=url).auth_test()
    workspace.start()
    assert WebClient(token, base_url=url).auth_test()["ok"]
    Slack(workspace.url).wait_for_bot(seconds=20)
    app.close()


def test_a_taken_port_is_told_with_the_setting_to_change() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadConfiguration, match="VOUCH_WORKSPACE_PORT"):
            Workspace(SEED, port=taken.getsockname()[1]).start()


def test_a_file_that_is_no_workspace_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "workspace.sqlite"
    broken.write_text("no database " * 100)
    with pytest.raises(BadConfiguration, match="move the file away"):
        Workspace(SEED, options=replace(QUICK, path=broken)).start()


def test_a_test_may_have_a_method_refused(workspace: Workspace, web: WebClient) -> None:
    workspace.faults.refuse("chat.postMessage", "internal_error", times=2)
    for _ in range(2):
        with pytest.raises(SlackApiError, match="internal_error"):
            web.chat_postMessage(channel="C0GENERAL", text="x")
    web.chat_postMessage(channel="C0GENERAL", text="x")
    workspace.faults.refuse("*", "ratelimited", retry_after=7)
    with pytest.raises(SlackApiError) as refused:
        web.auth_test()
    assert refused.value.response.headers["retry-after"] == "7"
    workspace.faults.refuse("auth.test", "", status=503)
    with pytest.raises(SlackApiError) as refused:
        web.auth_test()
    assert refused.value.response.status_code == 503


def test_a_test_may_have_an_answer_lost_after_the_deed(
    workspace: Workspace, web: WebClient, slack: Slack
) -> None:
    workspace.faults.lose_response("chat.postMessage")
    with pytest.raises(IncompleteRead):
        web.chat_postMessage(channel="C0GENERAL", text="did I say that?")
    assert [one["text"] for one in slack.messages("C0GENERAL", "U0ANA")] == ["did I say that?"]
    web.chat_postMessage(channel="C0GENERAL", text="again")


def test_a_test_may_cut_the_network(workspace: Workspace, web: WebClient) -> None:
    workspace.faults.offline = True
    with pytest.raises(IncompleteRead):
        web.auth_test()
    workspace.faults.offline = False
    assert web.auth_test()["ok"]


def test_a_test_may_have_events_come_twice(workspace: Workspace, slack: Slack, app: App) -> None:
    workspace.faults.deliver_twice()
    slack.says("U0ANA", "C0GENERAL", "hello")
    slack.wait_for(lambda: len(app.requests) == 2)
    assert len({one.payload["event_id"] for one in app.requests}) == 1


@pytest.mark.parametrize("mention_first", [True, False])
def test_a_test_may_have_the_mention_come_first(
    workspace: Workspace, slack: Slack, mention_first: bool
) -> None:
    workspace.faults.mention_first = mention_first
    opener = WebClient(base_url=workspace.api_url)
    with connect(opener.apps_connections_open(app_token=workspace.app_token)["url"]) as wire:
        wire.recv()
        slack.says("U0ANA", "C0GENERAL", "@Vouch hello")
        envelopes = [json.loads(wire.recv(5)) for _ in range(2)]
    kinds = [envelope["payload"]["event"]["type"] for envelope in envelopes]
    assert kinds == (["app_mention", "message"] if mention_first else ["message", "app_mention"])


@pytest.mark.slow
def test_a_program_that_serves_it_ends_in_order_when_asked(tmp_path: Path) -> None:
    program = (
        "from bot.workspace.seed import Seed\n"
        "from bot.workspace.server import Workspace\n"
        "workspace = Workspace(Seed('Nobody', (), ()))\n"
        "workspace.serve(lambda: print(workspace.url, flush=True))\n"
    )
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    url = running.stdout.readline().strip()
    assert Slack(url).state()["opens"] == {"as": None, "channel": None}
    running.terminate()
    assert running.wait(10) == 0
    running.stdout.close()
