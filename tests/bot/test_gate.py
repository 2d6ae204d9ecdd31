"""ANSWER, PARTIAL or ABSTAIN, and the confidences behind it."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from answering_values import an_outcome, cites, claimed, draft, evidence, passage
from hypothesis import given
from hypothesis import strategies as st

from audit.record import Badge, Decision
from audit.values import ClaimKind, Status
from bot.answering.gate import (
    ANSWER_AT,
    MARKED,
    PARTIAL_AT,
    UNCALIBRATED,
    Calibration,
    Gate,
    GateCalibration,
    composite,
    load_calibration,
    of_another_day,
    of_no_document,
    save_calibration,
)
from bot.answering.reply import reply_text
from bot.answering.values import Claim, DraftClaim, Verdict
from bot.errors import BadConfiguration
from bot.lab.recipe import GateOfOnePart
from bot.settings import Settings
from bot.wording import ANOTHER_DAY, DOUBTFUL, IN_BRACKETS
from retrieval.search.reranking import RelevanceCalibration
from retrieval.search.scores import READ, RELEVANT
from retrieval.search.search import SearchSettings
from retrieval.search.selection import OrganisationalSelection

LEAVE = passage("leave", "You earn 6 hours.")
GATE = Gate(UNCALIBRATED)


def claim(status: Status = Status.VERIFIED, score: float = 1.0) -> Claim:
    return replace(claimed("You earn 6 hours.", cites(LEAVE, status=status)), score=score)


def judged(
    *claims: Claim,
    relevance: float = 0.95,
    covered: tuple[bool, ...] = (True,),
    marked: str = "drop",
    only_copies: bool = True,
) -> Verdict:
    found = evidence(LEAVE, relevance=relevance, covered=covered)
    written = [DraftClaim(c.text, ("1.1",), c.kind) for c in claims]
    drafted = draft(*written, passages=[LEAVE], only_copies=only_copies)
    return replace(GATE, marked=MARKED[marked])(found, drafted, claims)


@pytest.mark.parametrize(
    ("relevance", "covered", "decision", "badge"),
    [
        (0.95, (True,), Decision.ANSWER, Badge.ANSWERED),
        (0.7, (True,), Decision.PARTIAL, Badge.PROBABLY),
        (0.95, (True, False), Decision.PARTIAL, Badge.IN_PART),
        (0.0, (True, False, False), Decision.ABSTAIN, Badge.UNKNOWN),
    ],
)
def test_a_sure_claim_is_an_answer_and_half_an_answer_is_told_from_an_unsure_one(
    relevance: float, covered: tuple[bool, ...], decision: Decision, badge: Badge
) -> None:
    verdict = judged(claim(), relevance=relevance, covered=covered)
    assert (verdict.decision, verdict.badge) == (decision, badge)
    assert verdict.missing == tuple(f"part {n}" for n in range(2, len(covered) + 1))
    is_told = decision is not Decision.ABSTAIN
    assert (len(verdict.claims), len(verdict.dropped)) == (is_told, not is_told)


def test_a_part_without_evidence_takes_no_confidence_from_the_answer_to_another() -> None:
    alone, beside = (judged(claim(), covered=each) for each in ((True,), (True, False)))
    assert beside.confidence == replace(alone.confidence, coverage=0.5)


def of_two_parts(*claims: Claim, marked: str = "drop") -> Verdict:
    """Both have evidence."""
    return judged(*claims, covered=(True, True), marked=marked)


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
    in_part = of_two_parts(replace(claim(), parts=(0,)))
    assert (in_part.answered, of_no_document(in_part).answered) == (("part 1",), ())


def test_a_claim_that_is_only_shown_as_unsupported_answers_no_part() -> None:
    first, marked = replace(claim(), parts=(0,)), replace(claim(Status.UNSUPPORTED), parts=(1,))
    verdict = of_two_parts(first, marked, marked="mark")
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
    assert GATE(found, drafted, (claim(),)).missing == ("part 2",)
    verdict = GateOfOnePart(GATE)(found, drafted, (replace(claim(), parts=(0,)),))
    assert (verdict.decision, verdict.missing) == (Decision.ANSWER, ())


def test_a_missing_part_is_named_in_the_persons_own_words() -> None:
    found = evidence(LEAVE, covered=(True, False))
    leaning = replace(
        found.parts[1], text="how much leave: who approves it", asked="who approves it"
    )
    found = replace(found, parts=(found.parts[0], leaning))
    drafted = draft(DraftClaim("You earn 6 hours.", ("1.1",)), passages=[LEAVE])
    assert GATE(found, drafted, (claim(),)).missing == ("who approves it",)


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


@pytest.mark.parametrize(
    "said", ["You earn [unknown value] hours.", "[on an unknown condition: You earn 6 hours.]"]
)
def test_what_a_page_leaves_open_is_probable_at_most_and_the_reply_says_why(said: str) -> None:
    open_ = claimed(said, cites(passage(LEAVE.passage_id, said)))
    alone, beside = judged(claim(), open_), judged(claim(), open_, covered=(True, False))
    assert (alone.badge, alone.reasons) == (Badge.PROBABLY, (DOUBTFUL,))
    assert (beside.badge, beside.reasons[1:]) == (Badge.IN_PART, (DOUBTFUL,))
    for told in (alone, beside):
        assert IN_BRACKETS in reply_text(an_outcome(told))
    unsure = judged(open_, relevance=0.1)
    assert (unsure.decision, DOUBTFUL in unsure.reasons) == (Decision.ABSTAIN, False)
    assert judged(claim()).badge is Badge.ANSWERED


@pytest.mark.parametrize(("composite", "overall"), [(0.5, 0.5), (math.nextafter(0.5, 0), 0.2)])
def test_whatever_reaches_the_floor_is_as_probable_as_it_was_fitted(
    composite: float, overall: float
) -> None:
    calibration = GateCalibration(floor=0.5, most_under_floor=0.2)
    assert calibration.probability(composite) == overall


def test_nothing_relevant_abstains_and_keeps_what_came_nearest() -> None:
    verdict = judged(relevance=0.3, covered=(False,), only_copies=False)
    assert verdict.decision is Decision.ABSTAIN
    assert verdict.confidence.retrieval == 0.3
    assert verdict.reasons == ("no passage passes the threshold",)


def test_unsupported_and_broken_claims_are_never_posted() -> None:
    refused = judged(claim(Status.UNSUPPORTED, 0.1), claim(Status.BROKEN, 0.0))
    assert (refused.decision, refused.claims) == (Decision.ABSTAIN, ())
    assert refused.reasons == ("no claim is entailed by what it cites",)


def copied(part: int = 0) -> Claim:
    return replace(claim(), copied=True, parts=(part,))


def test_what_can_only_be_copied_has_no_entailment_and_of_a_model_a_copy_too_was_checked() -> None:
    verdict = judged(copied(), relevance=0.9)
    assert verdict.confidence.entailment is None
    assert verdict.confidence.overall == pytest.approx(0.9)
    written = judged(copied(), claim(score=0.8), relevance=0.3, only_copies=False)
    assert written.confidence.entailment == pytest.approx(0.9)
    assert written.confidence.overall == pytest.approx(0.6)


def test_coverage_counts_the_parts_that_are_answered_not_those_that_have_evidence() -> None:
    assert of_two_parts(copied(0)).confidence.coverage == 0.5
    assert of_two_parts(copied(0), copied(1)).confidence.coverage == 1.0
    assert of_two_parts(claim(Status.UNSUPPORTED)).confidence.coverage == 0.0
    assert judged(claim(Status.UNSUPPORTED)).confidence.coverage == 0.0


def test_what_was_left_out_shares_its_weight() -> None:
    assert composite({"retrieval": 0.8, "entailment": None}) == pytest.approx(0.8)
    assert composite({"retrieval": 0.8, "entailment": 0.6}) == pytest.approx(0.7)
    with_all = {"retrieval": 1.0, "coverage": 0.0, "entailment": 1.0}
    assert composite(with_all) == pytest.approx(1.0)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 5), st.floats(-5, 5))
def test_more_confidence_is_never_less_probable(
    one: float, other: float, slope: float, intercept: float
) -> None:
    calibration = GateCalibration(slope, intercept)
    low, high = sorted((one, other))
    assert 0 <= calibration.probability(low) <= calibration.probability(high) <= 1


@pytest.mark.parametrize(
    ("marked", "posted"), [("drop", [0]), ("mark", [0, 1, 3]), ("mark-inferences", [0, 3])]
)
def test_unsupported_claims_are_posted_as_such_where_the_operator_wants_to_see_them(
    marked: str, posted: list[int]
) -> None:
    unsupported = claim(Status.UNSUPPORTED, 0.1)
    concluded = replace(unsupported, kind=ClaimKind.INFERENCE)
    claims = (claim(), unsupported, claim(Status.BROKEN, 0.0), concluded)
    verdict = judged(*claims, relevance=1.0, marked=marked)
    assert verdict.claims == tuple(claims[n] for n in posted)
    assert set(verdict.dropped) == {each for n, each in enumerate(claims) if n not in posted}
    said = reply_text(an_outcome(verdict))
    assert ("(not borne out by its source) You earn 6 hours." in said) is (len(posted) > 1)
    alone = judged(unsupported, marked=marked)
    assert (alone.decision, alone.claims) == (Decision.ABSTAIN, ()), "alone they are no answer"


def test_settings_left_alone_are_the_thresholds_of_the_modules_that_decide() -> None:
    stated = {name: field.default for name, field in Settings.model_fields.items()}
    assert stated["relevance_threshold"] == RELEVANT
    assert stated["reading_floor"] == READ
    assert stated["most_passages"] == OrganisationalSelection().most
    assert stated["candidates"] == SearchSettings().candidates
    assert (stated["answer_at"], stated["partial_at"]) == (ANSWER_AT, PARTIAL_AT)


@pytest.mark.parametrize("former", ["look", "reranking"])
def test_one_that_weighed_several_scores_is_refused_and_it_is_said_what_to_do(
    tmp_path: Path, former: str
) -> None:
    weights = {"bias": -1.0, "weights": {"logit": 2.0, "cosine": 0.1}}
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"name": "old", "relevance": {former: weights, "near": 0.2}}))
    with pytest.raises(BadConfiguration, match=r"no longer decide.*`vouch calibrate`"):
        load_calibration(path)


def test_what_is_saved_is_read_again_as_it_was(tmp_path: Path) -> None:
    fitted = RelevanceCalibration(2.0, -1.0, near=0.2)
    made = Calibration("mine", fitted, GateCalibration(1.5, 0.5), {"reranker": "words"})
    save_calibration(made, tmp_path / "mine.json")
    assert load_calibration(tmp_path / "mine.json") == made


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"relevance": 3}', '{"relevance": {}}', "1"])
def test_what_is_no_calibration_is_refused_in_words(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(BadConfiguration, match="cannot be read"):
        load_calibration(tmp_path / "bad.json")
