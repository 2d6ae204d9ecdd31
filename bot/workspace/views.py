"""Each person has a stack of up to three modals.

https://docs.slack.dev/surfaces/modals
"""

import secrets
from collections.abc import Mapping
from typing import Any

from bot.workspace.block_kit.validation import view_problems
from bot.workspace.conversations import with_block_ids
from bot.workspace.files import Files, files_in
from bot.workspace.message_changes import Listeners
from bot.workspace.methods.refusal import Refused
from bot.workspace.seed import APP_ID, BOT_ID, TEAM_ID

View = dict[str, Any]
DEEPEST = 3


class Views:
    """They know which modals are open, and say what pages hear of them."""

    def __init__(self, listeners: Listeners, files: Files) -> None:
        self._listeners = listeners
        self._files = files
        self._stacks: dict[str, list[View]] = {}

    def open(self, user: str, given: Mapping[str, Any]) -> View:
        """Open a first modal; whatever was open goes."""
        return self._add(user, given, [])

    def push(self, user: str, given: Mapping[str, Any]) -> View:
        stack = self._stacks.get(user, [])
        if len(stack) >= DEEPEST:
            raise Refused("push_limit_reached")
        return self._add(user, given, stack)

    def update(self, view_id: str, given: Mapping[str, Any], view_hash: str = "") -> View:
        """Replaces what a modal shows; its place in the stack stays."""
        user, before = self.find(view_id)
        if view_hash and view_hash != before["hash"]:
            raise Refused("hash_conflict")
        kept = {name: before[name] for name in ("id", "root_view_id", "previous_view_id", "state")}
        after = {**self._shown(given), **kept}
        stack = self._stacks[user]
        stack[stack.index(before)] = after
        self._show(user, after)
        return after

    def find(self, view_id: str) -> tuple[str, View]:
        """Find one by id or by the app's `external_id`, with the person who sees it."""
        for user, stack in self._stacks.items():
            for view in stack:
                if view_id and view_id in (view["id"], view["external_id"]):
                    return user, view
        raise Refused("not_found")

    def of(self, user: str, view_id: str) -> View:
        """Return a modal that this person sees."""
        owner, view = self.find(view_id)
        if owner != user:
            raise Refused("not_found")
        return view

    def close(self, user: str, view_id: str) -> View:
        """Takes away a modal and those above it; the one below is shown again."""
        view = self.of(user, view_id)
        stack = self._stacks[user]
        del stack[0 if view["clear_on_close"] else stack.index(view) :]
        self._listeners.tell([user], {"type": "view_closed", "view_id": view["id"]})
        if stack:
            self._show(user, stack[-1])
        return view

    def shows(self, user: str, file_id: str) -> bool:
        """Tell whether a modal that this person sees has a file in it."""
        stack = self._stacks.get(user, [])
        return any(file_id == each for view in stack for _, each in files_in(view["blocks"]))

    def clear(self, user: str) -> None:
        for view in self._stacks.pop(user, []):
            self._listeners.tell([user], {"type": "view_closed", "view_id": view["id"]})

    def _add(self, user: str, given: Mapping[str, Any], below: list[View]) -> View:
        view = self._shown(given)
        if view["external_id"] and any(
            view["external_id"] == other["external_id"]
            for stack in self._stacks.values()
            for other in stack
        ):
            raise Refused("duplicate_external_id")
        view["id"] = f"V{secrets.token_hex(5).upper()}"
        view["root_view_id"] = below[0]["id"] if below else view["id"]
        view["previous_view_id"] = below[-1]["id"] if below else None
        self._stacks[user] = [*below, view]
        self._show(user, view)
        return view

    def _show(self, user: str, view: View) -> None:
        self._listeners.tell([user], {"type": "view", "view": view})

    def _shown(self, given: Mapping[str, Any]) -> View:
        """Return a view as Slack returns it; `Refused` where its blocks break a rule."""
        problems = view_problems(given) or self._files.problems(given["blocks"], "/view")
        if problems:
            raise Refused.blocks("invalid_arguments", problems)
        return _returned(given)


def _returned(given: Mapping[str, Any]) -> View:
    return {
        "team_id": TEAM_ID,
        "app_id": APP_ID,
        "app_installed_team_id": TEAM_ID,
        "bot_id": BOT_ID,
        "callback_id": "",
        "private_metadata": "",
        "external_id": "",
        "submit": None,
        "close": None,
        "clear_on_close": False,
        "notify_on_close": False,
        "state": {"values": {}},
        "hash": secrets.token_hex(6),
        **given,
        "blocks": with_block_ids(given["blocks"]),
    }
