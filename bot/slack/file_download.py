"""Fetches a file that somebody posted in Slack, from Slack alone.

The bot's token goes with the request, so it goes to no other host, and no redirect is followed.
Whoever may not read a file is sent to a page to sign in on, as HTML with status 200 (or by a
redirect): that is no file (docs.slack.dev/reference/objects/file-object, "Authentication").
"""

import time
import urllib.request
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit

MEGABYTES = 20
MOST_BYTES = MEGABYTES * 1_000_000
SECONDS = 30.0
"""For all of a file; and for each wait for more of it."""
_PIECE = 1 << 16
_HOSTS = ("slack.com", "slack-gov.com", "slack-files.com")


class NotHandedOver(Exception):
    """Slack does not give the file to the bot, and will not another time."""


class TooLarge(Exception):
    """It has more than `MOST_BYTES`, whatever was said of it."""


class _Nowhere(urllib.request.HTTPRedirectHandler):
    """Follows nothing: the token would go along."""

    def redirect_request(self, *_: Any) -> None:
        raise NotHandedOver("a redirect")


@dataclass(frozen=True, slots=True)
class Download:
    token: str
    api_url: str
    """Of the Web API: what serves that may serve files, too."""

    def __call__(self, url: str, size: int, *, html: bool) -> bytes:
        """Return the file's bytes: `size`, as Slack states it. `html`: it is a page itself.

        Raise `NotHandedOver`, `TooLarge`, or `OSError` where it may work another time.
        """
        if not self._is_of_slack(url):
            raise NotHandedOver("not on a host of Slack's")
        if size > MOST_BYTES:
            raise TooLarge
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.token}"})  # noqa: S310  # see above
        opener = urllib.request.build_opener(_Nowhere)
        try:
            with opener.open(request, timeout=SECONDS) as answer:
                if not html and answer.headers.get_content_type() == "text/html":
                    raise NotHandedOver("a page to sign in on")
                content = _all_of(answer)
        except HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise NotHandedOver(f"status {error.code}") from error
            raise
        if len(content) != size:
            raise NotHandedOver(f"{len(content)} bytes in place of {size}")
        return content

    def _is_of_slack(self, url: str) -> bool:
        asked, own = urlsplit(url), urlsplit(self.api_url)
        if (asked.scheme, asked.netloc) == (own.scheme, own.netloc):
            return True
        host = (asked.hostname or "").lower()
        is_slack = any(host == each or host.endswith(f".{each}") for each in _HOSTS)
        return asked.scheme == "https" and is_slack and asked.netloc.lower() == host


def _all_of(answer: Any) -> bytes:
    """Raise `TooLarge`, or `TimeoutError` for what comes drop by drop."""
    until, content = time.monotonic() + SECONDS, bytearray()
    while piece := answer.read1(_PIECE):
        content += piece
        if len(content) > MOST_BYTES:
            raise TooLarge
        if time.monotonic() > until:
            raise TimeoutError("the file takes too long")
    return bytes(content)
