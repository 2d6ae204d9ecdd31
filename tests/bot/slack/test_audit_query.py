"""What an administrator may write after `/audit`."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from audit.finding.queries import RecordQuery
from bot.access import asked as words_asked
from bot.errors import WrongUse
from bot.slack.admin import (
    SHOWN,
    AuditListing,
    OneRecord,
    button_for_older,
    listing_of,
    listing_value,
    parse,
)

TODAY = date(2026, 11, 24)
EVERYTHING = "by ana document rules/leave.md decision abstain since 2026-01-01 until 2026-01-31"


def understood(said: str) -> AuditListing[RecordQuery] | OneRecord:
    return parse(said, lambda who: f"id of {who}", lambda name: f"path/{name}", TODAY, _named)


def _named(channel: str) -> str:
    """As one that is chosen from Slack's list comes."""
    return re.sub(r"<(#\w+)\|.*>", r"\1", channel)


def listing(said: str) -> AuditListing[RecordQuery]:
    found = understood(said)
    assert isinstance(found, AuditListing)
    return found


def asked(said: str) -> RecordQuery:
    return listing(said).query


@pytest.mark.parametrize("said", ["", "latest"])
def test_nothing_more_means_the_latest(said: str) -> None:
    assert asked(said) == RecordQuery(limit=SHOWN)


def test_everything_can_be_asked_for_at_once() -> None:
    assert asked(EVERYTHING) == RecordQuery(
        person="id of ana",
        document="path/rules/leave.md",
        decision="ABSTAIN",
        since=datetime(2026, 1, 1, tzinfo=UTC),
        until=datetime(2026, 2, 1, tzinfo=UTC),
        limit=SHOWN,
    )


def ago(days: int) -> datetime:
    return datetime(2026, 11, 24, tzinfo=UTC) - timedelta(days=days)


def day(at: date, **more: str) -> RecordQuery:
    since = datetime(at.year, at.month, at.day, tzinfo=UTC)
    until = since + timedelta(days=1)
    return RecordQuery(since=since, until=until, limit=SHOWN, **more)  # type: ignore[arg-type]  # strings alone


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("ana", RecordQuery(person="id of ana", limit=SHOWN)),
        ("Ana Silva", RecordQuery(person="id of Ana Silva", limit=SHOWN)),
        ("Abstain", RecordQuery(decision="ABSTAIN", limit=SHOWN)),
        ("today", day(TODAY)),
        ("Yesterday", day(date(2026, 11, 23))),
        ("2026-11-23", day(date(2026, 11, 23))),
        ("latest 2026-11-23 partial", day(date(2026, 11, 23), decision="PARTIAL")),
        (
            "ana abstain today text fee",
            day(TODAY, person="id of ana", decision="ABSTAIN", text="fee"),
        ),
        ("since yesterday until yesterday", day(date(2026, 11, 23))),
    ],
)
def test_a_name_a_decision_or_a_day_says_enough(said: str, meant: RecordQuery) -> None:
    assert asked(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "unsupported cited leave.md last 30 days",
            {"status": "UNSUPPORTED", "document": "path/leave.md", "since": ago(30)},
        ),
        ("last 2 weeks", {"since": ago(14)}),
        ("last 1 month claim broken", {"since": ago(30), "status": "BROKEN"}),
        ("person ana channel <#C0123|help>", {"person": "id of ana", "channel": "#C0123"}),
        ("dropped leave.md", {"dropped": "path/leave.md"}),
        ("version sha256:12", {"version": "sha256:12"}),
        ("passage p-1 writer extractive", {"passage": "p-1", "writer": "extractive"}),
        ("told 14 weeks from your last day", {"told": "14 weeks from your last day"}),
        ("settings 12ab", {"settings": "sha256:12ab"}),
        ("settings sha256:12ab", {"settings": "sha256:12ab"}),
        ("badge in part", {"badge": "in part"}),
        ("confidence under 0.4", {"less_sure": 40}),
        ("confidence over 0.85", {"surer": 85}),
        ("confidence at least 80%", {"surer": 80}),
        ("confidence 0.4 to 0.6", {"surer": 40, "less_sure": 60}),
        ("reason confidence 0.52 is under 0.6", {"reason": "confidence … is under …"}),
        ("rated bad", {"feedback": "bad"}),
        ("text version control last 3 days", {"text": "version control", "since": ago(3)}),
    ],
)  # fmt: skip
def test_each_filter_can_be_said(said: str, meant: dict[str, Any]) -> None:
    assert asked(said) == RecordQuery(limit=SHOWN, **meant)
    assert listing_of(listing_value(listing(said)), RecordQuery) == listing(said)


def test_two_days_are_all_that_lies_between() -> None:
    query = asked("2026-11-23 2026-11-20")
    assert (query.since, query.until) == (
        datetime(2026, 11, 20, tzinfo=UTC),
        datetime(2026, 11, 24, tzinfo=UTC),
    )


def test_words_and_names_may_have_spaces() -> None:
    query = asked('person "Ana Silva" text late coursework')
    assert query == RecordQuery(person="id of Ana Silva", text="late coursework", limit=SHOWN)


@pytest.mark.parametrize(
    ("said", "words"),
    [("text what's due", "what's due"), ("text “late work”", "late work"), (r"text a\b", r"a\b")],
)
def test_apostrophes_and_curly_quotes_are_what_people_type(said: str, words: str) -> None:
    assert asked(said) == RecordQuery(text=words, limit=SHOWN)


@pytest.mark.parametrize("audit_id", ["01a1fd9c-5fc9-7ee5", "01A1FD9C"])
def test_an_audit_id_or_its_beginning_opens_one_record(audit_id: str) -> None:
    assert understood(audit_id) == OneRecord(audit_id.lower())


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("decision maybe", "abstain"),
        ("since long ago", "2026-01-31"),
        ("person", "After `person`"),
        ('document ""', "After `document`"),
        ('text "open', "quotation mark"),
        ("claim maybe", "unsupported"),
        ("badge gold", "in part"),
        ("confidence high", "whole hundredths"),
        ("confidence 0.45", "whole hundredths"),
        ("confidence over 0.855", "whole hundredths"),
        ("confidence 0.6 to 0.4", "whole hundredths"),
        (f"confidence {'9' * 400}", "whole hundredths"),
        ("until 9999-12-31", "2026-01-31"),
        ("since 0001-01-01T00:00+14:00", "2026-01-31"),
        ("rated twice", "good"),
        ("last 24 hours", "last 30 days"),
        ("abstain decision answer", "said twice"),
        ("last 3 days since today", "said twice"),
    ],
)
def test_what_is_not_understood_is_said(said: str, hint: str) -> None:
    with pytest.raises(WrongUse, match=hint):
        asked(said)


def test_a_button_carries_the_query_to_the_next_page() -> None:
    first = listing(EVERYTHING)
    following = replace(first, query=replace(first.query, before=17))
    assert listing_of(button_for_older(first, 17) or "", RecordQuery) == following
    assert following.query.before == 17
    assert (first.older, following.older) == (False, True)
    assert following.words == first.words


def test_a_button_of_an_earlier_version_still_works() -> None:
    assert listing_of(
        '{"decision": "ABSTAIN", "before": 7, "limit": 10}', RecordQuery
    ) == AuditListing(RecordQuery(decision="ABSTAIN", before=7, limit=10))


def test_what_was_asked_for_is_repeated_as_typed_and_names_as_understood() -> None:
    assert listing(EVERYTHING).words == (
        "person id of ana, document rules/leave.md, decision abstain, "
        "since 2026-01-01, until 2026-01-31"
    )
    assert listing("latest").words == ""
    days = "until 2020-01-01 since 2019-06-01T10:00+02:00"
    assert listing(days).words == days.replace(" since", ", since")


@pytest.mark.parametrize(
    ("sent", "typed"),
    [
        ("document R&amp;D plan", "document R&D plan"),
        ("document <http://rules.md|rules.md>", "document rules.md"),
        ("text R&amp;D", "text R&D"),
    ],
)
def test_what_slack_escaped_is_read_as_it_was_typed(sent: str, typed: str) -> None:
    assert listing(sent).words == typed


@pytest.mark.parametrize(
    "pairs",
    [
        {"text": "weeks", "reason": "no passage passes the threshold"},
        {"told": "Pay is due on Friday.", "text": "pay", "badge": "answered", "last": "30 days"},
        {"person": "ana", "reason": "since then", "document": "leave until May.md"},
    ],
)
def test_what_a_link_asks_for_is_understood_as_it_was_meant(pairs: dict[str, str]) -> None:
    found = words_asked.Finders(str, str)
    typed = words_asked.parse(words_asked.in_words(pairs), found, date(2026, 3, 2), 10)
    assert dict(typed.pairs) == pairs
