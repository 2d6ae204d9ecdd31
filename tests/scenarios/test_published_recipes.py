"""Somebody sets published systems beside ours, on their own documents."""

import json
from pathlib import Path
from typing import Any

import pytest
from vouch_home import Home, write

DOCS = {
    "cards.md": "---\nstream: non-academic\n---\n# Cards\n\n"
    "The fee for a lost student card is twenty euros.\n\n# Parking\n\n"
    "Parking is free on Sundays and on public holidays.",
    "trees.md": "---\nstream: academic\nsubtype: lecture notes\n---\n# Trees\n\n"
    "A B-tree is a balanced search tree.\n\n# Hashing\n\nA hash table finds a key at once.",
    "staff/leave.md": "---\naudience: {programmes: [staff]}\n---\n\n"
    "Staff may carry over five days of leave.",
}
ASKED = (
    ("q-1", "what is the fee for a lost student card?", "answerable", "cards.md", 6),
    ("q-2", "how many days of leave may staff carry over?", "restricted", "", 0),
)


@pytest.fixture(scope="module")
def measured(shared_home: Home) -> Home:
    shared_home.people({"id": "ana", "programmes": ["bsc"]})
    write(shared_home.path.parent / "docs", DOCS)
    lines = [
        json.dumps(
            {
                "id": name,
                "question": text,
                "kind": kind,
                "gold": [{"file": file, "line_start": line, "line_end": line}] if file else [],
                "as": "ana",
                "forbidden": [] if file else ["staff/leave.md"],
                "split": "test",
            }
        )
        for name, text, kind, file, line in ASKED
    ]
    write(shared_home.path.parent, {"questions.jsonl": "".join(f"{line}\n" for line in lines)})
    return shared_home


def outcomes(home: Home, recipe: str, out: Path) -> list[dict[str, Any]]:
    folder = home.path.parent
    asked = (folder / "questions.jsonl", "--docs", folder / "docs", "--json", out)
    home.does("evaluate", *asked, "--recipe", recipe)
    return list(json.loads(out.read_text())["recipes"][recipe]["questions"])


@pytest.mark.parametrize("recipe", ["university", "accountable"])
def test_a_published_recipe_answers_without_a_language_model_and_shows_nobody_what_is_not_theirs(
    measured: Home, tmp_path: Path, recipe: str
) -> None:
    card, leave = outcomes(measured, recipe, tmp_path / "out.json")
    assert card["decision"] == "ANSWER"
    assert "twenty euros" in card["text"]
    assert [c["file"] for claim in card["claims"] for c in claim["citations"]] == ["cards.md"]
    assert "staff/leave.md" not in json.dumps(leave["ranked"])
    assert "five days" not in json.dumps([leave["text"], leave["claims"], leave["dropped"]])


@pytest.mark.exhaustive
def test_published_questions_lead_to_passages_and_show_nobody_what_is_not_theirs(
    measured: Home, tmp_path: Path
) -> None:
    card, leave = outcomes(measured, "index-rag", tmp_path / "out.json")
    assert card["decision"] is None
    assert card["ranked"][0]["file"] == "cards.md"
    assert "staff/leave.md" not in json.dumps(leave["ranked"])
