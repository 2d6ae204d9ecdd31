"""What people do at the page and what it shows them."""

import urllib.error
import urllib.request
from dataclasses import replace

import pytest
from slack_sdk import WebClient
from westhill import QUICK, SEED, App
from workspace_client import Refusal, Slack

from bot.workspace.server import Workspace


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
