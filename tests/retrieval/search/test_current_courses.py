"""Which questions are about what somebody takes now, and what is found then."""

from pathlib import Path

import pytest
from shelves import TODAY, Shelves

from retrieval.metadata.access import permits
from retrieval.search.query_understanding import AsksOfCurrent, asks_of_current
from retrieval.types import AccessRule, Evidence, Metadata, Scope, Stream

NOW = {"courses": frozenset({"CS305"})}
ANA = Scope({"courses": frozenset({"CS101", "CS305"})}, TODAY, current=NOW)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("When is the exam in my current course?", AsksOfCurrent.ONLY),
        ("what do my current modules have to hand in", AsksOfCurrent.ONLY),
        (
            "Which books do the courses I\N{RIGHT SINGLE QUOTATION MARK}m taking use",
            AsksOfCurrent.ONLY,
        ),
        ("Do courses that I am currently enrolled in have labs?", AsksOfCurrent.ONLY),
        ("Who teaches my courses this semester?", AsksOfCurrent.ONLY),
        ("Are there labs in this term's lectures?", AsksOfCurrent.ONLY),
        ("What is due this semester?", AsksOfCurrent.FIRST),
        ("When do exams of the current term begin?", AsksOfCurrent.FIRST),
        ("What is the current fee for a re-evaluation?", AsksOfCurrent.NO),
        ("When is the exam in my course?", AsksOfCurrent.NO),
        ("Is a current account needed?", AsksOfCurrent.NO),
        ("What did courses other than my current courses cover?", AsksOfCurrent.NO),
        ("What changed in my current course since last semester?", AsksOfCurrent.NO),
        ("Do my completed courses count this semester?", AsksOfCurrent.NO),
        ("", AsksOfCurrent.NO),
    ],
)
def test_a_question_is_about_what_is_current_by_its_form(
    question: str, asked: AsksOfCurrent
) -> None:
    assert asks_of_current(question) is asked


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    made = Shelves(tmp_path)
    made.add("old", "Dogs bark in the first course, 0.95.", metadata=_of("CS101"))
    made.add("now", "Dogs bark in the third course, 0.8.", metadata=_of("CS305"))
    made.add("rules", "Dogs bark in no course, 0.9.", metadata=Metadata(stream=Stream.ACADEMIC))
    made.add("others", "Dogs bark elsewhere, 0.99.", metadata=_of("CS540"))
    return made


def _of(course: str) -> Metadata:
    return Metadata(stream=Stream.ACADEMIC, access=AccessRule((("courses", (course,)),)))


def files(evidence: Evidence) -> list[str]:
    return [hit.passage.passage_id.removesuffix("-0") for hit in evidence.hits]


def test_who_asks_about_their_current_course_hears_nothing_of_a_completed_one(
    shelves: Shelves,
) -> None:
    assert files(shelves.search("dogs in my current course", ANA)) == ["now", "rules"]


def test_who_asks_about_this_semester_hears_of_its_courses_first(shelves: Shelves) -> None:
    assert files(shelves.search("dogs this semester", ANA)) == ["now", "old", "rules"]


def test_completed_courses_are_found_as_ever_by_any_other_question(shelves: Shelves) -> None:
    assert files(shelves.search("dogs", ANA)) == ["old", "rules", "now"]


def test_a_part_of_a_question_that_is_about_no_current_course_finds_the_completed_one(
    shelves: Shelves,
) -> None:
    asked = "dogs in my current course, and dogs in the first course"
    found = shelves.search(asked, ANA, parts=["dogs in my current course", "dogs bark"])
    assert set(files(found)) == {"old", "rules", "now"}


@pytest.mark.parametrize("current", [{}, {"courses": frozenset[str]()}])
def test_where_nobody_knows_what_is_current_nothing_is_left_out(
    shelves: Shelves, current: dict[str, frozenset[str]]
) -> None:
    unknown = Scope(ANA.facets, TODAY, current=current)
    assert files(shelves.search("dogs in my current course", unknown)) == ["old", "rules", "now"]


def test_what_is_hardly_relevant_is_not_put_first_for_being_current(shelves: Shelves) -> None:
    shelves.add("hardly", "Dogs, 0.1.", metadata=_of("CS305"))
    candidates = shelves.search("dogs this semester", ANA).candidates
    assert [hit.passage.passage_id for hit in candidates][-1] == "hardly-0"


@pytest.mark.parametrize("question", ["dogs in my current course", "dogs this semester", "dogs"])
def test_a_current_course_that_is_not_among_what_one_may_read_opens_nothing(
    shelves: Shelves, question: str
) -> None:
    claimed = Scope(ANA.facets, TODAY, current={"courses": frozenset({"CS540"})})
    found = shelves.search(question, claimed)
    assert found.candidates
    assert all(permits(hit.passage.document.metadata.access, ANA) for hit in found.candidates)
    assert "others" not in files(found)
