"""English is told from other languages; what is in doubt counts as English."""

import json
from pathlib import Path

import pytest

from retrieval.language.identification import EnglishIdentifier

HEARD = Path(__file__).parents[2] / "bot" / "slack" / "heard" / "threads.jsonl"
is_english = EnglishIdentifier()


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
    assert not is_english(asked)


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
def test_what_is_in_doubt_is_english(asked: str) -> None:
    assert is_english(asked)


def test_nothing_that_people_said_in_english_is_taken_for_another_language() -> None:
    said = [str(json.loads(line)["said"]) for line in HEARD.read_text("utf-8").splitlines()]
    assert [each for each in said if not is_english(each)] == []
