"""Sentences name what they cite by passage, where the operator wants that, at every door."""

from dataclasses import replace
from typing import Any

import pytest
from answering_values import an_outcome, answering, cites, claimed, passage
from block_records import everything, read
from shown import in_slack, printed, recorded

from audit.record import AuditRecord
from audit.values import ClaimKind, ClaimLine
from bot.answering.as_json import outcome_as_json
from bot.answering.citations.layout import CitationStyle
from bot.answering.outcome import Outcome
from bot.answering.reply import reply_text
from bot.answering.values import Claim
from bot.slack.blocks.audit import audit_record as audit_page
from bot.slack.blocks.evidence import evidence
from bot.slack.blocks.reply import reply
from retrieval.types import Metadata, Passage

LINK = "https://docs.example.org/leave"


def made(passage_id: str, text: str) -> Passage:
    """A passage of one document, whose id is such as the library's."""
    whole = passage(passage_id, text, metadata=Metadata(link=LINK))
    return replace(whole, document=replace(whole.document, document_id="leave", file="leave.md"))


LEAVE = made("3f9a1c2b77aa01b2c3d4e5f6", "Everyone gets 20 days of leave.")
MORE = made("aa01b2c3d4e5f63f9a1c2b77", "Nurses get 5 days more.")
STATED = claimed(LEAVE.text, cites(LEAVE))
CONCLUDED = claimed(
    "Nurses get 25 days.", *map(cites, (LEAVE, MORE, LEAVE)), kind=ClaimKind.INFERENCE
)


def answered(*claims: Claim, style: CitationStyle = CitationStyle.SRC) -> Outcome:
    return replace(an_outcome(answering(*claims)), citation_style=style)


def test_each_sentence_names_its_passages_and_every_door_and_the_json_the_same_ids() -> None:
    outcome = answered(STATED, CONCLUDED)
    said = [
        "Everyone gets 20 days of leave. [src:3f9a1c2b]",
        "Nurses get 25 days. [src:3f9a1c2b,aa01b2c3] [inference]",
    ]
    assert [line for line in reply_text(outcome).splitlines() if "[src:" in line] == said
    record, shown = recorded(outcome), read(in_slack(outcome))
    for door in (printed(outcome), shown, reply(record, 7, quoted=False).text):
        assert all(sentence in door for sentence in said)
    assert "[src:3f9a1c2b] Leave · line 1" in shown
    assert "[src:aa01b2c3] Leave · line 1" in shown
    assert "[src:aa01b2c3] leave.md, line 1" in printed(outcome)
    for view in (evidence(record, frozenset()), audit_page(record, (), 1, "chain")):
        assert "[src:3f9a1c2b] Leave" in read(view["blocks"])
    as_json = outcome_as_json(outcome)
    assert as_json["citation_style"] == "src"
    assert "3f9a1c2b77aa01b2c3d4e5f6" in str(as_json["claims"])


def test_an_id_opens_the_document_in_slack() -> None:
    linked = [
        (each["text"], each["url"])
        for several in everything(in_slack(answered(STATED, CONCLUDED)), "elements")
        for each in several
        if each["type"] == "link"
    ]
    assert {("3f9a1c2b", LINK), ("aa01b2c3", LINK)} <= {*linked}


def test_two_passages_whose_ids_begin_alike_are_told_apart() -> None:
    twin = made("3f9a1c2b77ffffffffffffff", "Nurses get 5 days more.")
    both = replace(CONCLUDED, citations=(cites(LEAVE), cites(twin)))
    assert "[src:3f9a1c2b77a,3f9a1c2b77f]" in reply_text(answered(both))


def test_each_step_of_a_list_names_its_own_passage() -> None:
    lines = (ClaimLine("To ask:", None, False, 0), ClaimLine("Sign.", 1, True, 1))
    listed = claimed("To ask: Sign.", cites(LEAVE), cites(MORE))
    outcome = answered(replace(listed, lines=lines))
    said = ["To ask: [src:3f9a1c2b]", "1. Sign. [src:aa01b2c3]"]
    assert reply_text(outcome).splitlines()[:2] == said
    assert "Sign. [src:aa01b2c3]" in read(in_slack(outcome))


def test_an_item_of_a_list_within_a_list_is_set_in_at_every_door() -> None:
    lines = (
        ClaimLine("Handling: 2 years", None, True, 0),
        ClaimLine("Offices: 3 years", 1, True, 0, depth=1),
        ClaimLine("Porters: 1 year", None, True, 0, depth=7),
    )
    listed = replace(claimed(" ".join(each.text for each in lines), cites(LEAVE)), lines=lines)
    outcome = answered(listed, STATED)
    starts = [len(line) - len(line.lstrip()) for line in reply_text(outcome).splitlines()[:3]]
    assert starts == [0, 4, 28]
    shown = printed(outcome).splitlines()
    first, second = (next(each for each in shown if said in each) for said in ("Handling", "Offi"))
    assert second.index("Offices") > first.index("Handling")
    assert [each.get("indent", 0) for each in lists_in(in_slack(answered(listed)))] == [0, 1, 7]
    assert [each["indent"] for each in lists_in(in_slack(outcome))[:3]] == [1, 2, 8]


def lists_in(blocks: Any) -> list[dict[str, Any]]:
    held = [each for block in blocks for each in block.get("elements", ())]
    return [each for each in held if each["type"] == "rich_text_list"]


@pytest.mark.parametrize("claims", [(STATED,), (STATED, CONCLUDED)])
def test_by_default_and_in_older_records_pages_are_numbered(claims: tuple[Claim, ...]) -> None:
    outcome = answered(*claims, style=CitationStyle.NUMBERS)
    kept = recorded(answered(STATED)).model_dump(mode="json")
    del kept["citation_style"]
    older = read(reply(AuditRecord.model_validate(kept), 7, quoted=False).blocks)
    for door in (reply_text(outcome), printed(outcome), read(in_slack(outcome)), older):
        assert "Everyone gets 20 days of leave. [1]" in door
        assert "src:" not in door
        assert "[inference]" not in door
