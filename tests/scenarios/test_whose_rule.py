"""People ask the sample organisation, and the rule that holds for them is the one that is told."""

import json

import pytest
from at_length import first
from vouch_home import STRICT, Home, cited_files

from bot import wording

TODAY = ("--on", "2026-11-24")
HANDBOOK = "computer-science/msc-handbook.docx"
COURSEWORK_RULES = "computer-science/coursework-rules.md"
REGULATIONS = "university/regulations/academic-regulations-2025.pdf"
HOW_LATE = "how late can i hand in coursework"


@pytest.mark.parametrize(
    "question",
    first(
        1,
        [
            "How late may I hand in coursework, and what does it cost me?",
            HOW_LATE,
            "late coursework",
            "can i hand in my homework two days late",
        ],
    ),
)
def test_mei_is_told_her_handbooks_rule_and_not_the_facultys(
    university: Home, question: str
) -> None:
    reply = university.ask(question, "--as", "mei", *TODAY, **STRICT)
    assert reply["decision"] != "ABSTAIN"
    assert cited_files(reply) == {HANDBOOK}
    assert "48 hours" in " ".join(claim["text"] for claim in reply["claims"])


def test_nothing_of_an_overridden_section_stands_beside_the_rule_that_overrides_it(
    university: Home,
) -> None:
    reply = university.ask(HOW_LATE, "--as", "ana", *TODAY, **STRICT)
    assert cited_files(reply) == {COURSEWORK_RULES}


@pytest.mark.parametrize("channel", [(), ("--channel", "C0GENERAL")])
def test_whoever_is_of_no_unit_is_told_the_universitys_rule_alone(
    university: Home, channel: tuple[str, ...]
) -> None:
    reply = university.ask(HOW_LATE, *channel, *TODAY, **STRICT)
    assert cited_files(reply) == {REGULATIONS}


def test_whose_own_unit_has_another_rule_hears_first_that_it_may_hold_for_them(
    university: Home,
) -> None:
    asked = (HOW_LATE, "--as", "ana", "--channel", "C0GENERAL", *TODAY)
    assert university.ask(*asked, **STRICT)["own_rule_in_private"] is True
    said = university.vouch("ask", *asked, **STRICT).said
    assert said.index(wording.OWN_RULE_IN_PRIVATE) < said.index("7 calendar days")
    elsewhere = ("how much is a colour page a4", *asked[1:])
    assert university.ask(*elsewhere, **STRICT)["own_rule_in_private"] is False


def test_of_ones_own_rule_nothing_is_said_to_the_channel(university: Home) -> None:
    asked = (HOW_LATE, "--channel", "C0GENERAL", *TODAY)
    own, guest = (university.ask(*asked, *who, **STRICT) for who in (("--as", "ana"), ()))
    assert not guest["own_rule_in_private"]
    assert own["text"] == guest["text"]
    record = university.record(own["audit_id"])
    everything = json.dumps([own, record["candidates"], record["shown"], record["reply"]])
    assert not [
        each for each in (COURSEWORK_RULES, "cs-office", "3 calendar") if each in everything
    ]
