"""What people find of the app outside of conversations: its Home, its shortcuts, a form to ask.

All of Home is drawn anew each time that it is opened, for the person who opens it. Slack delivers a
shortcut once, so what is asked is stored before it is acknowledged.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from heapq import nlargest
from itertools import groupby, islice
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from audit.finding.queries import RecordQuery, Summary
from audit.log import AuditReader
from audit.record import AuditRecord
from audit.values import slack_id
from bot.access.people import Person
from bot.access.reading import is_still_asked, is_told
from bot.answering.citations.links import document_path
from bot.answering.in_words import shown_as
from bot.answering.recording import is_sought
from bot.answering.values import shortened
from bot.jobs.runs import JobStatus
from bot.slack.blocks import system_messages
from bot.slack.blocks.elements import (
    Block,
    Element,
    Message,
    RichPiece,
    actions,
    bullets,
    button,
    channel_select,
    emoji,
    form,
    form_field,
    header,
    in_line,
    line,
    link,
    note,
    own_message,
    picked_channel,
    plain,
    rich,
    section,
    text_input,
    typed,
    words,
)
from bot.slack.clicked import open_modal, record_for, refuse
from bot.slack.directory import SlackChannels, SlackPeople
from bot.slack.exchange import (
    Incoming,
    Intent,
    Origin,
    asked_openly,
    asked_privately,
    files_in,
)
from bot.slack.inbox.store import Inbox
from bot.slack.message_events import Understand, intent_of, spoken_words
from bot.slack.steps.sending import respond
from bot.wording import slack as wording
from bot.wording.documents import standing
from bot.wording.links import document_link
from retrieval.documents.holdings import KeptOut, SourceTimes
from retrieval.metadata.access import EVERYONE, TEAM
from retrieval.types import Document, Scope

ABOUT_MESSAGE = "ask_about_message"
ANYWHERE = "ask_anywhere"
_QUESTION, _CHANNEL = "question", "channel"


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """What the app's shortcuts do; `on` tells Bolt."""

    inbox: Inbox
    channels: SlackChannels
    bot_user: Callable[[str], str]
    understand: Understand
    now: Callable[[], datetime]

    def on(self, app: App) -> None:
        app.shortcut(ABOUT_MESSAGE)(self.about_message)
        app.shortcut(ANYWHERE)(open_ask_form)
        app.view(ANYWHERE)(self.asked)

    def about_message(self, ack: Ack, body: dict[str, Any]) -> None:
        """Ask what a message asks, for the one who chose it alone; it can be posted under it."""
        message, at = body["message"], str(body.get("response_url") or "")
        text = shortened(
            spoken_words(str(message.get("text") or ""), self.bot_user(body["user"]["id"]))
        )
        if intent_of(text, self.understand) is not Intent.QUESTION:
            ack()
            say_at(at, wording.ASKS_NOTHING)
            return
        thread = str(message.get("thread_ts") or message["ts"])
        key = f"{body['channel']['id']}:{message['ts']}"
        asked = asked_privately(
            f"shortcut:{body['trigger_id']}",
            text,
            body["user"]["id"],
            self.now(),
            stands_alone=True,
            origin=Origin(body["channel"]["id"], thread),
            respond_at=at,
            attached=tuple(replace(each, message=key) for each in files_in(message.get("files"))),
        )
        receipt = self.inbox.take_in(asked, self.now())
        ack()
        too_many = system_messages.too_many(receipt.waiting, [asked])
        say_at(at, too_many if receipt.refused else wording.ASKED_IN_PLACE)

    def asked(self, ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        """Take in what was written; a full inbox is said in the form, and nothing is lost."""
        values = view["state"]["values"]
        text = " ".join(typed(values, _QUESTION).split())
        if intent_of(text, self.understand) is not Intent.QUESTION:
            refuse(ack, _QUESTION, wording.ASKS_NOTHING)
            return
        channel = picked_channel(values, _CHANNEL)
        if channel and not self.channels.has(channel, body["user"]["id"]):
            refuse(ack, _CHANNEL, wording.NOT_BOTH_THERE)
            return
        receipt = self.inbox.take_in(self._incoming(body, view, text), self.now())
        if receipt.refused:
            refuse(ack, _QUESTION, wording.too_many(receipt.waiting))
        else:
            ack()

    def _incoming(self, body: Mapping[str, Any], view: Mapping[str, Any], text: str) -> Incoming:
        user, key = body["user"]["id"], f"form:{view['id']}"
        where = Origin(picked_channel(view["state"]["values"], _CHANNEL))
        if not where:
            return asked_privately(key, shortened(text), user, self.now(), stands_alone=True)
        shared = self.channels.is_shared(where.channel)
        return asked_openly(key, shortened(text), user, self.now(), where, shared=shared)


def open_ask_form(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
    """A question, and for whom it is answered: left open, for the asker alone."""
    ack()
    channel = channel_select(placeholder=plain(wording.ONLY_TO_ME))
    blocks: list[Block] = [
        form_field(_QUESTION, wording.YOUR_QUESTION, text_input()),
        form_field(_CHANNEL, wording.ANSWER_WHERE, channel, optional=True),
        note(wording.ANSWER_WHERE_HINT),
    ]
    view = form(wording.ASK_TITLE, ANYWHERE, "", blocks, wording.ASK)
    open_modal(client, body["trigger_id"], view)


def say_at(url: str, said: str | Message) -> None:
    """Say it to the one who used a shortcut or a button, alone."""
    if url:
        respond(url, own_message(said) if isinstance(said, str) else said)


_ASK, _SEARCH, _BEFORE, _AFTER = "home_ask", "home_search", "home_before", "home_after"
MOST_QUESTIONS = 5
LOOKED_AT = 100
"""Records of a person, among which are their last questions."""
MOST_DOCUMENTS = 30
"""On one page."""
_LONGEST_SEARCH = 200
"""Characters; Slack takes more than a button's value holds."""
MOST_LOOKED_AT = 20
"""Documents of which passages are read for what could be asked."""
MOST_PROMPTS = 4
"""Of `assistant.threads.setSuggestedPrompts` (docs.slack.dev)."""
_LONGEST = 120
"""Bytes of a name or a question in one line."""


@dataclass(frozen=True, slots=True)
class LibraryView:
    """What the library has, as far as a Home tab tells of it."""

    readable: Callable[[Scope], Sequence[Document]]
    """The documents that may be read in a scope, by unit and title."""
    suggested: Callable[[Document], str]
    """A question that a document answers; empty for none."""
    sources: Callable[[str], Sequence[SourceTimes]]
    """Those of which a workspace hears, and so what they kept out."""
    kept_out: Callable[[str], Sequence[KeptOut]]
    documents: Callable[[str], int]
    not_led: Callable[[str], Sequence[str]]
    """Questions of a workspace whose reviewed answers the check of claims refuses."""

    def prompts(self, scope: Scope) -> list[str]:
        """One question of each document of a scope: of its readers' own first, then the newest."""
        first = nlargest(
            MOST_LOOKED_AT, self.readable(scope), key=lambda e: (_is_for_some(e), e.ingested_at)
        )
        asked = islice(filter(None, map(self.suggested, first)), MOST_PROMPTS)
        return [in_line(each, _LONGEST) for each in asked]


@dataclass(frozen=True, slots=True)
class AppHome:
    """Draws the Home tab; `on` tells Bolt of what can be done there."""

    client: WebClient
    people: SlackPeople
    scope_for: Callable[[Person | None, str | None, date], Scope]
    records: AuditReader
    library: LibraryView
    jobs: Callable[[], Sequence[JobStatus]]
    today: Callable[[], date]
    pages: str
    """Where the pages in a browser are served, which show a document; empty where none are."""

    def on(self, app: App) -> None:
        app.action(_ASK)(open_ask_form)
        app.action(_SEARCH)(self.search)
        app.action(_BEFORE)(self.turn)
        app.action(_AFTER)(self.turn)

    def search(self, ack: Ack, body: dict[str, Any]) -> None:
        ack()
        self.show(body["user"]["id"], str(body["actions"][0].get("value") or ""))

    def turn(self, ack: Ack, body: dict[str, Any]) -> None:
        """Show another page; a button's value says which, and nothing of who may read it."""
        ack()
        page, _, sought = str(body["actions"][0].get("value") or "").partition(":")
        self.show(body["user"]["id"], sought, int(page) if page.isdecimal() else 0)

    def show(self, user: str, sought: str = "", page: int = 0) -> None:
        """Publish the tab; `page`: of the documents, from 0; beyond the last one, the last."""
        person = self.people.person(user)
        known = person or self.people.guest(user)
        scope = self.scope_for(person, None, self.today())
        asked = [_question(*each) for each in islice(self._asked_by(known.id), MOST_QUESTIONS)]
        blocks = [
            section(wording.HOME),
            actions(button(wording.ASK_A_QUESTION, _ASK, "ask", primary=True)),
            header(wording.MY_QUESTIONS),
            rich(bullets(asked)) if asked else note(wording.NO_QUESTIONS),
            header(wording.MY_DOCUMENTS),
            *_found(self.library.readable(scope), sought[:_LONGEST_SEARCH], page, self.pages),
        ]
        if known.admin:
            blocks += self._for_admins(known.team)
        self.client.views_publish(user_id=user, view={"type": "home", "blocks": blocks})

    def suggest(self, user: str, channel: str) -> None:
        scope = self.scope_for(self.people.person(user), None, self.today())
        prompts = [{"title": each, "message": each} for each in self.library.prompts(scope)]
        if prompts:
            self.client.assistant_threads_setSuggestedPrompts(
                channel_id=channel, title=wording.PROMPTS, prompts=prompts
            )

    def greet(self, channel: str, bot_user: str) -> None:
        own = wording.greeting(bot_user)
        self.client.chat_postMessage(
            channel=channel, text=wording.GREETING_ALOUD, blocks=[section(own)]
        )

    def _asked_by(self, person_id: str) -> Iterator[tuple[Summary, AuditRecord]]:
        """Leave out what replaces an earlier answer, and what nobody was told."""
        for each in self.records.find(RecordQuery(person=person_id, limit=LOOKED_AT)).records:
            record = record_for(self.records, each.audit_id, person_id)
            if record.corrects is None and is_told(
                record, self.records.happened_to(record.audit_id)
            ):
                yield each, record

    def _was_asked(self, refused: Summary) -> bool:
        """Tell whether an answer is sought: what nobody asked is kept as an abstention, too."""
        record = record_for(self.records, refused.audit_id, refused.person_id)
        happened = self.records.happened_to(record.audit_id)
        return is_sought(record) and is_still_asked(record, happened)

    def _for_admins(self, team: str) -> list[Block]:
        """How sources stand, what stayed unanswered, and in the home's own workspace the jobs."""
        jobs = self.jobs()
        told = [] if team else [each for each in jobs if not each.source]
        lines = [in_line(f"{each.name}: {each.in_words}", 2 * _LONGEST) for each in told]
        abstained = self.records.find(
            RecordQuery(decision="ABSTAIN", team=team, limit=4 * MOST_QUESTIONS)
        )
        asked = [each.question for each in abstained.records if self._was_asked(each)]
        gaps = [in_line(each, _LONGEST) for each in asked[:MOST_QUESTIONS]]
        refused = [in_line(each, _LONGEST) for each in self.library.not_led(team)]
        return [
            header(wording.FOR_ADMINS),
            *_list(wording.HOME_SOURCES, [*self._sources(team, jobs)]),
            *([] if team else _list(wording.HOME_JOBS, lines)),
            *_list(wording.HOME_GAPS, gaps),
            *(_list(wording.HOME_NOT_LED, refused[:MOST_QUESTIONS]) if refused else []),
        ]

    def _sources(self, team: str, jobs: Sequence[JobStatus]) -> Iterator[str]:
        kept_out = self.library.kept_out(team)
        out = Counter(each.source for each in kept_out if each.file != ".")
        faults = {each.source: each.reason for each in kept_out if each.file == "."}
        of_source = {each.source: each for each in jobs}
        for each in self.library.sources(team):
            name, job = each.name, of_source.get(each.name)
            last = job.last if job and not team else None
            since = last and (each.read_at is None or each.read_at < last.started_at)
            failed = last.reason if last and since else ""
            said = standing(
                self.library.documents(name),
                out[name],
                each.read_at,
                job.next_at if job else None,
                faults.get(name, failed),
            )
            yield in_line(f"{name}: {said}", 2 * _LONGEST)


def _is_for_some(document: Document) -> bool:
    """Tell whether it is for a unit, a course or the like, and not for a whole workspace."""
    audience = document.metadata.access.audience
    return any(facet != TEAM and EVERYONE not in values for facet, values in audience)


def _found(readable: Sequence[Document], sought: str, page: int, pages: str) -> list[Block]:
    """A search, and a page of the documents by unit that have all of its words in their name."""
    wanted = sought.casefold().split()
    found = [each for each in readable if all(word in _name(each) for word in wanted)]
    typed = {
        "type": "plain_text_input",
        "action_id": _SEARCH,
        "placeholder": plain(wording.SEARCH_DOCUMENTS),
        "max_length": _LONGEST_SEARCH,
        "dispatch_action_config": {"trigger_actions_on": ["on_enter_pressed"]},
        **({"initial_value": sought} if sought else {}),
    }
    search = {
        "type": "input",
        "block_id": _SEARCH,
        "dispatch_action": True,
        "label": plain(wording.documents(len(found), len(readable))),
        "element": typed,
    }
    last = max(0, len(found) - 1) // MOST_DOCUMENTS
    at = min(page, last) * MOST_DOCUMENTS
    shown = found[at : at + MOST_DOCUMENTS]
    return [search, *_by_unit(shown, pages), *_turns(min(page, last), last, len(found), sought)]


def _turns(page: int, last: int, found: int, sought: str) -> list[Block]:
    if not last:
        return []
    first = page * MOST_DOCUMENTS
    beside = [
        button(label, action, f"{to}:{sought}")
        for label, action, to in (
            (wording.PAGE_BEFORE, _BEFORE, page - 1),
            (wording.PAGE_AFTER, _AFTER, page + 1),
        )
        if 0 <= to <= last
    ]
    stands = wording.page_of(first + 1, min(first + MOST_DOCUMENTS, found), found)
    return [note(stands), actions(*beside)]


def _name(document: Document) -> str:
    return f"{document.title} {document.file} {document.metadata.owner}".casefold()


def _by_unit(documents: Iterable[Document], pages: str) -> list[Block]:
    parts: list[RichPiece] = []
    for unit, own in groupby(documents, lambda each: each.metadata.owner):
        parts.append(line(words(in_line(unit or wording.NO_UNIT, _LONGEST), bold=True)))
        parts.append(bullets([line(_titled(each, pages)) for each in own]))
    return [rich(*parts)] if parts else []


def _titled(document: Document, pages: str) -> Element:
    """Its name leads to a page of ours, which has its own link too, else to that link."""
    title = in_line(document.title or document.file, _LONGEST)
    own = f"{pages}{document_path(document.document_id)}" if pages else ""
    url = own or document_link(document.metadata.link, None)
    return link(url, title) if url else words(title)


def _list(title: str, lines: Sequence[str]) -> list[Block]:
    heading = line(words(title, bold=True))
    listed = bullets([line(words(each)) for each in lines or (wording.NONE,)])
    return [rich(heading, listed)]


def opened_tab(event: Mapping[str, Any]) -> str:
    """Return which tab of the app somebody opened; empty for any other event."""
    return str(event.get("tab") or "") if event.get("type") == "app_home_opened" else ""


def joined_channel(event: Mapping[str, Any], bot_user: str) -> str:
    """Return the channel that the bot was invited to; empty for any other event."""
    joined = (
        event.get("type") == "member_joined_channel"
        and slack_id(str(event.get("user") or "")) == bot_user
    )
    return str(event.get("channel") or "") if joined else ""


def _question(summary: Summary, record: AuditRecord) -> RichPiece:
    sign = emoji(wording.SIGNS[shown_as(record)])
    said = in_line(summary.question, _LONGEST)
    return line(sign, words(f" {said} · {summary.time[:10]}"))
