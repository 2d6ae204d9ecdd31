"""What people say around a question, and what is left of it."""

import pytest

from retrieval.language.questions import without_chatter

ASKED = "how late may I hand in coursework"


@pytest.mark.parametrize(
    "typed",
    [
        f"Hi there! Hope you're well :) {ASKED}? Thanks so much in advance 🙏",
        f"hey all, could someone please tell me {ASKED}? cheers!",
        f"Hello Vouch :wave: quick question - {ASKED}?",
        f"quick q, {ASKED}?",
        f"Good morning team,\n{ASKED}?\nMany thanks, Ana",
        f"Sorry to bother you, do you know {ASKED}, please?",
        f"I'm new here. Sorry if this has been asked before. {ASKED} :thinking_face:?",
        f"not sure if this is the right channel but {ASKED}?",
        f"sorry for the silly question: {ASKED}?",
        f"Dear Sir or Madam, could you explain to me {ASKED}?",
        "how late may I hand in *coursework*?",
        "_how late_ may I hand in `coursework`?",
        f"Thanks, that helps. {ASKED}?",
        f"Dear Vouch, I hope this message finds you well. {ASKED}? Kind regards, Ana",
        f"Dear all,\n{ASKED}?\n\nWith best wishes,\n",
        f"{ASKED}? Cheers, Ana",
        f"{ASKED}, thanks Ana?",
        f"could you possibly please tell me {ASKED}?",
        f"does anyone happen to know {ASKED}?",
        f"would you happen to know {ASKED}?",
    ],
)
def test_what_is_asked_is_found_in_what_is_typed(typed: str) -> None:
    assert without_chatter(typed) == f"{ASKED}?"


@pytest.mark.parametrize(
    "typed",
    [
        "and for contractors?",
        "hi-vis vests: who pays for them?",
        "tell me about parking",
        "laptop came early. is it ok to turn it on?",
        "does file_name_of_thesis.pdf matter",
        "what is 5*3*2",
        "is the desk open at 10:30:00?",
        "how do I say thanks?",
        "who signs letters with kind regards?",
        "by Monday please Ana",
        "my name is spelt wrong on my card, whom do I tell",
        "is there any chance of a refund",
        "I am Indian. do I need a visa?",
        "if anyone knows how I voted, is it void?",
        "would you know a good dentist",
        "about attendance: what is the minimum attendance?",
        "Best, worst and average mark?",
        "best mark so far?",
        "who answers a question about leave: HR?",
        "I work on sundays. is that paid extra",
        "thanks",
        "",
        "假期有多长？",
    ],
)
def test_what_belongs_to_the_question_stays(typed: str) -> None:
    assert without_chatter(typed) == typed


def test_a_long_run_of_chatter_is_read_to_its_end() -> None:
    """What was quadratic did not get there before the test was stopped."""
    words = ("hi ", "thanks ", "sorry if this a ", ": ", "*a", "quick question ", "my name is Ana ")
    further = (
        "Ana ",
        "\n",
        ",\n",
        "best, ",
        "possibly ",
    )
    for word in words + further:
        without_chatter(word * (40_000 // len(word)))
