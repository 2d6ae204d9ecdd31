"""Sentences and the lines of lists name the pages that they cite, at every door."""

from dataclasses import replace
from typing import Any

import pytest
from answering_values import an_outcome, answering, cites, claimed, passage
from block_records import read
from shown import in_slack, printed, recorded

from audit.record import AuditRecord
from audit.values import ClaimKind, ClaimLine
from bot.answering.outcome import Outcome
from bot.answering.reply import reply_text
from bot.answering.values import Claim
from bot.slack.blocks.reply import reply

LEAVE = passage("leave-0", "Everyone gets 20 days of leave.")
MORE = passage("more-0", "Nurses get 5 days more.")
STATED = claimed(LEAVE.text, cites(LEAVE))
CONCLUDED = claimed(
    "Nurses get 25 days.", *map(cites, (LEAVE, MORE, LEAVE)), kind=ClaimKind.INFERENCE
)


def answered(*claims: Claim) -> Outcome:
    return an_outcome(answering(*claims))


def test_each_step_of_a_list_names_its_own_page() -> None:
    lines = (ClaimLine("To ask:", None, False, 0), ClaimLine("Sign.", 1, True, 1))
    listed = claimed("To ask: Sign.", cites(LEAVE), cites(MORE))
    outcome = answered(replace(listed, lines=lines))
    said = ["To ask: [1]", "1. Sign. [2]"]
    assert reply_text(outcome).splitlines()[:2] == said
    assert "Sign. [2]" in read(in_slack(outcome))


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
def test_pages_are_numbered_in_older_records_too(claims: tuple[Claim, ...]) -> None:
    outcome = answered(*claims)
    kept = recorded(outcome).model_dump(mode="json")
    del kept["citation_style"]
    doors = [reply_text(outcome), printed(outcome), read(in_slack(outcome))]
    for form in ({}, {"citation_style": "src"}):
        older = AuditRecord.model_validate(kept | form)
        doors.append(read(reply(older, 7, quoted=False).blocks))
    for door in doors:
        assert "Everyone gets 20 days of leave. [1]" in door
        assert ("Nurses get 25 days. [1][2]" in door.replace("] [", "][")) is (len(claims) > 1)
