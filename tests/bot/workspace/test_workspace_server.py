"""Starting, stopping, restarting, and what a test makes go wrong."""

import json
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import replace
from http.client import IncompleteRead
from pathlib import Path

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from websockets.sync.client import connect
from westhill import QUICK, SEED, App
from workspace_client import Refusal, Slack

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


def test_the_page_learns_who_and_what_there_is(slack: Slack) -> None:
    state = slack.state()
    assert state["team"] == {"id": "T0LOCAL", "name": "Westhill University", "documents": 0}
    assert state["bot"] == {"id": "U0VOUCH", "name": "Vouch", "connected": False}
    assert [one["id"] for one in state["people"]] == ["U0ANA", "U0BEN", "U0EVE", "U0VOUCH"]
    assert state["commands"] == [
        {"command": "/ask", "usage": "[question]", "about": "Ask privately"}
    ]
    assert state["examples"][0]["as"] == "U0ANA"
    assert state["opens"] == {"as": "U0ANA", "channel": "C0GENERAL"}


def test_the_page_opens_as_whom_and_where_the_seed_says() -> None:
    seed = replace(SEED, opens_as="U0BEN", opens_channel="G0STAFF")
    with Workspace(seed, options=QUICK) as workspace:
        opens = Slack(workspace.url).state()["opens"]
    assert opens == {"as": "U0BEN", "channel": "G0STAFF"}


def test_each_person_sees_their_own_rooms(slack: Slack) -> None:
    slack.direct("U0ANA")
    assert [room["name"] for room in slack.rooms("U0ANA")] == ["general", "lunch", "directmessage"]
    assert slack.rooms("U0ANA")[-1]["with"] == "U0VOUCH"
    assert [room["id"] for room in slack.rooms("U0EVE")] == []
    with pytest.raises(Refusal) as refused:
        slack.messages("G0STAFF", "U0ANA")
    assert (refused.value.code, refused.value.say) == (
        "not_in_channel",
        "You are not in this channel.",
    )


def test_what_others_said_is_unread_until_it_was_seen(slack: Slack) -> None:
    def unread(user: str) -> int:
        return int(slack.rooms(user)[0]["unread"])

    slack.says("U0BEN", "C0GENERAL", "hello")
    assert (unread("U0ANA"), unread("U0BEN")) == (1, 0)
    slack.post("seen", {"as": "U0ANA", "channel": "C0GENERAL"})
    assert unread("U0ANA") == 0


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("@vouch hi", "<@U0VOUCH> hi"),
        ("hi @Ana Silva, see #general", "hi <@U0ANA>, see <#C0GENERAL|general>"),
        ("@ANA!", "<@U0ANA>!"),
        ("mail ana@ana.test", "mail ana@ana.test"),
        ("@anabel #generally", "@anabel #generally"),
        ("a < b && b > c", "a &lt; b &amp;&amp; b &gt; c"),
        ("<@U0BEN> <!channel>", "&lt;@U0BEN&gt; &lt;!channel&gt;"),
    ],
)
def test_what_is_typed_becomes_slacks_markup(slack: Slack, typed: str, sent: str) -> None:
    slack.says("U0ANA", "C0GENERAL", typed)
    assert slack.messages("C0GENERAL", "U0BEN")[-1]["text"] == sent


def test_nobody_says_nothing_or_too_much_or_changes_others(slack: Slack) -> None:
    ts = slack.says("U0ANA", "C0GENERAL", "mine")
    for code, does in (
        ("no_text", lambda: slack.says("U0ANA", "C0GENERAL", "  ")),
        ("msg_too_long", lambda: slack.says("U0ANA", "C0GENERAL", "x" * 40_001)),
        ("cant_update_message", lambda: slack.edits("U0BEN", "C0GENERAL", ts, "yours")),
        ("cant_delete_message", lambda: slack.deletes("U0BEN", "C0GENERAL", ts)),
        ("message_not_found", lambda: slack.says("U0ANA", "C0GENERAL", "x", thread="1.0")),
        ("user_not_found", lambda: slack.says("U0NOBODY", "C0GENERAL", "x")),
    ):
        with pytest.raises(Refusal) as refused:
            does()
        assert refused.value.code == code


def test_the_page_is_told_what_happens(slack: Slack, web: WebClient) -> None:
    with slack.page("U0ANA") as page, slack.page("U0EVE") as elsewhere:
        root = slack.says("U0BEN", "C0GENERAL", "hello")
        assert page.next("message")["message"]["text"] == "hello"
        reply = web.chat_postMessage(channel="C0GENERAL", text="hi", thread_ts=root)["ts"]
        assert page.next("message")["message"]["thread_ts"] == root
        assert page.next("message_changed")["message"]["reply_count"] == 1
        web.chat_update(channel="C0GENERAL", ts=reply, text="hi there")
        assert page.next("message_changed")["message"]["text"] == "hi there"
        web.chat_delete(channel="C0GENERAL", ts=reply)
        assert page.next("message_deleted") == {
            "type": "message_deleted",
            "channel": "C0GENERAL",
            "ts": reply,
        }
        slack.direct("U0EVE")
        assert elsewhere.next("room")["type"] == "room"


def test_a_status_shows_until_the_bot_speaks(slack: Slack, web: WebClient) -> None:
    root = slack.says("U0ANA", "C0GENERAL", "@Vouch?")
    with slack.page("U0ANA") as page:
        web.assistant_threads_setStatus(
            channel_id="C0GENERAL", thread_ts=root, status="is reading the documents…"
        )
        shown = page.next("status")
        assert (shown["thread_ts"], shown["text"]) == (root, "is reading the documents…")
        web.chat_postMessage(channel="C0GENERAL", text="done", thread_ts=root)
        assert page.next("status")["text"] == ""


def test_the_page_is_told_when_the_bot_comes_and_goes(workspace: Workspace, slack: Slack) -> None:
    with slack.page("U0ANA") as page:
        app = App(workspace)
        assert page.next("bot")["connected"] is True
        app.close()
        assert page.next("bot")["connected"] is False


def test_other_sites_cannot_use_the_page(workspace: Workspace) -> None:
    def status(path: str, body: bytes | None, headers: dict[str, str]) -> int:
        request = urllib.request.Request(f"{workspace.url}{path}", data=body, headers=headers)  # noqa: S310
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)  # noqa: S310
        with refused.value:
            return refused.value.code

    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert status("/page/messages", b"as=U0ANA&channel=C0GENERAL&text=x", form) == 415
    assert status("/page/messages", b"[]", {"Content-Type": "application/json"}) == 400
    assert status("/page/messages", b"{", {"Content-Type": "application/json"}) == 400
    assert status("/page/state", None, {"Host": "evil.test"}) == 400
