"""Documents explain their abbreviations, and a glossary is proposed from them."""

import pytest
import yaml

from retrieval.language.glossary import as_yaml, long_forms


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("You have 20 days of paid time off (PTO).", "PTO", "paid time off"),
        ("See the Employee Assistance Program (EAP).", "EAP", "Employee Assistance Program"),
        ("A Freedom of Information Act (FOIA) request.", "FOIA", "Freedom of Information Act"),
        ("electronic and information technology (E&IT)", "E&IT", None),
        ("Leave. Individual development plan (IDP)", "IDP", "Individual development plan"),
    ],
)
def test_a_text_explains_an_abbreviation(text: str, short: str, long: str | None) -> None:
    assert list(long_forms(text)) == [(short, long or text.split(" (")[0])]


@pytest.mark.parametrize(
    "text",
    [
        "Call the desk (NASA) today.",
        "It costs 5 euros (see below), or more (CS201 only).",
        "Paid time off (pto)",
        "People of the organization may join (ON)",
        "(PTO)",
        "Time is paid. Off (PTO)",
        "the PTO policy of paid time (PTO)",
    ],
)
def test_what_stands_in_brackets_for_another_reason_explains_nothing(text: str) -> None:
    assert list(long_forms(text)) == []


@pytest.mark.parametrize("piece", ["word (AB) ", "a. (AB)", "word\n  (AB)", "a b c ", "(AB "])
def test_a_long_line_is_read_to_its_end(piece: str) -> None:
    """It takes a second; what was quadratic did not get there before the test was stopped."""
    assert list(long_forms(piece * 200_000)) == []


def test_white_space_between_a_sentence_and_its_brackets_is_no_bound() -> None:
    assert list(long_forms("It is on. Paid time off \n (PTO)")) == [("PTO", "Paid time off")]


def test_a_line_of_a_glossary_is_read_as_it_was_meant() -> None:
    for term in ("no", "a: b", "# x", "O'Hara's", "congé", "[x]", "2023"):
        assert yaml.safe_load(as_yaml(term, ("No", "a, b"))) == {term: ["No", "a, b"]}
