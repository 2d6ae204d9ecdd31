"""What becomes of claims that are copied, paraphrased, unsupported or cite nothing given."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from answering_values import draft, evidence, passage
from fakes import SameEntailment
from hypothesis import given
from hypothesis import strategies as st

from audit.record import Decision
from audit.values import ClaimKind, Status
from bot.answering.anchors import anchored_text, resolve
from bot.answering.gate import UNCALIBRATED, Gate
from bot.answering.own_name import Organisation
from bot.answering.values import Claim, DraftClaim
from bot.answering.verification import ClaimVerifier, Judgement
from retrieval.ports import EntailmentPair
from retrieval.search.scores import ENTAILED
from retrieval.types import Metadata, Passage

LEAVE = passage(
    "leave", "You earn 6 hours of leave per pay period.", "Unused hours over 240 are lost."
)
SICK = passage("sick", "Sick leave is 4 hours per pay period.")
NOTHING = ClaimVerifier(SameEntailment(0.0))


def checked(text: str, *anchors: str, by: ClaimVerifier = NOTHING, why: str = "") -> Claim:
    claim = DraftClaim(text, anchors, reasoning=why)
    return by(draft(claim, passages=(LEAVE, SICK), only_copies=False))[0]


@pytest.mark.parametrize(
    ("judgement", "entailed"),
    [
        (Judgement(ENTAILED), True),
        (Judgement(math.nextafter(ENTAILED, 0)), False),
        (Judgement(NOTHING.sure, doubts=("a name",)), True),
        (Judgement(math.nextafter(NOTHING.sure, 0), doubts=("a name",)), False),
        (Judgement(1.0, objections=("6 / 8",)), False),
    ],
)
def test_what_is_in_doubt_asks_for_a_surer_model_and_what_is_objected_to_is_never_entailed(
    judgement: Judgement, entailed: bool
) -> None:
    assert NOTHING.entails(judgement) is entailed


@pytest.mark.parametrize("anchor", ["3.1", "1.3", "0.1", "1.0", "-1.1", "1", "", "1.1.1", "１.1"])
def test_an_anchor_that_was_not_given_breaks_the_claim(anchor: str) -> None:
    claim = checked(LEAVE.sentences[0].text, "1.1", anchor)
    assert (claim.status, claim.broken_anchors) == (Status.BROKEN, (anchor,))
    assert checked("Trust me.").status is Status.BROKEN, "nor does it hold where it cites nothing"


@pytest.mark.parametrize(
    ("said", "borne_out"),
    [
        ("Each day costs 5 percentage points.", True),
        ("Each day costs 6 percentage points.", False),
        ("Each day costs 6 points.", False),
        ("By section 6 each day costs 5 percentage points.", True),
        ("By section 7 each day costs 5 percentage points.", False),
    ],
)
def test_the_number_of_a_section_bears_out_no_amount(said: str, borne_out: bool) -> None:
    late = passage("late", "Each day that it is late costs 5 percentage points of the mark.")
    late = replace(late, section_path=("6 Coursework", "6.2 Late work"))
    sure = ClaimVerifier(SameEntailment(1.0))
    [claim] = sure(draft(DraftClaim(said, ("1.1",)), passages=(late,)))
    assert (claim.status is Status.VERIFIED) is borne_out, claim.objections


def test_neighbouring_sentences_are_one_citation() -> None:
    both = f"{LEAVE.sentences[0].text} {LEAVE.sentences[1].text}"
    [citation] = checked(both, "1.2", "1.1", "1.2").citations
    assert (citation.first, citation.last, citation.quote) == (0, 1, LEAVE.source)


class OnlyTogether:
    """Finds a claim entailed by what holds both words, and by nothing else."""

    name = "only together"

    def __init__(self, *words: str) -> None:
        self._words = words

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        return [0.93 if all(w in pair.premise for w in self._words) else 0.02 for pair in pairs]


def test_a_claim_that_two_citations_bear_out_together_is_as_sure_as_both_together() -> None:
    verification = ClaimVerifier(OnlyTogether("6 hours", "4 hours"))
    both = DraftClaim("You earn 6 hours of leave and 4 hours of sick leave.", ("1.1", "2.1"))
    drafted = draft(both, passages=(LEAVE, SICK), only_copies=False)
    [claim] = verification(drafted)
    assert (claim.status, claim.score) == (Status.VERIFIED, 0.93)
    assert [citation.score for citation in claim.citations] == [0.02, 0.02]
    verdict = Gate(UNCALIBRATED)(evidence(LEAVE, SICK), drafted, [claim])
    assert verdict.confidence.entailment == 0.93
    assert verdict.decision is Decision.ANSWER


def test_a_claim_that_nothing_bears_out_is_as_sure_as_the_best_of_what_it_cites() -> None:
    by = ClaimVerifier(OnlyTogether("6 hours"))
    claim = checked("You earn 8 hours.", "1.1", "2.1", by=by)
    assert (claim.status, claim.score) == (Status.UNSUPPORTED, 0.93)


@given(st.text())
def test_no_text_is_ever_an_anchor_by_accident(text: str) -> None:
    place = resolve(text, [LEAVE])
    assert place is None or text in {"1.1", "1.2", "01.1", "1.01", "1.02"} or place[0] is LEAVE


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_a_document_cannot_forge_an_anchor(texts: list[str]) -> None:
    shown = anchored_text(1, passage("any", *texts))
    assert shown.count("<c>") == shown.count("</c>") <= len(texts)


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
    assert (checked.status, checked.score) == (Status.VERIFIED, 1.0)
    assert [(each.quote, each.score) for each in checked.citations] == [(sentence, 1.0)]


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


NORTHWIND = Organisation(("Northwind", "Northwind Institute"), frozenset({"department"}))


def checked_for(
    claim: str, source: str, metadata: Metadata | None = None, by: Organisation = NORTHWIND
) -> Claim:
    """As a model would let it pass that finds everything entailed."""
    verifier = ClaimVerifier(SameEntailment(0.96), organisation=by)
    cited = passage("leave", source, metadata=metadata)
    return verifier(draft(DraftClaim(claim, ("1.1",)), passages=[cited]))[0]


WE, FROM_US = "We give you 28 days.", "You get 28 days from Northwind."
BY_CONTOSO = Metadata(organisation=("Contoso",))


@pytest.mark.parametrize(
    ("source", "claim", "metadata"),
    [
        (WE, FROM_US, None),
        ("We've closed our gate.", "The gate of Northwind Institute is closed.", None),
        ("Northwind Institute pays for it.", "It is paid for by Northwind.", None),
        ("Northwind pays for it.", "Our organisation, Northwind Institute, pays for it.", None),
        ("Tell us at once.", "At once, Northwind must be told.", None),
        (WE, "You get 28 days from Contoso.", BY_CONTOSO),
    ],
)
def test_we_and_every_name_are_one(source: str, claim: str, metadata: Metadata | None) -> None:
    found = checked_for(claim, source, metadata)
    assert found.status is Status.VERIFIED
    assert [citation.quote for citation in found.citations] == [source], "as it stands"


@pytest.mark.parametrize(
    ("source", "claim", "metadata"),
    [
        (WE, "You get 28 days from Contoso.", None),
        (WE, "Contoso gives you 28 days.", None),
        ("Our gate is closed.", "Contoso's gate is closed.", None),
        ("At Contoso, we give you 28 days.", FROM_US, None),
        ("Contoso promises: we give you 28 days.", FROM_US, None),
        ("“We give you 28 days”, they say.", "You get 28 days from Northwind, they say.", None),
        ("The US gives you 28 days.", FROM_US, None),
        (WE, FROM_US, BY_CONTOSO),
        (WE, FROM_US, Metadata(level="department")),
    ],
)
def test_others_and_a_unit_in_its_own_document_are_not_us(
    source: str, claim: str, metadata: Metadata | None
) -> None:
    assert checked_for(claim, source, metadata).status is Status.UNSUPPORTED


def test_where_no_name_is_known_we_are_nobody() -> None:
    found = checked_for(FROM_US, WE, by=Organisation())
    assert found.objections == ("the source does not say “Northwind”",)


@given(st.text(max_size=80), st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=10))
def test_no_text_brings_the_check_down(claim: str, source: str, name: str) -> None:
    checked_for(claim, source, by=Organisation((name,)))
