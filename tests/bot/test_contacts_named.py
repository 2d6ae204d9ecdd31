"""Whom somebody is told to ask who gets no answer."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from answering_values import an_outcome, answering, cites, claimed, passage

from audit.record import Decision
from bot.answering.outcome import Outcome
from bot.answering.quoting import Quotation
from bot.errors import BadConfiguration
from bot.settings import Settings
from bot.wiring.answering import contact_of
from retrieval.errors import BadOntology
from retrieval.metadata.ontology import load_ontology
from retrieval.types import Metadata, Scope

ONTOLOGY = """
levels:
  - {name: department, score: 2, facet: departments}
  - {name: faculty, score: 1, facet: faculties}
  - {name: university, score: 0}
facets: [faculties, departments]
contacts:
  departments: {cs: cs@example.org}
  faculties: {computing: computing@example.org}
"""
EXAMS = passage("exams", "Exams are in June.", metadata=Metadata(owner="exams@example.org"))
FEES = passage("fees", "Fees are due in May.", metadata=Metadata(owner="fees@example.org"))

Contact = Callable[[Scope], str]
Named = Callable[..., Contact]


@pytest.fixture
def organisation(tmp_path: Path) -> Named:
    def make(ontology: str = ONTOLOGY, **settings: str) -> Contact:
        file = tmp_path / "ontology.yaml"
        file.write_text(ontology)
        return contact_of(Settings(home=tmp_path, **settings), load_ontology(file))  # type: ignore[arg-type]  # as the environment

    return make


def scope(**facets: str) -> Scope:
    return Scope({name: frozenset({unit}) for name, unit in facets.items()}, date(2026, 3, 2))


def test_the_nearest_unit_that_has_a_contact_is_named_else_the_organisations(
    organisation: Named,
) -> None:
    contact = organisation(contact="help@example.org")
    assert contact(scope(departments="cs", faculties="computing")) == "cs@example.org"
    assert contact(scope(departments="law", faculties="computing")) == "computing@example.org"
    assert contact(scope(departments="law")) == "help@example.org"
    assert contact(scope()) == "help@example.org"
    nobody = organisation(ONTOLOGY.partition("contacts:")[0])
    assert nobody(scope(departments="cs")) == ""


def test_a_contact_that_is_a_text_or_leads_somewhere_is_refused(organisation: Named) -> None:
    with pytest.raises(BadConfiguration, match="VOUCH_CONTACT must name whom to ask"):
        organisation(contact="log in at http://evil.example")


@pytest.mark.parametrize(
    ("contacts", "wrong"),
    [
        ("{rooms: {a: x@example.org}}", "contacts of 'rooms'"),
        ("{departments: {cs: 'see http://evil.example'}}", "the contact of 'cs' must name"),
        ("{departments: {cs: ''}}", "the contact of 'cs' must not be empty"),
        ("{departments: cs@example.org}", "contacts.departments"),
    ],
)
def test_a_wrong_contact_in_the_ontology_is_named(
    tmp_path: Path, contacts: str, wrong: str
) -> None:
    file = tmp_path / "ontology.yaml"
    file.write_text(f"{ONTOLOGY.partition('contacts:')[0]}contacts: {contacts}")
    with pytest.raises(BadOntology, match=wrong):
        load_ontology(file)


def abstained(*quoted: Quotation) -> Outcome:
    verdict = answering(decision=Decision.ABSTAIN, missing=("a part",))
    return replace(an_outcome(verdict, EXAMS, FEES), nearest=quoted, contact="cs@example.org")


def test_an_office_is_named_only_where_its_words_are_shown() -> None:
    assert abstained().owners == ("cs@example.org",)
    assert abstained(Quotation(FEES, 0, 0)).owners == ("fees@example.org", "cs@example.org")


def test_of_an_unsure_answer_the_office_is_named_that_it_cites() -> None:
    unsure = answering(claimed("Fees are due in May.", cites(FEES)), decision=Decision.PARTIAL)
    assert an_outcome(unsure, EXAMS, FEES).owners == ("fees@example.org",)
    half = replace(unsure, missing=("when exams are",))
    assert an_outcome(half, EXAMS, FEES).owners == ("exams@example.org", "fees@example.org")
