"""What groups of sources elsewhere are here is understood as it is written, or not at all."""

from pathlib import Path

import pytest
from vouch_home import write

from bot.errors import BadConfiguration
from bot.wiring.sources import groups_in
from retrieval.metadata.access import EVERYBODY
from retrieval.metadata.ontology import load_ontology
from retrieval.remote.urls import nearest, source_url


def people(home: Path, sources: str) -> Path:
    return write(home, {"people.yaml": f"people: []\nsources: {sources}"}) / "people.yaml"


def test_groups_are_those_of_the_longest_url_that_begins_so(tmp_path: Path) -> None:
    stated = """
  confluence://a.example: {hr: {departments: [hr]}, all: everyone, 7: {courses: CS101}}
  confluence://a.example/IT: {hr: {departments: [it]}}"""
    groups = groups_in(people(tmp_path, stated), load_ontology())
    assert nearest(source_url("confluence://a.example/HR"), groups) == {
        "hr": (("departments", ("hr",)),),
        "all": EVERYBODY,
        "7": (("courses", ("CS101",)),),
    }
    assert nearest(source_url("confluence://a.example/IT"), groups).keys() == {"hr"}
    assert nearest(source_url("confluence://A.Example/IT"), groups).keys() == {"hr"}
    assert nearest(source_url("confluence://b.example/HR"), groups) == {}
    assert nearest(source_url("confluence://a.example/ITX"), groups).keys() == {"hr", "all", "7"}


def test_without_any_nobody_is_mapped(tmp_path: Path) -> None:
    assert groups_in(tmp_path / "people.yaml", load_ontology()) == {}
    assert groups_in(people(tmp_path, ""), load_ontology()) == {}
    stated = "{confluence://a.example: {}}"
    assert groups_in(people(tmp_path, stated), load_ontology()) == {"confluence://a.example": {}}


@pytest.mark.parametrize(
    "sources",
    [
        *("[a]", "everyone", "{confluence://a: everyone}", "{confluence://a: [hr]}"),
        *("{confluence://a: {hr: }}", "{confluence://a: {hr: {}}}", "{confluence://a: {hr: hr}}"),
        *("{confluence://a: {hr: {department: hr}}}", "{confluence://a: {hr: {departments: }}}"),
        "{confluence://a: {hr: {departments: []}}}",
        *('{"confluence://[a": {hr: {departments: hr}}}', "{a.example: {hr: {departments: hr}}}"),
        "{notion://: {a: everyone}}",
        *("{wiki://a: {hr: {departments: hr}}}", "{s3://a: {hr: {departments: hr}}}"),
    ],
)
def test_what_is_not_understood_is_said(tmp_path: Path, sources: str) -> None:
    with pytest.raises(BadConfiguration, match=r"people\.yaml"):
        groups_in(people(tmp_path, sources), load_ontology())
