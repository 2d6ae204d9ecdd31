"""Uploads pictures that nobody but the bot may see until it shows them.

`files.completeUploadExternal` without a channel keeps a file private
(docs.slack.dev/reference/methods/files.completeUploadExternal); the same token shows it.
"""

import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from urllib.error import URLError

from slack_sdk import WebClient

from bot.slack.upload_removal import KEPT
from bot.slack.uploads import Uploads
from bot.wording import evidence as wording

SECONDS = 20
"""How long sending a picture may take."""


@dataclass(frozen=True, slots=True)
class PictureUploads:
    """What it uploads is noted to be deleted, before anything is in it."""

    client: WebClient
    uploads: Uploads
    now: Callable[[], datetime]

    def upload(self, png: bytes) -> str:
        """Upload a picture; the file's id. Its name says nothing of what is on it.

        Raise one of `failures.UNSENT`, or what the inbox raises.
        """
        begun = self.client.files_getUploadURLExternal(filename="lines.png", length=len(png))
        file_id, url = str(begun["file_id"]), str(begun["upload_url"])
        self.uploads.add(file_id, self.now() + KEPT)
        _send(url, png)
        self.client.files_completeUploadExternal(
            files=[{"id": file_id, "title": wording.PICTURE_TITLE}]
        )
        return file_id


def _send(url: str, content: bytes) -> None:
    """Raise `URLError` or `OSError`."""
    if not url.startswith(("https://", "http://")):
        raise URLError("Slack names no address to upload to")
    kind = {"Content-Type": "application/octet-stream"}
    request = urllib.request.Request(url, content, kind)  # noqa: S310  # http alone, see above
    with urllib.request.urlopen(request, timeout=SECONDS):  # noqa: S310
        pass
