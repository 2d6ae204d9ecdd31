"""How evidence is chosen and ordered, as the organisation would."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from shelves import TODAY, Shelves

from retrieval.search.ranking import (
    SpeaksToTheSame,
    headed_alike,
    organisational_order,
    recency_points,
    reciprocal_rank_fusion,
)
from retrieval.search.scores import READ, RELEVANT
from retrieval.search.selection import OrganisationalSelection, without_floor
from retrieval.types import (
    AccessRule,
    Document,
    Eligibility,
    Hit,
    Metadata,
    Passage,
    Scope,
    Sentence,
    Stream,
)


def hit(
    name: str, hierarchy: float, recency: float = 0, stream: Stream = Stream.NON_ACADEMIC
) -> Hit:
    document = Document(name, f"{name}.md", "1", datetime.now(UTC), name, Metadata(stream=stream))
    passage = Passage(name, document, 0, (), (Sentence(name, 0, len(name)),), name)
    return Hit(passage, {"hierarchy": hierarchy, "recency": recency})


def names(hits: list[Hit]) -> list[str]:
    return [each.passage.passage_id for each in hits]


def always(_one: Passage, _other: Passage) -> bool:
    return True


def never(_one: Passage, _other: Passage) -> bool:
    return False


def test_fusion_adds_the_reciprocal_ranks() -> None:
    fused = reciprocal_rank_fusion([["a", "b"], ["b"]], k=60)
    assert fused == {"a": pytest.approx(1 / 61), "b": pytest.approx(1 / 62 + 1 / 61)}


def test_recency_falls_evenly_and_is_gone_after_five_years() -> None:
    today = date(2026, 1, 1)
    assert recency_points(today, today, 15, 5) == 15
    assert recency_points(date(2023, 7, 2), today, 15, 5) == pytest.approx(7.5, abs=0.02)
    assert recency_points(date(2020, 12, 31), today, 15, 5) == 0
    assert recency_points(None, today, 15, 5) == 0
    assert recency_points(date(2027, 1, 1), today, 15, 5) == 15


def under(*headings: str) -> Passage:
    return replace(hit("late", 20).passage, section_path=headings)


def test_a_heading_within_another_names_the_same_thing() -> None:
    late = under("6 Coursework", "6.1 Late coursework")
    assert headed_alike(late, under("Late coursework and late tokens"))
    assert headed_alike(under("Extension"), under("6.2 Extensions"))
    assert not headed_alike(late, under("Late return"))
    assert not headed_alike(under("6.1"), under("6.1")), "a number names nothing"
    assert not headed_alike(under(), under())


@pytest.mark.parametrize(
    ("first", "second", "same", "is_kept", "overridden"),
    [
        (hit("university", 20), hit("department", 100), always, False, ["university"]),
        (hit("fees", 20), hit("exams", 100), never, True, []),
        (hit("old", 20, 1), hit("new", 20, 12), always, False, []),
        (hit("new page", 50, 15), hit("department", 100), always, False, ["new page"]),
        (hit("talk", 20, stream=Stream.ACADEMIC), hit("department", 100), always, True, []),
    ],
)
def test_level_then_recency_order_what_speaks_to_the_same_and_is_not_academic(
    first: Hit, second: Hit, same: SpeaksToTheSame, *, is_kept: bool, overridden: list[str]
) -> None:
    ordered = organisational_order([first, second], same)
    assert ordered[0].passage == (first if is_kept else second).passage
    assert [e.passage.passage_id for e in ordered if e.overridden_by] == overridden


def test_a_group_stands_where_its_best_member_stood() -> None:
    def same(one: Passage, other: Passage) -> bool:
        return {one.passage_id, other.passage_id} <= {"university", "department"}

    hits = [hit("university", 20), hit("library", 20), hit("department", 100)]
    assert names(organisational_order(hits, same)) == ["department", "university", "library"]


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
