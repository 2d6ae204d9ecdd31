"""The pages in a browser: signing in, what a citation cites, the digest of a week, the audit.

Who a reader is comes from their session and from nothing in an address, and what they may read is
judged anew at each request. Whatever is not theirs to see looks like what does not exist.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hmac import compare_digest
from typing import Protocol
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from audit.errors import AuditError
from bot.access.people import Person
from bot.answering.citations.links import REPLY
from bot.errors import BotError
from bot.web.addresses import (
    AUDIT,
    CALLBACK,
    DIGEST,
    DOCUMENT,
    HOME,
    LOOPBACK,
    host_in,
    is_loopback,
    may_be_cited,
    may_be_document,
    own_page,
)
from bot.web.pages import HEADERS, sent, template
from bot.web.sessions import (
    LONGEST_S,
    Identity,
    NobodyAnyMore,
    Readers,
    Sessions,
    token_against_forgery,
)
from bot.web.sign_in import BEGUN_S, Attempts, NotBegun, NotSignedIn, SlackSignIn, SlackUnreachable
from bot.wording import auditing as audit_wording
from bot.wording import digest as digest_wording
from bot.wording import web as wording
from bot.wording.web import Notice
from retrieval.errors import RetrievalError


@dataclass(frozen=True, slots=True)
class Cookie:
    """For our own pages alone, and no script; it goes along where a link to us is followed."""

    name: str
    seconds: int
    secure: bool

    def read(self, request: Request) -> str:
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


LARGEST_FORM = 4_000
"""Bytes; the only form has one field."""


async def _sent_token(request: Request) -> str:
    """Return the field of the form to sign out; empty where it is too large or ends early."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_FORM:
                return ""
    except ClientDisconnect:
        return ""
    return parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0]


LONGEST_HINT = 100
SEE_OTHER = 303
Answer = Callable[[Request], Response]
AdminPage = Callable[[Mapping[str, str], str, str], Response | None]
"""A page for administrators of a workspace, by what stands behind the `?` of the address and the
token of the form to sign out; None where the address names none."""
log = logging.getLogger(__name__)


class CitedPages(Protocol):
    """What a citation's page shows to a reader, None for a guest; safe to share between threads."""

    def page(
        self, audit_id: str, ref: str, reader: Person | None, asked: Mapping[str, str], token: str
    ) -> Response | None:
        """None where there is none for this reader; `asked`: what stands behind the `?`."""

    def document(
        self, document_id: str, reader: Person | None, asked: Mapping[str, str], token: str
    ) -> Response | None:
        """A document as it stands today."""

    def picture(
        self, audit_id: str, ref: str, page: str, reader: Person | None, asked: Mapping[str, str]
    ) -> Response | None:
        """A page of the document as PNG."""

    def receipt(self, audit_id: str, ref: str, reader: Person | None) -> Response | None:
        """What proves that the reply was recorded; `ref`: a citation's, or `REPLY`."""


@dataclass(frozen=True, slots=True)
class _Session:
    secret: str
    who: Identity


@dataclass(frozen=True, slots=True)
class WebApp:
    """Answers requests; `asgi` makes what a server runs."""

    base: str
    """Where people reach it, without a slash at its end; no address is made of what a request
    says of its host."""
    pages: CitedPages
    digests: AdminPage
    sessions: Sessions
    readers: Readers
    slack: SlackSignIn
    attempts: Attempts
    audits: AdminPage

    def asgi(self) -> Starlette:
        def get(path: str, answer: Answer) -> Route:
            return Route(path, self._guarded(answer), methods=["GET"])

        app = Starlette(
            routes=[
                get(HOME, self._home),
                get("/cited/{audit_id}/{ref}", self._cited),
                get("/cited/{audit_id}/{ref}/page/{page}.png", self._picture),
                get(f"/cited/{{audit_id}}/{REPLY}/receipt.json", self._receipt_of_reply),
                get("/cited/{audit_id}/{ref}/receipt.json", self._receipt),
                get(f"{DOCUMENT}/{{document_id}}", self._document),
                get(DIGEST, self._to_administrators(self.digests)),
                get(AUDIT, self._to_administrators(self.audits)),
                get("/sign-in", self._sign_in),
                get("/sign-in/slack", self._to_slack),
                get(CALLBACK, self._from_slack),
                get("/sign-in/once/{secret}", self._once),
                Route("/sign-out", self._sign_out, methods=["POST"]),
            ],
            middleware=[
                Middleware(
                    TrustedHostMiddleware,
                    allowed_hosts=[host_in(self.base), *sorted(LOOPBACK)],
                    www_redirect=False,
                )
            ],
            exception_handlers={404: _unknown, 405: _unknown},
        )
        app.router.redirect_slashes = False
        return app

    def _home(self, request: Request) -> Response:
        session = self._session(request)
        if session is None:
            return _shown(wording.HOME)
        acts = [(DIGEST, digest_wording.TITLE), (AUDIT, audit_wording.TITLE)]
        reader = self.readers.person(session.who)
        shown = acts if reader and reader.admin else []
        return _shown(wording.HOME, token=token_against_forgery(session.secret), acts=shown)

    def _page(
        self, request: Request, show: Callable[[Person | None, str], Response | None]
    ) -> Response:
        """Whoever is not signed in does that first; `show` takes the token too."""
        session = self._session(request)
        if session is None:
            return _to_sign_in(request)
        token, reader = token_against_forgery(session.secret), self.readers.person(session.who)
        found = show(reader, token) if _may_be_there(request) else None
        return found or _shown(wording.NOT_SHOWN, 404, token=token)

    def _to_administrators(self, page: AdminPage) -> Answer:
        """The same as what is not, to everybody else."""

        def show(request: Request, reader: Person | None, token: str) -> Response | None:
            if reader is None or not reader.admin:
                return None
            return page(request.query_params, token, reader.team)

        return lambda request: self._page(request, partial(show, request))

    def _cited(self, request: Request) -> Response:
        def show(reader: Person | None, token: str) -> Response | None:
            return self.pages.page(*_cited(request), reader, request.query_params, token)

        return self._page(request, show)

    def _document(self, request: Request) -> Response:
        def show(reader: Person | None, token: str) -> Response | None:
            its = request.path_params["document_id"]
            return self.pages.document(its, reader, request.query_params, token)

        return self._page(request, show)

    def _receipt_of_reply(self, request: Request) -> Response:
        """No page leads to it, so whoever opens it signs in first."""
        return self._page(
            request, lambda reader, _token: self.pages.receipt(*_cited(request), reader)
        )

    def _beside(
        self, request: Request, show: Callable[[Person | None], Response | None]
    ) -> Response:
        """What a citation's page leads to, whose reader is signed in already."""
        session = self._session(request)
        reader = self.readers.person(session.who) if session else None
        found = show(reader) if session and _may_be_there(request) else None
        return found or _shown(wording.NOT_SHOWN, 404)

    def _picture(self, request: Request) -> Response:
        page, asked = request.path_params["page"], request.query_params
        return self._beside(
            request, lambda reader: self.pages.picture(*_cited(request), page, reader, asked)
        )

    def _receipt(self, request: Request) -> Response:
        return self._beside(request, lambda reader: self.pages.receipt(*_cited(request), reader))

    def _sign_in(self, request: Request) -> Response:
        return_to = own_page(request.query_params.get("next", HOME))
        to_slack = f"/sign-in/slack?{urlencode({'next': return_to})}"
        to_audit = urlsplit(return_to).path == AUDIT
        notice = wording.SIGN_IN_TO_AUDIT if to_audit else wording.SIGN_IN
        return _shown(notice, acts=[(to_slack, wording.SIGN_IN_BUTTON)])

    def _to_slack(self, request: Request) -> Response:
        return_to = own_page(request.query_params.get("next", HOME))
        if request.url.hostname != host_in(self.base):
            # Slack sends people back to our address, where no other host's cookie goes along
            asked = urlencode({**request.query_params, "next": return_to})
            return _go(f"{self.base}/sign-in/slack?{asked}")
        hint = request.query_params.get("login_hint", "")[:LONGEST_HINT]
        url, brought = self.slack.begin(return_to, hint)
        return self._begun(request).set(_go(url), brought)

    def _from_slack(self, request: Request) -> Response:
        begun = self._begun(request)
        try:
            who, return_to = self.slack.finish(request.query_params, begun.read(request))
        except NotSignedIn as error:
            if not isinstance(error, NotBegun):
                self.attempts.failed(_address(request))
            log.info("Nobody signed in: %s", error)
            return begun.delete(_shown(wording.NOT_SIGNED_IN, 403))
        return begun.delete(self._welcome(request, who, return_to))

    def _once(self, request: Request) -> Response:
        here = is_loopback(request.url.hostname or "") and is_loopback(_address(request))
        opened = self.sessions.use_once(request.path_params["secret"]) if here else None
        if opened is None:
            return _shown(wording.USED_LINK, 403)
        return self._welcome(request, opened.who, own_page(opened.return_to))

    def _welcome(self, request: Request, who: Identity, return_to: str) -> Response:
        self.readers.person(who)  # nobody signs in who is nobody
        cookie = self._cookie(request)
        self.sessions.end(cookie.read(request))
        return cookie.set(_go(return_to), self.sessions.begin(who))

    async def _sign_out(self, request: Request) -> Response:
        token = await _sent_token(request)
        ended = self._guarded(lambda _: self._ended(request, token))
        return await run_in_threadpool(ended, request)

    def _ended(self, request: Request, token: str) -> Response:
        cookie = self._cookie(request)
        secret = cookie.read(request)
        if not secret or not compare_digest(token.encode(), token_against_forgery(secret).encode()):
            return _shown(wording.FORGED, 403)
        self.sessions.end(secret)
        return cookie.delete(_shown(wording.SIGNED_OUT))

    def _session(self, request: Request) -> _Session | None:
        secret = self._cookie(request).read(request)
        who = self.sessions.who(secret) if secret else None
        return _Session(secret, who) if who else None

    def _cookie(
        self, request: Request, name: str = "vouch", seconds: int = int(LONGEST_S)
    ) -> Cookie:
        """`__Host-`: browsers take it over TLS and from this very host alone (RFC 6265bis)."""
        secure = self.base.startswith("https:") and request.url.hostname == host_in(self.base)
        return Cookie(f"__Host-{name}" if secure else name, seconds, secure)

    def _begun(self, request: Request) -> Cookie:
        return self._cookie(request, "vouch-sign-in", BEGUN_S)

    def _guarded(self, answer: Answer) -> Answer:
        """Say what cannot be looked up, and nothing of why; signing in may not fail for ever."""

        def guarded(request: Request) -> Response:
            signing_in = request.url.path.startswith("/sign-in/")
            if signing_in and request.method != "GET":
                return _shown(wording.NOT_SHOWN, 404)  # who only looks ahead uses nothing up
            if signing_in and not self.attempts.may_try(_address(request)):
                return _shown(wording.TOO_OFTEN, 429)
            try:
                return self._answered(answer, request)
            except (BotError, AuditError, RetrievalError, SlackUnreachable) as error:
                log.warning("A page could not be shown: %s", error)
                return _shown(wording.TRY_AGAIN, 503)

        return guarded

    def _answered(self, answer: Answer, request: Request) -> Response:
        """Answer, or end the session of somebody who is nobody any more."""
        try:
            return answer(request)
        except NobodyAnyMore:
            cookie = self._cookie(request)
            self.sessions.end(cookie.read(request))
            return cookie.delete(_shown(wording.NOT_SHOWN, 404))


def _shown(
    notice: Notice, status: int = 200, *, token: str = "", acts: Sequence[tuple[str, str]] = ()
) -> Response:
    """`acts`: where its buttons lead and what is on them."""
    page = template("notice.html").render(notice=notice, token=token, acts=acts)
    return sent(page, status)


def _cited(request: Request) -> tuple[str, str]:
    return request.path_params["audit_id"], request.path_params.get("ref", REPLY)


def _may_be_there(request: Request) -> bool:
    """Whether what an address names has the form of a name."""
    named = request.path_params
    if "document_id" in named:
        return may_be_document(named["document_id"])
    return "audit_id" not in named or may_be_cited(*_cited(request))


def _to_sign_in(request: Request) -> Response:
    asked = f"?{request.url.query}" if request.url.query else ""
    return _go(f"/sign-in?{urlencode({'next': own_page(request.url.path + asked)})}")


def _unknown(_request: Request, _error: Exception) -> Response:
    return _shown(wording.NOT_SHOWN, 404)


def _go(address: str) -> Response:
    return RedirectResponse(address, SEE_OTHER, dict(HEADERS))


def _address(request: Request) -> str:
    return request.client.host if request.client else ""
