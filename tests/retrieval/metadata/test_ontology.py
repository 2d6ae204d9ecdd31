"""Whose rule comes first, and which ontology files are refused."""

from datetime import date
from pathlib import Path

import pytest

from retrieval.errors import BadOntology
from retrieval.metadata.ontology import Recency, load_ontology
from retrieval.types import AccessRule, Metadata, Scope

COMPANY = """
facets: [teams, divisions]
levels:
  - {name: team, score: 9, facet: teams}
  - {name: company, score: 1}
"""


def scope(**facets: str) -> Scope:
    return Scope({facet: frozenset({value}) for facet, value in facets.items()}, date(2026, 1, 1))


def document(level: str, **audience: tuple[str, ...]) -> Metadata:
    return Metadata(level=level, access=AccessRule(tuple(sorted(audience.items()))))


@pytest.mark.parametrize(
    ("metadata", "score"),
    [
        (document("department", departments=("cs", "is")), 100),
        (document("faculty", faculties=("computing",)), 50),
        (document("university"), 20),
        (document(""), 20),
        (document("", departments=("cs",)), 20),
        (document("department", departments=("is",)), 20),
        (document("department", departments=("*",)), 20),
        (document("department"), 20),
        (document("department", faculties=("computing",)), 20),
        (document("faculty", departments=("cs",)), 20),
    ],
)
def test_a_level_counts_where_it_is_the_persons_own(metadata: Metadata, score: float) -> None:
    ana = scope(departments="cs", faculties="computing")
    assert load_ontology().hierarchy_score(metadata, ana) == score
    assert load_ontology().hierarchy_score(metadata, scope()) == 20


def test_nobody_belongs_to_a_department_called_everyone() -> None:
    metadata = document("department", departments=("*",))
    assert load_ontology().hierarchy_score(metadata, scope(departments="*")) == 20


def test_a_company_brings_its_own_levels(tmp_path: Path) -> None:
    path = tmp_path / "company.yaml"
    path.write_text(COMPANY)
    ontology = load_ontology(path)
    assert ontology.facets == ("teams", "divisions")
    assert ontology.level_names == ("team", "company")
    assert ontology.hierarchy_score(document("team", teams=("blue",)), scope(teams="blue")) == 9
    assert ontology.hierarchy_score(document("team", teams=("blue",)), scope(teams="red")) == 1


def test_the_shipped_example_of_a_company_is_read_as_it_stands() -> None:
    ontology = load_ontology(Path(__file__).parents[3] / "deploy" / "ontology-company.yaml")
    assert {level.name: level.score for level in ontology.levels} == {
        "team": 100,
        "division": 50,
        "company": 20,
    }
    assert ontology.recency == Recency(points=15, years=2)
    assert ontology.hierarchy_score(document("team", teams=("blue",)), scope(teams="blue")) == 100
    assert ontology.contact_of(scope(divisions="sales")) == "#ask-sales"


def test_a_file_that_states_no_recency_has_the_published_one(tmp_path: Path) -> None:
    path = tmp_path / "company.yaml"
    path.write_text(COMPANY)
    assert load_ontology(path).recency == load_ontology().recency == Recency(points=15, years=5)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "valid dictionary"),
        ("facets: [a]", "levels"),
        ("[1", "line 1"),
        (COMPANY + "colours: []", "colours"),
        (COMPANY.replace("score: 9", "score: high"), "score"),
        (COMPANY.replace("score: 9", "score: .nan"), "score"),
        (COMPANY.replace("facet: teams", "facet: tribes"), "tribes"),
        (COMPANY.replace(", facet: teams", ""), "exactly one level without a facet"),
        (COMPANY.replace("score: 1}", "score: 1, facet: divisions}"), "exactly one level"),
        (COMPANY.replace("name: team", "name: company"), "two levels of the same name"),
        (COMPANY + "facets: [teams]", "stands twice"),
        (COMPANY + "recency: {points: 15}", "recency.years"),
        (COMPANY + "recency: {points: -1, years: 5}", "recency.points"),
        (COMPANY + "recency: {points: .inf, years: 5}", "recency.points"),
        (COMPANY + "recency: {points: 15, years: 0}", "recency.years"),
        (COMPANY + "recency: {points: true, years: 5}", "recency.points"),
        (COMPANY + 'recency: {points: 15, years: "5"}', "recency.years"),
        (COMPANY + "recency: {points: 15, years: 5, months: 1}", "recency.months"),
    ],
)
def test_a_wrong_ontology_is_refused_by_name(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(content)
    with pytest.raises(BadOntology, match=f"(?s)wrong.yaml.*{says}"):
        load_ontology(path)


def test_a_missing_ontology_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadOntology, match=r"none\.yaml"):
        load_ontology(tmp_path / "none.yaml")
