"""What administrators ask with `/audit`: what was answered, from which source, and why.

And what people said of answers, how jobs stand, what is kept out. Who is an administrator is looked
up anew at the command and at every click.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Any, Generic, TypeVar

from slack_bolt import Ack, App, Respond
from slack_sdk import WebClient

from audit.errors import AmbiguousId, UnknownRecord
from audit.feedback import FeedbackQuery, GivenFeedback
from audit.finding.queries import RecordQuery, Summary
from audit.log import AuditReader
from audit.record import AuditEvent, AuditRecord, Candidate
from audit.values import known_as, team_of
from bot import wording as shared
from bot.access import asked
from bot.access.asked import TIMES, FindDocument, Finders, FindPerson, as_it_stands, words_of
from bot.access.names import AuditNames
from bot.access.reading import is_of_team
from bot.answering.in_words import (
    asking_facts,
    deciding_facts,
    event_in_words,
    making_facts,
    shown_as,
)
from bot.errors import UnknownDocument, WrongUse
from bot.jobs.runs import JobStatus
from bot.slack.blocks.elements import (
    MESSAGE,
    MODAL,
    Block,
    Element,
    Message,
    RichPiece,
    View,
    actions,
    bullets,
    button,
    ends,
    fit,
    fitting,
    header,
    in_line,
    labelled,
    line,
    modal,
    note,
    own_message,
    plain,
    quotation,
    rich,
    section,
    spoken,
    text_room,
    trimmed,
    weight,
    words,
)
from bot.slack.blocks.evidence import candidate_block, claim_block, confidences, several
from bot.slack.blocks.sentences import Sentences
from bot.slack.clicked import open_modal
from bot.slack.directory import SlackPeople
from bot.slack.message_events import mentioned, spoken_words
from bot.slack.steps.sending import message_fields
from bot.wording import documents
from bot.wording import evidence as wording
from bot.wording import jobs as jobs_wording
from bot.wording import slack as replies
from bot.wording.erasing import ERASED
from bot.wording.referrals import MAKE_STANDARD
from retrieval.documents.holdings import KeptOut


def _facts(facts: Mapping[str, str], detail: int) -> list[RichPiece]:
    return [labelled(name, in_line(text, text_room(detail))) for name, text in facts.items()]


MOST_LISTED = 20
"""Records in one message; ask the store for no more."""
_LONGEST_VALUE = 2_000
"""Of a button, in Slack's Block Kit reference."""
_LONGEST_LINE = 400
_MOST_EVENTS = 20
_CODE = re.compile(r"`([^`]+)`")


def audit_list(
    records: Sequence[Summary], query_words: str, more: str | None, *, older: bool = False
) -> Message:
    heading = wording.audit_heading(asked_for(query_words), older=older)
    told = [in_line(_in_words(each), _LONGEST_LINE) for each in records]
    return _with_buttons(heading, records, told, more_button(more, "audit_more"))


def _with_buttons(
    heading: str,
    listed: Sequence[Summary | GivenFeedback],
    items: Sequence[str],
    bottom: Sequence[Block],
) -> Message:
    top = rich(line(words(heading, bold=True)))
    frame = weight([top, *(_row(each, "") for each in listed), *bottom])
    lines = fit(items, MESSAGE - frame)
    rows = [_row(each, text) for each, text in zip(listed, lines, strict=True)]
    return Message(spoken("\n".join([heading, *lines])), (top, *rows, *bottom))


def audit_record(
    record: AuditRecord,
    events: Sequence[AuditEvent],
    sequence: int,
    hash: str,  # noqa: A002 - the chain's own word
) -> View:
    place = wording.place_in_chain(sequence, hash)
    return fitting(partial(_view, record, events, place), MODAL)


def audit_nothing(query_words: str) -> Message:
    return _nothing(wording.audit_nothing(asked_for(query_words)))


def _nothing(said: str) -> Message:
    return Message(spoken(said), (rich(line(words(said))),))


def audit_usage(problem: str = "") -> Message:
    said = [in_line(problem, 900)] if problem else []
    above = [rich(line(*_with_code(each))) for each in said]
    return Message(spoken("\n".join([*said, wording.USAGE])), (*above, section(wording.USAGE)))


def kept_out_list(kept_out: Sequence[tuple[str, str]]) -> Message:
    if not kept_out:
        return Message(documents.KEPT_OUT_NONE, (section(documents.KEPT_OUT_NONE),))
    heading = documents.kept_out_heading(len(kept_out))
    lines = [in_line(f"{file} {reason}", _LONGEST_LINE) for file, reason in kept_out]
    shown = lines[:MOST_LISTED]
    if len(lines) > len(shown):
        shown.append(documents.kept_out_more(len(lines) - len(shown)))
    listed = bullets([line(words(each)) for each in shown])
    return Message(
        spoken("\n".join([heading, *shown])), (rich(line(words(heading, bold=True)), listed),)
    )


def asked_for(query_words: str) -> str:
    return in_line(query_words, 300) if query_words.strip() else ""


def _with_code(text: str) -> list[Element]:
    pieces = enumerate(_CODE.split(text))  # every second one stood in backticks
    styles = [{}, {"style": {"code": True}}]
    return [{**words(piece), **styles[number % 2]} for number, piece in pieces if piece]


def _row(listed: Summary | GivenFeedback, text: str) -> Block:
    """Use plain text, for a rich text block cannot have a button beside it."""
    opening = button(wording.OPEN, "audit_open", listed.audit_id)
    return {"type": "section", "text": plain(text, emoji=False), "accessory": opening}


def _in_words(record: Summary) -> str:
    who = record.person_name or record.person_id
    where = [f"#{record.channel_name}"] if record.channel_name else []
    said = [shared.minute(record.time), who, *where, record.decision, record.question or ERASED]
    return " · ".join(said)


def more_button(value: str | None, action_id: str) -> list[Block]:
    """Offer older ones; a value that no button can hold asks to narrow the search instead."""
    if value is None:
        return []
    if len(value) > _LONGEST_VALUE:
        return [section(wording.NARROW)]
    return [actions(button(wording.MORE, action_id, value))]


def _view(record: AuditRecord, events: Sequence[AuditEvent], chain: str, detail: int) -> View:
    claim = partial(claim_block, mark_of=Sentences.of(record).mark_of, detail=detail)
    dropped = partial(claim_block, mark_of=lambda _: "", detail=detail)
    ranked = sorted(record.candidates, key=lambda each: not each.used)  # each kind best first
    output = record.writer.output
    written = [quotation(trimmed(output, 2 * text_room(detail)))] if output.strip() else []
    review = actions(button(MAKE_STANDARD, "make_standard", record.audit_id))
    blocks = [
        section(replies.headline_sure(shown_as(record), record.confidence.overall)),
        rich(*_facts(asking_facts(record), detail)),
        header(wording.REPLY),
        rich(quotation(trimmed(record.reply, 2 * text_room(detail)))),
        rich(*_facts(deciding_facts(record), detail), *confidences(record.confidence)),
        *several(wording.SAID, record.claims, detail, claim),
        *several(wording.DROPPED, record.dropped, detail, dropped),
        *several(wording.CANDIDATES, ranked, detail, _candidate),
        *([review] if record.claims else []),
        *_titled(wording.WRITTEN, written),
        *_titled(wording.MADE_WITH, _facts(making_facts(record), detail)),
        *_titled(wording.LATER, list(_event_lines(events, detail))),
        rich(line(words(in_line(chain, 300)))),
        note(replies.audit_footer(record.audit_id)),
    ]
    return modal(wording.AUDIT_TITLE, "audit_record", "", blocks, close=replies.CLOSE)


def _candidate(candidate: Candidate) -> Block:
    used = f"{wording.USED}: " if candidate.used else ""
    title = f"{used}{candidate.file} ({wording.VERSION} {candidate.version})"
    return candidate_block(candidate, title)


def _titled(title: str, parts: Sequence[RichPiece]) -> list[Block]:
    return [header(title), rich(*parts)] if parts else []


def _event_lines(events: Sequence[AuditEvent], detail: int) -> Iterator[RichPiece]:
    shown = ends(events, _MOST_EVENTS)
    yield from (_event(each, detail) for each in shown.first)
    if shown.omitted:
        yield line(words(wording.more(shown.omitted), italic=True))
    yield from (_event(each, detail) for each in shown.last)


def _event(event: AuditEvent, detail: int) -> RichPiece:
    return line(words(in_line(event_in_words(event), text_room(detail))))


def feedback_list(
    given: Sequence[GivenFeedback], query_words: str, more: str | None, *, older: bool = False
) -> Message:
    heading = wording.feedback_heading(asked_for(query_words), older=older)
    told = [_feedback_in_words(each) for each in given]
    return _with_buttons(heading, given, told, more_button(more, "feedback_more"))


def feedback_nothing(query_words: str) -> Message:
    return _nothing(wording.feedback_nothing(asked_for(query_words)))


def _feedback_in_words(given: GivenFeedback) -> str:
    said = wording.feedback_in_words(given.value, given.why, given.file, given.words)
    who = given.person_name or given.person_id
    parts = [shared.minute(given.time), who, in_line(said, 400), in_line(given.question, 400)]
    return " · ".join(parts)


_LONGEST_JOB = 700


def job_list(jobs: Sequence[JobStatus]) -> Message:
    said = [(job.name, in_line(job.in_words, _LONGEST_JOB)) for job in jobs]
    listed = [line(words(name, bold=True), words(f": {how}")) for name, how in said]
    lines = [f"{name}: {how}" for name, how in said]
    heading = line(words(jobs_wording.HEADING if jobs else jobs_wording.NO_JOBS, bold=True))
    parts = [heading, bullets(listed)] if listed else [heading]
    return Message(spoken("\n".join([jobs_wording.HEADING, *lines])), (rich(*parts),))


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

    @property
    def older(self) -> bool:
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
        raise WrongUse(replies.audit_not_understood(rest.strip()))
    stated = {key: value for key, value in asdict(asked.query).items() if value is not None}
    for key in stated.keys() - {*_FEEDBACK_KEYS, "limit"}:
        raise WrongUse(replies.audit_no_key_of_feedback(key))
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

    def on(self, app: App) -> None:
        app.command("/audit")(self.command)
        app.action("audit_open")(self.open)
        app.action("audit_more")(self.more)
        app.action("feedback_more")(self.more_feedback)

    def command(self, ack: Ack, body: dict[str, Any], client: WebClient, respond: Respond) -> None:
        ack()
        said, team = str(body.get("text") or ""), team_of(body["user_id"])
        try:
            may = self._may(body["user_id"])
            asked = self._understood(said, team) if may else own_message(wording.NOT_ADMIN)
            if isinstance(asked, OneRecord):
                self._show(asked.audit_id, body, client)
            else:
                _tell(respond, asked)
        except (WrongUse, UnknownDocument, UnknownRecord, AmbiguousId) as problem:
            _tell(respond, audit_usage(str(problem)))

    def _understood(self, said: str, team: str) -> Message | OneRecord:
        typed = said.strip().casefold()
        if typed in HELP:
            return audit_usage()
        if typed.replace("-", " ").split() == KEPT_OUT:
            return kept_out_list([(each.file, each.reason) for each in self.kept_out(team)])
        if typed == JOBS:
            return own_message(wording.JOBS_ELSEWHERE) if team else job_list(self.jobs())
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
            _tell(respond, own_message(wording.NOT_ADMIN))

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
        _tell(respond, listed(team_of(user)) if may else own_message(wording.NOT_ADMIN))

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
        """Return the id under which somebody's questions are kept: of a guest it is Slack's."""
        for mention in mentioned(said):
            user = known_as(team, mention)
            person = self.people.person(user)
            return person.id if person else user
        return self.names.person(said.lstrip("@"), team)

    def _list(self, asked: AuditListing[RecordQuery], team: str) -> Message:
        """Only what was asked in a workspace is listed, whatever a button asks for."""
        page = self.records.find(replace(asked.query, team=team))
        if not page.records:
            return audit_nothing(asked.words)
        more = button_for_older(asked, page.next)
        return audit_list(page.records, asked.words, more, older=asked.older)

    def _show(self, audit_id: str, body: Mapping[str, Any], client: WebClient) -> None:
        stored = self.records.record(audit_id)
        record, user = stored.record, body.get("user_id") or body["user"]["id"]
        if not is_of_team(record, team_of(user)):  # said as if there were none
            raise UnknownRecord(f"No record has the id {audit_id!r}. List the records to find it.")
        events = self.records.happened_to(record.audit_id)
        view = audit_record(record, events, stored.sequence, stored.hash)
        open_modal(client, body["trigger_id"], view)


def _tell(respond: Respond, message: Message) -> None:
    respond(**message_fields(message), response_type="ephemeral", replace_original=False)
