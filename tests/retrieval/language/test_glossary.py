"""An organisation writes down what people say for its words."""

from pathlib import Path

import pytest

from retrieval.errors import BadGlossary
from retrieval.language.glossary import load_glossary


def test_terms_have_one_word_or_several(tmp_path: Path) -> None:
    file = tmp_path / "glossary.yaml"
    file.write_text("paid time off: [PTO, days off]\ncoursework: hw\n")
    assert load_glossary(file).terms == {
        "paid time off": ("PTO", "days off"),
        "coursework": ("hw",),
    }


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
