"""Sentences name what they cite by passage, where the operator wants that, at every door."""

from dataclasses import replace
from typing import Any

import pytest
from answering_values import an_outcome, passage
from block_records import everything, read
from rich.console import Console

from audit.record import AuditRecord, Confidence, Decision, Versions
from audit.values import ClaimKind, ClaimLine, Status
from bot.answering.as_json import outcome_as_json
from bot.answering.outcome import Outcome
from bot.answering.recording import Circumstances, audit_record
from bot.answering.reply import reply_text
from bot.answering.values import Citation, Claim, Verdict
from bot.citations.layout import CitationStyle
from bot.cli.replies import render
from bot.slack.blocks.audit import audit_record as audit_page
from bot.slack.blocks.evidence import evidence
from bot.slack.blocks.reply import reply
from bot.workspace.block_kit.validation import problems
from retrieval.types import Metadata, Passage

LINK = "https://docs.example.org/leave"


def made(passage_id: str, text: str) -> Passage:
    """A passage of one document, whose id is such as the library's."""
    whole = passage(passage_id, text, metadata=Metadata(link=LINK))
    return replace(whole, document=replace(whole.document, document_id="leave", file="leave.md"))


LEAVE = made("3f9a1c2b77aa01b2c3d4e5f6", "Everyone gets 20 days of leave.")
MORE = made("aa01b2c3d4e5f63f9a1c2b77", "Nurses get 5 days more.")


def cites(*passages: Passage) -> tuple[Citation, ...]:
    return tuple(Citation(each, 0, 0, Status.VERIFIED, 1.0) for each in passages)


STATED = Claim(LEAVE.text, Status.VERIFIED, ClaimKind.CITED, cites(LEAVE), 1.0)
CONCLUDED = Claim(
    "Nurses get 25 days.", Status.VERIFIED, ClaimKind.INFERENCE, cites(LEAVE, MORE, LEAVE), 0.98
)


def answered(*claims: Claim, style: CitationStyle = CitationStyle.SRC) -> Outcome:
    sure = Confidence(0.9, 1.0, 0.9, None, 0.9)
    outcome = an_outcome(Verdict(Decision.ANSWER, claims, (), (), sure, ()))
    return replace(outcome, citation_style=style)


def recorded(outcome: Outcome) -> AuditRecord:
    """As it is read back from the audit store."""
    record = audit_record(outcome, Circumstances(Versions(software="0"), "", "", "", ""))
    return AuditRecord.model_validate_json(record.model_dump_json())


def slack(outcome: Outcome) -> list[dict[str, Any]]:
    blocks = list(reply(recorded(outcome), 7, quoted=False).blocks)
    assert problems(blocks) == []
    return blocks


def printed(outcome: Outcome) -> str:
    console = Console(width=120)
    with console.capture() as captured:
        console.print(render(outcome))
    return captured.get()


def test_each_sentence_names_its_passages_and_what_was_concluded_says_so() -> None:
    outcome = answered(STATED, CONCLUDED)
    said = [
        "Everyone gets 20 days of leave. [src:3f9a1c2b]",
        "Nurses get 25 days. [src:3f9a1c2b,aa01b2c3] [inference]",
    ]
    assert [line for line in reply_text(outcome).splitlines() if "[src:" in line] == said
    for door in (
        printed(outcome),
        read(slack(outcome)),
        reply(recorded(outcome), 7, quoted=False).text,
    ):
        assert all(sentence in door for sentence in said)


def test_the_sources_are_listed_by_the_same_ids() -> None:
    outcome = answered(STATED, CONCLUDED)
    shown = read(slack(outcome))
    assert "[src:3f9a1c2b] Leave · line 1" in shown
    assert "[src:aa01b2c3] Leave · line 1" in shown
    assert "[src:aa01b2c3] leave.md, line 1" in printed(outcome)


def test_an_id_opens_the_document_in_slack() -> None:
    linked = [
        (each["text"], each["url"])
        for several in everything(slack(answered(STATED, CONCLUDED)), "elements")
        for each in several
        if each["type"] == "link"
    ]
    assert ("3f9a1c2b", LINK) in linked
    assert ("aa01b2c3", LINK) in linked


def test_the_evidence_and_the_audit_name_the_same_ids() -> None:
    record = recorded(answered(STATED, CONCLUDED))
    for view in (evidence(record, frozenset()), audit_page(record, (), 1, "chain")):
        assert "[src:3f9a1c2b] Leave" in read(view["blocks"])


def test_two_passages_whose_ids_begin_alike_are_told_apart() -> None:
    twin = made("3f9a1c2b77ffffffffffffff", "Nurses get 5 days more.")
    both = replace(CONCLUDED, citations=cites(LEAVE, twin))
    assert "[src:3f9a1c2b77a,3f9a1c2b77f]" in reply_text(answered(both))


def test_each_step_of_a_list_names_its_own_passage() -> None:
    lines = (ClaimLine("To ask:", None, False, 0), ClaimLine("Sign.", 1, True, 1))
    listed = Claim("To ask: Sign.", Status.VERIFIED, ClaimKind.CITED, cites(LEAVE, MORE), 1.0)
    outcome = answered(replace(listed, lines=lines))
    assert reply_text(outcome).splitlines()[:2] == [
        "To ask: [src:3f9a1c2b]",
        "1. Sign. [src:aa01b2c3]",
    ]
    assert "Sign. [src:aa01b2c3]" in read(slack(outcome))


def test_an_item_of_a_list_within_a_list_is_set_in_at_every_door() -> None:
    lines = (
        ClaimLine("Handling: 2 years", None, True, 0),
        ClaimLine("Offices: 3 years", 1, True, 0, depth=1),
        ClaimLine("Porters: 1 year", None, True, 0, depth=7),
    )
    text = " ".join(each.text for each in lines)
    listed = Claim(text, Status.VERIFIED, ClaimKind.CITED, cites(LEAVE), 1.0)
    outcome = answered(replace(listed, lines=lines), STATED)
    starts = [len(line) - len(line.lstrip()) for line in reply_text(outcome).splitlines()[:3]]
    assert starts == [0, 4, 28]
    shown = printed(outcome).splitlines()
    first, second = (next(each for each in shown if said in each) for said in ("Handling", "Offi"))
    assert second.index("Offices") > first.index("Handling")
    alone = lists_in(slack(answered(replace(listed, lines=lines))))
    assert [each.get("indent", 0) for each in alone] == [0, 1, 7]
    assert [each["indent"] for each in lists_in(slack(outcome))[:3]] == [1, 2, 8]


def lists_in(blocks: Any) -> list[dict[str, Any]]:
    held = [each for block in blocks for each in block.get("elements", ())]
    return [each for each in held if each["type"] == "rich_text_list"]


def test_json_says_the_style_and_the_whole_id() -> None:
    said = outcome_as_json(answered(STATED))
    assert said["citation_style"] == "src"
    assert "3f9a1c2b77aa01b2c3d4e5f6" in str(said["claims"])


@pytest.mark.parametrize("claims", [(STATED,), (STATED, CONCLUDED)])
def test_by_default_pages_are_numbered(claims: tuple[Claim, ...]) -> None:
    outcome = answered(*claims, style=CitationStyle.NUMBERS)
    for door in (reply_text(outcome), printed(outcome), read(slack(outcome))):
        assert "Everyone gets 20 days of leave. [1]" in door
        assert "src:" not in door
        assert "[inference]" not in door


def test_a_record_from_before_there_were_styles_is_read_with_numbers() -> None:
    kept = recorded(answered(STATED)).model_dump(mode="json")
    del kept["citation_style"]
    older = AuditRecord.model_validate(kept)
    assert "Everyone gets 20 days of leave. [1]" in read(reply(older, 7, quoted=False).blocks)
