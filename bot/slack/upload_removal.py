"""Deletes from Slack what the bot uploaded, as long as that takes."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack.failures import code_of, understand
from bot.slack.uploads import Upload, Uploads

LONGEST_WAIT = timedelta(hours=12)
"""Between two attempts, of which each waits twice as long as the one before. There is no last one:
what it shows of a document is not forgotten in Slack, however long the bot is kept out."""
_MOST_DOUBLED = 16
GONE = frozenset({"file_deleted", "file_not_found"})
UNDELETABLE = frozenset({"cant_delete_file", "delete_not_allowed", "file_deleting_disabled"})
"""It is not the bot's, or nobody may delete anything
(docs.slack.dev/reference/methods/files.delete)."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UploadRemover:
    """Takes files one after another: nobody waits for them."""

    client: WebClient
    uploads: Uploads
    now: Callable[[], datetime]

    def __call__(self) -> bool:
        """Delete the next and tell whether one was due; raise what the inbox raises."""
        upload = self.uploads.take(self.now())
        if upload is None:
            return False
        try:
            self._delete(upload)
        except Exception as error:
            self._failed(upload, error)
        else:
            self.uploads.done(upload)
        return True

    def _delete(self, upload: Upload) -> None:
        try:
            self.client.files_delete(file=upload.file_id)
        except SlackApiError as error:
            if code_of(error) in UNDELETABLE:
                log.error(
                    "Slack lets nobody delete the picture %s of cited lines (%s), so it stays, "
                    "private to the bot. VOUCH_SLACK_PICTURES=false uploads no more.",
                    upload.file_id,
                    code_of(error),
                )
            elif code_of(error) not in GONE:
                raise

    def _failed(self, upload: Upload, error: Exception) -> None:
        failure = understand(error)
        log.warning("The picture %s stays in Slack for now: %s", upload.file_id, error)
        attempts = upload.attempts
        if failure.retry_after is None:
            attempts = min(attempts + 1, _MOST_DOUBLED)
            wait = min(failure.wait(1) * 2.0**attempts, LONGEST_WAIT)
        else:
            wait = failure.wait(attempts)
        self.uploads.postpone(upload, self.now() + wait, attempts=attempts)


def in_turn(*removers: Callable[[], bool]) -> Callable[[], bool]:
    """Let each remove one of its own; whether any of them had something to do."""

    def remove() -> bool:
        worked = [remover() for remover in removers]
        return any(worked)

    return remove


KEPT = timedelta(hours=1)
"""How long an uploaded picture stays: as long as somebody may look at the window it is in."""
