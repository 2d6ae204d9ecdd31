"""Whoever clicks sees what they might read then and may read now; administrators, what left."""

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sample_records import a_record

from audit.record import AuditRecord, Candidate
from audit.values import ATTACHED, Channel, PersonRecord
from bot.access.channels import Channels
from bot.access.people import UNLISTED, Access, People, Person
from bot.access.reading import RecordAccess
from retrieval.documents.port import VersionKey
from retrieval.types import AccessRule

HR = AccessRule((("departments", ("hr",)),))
OPEN = AccessRule()
TODAY = date(2026, 3, 2)
HANNA = Person("hanna", "Hanna", "", {"departments": frozenset({"hr"})})
OMAR = Person("omar", "Omar", "", {"departments": frozenset({"it"})})
ADMIN = replace(OMAR, id="root", admin=True)
RULES = ("rules", "1")


def record(asked_on: date = TODAY) -> AuditRecord:
    """A record that considered one document, in its first version."""
    asked = a_record(1)
    candidate = Candidate(
        passage_id="p", document_id="rules", file="rules.md", version="1", used=True
    )
    return asked.model_copy(
        update={
            **dict.fromkeys(("claims", "dropped", "nearest", "expired"), ()),
            "candidates": (candidate,),
            "filter": asked.filter.model_copy(update={"on": asked_on}),
        }
    )


def withheld(
    who: Person | None,
    *,
    now: AccessRule | None,
    then: AccessRule | None,
    asked_on: date = TODAY,
) -> Sequence[str]:
    """`now` and `then`: the document's rules; None where it left, or was not kept."""
    access = Access(People({each.id: each for each in (HANNA, OMAR, ADMIN)}), Channels({}))
    rules: dict[str, AccessRule] = {"rules": now} if now else {}
    versions: dict[VersionKey, AccessRule] = {RULES: then} if then else {}
    visibility = RecordAccess(access.scope_for, lambda _: rules, lambda _: versions, lambda: TODAY)
    return sorted(visibility.withheld(record(asked_on), who, None))


@pytest.mark.parametrize("who", [HANNA, OMAR, ADMIN, None])
def test_what_was_and_is_open_is_shown_to_everyone(who: Person | None) -> None:
    assert withheld(who, now=OPEN, then=OPEN) == []


@pytest.mark.parametrize(("now", "then"), [(HR, OPEN), (OPEN, HR), (HR, HR)])
def test_one_must_have_been_permitted_then_and_be_permitted_now(
    now: AccessRule, then: AccessRule
) -> None:
    assert withheld(HANNA, now=now, then=then) == []
    for who in (OMAR, ADMIN, None):
        assert withheld(who, now=now, then=then) == ["rules"]


def test_what_everyone_in_the_channel_may_read_is_open_there_to_whoever_clicks() -> None:
    access = Access(People({}), Channels({"C1": HANNA.facets}))
    visibility = RecordAccess(
        access.scope_for, lambda _: {"rules": HR}, lambda _: {RULES: HR}, lambda: TODAY
    )
    seen = {channel: visibility.withheld(record(), OMAR, channel) for channel in ("C1", "C2", None)}
    assert seen == {"C1": frozenset(), "C2": {"rules"}, None: {"rules"}}


def test_what_an_answer_as_of_a_day_ahead_rests_on_is_open_to_those_whom_it_will_be_for() -> None:
    tomorrow = TODAY + timedelta(days=1)
    ahead = replace(HR, valid_from=tomorrow)
    assert withheld(HANNA, now=ahead, then=ahead, asked_on=tomorrow) == []
    assert withheld(OMAR, now=ahead, then=ahead, asked_on=tomorrow) == ["rules"]
    assert withheld(HANNA, now=ahead, then=ahead) == ["rules"]


def test_a_version_whose_rule_was_not_kept_is_shown_to_nobody() -> None:
    for who in (HANNA, OMAR, ADMIN, None):
        assert withheld(who, now=OPEN, then=None) == ["rules"]


@pytest.mark.parametrize("then", [OPEN, HR, None])
def test_what_left_the_library_is_shown_to_administrators_alone(then: AccessRule | None) -> None:
    assert withheld(ADMIN, now=None, then=then) == []
    for who in (HANNA, OMAR, None):
        assert withheld(who, now=None, then=then) == ["rules"]


def test_an_earlier_versions_time_counts_on_the_day_of_the_question() -> None:
    yesterday = TODAY - timedelta(days=1)
    over = AccessRule(valid_to=yesterday)
    assert withheld(OMAR, now=OPEN, then=over, asked_on=yesterday) == []
    assert withheld(OMAR, now=OPEN, then=over, asked_on=TODAY) == ["rules"]
    assert withheld(OMAR, now=over, then=OPEN, asked_on=yesterday) == ["rules"]


def test_an_answer_as_of_an_earlier_day_shows_what_no_longer_holds_to_its_own_readers() -> None:
    asked = record().time.date()
    over = replace(HR, valid_to=asked - timedelta(days=9))
    as_of = asked - timedelta(days=10)
    assert withheld(HANNA, now=over, then=over, asked_on=as_of) == []
    assert withheld(OMAR, now=over, then=over, asked_on=as_of) == ["rules"]
    assert withheld(HANNA, now=over, then=over, asked_on=asked) == ["rules"]


def test_an_answer_of_an_evening_when_the_day_is_over_elsewhere_is_none_of_an_earlier_day(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = record().time
    monkeypatch.setenv("TZ", f"WEST{asked.hour + 1}")
    time.tzset()
    try:
        here = asked.astimezone().date()
        over = replace(HR, valid_to=here)
        assert here == asked.date() - timedelta(days=1)
        assert withheld(HANNA, now=over, then=over, asked_on=here) == ["rules"]
    finally:
        monkeypatch.undo()
        time.tzset()


def of_a_file(place: str) -> AuditRecord:
    """A record of Hanna's that rests on a file, asked in a channel or a direct message."""
    asked = record()
    file = asked.candidates[0].model_copy(update={"document_id": f"{ATTACHED}F1"})
    who = PersonRecord(id=HANNA.id)
    where = Channel(id=place)
    return asked.model_copy(update={"candidates": (file,), "person": who, "channel": where})


@pytest.mark.parametrize(
    ("place", "who", "clicked_in", "opens"),
    [
        ("D1", HANNA, None, True),
        ("D1", ADMIN, None, True),
        ("D1", OMAR, None, False),
        ("D1", OMAR, "D1", False),
        ("D1", OMAR, UNLISTED, False),
        ("C1", OMAR, "C1", True),
        ("C1", None, UNLISTED, True),
        ("C1", OMAR, "C2", False),
        ("C1", OMAR, None, False),
        ("C1", None, None, False),
    ],
)
def test_a_file_opens_to_who_asked_and_where_it_was_posted(
    place: str, who: Person | None, clicked_in: str | None, opens: bool
) -> None:
    access = Access(People({each.id: each for each in (HANNA, OMAR, ADMIN)}), Channels({}))
    visibility = RecordAccess(access.scope_for, lambda _: {}, lambda _: {}, lambda: TODAY)
    closed = visibility.withheld(of_a_file(place), who, clicked_in)
    assert closed == (frozenset() if opens else {f"{ATTACHED}F1"})
