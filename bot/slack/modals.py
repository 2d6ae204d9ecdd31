"""Opens a modal, for which Slack gives three seconds from the click."""

from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack.failures import UNSENT, code_of
from bot.slack.message import View

LATE = frozenset({"expired_trigger_id", "trigger_expired"})
"""(docs.slack.dev/reference/methods/views.open)"""


class NotOpened(Exception):
    """No modal came; `late`: the three seconds were over."""

    def __init__(self, *, late: bool) -> None:
        super().__init__("late" if late else "refused or not sent")
        self.late = late


def open_modal(client: WebClient, trigger_id: str, view: View | dict[str, Any]) -> None:
    """Raise `NotOpened`."""
    try:
        client.views_open(trigger_id=trigger_id, view=view)
    except UNSENT as error:
        code = code_of(error) if isinstance(error, SlackApiError) else ""
        raise NotOpened(late=code in LATE) from error
