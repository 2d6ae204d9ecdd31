"""Somebody installs the app in a workspace: https://docs.slack.dev/authentication/installing-with-oauth."""

import secrets
from collections.abc import MutableSet
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from bot.workspace.faults import Refused
from bot.workspace.seed import APP_ID, BOT_USER, Seed
from bot.workspace.web_api import TIER_4, Answer, AppTokens, Call, Method


class Installing:
    """The page on which somebody allows it, and the method that gives the token for a code."""

    def __init__(self, seed: Seed, tokens: AppTokens, redirect_urls: MutableSet[str]) -> None:
        self._seed = seed
        self._tokens = tokens
        self._redirect_urls = redirect_urls
        self._codes: set[str] = set()

    def routes(self) -> list[Route]:
        return [Route("/oauth/v2/authorize", self._authorize, methods=["GET"])]

    def methods(self) -> dict[str, Method]:
        return {"oauth.v2.access": Method(self._access, a_minute=TIER_4, caller="nobody")}

    async def _authorize(self, request: Request) -> Response:
        """Whoever opens it allows it at once."""
        asked = request.query_params
        back = asked.get("redirect_uri", "")
        known = asked.get("client_id") == self._tokens.client_id and back in self._redirect_urls
        if not known:
            return HTMLResponse("redirect_uri did not match any configured URIs", 400)
        code = f"{self._seed.team_id}-{secrets.token_hex(12)}"
        self._codes.add(code)
        return RedirectResponse(
            f"{back}?{urlencode({'code': code, 'state': asked.get('state', '')})}", 302
        )

    def _access(self, call: Call) -> Answer:
        if call.maybe("client_id") != self._tokens.client_id:
            raise Refused("invalid_client_id")
        if call.maybe("client_secret") != self._tokens.client_secret:
            raise Refused("bad_client_secret")
        if call.maybe("code") not in self._codes:
            raise Refused("invalid_code")
        self._codes.discard(call.maybe("code"))
        return {
            "app_id": APP_ID,
            "access_token": self._tokens.bot,
            "token_type": "bot",
            "scope": ",".join(self._seed.scopes),
            "bot_user_id": BOT_USER,
            "team": {"id": self._seed.team_id, "name": self._seed.team},
            "enterprise": None,
            "is_enterprise_install": False,
            "authed_user": {"id": self._seed.people[0].id},
        }
