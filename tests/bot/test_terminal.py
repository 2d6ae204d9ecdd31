"""What somebody who asks at a terminal reads."""

from dataclasses import replace

from answering_values import an_outcome, passage
from rich.console import Console

from audit.record import Confidence, Decision
from audit.values import ClaimKind, Status
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.answering.reply import reply_text
from bot.answering.values import Citation, Claim, Verdict
from bot.cli.replies import render
from retrieval.types import Cell

LEAVE = passage("leave", "You earn 6 hours.")


def shown(outcome: Outcome, pages: str = "") -> str:
    console = Console(width=100)
    with console.capture() as captured:
        console.print(render(outcome, pages))
    return captured.get()


def decided(decision: Decision, answered: tuple[str, ...], missing: tuple[str, ...]) -> Outcome:
    cited = (Citation(LEAVE, 0, 0, Status.VERIFIED, 1.0),)
    claim = Claim("You earn 6 hours.", Status.VERIFIED, ClaimKind.CITED, cited, 1.0)
    sure = Confidence(0.9, 1.0, 0.9, None, 0.9)
    return an_outcome(Verdict(decision, (claim,), (), missing, sure, (), answered=answered))


def test_a_host_in_a_claim_or_a_quotation_is_shown_in_ascii() -> None:
    told = "Log in at https://\u0430\u0440\u0440\u04cf\u0435.com/login."
    cited = (Citation(LEAVE, 0, 0, Status.VERIFIED, 1.0),)
    claim = Claim(told, Status.VERIFIED, ClaimKind.CITED, cited, 1.0)
    answered = decided(Decision.ANSWER, (), ())
    answered = replace(answered, verdict=replace(answered.verdict, claims=(claim,)))
    refused = decided(Decision.ABSTAIN, (), ())
    refused = replace(refused, nearest=(Quotation(passage("x", told), 0, 0),))
    for outcome in (answered, refused):
        assert "Log in at https://xn--80ak6aa92e.com/login." in shown(outcome)


def test_half_an_answer_says_which_part_is_answered_and_which_is_missing() -> None:
    said = shown(decided(Decision.PARTIAL, ("how much leave",), ("who approves it",)))
    assert said.index("Answered: how much leave") < said.index(
        "I have no answer to: who approves it"
    )


def test_a_whole_answer_does_not_repeat_what_was_asked() -> None:
    assert "how much leave" not in shown(
        decided(Decision.ANSWER, ("how much leave", "who approves it"), ())
    )


def test_a_page_that_is_cited_twice_is_one_source() -> None:
    twice = decided(Decision.ANSWER, (), ())
    claims = twice.verdict.claims * 2
    said = shown(replace(twice, verdict=replace(twice.verdict, claims=claims)))
    assert said.count("You earn 6 hours. [1]") == 2
    assert "[2]" not in said


def test_of_a_sheets_row_the_cells_are_named_that_the_claim_rests_on() -> None:
    text, values = "Books for 14 days, 5 euros", ("Books", "14 days", "5 euros")
    cells = tuple(
        Cell(text.index(value), text.index(value) + len(value), "", reference)
        for value, reference in zip(values, ("A7", "B7", "C7"), strict=True)
    )
    row = replace(LEAVE.sentences[0], text=text, line_start=None, line_end=None, cells=cells)
    fees = replace(LEAVE, sentences=(row,))
    cited = (Citation(fees, 0, 0, Status.VERIFIED, 1.0),)
    claim = Claim("Books cost 5 euros.", Status.VERIFIED, ClaimKind.CITED, cited, 1.0)
    whole = decided(Decision.ANSWER, (), ())
    said = shown(replace(whole, verdict=replace(whole.verdict, claims=(claim,))))
    assert "[1] leave.md, cells A7, C7" in said


def test_what_came_nearest_to_an_abstention_is_opened_by_the_address_below_it() -> None:
    sure = Confidence(0.1, 0.0, 0.1, None, 0.1)
    abstained = an_outcome(Verdict(Decision.ABSTAIN, (), (), (), sure, ()))
    other = passage("sick", "A note is needed.")
    near = replace(abstained, nearest=(Quotation(LEAVE, 0, 0), Quotation(other, 0, 0)))
    said = [line.strip("│ ") for line in shown(near, "http://127.0.0.1:8089").splitlines()]
    for number, words in enumerate(("You earn 6 hours.", "A note is needed."), start=1):
        quoted = next(n for n, line in enumerate(said) if words in line)
        address = f"http://127.0.0.1:8089/cited/{near.audit_id}/n{number}"
        assert said[quoted + 1] == address
    assert "/cited/" not in shown(near)
    assert "/cited/" not in reply_text(near)  # as it is recorded
