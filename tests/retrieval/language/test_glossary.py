"""What people say for an organisation's words, as it writes it down and as documents explain it."""

from pathlib import Path

import pytest
import yaml

from retrieval.errors import BadGlossary
from retrieval.language.glossary import as_yaml, load_glossary, long_forms


def test_terms_have_one_word_or_several(tmp_path: Path) -> None:
    file = tmp_path / "glossary.yaml"
    file.write_text("paid time off: [PTO, days off]\ncoursework: hw\n")
    assert load_glossary(file).terms == {
        "paid time off": ("PTO", "days off"),
        "coursework": ("hw",),
    }


def test_both_spellings_of_a_word_may_stand_there(tmp_path: Path) -> None:
    file = tmp_path / "glossary.yaml"
    file.write_text("crèche: [creche, nursery]\n")
    assert load_glossary(file).terms == {"crèche": ("creche", "nursery")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "needs lines such as"),
        ("- PTO", "needs lines such as"),
        ("leave: [PTO", "expected"),
        ("leave: PTO\nleave: holiday", "the key leave stands twice"),
        ("leave: PTO\nLeave: holiday", "'Leave' twice, under 'leave' and 'Leave'"),
        ("leave: PTO\nholiday: [pto]", "'pto' twice, under 'leave' and 'holiday'"),
        ("leave: [leave]", "'leave' twice"),
        ("leave:", "leave: None is not a value"),
        ("leave: {of: absence}", "is not a value"),
        ("leave: no", "put it in quotes"),
        ("leave: '?!'", "has no words"),
    ],
)
def test_what_cannot_be_meant_is_named_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "glossary.yaml"
    file.write_text(text)
    with pytest.raises(BadGlossary) as refused:
        load_glossary(file)
    assert said in str(refused.value)
    assert str(file) in str(refused.value)


def test_a_glossary_that_is_not_there_or_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe")
    for name in ("none.yaml", "bytes.yaml"):
        with pytest.raises(BadGlossary, match=name):
            load_glossary(tmp_path / name)


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
