"""The app itself calls `views.*`, `auth.test` and what opens a connection."""

from collections.abc import Callable
from typing import Any

from bot.workspace.delivery.tickets import Triggers
from bot.workspace.methods.calls import Answer, Call, Method
from bot.workspace.methods.rate_limits import TIER_2, TIER_4
from bot.workspace.methods.refusal import Refused
from bot.workspace.seed import APP_ID, BOT_ID, BOT_USER, TEAM_ID, Seed
from bot.workspace.views import Views


class AppMethods:
    """They are about modals, identity and connections."""

    def __init__(
        self, seed: Seed, views: Views, triggers: Triggers, ticket: Callable[[], str]
    ) -> None:
        self._seed = seed
        self._views = views
        self._triggers = triggers
        self._ticket = ticket

    def methods(self) -> dict[str, Method]:
        """Connections have a higher limit than Slack's: a test opens many in a minute."""
        return {
            "api.test": Method(self._echo, a_minute=TIER_4, caller="nobody"),
            "auth.test": Method(self._who, a_minute=TIER_4),
            "apps.connections.open": Method(self._connect, a_minute=TIER_2, caller="app"),
            "views.open": Method(self._open, a_minute=TIER_4),
            "views.push": Method(self._push, a_minute=TIER_4),
            "views.update": Method(self._update, a_minute=TIER_4),
        }

    def _echo(self, call: Call) -> Answer:
        if error := call.maybe("error"):
            raise Refused(error)
        return {"args": {name: str(value) for name, value in call.arguments.items()}}

    def _who(self, call: Call) -> Answer:
        return {
            "url": f"{call.base_url}/",
            "team": self._seed.team,
            "user": self._seed.bot.name,
            "team_id": TEAM_ID,
            "user_id": BOT_USER,
            "bot_id": BOT_ID,
            "is_enterprise_install": False,
        }

    def _connect(self, call: Call) -> Answer:
        link = call.base_url.replace("http", "ws", 1)
        return {"url": f"{link}/link/?ticket={self._ticket()}&app_id={APP_ID}"}

    def _open(self, call: Call) -> Answer:
        user = self._triggers.use(call.text("trigger_id"))
        return {"view": self._views.open(user, _view(call))}

    def _push(self, call: Call) -> Answer:
        user = self._triggers.use(call.text("trigger_id"))
        return {"view": self._views.push(user, _view(call))}

    def _update(self, call: Call) -> Answer:
        view_id = call.maybe("view_id") or call.text("external_id")
        return {"view": self._views.update(view_id, _view(call), call.maybe("hash"))}


def _view(call: Call) -> dict[str, Any]:
    view = call.json("view", "invalid_arguments")
    if not isinstance(view, dict):
        raise Refused.blocks("invalid_arguments", ["missing required field: view"])
    return view
