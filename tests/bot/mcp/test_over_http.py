"""Agents come over HTTP, each with a token of one person, and see what that person may.

Or the person's own agent starts the program, and asks as that person or as a guest.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from agents import (
    ASKED,
    BEN,
    CEM,
    HR_ANA,
    LOST_CARD,
    ORDER,
    PAY,
    Served,
    calls_over_stdio,
    everything,
    is_refused,
    text,
)
from vouch_home import Home

pytestmark = pytest.mark.server


@pytest.fixture
def people_put_back(served: Served) -> Iterator[Served]:
    yield served
    served.home.people(HR_ANA, BEN, CEM)


def shows_pay(said: str) -> bool:
    return "900 euros" in said or "pay.md" in said or "Pay" in said


def test_an_answer_is_that_of_the_command_line_and_is_recorded_as_an_agents(
    served: Served, staffs_answer: Any
) -> None:
    [claim] = staffs_answer["claims"]
    [cited] = claim["citations"]
    assert (cited["file"], cited["line_start"], cited["quote"]) == ("pay.md", 7, PAY)
    same = served.home.ask(ASKED, "--as", "ana")
    assert staffs_answer.keys() == same.keys() - {"dropped"}
    record = served.home.record(staffs_answer["audit_id"])
    assert record["decision"] == staffs_answer["decision"]
    assert (record["person"]["id"], record["channel"]["id"]) == ("ana", "mcp")
    assert record["reply"] == staffs_answer["text"]


def test_a_citation_opens_by_its_mark_or_its_name_with_its_text_around(
    served: Served, staff: str, staffs_answer: Any
) -> None:
    audit_id = staffs_answer["audit_id"]
    by_mark, by_name, no_such = served.calls(
        staff, *(("open_citation", {"audit_id": audit_id, "number": n}) for n in (1, "1-1", "7-1"))
    )
    opened = by_mark.structured_content
    assert opened == by_name.structured_content
    assert (opened["quote"], opened["after"]) == (PAY, "Ask the pay office.")
    assert (opened["number"], opened["standing"]) == ("1-1", "as cited")
    assert is_refused(no_such, "no such citation")


def test_a_search_lists_passages_and_is_recorded_as_one(served: Served, staff: str) -> None:
    [found] = served.calls(staff, ("search", {"query": "salary of a lecturer"}), mode="legacy")
    told: Any = found.structured_content
    [first] = [each for each in told["passages"] if each["file"] == "pay.md"]
    assert (first["line_start"], first["quote"]) == (7, f"{PAY} Ask the pay office.")
    assert all(0 <= each["score"] <= 1 for each in told["passages"])
    record = served.home.record(told["audit_id"])
    assert (record["decision"], record["writer"]["name"]) == ("ABSTAIN", "none: a search")
    assert [each["file"] for each in record["nearest"]] == [f["file"] for f in told["passages"]]
    assert record["reply"] in text(found)
    opened = served.call(staff, "open_citation", audit_id=told["audit_id"], number=first["number"])
    assert opened.structured_content["quote"] == first["quote"]


def test_a_students_agent_gets_nothing_of_what_is_for_staff(
    served: Served, student: str, staffs_answer: Any
) -> None:
    audit_id = staffs_answer["audit_id"]
    asked, found, opened, unknown = served.calls(
        student,
        ("ask", {"question": ASKED}),
        ("search", {"query": ASKED}),
        ("open_citation", {"audit_id": audit_id, "number": "1"}),
        ("open_citation", {"audit_id": audit_id[:-4] + "ffff", "number": "1"}),
    )
    assert not shows_pay(everything(asked).replace(ASKED, ""))
    assert not shows_pay(everything(found))
    assert is_refused(opened, "no such citation")
    assert text(opened) == text(unknown)


def test_which_documents_there_are_is_told_to_those_who_may_read_them(
    served: Served, staff: str, student: str
) -> None:
    question = "What documents do you have on the pay office?"
    [told], [untold] = (
        served.calls(who, ("ask", {"question": question})) for who in (staff, student)
    )
    assert "1 document for “pay office” that you may read" in text(told)
    assert "pay.md" in everything(told)
    assert not shows_pay(everything(untold).replace(question, ""))
    assert "I found no document on this that you may read." in text(untold)


def test_what_a_document_orders_reaches_no_agent_and_is_obeyed_by_nobody(
    served: Served, student: str
) -> None:
    question = "where is a room for a lecture booked?"
    asked, found = served.calls(
        student, ("ask", {"question": question}), ("search", {"query": question})
    )
    assert "booked at the desk" in text(asked)
    assert "booked at the desk" in text(found)
    told: Any = asked.structured_content
    opened = served.call(student, "open_citation", audit_id=told["audit_id"], number=1)
    assert "booked at the desk" in text(opened)
    for each in (asked, found, opened):
        assert ORDER[:30] not in everything(each)
        assert "900 euros" not in everything(each)


def test_what_is_for_everyone_is_not_opened_in_anothers_record(
    served: Served, staff: str, student: str
) -> None:
    told: Any = served.call(staff, "ask", question=LOST_CARD).structured_content
    opened = served.call(student, "open_citation", audit_id=told["audit_id"], number=1)
    assert is_refused(opened, "not for this person")


def test_who_left_the_department_cannot_open_what_they_were_told(
    people_put_back: Served, staff: str, staffs_answer: Any
) -> None:
    people_put_back.home.people({**HR_ANA, "departments": ["cs"]}, BEN, CEM)
    opened = people_put_back.call(
        staff, "open_citation", audit_id=staffs_answer["audit_id"], number=1
    )
    assert is_refused(opened)
    assert PAY not in everything(opened)


def test_a_token_that_is_none_any_more_opens_nothing(served: Served) -> None:
    revoked, expired = served.token("cem"), served.expired_token("cem")
    assert served.send({"Authorization": f"Bearer {revoked}"}).status_code == 200
    listed = served.home.vouch("mcp", "tokens").out
    number = revoked.split("_")[1]
    assert revoked not in listed
    assert f"{number}  cem" in listed
    assert "expired" in listed
    assert served.home.vouch("mcp", "revoke", number).status == 0
    for token in (revoked, expired, f"{revoked}x", f"vouch_00000000_{'a' * 43}", "x"):
        assert served.send({"Authorization": f"Bearer {token}"}).status_code == 401
    refused = served.send({})
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert "vouch mcp token --for" in refused.json()["error"]


def test_a_token_of_somebody_who_left_opens_nothing(people_put_back: Served) -> None:
    token = people_put_back.token("cem")
    people_put_back.home.people(HR_ANA, BEN)
    assert people_put_back.send({"Authorization": f"Bearer {token}"}).status_code == 401
    assert "nobody in people.yaml" in people_put_back.home.vouch("mcp", "tokens").said


def test_no_header_says_who_somebody_is(served: Served, staff: str, student: str) -> None:
    bearer = ("Authorization", f"Bearer {student}")
    forged = [("vouch.person", "ana"), ("X-Forwarded-User", "ana"), ("X-Vouch-Person", "ana")]
    assert served.send(forged).status_code == 401
    assert served.send([bearer, *forged]).status_code == 200
    assert served.send([bearer, ("Authorization", f"Bearer {staff}")]).status_code == 401
    assert served.send([("Authorization", f"Basic {student}")]).status_code == 401
    assert served.send([bearer, ("Origin", "http://127.0.0.1")]).status_code == 403


def test_no_argument_says_who_somebody_is(served: Served, student: str) -> None:
    told = served.call(student, "ask", question=ASKED, person="ana")
    assert is_refused(told, "`person`", "takes `question`, `on`")


def test_what_cannot_be_done_is_said_plainly(served: Served, student: str) -> None:
    wrong: list[tuple[str, dict[str, object], str]] = [
        ("ask", {"question": "  "}, "ask a question"),
        ("ask", {"question": "why " * 50_000}, "200,000 characters"),
        ("ask", {"question": LOST_CARD, "on": "soon"}, "2026-01-31"),
        ("ask", {}, "`question`"),
        ("search", {"query": ""}, "ask a question"),
        ("open_citation", {"audit_id": "../x", "number": "1"}, "no such citation"),
        ("open_citation", {"audit_id": "%", "number": ["1"]}, "`number`"),
        ("delete", {}, "ask, search, open_citation"),
    ]
    told = served.calls(student, *((tool, arguments) for tool, arguments, _ in wrong))
    for result, (tool, arguments, words) in zip(told, wrong, strict=True):
        assert is_refused(result, words), (tool, text(result))
        assert len(text(result)) < 400, arguments


RAISE = {
    "type": "object",
    "properties": {
        "rise": {"type": "number", "description": "By so much the salary of a lecturer rises"},
        "card": {
            "type": "number",
            "title": "Lost card",
            "description": "A lost student card costs",
        },
    },
}


def test_an_agent_reads_fields_of_what_the_person_may_read(
    served: Served, staff: str, student: str
) -> None:
    told = served.call(staff, "extract", document="pay.md", json_schema=RAISE)
    values: Any = told.structured_content
    assert not told.is_error, text(told)
    assert values["fields"]["card"]["value"] is None
    record = served.home.record(values["audit_id"])
    assert (record["person"]["id"], record["channel"]["id"]) == ("ana", "mcp")
    closed = served.call(student, "extract", document="pay.md", json_schema=RAISE)
    absent = served.call(student, "extract", document="nay.md", json_schema=RAISE)
    assert is_refused(closed, "There is no file, document or source")
    assert text(closed).replace("pay.md", "nay.md") == text(absent)
    assert PAY not in everything(closed)


def test_an_agents_schema_reaches_for_nothing_outside(served: Served, student: str) -> None:
    remote = {"type": "object", "properties": {"a": {"$ref": "https://evil.example/schema"}}}
    python = {"type": "object", "properties": {"a": {"type": "python:os.system"}}}
    for schema in (remote, python):
        refused = served.call(student, "extract", document="card.md", json_schema=schema)
        assert is_refused(refused, "asks for what is not extracted")


def test_an_agent_asks_and_searches_for_who_started_it(read: Home) -> None:
    asked, found = calls_over_stdio(
        read, ("ask", {"question": ASKED}), ("search", {"query": ASKED}), person="Ana Silva"
    )
    assert PAY in text(asked)
    assert PAY in text(found)
    told: Any = asked.structured_content
    record = read.record(told["audit_id"])
    assert (record["person"]["id"], record["channel"]["id"]) == ("ana", "mcp")


def test_a_guests_agent_gets_what_is_for_everyone_alone(read: Home) -> None:
    staffs = read.ask(ASKED, "--as", "ana")["audit_id"]
    own = read.ask(LOST_CARD)["audit_id"]
    found, asked, opened, refused = calls_over_stdio(
        read,
        ("search", {"query": ASKED}),
        ("ask", {"question": LOST_CARD}),
        ("open_citation", {"audit_id": own, "number": "1-1"}),
        ("open_citation", {"audit_id": staffs, "number": "1-1"}),
    )
    assert "pay.md" not in everything(found)
    assert PAY not in everything(found)
    assert "20 euros" in text(asked)
    assert "20 euros" in text(opened)
    assert is_refused(refused, "not for this person")


def test_nobody_known_and_two_doors_at_once_are_refused_before_anything_starts(read: Home) -> None:
    unknown = read.vouch("mcp", "--as", "zoe")
    assert (unknown.status, "Nobody has the id" in unknown.said) == (2, True)
    both = read.vouch("mcp", "--as", "ana", "--http", "0")
    assert (both.status, "a token says who asks" in both.said) == (2, True)
