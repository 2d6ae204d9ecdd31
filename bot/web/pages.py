"""Views become HTML: pure functions, whatever a document says is text and nothing else.

Every value that a template prints loses what cannot be seen and is escaped: both by the
environment, so that no template can forget it. The pages hold no script and load nothing but
pictures from where they came, which the headers enforce in the browser too.
"""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from bot.access.people import Person
from bot.web.citations import Citations
from bot.web.views import CitationView, NotShown
from bot.wording import web
from bot.wording import web as wording
from bot.wording.untrusted_text import visible

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
"""Of every page and picture."""


def citation_page(view: CitationView, token: str = "") -> str:
    """Return the page of a citation, for `/cited/{audit_id}/{ref}`.

    `token`: of the form to sign out; without one there is none.
    """
    return _ENVIRONMENT.get_template("citation.html").render(view=view, token=token)


def notice_page(notice: web.Notice, token: str = "", sign_in: str = "") -> str:
    """Return a page of a few words; `sign_in`: where its button leads, if it has one."""
    return _ENVIRONMENT.get_template("notice.html").render(
        notice=notice, token=token, sign_in=sign_in, button=web.SIGN_IN_BUTTON
    )


def _shown(value: object) -> object:
    """Take what cannot be seen out of a text; what a template made of its own stays."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
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
    environment.globals["words"] = wording
    environment.globals["style"] = Markup(STYLE)  # noqa: S704 - a file of ours
    return environment


_ENVIRONMENT = _environment()


@dataclass(frozen=True, slots=True)
class CitationPages:
    """What a reader is shown of a citation; None where that is nothing, for whatever reason."""

    citations: Citations

    def page(
        self, audit_id: str, ref: str, reader: Person | None, asked: Mapping[str, str], token: str
    ) -> Response | None:
        """Return the page; `asked`: what stands behind the `?` of the address."""
        at, version = asked.get("at", ""), asked.get("version", "")
        found = self.citations.find(audit_id, ref, reader, at, version)
        if isinstance(found, NotShown):
            return None
        return HTMLResponse(citation_page(found, token), headers=dict(HEADERS))

    def picture(
        self, audit_id: str, ref: str, page: str, reader: Person | None, asked: Mapping[str, str]
    ) -> Response | None:
        """Return a page of the document as PNG; `asked` as above."""
        found = self.citations.picture(audit_id, ref, page, reader, asked.get("version", ""))
        if isinstance(found, NotShown):
            return None
        return Response(found, media_type="image/png", headers=dict(HEADERS))
