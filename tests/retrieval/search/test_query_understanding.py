"""A question is corrected by what its reader may read, and narrowed to what is current."""

from datetime import timedelta
from pathlib import Path

import pytest
from shelves import GUEST, TODAY, Shelves

from retrieval.language.glossary import Glossary
from retrieval.metadata.access import permits
from retrieval.search.query_understanding import (
    PlainWords,
    SpellingProposals,
    asks_of_current,
    beyond_doubt,
    replaced,
)
from retrieval.types import AccessRule, Evidence, Metadata, Scope, Stream

STAFF = Metadata(access=AccessRule((("departments", ("cs",)),)))
OF_STAFF = Scope({"departments": frozenset({"cs"})}, TODAY)
SPELLING = SpellingProposals()


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    return Shelves(tmp_path)


def plain(shelves: Shelves, text: str, scope: Scope = GUEST) -> str:
    return PlainWords(shelves.library, shelves.index, SPELLING)(text, scope)


def test_a_misspelt_word_becomes_one_of_the_documents(shelves: Shelves) -> None:
    shelves.add("it", "Passwords are reset at the desk.")
    assert plain(shelves, "i forgot my pasword, what now?") == "i forgot my password, what now?"


def test_what_stands_only_where_the_reader_may_not_read_corrects_nothing(shelves: Shelves) -> None:
    shelves.add("open", "Lunch is at noon.")
    shelves.add("staff", "A redundancy is announced in March.", metadata=STAFF)
    typed = "when is the redundncy announced"
    assert plain(shelves, typed) == typed
    assert plain(shelves, typed, OF_STAFF) == "when is the redundancy announced"


def test_a_word_that_only_others_know_is_corrected_as_if_they_knew_it_not(
    shelves: Shelves,
) -> None:
    """Else a word left alone would tell a guest that it stands in a document of the staff."""
    shelves.add("open", "Coupons are for lunch.")
    guest = plain(shelves, "what is a coupoon")
    shelves.add("staff", "Coupoon is the name of a secret plan.", metadata=STAFF)
    assert plain(shelves, "what is a coupoon") == guest == "what is a coupon"
    assert plain(shelves, "what is a coupoon", OF_STAFF) == "what is a coupoon"


def test_what_is_no_longer_valid_corrects_nothing(shelves: Shelves) -> None:
    over = AccessRule(valid_to=TODAY - timedelta(days=1))
    shelves.add("old", "A redundancy is announced.", metadata=Metadata(access=over))
    assert plain(shelves, "the redundncy") == "the redundncy"


def test_a_word_of_the_documents_stays_however_it_is_spelt(shelves: Shelves) -> None:
    shelves.add("tools", "Trello and Figmma are tools. A trellis holds roses.")
    assert plain(shelves, "can i use figmma and trello") == "can i use figmma and trello"


def test_two_words_that_may_be_meant_leave_it_as_it_was_typed(shelves: Shelves) -> None:
    shelves.add("pay", "Signing comes after singing.")
    assert plain(shelves, "when is sigining") == "when is signing"
    assert plain(shelves, "when is siging") == "when is siging"


def test_an_english_word_that_no_document_has_is_not_brought_in(shelves: Shelves) -> None:
    shelves.add("open", "Lunch is at noon.")
    assert plain(shelves, "where is the libary") == "where is the libary"


def test_a_pasted_list_of_unknown_words_is_looked_up_in_part(shelves: Shelves) -> None:
    shelves.add("it", "Passwords are reset.")
    pasted = " ".join(f"qzx{letter}vv" for letter in "abcdefghijklmnop")
    assert plain(shelves, f"{pasted} pasword") == f"{pasted} pasword"


PTO = Glossary({"paid time off": ("PTO", "days off"), "coursework": ("hw",)})


def in_terms(shelves: Shelves, text: str, scope: Scope = GUEST, glossary: Glossary = PTO) -> str:
    return PlainWords(shelves.library, shelves.index, SPELLING, glossary)(text, scope)


def test_what_people_say_has_the_documents_term_behind_it(shelves: Shelves) -> None:
    shelves.add("leave", "Paid time off is 20 days.", "Coursework is due at noon.")
    assert in_terms(shelves, "how much pto is there?") == "how much pto (paid time off) is there?"
    both = "hw or days  off, on my laptop"
    assert in_terms(shelves, both) == "hw (coursework) or days  off (paid time off), on my laptop"


@pytest.mark.parametrize(
    "typed", ["my laptop", "is PTO paid time off?", "ptos", "pto2", "off days", "days or off"]
)
def test_other_words_and_a_term_that_is_said_add_nothing(shelves: Shelves, typed: str) -> None:
    shelves.add("leave", "Paid time off is 20 days.")
    assert in_terms(shelves, typed) == typed


def test_a_term_that_stands_only_where_the_reader_may_not_read_is_not_told(
    shelves: Shelves,
) -> None:
    secret = Glossary({"project falcon": ("the move",)})
    shelves.add("open", "The falcon is a bird. No project is named here.")
    shelves.add("staff", "Project Falcon begins in May.", metadata=STAFF)
    typed = "when is the move"
    assert in_terms(shelves, typed, glossary=secret) == typed
    assert in_terms(shelves, typed, OF_STAFF, secret) == "when is the move (project falcon)"


def test_a_term_that_no_document_has_is_not_searched_for(shelves: Shelves) -> None:
    shelves.add("open", "Lunch is at noon.")
    assert in_terms(shelves, "pto") == "pto"


def test_an_abbreviation_that_is_an_english_word_counts_in_capitals_alone(
    shelves: Shelves,
) -> None:
    shelves.add("it", "Information Technology mends it. A corrective action plan follows.")
    words = Glossary({"information technology": ("IT",), "corrective action plan": ("CAP",)})
    for typed in ("how long does it take", "Is it late? It is", "at the pay cap"):
        assert in_terms(shelves, typed, glossary=words) == typed
    expected = "who is IT (information technology)"
    assert in_terms(shelves, "who is IT", glossary=words) == expected


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("pasword", "password"),
        ("laeve", "leave"),
        ("holdiay", "holiday"),
        ("reimbursment", "reimbursement"),
        ("attendence", "attendance"),
        ("oclock", "o'clock"),
    ],
)
def test_a_misspelt_word_proposes_the_word_that_was_meant(typed: str, meant: str) -> None:
    assert SPELLING.may_be_misspelt(f"where is my {typed}?") == [typed]
    assert next(iter(SPELLING.proposals(typed))) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "who is Jonh Smtih, and where is CS2O1",
        "mail jonh.smtih@exmaple.org or see www.exmaple.org/laeve and laeve.md",
        "#genreal and @jonhny said re-evalaution, it's o'haraa's",
        "does it except or accept unpaid leave, or paid",
        "whats due, I didnt and wasnt and couldnt",
        "hte 4/10s dont thru",
    ],
)
def test_names_codes_addresses_and_words_that_exist_are_never_misspelt(typed: str) -> None:
    assert SPELLING.may_be_misspelt(typed) == []


def test_the_first_and_the_last_letter_are_not_what_changes() -> None:
    assert "canvas" not in SPELLING.proposals("canva")
    assert "asana" not in SPELLING.proposals("sauna")


@pytest.mark.parametrize(
    ("proposals", "meant"),
    [
        ({"leave": 100, "lease": 1}, "leave"),
        ({"leave": 100, "lease": 90}, ""),
        ({"student": 100, "students": 90}, "student"),
        ({"unpaid": 100_000, "paid": 1}, ""),
        ({"paid": 100_000, "unpaid": 1}, ""),
        ({}, ""),
    ],
)
def test_what_may_be_another_word_or_its_opposite_is_in_doubt(
    proposals: dict[str, int], meant: str
) -> None:
    assert beyond_doubt(proposals) == meant


def test_a_word_is_replaced_where_it_stands_alone() -> None:
    typed = "my laeve, see laeve.md and re-laeve: laeve?"
    assert replaced(typed, {"laeve": "leave"}) == "my leave, see laeve.md and re-laeve: leave?"


NOW = {"courses": frozenset({"CS305"})}
ANA = Scope({"courses": frozenset({"CS101", "CS305"})}, TODAY, current=NOW)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("When is the exam in my current course?", True),
        ("what do my current modules have to hand in", True),
        (
            "Which books do the courses I\N{RIGHT SINGLE QUOTATION MARK}m taking use",
            True,
        ),
        ("Do courses that I am currently enrolled in have labs?", True),
        ("Who teaches my courses this semester?", True),
        ("Are there labs in this term's lectures?", True),
        ("What is due this semester?", False),
        ("When do exams of the current term begin?", False),
        ("What is the current fee for a re-evaluation?", False),
        ("When is the exam in my course?", False),
        ("Is a current account needed?", False),
        ("What did courses other than my current courses cover?", False),
        ("What changed in my current course since last semester?", False),
        ("Do my completed courses count this semester?", False),
        ("", False),
    ],
)
def test_a_question_is_about_what_is_current_by_its_form(question: str, *, asked: bool) -> None:
    assert asks_of_current(question) is asked


@pytest.fixture
def courses(tmp_path: Path) -> Shelves:
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
    courses: Shelves,
) -> None:
    assert files(courses.search("dogs in my current course", ANA)) == ["rules", "now"]


def test_completed_courses_are_found_as_ever_by_any_other_question(courses: Shelves) -> None:
    assert files(courses.search("dogs", ANA)) == ["old", "rules", "now"]


def test_a_part_of_a_question_that_is_about_no_current_course_finds_the_completed_one(
    courses: Shelves,
) -> None:
    asked = "dogs in my current course, and dogs in the first course"
    found = courses.search(asked, ANA, parts=["dogs in my current course", "dogs bark"])
    assert set(files(found)) == {"old", "rules", "now"}


@pytest.mark.parametrize("current", [{}, {"courses": frozenset[str]()}])
def test_where_nobody_knows_what_is_current_nothing_is_left_out(
    courses: Shelves, current: dict[str, frozenset[str]]
) -> None:
    unknown = Scope(ANA.facets, TODAY, current=current)
    assert files(courses.search("dogs in my current course", unknown)) == ["old", "rules", "now"]


@pytest.mark.parametrize("question", ["dogs in my current course", "dogs"])
def test_a_current_course_that_is_not_among_what_one_may_read_opens_nothing(
    courses: Shelves, question: str
) -> None:
    claimed = Scope(ANA.facets, TODAY, current={"courses": frozenset({"CS540"})})
    found = courses.search(question, claimed)
    assert found.candidates
    assert all(permits(hit.passage.document.metadata.access, ANA) for hit in found.candidates)
    assert "others" not in files(found)
