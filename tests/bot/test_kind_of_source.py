"""A source says what it is, as its document states it: a policy, a regulation, lecture notes."""

from dataclasses import replace

from answering_values import an_outcome, answering, cites, claimed, passage
from block_records import read
from rich.console import Console
from shown import in_slack, printed, recorded

from audit.record import AuditRecord, Decision
from bot.answering.as_json import outcome_as_json
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.cli import audit_view
from bot.slack.blocks.evidence import evidence
from bot.slack.blocks.reply import reply
from retrieval.types import Metadata


def answered(subtype: str, level: str = "department") -> Outcome:
    """An answer that cites one document of this kind."""
    source = passage("leave", "20 days.", metadata=Metadata(subtype=subtype, level=level))
    return an_outcome(answering(claimed("20 days.", cites(source))))


def test_a_source_says_what_it_is_and_for_which_level_it_holds() -> None:
    outcome = answered("policy")
    shown = "line 1 (Annual leave) · Policy, department"
    assert f"[1] Leave · {shown}" in read(in_slack(outcome))
    assert f"[1] leave.md, {shown}" in printed(outcome)
    said = outcome_as_json(outcome)["claims"]
    assert isinstance(said, list)
    [citation] = said[0]["citations"]
    assert (citation["subtype"], citation["level"]) == ("policy", "department")


def test_the_evidence_and_the_audit_say_it_too() -> None:
    record = recorded(answered("lecture notes", level=""))
    assert "line 1 (Annual leave) · Lecture notes" in read(evidence(record, frozenset())["blocks"])
    console = Console(width=200)
    with console.capture() as captured:
        console.print(audit_view.render(record, (), ""))
    assert "· Lecture notes" in captured.get()


def test_where_the_document_or_an_older_record_does_not_say_nothing_is_made_up() -> None:
    outcome = answered("")
    assert "[1] Leave · line 1 (Annual leave)\n" in read(in_slack(outcome))
    assert "department" not in printed(outcome)
    kept = recorded(answered("policy")).model_dump(mode="json")
    for citation in kept["claims"][0]["citations"]:
        del citation["subtype"], citation["level"]
    assert "line 1" in read(reply(AuditRecord.model_validate(kept), 7, quoted=False).blocks)


def test_what_came_near_says_it_as_well() -> None:
    source = passage("leave", "20 days.", metadata=Metadata(subtype="policy"))
    refused = an_outcome(answering(decision=Decision.ABSTAIN))
    assert "Policy" in read(in_slack(replace(refused, nearest=(Quotation(source, 0, 0),))))


def test_a_long_or_hostile_word_forges_no_line_and_calls_nobody() -> None:
    outcome = answered("policy\n[2] Forged \u202e <!channel> " + "x" * 500)
    shown = read(in_slack(outcome))
    assert not any(each in shown for each in ("\n[2] Forged", "x" * 100, "\u202e"))
    assert "<!channel>" not in reply(recorded(outcome), 7, quoted=False).text
    assert not any(line.startswith("│ [2]") for line in printed(outcome).splitlines())
