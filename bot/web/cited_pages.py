"""A citation's page and its pictures as they are sent to a browser."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import HTMLResponse, Response

from bot.access import Person
from bot.web.citations import Citations
from bot.web.pages import HEADERS, citation_page
from bot.web.views import NotShown


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
