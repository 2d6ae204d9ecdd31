"""The page of what was asked in a week and not answered, for administrators."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from starlette.responses import HTMLResponse, Response

from bot.answering.digest import Digest, Week
from bot.web.pages import HEADERS, digest_page

WEEKS = 13
"""That can be chosen, this one among them."""


@dataclass(frozen=True, slots=True)
class DigestPages:
    """Every week shows what its channels were told; safe to share between threads."""

    digest: Callable[[Week, str], Digest]
    this_week: Callable[[], Week]
    names: Callable[[], Mapping[str, str]]
    """Of channels, by id."""

    def __call__(self, asked: Mapping[str, str], token: str, team: str) -> Response | None:
        """Return the page of the week that the address names, else of the last one that is over.

        None for what names no week that has begun. `token`: for the form to sign out; `team`: the
        workspace of which it tells, empty for the home's own.
        """
        now = self.this_week()
        named = asked.get("week", "")
        week = Week.named(named) if named else now.earlier()
        if week is None or week > now:
            return None
        choices = [now.earlier(ago) for ago in range(WEEKS)]
        choices += [] if week in choices else [week]
        return HTMLResponse(
            digest_page(self.digest(week, team), choices, now, self.names(), token),
            headers=dict(HEADERS),
        )
