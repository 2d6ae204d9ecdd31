"""What is cited is shown: as pictures in an evidence modal, and under an address that is posted.

A modal must open within three seconds of the click, so it opens with words alone, and pictures are
added. `files.completeUploadExternal` without a channel keeps a file private
(docs.slack.dev/reference/methods/files.completeUploadExternal); the same token shows it.

Addresses of citations' pages show what everyone who reads them there may read. Whoever opens the
preview sees it in a pane of their own, by what they themselves may read: Slack's Work Objects
(docs.slack.dev/messaging/work-objects-implementation). Of what they may not read nothing is said.
"""

import logging
import time
import urllib.request
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event, Lock
from typing import Any
from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.errors import AmbiguousId, UnknownRecord
from audit.log import AuditReader
from audit.record import AuditRecord
from audit.values import CitationRecord, Cited, is_attached, slack_id, team_of
from bot.access.channels import is_direct
from bot.access.people import Person
from bot.access.reading import RecordAccess, RecordView
from bot.answering.citations.links import CitedLinks, cited_at
from bot.errors import InboxUnavailable
from bot.slack.blocks.elements import View, in_line, line, quotation, rich, trimmed, words
from bot.slack.blocks.evidence import PlaceKey, evidence, place_key, to_be_pictured
from bot.slack.blocks.sources import kind_in_words
from bot.slack.clicked import record_for, unlisted_in
from bot.slack.failures import UNSENT, Throttle, code_of, in_doubt, understand
from bot.slack.inbox.removals import Upload, Uploads
from bot.slack.steps.posting import next_attempt
from bot.slack.workspaces import client_of
from bot.wording import slack as wording
from bot.wording.evidence import PICTURE_TITLE
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
        """Whether so many wait that nothing is to be added: its modal says so from the start."""
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
        """Upload a picture whose name tells nothing; its id. Raise one of `failures.UNSENT`."""
        begun = client.files_getUploadURLExternal(filename="lines.png", length=len(png))
        file_id, url = str(begun["file_id"]), str(begun["upload_url"])
        self._uploads.add(file_id, self._now() + PICTURES_KEPT)
        _send(url, png)
        client.files_completeUploadExternal(
            files=[{"id": slack_id(file_id), "title": PICTURE_TITLE}]
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


LINK_SHARED, DETAILS_REQUESTED = "link_shared", "entity_details_requested"
MOST_LINKS = 5
"""Of one message."""


@dataclass(frozen=True, slots=True)
class LinkPreviews:
    """Answers both events; a courtesy, whose failure only the log tells."""

    client: WebClient
    records: AuditReader
    person: Callable[[str], Person | None]
    visibility: RecordAccess
    pages: str
    """Where pages show what is cited, without a slash at its end."""

    def __call__(self, event: Mapping[str, Any], *, shared: bool) -> None:
        """`shared`: people of another company read there too. Raise one of `failures.UNSENT`."""
        team = team_of(str(event.get("user") or event.get("channel") or ""))
        client = client_of(self.client, team)
        if event["type"] == DETAILS_REQUESTED:
            self._present(client, event)
        else:
            self._unfurl(client, event, shared=shared)

    def _unfurl(self, client: WebClient, event: Mapping[str, Any], *, shared: bool) -> None:
        channel = str(event["channel"])
        audience = unlisted_in(channel) if shared or is_direct(channel) else channel
        urls = dict.fromkeys(str(each.get("url") or "") for each in event.get("links") or ())
        found = {url: self._cited(url, None, audience) for url in list(urls)[:MOST_LINKS]}
        shown = {url: cited for url, cited in found.items() if cited}
        if not shown:
            return
        where: dict[str, Any] = {"channel": channel, "ts": event.get("message_ts")}
        if event.get("unfurl_id") and event.get("source"):  # it is still being written
            where = {name: str(event[name]) for name in ("unfurl_id", "source")}
        entities = [
            {**self._entity(url, cited), "app_unfurl_url": url} for url, cited in shown.items()
        ]
        try:
            client.chat_unfurl(**where, metadata={"entities": entities})
        except SlackApiError as error:
            if understand(error).retry_after is not None or in_doubt(error):
                raise
            log.info("No work object was taken: %s", error)
            unfurls = {url: preview(cited) for url, cited in shown.items()}
            client.chat_unfurl(**where, unfurls=unfurls)

    def _present(self, client: WebClient, event: Mapping[str, Any]) -> None:
        """For one person alone, whoever else reads where they opened it."""
        link = event.get("link") or {}
        url = str(event.get("entity_url") or link.get("url") or "")
        cited = self._cited(url, self.person(str(event["user"])), None)
        trigger = str(event["trigger_id"])
        if cited is None:
            client.entity_presentDetails(trigger, error={"status": "not_found"})
        else:
            client.entity_presentDetails(trigger, metadata=self._entity(url, cited))

    def _entity(self, url: str, cited: Cited) -> dict[str, Any]:
        named = cited_at(url, self.pages)
        assert named is not None  # noqa: S101  # it was found by that
        address = CitedLinks(self.pages, named[0]).of_ref(named[1])
        return entity(cited, f"{named[0]}/{named[1]}", address)

    def _cited(self, url: str, reader: Person | None, audience: str | None) -> Cited | None:
        """Return what an address opens; None where reader and audience may not read it all."""
        named = cited_at(url, self.pages)
        of = reader.id if reader else audience or ""
        record = self._record(named[0], of) if named else None
        if named is None or record is None:
            return None
        cited = named[1].cited_by(record)
        if cited is None or not cited.quote.strip() or is_attached(cited.document_id):
            return None
        view = RecordView(record, self.visibility.withheld(record, reader, audience))
        return named[1].opened_in(view)

    def _record(self, audit_id: str, known: str) -> AuditRecord | None:
        """A beginning of an id opens nothing, nor does one of another workspace than `known`'s."""
        try:
            record = record_for(self.records, audit_id, known)
        except (UnknownRecord, AmbiguousId):
            return None
        return record if record.audit_id == audit_id else None


LONGEST_QUOTE = 1_000


def entity(cited: Cited, entity_id: str, url: str) -> dict[str, Any]:
    """Lay out title, quote and place as Slack's item of content.

    docs.slack.dev/messaging/work-objects-implementation, "Supported entity types".
    """
    beside = {"where": cited.place.in_words(), "kind": kind_in_words(cited), "file": cited.file}
    fields = [
        {"key": key, "label": wording.PREVIEW_LABELS[key], "type": "string", "value": value[:200]}
        for key, value in beside.items()
        if value
    ]
    return {
        "entity_type": "slack#/entities/content_item",
        "url": url,
        "external_ref": {"id": entity_id, "type": "citation"},
        "entity_payload": {
            "attributes": {
                "title": {"text": _title(cited)},
                "display_type": wording.CITATION,
                "product_name": wording.PRODUCT,
            },
            "fields": {"description": {"value": _quote(cited), "format": "plain_text"}},
            "custom_fields": fields,
            "display_order": ["description", *(each["key"] for each in fields)],
        },
    }


def preview(cited: Cited) -> dict[str, Any]:
    where = " · ".join(each for each in (_title(cited), cited.place.in_words()) if each)
    return {"blocks": [rich(quotation(_quote(cited)), line(words(where)))]}


def _title(cited: Cited) -> str:
    return in_line(cited.title if cited.title.strip() else cited.file, 150)


def _quote(cited: Cited) -> str:
    return trimmed(" ".join(cited.quote.split()), LONGEST_QUOTE)
