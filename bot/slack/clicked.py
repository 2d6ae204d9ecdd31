"""Where something was clicked, by whom, under which reply; and how to answer a click.

For opening a modal Slack gives three seconds from the click.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slack_bolt import Ack
from slack_sdk import WebClient
from slack_sdk.web import SlackResponse

from audit.errors import UnknownRecord
from audit.log import AuditReader
from audit.record import AuditRecord, EventKind
from audit.values import Channel, PersonRecord, known_as, team_of
from bot.access.channels import is_direct
from bot.access.people import UNLISTED
from bot.access.reading import is_of_team
from bot.slack.blocks.elements import LONGEST_ERROR, Message, View, modal, own_message, section
from bot.slack.directory import SlackPeople
from bot.slack.failures import UNSENT, code_of
from bot.slack.steps.sending import message_fields, respond
from bot.wording import slack as wording
from retrieval.metadata.access import TEAM

LATE = frozenset({"expired_trigger_id", "trigger_expired"})
"""(docs.slack.dev/reference/methods/views.open)"""


class NotOpened(Exception):
    """No modal came; `late`: the three seconds were over."""

    def __init__(self, *, late: bool) -> None:
        super().__init__("late" if late else "refused or not sent")
        self.late = late


def open_modal(client: WebClient, trigger_id: str, view: View | dict[str, Any]) -> str:
    """Return the id by which it can be updated. Raise `NotOpened`."""
    return _shown(client.views_open, trigger_id, view)


def push_modal(client: WebClient, trigger_id: str, view: View) -> None:
    """Lay it over the one that was clicked in; raise `NotOpened`."""
    _shown(client.views_push, trigger_id, view)


def _shown(show: Callable[..., SlackResponse], trigger_id: str, view: View | dict[str, Any]) -> str:
    try:
        answer = show(trigger_id=trigger_id, view=view)
    except UNSENT as error:
        raise NotOpened(late=code_of(error) in LATE) from error
    return str((answer.get("view") or {}).get("id") or "")


def refuse(ack: Ack, field: str, why: str) -> None:
    """Say under a field of a form that was sent what is wrong with it; the form stays."""
    ack(response_action="errors", errors={field: why[:LONGEST_ERROR]})


def conclude(ack: Ack, title: str, callback_id: str, said: str) -> None:
    """Say in place of a form that was sent what came of it."""
    done = modal(title, callback_id, "", [section(said)], close=wording.CLOSE)
    ack(response_action="update", view=done)


log = logging.getLogger(__name__)


def record_for(records: AuditReader, audit_id: str, user: str) -> AuditRecord:
    """Return a workspace's record by its whole id; raise `UnknownRecord` or `AmbiguousId`."""
    record = records.record(audit_id).record
    if not is_of_team(record, team_of(user)):
        raise UnknownRecord(f"{audit_id} is no record of an answer.")
    return record


def audience_of(body: Mapping[str, Any], record: AuditRecord) -> str | None:
    """Return the channel that reads what was clicked, of guests for others; None for one alone."""
    channel, team = str(body["channel"]["id"]), (body.get("team") or {}).get("id")
    if is_direct(channel) or (_is_for_one(body) and not record.channel.id):
        return None
    a_stranger = body["user"].get("team_id", team) != team
    for_guests = a_stranger or not record.filter.facets.keys() - {TEAM}
    return unlisted_in(channel) if for_guests else channel


def unlisted_in(channel: str) -> str:
    """Return what stands for the guests of a channel's workspace."""
    return known_as(team_of(channel), UNLISTED)


def _is_for_one(body: Mapping[str, Any]) -> bool:
    return (body.get("container") or {}).get("is_ephemeral") is True


def post_ephemeral(client: WebClient, body: Mapping[str, Any], said: str | Message) -> None:
    """Say something to the one who clicked, where they clicked, unseen by others."""
    if _is_for_one(body) and body.get("response_url"):  # the bot may be no member there
        respond(body["response_url"], own_message(said) if isinstance(said, str) else said)
        return
    # Of an ephemeral message Slack tells only the container.
    stands = body.get("message") or body.get("container") or {}
    client.chat_postEphemeral(
        channel=body["channel"]["id"],
        user=body["user"]["id"],
        thread_ts=stands.get("thread_ts"),
        **({"text": said} if isinstance(said, str) else message_fields(said)),
    )


@dataclass(frozen=True, slots=True)
class Replies:
    """Finds the reply under which somebody clicked."""

    records: AuditReader
    people: SlackPeople

    def clicked(
        self, audit_id: str, body: Mapping[str, Any], client: WebClient
    ) -> AuditRecord | None:
        """Return the record if its reply stands where the click came from; else tell the person."""
        try:
            record = record_for(self.records, audit_id, body["user"]["id"])
        except UnknownRecord:
            post_ephemeral(client, body, wording.NOT_THERE)
            return None
        if not self._stands_here(record, body):
            log.warning("A click in another conversation asked for record %s", audit_id)
            post_ephemeral(client, body, wording.NOT_HERE)
            return None
        return record

    def _stands_here(self, record: AuditRecord, body: Mapping[str, Any]) -> bool:
        """Or is shown to the asker alone, who may click before its delivery is recorded."""
        asked, *delivered = self.places(record)
        if any(place.id == body["channel"]["id"] for place in (asked, *delivered)):
            return True
        alone = is_direct(body["channel"]["id"]) or _is_for_one(body)
        return alone and not delivered and record.person.id == self.who(body).id

    def places(self, record: AuditRecord) -> Sequence[Channel]:
        """Return where it was asked, and last where it was delivered: a reply may have moved."""
        events = self.records.happened_to(record.audit_id)
        return (
            record.channel,
            *(event.channel for event in events if event.kind is EventKind.DELIVERED),
        )

    def who(self, body: Mapping[str, Any]) -> PersonRecord:
        user = body["user"]["id"]
        person = self.people.person(user) or self.people.guest(user)
        return PersonRecord(id=person.id, name=person.name)
