"""An administrator asks for what was answered, in the words that they have at hand."""

from collections.abc import Iterator
from typing import Any

import pytest
from block_records import a_citation, a_claim, a_record, markup, read
from front_desk import NOON, WITHOUT_BOT, FrontDesk, open_desk
from office import ANA, BEN, GENERAL

from audit.record import AuditEvent, AuditRecord, EventKind
from audit.values import PersonRecord, new_id
from bot.wording import evidence as wording
from bot.wording import slack
from retrieval.documents.holdings import Acquisition, Fingerprint, KeptOut
from retrieval.types import Document, Metadata

RULES, FEES, OTHER_FEES = "cs/coursework-rules.md", "cs/fees.md", "is/fees.md"
TITLES = {RULES: "Rules & deadlines", FEES: "Fees in CS", OTHER_FEES: "Fees in IS"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FrontDesk]:
    with open_desk(tmp_path_factory.mktemp("admin")) as desk:
        desk.library.store(_held(file, title) for file, title in TITLES.items())
        yield desk


@pytest.fixture(scope="module")
def about_rules(desk: FrontDesk) -> AuditRecord:
    return _answered(desk, RULES)


@pytest.fixture(scope="module")
def about_old(desk: FrontDesk) -> AuditRecord:
    return _answered(desk, "cs/withdrawn.md")


def _held(file: str, title: str) -> Acquisition:
    document = Document(f"id-{file}", file, "1", NOON, title, Metadata())
    return Acquisition("docs", document, Fingerprint(1, 1, "sha", ""), [])


def _answered(desk: FrontDesk, file: str) -> AuditRecord:
    citation = a_citation(file=file, document_id=f"id-{file}")
    record = a_record(audit_id=new_id(NOON), claims=(a_claim("So it is.", citation),))
    desk.writer.append(record)
    return record


def listed(shown: dict[str, Any]) -> list[str]:
    return [block["accessory"]["value"] for block in shown["blocks"] if "accessory" in block]


def pressed(desk: FrontDesk, shown: dict[str, Any], action: str) -> dict[str, Any]:
    return desk.told(lambda: desk.slack.clicks(ANA, GENERAL, shown["ts"], action), ANA)


@pytest.mark.parametrize(
    "said",
    [
        RULES,
        f"id-{RULES}",
        "coursework-rules.md",
        "Coursework-Rules.MD",
        "rules & deadlines",
        "“Rules & Deadlines”",
    ],
)
def test_a_document_is_found_by_its_file_its_name_or_its_title(
    desk: FrontDesk, about_rules: AuditRecord, said: str
) -> None:
    shown = desk.audit(f"document {said}")
    assert listed(shown) == [about_rules.audit_id]


def test_where_several_documents_fit_they_are_named(desk: FrontDesk) -> None:
    shown = desk.audit("document fees.md")
    said = read(shown["blocks"])
    assert said.startswith(
        "'fees.md' may mean several documents. Name one by its path or id: "
        f"id-{FEES} ({FEES}), id-{OTHER_FEES} ({OTHER_FEES})."
    )
    assert listed(shown) == []


def test_what_the_library_never_had_is_found_as_it_is_cited(
    desk: FrontDesk, about_old: AuditRecord
) -> None:
    assert listed(desk.audit("document cs/withdrawn.md")) == [about_old.audit_id]


def test_an_unknown_document_is_not_taken_for_one_that_was_never_used(desk: FrontDesk) -> None:
    said = read(desk.audit("document fees in ID")["blocks"])
    assert said.startswith("No document is or was called 'fees in ID'. Did you mean is/fees.md")


def test_a_document_that_was_never_used_is_one(desk: FrontDesk) -> None:
    said = read(desk.audit("document “fees in IS”")["blocks"])
    assert said == "No exchange was found for: document fees in IS"


@pytest.mark.parametrize("said", ["help", " HELP ", "?"])
def test_help_is_the_usage_alone(desk: FrontDesk, said: str) -> None:
    assert read(desk.audit(said)["blocks"]) == wording.USAGE


def test_older_ones_are_headed_as_such(desk: FrontDesk) -> None:
    for _ in range(11):
        _answered(desk, FEES)
    for said, first, later in (
        ("latest", "The latest exchanges", "Older exchanges"),
        (
            "text leave until 2030-01-01",
            "Exchanges, newest first: text leave, until 2030-01-01",
            "Older exchanges: text leave, until 2030-01-01",
        ),
    ):
        shown = desk.audit(said)
        older = pressed(desk, shown, "audit_more")
        heads = [read(each["blocks"]).splitlines()[0] for each in (shown, older)]
        assert heads == [first, later]
        assert not set(listed(shown)) & set(listed(older))


def test_where_the_bot_is_no_member_a_failure_is_told_all_the_same(
    desk: FrontDesk, about_rules: AuditRecord
) -> None:
    assert about_rules.audit_id in listed(desk.audit(f"document {RULES}", WITHOUT_BOT))
    away = desk.store.with_name("away")
    desk.store.rename(away)

    try:
        told = desk.audit("latest", WITHOUT_BOT)
    finally:
        away.rename(desk.store)
    assert told["text"] == slack.STORE_AWAY


def test_what_is_kept_out_is_told_with_its_reason(desk: FrontDesk) -> None:
    assert read(desk.audit("kept out")["blocks"]) == "Nothing is kept out."
    files = [f"{number}.md" for number in range(25)]
    hostile = "is under <!channel> *bold*"
    desk.library.keep_out("docs", [], [KeptOut("docs", file, hostile) for file in files])
    shown = desk.audit(" Kept-out ")
    said = read(shown["blocks"])
    assert said.startswith("Kept out, or not understood (25):")
    assert "0.md is under <!channel> *bold*" in said
    assert "and 5 more; `vouch check` names them all." in said
    assert markup(shown["blocks"]) == []
    assert "<!channel>" not in shown["text"]
    desk.library.keep_out("docs", files, [])


def test_what_people_said_of_answers_is_listed_a_page_at_a_time(
    desk: FrontDesk, about_rules: AuditRecord
) -> None:
    assert read(desk.audit("feedback")["blocks"]) == "Nobody has given feedback yet."
    for number in range(11):
        _said(desk, about_rules, f"person{number}")
    shown = desk.audit("Feedback")
    older = pressed(desk, shown, "feedback_more")
    assert [read(each["blocks"]).splitlines()[0] for each in (shown, older)] == [
        "Feedback, newest first",
        "Older feedback",
    ]
    assert "person10 · not helpful: It is out of date, “Since <!here> May.”" in read(
        shown["blocks"]
    )
    assert markup(shown["blocks"]) == []
    assert "<!here>" not in shown["text"]
    assert "person0 · " in read(older["blocks"])
    assert "person0 · " not in read(shown["blocks"])
    opened = desk.opens(lambda: desk.slack.clicks(ANA, GENERAL, shown["ts"], "audit_open"), ANA)
    assert about_rules.audit_id in str(opened["blocks"])


def test_what_somebody_said_is_found(desk: FrontDesk, about_rules: AuditRecord) -> None:
    _said(desk, about_rules, "quill")
    said = read(desk.audit("feedback person quill since 2020-01-01")["blocks"]).splitlines()
    assert said[0] == "Feedback, newest first: person quill, since 2020-01-01"
    assert len(said) == 2
    nothing = read(desk.audit("feedback until 2020-01-01")["blocks"])
    assert nothing == "No feedback was found for: until 2020-01-01"


@pytest.mark.parametrize(
    "said", ["feedback decision abstain", "feedback whatever", "feedback 0195e1c2"]
)
def test_what_feedback_is_not_listed_by_is_said(desk: FrontDesk, said: str) -> None:
    assert wording.USAGE in read(desk.audit(said)["blocks"])


def test_only_an_administrator_is_told_what_people_said(desk: FrontDesk) -> None:
    told = desk.told(lambda: desk.slack.command(BEN, GENERAL, "/audit", "feedback"))
    assert read(told["blocks"]) == wording.NOT_ADMIN


def _said(desk: FrontDesk, about: AuditRecord, who: str) -> None:
    desk.writer.append(
        AuditEvent(
            kind=EventKind.FEEDBACK,
            event_id=f"{about.audit_id}-{who}",
            audit_id=about.audit_id,
            time=NOON,
            person=PersonRecord(id=who),
            text="Since <!here> May.",
            details={"value": "bad", "why": "outdated"},
        )
    )
