"""Views become HTML: pure functions, whatever a document says is text and nothing else.

Every value that a template prints loses what cannot be seen and is escaped: both by the
environment, so that no template can forget it. The pages hold no script and load nothing but
pictures from where they came, which the headers enforce in the browser too.
"""

import base64
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from bot.access.people import Person
from bot.answering.digest import Digest, Week
from bot.web.addresses import DIGEST
from bot.web.citations import Citations
from bot.web.views import CitationView
from bot.wording import digest as digest_wording
from bot.wording import web as wording
from bot.wording.untrusted_text import printable

STYLE = (Path(__file__).parent / "static" / "cited.css").read_text(encoding="utf-8")
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": (
            f"default-src 'none'; img-src 'self' data:; style-src 'sha256-{_HASH}'; "
            "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Robots-Tag": "noindex",
    }
)


def citation_page(view: CitationView, token: str = "", *, with_receipt: bool = False) -> str:
    """`token`: of the form to sign out; without one there is none."""
    return template("citation.html").render(view=view, token=token, with_receipt=with_receipt)


def _shown(value: object) -> object:
    """Take what cannot be seen out of a text; what a template made of its own stays."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value)
    return value


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("bot.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["base64"] = lambda content: base64.b64encode(content).decode()
    environment.globals["words"] = wording
    environment.globals["style"] = Markup(STYLE)  # noqa: S704 - a file of ours
    return environment


_ENVIRONMENT = _environment()


def template(name: str) -> Template:
    """All that a document says is escaped in it."""
    return _ENVIRONMENT.get_template(name)


def sent(page: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(page, status, dict(HEADERS))


@dataclass(frozen=True, slots=True)
class CitationPages:
    """See `app.CitedPages`."""

    citations: Citations
    prove: Callable[[str, Callable[[str], bool]], str] | None = None
    """Makes the receipt of a record, which opens what the second tells of; None: there are none."""

    def page(
        self, audit_id: str, ref: str, reader: Person | None, asked: Mapping[str, str], token: str
    ) -> Response | None:
        at, version = asked.get("at", ""), asked.get("version", "")
        found = self.citations.find(audit_id, ref, reader, at, version)
        if found is None:
            return None
        page = citation_page(found, token, with_receipt=self.prove is not None)
        return sent(page)

    def document(
        self, document_id: str, reader: Person | None, asked: Mapping[str, str], token: str
    ) -> Response | None:
        found = self.citations.document(document_id, reader, asked.get("at", ""))
        if found is None:
            return None
        nothing = {"other": None, "picture": None}  # what else a citation's page shows
        page = template("document.html").render(document=found, view=nothing, token=token)
        return sent(page)

    def receipt(self, audit_id: str, ref: str, reader: Person | None) -> Response | None:
        names = self.citations.opened_names(audit_id, ref, reader)
        if names is None or self.prove is None:
            return None
        kept_as = {"Content-Disposition": 'attachment; filename="receipt.json"'}
        made = self.prove(audit_id, names.__contains__)
        return Response(made, media_type="application/json", headers={**HEADERS, **kept_as})

    def picture(
        self, audit_id: str, ref: str, page: str, reader: Person | None, asked: Mapping[str, str]
    ) -> Response | None:
        found = self.citations.picture(audit_id, ref, page, reader, asked.get("version", ""))
        if found is None:
            return None
        return Response(found, media_type="image/png", headers=dict(HEADERS))


WEEKS = 13


@dataclass(frozen=True, slots=True)
class DigestPages:
    """Every week shows what its channels were told; safe to share between threads."""

    digest: Callable[[Week, str], Digest]
    this_week: Callable[[], Week]
    names: Callable[[], Mapping[str, str]]
    """Of channels, by id."""

    def __call__(self, asked: Mapping[str, str], token: str, team: str) -> Response | None:
        """The week that the address names, else the last whole one; None for one not begun."""
        now = self.this_week()
        named = asked.get("week", "")
        week = Week.named(named) if named else now.earlier()
        if week is None or week > now:
            return None
        choices = [now.earlier(ago) for ago in range(WEEKS)]
        choices += [] if week in choices else [week]
        page = template("digest.html").render(
            digest=self.digest(week, team),
            choices=choices,
            this_week=now,
            names=self.names(),
            token=token,
            said=digest_wording,
            address=DIGEST,
        )
        return sent(page)
