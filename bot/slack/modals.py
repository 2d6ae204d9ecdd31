"""Opens a modal, for which Slack gives three seconds from the click."""

from collections.abc import Callable
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from bot.slack.failures import UNSENT, code_of
from bot.slack.message import View

LATE = frozenset({"expired_trigger_id", "trigger_expired"})
"""(docs.slack.dev/reference/methods/views.open)"""


class NotOpened(Exception):
    """No modal came; `late`: the three seconds were over."""

    def __init__(self, *, late: bool) -> None:
        super().__init__("late" if late else "refused or not sent")
        self.late = late


def open_modal(client: WebClient, trigger_id: str, view: View | dict[str, Any]) -> str:
    """Return the id by which it can be updated. Raise `NotOpened`."""
    return _shown(client.views_open, trigger_id, view)


def push_modal(client: WebClient, trigger_id: str, view: View) -> None:
    """Lay it over the one that was clicked in, which stands again when it closes.

    Raise `NotOpened`.
    """
    _shown(client.views_push, trigger_id, view)


def _shown(show: Callable[..., SlackResponse], trigger_id: str, view: View | dict[str, Any]) -> str:
    try:
        answer = show(trigger_id=trigger_id, view=view)
    except UNSENT as error:
        code = code_of(error) if isinstance(error, SlackApiError) else ""
        raise NotOpened(late=code in LATE) from error
    return str((answer.get("view") or {}).get("id") or "")
