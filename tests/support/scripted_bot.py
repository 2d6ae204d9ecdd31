"""A bot of a few lines, over Slack's own client, that says what it was told to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.client import BaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web import WebClient

from bot.slack.transport import close_at_once
from bot.workspace.server import Workspace

Block = dict[str, Any]


def words(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def button(action_id: str, label: str, **more: object) -> dict[str, Any]:
    return {"type": "button", "action_id": action_id, "text": plain(label), **more}


REPLY: Sequence[Block] = (
    words(":white_check_mark: *Answered from your documents*"),
    words("A failed examination may be repeated twice. [1]"),
    {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": "feedback",
                "positive_button": {"text": plain("Good answer"), "value": "good:1"},
                "negative_button": {"text": plain("Bad answer"), "value": "bad:1"},
            }
        ],
    },
    {"type": "actions", "elements": [button("evidence", "Show evidence", value="1")]},
)
EVIDENCE: dict[str, Any] = {
    "type": "modal",
    "callback_id": "evidence",
    "title": plain("Evidence"),
    "close": plain("Close"),
    "blocks": [words("*VERIFIED* Academic Regulations, page 2, lines 3-5")],
}
WHAT_WAS_WRONG: dict[str, Any] = {
    "type": "modal",
    "callback_id": "feedback_words",
    "title": plain("What was wrong?"),
    "submit": plain("Send"),
    "blocks": [
        {
            "type": "input",
            "block_id": "why",
            "optional": True,
            "label": plain("Kind"),
            "element": {
                "type": "radio_buttons",
                "action_id": "choice",
                "options": [
                    {"text": plain("Wrong"), "value": "wrong"},
                    {"text": plain("Outdated"), "value": "outdated"},
                ],
            },
        },
        {
            "type": "input",
            "block_id": "whom",
            "optional": True,
            "label": plain("Whom does it concern?"),
            "element": {
                "type": "static_select",
                "action_id": "choice",
                "placeholder": plain("Choose"),
                "option_groups": [
                    {"label": plain("All"), "options": [{"text": plain("All"), "value": "all"}]},
                    {"label": plain("Units"), "options": [{"text": plain("Law"), "value": "law"}]},
                ],
            },
        },
        {
            "type": "input",
            "block_id": "words",
            "label": plain("In your words"),
            "element": {"type": "plain_text_input", "action_id": "text", "multiline": True},
        },
    ],
}


@dataclass
class ScriptedBot:
    workspace: Workspace
    blocks: Sequence[Block] = REPLY
    commands: list[str] = field(default_factory=list)
    clicks: list[Mapping[str, Any]] = field(default_factory=list)
    submissions: list[Mapping[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.web = WebClient(self.workspace.bot_token, base_url=self.workspace.api_url)
        app = WebClient(self.workspace.app_token, base_url=self.workspace.api_url)
        self._sockets = SocketModeClient(self.workspace.app_token, web_client=app)
        self._sockets.socket_mode_request_listeners.append(self._hear)

    def connect(self) -> None:
        self._sockets.connect()

    def close(self) -> None:
        close_at_once(self._sockets)

    def _hear(self, client: BaseSocketModeClient, request: SocketModeRequest) -> None:
        answer = self._answer(request.type, request.payload)
        client.send_socket_mode_response(SocketModeResponse(request.envelope_id, answer))
        if request.type == "events_api":
            self._reply(request.payload["event"])

    def _answer(self, kind: str, payload: Mapping[str, Any]) -> dict[str, Any] | None:
        if kind == "slash_commands":
            self.commands.append(f"{payload['command']} {payload['text']}")
            return {"text": "I'll answer in our direct message."}
        if payload.get("type") == "block_actions":
            self._clicked(payload)
        if payload.get("type") == "view_submission":
            return self._submitted(payload["view"]["state"]["values"])
        return None

    def _clicked(self, payload: Mapping[str, Any]) -> None:
        action = payload["actions"][0]
        self.clicks.append(action)
        if action["action_id"] == "evidence":
            self.web.views_open(trigger_id=payload["trigger_id"], view=EVIDENCE)
        if action.get("value") == "bad:1":
            self.web.views_open(trigger_id=payload["trigger_id"], view=WHAT_WAS_WRONG)

    def _submitted(self, values: Mapping[str, Any]) -> dict[str, Any] | None:
        self.submissions.append(values)
        if values["words"]["text"]["value"] == "no":
            return {"response_action": "errors", "errors": {"words": "Please say a little more."}}
        return None

    def _reply(self, event: Mapping[str, Any]) -> None:
        if event["type"] != "message" or event.get("bot_id") or event.get("subtype"):
            return
        direct = event["channel_type"] == "im"
        if not direct and "<@U0VOUCH>" not in event["text"]:
            return
        thread = event.get("thread_ts") or (None if direct else event["ts"])
        self.web.chat_postMessage(
            channel=event["channel"], thread_ts=thread, text="Answered.", blocks=self.blocks
        )
