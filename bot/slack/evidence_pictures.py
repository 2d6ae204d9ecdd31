"""Adds pictures of the cited places to an evidence modal that stands open already.

A modal must open within three seconds of the click, so it opens with words alone. Whatever goes
wrong here, the words stand: it is logged, and nobody who reads hears of it.

`files.completeUploadExternal` without a channel keeps a file private
(docs.slack.dev/reference/methods/files.completeUploadExternal); the same token shows it.
"""

import logging
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Lock
from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.record import AuditRecord
from audit.teams import slack_id, team_of
from audit.values import CitationRecord
from bot.access.reading import RecordView
from bot.errors import InboxUnavailable
from bot.slack.blocks.elements import View
from bot.slack.blocks.evidence import PlaceKey, evidence, place_key, to_be_pictured
from bot.slack.failures import UNSENT, Throttle, code_of
from bot.slack.inbox.removals import Upload, Uploads
from bot.slack.steps.posting import next_attempt
from bot.slack.workspaces import client_of
from bot.wording import evidence as wording
from retrieval.errors import NoPicture, RetrievalError

SECONDS = 20
"""How long sending a picture may take."""


def _send(url: str, content: bytes) -> None:
    """Raise `URLError` or `OSError`."""
    if not url.startswith(("https://", "http://")):
        raise URLError("Slack names no address to upload to")
    kind = {"Content-Type": "application/octet-stream"}
    request = urllib.request.Request(url, content, kind)  # noqa: S310  # http alone, see above
    with urllib.request.urlopen(request, timeout=SECONDS):  # noqa: S310
        pass


THREADS = 2
MOST_WAITING = 20
"""Clicks whose pictures wait or are drawn; a click takes seconds, and who comes after that many
would have closed the modal before theirs come."""
WAITS = (0.3, 0.7, 1.5, 3.0, 6.0)
"""Seconds before each attempt: Slack looks at an uploaded file before a block may show it, and
does not say how long."""
COMPLAIN_SECONDS = 3_600.0
Draw = Callable[[CitationRecord], bytes]
"""A picture (PNG) of the place. Raise `NoPicture`, or what the library raises."""
log = logging.getLogger(__name__)


class EvidencePictures:
    """Works in threads of its own; `stop` ends it."""

    def __init__(
        self, client: WebClient, draw: Draw, uploads: Uploads, now: Callable[[], datetime]
    ) -> None:
        """`uploads`: where is noted what to delete again, before anything is in it."""
        self._client = client
        self._draw = draw
        self._uploads = uploads
        self._now = now
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="pictures")
        self._waiting, self._lock = 0, Lock()
        self._stopped = Event()
        self._may_not: dict[str, datetime] = {}
        """Until when nothing is tried in workspaces in which Slack refuses to take files."""
        self._throttle = Throttle(COMPLAIN_SECONDS, time.monotonic)

    @property
    def is_busy(self) -> bool:
        """Whether so many wait that nothing is to be added: its modal says so from the start.

        Clicks that look at once may each see the last place free.
        """
        with self._lock:
            return self._waiting >= MOST_WAITING

    def add(
        self, view_id: str, record: AuditRecord, withheld: frozenset[str], audience: str | None
    ) -> None:
        """Begin to add them; `withheld` and `audience` as the modal was made."""
        if not self._is_refused(team_of(record.person.id)) and not self._stopped.is_set():
            self._count(1)
            self._threads.submit(self._add, view_id, record, withheld, audience)

    def stop(self) -> None:
        """Begin nothing more; what is uploaded already is deleted by the next process."""
        self._stopped.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _add(
        self, view_id: str, record: AuditRecord, withheld: frozenset[str], audience: str | None
    ) -> None:
        team = team_of(record.person.id)
        client = client_of(self._client, team)
        try:
            pictures = self._uploaded(client, RecordView(record, withheld))
            if pictures:
                self._show(client, view_id, evidence(record, withheld, audience, pictures))
        except (*UNSENT, RetrievalError, InboxUnavailable) as error:
            self._complain(error, team)
        except Exception:
            log.exception("Evidence stays without pictures")
        finally:
            self._count(-1)

    def _is_refused(self, team: str) -> bool:
        return team in self._may_not and self._now() < self._may_not[team]

    def _count(self, more: int) -> None:
        with self._lock:
            self._waiting += more

    def _uploaded(self, client: WebClient, view: RecordView) -> dict[PlaceKey, str]:
        pictures: dict[PlaceKey, str] = {}
        for citation in to_be_pictured(view):
            try:
                png = self._draw(citation)
            except NoPicture as why:
                log.info("No picture of %s: %s", citation.file, why)
                continue
            if self._stopped.is_set():
                return {}
            pictures[place_key(citation)] = self._upload(client, png)
        return pictures

    def _upload(self, client: WebClient, png: bytes) -> str:
        """Upload a picture; the file's id. Its name says nothing of what is on it.

        Raise one of `failures.UNSENT`, or what the inbox raises.
        """
        begun = client.files_getUploadURLExternal(filename="lines.png", length=len(png))
        file_id, url = str(begun["file_id"]), str(begun["upload_url"])
        self._uploads.add(file_id, self._now() + PICTURES_KEPT)
        _send(url, png)
        client.files_completeUploadExternal(
            files=[{"id": slack_id(file_id), "title": wording.PICTURE_TITLE}]
        )
        return file_id

    def _show(self, client: WebClient, view_id: str, view: View) -> None:
        """Raise what Slack says at last; somebody who closed the modal wants no picture."""
        for attempt, seconds in enumerate(WAITS, start=1):
            if self._stopped.wait(seconds):
                return
            try:
                client.views_update(view_id=view_id, view=view)
            except SlackApiError as error:
                if code_of(error) == "not_found":
                    return
                if not _is_not_ready(error) or attempt == len(WAITS):
                    raise
            else:
                return

    def _complain(self, error: Exception, team: str) -> None:
        if code_of(error) == "missing_scope":
            if not self._is_refused(team):
                self._may_not[team] = self._now() + timedelta(seconds=COMPLAIN_SECONDS)
                where = f" in workspace {team}" if team else ""
                log.warning(
                    "Evidence stays without pictures%s: the app lacks the scope files:write. Add "
                    "it and install the app anew, or set VOUCH_SLACK_PICTURES=false.",
                    where,
                )
        elif self._throttle.may_say(type(error).__name__):
            log.warning("Evidence stays without pictures for now: %s", error)


def _is_not_ready(error: SlackApiError) -> bool:
    """Whether Slack does not know a file yet: "invalid slack file", among the errors of blocks."""
    messages = (error.response.get("response_metadata") or {}).get("messages") or []
    said = [*(error.response.get("errors") or []), *messages]
    return any("slack file" in str(each) for each in said)


PICTURES_KEPT = timedelta(hours=1)
"""How long an uploaded picture stays: as long as somebody may look at the window it is in."""
LONGEST_WAIT = timedelta(hours=12)
"""Between two attempts, of which each waits twice as long as the one before. There is no last one:
what it shows of a document is not forgotten in Slack, however long the bot is kept out."""
_MOST_DOUBLED = 16
PICTURE_GONE = frozenset({"file_deleted", "file_not_found"})
PICTURE_UNDELETABLE = frozenset(
    {"cant_delete_file", "delete_not_allowed", "file_deleting_disabled"}
)
"""It is not the bot's, or nobody may delete anything
(docs.slack.dev/reference/methods/files.delete)."""


@dataclass(frozen=True, slots=True)
class UploadRemover:
    """Takes files one after another: nobody waits for them."""

    client: WebClient
    uploads: Uploads
    now: Callable[[], datetime]

    def __call__(self) -> bool:
        upload = self.uploads.take(self.now())
        if upload is None:
            return False
        try:
            self._delete(upload)
        except Exception as error:
            log.warning("The picture %s stays in Slack for now: %s", upload.file_id, error)
            attempts, wait = next_attempt(error, min(upload.attempts, _MOST_DOUBLED), LONGEST_WAIT)
            self.uploads.postpone(upload, self.now() + wait, attempts=attempts)
        else:
            self.uploads.done(upload)
        return True

    def _delete(self, upload: Upload) -> None:
        try:
            self.client.files_delete(file=upload.file_id)
        except SlackApiError as error:
            if code_of(error) in PICTURE_UNDELETABLE:
                log.error(
                    "Slack lets nobody delete the picture %s of cited lines (%s), so it stays, "
                    "private to the bot. VOUCH_SLACK_PICTURES=false uploads no more.",
                    upload.file_id,
                    code_of(error),
                )
            elif code_of(error) not in PICTURE_GONE:
                raise
