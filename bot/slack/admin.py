"""What administrators ask with `/audit`, and the channel in which they are told things.

`/audit` shows what was answered, from which source, and why, and what people said of answers. Who
is an administrator is looked up anew at the command and at every click.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any, Generic, TypeVar

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from audit.errors import AmbiguousId, UnknownRecord
from audit.feedback import FeedbackQuery
from audit.finding.queries import RecordQuery
from audit.log import AuditReader
from audit.proof.checkpoints import Checkpoint
from audit.values import known_as, team_of
from bot.access import asked
from bot.access.asked import TIMES, FindDocument, Finders, FindPerson, as_it_stands, words_of
from bot.access.names import AuditNames
from bot.access.reading import is_of_team
from bot.errors import UnknownDocument, WrongUse
from bot.jobs.runs import JobStatus
from bot.slack.blocks import audit as blocks
from bot.slack.blocks.audit import feedback_list, feedback_nothing, job_list, kept_out_list
from bot.slack.blocks.elements import (
    SPOKEN,
    Message,
    line,
    own_message,
    preformatted,
    rich,
    spoken,
    trimmed,
    words,
)
from bot.slack.clicked import open_modal
from bot.slack.directory import SlackPeople
from bot.slack.message_events import mentioned, spoken_words
from bot.slack.steps.sending import message_fields, post
from bot.wording import evidence
from bot.wording import slack as wording
from retrieval.documents.holdings import KeptOut

SHOWN = 10
"""Records in one message: each takes two blocks of Slack's fifty."""
HELP = frozenset({"help", "?"})
KEPT_OUT = ["kept", "out"]
JOBS = "jobs"
_FEEDBACK = "feedback"
_FEEDBACK_KEYS = ("person", "since", "until")
_AUDIT_ID = re.compile(r"[0-9a-f]{8}-?[0-9a-f-]{0,28}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OneRecord:
    """An administrator wants one exchange in full."""

    audit_id: str


AuditQuery = TypeVar("AuditQuery", RecordQuery, FeedbackQuery)


@dataclass(frozen=True, slots=True)
class AuditListing(Generic[AuditQuery]):
    """An administrator wants several records, or what was said of answers, newest first."""

    query: AuditQuery
    words: str = ""
    """What was asked for, for the head of the list; empty for the latest of all."""

    @property
    def older(self) -> bool:
        """The first ones were shown before."""
        return self.query.before is not None


def parse(
    said: str,
    find_person: FindPerson,
    find_document: FindDocument,
    today: date,
    find_channel: Callable[[str], str] = as_it_stands,
) -> AuditListing[RecordQuery] | OneRecord:
    """Understand what follows `/audit`; raise `WrongUse` saying what to write instead."""
    words = words_of(said)
    if len(words) == 1 and _AUDIT_ID.fullmatch(words[0]):
        return OneRecord(words[0].lower())
    find = Finders(
        find_person,
        find_document,
        find_channel,
        lambda typed: spoken_words(typed, bot_user=""),
    )
    understood = asked.parse(said, find, today, SHOWN)
    return AuditListing(understood.query, understood.words)


def listing_value(listing: AuditListing[Any]) -> str:
    stated = {key: value for key, value in asdict(listing.query).items() if value is not None}
    told = {"words": listing.words, **stated}
    return json.dumps(told, default=datetime.isoformat, ensure_ascii=False)


def listing_of(button: str, query: type[AuditQuery]) -> AuditListing[AuditQuery]:
    stated: dict[str, Any] = json.loads(button)
    words = stated.pop("words", "")
    for key in TIMES & stated.keys():
        stated[key] = datetime.fromisoformat(stated[key])
    return AuditListing(query(**stated), words)


def button_for_older(listing: AuditListing[AuditQuery], following: int | None) -> str | None:
    """Return what the button for the next page carries; `following`: where that begins."""
    if following is None:
        return None
    return listing_value(replace(listing, query=replace(listing.query, before=following)))


def parse_feedback(said: str, find_person: FindPerson, today: date) -> AuditListing[FeedbackQuery]:
    """Understand what follows `/audit feedback`; raise `WrongUse` saying what to write instead."""
    rest = said.strip()[len(_FEEDBACK) :]
    asked = parse(rest, find_person, lambda document: document, today)
    if isinstance(asked, OneRecord):
        raise WrongUse(wording.audit_not_understood(rest.strip()))
    stated = {key: value for key, value in asdict(asked.query).items() if value is not None}
    for key in stated.keys() - {*_FEEDBACK_KEYS, "limit"}:
        raise WrongUse(wording.audit_no_key_of_feedback(key))
    known = {key: stated[key] for key in _FEEDBACK_KEYS if key in stated}
    return AuditListing(FeedbackQuery(**known, limit=SHOWN), asked.words)


@dataclass(frozen=True, slots=True)
class Admin:
    """The command and the buttons of its answers."""

    records: AuditReader
    people: SlackPeople
    names: AuditNames
    kept_out: Callable[[str], Sequence[KeptOut]]
    """What the last ingests kept from everyone of which a workspace hears."""
    today: Callable[[], date]
    """In UTC, as the times of records are."""
    jobs: Callable[[], Sequence[JobStatus]] = tuple
    """How scheduled jobs stand."""

    def on(self, app: App) -> None:
        app.command("/audit")(self.command)
        app.action("audit_open")(self.open)
        app.action("audit_more")(self.more)
        app.action("feedback_more")(self.more_feedback)

    def command(self, ack: Ack, body: dict[str, Any], client: WebClient, respond: Respond) -> None:
        """Answer `/audit ...`, to the administrator alone."""
        ack()
        said, team = str(body.get("text") or ""), team_of(body["user_id"])
        try:
            may = self._may(body["user_id"])
            asked = self._understood(said, team) if may else own_message(evidence.NOT_ADMIN)
            if isinstance(asked, OneRecord):
                self._show(asked.audit_id, body, client)
            else:
                _tell(respond, asked)
        except (WrongUse, UnknownDocument, UnknownRecord, AmbiguousId) as problem:
            _tell(respond, blocks.audit_usage(str(problem)))

    def _understood(self, said: str, team: str) -> Message | OneRecord:
        typed = said.strip().casefold()
        if typed in HELP:
            return blocks.audit_usage()
        if typed.replace("-", " ").split() == KEPT_OUT:
            return kept_out_list([(each.file, each.reason) for each in self.kept_out(team)])
        if typed == JOBS:
            return own_message(evidence.JOBS_ELSEWHERE) if team else job_list(self.jobs())
        person = partial(self._audited_as, team)
        if typed.split()[:1] == [_FEEDBACK]:
            return self._list_feedback(parse_feedback(said, person, self.today()), team)
        document = partial(self.names.document, team=team)
        channel = partial(self.names.channel, team=team)
        asked = parse(said, person, document, self.today(), channel)
        return asked if isinstance(asked, OneRecord) else self._list(asked, team)

    def open(self, ack: Ack, body: dict[str, Any], client: WebClient, respond: Respond) -> None:
        ack()
        if self._may(body["user"]["id"]):
            self._show(body["actions"][0]["value"], body, client)
        else:
            _tell(respond, own_message(evidence.NOT_ADMIN))

    def more(self, ack: Ack, body: dict[str, Any], respond: Respond) -> None:
        ack()
        asked = listing_of(body["actions"][0]["value"], RecordQuery)
        self._tell_admin(body, respond, lambda team: self._list(asked, team))

    def more_feedback(self, ack: Ack, body: dict[str, Any], respond: Respond) -> None:
        ack()
        asked = listing_of(body["actions"][0]["value"], FeedbackQuery)
        self._tell_admin(body, respond, lambda team: self._list_feedback(asked, team))

    def _tell_admin(
        self, body: Mapping[str, Any], respond: Respond, listed: Callable[[str], Message]
    ) -> None:
        user = body["user"]["id"]
        may = self._may(user)
        _tell(respond, listed(team_of(user)) if may else own_message(evidence.NOT_ADMIN))

    def _may(self, user: str) -> bool:
        person = self.people.person(user)
        return person is not None and person.admin

    def _list_feedback(self, asked: AuditListing[FeedbackQuery], team: str) -> Message:
        """Only what was said in a workspace is found, whatever a button asks for."""
        page = self.records.feedback(replace(asked.query, team=team))
        if not page.given:
            return feedback_nothing(asked.words)
        more = button_for_older(asked, page.next)
        return feedback_list(page.given, asked.words, more, older=asked.older)

    def _audited_as(self, team: str, said: str) -> str:
        """Return the id under which somebody's questions are kept: of a guest it is Slack's.

        Raise `UnknownPerson`.
        """
        for mention in mentioned(said):
            user = known_as(team, mention)
            person = self.people.person(user)
            return person.id if person else user
        return self.names.person(said.lstrip("@"), team)

    def _list(self, asked: AuditListing[RecordQuery], team: str) -> Message:
        """Only what was asked in a workspace is listed, whatever a button asks for."""
        page = self.records.find(replace(asked.query, team=team))
        if not page.records:
            return blocks.audit_nothing(asked.words)
        more = button_for_older(asked, page.next)
        return blocks.audit_list(page.records, asked.words, more, older=asked.older)

    def _show(self, audit_id: str, body: Mapping[str, Any], client: WebClient) -> None:
        stored = self.records.record(audit_id)
        record, user = stored.record, body.get("user_id") or body["user"]["id"]
        if not is_of_team(record, team_of(user)):  # said as if there were none
            raise UnknownRecord(f"No record has the id {audit_id!r}. List the records to find it.")
        events = self.records.happened_to(record.audit_id)
        view = blocks.audit_record(record, events, stored.sequence, stored.hash)
        open_modal(client, body["trigger_id"], view)


def _tell(respond: Respond, message: Message) -> None:
    """Tell the one who asked, unseen by others; earlier answers stay."""
    respond(**message_fields(message), response_type="ephemeral", replace_original=False)


@dataclass(frozen=True, slots=True)
class WitnessChannel:
    """A channel in which the audit log's checkpoints stand."""

    client: WebClient
    name: str
    """The channel's id."""

    def keep(self, checkpoint: Checkpoint) -> None:
        """Post it, to be copied as it is; raise what slack_sdk raises."""
        said = wording.checkpoint(checkpoint.size)
        shown = rich(line(words(said)), preformatted(checkpoint.note))
        post(self.client, self.name, Message(spoken(said), (shown,)))


def tell_channel(client: WebClient, channel: str, said: str) -> None:
    """Post it, with nothing of it read as markup; raise what slack_sdk raises."""
    shown = rich(line(words(trimmed(said, SPOKEN))))
    post(client, channel, Message(spoken(said), (shown,)))
