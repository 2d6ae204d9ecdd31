"""Somebody opens the app's Home, and reads what they asked; whoever invites the bot is greeted."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from block_records import a_record
from front_desk import WITHOUT_BOT, FrontDesk, open_desk
from inboxes import said
from office import ANA, EVE, GENERAL

from audit.finding.queries import RecordQuery
from audit.record import AuditEvent, Decision, EventKind
from audit.values import Channel, PersonRecord, new_id
from bot.answering.suggesting import Suggestions
from bot.jobs.runs import JobOutcome, JobRun, JobStatus, RunNotice
from bot.slack.blocks.elements import actions, button
from bot.slack.exchange import Answers, Stage
from bot.slack.home import MOST_DOCUMENTS, MOST_PROMPTS, MOST_QUESTIONS, LibraryView
from bot.slack.inbox.removals import forget_in
from bot.wording import slack as wording
from retrieval.documents.holdings import Acquisition, Fingerprint, KeptOut, KnownSource
from retrieval.metadata.access import TEAM
from retrieval.ports import RerankPair, RerankScore
from retrieval.types import AccessRule, Document, Metadata, Passage, Scope, Sentence


def answered(
    desk: FrontDesk,
    number: int,
    answers: Answers,
    posted_at: datetime | None,
    decision: Decision = Decision.ANSWER,
) -> None:
    """Eve says something in a channel, and it is recorded."""
    asked = said(number, user=EVE, channel=GENERAL)
    assert desk.inbox.take_in(replace(asked, answers=answers), datetime.now(UTC)).stored
    exchange = desk.inbox.claim(Stage.PLACEHOLDER, datetime.now(UTC))
    assert exchange is not None
    desk.inbox.save(replace(exchange, stage=Stage.DONE, posted_at=posted_at))
    person = PersonRecord(id=EVE, name="Eve Adams")
    channel = Channel(id=GENERAL)
    known = {"audit_id": exchange.audit_id, "person": person, "channel": channel}
    record = a_record(question=asked.text, decision=decision, **known)
    desk.writer.append(record)
    if posted_at:
        desk.writer.append(
            AuditEvent(
                kind=EventKind.DELIVERED,
                event_id=f"{record.audit_id}-delivered",
                audit_id=record.audit_id,
                time=posted_at,
                channel=channel,
            )
        )


def opened(desk: FrontDesk, user: str) -> dict[str, Any]:
    """Somebody opens the app's Home; what it shows."""
    with desk.slack.page(user) as page:
        desk.slack.post("home", {"as": user})
        view: dict[str, Any] = page.next("home")["view"]
    return view


def test_a_home_that_slack_refuses_for_good_is_told_to_administrators_once(
    desk: FrontDesk,
) -> None:
    desk.workspace.faults.refuse("views.publish", "missing_scope", times=2)
    for _ in range(2):
        desk.slack.post("home", {"as": EVE})
    opened(desk, EVE)
    (advice,) = desk.advised
    assert "views.publish: missing_scope" in advice


def test_what_was_said_to_colleagues_and_not_answered_is_none_of_my_last_questions(
    desk: FrontDesk,
) -> None:
    now, silent = datetime.now(UTC), range(100, 100 + 5 * MOST_QUESTIONS)
    answered(desk, 1, Answers.MENTIONED, now)
    answered(desk, 2, Answers.SURE, now)
    for number in silent:
        answered(desk, number, Answers.SURE, None)
    forget_in(f"sqlite:///{desk.store.parent / 'inbox.sqlite'}", now + timedelta(days=40))
    shown = json.dumps(opened(desk, EVE))
    assert [n for n in (1, 2, *silent) if f"question {n} " in shown] == [1, 2]


def test_an_administrator_sees_of_each_source_when_it_is_read_what_it_holds_and_what_failed(
    desk: FrontDesk,
) -> None:
    desk.library.know(KnownSource("handbook", "/handbook", url="s3://handbook"))
    desk.library.note_read("handbook", datetime(2026, 3, 2, 10, 30, tzinfo=UTC))
    out = KeptOut("handbook", "pay.md", "may restrict")
    away = KeptOut("handbook", ".", "did not answer in time")
    desk.library.keep_out("handbook", ["pay.md", "."], [out, away])
    next_at = datetime(2026, 3, 2, 11, 30, tzinfo=UTC)
    desk.jobs += [
        JobStatus("ingest", "every 1 hour", next_at, None),
        JobStatus("ingest handbook", "every 1 hour", next_at, None, "handbook"),
    ]
    with desk.slack.page(ANA) as page:
        desk.slack.post("home", {"as": ANA})
        shown = json.dumps(page.next("home")["view"])
    said = "0 documents; 1 kept out; read 2026-03-02 10:30 UTC; next 2026-03-02 11:30 UTC; "
    assert f"handbook: {said}not read the last time: did not answer in time" in shown
    assert "ingest: every 1 hour, next" in shown
    assert "ingest handbook" not in shown


def test_what_failed_by_the_clock_and_was_read_by_hand_since_is_no_fault_any_more(
    desk: FrontDesk,
) -> None:
    then, read_at = (datetime(2026, 3, 2, hour, tzinfo=UTC) for hour in (10, 11))
    for name, started in (("mended", then), ("away", read_at + timedelta(hours=1))):
        desk.library.know(KnownSource(name, f"/{name}"))
        desk.library.note_read(name, read_at)
        why, by_hand = f"{name}: is gone.", False
        job, ended = f"ingest {name}", JobOutcome.FAILED
        run = JobRun(1, job, started, started, ended, {}, why, by_hand, RunNotice.TOLD)
        desk.jobs.append(JobStatus(run.job, "every 1 hour", started, run, name))
    shown = json.dumps(opened(desk, ANA))
    assert "not read the last time: away: is gone." in shown
    assert "mended: is gone." not in shown


def test_what_nobody_asked_the_bot_is_none_of_what_it_could_not_answer(desk: FrontDesk) -> None:
    now = datetime.now(UTC)
    answered(desk, 300, Answers.MENTIONED, now, Decision.ABSTAIN)
    answered(desk, 301, Answers.SURE, None, Decision.ABSTAIN)
    _, gaps = json.dumps(opened(desk, ANA)).split(wording.HOME_GAPS)
    assert [n for n in (300, 301) if f"question {n}" in gaps] == [300]


@pytest.mark.parametrize(
    ("happened", "listed"),
    [
        ((EventKind.FOLDED,), False),
        ((EventKind.REFERRED,), True),
        ((EventKind.REFERRED, EventKind.GIVEN), False),
        ((EventKind.REFERRED, EventKind.GIVEN, EventKind.REOPENED), True),
        ((EventKind.GIVEN, EventKind.REOPENED, EventKind.RESOLVED), False),
        ((EventKind.GIVEN, EventKind.REOPENED, EventKind.GIVEN), False),
    ],
)
def test_what_was_deleted_or_a_person_answered_is_no_open_gap(
    desk: FrontDesk, happened: tuple[EventKind, ...], listed: bool
) -> None:
    now = datetime.now(UTC)
    number = next(_NUMBERS)
    answered(desk, number, Answers.MENTIONED, now, Decision.ABSTAIN)
    asked = desk.records.find(RecordQuery(person=EVE)).records[0]
    for kind in happened:
        at = datetime.now(UTC)
        event = AuditEvent(kind=kind, event_id=new_id(at), audit_id=asked.audit_id, time=at)
        desk.writer.append(event)
    _, gaps = json.dumps(opened(desk, ANA)).split(wording.HOME_GAPS)
    assert (f"question {number}" in gaps) is listed


_NUMBERS = count(400)


# --- what somebody may read -------------------------------------------------------------

MINE = 3 * MOST_DOCUMENTS + 1


def kept(number: int, title: str, rule: AccessRule, owner: str) -> Acquisition:
    about = Metadata(title, access=rule, owner=owner, link=f"https://docs.example.org/{number}")
    document = Document(f"d{number}", f"{number}.md", "1", datetime.now(UTC), title, about)
    return Acquisition("docs", document, Fingerprint(1, 1, "sha", ""), [])


def test_newer_documents_that_answer_nothing_leave_others_to_be_asked_about() -> None:
    day = datetime(2026, 3, 2, tzinfo=UTC)
    documents = [
        Document(f"d{n}", f"{n}.md", "1", day + timedelta(n), f"Page {n}", Metadata())
        for n in range(12)
    ]
    own = Metadata(access=AccessRule((("departments", ("cs",)), (TEAM, ("home",)))))
    documents[0] = replace(documents[0], metadata=own)
    read: list[str] = []

    def suggested(document: Document) -> str:
        read.append(document.title)
        is_new = document.ingested_at >= day + timedelta(days=7)
        return "" if is_new else f"What does {document.title} say?"

    view = LibraryView(lambda _: documents, suggested, *(cast("Any", None),) * 4)
    asked = view.prompts(cast("Scope", None))
    assert len(asked) == MOST_PROMPTS
    assert asked[0] == "What does Page 0 say?", "what is for one's own unit comes first"
    assert len(read) == 5 + MOST_PROMPTS, "no more than that are read"


class Fake:
    """A cross-encoder for which what stands below a heading answers as far as it says."""

    name = "fake"

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        found = [float(re.findall(r"0\.\d+", each.text)[0]) for each in pairs]
        return [RerankScore(each, each) for each in found]


def test_only_a_heading_is_asked_about_below_which_the_answer_stands() -> None:
    document = Document("d", "d.md", "1", datetime(2026, 3, 2, tzinfo=UTC), "Fines", Metadata())
    passages = {
        heading: Passage(heading, document, n, (heading,), (Sentence(text, 0, len(text)),), text)
        for n, (heading, text) in enumerate(
            [
                *(("Contents", "0.71"), ("Is it late?", "0.90"), ("Fines", "0.99")),
                *(("Fees", "0.95"), ("Cars", "0.61"), ("Keys", "0.62"), ("Post", "0.63")),
                ("Late in a book", "0.99"),
            ]
        )
    }
    library = cast("Any", SimpleNamespace(passage_ids=set, passages=lambda _: passages))
    assert Suggestions(library, Fake())(document) == wording.prompt("Fees", "Fines")
    del passages["Fees"]
    assert Suggestions(library, Fake())(document) == "Is it late?"
    del passages["Is it late?"]
    assert Suggestions(library, Fake())(document) == ""


@pytest.fixture(scope="module")
def shelf(desk: FrontDesk) -> FrontDesk:
    """More than fits a page for everyone, of two units, and a few between them for nobody here."""
    everyone, staff = AccessRule(), AccessRule((("programmes", ("staff",)),))
    for number in range(MINE):
        unit = "registry" if number % 2 else "library"
        desk.library.store([kept(number, f"Page {number:03}", everyone, unit)])
        if number % 10 == 0:
            desk.library.store([kept(1_000 + number, f"Secret {number:03}", staff, unit)])
    return desk


def titles(view: dict[str, Any]) -> list[str]:
    shown = json.dumps(view)
    assert "Secret" not in shown
    return re.findall(
        r'"url": "http://127.0.0.1:8701/document/d\d+", "text": "(Page \d{3})"', shown
    )


def turned(desk: FrontDesk, view: dict[str, Any], action: str, value: str | None = None) -> Any:
    """Eve presses a button of her Home, or searches; what it shows then."""
    with desk.slack.page(EVE) as page:
        desk.slack.clicks_in_view(EVE, view, action, value)
        return page.next("home")["view"]


def has(view: dict[str, Any], action: str) -> bool:
    return f'"{action}"' in json.dumps(view)


def test_all_that_somebody_may_read_is_there_page_by_page_and_nothing_else(
    shelf: FrontDesk,
) -> None:
    view = opened(shelf, EVE)
    pages = [titles(view)]
    assert not has(view, "home_before")
    while has(view, "home_after"):
        view = turned(shelf, view, "home_after")
        assert len(view["blocks"]) <= 100
        pages.append(titles(view))
    assert [len(each) for each in pages] == [*[MOST_DOCUMENTS] * 3, 1]
    by_unit = [*range(0, MINE, 2), *range(1, MINE, 2)]
    assert [each for page in pages for each in page] == [f"Page {n:03}" for n in by_unit]
    assert titles(turned(shelf, view, "home_before")) == pages[-2]


def test_the_pages_of_what_was_searched_for_are_of_that_alone(shelf: FrontDesk) -> None:
    found = turned(shelf, opened(shelf, EVE), "home_search", "registry page")
    further = turned(shelf, found, "home_after")
    assert not has(further, "home_after")
    assert titles(found) + titles(further) == [f"Page {n:03}" for n in range(1, MINE, 2)]
    assert "registry page" in json.dumps(further)
    long = turned(shelf, further, "home_search", "page " * 500)
    assert len(titles(turned(shelf, long, "home_after"))) == MOST_DOCUMENTS


@pytest.mark.parametrize(
    "value",
    [
        *("-1:", "99:", "9999999999999999999:", "x:", ":", "²:"),
        *("0:secret", "1:staff", '{"page": 1, "user": "U0ANA"}'),
        f"0:{'x' * 1_900}",
    ],
)
def test_a_forged_page_shows_nothing_but_what_this_person_may_read(
    shelf: FrontDesk, value: str
) -> None:
    forged: Any = {"type": "home", "blocks": [actions(button("Next", "home_after", value))]}
    with shelf.slack.page(EVE) as page:
        shelf.bot.views_publish(user_id=EVE, view=forged)
        view = page.next("home")["view"]
    shown = titles(turned(shelf, view, "home_after", value))
    assert len(shown) <= MOST_DOCUMENTS
    if value.endswith("9:"):
        assert shown == [f"Page {MINE - 2:03}"], "the last"


def test_whoever_invites_the_bot_reads_what_it_reads_and_who_sees_answers(tmp_path: Path) -> None:
    with open_desk(tmp_path) as desk:
        desk.workspace.invite(WITHOUT_BOT)
        said = desk.slack.wait_for(lambda: desk.slack.messages(WITHOUT_BOT, ANA), 30)
    assert [one["text"] for one in said] == [wording.GREETING_ALOUD]
    assert "Everyone here sees the answer" in str(said[0]["blocks"])
