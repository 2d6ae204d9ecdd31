"""Addresses of citations' pages that are posted show what everyone who reads them there may read.

Whoever opens the preview sees it in a pane of their own, by what they themselves may read: Slack's
Work Objects (docs.slack.dev/messaging/work-objects-implementation). Of what somebody may not read
nothing is said, as where there is nothing. Where Slack takes no work object, as of an app for which
they were not switched on, the preview is one of blocks.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from audit.errors import AmbiguousId, UnknownRecord
from audit.log import AuditReader
from audit.record import AuditRecord
from audit.teams import team_of
from audit.values import Cited, is_attached
from bot.access.channels import is_direct
from bot.access.people import Person
from bot.access.reading import RecordAccess, RecordView
from bot.answering.citations.links import CitedLinks, cited_at
from bot.slack.blocks.elements import in_line, line, quotation, rich, trimmed, words
from bot.slack.blocks.sources import kind_in_words
from bot.slack.clicked import record_for, unlisted_in
from bot.slack.failures import in_doubt, understand
from bot.slack.workspaces import client_of
from bot.wording import slack as wording

LINK_SHARED, DETAILS_REQUESTED = "link_shared", "entity_details_requested"
MOST_LINKS = 5
"""Of one message."""
log = logging.getLogger(__name__)


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
