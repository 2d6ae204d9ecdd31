"""How a question is cut into parts, and how a follow-up is made to stand alone."""

import pytest
from answering_values import evidence, passage

from bot.answering.followups import (
    asked_on,
    corrected,
    goes_on,
    recalled,
    standalone,
    with_what_it_adds,
    with_what_it_asks,
)
from retrieval.language.meanings import Meaning, Meanings
from retrieval.language.questions import parts_of, things_compared
from retrieval.models.embedders import BundledEmbedder


@pytest.mark.parametrize(
    "question",
    [
        "how much annual leave do I get",
        "how do I get a mural license| and |what does it cost",
        "Who runs the research guild?| |When does it meet?",
        "my rent and food allowance, how high is it",
        "I work on sundays. is that paid extra| and |who approves it",
        "can I bring my dog and why",
        "does my account carry on next year or do I have to sign up again",
        "where do I hand in the form| or |who can I send it to",
        "How late may I hand in coursework|, |what does a parking permit cost?",
        "who do I ask|, |how long does it take| and |is it free",
        "extra time for dyslexia, how much| and |by when",
        "extra time for dyslexia: how much|, and |by when?",
        "can you tell me: how much is a permit",
        "how late can I hand in, when I am ill",
        "what if I lose my card, how do I get in",
        "can my partner, who is ill, have the reduced pass",
        "|• |how long is leave| • |who approves it?| • |can I carry it over",
        "|1. |how long is leave| 2) |what about interns| - |when is payday",
        "two things about parking: - who may park here| - |what does it cost?",
        "is there a semi - or two - when it ends",
    ],
)
def test_a_question_is_cut_where_it_asks_again(question: str) -> None:
    """What stands between two bars is left out."""
    asked = question.split("|")
    parts = asked[2::2] if question.startswith("|") else asked[::2]
    assert parts_of(question.replace("|", "")) == tuple(parts)


def test_nothing_of_a_question_is_lost_to_the_cutting() -> None:
    question = "when is it due, how do I hand it in, and what if I am late"
    words = {word.strip(",?") for word in question.split()} - {"and"}
    assert words <= {word.strip(",?") for part in parts_of(question) for word in part.split()}


@pytest.mark.parametrize(
    ("previous", "subject"),
    [
        (("what are warning signs in a proposal?", "great list, thanks"), 0),
        (("how do I get live captions?", "found the form", "ok"), 0),
        (("how do I get live captions?", "thanks. and where is room 5"), 1),
        (("how do I get live captions?", "how much notice do they want?"), 0),
        (("my trip has a rental car approved",), 0),
        (("who is on that mailing list?", "great, we're on it so that should work"), 0),
        (("how do I book the large lecture hall", "who pays for it"), 0),
        (("do i need approval for a private repo", "will ask them"), 0),
        (("do i need approval for a private repo", "should be enough, thanks"), 0),
    ],
)
def test_what_a_followup_leans_on_is_a_question_and_no_thanks(
    previous: tuple[str, ...], subject: int
) -> None:
    brought = previous[subject].rstrip("?")
    assert standalone("what about them?", previous) == f"{brought}: what about them?"


@pytest.mark.parametrize(
    "question",
    [
        "how long?",
        "why not?",
        "what about A3?",
        "and for master's students?",
        "who pays for it",
        "is it paid?",
        "when do they decide?",
        "does that rule still hold?",
        "is that allowed",
        "how long does it take?",
        "can I extend this deadline?",
        "until when?",
        "should I take the extra form they offer",
        "same for public holidays?",
        "I have two jobs, does that count?",
        "the deadline, when is it?",
        "how much notice do they want",
        "and who pays for that?",
        "so what about parking at the airport?",
    ],
)
def test_what_leans_by_its_form_brings_the_earlier_question(question: str) -> None:
    earlier = "how do I appeal a mark"
    assert standalone(question, (earlier,)) == f"{earlier}: {question}"


@pytest.mark.parametrize(
    "question",
    [
        "where can I print posters in colour",
        "when is my timesheet due?",
        "pizza?",
        "a" * 60,
        "Wie lange kann ich einen Laptop ausleihen?",
        "假期有多长？",
        "How much does it cost to print in colour?",
        "how long does it take to get a transcript",
        "is it possible to defer an exam by a year?",
        "is there a dress code",
        "can students see their marks online",
        "which documents do I need that prove my address",
        "when does term start this year?",
        "How late may I hand in coursework, and what does it cost me?",
        "Who runs the research guild? When does it meet?",
        "a student got 49, do we bump them up",
        "I lost my student card, how do I get a new one?",
        "who signs the form for my supervisor if she is away",
        "if students fail an exam can they repeat it",
        "can two exams be on the same day",
        "in which room is the exam?",
        "And how often are the lifts inspected?",
        "so who pays for parking at the airport?",
        "does it rain tomorrow",
        "is it going to be sunny on Friday?",
        "what time is it?",
        "a",
        "ok",
    ],
)
def test_a_new_topic_is_not_dragged_back(question: str) -> None:
    assert standalone(question, ("how much annual leave do I get",)) == question


def hits_left(question: str, *texts: str) -> list[str]:
    found = evidence(*(passage(f"p{n}", text) for n, text in enumerate(texts)))
    left = with_what_it_adds(found, question, ("how much leave do I get",))
    assert any(part.covered for part in left.parts) is bool(left.hits)
    return [hit.passage.text for hit in left.hits]


def test_what_a_continuation_changes_must_be_in_the_evidence() -> None:
    staff, both = "Staff get 20 days.", "Staff get 20 days, contractors 10."
    assert hits_left("and for contractors?", staff, both) == [both]
    assert hits_left("what about a contractor?", staff, both) == [both]
    assert hits_left("and for pilots?", staff, both) == []
    assert hits_left("how much does it cost?", staff, both) == [staff, both]
    assert hits_left("do contractors get it too?", staff, both) == [staff, both]


def test_what_is_found_with_the_question_before_must_speak_of_what_is_asked_now() -> None:
    found = evidence(passage("p", "Supervisors get half of their insurance back."))
    assert not with_what_it_asks(found, "what is the dress code?").hits
    assert not with_what_it_asks(found, "can I bring my dog to the office?").hits
    assert not with_what_it_asks(found, "my insurance card is lost, who helps").hits
    assert with_what_it_asks(found, "do the supervisors have to ask?") == found
    assert with_what_it_asks(found, "do I get it back in halves?") == found


def test_what_says_nothing_is_nothing_to_go_on_from() -> None:
    assert standalone("no", ("yes",)) == "no"
    assert standalone("how long?", ("yes", "ok, thanks")) == "how long?"
    assert standalone("so how?", ("parental leave", "yes")) == "parental leave: so how?"


TOPIC = "do I get a free late day for coursework?"


def test_the_topic_stays_through_any_number_of_follow_ups() -> None:
    talk = (TOPIC, "and for a resit?", "what about weekends?", "is there a form?", "who signs it?")
    for previous in (talk[:n] for n in range(1, 6)):
        asked = standalone("how about group work", previous)
        assert asked == f"{TOPIC[:-1]}: how about group work"
    another = "where can I print posters in colour?"
    assert standalone("how about A3", (TOPIC, another)) == f"{another[:-1]}: how about A3"
    long = (TOPIC, *(f"and for case {number}?" for number in range(50)))
    assert standalone("why?", recalled(long)) == f"{TOPIC[:-1]}: why?"
    assert recalled(long)[1:] == long[-19:]
    assert recalled(talk) == talk


@pytest.mark.parametrize(
    ("said", "only"),
    [
        *((each, True) for each in ("and then?", "And?", "so?", "so", "why?", "and then...")),
        *((each, False) for each in ("so what", "and you?", "then", "ok", "no", "?", "")),
        ("and so on", False),
    ],
)
def test_what_only_asks_on_is_told_from_all_else(said: str, *, only: bool) -> None:
    assert goes_on(said) is only


def test_what_says_nothing_of_its_own_asks_the_last_question_on() -> None:
    talk = (TOPIC, "and for a resit?", "thanks")
    assert asked_on("so?", talk) == ("and for a resit?", (TOPIC,))
    assert asked_on("so?", ("my laptop is gone", "ok")) == ("my laptop is gone", ())
    assert asked_on("why?", talk) == ("why?", talk)
    assert asked_on("so?", ()) == ("so?", ())


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("What is the difference between sick leave and parental leave?", ("sick", "parental")),
        ("static vs. dynamic scanning, whats the diff", ("static scanning", "dynamic scanning")),
        ("How does an MVP differ from a prototype?", ("an MVP", "a prototype")),
        ("differences between database and file share backups", ("database backups", "file share")),
    ],
)
def test_where_a_difference_is_asked_each_of_the_two_is_searched_for(
    question: str, things: tuple[str, str]
) -> None:
    found = things_compared(question)
    assert len(found) == 2
    assert all(each.startswith(thing) for each, thing in zip(found, things, strict=True))


@pytest.mark.parametrize(
    "question",
    [
        "how long is the break between the first and the second interview?",
        "My build and a colleague's differ a lot, is that odd?",
        "Can I work from a different office on Mondays and Fridays?",
        "what makes the difference when I apply?",
        "Does rebase vs merge matter here?",
        "who decides between two different changes and when?",
    ],
)
def test_what_only_speaks_of_differences_is_asked_as_it_stands(question: str) -> None:
    assert things_compared(question) == ()


@pytest.mark.parametrize(
    ("asked", "correction", "mended"),
    [
        (
            "When is the library open on Monday?",
            "typo, I meant Sunday",
            "When is the library open on Sunday",
        ),
        ("How many computers are in C2.20?", "no, C2.21", "How many computers are in C2.21"),
        ("What is the deposit for a bike?", "*scooter", "What is the deposit for scooter"),
        ("Fees?", "I meant fines", "fines"),
        (
            "leave on a full-time contract",
            "I meant the part-time contract",
            "leave on the part-time contract",
        ),
    ],
)
def test_what_a_correction_says_stands_in_place_of_what_was_not_meant(
    asked: str, correction: str, mended: str
) -> None:
    embedder = BundledEmbedder()
    meanings = Meanings(embedder)

    def corrects(line: str) -> bool:
        return meanings(line).meaning is Meaning.CORRECTION

    assert corrected(correction, (asked,), embedder.embed, corrects) == mended


def test_a_very_long_question_is_corrected_as_it_is() -> None:
    asked, embed = "when is it open " * 20, BundledEmbedder().embed
    mended = corrected("I meant closed", (asked,), embed, lambda _: True)
    assert mended == f"{asked.strip()}: I meant closed"
