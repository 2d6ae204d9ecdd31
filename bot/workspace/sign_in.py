"""Sign in with Slack by OpenID Connect, and installing by OAuth; `login_hint` names who it is."""

import secrets
from collections.abc import Callable, Container, Mapping, MutableSet, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from urllib.parse import urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from bot.workspace.conversations import Clock, Conversations
from bot.workspace.faults import Refused
from bot.workspace.seed import APP_ID, BOT_USER, Seed
from bot.workspace.web_api import TIER_4, Answer, AppTokens, Call, Method

CODE_S = 600
TOKEN_S = 300
"""Seconds that a code and an ID token hold, as in the example of
https://docs.slack.dev/reference/methods/openid.connect.token."""
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class App:
    client_id: str
    client_secret: str
    redirect_urls: MutableSet[str]


@dataclass(frozen=True, slots=True)
class _Code:
    team: str
    user: str
    redirect_url: str
    nonce: str
    made: float


class OpenId:
    def __init__(
        self,
        app: App,
        conversations: Sequence[Conversations],
        base_url: Callable[[], str],
        clock: Clock,
    ) -> None:
        """`conversations`: of each workspace whose people sign in here, its own first."""
        self._app = app
        self._people = {each.team_id: each.people for each in conversations}
        self._base_url = base_url
        self._clock = clock
        self._codes: dict[str, _Code] = {}
        self._used: set[str] = set()

    @property
    def origins(self) -> list[str]:
        parts = [urlsplit(url) for url in sorted(self._app.redirect_urls)]
        return list(dict.fromkeys(f"{each.scheme}://{each.netloc}" for each in parts))

    def routes(self) -> list[Route]:
        return [
            Route("/openid/connect/authorize", self._authorize, methods=["GET"]),
            Route("/openid/connect/keys", self._public_keys, methods=["GET"]),
        ]

    def methods(self) -> dict[str, Method]:
        return {"openid.connect.token": Method(self._token, a_minute=TIER_4, caller="nobody")}

    @cached_property
    def _key(self) -> RSAKey:
        return RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True)

    async def _public_keys(self, _: Request) -> Response:
        return JSONResponse(KeySet([self._key]).as_dict(private=False))

    async def _authorize(self, request: Request) -> Response:
        asked = request.query_params
        redirect_url = asked.get("redirect_uri", "")
        if asked.get("client_id") != self._app.client_id:
            return HTMLResponse("Invalid client_id parameter", 400, _HEADERS)
        if redirect_url not in self._app.redirect_urls:
            return HTMLResponse("redirect_uri did not match any configured URIs", 400, _HEADERS)
        if error := _wrong(asked, self._people):
            return _back(redirect_url, {"error": error, "state": asked.get("state", "")})
        named, _, user = asked.get("login_hint", "").rpartition("//")
        team = named or asked.get("team") or next(iter(self._people))
        person = self._people.get(team, {}).get(user)
        if person is None or person.is_bot or asked.get("team", team) != team:
            return HTMLResponse(self._who(asked), headers=_HEADERS)
        code, nonce = secrets.token_urlsafe(24), asked.get("nonce", "")
        self._codes[code] = _Code(team, person.id, redirect_url, nonce, self._clock())
        return _back(redirect_url, {"code": code, "state": asked.get("state", "")})

    def _who(self, asked: Mapping[str, str]) -> str:
        people = [
            (f"{team}//{each.id}", each.real_name)
            for team, people in self._people.items()
            for each in people.values()
            if not each.is_bot and asked.get("team", team) == team
        ]
        rows = "".join(
            f'<li><a href="?{escape(urlencode({**asked, "login_hint": hint}))}">'
            f"{escape(name)}</a></li>"
            for hint, name in people
        )
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width"><title>Sign in</title>'
            f"<h1>Sign in as</h1><ul>{rows}</ul></html>"
        )

    def _token(self, call: Call) -> Answer:
        if call.maybe("client_id") != self._app.client_id:
            raise Refused("invalid_client_id")
        if call.maybe("client_secret") != self._app.client_secret:
            raise Refused("bad_client_secret")
        code = call.maybe("code")
        if code in self._used:
            raise Refused("code_already_used")
        found = self._codes.pop(code, None)
        if found is None or self._clock() - found.made >= CODE_S:
            raise Refused("invalid_code")
        self._used.add(code)
        if call.maybe("redirect_uri") != found.redirect_url:
            raise Refused("bad_redirect_uri")
        return {
            "access_token": f"xoxp-local-{secrets.token_hex(12)}",
            "token_type": "Bearer",
            "id_token": self._id_token(found),
        }

    def _id_token(self, code: _Code) -> str:
        person, now = self._people[code.team][code.user], int(self._clock())
        claims = {
            "iss": self._base_url(),
            "sub": person.id,
            "aud": self._app.client_id,
            "exp": now + TOKEN_S,
            "iat": now,
            "auth_time": now,
            "nonce": code.nonce,
            "https://slack.com/team_id": code.team,
            "https://slack.com/user_id": person.id,
            "name": person.real_name,
            **({"email": person.email, "email_verified": True} if person.email else {}),
        }
        return jwt.encode({"alg": "RS256", "kid": self._key.kid, "typ": "JWT"}, claims, self._key)


def _wrong(asked: Mapping[str, str], teams: Container[str]) -> str:
    if asked.get("response_type") != "code":
        return "unsupported_response_type"
    if "openid" not in asked.get("scope", "").split():
        return "invalid_scope"
    is_known = "team" not in asked or asked["team"] in teams
    return "" if is_known else "invalid_team_for_non_distributed_app"


def _back(redirect_url: str, answer: Mapping[str, str]) -> Response:
    return RedirectResponse(f"{redirect_url}?{urlencode(answer)}", 302, _HEADERS)


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
