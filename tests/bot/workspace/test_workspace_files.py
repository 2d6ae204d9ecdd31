"""Files that the app uploads and shows in a modal, through Slack's own client."""

# ruff: noqa: S310 - the URL is the test's own, on loopback

import io
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from westhill import QUICK, SEED, App, Clock
from workspace_client import Slack

from bot.workspace.server import Workspace

ANA, BEN = "U0ANA", "U0BEN"


def a_picture() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (40, 20), "yellow").save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
def workspace(clock: Clock) -> Iterator[Workspace]:
    options = replace(QUICK, clock=clock, file_processing=5.0)
    with Workspace(SEED, options=options) as running:
        yield running


def send(url: str, content: bytes) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, content)) as response:
            return int(response.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def uploaded(web: WebClient, content: bytes) -> str:
    begun = web.files_getUploadURLExternal(filename="lines.png", length=len(content))
    assert send(begun["upload_url"], content) == 200
    web.files_completeUploadExternal(files=[{"id": begun["file_id"], "title": "Lines"}])
    return str(begun["file_id"])


def showing(file: dict[str, str], alt: str = "the lines") -> dict[str, Any]:
    return {
        "type": "modal",
        "title": {"type": "plain_text", "text": "Evidence"},
        "blocks": [{"type": "image", "slack_file": file, "alt_text": alt}],
    }


EMPTY = showing({}) | {"blocks": [{"type": "divider"}]}


def opened(app: App, web: WebClient, slack: Slack, view: dict[str, Any]) -> dict[str, Any]:
    """A modal, opened by a click of Ana's."""
    button = {"type": "button", "text": {"type": "plain_text", "text": "Open"}, "action_id": "open"}
    said = web.chat_postMessage(
        channel="C0GENERAL", text="x", blocks=[{"type": "actions", "elements": [button]}]
    )
    slack.clicks(ANA, "C0GENERAL", said["ts"], "open")
    clicked = slack.wait_for(lambda: app.interactions("block_actions"))
    trigger = clicked[-1]["trigger_id"]
    return dict(web.views_open(trigger_id=trigger, view=view)["view"])


def refusal(call: Any, **arguments: Any) -> tuple[str, list[str]]:
    with pytest.raises(SlackApiError) as refused:
        call(**arguments)
    response = refused.value.response
    return response["error"], response.get("errors", [])


def content_for(workspace: Workspace, user: str, file_id: str) -> bytes:
    with urllib.request.urlopen(f"{workspace.url}/page/files/{file_id}?as={user}") as response:
        return bytes(response.read())


def test_an_uploaded_picture_is_shown_to_whoever_sees_the_modal_and_to_nobody_else(
    workspace: Workspace, app: App, web: WebClient, slack: Slack, clock: Clock
) -> None:
    view = opened(app, web, slack, EMPTY)
    file_id = uploaded(web, a_picture())
    clock.pass_by(6)
    assert b"file_not_found" in content_for(workspace, ANA, file_id)
    web.views_update(view_id=view["id"], view=showing({"id": file_id}))
    assert content_for(workspace, ANA, file_id) == a_picture()
    assert b"file_not_found" in content_for(workspace, BEN, file_id)
    slack.closes(ANA, view["id"])
    assert b"file_not_found" in content_for(workspace, ANA, file_id)


def test_a_file_that_slack_still_looks_at_cannot_be_shown_yet(
    app: App, web: WebClient, slack: Slack, clock: Clock
) -> None:
    view = opened(app, web, slack, EMPTY)
    shown = showing({"id": uploaded(web, a_picture())})
    early = refusal(web.views_update, view_id=view["id"], view=shown)
    assert early == (
        "invalid_arguments",
        ["invalid slack file [json-pointer:/view/blocks/0/slack_file]"],
    )
    clock.pass_by(6)
    web.views_update(view_id=view["id"], view=shown)


def test_what_is_no_picture_or_was_deleted_cannot_be_shown(
    app: App, web: WebClient, slack: Slack, clock: Clock
) -> None:
    view = opened(app, web, slack, EMPTY)
    text, gone = uploaded(web, b"some words"), uploaded(web, a_picture())
    web.files_delete(file=gone)
    clock.pass_by(6)
    for file_id in (text, gone, "F0NOWHERE1"):
        shown = showing({"id": file_id})
        assert refusal(web.views_update, view_id=view["id"], view=shown)[0] == "invalid_arguments"
    assert refusal(web.files_delete, file=gone)[0] == "file_deleted"
    assert refusal(web.files_delete, file="F0NOWHERE1")[0] == "file_not_found"


@pytest.mark.parametrize("file", [{}, {"url": "https://x"}, {"id": "C0GENERAL"}])
def test_a_file_is_named_by_its_id(
    app: App, web: WebClient, slack: Slack, file: dict[str, str]
) -> None:
    view = opened(app, web, slack, EMPTY)
    code, errors = refusal(web.views_update, view_id=view["id"], view=showing(file))
    assert code == "invalid_arguments"
    assert "slack_file" in errors[0]


def test_an_upload_must_be_as_long_as_was_said_and_its_address_serves_once(web: WebClient) -> None:
    begun = web.files_getUploadURLExternal(filename="a.png", length=10)
    assert send(begun["upload_url"], b"x" * 9) == 404
    unsent = [{"id": begun["file_id"], "title": "a"}]
    assert refusal(web.files_completeUploadExternal, files=unsent)[0] == "file_not_found"
    assert send(begun["upload_url"], b"x" * 10) == 200
    assert send(begun["upload_url"], b"y" * 10) == 404
    assert send(begun["upload_url"][:-4] + "abcd", b"x" * 10) == 404


def test_a_file_stands_in_no_message_here(web: WebClient) -> None:
    blocks = [{"type": "image", "slack_file": {"id": "F0NOWHERE1"}, "alt_text": "x"}]
    refused = refusal(web.chat_postMessage, channel="C0GENERAL", text="x", blocks=blocks)
    assert refused == ("invalid_blocks", ["invalid slack file [json-pointer:/blocks/0/slack_file]"])


def test_without_the_scope_nothing_is_uploaded() -> None:
    scopes = tuple(scope for scope in SEED.scopes if scope != "files:write")
    with Workspace(replace(SEED, scopes=scopes), options=QUICK) as workspace:
        web = WebClient(workspace.bot_token, base_url=workspace.api_url)
        assert refusal(web.files_getUploadURLExternal, filename="a.png", length=3)[0] == (
            "missing_scope"
        )
