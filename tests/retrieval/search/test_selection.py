"""What a selection with a floor makes evidence of."""

from datetime import date
from pathlib import Path

import pytest
from shelves import TODAY, Shelves

from retrieval.search.scores import READ, RELEVANT
from retrieval.search.selection import OrganisationalSelection, without_floor
from retrieval.types import AccessRule, Eligibility, Metadata, Scope

FLOOR = OrganisationalSelection(floor=READ)
ANA = Scope({"departments": frozenset({"cs"})}, TODAY)
OF_CS = Metadata(
    level="department",
    access=AccessRule((("departments", ("cs",)),)),
    effective=date(2026, 1, 1),
)
OF_ALL = Metadata(level="university", effective=date(2026, 1, 1))


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path)


def test_what_is_over_the_floor_is_read_best_first_and_no_more_of_it_than_usual(
    shelves: Shelves,
) -> None:
    for n, stated in enumerate(("0.09", "0.1", "0.2", "0.3", "0.8", "0.9", "0.15")):
        shelves.add(f"dogs{n}", f"Dogs number {n}, {stated}.")
    evidence = shelves.search("dogs", selection=FLOOR)
    assert [hit.scores["relevance"] for hit in evidence.hits] == [0.9, 0.8, 0.3, 0.2, 0.15]
    assert evidence.parts[0].covered


def test_what_nearly_says_nothing_overrides_nothing(shelves: Shelves) -> None:
    shelves.add("all", "Dogs bark all night here, 0.9.", metadata=OF_ALL)
    shelves.add("own", "Dogs bark all night here too, 0.2.", metadata=OF_CS)
    shelves.add("near", "Dogs bark all night there, 0.4.", metadata=OF_CS)
    hits = shelves.search("dogs bark", ANA, selection=FLOOR).hits
    assert [hit.passage.passage_id for hit in hits] == ["near-0", "all-0", "own-0"]
    assert [hit.overridden_by for hit in hits] == [None, "near-0", None]


def test_without_its_floor_evidence_is_what_it_would_have_been_without_one(
    shelves: Shelves,
) -> None:
    shelves.add("all", "Dogs bark all night here, 0.9.", metadata=OF_ALL)
    shelves.add("near", "Dogs bark all night there, 0.4.", metadata=OF_CS)
    shelves.add("cats", "Cats bark never, 0.3.")
    read = shelves.search("dogs bark", ANA, selection=FLOOR)
    copied = shelves.search("dogs bark", ANA)
    assert len(read.hits) == 3
    narrowed = without_floor(read, RELEVANT)
    assert [hit.passage for hit in narrowed.hits] == [hit.passage for hit in copied.hits]
    assert [hit.overridden_by for hit in narrowed.hits] == [None, "near-0"]
    assert narrowed.parts == copied.parts


def test_passages_say_why_they_are_read(shelves: Shelves) -> None:
    shelves.add("dogs", "Dogs bark, 0.9.")
    shelves.add("cats", "Dogs sleep, 0.3.")
    shelves.add("bats", "Dogs swim, 0.04.")
    found = shelves.search("dogs", selection=FLOOR).candidates
    assert [hit.eligibility for hit in found] == [
        Eligibility.OVER_THRESHOLD,
        Eligibility.OVER_FLOOR,
        Eligibility.UNDER_THRESHOLD,
    ]
