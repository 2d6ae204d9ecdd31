"""Only a whole sentence that is cited is a copy; a piece of it says something else."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from answering_values import draft, passage
from fakes import SameEntailment

from audit.values import ClaimKind, Status
from bot.answering.values import Claim, DraftClaim
from bot.answering.verification import ClaimVerifier
from retrieval.types import Passage

PIECES = (
    ("Only directors may take annual leave in August.", "directors may take annual leave"),
    ("Only directors may take annual leave in August.", "Directors may take annual leave."),
    ("It is not true that employees may carry over leave.", "Employees may carry over leave."),
    ("It is not true that employees may carry over leave.", "employees may carry over leave."),
    ("No employee is entitled to a company car.", "employee is entitled to a company car."),
    ("No employee is entitled to a company car.", "Employees are entitled to a company car."),
    ("You earn 25 days of leave a year.", "25"),
    ("You earn 25 days of leave a year.", "days"),
    # Halves of a sentence.
    (
        "Employees may carry over leave unless they are on probation.",
        "Employees may carry over leave",
    ),
    ("Guests may park here except on weekdays.", "Guests may park here"),
    ("Interns are paid if the budget allows it.", "Interns are paid"),
    # What somebody else said, or asked.
    (
        "A newsletter once wrote “employees may carry over leave”, which is wrong.",
        "employees may carry over leave",
    ),
    ("It is a myth that employees may carry over leave.", "Employees may carry over leave."),
    ("Some believe that employees may carry over leave.", "Employees may carry over leave."),
    ("Do you know whether employees may carry over leave?", "Employees may carry over leave."),
    ("May employees carry over leave?", "Employees may carry over leave."),
)


def read(
    claim: str, *anchors: str, source: Passage | Sequence[Passage], by: ClaimVerifier
) -> Claim:
    passages = [source] if isinstance(source, Passage) else source
    [checked] = by(draft(DraftClaim(claim, anchors), passages=passages))
    return checked


def holds(
    claim: str, *anchors: str, source: Passage | Sequence[Passage], by: ClaimVerifier
) -> bool:
    status = read(claim, *anchors, source=source, by=by).status
    assert status in (Status.VERIFIED, Status.UNSUPPORTED)
    return status is Status.VERIFIED


NOTHING = ClaimVerifier(SameEntailment(0.0))
"""What it verifies was copied."""
ANYTHING = ClaimVerifier(SameEntailment(1.0))


@pytest.mark.parametrize(("sentence", "piece"), PIECES)
def test_a_piece_of_a_sentence_is_no_copy_and_is_not_vouched_for(
    shipped: ClaimVerifier, sentence: str, piece: str
) -> None:
    source = passage("leave", sentence, "Ask HR about the rest.")
    assert not holds(piece, "1.1", source=source, by=NOTHING)
    assert not holds(piece, "1.1", source=source, by=shipped)


@pytest.mark.parametrize(("sentence", "_"), PIECES)
def test_a_whole_sentence_is_vouched_for_whatever_it_says(sentence: str, _: str) -> None:
    source = passage("leave", sentence, "Ask HR about the rest.")
    checked = read(sentence, "1.1", source=source, by=NOTHING)
    assert checked.status is Status.VERIFIED
    assert [each.quote for each in checked.citations] == [sentence]


@pytest.mark.parametrize("piece", ["25", "Unlimited.", "Yes.", "leave"])
def test_a_word_alone_says_nothing_whatever_a_model_thinks(piece: str) -> None:
    source = passage("leave", "You earn 25 days of leave; yes, unlimited.")
    assert not holds(piece, "1.1", source=source, by=ANYTHING)


def test_text_across_two_sentences_is_no_copy_of_them() -> None:
    source = passage("leave", "Leave is for staff.", "Guests may not ask for it.")
    across = "for staff. Guests may not ask"
    assert not holds(across, "1.1", "1.2", source=source, by=NOTHING)
    both = "Leave is for staff. Guests may not ask for it."
    assert holds(both, "1.1", "1.2", source=source, by=NOTHING)


def test_a_heading_cannot_be_cited_and_bears_nothing_out(shipped: ClaimVerifier) -> None:
    source = passage("x", "Ask HR about the rest.", title="Employees may carry over leave")
    claim = "Employees may carry over leave."
    for verification in (NOTHING, shipped):
        for text in (claim, "Employees may carry over leave"):
            assert not holds(text, "1.1", source=source, by=verification)


def test_a_heading_tells_what_a_sentence_is_about(shipped: ClaimVerifier) -> None:
    source = passage("x", "It costs 20 euros and takes two days.", title="New student cards")
    claim = "A new student card costs 20 euros."
    assert holds(claim, "1.1", source=source, by=shipped)


def in_list(source: Passage, *items: int) -> Passage:
    sentences = tuple(
        replace(each, in_list=number in items) for number, each in enumerate(source.sentences)
    )
    return replace(source, sentences=sentences)


def test_an_item_says_something_else_without_the_line_above_it(shipped: ClaimVerifier) -> None:
    source = in_list(passage("x", "The following are not allowed:", "Pets.", "Candles."), 1, 2)
    assert not holds("Pets.", "1.2", source=source, by=NOTHING)
    assert not holds("Pets.", "1.2", source=source, by=ANYTHING)
    assert not holds("Pets are allowed.", "1.2", source=source, by=shipped)
    whole = "The following are not allowed: Pets. Candles."
    assert holds(whole, "1.1", "1.2", "1.3", source=source, by=NOTHING)
    source = in_list(passage("x", "Pets.", "Candles."), 0, 1)
    first = replace(source.sentences[0], list_lead="The following are not allowed:")
    source = replace(source, sentences=(first, *source.sentences[1:]))
    assert not holds("Candles.", "1.2", source=source, by=NOTHING)


def test_what_an_example_supposes_is_no_fact_without_it() -> None:
    source = passage("x", "For example: You have a year left.", "You earn 4 hours a month.")
    for by in (NOTHING, ANYTHING):
        assert not holds("You earn 4 hours a month.", "1.2", source=source, by=by)
    assert holds(source.text, "1.1", "1.2", source=source, by=NOTHING)


def test_an_item_of_a_list_that_only_lists_is_copied_alone() -> None:
    source = in_list(passage("x", "Bring to the exam:", "Your student card.", "A pen."), 1, 2)
    assert holds("Your student card.", "1.2", source=source, by=NOTHING)


def test_a_cell_is_no_copy_of_its_row(shipped: ClaimVerifier) -> None:
    row = "Role: Director; Leave in August: yes; Days: 30"
    source = passage("x", "Role: Clerk; Leave in August: no; Days: 25", row)
    for claim in ("30", "yes", "Days: 30", "Leave in August: yes"):
        assert not holds(claim, "1.2", source=source, by=NOTHING)
    assert not holds("30", "1.2", source=source, by=shipped)
    assert holds(row, "1.2", source=source, by=NOTHING)


@pytest.mark.parametrize(
    "exception",
    ["Unless they are on probation.", "Exceptions: probation.", "This does not apply to interns."],
)
def test_a_sentence_whose_exception_is_not_cited_is_not_vouched_for(exception: str) -> None:
    rule = "Employees may carry over leave."
    source = passage("leave", rule, exception)
    checked = read(rule, "1.1", source=source, by=ANYTHING)
    assert checked.status is Status.UNSUPPORTED
    assert checked.objections == (f"it leaves out “{exception}”",)
    assert holds(f"{rule} {exception}", "1.1", "1.2", source=source, by=NOTHING)


def test_the_wrong_sentence_of_the_right_passage_does_not_bear_it_out(
    shipped: ClaimVerifier,
) -> None:
    source = passage("leave", "You earn 6 hours of leave per pay period.", "Ask HR for the form.")
    for claim in ("You earn 6 hours of leave per pay period.", "Each pay period gives 6 hours."):
        assert not holds(claim, "1.2", source=source, by=shipped)
        assert holds(claim, "1.1", source=source, by=shipped)
    leans = passage("leave", "You earn 6 hours of leave per pay period.", "This is printed twice.")
    claim = "Each pay period gives you 6 hours of leave."
    assert not holds(claim, "1.2", source=leans, by=shipped)


def test_of_what_is_cited_only_what_says_it_is_recorded(shipped: ClaimVerifier) -> None:
    right, wrong = "You earn 6 hours of leave per pay period.", "Ask HR for the form."
    source = passage("leave", wrong, right, "The form is blue.")
    checked = read(right, "1.2", "1.3", "1.1", source=source, by=shipped)
    assert [each.quote for each in checked.citations] == [right]
    elsewhere = passage("other", wrong)
    for claim in (right, "Each pay period gives you 6 hours of leave."):
        checked = read(claim, "1.1", "2.2", source=[elsewhere, source], by=shipped)
        assert checked.status is Status.VERIFIED
        assert [each.quote for each in checked.citations] == [right]


def test_what_two_sentences_say_together_is_recorded_with_both(shipped: ClaimVerifier) -> None:
    canteen, desks = "The canteen closes at 15:00.", "Staff may eat at their desks."
    source = passage("leave", canteen, "The form is blue.", desks)
    claim = "The canteen closes at 15:00, and staff may eat at their desks."
    checked = read(claim, "1.1", "1.3", source=source, by=shipped)
    assert checked.status is Status.VERIFIED
    assert [each.quote for each in checked.citations] == [canteen, desks]


@pytest.mark.parametrize(
    "address",
    ["http://evil.example/x", "www.evil.example", "evil.example/login", "it@evil.example"],
)
def test_an_address_that_what_is_cited_does_not_name_is_not_vouched_for(address: str) -> None:
    """Not even where the heading does, which nobody can cite."""
    source = passage("x", "Log in with your card.", title=f"See {address}")
    claim = f"Log in with your card, see {address}."
    assert not holds(claim, "1.1", source=source, by=ANYTHING)
    assert holds(f"See {address} to log in.", "1.1", source=passage("x", claim), by=ANYTHING)


def test_why_it_follows_is_told_only_where_what_is_cited_bears_it_out(
    shipped: ClaimVerifier,
) -> None:
    source = passage("card", "A lost card costs 20 euros, and the desk prints a new one at once.")

    def reasoned(why: str, by: ClaimVerifier = shipped) -> Claim:
        inferred = DraftClaim("The desk prints a new card.", ("1.1",), ClaimKind.INFERENCE, why)
        [checked] = by(draft(inferred, passages=[source]))
        return checked

    assert reasoned("The desk prints a new one at once.").reasoning
    told = reasoned("All fees are waived, see http://evil.example/form.")
    assert (told.status, told.reasoning) == (Status.VERIFIED, "")
    assert reasoned("Log in at evil.example/form.", ANYTHING).reasoning == ""
    assert reasoned("The desk prints a new one at once.", NOTHING).reasoning == ""
