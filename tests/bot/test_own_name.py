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
from retrieval.types import Metadata

NORTHWIND = Organisation(("Northwind", "Northwind Institute"), frozenset({"department"}))


def checked(
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
    found = checked(claim, source, metadata)
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
    assert checked(claim, source, metadata).status is Status.UNSUPPORTED


def test_where_no_name_is_known_we_are_nobody() -> None:
    found = checked(FROM_US, WE, by=Organisation())
    assert found.objections == ("the source does not say “Northwind”",)


@given(st.text(max_size=80), st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=10))
def test_no_text_brings_the_check_down(claim: str, source: str, name: str) -> None:
    checked(claim, source, by=Organisation((name,)))
