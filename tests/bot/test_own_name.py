"""The organisation says "we" in its documents; claims say its name, or somebody else's."""

import pytest
from answering_values import draft, passage
from fakes import SameEntailment
from hypothesis import given
from hypothesis import strategies as st

from audit.values import Status
from bot.answering.own_name import Organisation
from bot.answering.values import Claim, DraftClaim
from bot.answering.verification import ClaimVerifier
from retrieval.types import Metadata, Passage

NORTHWIND = Organisation(("Northwind", "Northwind Institute"), frozenset({"department"}))


def leave(*texts: str, metadata: Metadata | None = None) -> Passage:
    return passage("leave", *texts, metadata=metadata)


def checked(claim: str, source: Passage, organisation: Organisation = NORTHWIND) -> Claim:
    """As a model would let it pass that finds everything entailed."""
    verifier = ClaimVerifier(SameEntailment(0.96), organisation=organisation)
    [found] = verifier(draft(DraftClaim(claim, ("1.1",)), passages=[source]))
    return found


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("We give you 28 days.", "You get 28 days from Northwind."),
        ("We've closed our gate.", "The gate of Northwind Institute is closed."),
        ("Northwind Institute pays for it.", "It is paid for by Northwind."),
        ("Northwind pays for it.", "Our organisation, Northwind Institute, pays for it."),
        ("Tell us at once.", "At once, Northwind must be told."),
    ],
)
def test_we_and_every_name_are_one(source: str, claim: str) -> None:
    assert checked(claim, leave(source)).status is Status.VERIFIED


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("We give you 28 days.", "You get 28 days from Contoso."),
        ("We give you 28 days.", "Contoso gives you 28 days."),
        ("Our gate is closed.", "Contoso's gate is closed."),
        ("At Contoso, we give you 28 days.", "You get 28 days from Northwind."),
        ("Contoso promises: we give you 28 days.", "You get 28 days from Northwind."),
        ("“We give you 28 days”, they say.", "You get 28 days from Northwind, they say."),
        ("The US gives you 28 days.", "You get 28 days from Northwind."),
    ],
)
def test_others_are_not_us(source: str, claim: str) -> None:
    assert checked(claim, leave(source)).status is Status.UNSUPPORTED


def test_a_document_says_itself_who_we_are() -> None:
    source = leave("We give you 28 days.", metadata=Metadata(organisation=("Contoso",)))
    assert checked("You get 28 days from Contoso.", source).status is Status.VERIFIED
    assert checked("You get 28 days from Northwind.", source).status is Status.UNSUPPORTED


def test_in_a_units_own_document_we_may_be_the_unit() -> None:
    source = leave("We give you 28 days.", metadata=Metadata(level="department"))
    assert checked("You get 28 days from Northwind.", source).status is Status.UNSUPPORTED


def test_where_no_name_is_known_we_are_nobody() -> None:
    found = checked(
        "You get 28 days from Northwind.", leave("We give you 28 days."), Organisation()
    )
    assert found.objections == ("the source does not say “Northwind”",)


def test_the_citation_shows_the_source_as_it_stands() -> None:
    found = checked("You get 28 days from Northwind.", leave("We give you 28 days."))
    assert [citation.quote for citation in found.citations] == ["We give you 28 days."]


@given(st.text(max_size=80), st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=10))
def test_no_text_brings_the_check_down(claim: str, source: str, name: str) -> None:
    checked(claim, leave(source), Organisation((name,)))
