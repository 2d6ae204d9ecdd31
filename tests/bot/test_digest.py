"""What was asked in a week and not answered: alike in one line, for whom it may be shown to."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from cited_shelf import ANA, BEN, CS, FOR_HR, HANNA, TODAY, CitedShelf
from sample_records import an_event

from audit.record import Decision, EventKind, NearestRecord, WriterRecord
from bot.access.channels import Channels
from bot.access.people import Access
from bot.access.reading import RecordAccess
from bot.answering.digest import (
    Digest,
    DigestLine,
    DigestPage,
    Digests,
    Names,
    UnitDigest,
    Week,
    alike,
)
from bot.answering.recording import SEARCH_ALONE
from bot.errors import JobFailed, JobStopped
from bot.jobs.job import AGAIN, Job, schedule_of
from bot.jobs.runs import JobOutcome, JobRun, RunNotice
from bot.jobs.work import TellDigest
from retrieval.metadata.access import TEAM
from retrieval.metadata.ontology import load_ontology
from retrieval.models.embedders import BundledEmbedder

HR, ADMINS, GENERAL, PAIR = "C0HR", "C0ADMINS", "C0GENERAL", "C0PAIR"
DIRECT = "D0ANA"
OTHER = "T0OTHER"
THEIRS = f"{OTHER}//{GENERAL}"
CHANNELS = Channels(
    {
        CS: {"departments": frozenset({"cs"})},
        HR: {"departments": frozenset({"hr"})},
        GENERAL: {},
    },
    by_unit={"hr@example.org": HR, "cs": CS},
)
WEEK = Week(date(2025, 2, 24))
"""In which records of a shelf are asked."""
Make = Callable[..., Digest]
PATERNITY = "How many days of paternity leave do I get?"
LENGTH = "paternity leave length?"


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder(threads=1)


@pytest.fixture
def shelf(tmp_path: Path) -> CitedShelf:
    shelf = CitedShelf(tmp_path)
    shelf.access = Access(shelf.access.people, CHANNELS)
    return shelf


@pytest.fixture
def leave(shelf: CitedShelf) -> NearestRecord:
    """A page of the HR office that everybody may read."""
    text = "# Leave\n\nAnnual leave is 25 days.\n"
    return shelf.nearest(shelf.put("leave.md", text, owner="HR@example.org"), "25 days")


@pytest.fixture
def pay(shelf: CitedShelf) -> NearestRecord:
    """A page of the HR office that it alone may read."""
    text = "# Pay bands\n\nA dean is paid 9,000 euros.\n"
    return shelf.nearest(shelf.put("pay.md", text, FOR_HR, owner="hr@example.org"), "9,000")


@pytest.fixture
def digest(shelf: CitedShelf, embedder: BundledEmbedder) -> Make:
    def made(channels: Channels = CHANNELS, only: str | None = None) -> Digest:
        return Digests(
            shelf.reader,
            shelf.library,
            RecordAccess(
                Access(shelf.access.people, channels).scope_for,
                shelf.library.access_of,
                shelf.library.rules_at,
                lambda: TODAY,
            ),
            load_ontology(),
            lambda: channels,
            lambda channel: channels.by_id.get(channel),
            lambda: shelf.access.people.by_id.values(),
            embedder,
            ADMINS,
            UTC,
            lambda: datetime(2025, 3, 5, tzinfo=UTC),
        )(WEEK, only)

    return made


# --- weeks ----------------------------------------------------------------------------


def test_a_week_begins_on_monday_and_is_known_by_its_name() -> None:
    week = Week.of(date(2026, 11, 22))
    assert (week.monday, week.sunday) == (date(2026, 11, 16), date(2026, 11, 22))
    assert (week.name, Week.named("2026-W47")) == ("2026-W47", week)
    assert week.earlier().name == "2026-W46"
    assert Week.of(date(2027, 1, 1)).name == "2026-W53"
    for name in ("", "2026-W54", "2026-47", "0001-W01", "2026-W00"):
        assert Week.named(name) is None, name


# --- alike ----------------------------------------------------------------------------


def test_what_asks_alike_is_one_group_and_what_does_not_is_none(
    embedder: BundledEmbedder,
) -> None:
    texts = [
        "Is the gym open on Sundays?",
        LENGTH,
        "How many days of maternity leave?",
        PATERNITY,
        "What does a parking permit cost?",
        "gym sunday opening hours",
        LENGTH,
    ]
    groups = {frozenset(each) for each in alike(texts, embedder)}
    assert groups == {frozenset(each) for each in ([0, 5], [1, 3, 6], [2], [4])}
    assert alike([], embedder) == []


# --- what may be shown ----------------------------------------------------------------


def test_what_two_people_ask_alike_is_one_line_with_examples_and_the_page_nearest(
    shelf: CitedShelf, leave: NearestRecord, digest: Make
) -> None:
    shelf.left_open(PATERNITY, leave, channel=GENERAL)
    shelf.left_open(LENGTH, leave, person=BEN, channel=GENERAL)
    shelf.left_open("Can I park a motorbike?", channel=GENERAL)
    shelf.answer(channel=GENERAL, question="What is answered?")
    hr, nobodys = digest().units
    assert (hr.unit, hr.channel, hr.unseen) == ("HR@example.org", HR, 0)
    [line] = hr.lines
    assert (line.asked, line.people, set(line.examples)) == (2, 2, {PATERNITY, LENGTH})
    assert line.pages == (DigestPage("Leave", ""),)
    assert (nobodys.unit, nobodys.channel) == ("", ADMINS)
    assert [(line.asked, line.examples, line.pages) for line in nobodys.lines] == [
        (1, ("Can I park a motorbike?",), ())
    ]


def test_a_question_of_one_person_in_private_is_counted_and_its_words_are_not_shown(
    shelf: CitedShelf, leave: NearestRecord, digest: Make
) -> None:
    for channel in (DIRECT, DIRECT, "mcp", ""):
        shelf.left_open(PATERNITY, leave, channel=channel)
    [hr] = digest().units
    assert (hr.lines, hr.unseen) == ((), 4)
    shelf.left_open(LENGTH, leave, person=BEN, channel="D0BEN")
    [hr] = digest().units
    [line] = hr.lines
    assert (line.asked, line.people, line.examples) == (5, 2, (LENGTH,)), "the shortest"


@pytest.mark.parametrize(
    ("asked_in", "is_shown"), [(GENERAL, True), (HR, True), (CS, False), (PAIR, False)]
)
def test_what_was_asked_in_a_channel_is_shown_to_whoever_is_of_its_audience(
    shelf: CitedShelf,
    leave: NearestRecord,
    digest: Make,
    asked_in: str,
    is_shown: bool,
) -> None:
    """A channel that is not listed may be two people's own."""
    shelf.left_open(PATERNITY, leave, channel=asked_in)
    [hr] = digest().units
    assert (len(hr.lines), hr.unseen) == ((1, 0) if is_shown else (0, 1))


def test_what_one_person_asked_openly_in_another_workspace_is_shown_to_its_administrators(
    shelf: CitedShelf, digest: Make
) -> None:
    """No channel of theirs answers, and it is made of what was asked there alone."""
    channels = Channels({**CHANNELS.by_id, THEIRS: {TEAM: frozenset({OTHER})}})
    shelf.left_open(PATERNITY, person=replace(ANA, id=f"{OTHER}//U0ANA"), channel=THEIRS)
    shelf.left_open(LENGTH, channel=GENERAL)
    [theirs] = digest(channels, OTHER).units
    assert (theirs.team, theirs.channel, theirs.unseen) == (OTHER, "", 0)
    assert [each.examples for each in theirs.lines] == [(PATERNITY,)]
    [ours] = digest(channels, "").units
    assert [each.examples for each in ours.lines] == [(LENGTH,)]
    assert digest(channels).units == (ours, theirs)


def test_neither_a_page_nor_a_question_near_it_is_shown_where_not_everyone_may_read_it(
    shelf: CitedShelf, pay: NearestRecord, digest: Make
) -> None:
    asked = "What is a dean paid in a year?"
    shelf.left_open(asked, pay, person=HANNA, channel=HR)
    [hr] = digest().units
    assert [each.pages for each in hr.lines] == [(DigestPage("Pay bands", ""),)]
    for who, where in ((ANA, DIRECT), (BEN, GENERAL), (HANNA, CS)):
        shelf.left_open(asked, pay, person=who, channel=where)
    others = Channels(CHANNELS.by_id, by_unit={"hr@example.org": CS})
    assert digest(others).units == (UnitDigest("hr@example.org", CS, (), 4),)
    nobody = Channels(CHANNELS.by_id)
    assert digest(nobody).units == (UnitDigest("", ADMINS, (), 4),), "nor is whose page it is"


def test_what_leans_on_the_question_before_is_shown_with_its_subject(
    shelf: CitedShelf, digest: Make
) -> None:
    whole = f"{LENGTH}: and in the army?"
    shelf.left_open(
        "and in the army?",
        channel=GENERAL,
        standalone_question=whole,
        previous_questions=(LENGTH,),
    )
    shelf.left_open("Is there a sauna in 2027?", channel=GENERAL, standalone_question="a sauna in?")
    examples = {each for line in digest().units[0].lines for each in line.examples}
    assert examples == {whole, "Is there a sauna in 2027?"}


def test_what_left_the_library_is_named_to_nobody(
    shelf: CitedShelf, leave: NearestRecord, digest: Make
) -> None:
    shelf.left_open(PATERNITY, leave, channel=HR)
    shelf.library.remove([leave.document_id])
    assert digest().units == (UnitDigest("", ADMINS, (), 1),)


def test_what_was_taken_back_and_what_was_no_question_is_left_out(
    shelf: CitedShelf, digest: Make
) -> None:
    for kind in (EventKind.WITHDRAWN, EventKind.FOLDED):
        record = shelf.left_open(PATERNITY, channel=GENERAL)
        shelf.writer.append(an_event(record, kind=kind))
    searched = WriterRecord(name=SEARCH_ALONE)
    shelf.left_open(PATERNITY, channel=GENERAL, writer=searched)
    shelf.left_open(PATERNITY, channel=GENERAL, decision=Decision.ANSWER)
    shelf.left_open(PATERNITY, channel=GENERAL, told=False)
    assert digest() == Digest(WEEK, ())
    shelf.left_open(PATERNITY, channel=GENERAL, decision=Decision.PARTIAL)
    assert [line.examples for line in digest().units[0].lines] == [(PATERNITY,)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@Ben Okafor said two weeks?", "somebody said two weeks?"),
        ("does ben okafor approve leave", "does somebody approve leave"),
        ("Ana here: may <@U0123456789> or U0123456789 sign", None),
        ("write to b.okafor@example.org or <#C0HR|hr>", "write to somebody or somebody"),
        ("@Zoe Van Dyk and I", "somebody and I"),
        ("my number is +351 912 345 678", "my number is …"),
        ("my student id 20240117, since 2026-01-31", "my student id …, since 2026-01-31"),
        ("Will the Silva hall open?\nsoon", "Will the somebody hall open? soon"),
        ("is it 10,000 euros", "is it 10,000 euros"),
    ],
)
def test_nobody_is_named(text: str, shown: str | None) -> None:
    names = Names(["Ben Okafor", "Ana Silva", "Will", ""])
    if shown is None:
        shown = "somebody here: may somebody or somebody sign"
    assert names.without(text, "Ana Silva") == shown
    assert Names([]).without("May I ask?", "") == "May I ask?"


# --- telling it -----------------------------------------------------------------------


def unit(name: str, channel: str) -> UnitDigest:
    return UnitDigest(name, channel, (DigestLine(2, 2, (PATERNITY,), ()),), 1)


def test_each_channel_is_told_once_and_one_that_cannot_be_keeps_no_other_from_it() -> None:
    told: list[tuple[str, str, int]] = []

    def post(week: Week, channel: str, units: Sequence[UnitDigest]) -> bool:
        if channel == CS:
            raise JobFailed("C0CS could not be told.")
        told.append((week.name, channel, len(units)))
        return True

    homes = (unit("cs", CS), unit("hr", HR), unit("pay", HR), unit("none", ""), unit("", ADMINS))
    units = (*homes, replace(unit("hr", THEIRS), team=OTHER))
    job = TellDigest(lambda week: Digest(week, units), lambda: Week(date(2026, 11, 23)), post)
    with pytest.raises(JobFailed, match="C0CS could not be told") as failed:
        job(Event())
    assert told == [("2026-W47", HR, 2), ("2026-W47", ADMINS, 1), ("2026-W47", THEIRS, 1)]
    assert failed.value.numbers == {"week": "2026-W47", "unanswered": 15, "channels_told": 3}
    stopping = Event()
    stopping.set()
    with pytest.raises(JobStopped):
        job(stopping)
    silent = replace(job, digest=lambda week: Digest(week, ()))
    assert silent(Event())["unanswered"] == 0
    assert len(told) == 3, "a week with nothing to say is silent"


@pytest.mark.parametrize(
    ("outcome", "after"),
    [
        (JobOutcome.OK, timedelta(days=7)),
        (JobOutcome.FAILED, AGAIN),
        (JobOutcome.INTERRUPTED, AGAIN),
        (JobOutcome.PLANNED, timedelta(days=7)),
    ],
)
def test_what_persists_is_tried_again_soon_and_else_at_its_time(
    outcome: JobOutcome, after: timedelta
) -> None:
    monday = datetime(2026, 11, 23, 8, tzinfo=UTC)
    schedule = schedule_of("0 8 * * 1", UTC, "VOUCH_JOBS_DIGEST")
    run = JobRun(1, "digest", monday, None, outcome, {}, "", by_hand=False, told=RunNotice.NOT)
    assert Job("digest", schedule, lambda _: {}, persists=True).due_at(run) == monday + after
    assert Job("ingest", schedule, lambda _: {}).due_at(run) == monday + timedelta(days=7)
