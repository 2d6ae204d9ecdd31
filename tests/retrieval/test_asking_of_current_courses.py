"""Which questions are about what somebody takes now."""

import pytest

from retrieval.search.query_understanding import AsksOfCurrent, asks_of_current


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
