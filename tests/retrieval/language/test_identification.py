"""English is told from other languages; what is in doubt counts as English."""

import json
from pathlib import Path

import pytest

from retrieval.language.sentences import asked_in_english, written_in_english

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
