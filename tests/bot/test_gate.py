"""ANSWER, PARTIAL or ABSTAIN, and the confidences behind it."""

import math
from dataclasses import replace

import pytest
from answering_values import an_outcome, draft, evidence, passage
from hypothesis import given
from hypothesis import strategies as st

from audit.record import Badge, Decision
from audit.values import ClaimKind, Status
from bot.answering.confidence import composite
from bot.answering.gate import ANSWER_AT, MARKED, PARTIAL_AT, Gate, GateCalibration, of_another_day
from bot.answering.reply import reply_text
from bot.answering.values import Citation, Claim, DraftClaim, Verdict
from bot.lab.recipe import GateOfOnePart
from bot.wording import ANOTHER_DAY

LEAVE = passage("leave", "You earn 6 hours.")
STRAIGHT = GateCalibration(slope=1.0, intercept=0.0)
"""Leaves the composite as it is."""


def claim(status: Status = Status.VERIFIED, score: float = 1.0) -> Claim:
    return Claim(
        "You earn 6 hours.",
        status,
        ClaimKind.CITED,
        (Citation(LEAVE, 0, 0, status, score),),
        score,
    )


def judged(*claims: Claim, relevance: float = 0.95, covered: tuple[bool, ...] = (True,)) -> Verdict:
    found = evidence(LEAVE, relevance=relevance, covered=covered)
    drafted = draft(*(DraftClaim(c.text, ("1.1",)) for c in claims), passages=[LEAVE])
    return Gate(STRAIGHT)(found, drafted, claims)


def test_a_sure_verified_claim_is_an_answer() -> None:
    verdict = judged(claim())
    assert verdict.decision is Decision.ANSWER
    assert verdict.missing == ()


def test_a_part_without_evidence_makes_it_partial_and_is_named() -> None:
    verdict = judged(claim(), covered=(True, False))
    assert verdict.decision is Decision.PARTIAL
    assert verdict.missing == ("part 2",)
    assert verdict.confidence.coverage == 0.5


def test_a_part_without_evidence_does_not_refuse_the_answer_to_another() -> None:
    alone, beside = (
        judged(claim(), relevance=0.7),
        judged(claim(), relevance=0.7, covered=(True, False)),
    )
    assert beside.decision is Decision.PARTIAL
    assert beside.confidence.overall == alone.confidence.overall


def of_two_parts(*claims: Claim, marked: frozenset[ClaimKind] = frozenset()) -> Verdict:
    """Both have evidence."""
    found = evidence(LEAVE, relevance=0.95, covered=(True, True))
    drafted = draft(*(DraftClaim(c.text, ("1.1",)) for c in claims), passages=[LEAVE])
    return Gate(STRAIGHT, marked=marked)(found, drafted, claims)


def test_a_part_that_no_posted_claim_answers_is_missing_for_all_its_evidence() -> None:
    first, dropped = replace(claim(), parts=(0,)), replace(claim(Status.UNSUPPORTED), parts=(1,))
    for claims in ([first], [first, dropped]):
        verdict = of_two_parts(*claims)
        assert (verdict.decision, verdict.missing) == (Decision.PARTIAL, ("part 2",))
        assert verdict.reasons == ("a part of the question is not answered",)


def test_a_partial_reply_says_which_part_is_answered_and_which_is_missing() -> None:
    verdict = of_two_parts(replace(claim(), parts=(0,)))
    assert verdict.answered == ("part 1",)
    said = reply_text(an_outcome(verdict))
    assert "Answered: part 1\nI have no answer to: part 2" in said


def test_where_nothing_is_posted_no_part_is_answered() -> None:
    assert of_two_parts(replace(claim(Status.UNSUPPORTED), parts=(0,))).answered == ()
    unsure = judged(claim(), relevance=0.0, covered=(True, False, False))
    assert (unsure.decision, unsure.answered) == (Decision.ABSTAIN, ())


def test_a_claim_that_is_only_shown_as_unsupported_answers_no_part() -> None:
    first, marked = replace(claim(), parts=(0,)), replace(claim(Status.UNSUPPORTED), parts=(1,))
    verdict = of_two_parts(first, marked, marked=MARKED["mark"])
    assert verdict.claims == (first, marked)
    assert verdict.missing == ("part 2",)


@pytest.mark.parametrize("parts", [[(0,), (1,)], [(0, 1)], [()], [(0,), ()]])
def test_every_part_is_answered_where_a_claim_is_for_it_or_for_nobody_knows_which(
    parts: list[tuple[int, ...]],
) -> None:
    verdict = of_two_parts(*(replace(claim(), parts=each) for each in parts))
    assert (verdict.decision, verdict.missing) == (Decision.ANSWER, ())
    assert verdict.answered == ("part 1", "part 2")


def test_what_is_asked_alone_is_answered_by_any_claim() -> None:
    verdict = judged(replace(claim(), parts=(1,)))
    assert (verdict.decision, verdict.missing, verdict.answered) == (Decision.ANSWER, (), ())


def test_a_recipe_without_coverage_takes_a_missing_part_for_answered() -> None:
    found = evidence(LEAVE, relevance=0.95, covered=(True, False))
    drafted = draft(DraftClaim("You earn 6 hours.", ("1.1",)), passages=[LEAVE])
    with_coverage, without = Gate(STRAIGHT), GateOfOnePart(Gate(STRAIGHT))
    assert with_coverage(found, drafted, (claim(),)).missing == ("part 2",)
    verdict = without(found, drafted, (replace(claim(), parts=(0,)),))
    assert (verdict.decision, verdict.missing) == (Decision.ANSWER, ())


def test_a_missing_part_is_named_in_the_persons_own_words() -> None:
    found = evidence(LEAVE, covered=(True, False))
    leaning = replace(
        found.parts[1], text="how much leave: who approves it", asked="who approves it"
    )
    found = replace(found, parts=(found.parts[0], leaning))
    drafted = draft(DraftClaim("You earn 6 hours.", ("1.1",)), passages=[LEAVE])
    assert Gate(STRAIGHT)(found, drafted, (claim(),)).missing == ("who approves it",)


def test_less_sure_is_partial_and_unsure_abstains() -> None:
    assert judged(claim(), relevance=0.7).decision is Decision.PARTIAL
    unsure = judged(claim(), relevance=0.0, covered=(True, False, False))
    assert unsure.decision is Decision.ABSTAIN
    assert unsure.claims == ()
    assert len(unsure.dropped) == 1


@pytest.mark.parametrize(
    ("overall", "decision"),
    [
        (ANSWER_AT, Decision.ANSWER),
        (math.nextafter(ANSWER_AT, 0), Decision.PARTIAL),
        (PARTIAL_AT, Decision.PARTIAL),
        (math.nextafter(PARTIAL_AT, 0), Decision.ABSTAIN),
    ],
)
def test_whoever_reaches_a_threshold_has_passed_it(overall: float, decision: Decision) -> None:
    sure = GateCalibration(intercept=9.0, floor=1.1, most_under_floor=overall)
    drafted = draft(DraftClaim("You earn 6 hours.", ("1.1",)), passages=[LEAVE])
    verdict = Gate(sure)(evidence(LEAVE), drafted, (claim(),))
    assert (verdict.confidence.overall, verdict.decision) == (overall, decision)


def test_of_another_day_nothing_is_sure_and_what_is_unsure_stays_as_it_is() -> None:
    sure, half, nothing = judged(claim()), judged(claim(), covered=(True, False)), judged()
    told = of_another_day(sure)
    assert (told.decision, told.reasons) == (Decision.PARTIAL, (ANOTHER_DAY,))
    assert replace(told, decision=sure.decision, reasons=sure.reasons) == sure
    assert [of_another_day(each) for each in (half, nothing)] == [half, nothing]


@pytest.mark.parametrize(("composite", "overall"), [(0.5, 0.5), (math.nextafter(0.5, 0), 0.2)])
def test_whatever_reaches_the_floor_is_as_probable_as_it_was_fitted(
    composite: float, overall: float
) -> None:
    calibration = GateCalibration(floor=0.5, most_under_floor=0.2)
    assert calibration.probability(composite) == overall


def test_nothing_relevant_abstains_and_keeps_what_came_nearest() -> None:
    verdict = Gate(STRAIGHT)(
        evidence(LEAVE, relevance=0.3, covered=(False,)), draft(passages=[], only_copies=False), ()
    )
    assert verdict.decision is Decision.ABSTAIN
    assert verdict.confidence.retrieval == 0.3
    assert verdict.reasons == ("no passage passes the threshold",)


def test_unsupported_and_broken_claims_are_never_posted() -> None:
    bad = (claim(Status.UNSUPPORTED, 0.1), claim(Status.BROKEN, 0.0))
    refused = judged(*bad)
    assert (refused.decision, refused.claims) == (Decision.ABSTAIN, ())
    assert refused.reasons == ("no claim is entailed by what it cites",)
    mixed = judged(claim(), *bad)
    assert [each.status for each in mixed.claims] == [Status.VERIFIED]
    assert len(mixed.dropped) == 2


def copied(part: int = 0) -> Claim:
    return replace(claim(), copied=True, parts=(part,))


def test_what_can_only_be_copied_has_no_entailment_and_the_others_share_its_weight() -> None:
    verdict = judged(copied(), relevance=0.9)
    assert verdict.confidence.entailment is None
    assert verdict.confidence.overall == pytest.approx(0.9)


def test_of_a_language_model_a_copy_too_is_something_that_was_checked() -> None:
    claims = (copied(), claim(score=0.8))
    written = draft(
        *(DraftClaim(c.text, ("1.1",)) for c in claims), passages=[LEAVE], only_copies=False
    )
    verdict = Gate(STRAIGHT)(evidence(LEAVE, relevance=0.3), written, claims)
    assert verdict.confidence.entailment == pytest.approx(0.9)
    assert verdict.confidence.overall == pytest.approx(0.6)


def test_coverage_counts_the_parts_that_are_answered_not_those_that_have_evidence() -> None:
    assert of_two_parts(copied(0)).confidence.coverage == 0.5
    assert of_two_parts(copied(0), copied(1)).confidence.coverage == 1.0
    assert of_two_parts(claim(Status.UNSUPPORTED)).confidence.coverage == 0.0
    assert judged(claim(Status.UNSUPPORTED)).confidence.coverage == 0.0


@pytest.mark.parametrize(
    ("relevance", "covered", "badge"),
    [
        (0.95, (True,), Badge.ANSWERED),
        (0.7, (True,), Badge.PROBABLY),
        (0.95, (True, False), Badge.IN_PART),
        (0.1, (True, False), Badge.UNKNOWN),
    ],
)
def test_a_badge_tells_an_unsure_answer_from_half_an_answer(
    relevance: float, covered: tuple[bool, ...], badge: Badge
) -> None:
    assert judged(copied(), relevance=relevance, covered=covered).badge is badge


def test_what_was_left_out_shares_its_weight() -> None:
    assert composite({"retrieval": 0.8, "entailment": None}) == pytest.approx(0.8)
    assert composite({"retrieval": 0.8, "entailment": 0.6}) == pytest.approx(0.7)
    with_all = {"retrieval": 1.0, "coverage": 0.0, "entailment": 1.0, "consistency": 0.0}
    assert composite(with_all) == pytest.approx(0.7 / 0.85)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 5), st.floats(-5, 5))
def test_more_confidence_is_never_less_probable(
    one: float, other: float, slope: float, intercept: float
) -> None:
    calibration = GateCalibration(slope, intercept)
    low, high = sorted((one, other))
    assert 0 <= calibration.probability(low) <= calibration.probability(high) <= 1


def test_unsupported_claims_are_posted_as_such_where_the_operator_wants_to_see_them() -> None:
    claims = (claim(), claim(Status.UNSUPPORTED, 0.1), claim(Status.BROKEN, 0.0))
    found = evidence(LEAVE, relevance=0.95)
    drafted = draft(*(DraftClaim(c.text, ("1.1",)) for c in claims), passages=[LEAVE])
    verdict = Gate(STRAIGHT, marked=MARKED["mark"])(found, drafted, claims)
    assert [each.status for each in verdict.claims] == [Status.VERIFIED, Status.UNSUPPORTED]
    assert [each.status for each in verdict.dropped] == [Status.BROKEN]
    assert "(not borne out by its source) You earn 6 hours." in reply_text(an_outcome(verdict))


def test_of_what_is_not_borne_out_conclusions_alone_are_shown_where_that_is_set() -> None:
    concluded = replace(claim(Status.UNSUPPORTED, 0.1), kind=ClaimKind.INFERENCE)
    claims = (claim(), claim(Status.UNSUPPORTED, 0.1), concluded)
    drafted = draft(*(DraftClaim(c.text, ("1.1",), c.kind) for c in claims), passages=[LEAVE])
    verdict = Gate(STRAIGHT, marked=MARKED["mark-inferences"])(evidence(LEAVE), drafted, claims)
    assert (verdict.claims, verdict.dropped) == ((claims[0], concluded), (claims[1],))


def test_unsupported_claims_alone_are_no_answer_even_where_they_are_wanted() -> None:
    claims = (claim(Status.UNSUPPORTED, 0.1),)
    drafted = draft(DraftClaim(claims[0].text, ("1.1",)), passages=[LEAVE])
    verdict = Gate(STRAIGHT, marked=MARKED["mark"])(evidence(LEAVE), drafted, claims)
    assert verdict.decision is Decision.ABSTAIN
    assert verdict.claims == ()
