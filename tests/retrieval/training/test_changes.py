"""What a true sentence becomes when a rule makes it untrue, and when it only rewords it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.training.changes.editing import Stock, stock_of
from retrieval.training.changes.falsifying import CHANGES
from retrieval.training.changes.rewording import (
    FORMS,
    UNSEEN_FORMS,
    invented_connection,
    is_fact,
    reversed_cause,
    reworded,
    true_join,
)

STOCK = stock_of(
    [
        "Send it to Ada Lovelace or to the Payroll team, unless the office is closed.",
        "The forms lie with Grace Hopper and the Facilities desk in Lisbon.",
    ]
)
WORDS = st.sampled_from(
    [
        "14", "1,500", "two", "first", "3rd", "9am", "17:30", "2021", "May 3", "Monday", "Q2",
        "2021-05-13", "weekly", "half", "$40", "7.5%", "ninety", "if", "unless", "only", "not",
        "don't", "never", "all", "some", "must", "may", "Lisbon", "Ada Lovelace", "manager",
        "because", "so", "the", "We", "is", "can", "cannot", "uses", ",", ".", "?", "\u2028",
        "(", "$", "\\1", "{a}", "{", "May", "zero", "00:59", "0", "99999999999999999999",
    ]
)  # fmt: skip
SENTENCES = st.lists(WORDS | st.text(max_size=6), max_size=14).map(" ".join)
DICE = st.integers(0, 2**32)
STOCKS = st.sampled_from([STOCK, Stock()])


def variants(kind: str, sentence: str, stock: Stock = STOCK) -> set[str]:
    """All that a change makes of a sentence within many throws."""
    made = {CHANGES[kind](sentence, Random(n), stock) for n in range(200)}
    return {each for each in made if each is not None}


@given(SENTENCES, DICE, st.sampled_from(sorted(CHANGES)), STOCKS)
def test_a_change_of_anything_is_another_text_or_none_and_repeats(
    sentence: str, seed: int, kind: str, stock: Stock
) -> None:
    changed = CHANGES[kind](sentence, Random(seed), stock)
    assert changed != sentence
    assert changed == CHANGES[kind](sentence, Random(seed), stock)


@given(SENTENCES, DICE)
def test_a_rewording_of_anything_is_another_text_or_none_and_repeats(
    sentence: str, seed: int
) -> None:
    changed = reworded(sentence, Random(seed))
    assert changed != sentence
    assert changed == reworded(sentence, Random(seed))


@given(SENTENCES, SENTENCES, DICE)
def test_joining_anything_holds_both_or_is_none(first: str, second: str, seed: int) -> None:
    for join in (invented_connection, true_join):
        joined = join(first, second, Random(seed))
        assert (joined is None) == (first == second or not (is_fact(first) and is_fact(second)))


@given(st.integers(2, 10**6), DICE)
def test_a_number_in_digits_becomes_another_number(number: int, seed: int) -> None:
    for written in (str(number), f"{number:,}"):
        changed = CHANGES["number"](f"It takes {written} pages", Random(seed), STOCK)
        if 1900 <= number <= 2099 and "," not in written:
            assert changed is None, "that is a year, and another class"
        else:
            assert changed is not None
            _, value, _ = changed.removeprefix("It ").split(" ")
            assert int(value.replace(",", "")) not in (number, 0)


@pytest.mark.parametrize(
    ("kind", "sentence", "one_of"),
    [
        ("number", "Leave takes two weeks.", "Leave takes three weeks."),
        ("number", "Leave takes 14 days.", "Leave takes 41 days."),
        ("number", "Leave takes 14 days.", "Leave takes 14 weeks."),
        ("number", "Open from 9am.", "Open from 9pm."),
        ("number", "Open from 09:30.", "Open from 10:30."),
        ("number", "On the first day.", "On the second day."),
        ("number", "It costs $40 and more.", "It costs $80 and more."),
        ("date", "Due on 3 May.", "Due on 3 June."),
        ("date", "It was so in 2021.", "It was so in 2022."),
        ("date", "Closed on Mondays.", "Closed on Fridays."),
        ("date", "We meet weekly.", "We meet monthly."),
        ("name", "Ask Ada Lovelace for it.", "Ask Grace Hopper for it."),
        ("name", "Your manager signs.", "Your director signs."),
        ("condition", "If you are ill, call us.", "Call us."),
        ("condition", "Call us at home unless you are ill.", "Call us at home."),
        ("condition", "It takes at least a day.", "It takes at most a day."),
        ("condition", "Pay before you go.", "Pay after you go."),
        ("condition", "It is free.", "It is free unless the office is closed."),
        ("quantifier", "Some teams do.", "All teams do."),
        ("quantifier", "You may go.", "You must go."),
        ("quantifier", "You must go.", "You need not go."),
        ("negation", "You can go.", "You cannot go."),
        ("negation", "You must not go.", "You must go."),
        ("negation", "Don't send it.", "Send it."),
        ("negation", "Send it by post.", "Do not send it by post."),
        ("negation", "It includes meals.", "It does not include meals."),
    ],
)  # fmt: skip
def test_a_sentence_can_be_changed_so(kind: str, sentence: str, one_of: str) -> None:
    assert one_of in variants(kind, sentence)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        *((kind, "It rains a lot here.") for kind in ("number", "date", "name")),
        ("number", "2. Ask the desk."),
    ],
)
def test_a_sentence_that_has_nothing_of_the_kind_is_left_alone(kind: str, sentence: str) -> None:
    assert not variants(kind, sentence)


def test_all_never_becomes_some_which_would_be_true_as_well() -> None:
    assert "Some teams do." not in variants("quantifier", "All teams do.")
    assert "Few teams do." in variants("quantifier", "All teams do.")


def test_two_facts_are_joined_by_what_nobody_said() -> None:
    first, second = "The office opens at nine.", "The canteen has two doors."
    made = {invented_connection(first, second, Random(n)) for n in range(200)}
    assert "The office opens at nine, because the canteen has two doors." in made
    assert "Because the canteen has two doors, the office opens at nine." in made
    unseen = {invented_connection(first, second, Random(n), UNSEEN_FORMS) for n in range(200)}
    assert not made & unseen
    true = {true_join(first, second, Random(n)) for n in range(200)}
    assert "The office opens at nine, and the canteen has two doors." in true
    assert not made & true
    assert len(made) == len(FORMS)


def test_questions_and_orders_are_no_facts_to_join() -> None:
    fact = "The office opens at nine."
    for other in ("Is the canteen open now?", "Send the form to the office.", "Doors: two.", fact):
        assert invented_connection(fact, other, Random(1)) is None


def test_a_stated_cause_is_turned_round() -> None:
    stated = "The office is closed because the heating is broken."
    assert reversed_cause(stated) == "The heating is broken because the office is closed."
    assert reversed_cause("The office is closed.") is None
    made = {reworded(stated, Random(n)) for n in range(300)}
    assert "Because the heating is broken, the office is closed." in made
    assert "The office is closed." in made
    assert reversed_cause(stated) not in made


@pytest.mark.parametrize(
    ("sentence", "one_of"),
    [
        ("You don't pay 14 euros.", "You do not pay 14 euros."),
        ("You don't pay 14 euros.", "You don't pay fourteen euros."),
        ("Members have to sign.", "Members must sign."),
        ("If you are ill, call us today.", "Call us today if you are ill."),
        ("Please note that the office is closed.", "The office is closed."),
        ("The office opens at nine, and the canteen opens at noon.", "The office opens at nine."),
        ("You pay 5%.", "You pay 5 percent."),
    ],
)
def test_a_true_sentence_can_be_said_so(sentence: str, one_of: str) -> None:
    assert one_of in {reworded(sentence, Random(n)) for n in range(300)}


def test_half_of_a_conditional_sentence_is_not_taken_for_true() -> None:
    sentence = "You may stay if you are ill, and the desk will send you a form."
    assert "You may stay if you are ill." not in {reworded(sentence, Random(n)) for n in range(300)}
