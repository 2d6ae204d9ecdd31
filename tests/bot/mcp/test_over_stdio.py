"""The person's own agent starts the program, and asks as that person or as a guest."""

from typing import Any

import pytest
from agents import ASKED, LOST_CARD, PAY, calls_over_stdio, everything, is_refused, text
from vouch_home import Home

pytestmark = pytest.mark.server


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
