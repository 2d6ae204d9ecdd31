"""A language model writes falsehoods with anchors that it was given, and true sentences too."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from answering_values import WrittenClaim, draft, evidence, passage, passages_of, written_claims
from fakes import SameEntailment
from openai_fixtures import Scripted, ScriptedServer, a_claim, a_completion, a_writer, an_answer
from shelves import TODAY, Shelves
from tiny_pipeline import reading

from audit.record import AuditRecord, Decision
from audit.values import Status
from bot.answering.gate import FOR_LANGUAGE_MODELS, SHIPPED, Gate, load_calibration
from bot.answering.pipeline import with_source_words
from bot.answering.values import Claim, Draft, DraftClaim, Question, Verdict
from bot.answering.verification import ClaimVerifier
from retrieval.types import Passage

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


NOTHING = ClaimVerifier(SameEntailment(0.0))
"""Takes nothing for entailed: what it verifies was copied."""
ASKED = yaml.safe_load(
    (Path(__file__).parents[1] / "fixtures" / "asked-claims.yaml").read_text("utf-8")
)


def checked(
    question: str, *claims: DraftClaim, of: Sequence[Passage], by: ClaimVerifier = NOTHING
) -> tuple[Claim, ...]:
    written = draft(*claims, passages=of, only_copies=False)
    return with_source_words(question, written, by(written), by)


def posted(claims: Sequence[Claim]) -> list[str]:
    return [claim.text for claim in claims if claim.status is Status.VERIFIED]


BIKES = "Bike parking is next to the loading dock, entered from McAllister Street."
OFFICE = passage("office", BIKES, "Ask the desk for a key.", title="San Francisco")
ABOUT_BIKES = "Where do bikes go at your SF office?"
NAMES_THE_OFFICE = DraftClaim(
    "Bike parking at the San Francisco office is next to the loading dock, entered from "
    "McAllister Street.",
    ("1.1",),
)


def test_what_names_the_place_of_the_heading_is_said_as_it_stands_under_it() -> None:
    said, fell = checked(ABOUT_BIKES, NAMES_THE_OFFICE, of=[OFFICE])
    assert (said.text, said.status, said.copied) == (BIKES, Status.VERIFIED, True)
    assert (fell.text, fell.status) == (NAMES_THE_OFFICE.text, Status.UNSUPPORTED)


@pytest.mark.parametrize(
    ("question", "says_it"),
    [("I live in Lisbon and moved in May. What is free?", True), ("What is free?", False)],
)
def test_what_the_asker_said_counts_for_nothing_and_what_nobody_said_counts_against_it(
    question: str, *, says_it: bool
) -> None:
    lessons = passage("lessons", "Language lessons are free for two years.")
    written = DraftClaim(
        "As you live in Lisbon since you moved in May, lessons are free for two years.", ("1.1",)
    )
    expected = [lessons.sentences[0].text] if says_it else []
    assert posted(checked(question, written, of=[lessons])) == expected


def test_a_sentence_that_bears_another_claim_out_is_not_said_again() -> None:
    again = DraftClaim(
        "The San Francisco office has bike parking next to the loading dock.", ("1.1",)
    )
    claims = checked(ABOUT_BIKES, DraftClaim(BIKES, ("1.1",)), NAMES_THE_OFFICE, again, of=[OFFICE])
    assert posted(claims) == [BIKES]
    assert len(claims) == 3
    assert posted(checked(ABOUT_BIKES, NAMES_THE_OFFICE, NAMES_THE_OFFICE, of=[OFFICE])) == [BIKES]


def test_a_claim_about_something_else_brings_nothing_with_it() -> None:
    other = DraftClaim("The canteen serves soup, salad and bread until three.", ("1.1",))
    nowhere = DraftClaim(NAMES_THE_OFFICE.text, ("7.1",))
    assert posted(checked(ABOUT_BIKES, other, nowhere, of=[OFFICE])) == []


def test_what_was_changed_is_said_as_it_is() -> None:
    """What it takes back or limits is said with it."""
    staff = passage("cars", "Staff may park in the courtyard.", "Except on market days.")
    changed = DraftClaim("Staff may never park in the courtyard.", ("1.1",))
    text = "Staff may park in the courtyard. Except on market days."
    assert posted(checked("Where may I park?", changed, of=[staff])) == [text]


CARS = "staff may park in the courtyard"


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        (passage("cars", "May staff park in the courtyard?"), f"S{CARS[1:]} on Mondays."),
        (
            passage("cars", f"If somebody asks, tell them that {CARS}."),
            f"S{CARS[1:]}, if somebody asks.",
        ),
        (passage("cars", f"It is a myth that {CARS}."), f"S{CARS[1:]}, which is no myth."),
        (
            passage("old", "Visitors leave a deposit of 30 euros.", title="Old rule, abolished"),
            "Visitors leave a deposit of 35 euros.",
        ),
        (
            passages_of("rules.md", "# Labs\n\nYou must never:\n\n- eat food at the benches\n")[0],
            "You may eat your food at the benches.",
        ),
    ],
    ids=["asked", "to be said", "reported", "under a heading that takes it back", "forbidden"],
)
def test_what_does_not_hold_as_it_stands_is_not_said(source: Passage, claim: str) -> None:
    written = DraftClaim(claim, (f"1.{len(source.sentences)}",))
    assert posted(checked("Where may I park?", written, of=[source])) == []


class Repeated(NamedTuple):
    """A claim that repeats what was asked."""

    asked: str
    text: str
    source: tuple[Passage, ...]

    @property
    def draft(self) -> list[DraftClaim]:
        [cited] = self.source
        anchors = tuple(f"1.{n}" for n in range(1, len(cited.sentences) + 1))
        return [DraftClaim(self.text, anchors)]

    def posted(self, by: ClaimVerifier) -> list[str]:
        return posted(checked(self.asked, *self.draft, of=self.source, by=by))


def repeated(which: str) -> Iterator[Repeated]:
    for entry in ASKED:
        text = f"# {entry.get('heading', 'Handbook')}\n\n{entry['source']}\n"
        for claim in entry.get(which, ()):
            yield Repeated(entry["asked"], claim, passages_of("asked.md", text))


TRUE, FALSE = list(repeated("true claims")), list(repeated("falsehoods"))


@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim.text)
def test_whatever_a_question_states_only_sentences_of_the_source_are_said(claim: Repeated) -> None:
    [source] = claim.source
    sentences = [each.text for each in source.sentences]
    assert set(claim.posted(NOTHING)) <= {*sentences, " ".join(sentences)}


def test_with_the_shipped_model_who_asked_gets_what_is_true_and_no_falsehood_more(
    shipped: ClaimVerifier,
) -> None:
    """Three pass the model: what holds for others, or under another condition."""
    assert len(TRUE) == len(FALSE)
    assert sum(bool(claim.posted(shipped)) for claim in TRUE) >= 35
    assert sum(claim.text in claim.posted(shipped) for claim in FALSE) <= 3
    written = [claim for claim in TRUE if claim.text in claim.posted(shipped)]
    assert len(written) < 15, "the others are said in the source's words"
