"""The two cookies: who is signed in, and what a sign-in that began has to bring back."""

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from bot.web.sessions import LONGEST_S
from bot.web.sign_in.slack import BEGUN_S


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie is for our own pages alone, and for no script.

    `SameSite=Lax`: it goes along where somebody follows a link to us, as from Slack, and not with
    what another site's page sends by itself.
    """

    name: str
    seconds: int
    secure: bool

    def read(self, request: Request) -> str:
        """Return its value; empty where the browser sent none."""
        return request.cookies.get(self.name, "")

    def set(self, response: Response, value: str) -> Response:
        response.set_cookie(
            self.name,
            value,
            max_age=self.seconds,
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="lax",
        )
        return response

    def delete(self, response: Response) -> Response:
        response.delete_cookie(
            self.name, path="/", secure=self.secure, httponly=True, samesite="lax"
        )
        return response


def session_cookie(secure: bool) -> Cookie:
    return Cookie(_named("vouch", secure), int(LONGEST_S), secure)


def begun_cookie(secure: bool) -> Cookie:
    return Cookie(_named("vouch-sign-in", secure), BEGUN_S, secure)


def _named(name: str, secure: bool) -> str:
    """`__Host-`: browsers take it over TLS and from this very host alone (RFC 6265bis, 4.1.3.2)."""
    return f"__Host-{name}" if secure else name
