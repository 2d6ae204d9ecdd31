"""Each person has up to three modals, which the app opens with a trigger (surfaces/modals)."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.workspace.block_kit.validation import view_problems
from bot.workspace.conversations import with_block_ids
from bot.workspace.events import Listeners
from bot.workspace.faults import Refused
from bot.workspace.files import Files, files_in
from bot.workspace.seed import APP_ID, BOT_ID, BOT_USER, TEAM_ID, Room, Seed
from bot.workspace.web_api import TIER_2, TIER_4, Answer, Call, Method

View = dict[str, Any]
DEEPEST = 3


class Views:
    def __init__(self, listeners: Listeners, files: Files, team_id: str = TEAM_ID) -> None:
        self._listeners = listeners
        self._files = files
        self._team_id = team_id
        self._stacks: dict[str, list[View]] = {}
        self._homes: dict[str, View] = {}

    def open(self, user: str, given: Mapping[str, Any]) -> View:
        """Open a first modal; whatever was open goes."""
        return self._add(user, given, [])

    def push(self, user: str, given: Mapping[str, Any]) -> View:
        stack = self._stacks.get(user, [])
        if len(stack) >= DEEPEST:
            raise Refused("push_limit_reached")
        return self._add(user, given, stack)

    def update(self, view_id: str, given: Mapping[str, Any]) -> View:
        for user, stack in self._stacks.items():
            for place, before in enumerate(stack):
                if before["id"] == view_id:
                    names = ("id", "root_view_id", "previous_view_id", "state")
                    stack[place] = self._shown(given) | {name: before[name] for name in names}
                    self._show(user, stack[place])
                    return stack[place]
        raise Refused("not_found")

    def of(self, user: str, view_id: str) -> View:
        home = self._homes.get(user)
        for view in (*self._stacks.get(user, []), *([home] if home else [])):
            if view["id"] == view_id:
                return view
        raise Refused("not_found")

    def close(self, user: str, view_id: str) -> View:
        """Takes away a modal and those above it; the one below is shown again."""
        view = self.of(user, view_id)
        stack = self._stacks[user]
        del stack[stack.index(view) :]
        self._listeners.tell([user], {"type": "view_closed", "view_id": view["id"]})
        if stack:
            self._show(user, stack[-1])
        return view

    def publish(self, user: str, given: Mapping[str, Any]) -> View:
        if given.get("type") != "home":
            raise Refused("invalid_arguments")
        view = self._shown(given)
        view["id"] = self._homes.get(user, {}).get("id") or f"V{secrets.token_hex(5).upper()}"
        self._homes[user] = view
        self._listeners.tell([user], {"type": "home", "view": view})
        return view

    def home(self, user: str) -> View | None:
        return self._homes.get(user)

    def shows(self, user: str, file_id: str) -> bool:
        """Tell whether a modal that this person sees has a file in it."""
        stack = self._stacks.get(user, [])
        return any(file_id == each for view in stack for _, each in files_in(view["blocks"]))

    def _add(self, user: str, given: Mapping[str, Any], below: list[View]) -> View:
        view = self._shown(given)
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
        return _returned(given, self._team_id)


def _returned(given: Mapping[str, Any], team_id: str) -> View:
    return {
        "team_id": team_id,
        "app_id": APP_ID,
        "app_installed_team_id": team_id,
        "bot_id": BOT_ID,
        "callback_id": "",
        "private_metadata": "",
        "submit": None,
        "close": None,
        "notify_on_close": False,
        "state": {"values": {}},
        "hash": secrets.token_hex(6),
        **given,
        "blocks": with_block_ids(given["blocks"]),
    }


TRIGGER_LASTS = 3.0
"""Seconds: https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses."""
RESPONSE_LASTS = 1800.0
RESPONSE_USES = 5
"""https://docs.slack.dev/interactivity/handling-user-interaction#message_responses."""


class Triggers:
    """Each opens one modal for the person who did something."""

    def __init__(self, clock: Callable[[], float], lasts: float = TRIGGER_LASTS) -> None:
        self._clock = clock
        self._lasts = lasts
        self._given: dict[str, tuple[str, float]] = {}
        self._used: set[str] = set()

    def give(self, user: str) -> str:
        trigger = f"{secrets.randbelow(10**12)}.{secrets.randbelow(10**10)}.{secrets.token_hex(16)}"
        self._given[trigger] = (user, self._clock() + self._lasts)
        return trigger

    def use(self, trigger: str) -> str:
        """Return the person; `Refused` for a trigger that is unknown, late or used."""
        if trigger in self._used:
            raise Refused("exchanged_trigger_id")
        if trigger not in self._given:
            raise Refused("invalid_trigger_id")
        user, until = self._given.pop(trigger)
        if self._clock() > until:
            raise Refused("expired_trigger_id")
        self._used.add(trigger)
        return user


@dataclass(slots=True)
class ResponseTicket:
    """A response URL stands for a ticket: whose response it is, and where it goes."""

    user: str
    room: Room
    until: float
    thread: str = ""
    uses_left: int = RESPONSE_USES


class ResponseUrls:
    """They let the app answer a click or a command later."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._given: dict[str, ResponseTicket] = {}

    def give(self, user: str, room: Room, thread: str = "") -> str:
        """Return the secret part of a new URL."""
        secret = secrets.token_urlsafe(24)
        until = self._clock() + RESPONSE_LASTS
        self._given[secret] = ResponseTicket(user, room, until, thread)
        return secret

    def use(self, secret: str) -> ResponseTicket:
        """Return what it stands for; `Refused` for one that is unknown, late or used up."""
        ticket = self._given.get(secret)
        if ticket is None or self._clock() > ticket.until:
            raise Refused("expired_url")
        if ticket.uses_left == 0:
            raise Refused("used_url")
        ticket.uses_left -= 1
        return ticket


@dataclass(frozen=True, slots=True)
class AppMethods:
    seed: Seed
    views: Views
    triggers: Triggers
    ticket: Callable[[], str]

    def methods(self) -> dict[str, Method]:
        """Connections have a higher limit than Slack's: a test opens many in a minute."""
        return {
            "auth.test": Method(self._who, a_minute=TIER_4),
            "apps.connections.open": Method(self._connect, a_minute=TIER_2, caller="app"),
            "views.open": Method(self._open, a_minute=TIER_4),
            "views.push": Method(self._push, a_minute=TIER_4),
            "views.update": Method(self._update, a_minute=TIER_4),
            "views.publish": Method(self._publish, a_minute=TIER_4),
        }

    def _who(self, call: Call) -> Answer:
        return {
            "url": f"{call.base_url}/",
            "team": self.seed.team,
            "user": self.seed.bot.name,
            "team_id": self.seed.team_id,
            "user_id": BOT_USER,
            "bot_id": BOT_ID,
            "is_enterprise_install": False,
        }

    def _connect(self, call: Call) -> Answer:
        link = call.base_url.replace("http", "ws", 1)
        return {"url": f"{link}/link/?ticket={self.ticket()}&app_id={APP_ID}"}

    def _open(self, call: Call) -> Answer:
        user = self.triggers.use(call.text("trigger_id"))
        return {"view": self.views.open(user, _view(call))}

    def _push(self, call: Call) -> Answer:
        user = self.triggers.use(call.text("trigger_id"))
        return {"view": self.views.push(user, _view(call))}

    def _publish(self, call: Call) -> Answer:
        return {"view": self.views.publish(call.text("user_id"), _view(call))}

    def _update(self, call: Call) -> Answer:
        return {"view": self.views.update(call.text("view_id"), _view(call))}


def _view(call: Call) -> dict[str, Any]:
    view = call.json("view", "invalid_arguments")
    if not isinstance(view, dict):
        raise Refused.blocks("invalid_arguments", ["missing required field: view"])
    return view
