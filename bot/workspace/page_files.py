"""The page shows a file to whoever sees a modal that holds it."""

from dataclasses import dataclass

from starlette.responses import Response

from bot.workspace.files import Files
from bot.workspace.methods.refusal import Refused
from bot.workspace.views import Views

_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class PageFiles:
    """It reads files for the page."""

    files: Files
    views: Views

    def content(self, user: str, file_id: str) -> Response:
        """Raise `Refused` where nobody showed it to this person, as where there is none."""
        if not self.views.shows(user, file_id):
            raise Refused("file_not_found")
        file = self.files.shown(file_id)
        return Response(file.content, media_type=file.mimetype, headers=_HEADERS)
