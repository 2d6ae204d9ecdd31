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
from audit.values import Status
from bot.answering.anchors import anchored_text, resolve
from bot.answering.gate import UNCALIBRATED, Gate
from bot.answering.values import Claim, DraftClaim
from bot.answering.verification import ClaimVerifier, Judgement
from retrieval.ports import EntailmentPair
from retrieval.search.scores import ENTAILED

LEAVE = passage(
    "leave", "You earn 6 hours of leave per pay period.", "Unused hours over 240 are lost."
)
SICK = passage("sick", "Sick leave is 4 hours per pay period.")
NOTHING = ClaimVerifier(SameEntailment(0.0))


def checked(text: str, *anchors: str, by: ClaimVerifier = NOTHING, why: str = "") -> Claim:
    claim = DraftClaim(text, anchors, reasoning=why)
    return by(draft(claim, passages=(LEAVE, SICK), only_copies=False))[0]


def test_a_copied_sentence_is_verified_whatever_the_model_says() -> None:
    claim = checked(LEAVE.sentences[0].text, "1.1")
    assert (claim.status, claim.score) == (Status.VERIFIED, 1.0)
    [citation] = claim.citations
    assert citation.quote == LEAVE.sentences[0].text
    assert citation.score == 1.0


def test_what_is_not_entailed_or_stands_elsewhere_is_not_borne_out_by_what_it_cites() -> None:
    for text in ("You earn 8 hours of leave.", SICK.sentences[0].text):
        assert checked(text, "1.1").status is Status.UNSUPPORTED


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


def test_why_it_follows_is_told_where_what_is_cited_bears_that_out_too() -> None:
    stands = LEAVE.sentences[1].text
    for why, kept in ((stands, stands), ("It follows from the calendar.", "")):
        claim = checked(LEAVE.sentences[0].text, "1.1", "1.2", why=why)
        assert (claim.status, claim.reasoning) == (Status.VERIFIED, kept)


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


def test_the_bundled_model_tells_a_paraphrase_from_a_contradiction(
    shipped: ClaimVerifier,
) -> None:
    said = ("Each pay period gives you 6 hours of leave.", "You never earn any leave at all.")
    statuses = [checked(each, "1.1", by=shipped).status for each in said]
    assert statuses == [Status.VERIFIED, Status.UNSUPPORTED]


@given(st.text())
def test_no_text_is_ever_an_anchor_by_accident(text: str) -> None:
    place = resolve(text, [LEAVE])
    assert place is None or text in {"1.1", "1.2", "01.1", "1.01", "1.02"} or place[0] is LEAVE


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_a_document_cannot_forge_an_anchor(texts: list[str]) -> None:
    shown = anchored_text(1, passage("any", *texts))
    assert shown.count("<c>") == shown.count("</c>") <= len(texts)
