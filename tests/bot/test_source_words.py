"""What nothing bears out is not posted; what it cites is, where the claim says nearly that."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from answering_values import draft, passage
from fakes import SameEntailment
from written_claims import passages_of

from audit.values import Status
from bot.answering.pipeline import with_source_words
from bot.answering.values import Claim, DraftClaim
from bot.answering.verification import ClaimVerifier
from retrieval.types import Passage

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
