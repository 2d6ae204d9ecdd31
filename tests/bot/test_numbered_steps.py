"""Steps that a document numbers are read as numbered steps, at every door."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from answering_values import an_outcome, passage
from block_records import everything, read
from fakes import SameEntailment
from rich.console import Console

from audit.record import AuditRecord, Confidence, Decision, Versions
from audit.values import Status
from bot.answering.anchors import anchor
from bot.answering.as_json import outcome_as_json
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.answering.recording import Circumstances, audit_record
from bot.answering.reply import reply_text
from bot.answering.values import Citation, Claim, Draft, DraftClaim, Verdict
from bot.answering.verification import ClaimVerifier
from bot.cli.replies import render
from bot.slack.blocks.evidence import evidence
from bot.slack.blocks.reply import reply
from bot.wording.untrusted_text import json_text
from bot.workspace.block_kit.validation import problems
from retrieval.types import Passage

Line = tuple[str, int | None]
LEAD = "To borrow a laptop:"
STEPS: list[Line] = [("Show your card.", 1), ("Choose a laptop.", 2), ("Sign the form.", 3)]


def steps(*lines: Line, name: str = "loans", lead: str = LEAD) -> Passage:
    """A line that leads to a list, and its items; a dash before one that has no number."""
    made = passage(name, lead, *(text for text, _ in lines))
    items = [
        replace(sentence, in_list=True, item_number=number)
        for sentence, (_, number) in zip(made.sentences[1:], lines, strict=True)
    ]
    return replace(made, sentences=(made.sentences[0], *items))


def verified(source: Passage, *spans: tuple[int, int], others: Sequence[Passage] = ()) -> Outcome:
    """An answer that copies spans of a passage's sentences, each as a claim."""
    drafts = [
        DraftClaim(
            " ".join(each.text for each in source.sentences[first : last + 1]),
            tuple(anchor(1, index + 1) for index in range(first, last + 1)),
        )
        for first, last in spans
    ]
    claims = ClaimVerifier(SameEntailment(0.0))(Draft(tuple(drafts), (source, *others)))
    assert all(claim.status is Status.VERIFIED for claim in claims)  # word for word
    return answered(*claims)


def answered(*claims: Claim) -> Outcome:
    sure = Confidence(0.9, 1.0, None, None, 0.9)
    return an_outcome(Verdict(Decision.ANSWER, claims, (), (), sure, ()))


def recorded(outcome: Outcome) -> AuditRecord:
    """As it is read back from the audit store."""
    record = audit_record(outcome, Circumstances(Versions(software="0"), "", "", "", ""))
    return AuditRecord.model_validate_json(record.model_dump_json())


def slack(outcome: Outcome) -> tuple[dict[str, Any], ...]:
    blocks = reply(recorded(outcome), 7, quoted=False).blocks
    assert problems(blocks) == []
    return tuple(blocks)


def lists(outcome: Outcome) -> list[tuple[str, int, int, list[str]]]:
    """Style, first number or 0, indent and items of each list in Slack."""
    return [
        (
            part["style"],
            part.get("offset", 0) + 1 if part["style"] == "ordered" else 0,
            part.get("indent", 0),
            read([{"type": "rich_text", "elements": [part]}]).splitlines(),
        )
        for parts in everything(slack(outcome), "elements")
        for part in parts
        if part["type"] == "rich_text_list"
    ]


def printed(outcome: Outcome) -> list[str]:
    console = Console(width=80)
    with console.capture() as captured:
        console.print(render(outcome))
    return [" ".join(line.strip("│ \n").split()) for line in captured.get().splitlines()]


def test_steps_are_numbered_and_cited_each_in_the_text_of_a_reply() -> None:
    outcome = verified(steps(*STEPS), (0, 3))
    assert reply_text(outcome).splitlines()[:4] == [
        "To borrow a laptop: [1]",
        "1. Show your card. [1]",
        "2. Choose a laptop. [1]",
        "3. Sign the form. [1]",
    ]


def test_steps_are_an_ordered_list_in_slack() -> None:
    outcome = verified(steps(*STEPS), (0, 3))
    assert "To borrow a laptop: [1]" in read(slack(outcome)).splitlines()
    items = ["Show your card. [1]", "Choose a laptop. [1]", "Sign the form. [1]"]
    assert lists(outcome) == [("ordered", 1, 0, items)]


def test_a_screen_reader_and_the_evidence_hear_the_numbers_too() -> None:
    outcome = verified(steps(*STEPS), (0, 3))
    said = "To borrow a laptop: 1. Show your card. 2. Choose a laptop. 3. Sign the form."
    assert f"{said} [1]" in reply(recorded(outcome), 7, quoted=False).text
    assert said in read(evidence(recorded(outcome), frozenset())["blocks"])


def test_steps_are_numbered_at_a_terminal() -> None:
    lines = printed(verified(steps(*STEPS), (0, 3)))
    at = lines.index("To borrow a laptop: [1]")
    assert lines[at + 1 : at + 4] == [
        "1. Show your card. [1]",
        "2. Choose a laptop. [1]",
        "3. Sign the form. [1]",
    ]


def test_what_has_no_numbers_stays_bullets() -> None:
    outcome = verified(steps(("Laptops", None), ("Cameras", None), lead="We lend:"), (0, 2))
    assert lists(outcome) == [("bullet", 0, 0, ["Laptops [1]", "Cameras [1]"])]
    assert reply_text(outcome).splitlines()[:3] == [
        "We lend: [1]",
        "• Laptops [1]",
        "• Cameras [1]",
    ]
    assert "• Laptops [1]" in printed(outcome)


def test_steps_that_are_claims_of_their_own_keep_their_numbers() -> None:
    outcome = verified(steps(*STEPS), (1, 1), (3, 3))
    assert reply_text(outcome).splitlines()[:2] == [
        "1. Show your card. [1]",
        "3. Sign the form. [1]",
    ]
    assert lists(outcome) == [
        ("ordered", 1, 0, ["Show your card. [1]"]),
        ("ordered", 3, 0, ["Sign the form. [1]"]),
    ]
    assert "3. Sign the form. [1]" in printed(outcome)


def test_one_step_alone_is_a_sentence() -> None:
    outcome = verified(steps(*STEPS), (2, 2))
    assert reply_text(outcome).splitlines()[0] == "Choose a laptop. [1]"
    assert lists(outcome) == []
    assert "Choose a laptop. [1]" in printed(outcome)


def test_beside_another_claim_steps_are_not_indented_for_slack_would_letter_them() -> None:
    source = steps(*STEPS)
    fee = passage("fees", "It costs nothing.", title="Fees")
    [free] = verified(fee, (0, 0)).verdict.claims
    outcome = answered(free, *verified(source, (0, 3)).verdict.claims)
    items = ["Show your card. [2]", "Choose a laptop. [2]", "Sign the form. [2]"]
    assert lists(outcome) == [
        ("bullet", 0, 0, ["It costs nothing. [1]", "To borrow a laptop: [2]"]),
        ("ordered", 1, 0, items),
    ]


def test_bullets_within_a_step_interrupt_no_numbers() -> None:
    inner: list[Line] = [("Show one of:", 1), ("A card.", None), ("A passport.", None)]
    outcome = verified(steps(*inner, ("Sign.", 2)), (0, 4))
    assert [each[:2] for each in lists(outcome)] == [("ordered", 1), ("bullet", 0), ("ordered", 2)]


def test_two_lists_that_both_begin_at_one_are_two() -> None:
    outcome = verified(steps(("Ask.", 1), ("Then:", 1), ("Sign.", 2)), (0, 3))
    assert [each[1] for each in lists(outcome)] == [1, 1]


def test_each_step_names_its_own_page_and_the_last_what_says_the_same() -> None:
    begun = steps(STEPS[0])
    ended = passage("ended", *(text for text, _ in STEPS[1:]))
    items = [
        replace(each, page=2, in_list=True, item_number=n)
        for n, each in enumerate(ended.sentences, start=2)
    ]
    ended = replace(ended, sentences=tuple(items))
    whole = DraftClaim(f"{begun.text} {ended.text}", ("1.1", "1.2", "2.1", "2.2"))
    claim, *_ = ClaimVerifier(SameEntailment(0.0))(Draft((whole,), (begun, ended)))
    other = Citation(steps(*STEPS, name="copy"), 0, 3, Status.VERIFIED, 1.0)
    outcome = answered(replace(claim, citations=(*claim.citations, other)))
    assert [line.split()[-1] for line in reply_text(outcome).splitlines()[:4]] == [
        *("[1]", "[1]", "[2]"),
        "[2][3]",
    ]
    assert lists(outcome)[0][3][-1] == "Sign the form. [2][3]"


def test_json_keeps_the_text_and_says_the_lines() -> None:
    printed_as = json_text(outcome_as_json(verified(steps(*STEPS), (0, 3))))
    [claim] = json.loads(printed_as)["claims"]
    assert claim["text"] == " ".join([LEAD, *(text for text, _ in STEPS)])
    assert [(each["text"], each["number"]) for each in claim["lines"]] == [(LEAD, None), *STEPS]


def test_of_a_list_without_end_a_message_still_fits() -> None:
    many = [(f"Step {number} of many, with some words to read.", number) for number in range(1, 90)]
    blocks = slack(verified(steps(*many), (0, 89)))
    assert "1. Step 1 of many" in read(blocks)
    assert "89. Step 89 of many" in read(blocks)


def test_a_step_that_calls_everyone_calls_nobody() -> None:
    outcome = verified(steps(("Ask <!channel> <@U0ANA>.", 1), ("Sign.", 2)), (0, 2))
    assert "<!channel>" not in reply_text(outcome)
    assert "<!channel>" not in reply(recorded(outcome), 7, quoted=False).text


def test_steps_that_came_near_are_quoted_with_their_numbers() -> None:
    near = Quotation(steps(*STEPS), 0, 3)
    sure = Confidence(0.2, 0.0, None, None, 0.2)
    refused = an_outcome(Verdict(Decision.ABSTAIN, (), (), (), sure, ()))
    outcome = replace(refused, nearest=(near,))
    said = f"{LEAD} 1. Show your card. 2. Choose a laptop. 3. Sign the form."
    assert f"“{said}”" in reply_text(outcome)
    assert said in read(slack(outcome))
    assert said in json_text(outcome_as_json(outcome))


def test_one_step_that_came_near_is_quoted_as_a_sentence() -> None:
    assert Quotation(steps(*STEPS), 0, 1).shown == f"{LEAD} Show your card."
