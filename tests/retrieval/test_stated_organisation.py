"""A document names the organisation that says "we" in it."""

from pathlib import Path

import pytest

from retrieval.errors import BadMetadata
from retrieval.metadata.ontology import Ontology, load_ontology
from retrieval.metadata.statements import metadata, statements
from retrieval.parsing.embedded_metadata import stated_in_front_matter


def stated(value: object, ontology: Ontology | None = None) -> tuple[str, ...]:
    known = ontology or load_ontology()
    return metadata(
        statements(stated_in_front_matter({"organisation": value}), known), known
    ).organisation


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Northwind", ("Northwind",)),
        ([" Larkfield  College", "Larkfield", "Larkfield"], ("Larkfield College", "Larkfield")),
        (None, ()),
        ([], ()),
        (18, ("18",)),
    ],
)
def test_names_are_a_text_or_a_list(value: object, names: tuple[str, ...]) -> None:
    assert stated(value) == names


@pytest.mark.parametrize("value", [{"name": "Northwind"}, [["Northwind"]], b"Northwind"])
def test_anything_else_keeps_the_document_out_by_name(value: object) -> None:
    with pytest.raises(BadMetadata, match="`organisation` must be a text"):
        stated(value)


@pytest.mark.parametrize("value", [{"departments": "law", "audience": {"roles": "staff"}}])
def test_who_may_read_it_is_not_read_below_it(value: object) -> None:
    with pytest.raises(BadMetadata, match="write it at the top"):
        stated(value)


def test_where_organisations_are_a_facet_the_key_may_restrict_and_is_refused(
    tmp_path: Path,
) -> None:
    file = tmp_path / "ontology.yaml"
    file.write_text("facets: [organisations]\nlevels: [{name: group, score: 1}]")
    with pytest.raises(BadMetadata, match=r"write `audience\.organisations`"):
        stated("Northwind", load_ontology(file))
