"""A provider of sign-ins that says what a test tells it to, signed or not."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from bot.slack.http import ConnectionLimits, HttpServer, listen
from bot.web.sign_in import Provider

Claims = dict[str, Any]
Mint = Callable[["UntrueSlack", Claims], str]


def signed(slack: "UntrueSlack", claims: Claims) -> str:
    return jwt.encode({"alg": "RS256", "kid": slack.key.kid}, claims, slack.key)


@dataclass
class UntrueSlack:
    """Knows one person, and tells of them what `change` makes of the truth."""

    site: str
    key: RSAKey = field(default_factory=lambda: _key())
    change: Callable[[Claims], Claims] = lambda claims: claims
    mint: Mint = signed
    answer: Mapping[str, Any] | None = None
    nonce: str = ""
    client_id: str = ""
    keys_asked: int = 0

    @property
    def provider(self) -> Provider:
        return Provider.at(f"{self.site}/api/")

    def asgi(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/openid/connect/authorize", self._authorize),
                Route("/openid/connect/keys", self._keys),
                Route("/api/openid.connect.token", self._token, methods=["POST"]),
            ]
        )

    def _authorize(self, request: Request) -> Response:
        asked = request.query_params
        self.nonce, self.client_id = asked["nonce"], asked["client_id"]
        answer = urlencode({"code": "a-code", "state": asked["state"]})
        return RedirectResponse(f"{asked['redirect_uri']}?{answer}")

    def _keys(self, _: Request) -> Response:
        self.keys_asked += 1
        return JSONResponse(KeySet([self.key]).as_dict(private=False))

    def _token(self, _: Request) -> Response:
        if self.answer is not None:
            return JSONResponse(self.answer)
        now = int(time.time())
        truth = {
            "iss": self.site,
            "sub": "U0ANA",
            "aud": self.client_id,
            "exp": now + 300,
            "iat": now,
            "nonce": self.nonce,
            "https://slack.com/team_id": "T0LOCAL",
            "https://slack.com/user_id": "U0ANA",
        }
        token = self.mint(self, self.change(truth))
        body = {"ok": True, "access_token": "xoxp-1", "token_type": "Bearer", "id_token": token}
        return JSONResponse(body)


def _key() -> RSAKey:
    return RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True)


def by_another_key(slack: UntrueSlack, claims: Claims) -> str:
    return jwt.encode({"alg": "RS256", "kid": slack.key.kid}, claims, _key())


def unsigned(_: UntrueSlack, claims: Claims) -> str:
    return jwt.encode({"alg": "none"}, claims, OctKey.import_key("x" * 32), algorithms=["none"])


def by_the_public_key(slack: UntrueSlack, claims: Claims) -> str:
    """Signed with what everybody knows, taken for a shared secret."""
    shared = OctKey.import_key(slack.key.as_pem(private=False))
    return jwt.encode({"alg": "HS256", "kid": slack.key.kid}, claims, shared)


def without(name: str) -> Callable[[Claims], Claims]:
    return lambda claims: {key: value for key, value in claims.items() if key != name}


def with_claims(**changed: Any) -> Callable[[Claims], Claims]:
    named = {key.replace("slack_", "https://slack.com/"): value for key, value in changed.items()}
    return lambda claims: claims | named


@contextmanager
def untrue_slack() -> Iterator[UntrueSlack]:
    listening = listen("127.0.0.1", 0, "")
    slack = UntrueSlack(f"http://127.0.0.1:{listening.getsockname()[1]}")
    server = HttpServer(slack.asgi(), listening, ConnectionLimits())
    server.start()
    yield slack
    server.stop()
