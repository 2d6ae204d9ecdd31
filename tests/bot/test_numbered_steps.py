"""Steps that a document numbers are read as numbered steps, at every door."""

import json
from collections.abc import Sequence
from dataclasses import replace

from answering_values import an_outcome, answering, cites, passage
from block_records import read
from fakes import SameEntailment
from shown import in_slack, printed, recorded
from slack_reading import everything

from audit.record import Decision
from audit.values import Status
from bot.answering.anchors import anchor
from bot.answering.as_json import outcome_as_json
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.answering.reply import reply_text
from bot.answering.values import Claim, Draft, DraftClaim
from bot.answering.verification import ClaimVerifier
from bot.slack.blocks.evidence import evidence
from bot.slack.blocks.reply import reply
from bot.wording.untrusted_text import json_text
from retrieval.types import Passage

Line = tuple[str, int | None]
LEAD = "To borrow a laptop:"
STEPS: list[Line] = [("Show your card.", 1), ("Choose a laptop.", 2), ("Sign the form.", 3)]
SAID = f"{LEAD} 1. Show your card. 2. Choose a laptop. 3. Sign the form."


def steps(*lines: Line, name: str = "loans", lead: str = LEAD) -> Passage:
    """A line that leads to a list, and its items; a dash before one that has no number."""
    made = passage(name, lead, *(text for text, _ in lines))
    items = [
        replace(sentence, in_list=True, item_number=number)
        for sentence, (_, number) in zip(made.sentences[1:], lines, strict=True)
    ]
    return replace(made, sentences=(made.sentences[0], *items))


def copied(source: Passage, *spans: tuple[int, int]) -> tuple[Claim, ...]:
    """Spans of a passage's sentences, each as a claim."""
    drafts = [
        DraftClaim(
            " ".join(each.text for each in source.sentences[first : last + 1]),
            tuple(anchor(1, index + 1) for index in range(first, last + 1)),
        )
        for first, last in spans
    ]
    claims = ClaimVerifier(SameEntailment(0.0))(Draft(tuple(drafts), (source,)))
    assert all(claim.status is Status.VERIFIED for claim in claims)  # word for word
    return claims


def answered(*claims: Claim) -> Outcome:
    return an_outcome(answering(*claims))


def verified(source: Passage, *spans: tuple[int, int]) -> Outcome:
    return answered(*copied(source, *spans))


def lists(outcome: Outcome) -> list[tuple[str, int, int, list[str]]]:
    """Style, first number or 0, indent and items of each list in Slack."""
    return [
        (
            part["style"],
            part.get("offset", 0) + 1 if part["style"] == "ordered" else 0,
            part.get("indent", 0),
            read([{"type": "rich_text", "elements": [part]}]).splitlines(),
        )
        for parts in everything(in_slack(outcome), "elements")
        for part in parts
        if part["type"] == "rich_text_list"
    ]


def lines_at_a_terminal(outcome: Outcome) -> list[str]:
    shown = printed(outcome, width=80).splitlines()
    return [" ".join(line.strip("│ \n").split()) for line in shown]


def cited(lines: Sequence[str], mark: str = "[1]") -> list[str]:
    return [f"{line} {mark}" for line in lines]


def test_steps_are_numbered_and_cited_each_at_every_door() -> None:
    outcome = verified(steps(*STEPS), (0, 3))
    numbered = cited([LEAD, *(f"{number}. {text}" for text, number in STEPS)])
    assert reply_text(outcome).splitlines()[:4] == numbered
    assert numbered[0] in read(in_slack(outcome)).splitlines()
    assert lists(outcome) == [("ordered", 1, 0, cited([text for text, _ in STEPS]))]
    shown = lines_at_a_terminal(outcome)
    at = shown.index(numbered[0])
    assert shown[at : at + 4] == numbered
    assert f"{SAID} [1]" in reply(recorded(outcome), 7, quoted=False).text
    assert SAID in read(evidence(recorded(outcome), frozenset())["blocks"])
    [claim] = json.loads(json_text(outcome_as_json(outcome)))["claims"]
    assert claim["text"] == " ".join([LEAD, *(text for text, _ in STEPS)])
    assert [(each["text"], each["number"]) for each in claim["lines"]] == [(LEAD, None), *STEPS]


def test_what_has_no_numbers_stays_bullets() -> None:
    outcome = verified(steps(("Laptops", None), ("Cameras", None), lead="We lend:"), (0, 2))
    assert lists(outcome) == [("bullet", 0, 0, cited(["Laptops", "Cameras"]))]
    said = cited(["We lend:", "• Laptops", "• Cameras"])
    assert reply_text(outcome).splitlines()[:3] == said
    assert said[1] in lines_at_a_terminal(outcome)


def test_steps_that_are_claims_of_their_own_keep_their_numbers() -> None:
    outcome = verified(steps(*STEPS), (1, 1), (3, 3))
    said = cited(["1. Show your card.", "3. Sign the form."])
    assert reply_text(outcome).splitlines()[:2] == said
    assert lists(outcome) == [
        ("ordered", 1, 0, cited(["Show your card."])),
        ("ordered", 3, 0, cited(["Sign the form."])),
    ]
    assert said[1] in lines_at_a_terminal(outcome)


def test_one_step_alone_is_a_sentence() -> None:
    outcome = verified(steps(*STEPS), (2, 2))
    assert reply_text(outcome).splitlines()[0] == "Choose a laptop. [1]"
    assert lists(outcome) == []
    assert "Choose a laptop. [1]" in lines_at_a_terminal(outcome)


def test_beside_another_claim_steps_are_not_indented_for_slack_would_letter_them() -> None:
    free = copied(passage("fees", "It costs nothing.", title="Fees"), (0, 0))
    outcome = answered(*free, *copied(steps(*STEPS), (0, 3)))
    assert lists(outcome) == [
        ("bullet", 0, 0, ["It costs nothing. [1]", "To borrow a laptop: [2]"]),
        ("ordered", 1, 0, cited([text for text, _ in STEPS], "[2]")),
    ]


def test_what_interrupts_no_numbers_and_what_begins_them_anew() -> None:
    inner: list[Line] = [("Show one of:", 1), ("A card.", None), ("A passport.", None)]
    within = verified(steps(*inner, ("Sign.", 2)), (0, 4))
    assert [each[:2] for each in lists(within)] == [("ordered", 1), ("bullet", 0), ("ordered", 2)]
    twice = verified(steps(("Ask.", 1), ("Then:", 1), ("Sign.", 2)), (0, 3))
    assert [each[1] for each in lists(twice)] == [1, 1]


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
    other = cites(steps(*STEPS, name="copy"), 0, 3)
    outcome = answered(replace(claim, citations=(*claim.citations, other)))
    marks = [line.split()[-1] for line in reply_text(outcome).splitlines()[:4]]
    assert marks == ["[1]", "[1]", "[2]", "[2][3]"]
    assert lists(outcome)[0][3][-1] == "Sign the form. [2][3]"


def test_of_a_list_without_end_a_message_still_fits() -> None:
    many = [(f"Step {number} of many, with some words to read.", number) for number in range(1, 90)]
    shown = read(in_slack(verified(steps(*many), (0, 89))))
    assert "1. Step 1 of many" in shown
    assert "89. Step 89 of many" in shown


def test_a_step_that_calls_everyone_calls_nobody() -> None:
    outcome = verified(steps(("Ask <!channel> <@U0ANA>.", 1), ("Sign.", 2)), (0, 2))
    assert "<!channel>" not in reply_text(outcome)
    assert "<!channel>" not in reply(recorded(outcome), 7, quoted=False).text


def test_steps_that_came_near_are_quoted_with_their_numbers_and_one_as_a_sentence() -> None:
    refused = an_outcome(answering(decision=Decision.ABSTAIN))
    outcome = replace(refused, nearest=(Quotation(steps(*STEPS), 0, 3),))
    assert f"“{SAID}”" in reply_text(outcome)
    for door in (read(in_slack(outcome)), json_text(outcome_as_json(outcome))):
        assert SAID in door
    assert Quotation(steps(*STEPS), 0, 1).shown == f"{LEAD} Show your card."


def test_what_is_quoted_of_a_list_without_numbers_tells_its_items_apart() -> None:
    items: list[Line] = [("Closed on 24 December", None), ("Open on 31 December", None)]
    quoted = Quotation(steps(*items, ("Ask at the desk.", None), lead="Holidays:"), 0, 3)
    said = "Holidays: Closed on 24 December; Open on 31 December; Ask at the desk."
    assert quoted.shown == said
    assert ";" not in quoted.quote
