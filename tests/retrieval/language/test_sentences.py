"""What a word is, where a sentence ends, and whether it is English."""

import json
from pathlib import Path

import pytest

from retrieval.language.sentences import asked_in_english, sentence_spans, written_in_english
from retrieval.language.words import lexemes, place_of, words_of


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


@pytest.mark.parametrize("term", ["crèche", "Creche", "creches"])
def test_a_term_is_found_whether_or_not_its_accents_are_typed(term: str) -> None:
    assert place_of(term, "Since 2024 the Crèche opens at 8.") == 15
    assert place_of(term, "The nursery opens at 8.") is None


def test_the_mark_of_a_note_does_not_hide_a_word_from_the_search() -> None:
    assert lexemes("Data Science¹") == lexemes("data science")


@pytest.mark.parametrize(
    "said",
    [
        "Anträge sind bis zum 1. März einzureichen.|Der Urlaub verfällt am 31. März des Jahres.",
        "Ab dem 3. Tag ist ein Attest vorzulegen.|Das gilt seit 2024.|Es kostet 2,50.|Ende.",
        "Poplatek se platí do 15. Března každého roku.|Potom je pozdě.",
        "The limit is 30.|Staff may ask for more.|It ends on 1.|March is another month.",
        "Apply by 3.|Tuesday.",
        "Fees: 20.|Zone: 3.|Rooms: 14.",
    ],
)
def test_behind_a_number_and_a_dot_an_english_sentence_ends_and_no_other(said: str) -> None:
    text = said.replace("|", " ")
    assert [text[start:end] for start, end in sentence_spans(text)] == said.split("|")


HEARD = Path(__file__).parents[2] / "bot" / "slack" / "heard" / "threads.jsonl"


@pytest.mark.parametrize(
    "asked",
    [
        "Wie lange kann ich einen Laptop ausleihen?",
        "wie viel urlaub",
        "¿Cuántos días de vacaciones tengo?",
        "cuantos dias tengo",
        "combien de jours de congé ai-je",
        "hoeveel vakantiedagen heb ik",
        "gdzie jest biblioteka",
        "сколько у меня дней отпуска",
        "假期有多长？",
        "休暇は何日ありますか",
        "كم عدد أيام الإجازة",
    ],
)
def test_another_language_is_told(asked: str) -> None:
    assert not asked_in_english(asked)


@pytest.mark.parametrize(
    "asked",
    [
        "how late may I hand in coursework",
        "hwo do i pay",
        "Urlaub?",
        "parking permit",
        "CS305 vs IS210",
        "what does Wissenschaftliche Hausarbeit mean",
        "does the café take cards, naïve question",
        "",
        "72 %",
    ],
)
def test_what_is_in_doubt_asked_in_english(asked: str) -> None:
    assert asked_in_english(asked)


@pytest.mark.parametrize(
    ("written", "is_ours"),
    [
        ("Wer also fünf Tage Urlaub will, muss also bis zum 1. März einen Antrag stellen.", False),
        ("Zone: Blau; Gebühr: 4 EUR", False),
        ("Le loyer est de 320 euros par mois.", False),
        ("पुस्तकालय सुबह 9 बजे से शाम 7 बजे तक खुला रहता है।", False),
        ("Ask Frau Müller in the Wissenschaftliche Bibliothek.", True),
        ("Zone: Blue; Fee: 4 EUR", True),
        ("Zürich; 14; 20", True),
        ("", True),
    ],
)
def test_what_a_document_is_written_in_is_told_by_more_than_two_words(
    written: str, is_ours: bool
) -> None:
    assert written_in_english(written) is is_ours


def test_nothing_that_people_said_in_english_is_taken_for_another_language() -> None:
    said = [str(json.loads(line)["said"]) for line in HEARD.read_text("utf-8").splitlines()]
    assert [each for each in said if not asked_in_english(each)] == []
