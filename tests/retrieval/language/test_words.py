"""What counts as a word of a text, and what is kept of it for the search."""

import pytest

from retrieval.language.words import lexemes, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Data Science¹", ["data", "science"]),
        ("fee², 20 days³", ["fee", "20", "days"]),
        ("m² and 10³", ["m²", "and", "10³"]),
        ("Crèche, naïve Übung", ["creche", "naive", "ubung"]),
    ],
)
def test_words_have_no_accents_and_no_mark_of_a_note_but_exponents(
    text: str, words: list[str]
) -> None:
    assert words_of(text) == words


def test_the_mark_of_a_note_does_not_hide_a_word_from_the_search() -> None:
    assert lexemes("Data Science¹") == lexemes("data science")
