"""What people say around a question, and what is left of it."""

import pytest

from retrieval.language.chatter import without_chatter

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
        "how late may I hand in *coursework*?",
        "_how late_ may I hand in `coursework`?",
        f"Thanks, that helps. {ASKED}?",
        f"Dear Vouch, I hope this message finds you well. {ASKED}? Kind regards, Ana",
        f"Dear all,\n{ASKED}?\n\nWith best wishes,\n",
        f"{ASKED}? Cheers, Ana",
        f"{ASKED}, thanks Ana?",
        f"hi! sorry to bother you, I was wondering whether you could possibly tell me {ASKED}? "
        "cheers :)",
        f"I wonder if anyone happens to know {ASKED}?",
        f"I'd like to ask if someone here could kindly tell me {ASKED}?",
        f"could you possibly please tell me {ASKED}?",
        f"does anyone happen to know {ASKED}?",
        f"would you happen to know {ASKED}?",
        f"is there any chance you know {ASKED}?",
        f"Any chance that somebody could tell me {ASKED}?",
        f"Hi. {ASKED}?\nKind regards,\nAna Silva-Costa",
        f"hi, my name is Ana. {ASKED}? Best, Ana",
        f"My name is Zoë O'Brien Díaz and I was wondering {ASKED}?\nAll the best,\nZoë O'Brien\n",
        f"I have a small question about the coursework: {ASKED}? thanks",
        f"Quick question about coursework: {ASKED}?\nBest,",
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
        "my name is wrong. whom do I tell",
        "My name is Ana and on my card it is Anna, whom do I tell",
        "my name is Ana. how do I change it on my card?",
        "my name is Ana and I am Anna on my card, who spells it right?",
        "is there any chance of a refund",
        "I am Indian. do I need a visa?",
        "is there any chance you know the pass mark",
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


@pytest.mark.parametrize(
    "left",
    [
        "about the MSc: what is the pass mark?",
        "about coursework: how late may I hand it in?",
        "about leave: is leave paid?",
        "about how much leave a teacher of French gets: what is leave?",
    ],
)
def test_the_topic_of_a_question_stays_unless_the_question_names_it_too(left: str) -> None:
    assert without_chatter(f"Hi! I have a question {left}") == left


def test_a_long_run_of_chatter_is_read_to_its_end() -> None:
    """What was quadratic did not get there before the test was stopped."""
    words = ("hi ", "thanks ", "sorry if this a ", ": ", "*a", "quick question ", "my name is Ana ")
    further = (
        "Ana ",
        "\n",
        ",\n",
        "best, ",
        "a question about a ",
        "any chance you know ",
        "possibly ",
    )
    for word in words + further:
        without_chatter(word * (40_000 // len(word)))
        without_chatter(f"my name is {word * (40_000 // len(word))}and what")
        without_chatter(f"a question about {word * (40_000 // len(word))}: what")
