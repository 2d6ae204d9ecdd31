"""Readers sign in with Slack: OpenID Connect, authorization code.

https://docs.slack.dev/authentication/sign-in-with-slack and OpenID Connect Core 1.0, section 3.1.
`state` and `nonce` tie what comes back to the browser that began; the code is exchanged with the
app's secret. PKCE is not used: Slack takes it of apps that gave up their secret for good
(https://docs.slack.dev/authentication/using-pkce).
"""

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from threading import Lock
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import httpx
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import OAuth2Client
from cachetools import TTLCache
from itsdangerous import BadData, URLSafeTimedSerializer
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jwt import ClaimsOption

from audit.values import TEAM_ID, known_as
from bot.web.addresses import own_page
from bot.web.sessions import Identity, SignInProof

TEAM_CLAIM = "https://slack.com/team_id"
USER_CLAIM = "https://slack.com/user_id"
ALGORITHMS = ("RS256",)
"""That Slack signs with; none is no signature, and one with a shared key is not Slack's."""
BEGUN_S = 600
"""Seconds that somebody may take to sign in at Slack."""
LEEWAY_S = 60
"""By which our clock and Slack's may differ."""
TIMEOUT_S = 10.0
KEYS_S = 3600.0
UNKNOWN_KEY_S = 60.0
"""Seconds between two looks for a key that Slack had not."""
log = logging.getLogger(__name__)


class NotSignedIn(Exception):
    """Somebody came back from Slack without proof of who they are."""


class NotBegun(NotSignedIn):
    """The browser did not begin it: any other site's page can have one open such an address."""


class SlackUnreachable(Exception):
    """Slack could not be asked; it is worth trying again."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Where Slack is, or what speaks its language."""

    issuer: str
    authorize_url: str
    token_url: str
    keys_url: str

    @classmethod
    def at(cls, api_url: str) -> "Provider":
        """The one whose Web API has this base URL; a password in it is for us, not for readers."""
        site = api_url.rstrip("/").removesuffix("/api")
        parts = urlsplit(site)
        public = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
        return cls(
            public,
            f"{public}/openid/connect/authorize",
            f"{site}/api/openid.connect.token",
            f"{site}/openid/connect/keys",
        )


@dataclass(frozen=True, slots=True)
class Client:
    id: str
    secret: str
    redirect_url: str


@dataclass(repr=False, slots=True)
class SlackSignIn:
    """The way to Slack and back; safe to share between threads."""

    provider: Provider
    client: Client
    team: Callable[[], str]
    now: Callable[[], float] = time.time
    is_installed: Callable[[str], bool] | None = None
    """Tells of another workspace whether its people are let in, too; None where there is none."""
    _begun: URLSafeTimedSerializer = field(
        default_factory=lambda: URLSafeTimedSerializer(secrets.token_bytes(32), salt="sign-in"),
        init=False,
    )
    _keys: KeySet | None = field(default=None, init=False)
    _keys_at: float = field(default=0.0, init=False)
    _turn: Lock = field(default_factory=Lock, init=False)

    def begin(self, return_to: str, hint: str) -> tuple[str, str]:
        """Slack's address, and what this browser has to bring back; `hint` proves nothing."""
        state, nonce = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        asked = {
            "response_type": "code",
            "scope": "openid profile email",
            "client_id": self.client.id,
            "redirect_uri": self.client.redirect_url,
            "state": state,
            "nonce": nonce,
            **({} if self.is_installed else {"team": self.team()}),
            **({"login_hint": hint} if hint else {}),
        }
        brought = self._begun.dumps({"state": state, "nonce": nonce, "to": return_to})
        return f"{self.provider.authorize_url}?{urlencode(asked)}", str(brought)

    def finish(self, answer: Mapping[str, str], brought: str) -> tuple[Identity, str]:
        """Who somebody is, and the page they wanted; raise `NotSignedIn`, `SlackUnreachable`."""
        begun = self._read(brought)
        if not compare_digest(answer.get("state", "").encode(), begun["state"].encode()):
            raise NotBegun("the state is another one")
        if error := answer.get("error"):
            raise NotSignedIn(f"Slack says {error[:50]!r}")
        claims = self._claims(self._exchanged(answer.get("code", "")), begun["nonce"])
        own = "" if claims[TEAM_CLAIM] == self.team() else claims[TEAM_CLAIM]
        return Identity(SignInProof.SLACK, known_as(own, claims[USER_CLAIM])), own_page(begun["to"])

    def _read(self, brought: str) -> dict[str, str]:
        try:
            begun: dict[str, str] = self._begun.loads(brought, max_age=BEGUN_S)
        except BadData as error:
            raise NotBegun("this browser did not begin, or too long ago") from error
        return begun

    def _exchanged(self, code: str) -> str:
        if not code:
            raise NotSignedIn("there is no code")
        try:
            with self._http() as http:
                answer = http.fetch_token(self.provider.token_url, code=code)
        except httpx.HTTPError as error:
            raise SlackUnreachable(type(error).__name__) from error
        except (AuthlibBaseError, ValueError) as error:  # ValueError: what is no JSON
            raise NotSignedIn(f"the code gave no token ({type(error).__name__})") from error
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise NotSignedIn("the answer has no ID token")
        return token

    def _http(self) -> OAuth2Client:
        return OAuth2Client(
            self.client.id,
            self.client.secret,
            redirect_uri=self.client.redirect_url,
            token_endpoint_auth_method="client_secret_post",  # noqa: S106  # a way, no password
            timeout=TIMEOUT_S,
        )

    def _claims(self, token: str, nonce: str) -> dict[str, Any]:
        """Return what an ID token says, after all of section 3.1.3.7."""
        expected: dict[str, str] = {
            "iss": self.provider.issuer,
            "aud": self.client.id,
            "nonce": nonce,
        }
        demands: dict[str, ClaimsOption] = {
            **{name: {"essential": True} for name in ("sub", "exp", "iat", USER_CLAIM)},
            **{name: {"essential": True, "value": each} for name, each in expected.items()},
        }
        registry = jwt.JWTClaimsRegistry(int(self.now()), LEEWAY_S, **demands)
        try:
            claims: dict[str, Any] = self._decoded(token).claims
            registry.validate(claims)
        except (JoseError, ValueError) as error:
            raise NotSignedIn(f"the ID token does not hold ({type(error).__name__})") from error
        if claims["aud"] not in (self.client.id, [self.client.id]):
            raise NotSignedIn("the ID token is for other apps too")
        if not isinstance(claims[USER_CLAIM], str):
            raise NotSignedIn("the ID token names nobody")
        if not self._lets_in(claims.get(TEAM_CLAIM)):
            raise NotSignedIn("the ID token is of a workspace that the bot is not in")
        return claims

    def _lets_in(self, team: object) -> bool:
        if self.is_installed is None or team == self.team():
            return team == self.team()
        is_one = isinstance(team, str) and TEAM_ID.fullmatch(team) is not None
        return is_one and self.is_installed(str(team))

    def _decoded(self, token: str) -> jwt.Token:
        """Keys change: one that is not known is looked for once more."""
        keys = self._current_keys(KEYS_S)
        try:
            return jwt.decode(token, keys, algorithms=list(ALGORITHMS))
        except (JoseError, ValueError):
            newer = self._current_keys(UNKNOWN_KEY_S)
            if newer is keys:
                raise
            return jwt.decode(token, newer, algorithms=list(ALGORITHMS))

    def _current_keys(self, oldest_s: float) -> KeySet:
        with self._turn:
            if self._keys is None or self.now() - self._keys_at >= oldest_s:
                self._keys, self._keys_at = self._fetched_keys(), self.now()
            return self._keys

    def _fetched_keys(self) -> KeySet:
        try:
            answer = httpx.get(self.provider.keys_url, timeout=TIMEOUT_S)
            answer.raise_for_status()
            return KeySet.import_key_set(answer.json())
        except (httpx.HTTPError, JoseError, ValueError, KeyError) as error:
            raise SlackUnreachable(type(error).__name__) from error


MOST_FAILED = 30
WITHIN_S = 600.0
MOST_ADDRESSES = 10_000


class Attempts:
    """Counts what failed, by network address; safe to share between threads.

    Secrets cannot be guessed; this keeps whoever tries from having the bot ask Slack for each
    guess. Only those count: another site's page could else keep all of an office from signing in.
    """

    def __init__(self) -> None:
        self._failed: TTLCache[str, int] = TTLCache(MOST_ADDRESSES, WITHIN_S)
        self._turn = Lock()

    def may_try(self, address: str) -> bool:
        with self._turn:
            return self._failed.get(address, 0) < MOST_FAILED

    def failed(self, address: str) -> None:
        """Each failure begins the wait anew."""
        with self._turn:
            self._failed[address] = self._failed.get(address, 0) + 1
