"""A source says what it is, as its document states it: a policy, a regulation, lecture notes."""

from dataclasses import replace

from answering_values import an_outcome, passage
from block_records import read
from rich.console import Console

from audit.record import AuditRecord, Confidence, Decision, Versions
from audit.values import ClaimKind, Status
from bot.answering.as_json import outcome_as_json
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.answering.recording import Circumstances, audit_record
from bot.answering.values import Citation, Claim, Verdict
from bot.cli import audit_view
from bot.cli.replies import render
from bot.slack.blocks.evidence import evidence
from bot.slack.blocks.reply import reply
from bot.workspace.block_kit.validation import problems
from retrieval.types import Metadata

SURE = Confidence(0.9, 1.0, 0.9, None, 0.9)


def answered(subtype: str, level: str = "department") -> Outcome:
    """An answer that cites one document of this kind."""
    source = passage("leave", "20 days.", metadata=Metadata(subtype=subtype, level=level))
    cited = (Citation(source, 0, 0, Status.VERIFIED, 1.0),)
    claim = Claim("20 days.", Status.VERIFIED, ClaimKind.CITED, cited, 1.0)
    return an_outcome(Verdict(Decision.ANSWER, (claim,), (), (), SURE, ()))


def recorded(outcome: Outcome) -> AuditRecord:
    """As it is read back from the audit store."""
    record = audit_record(outcome, Circumstances(Versions(software="0"), "", "", "", ""))
    return AuditRecord.model_validate_json(record.model_dump_json())


def slack(outcome: Outcome) -> str:
    blocks = reply(recorded(outcome), 7, quoted=False).blocks
    assert problems(blocks) == []
    return read(blocks)


def printed(outcome: Outcome) -> str:
    console = Console(width=120)
    with console.capture() as captured:
        console.print(render(outcome))
    return captured.get()


def test_a_source_says_what_it_is_and_for_which_level_it_holds() -> None:
    outcome = answered("policy")
    assert "[1] Leave · line 1 (Annual leave) · Policy, department" in slack(outcome)
    assert "[1] leave.md, line 1 (Annual leave) · Policy, department" in printed(outcome)


def test_the_evidence_and_the_audit_say_it_too() -> None:
    record = recorded(answered("lecture notes", level=""))
    assert "line 1 (Annual leave) · Lecture notes" in read(evidence(record, frozenset())["blocks"])
    console = Console(width=200)
    later = {"chain": {"hash": ""}, "events": []}
    with console.capture() as captured:
        console.print(audit_view.render(record.model_dump(mode="json") | later))
    assert "· Lecture notes" in captured.get()


def test_json_says_the_words_of_the_document() -> None:
    said = outcome_as_json(answered("policy"))["claims"]
    assert isinstance(said, list)
    [citation] = said[0]["citations"]
    assert (citation["subtype"], citation["level"]) == ("policy", "department")


def test_where_the_document_does_not_say_nothing_is_made_up() -> None:
    outcome = answered("")
    assert "[1] Leave · line 1 (Annual leave)\n" in slack(outcome)
    assert "department" not in printed(outcome)


def test_what_came_near_says_it_as_well() -> None:
    source = passage("leave", "20 days.", metadata=Metadata(subtype="policy"))
    refused = an_outcome(Verdict(Decision.ABSTAIN, (), (), (), SURE, ()))
    assert "Policy" in slack(replace(refused, nearest=(Quotation(source, 0, 0),)))


def test_a_long_or_hostile_word_forges_no_line_and_calls_nobody() -> None:
    outcome = answered("policy\n[2] Forged \u202e <!channel> " + "x" * 500)
    shown = slack(outcome)
    assert "\n[2] Forged" not in shown
    assert "x" * 100 not in shown
    assert "\u202e" not in shown
    assert "<!channel>" not in reply(recorded(outcome), 7, quoted=False).text
    assert not any(line.startswith("│ [2]") for line in printed(outcome).splitlines())


def test_a_record_from_before_is_read_without() -> None:
    kept = recorded(answered("policy")).model_dump(mode="json")
    for citation in kept["claims"][0]["citations"]:
        del citation["subtype"], citation["level"]
    assert "line 1" in read(reply(AuditRecord.model_validate(kept), 7, quoted=False).blocks)
