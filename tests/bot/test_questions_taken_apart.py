"""How a question is cut into parts, and how a follow-up is made to stand alone."""

import pytest

from bot.answering.followups import standalone
from bot.answering.parts import parts_of


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("how much annual leave do I get", ("how much annual leave do I get",)),
        (
            "how do I get a mural license and what does it cost",
            ("how do I get a mural license", "what does it cost"),
        ),
        (
            "Who runs the research guild? When does it meet?",
            ("Who runs the research guild?", "When does it meet?"),
        ),
        (
            "my rent and food allowance, how high is it",
            ("my rent and food allowance, how high is it",),
        ),
        (
            "I work on sundays. is that paid extra and who approves it",
            ("I work on sundays. is that paid extra", "who approves it"),
        ),
        ("can I bring my dog and why", ("can I bring my dog and why",)),
    ],
)
def test_a_question_is_cut_where_it_asks_again(question: str, parts: tuple[str, ...]) -> None:
    assert parts_of(question) == parts


def test_nothing_of_a_question_is_lost_to_the_cutting() -> None:
    question = "when is it due, how do I hand it in, and what if I am late"
    words = {word.strip(",?") for word in question.split()} - {"and"}
    assert words <= {word.strip(",?") for part in parts_of(question) for word in part.split()}


def test_a_followup_that_leans_brings_the_earlier_question() -> None:
    assert standalone("how much notice do they want", ("how do I get live captions",)) == (
        "how do I get live captions: how much notice do they want"
    )


def test_a_short_followup_brings_the_earlier_question() -> None:
    assert standalone("for term folks?", ("can I get advanced sick leave?",)) == (
        "can I get advanced sick leave: for term folks?"
    )


def test_a_new_topic_is_not_dragged_back() -> None:
    for question in ("where can I print posters in colour", "when is my timesheet due?"):
        assert standalone(question, ("how much annual leave do I get",)) == question


def test_the_subject_is_the_nearest_question_that_stands_alone() -> None:
    earlier = ("how do I book the large lecture hall", "who pays for it")
    assert standalone("and on weekends?", earlier).startswith(
        "how do I book the large lecture hall"
    )
