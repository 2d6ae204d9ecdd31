"""A language model writes falsehoods with anchors that it was given, and true sentences too."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from answering_values import draft, evidence, passage
from fakes import SameEntailment
from openai_fixtures import Scripted, ScriptedServer, a_claim, a_completion, a_writer, an_answer
from shelves import TODAY, Shelves
from tiny_pipeline import reading
from written_claims import WrittenClaim, written_claims

from audit.record import AuditRecord, Decision
from audit.values import Status
from bot.answering.gate import FOR_LANGUAGE_MODELS, SHIPPED, Gate, load_calibration
from bot.answering.values import Draft, DraftClaim, Question, Verdict
from bot.answering.verification import ClaimVerifier

WRITTEN = written_claims()
NEEDS_A_MODEL = {"reported", "role", "spliced", "unit"}
"""Kinds of which some are told from their source by the model alone."""
ANYTHING = ClaimVerifier(SameEntailment(1.0))
"""Takes everything for entailed: what it leaves unsupported, was compared."""


def borne_out(verifier: ClaimVerifier, written: WrittenClaim) -> bool:
    [claim] = verifier(written.draft)
    return claim.status is Status.VERIFIED


@pytest.mark.parametrize(
    "written",
    [each for each in WRITTEN if each.wrong and each.wrong not in NEEDS_A_MODEL],
    ids=lambda written: f"{written.wrong}: {written.text[:60].encode('ascii', 'replace').decode()}",
)
def test_a_falsehood_is_not_vouched_for_whatever_a_model_makes_of_it(written: WrittenClaim) -> None:
    assert not borne_out(ANYTHING, written)


@pytest.mark.parametrize(
    "written",
    [each for each in WRITTEN if not each.wrong and "Complaints" in each.about],
    ids=lambda written: written.text,
)
def test_a_rule_for_whoever_thinks_something_is_told_with_all_that_it_says(
    shipped: ClaimVerifier, written: WrittenClaim
) -> None:
    assert borne_out(shipped, written)


@pytest.mark.exhaustive
def test_with_the_shipped_model_no_falsehood_passes_but_one_and_true_claims_do(
    shipped: ClaimVerifier,
) -> None:
    """The one says who must pay whom the other way round, of somebody its source does not name."""
    passed = Counter(each.wrong for each in WRITTEN if borne_out(shipped, each))
    asked = Counter(each.wrong for each in WRITTEN)
    true = passed.pop("") / asked.pop("")
    assert asked.total() >= 100
    assert passed.total() <= 1, passed
    assert true >= 0.92


LAPTOPS = passage("laptops", "Laptops are lent for 14 days.", "They can be renewed twice.")
BOOKS = passage("books", "Books in the short loan collection are lent for 24 hours.", "They stay.")


def statuses(*claims: DraftClaim) -> list[Status]:
    written = draft(*claims, passages=(LAPTOPS, BOOKS), only_copies=False)
    return [claim.status for claim in ANYTHING(written)]


def test_a_pronoun_stands_for_nothing_that_another_claim_said_of_something_else() -> None:
    books = DraftClaim(BOOKS.sentences[0].text, ("2.1",))
    laptops = DraftClaim(LAPTOPS.sentences[0].text, ("1.1",))
    renewed = DraftClaim(LAPTOPS.sentences[1].text, ("1.2",))
    assert statuses(laptops, renewed) == [Status.VERIFIED, Status.VERIFIED]
    assert statuses(books, renewed) == [Status.VERIFIED, Status.UNSUPPORTED]


ABOUT_BOOKS = "Books in the short loan collection are lent for 24 hours"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("Laptops are lent for 14 days. They can be renewed twice.", Status.VERIFIED),
        ("Laptops are lent for 14 days, and they can be renewed twice.", Status.VERIFIED),
        ("You can have a laptop for 14 days. They can be renewed twice.", Status.VERIFIED),
        (f"{ABOUT_BOOKS}. They can be renewed twice.", Status.UNSUPPORTED),
        (f"{ABOUT_BOOKS}, and they can be renewed twice.", Status.UNSUPPORTED),
        (
            "Short loan books are lent for 24 hours, but they can be renewed twice.",
            Status.UNSUPPORTED,
        ),
    ],
)
def test_a_pronoun_may_stand_for_what_it_stands_for_in_its_source_and_nothing_else(
    said: str, status: Status
) -> None:
    books = () if status is Status.VERIFIED else ("2.1",)
    assert statuses(DraftClaim(said, (*books, "1.1", "1.2"))) == [status]


def test_what_is_said_under_a_heading_that_takes_it_back_may_be_told_as_such() -> None:
    rule = "Visitors must leave a deposit of 30 euros."
    over = passage("old", rule, title="Old rule, abolished")
    said = (rule, "By the old rule, abolished by now, visitors had to leave a deposit of 30 euros.")
    checked = ANYTHING(draft(*(DraftClaim(each, ("1.1",)) for each in said), passages=(over,)))
    assert [claim.status for claim in checked] == [Status.UNSUPPORTED, Status.VERIFIED]
    assert checked[0].objections == ("it leaves out “Old rule, abolished: Annual leave”",)


CLAIMS = [
    "Laptops are lent for 14 days.",
    "Laptops are lent for 15 days.",
    "Laptops are lent for 16 weeks.",
    "Laptops are lent for 17 euros.",
]


def of_so_many(claims: int, gate: Gate) -> Verdict:
    """The first of them is borne out."""
    written = Draft(tuple(DraftClaim(each, ("1.1",)) for each in CLAIMS[:claims]), (LAPTOPS,))
    found = evidence(LAPTOPS, relevance=0.99)
    return gate(found, written, ClaimVerifier(SameEntailment(0.99))(written))


@pytest.mark.parametrize("file", [SHIPPED, SHIPPED.with_name(FOR_LANGUAGE_MODELS)])
def test_a_reply_is_less_sure_with_each_claim_that_had_to_be_dropped(file: Path) -> None:
    gate = Gate(load_calibration(file).gate)
    verdicts = [of_so_many(claims, gate) for claims in (1, 2, 3, 4)]
    sure = [verdict.confidence.overall or 0 for verdict in verdicts]
    assert sure == sorted(sure, reverse=True)
    assert len({*sure}) == 4
    assert verdicts[0].decision is Decision.ANSWER
    assert verdicts[3].decision is not Decision.ANSWER
    assert len(verdicts[3].dropped) >= 3


def test_of_what_a_language_model_writes_the_falsehoods_reach_nobody(
    shelves: Shelves,
    server: ScriptedServer,
    records: list[AuditRecord],
    shipped: ClaimVerifier,
) -> None:
    """Through the pipeline, as a question from Slack takes its way; what is true is said."""
    pallet = "A pallet for the freezer weighs 600 kg, 0.8."
    shelves.add("freezer", "The freezer is kept at -18 degrees, 0.9.")
    shelves.add("pallet", pallet)
    written = an_answer(
        a_claim("The freezer is kept at -18 degrees.", "1.1"),
        a_claim("The freezer is kept at 18 degrees.", "1.1"),
        a_claim("A pallet for the freezer weighs 600 tonnes.", "2.1"),
        a_claim("A pаllet for the freezer weighs 600 kg.", "2.1"),
    )
    server.script = [Scripted(a_completion(written))]
    answering = reading(shelves, records.append, a_writer(server.url))
    gate = Gate(load_calibration(SHIPPED.with_name(FOR_LANGUAGE_MODELS)).gate)
    outcome = replace(answering, verification=shipped, gate=gate)(
        Question("how cold is the freezer, and how heavy a pallet?", None, TODAY)
    )
    [record] = records
    posted = [each.text for each in outcome.verdict.claims]
    assert posted == ["The freezer is kept at -18 degrees.", pallet]
    assert {each.status for each in outcome.verdict.dropped} == {Status.UNSUPPORTED}
    assert record.decision is not Decision.ANSWER
