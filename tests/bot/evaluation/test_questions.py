"""Labelled questions keep what a good answer says."""

import json
from dataclasses import replace
from pathlib import Path

from quality_runs import ranked_outcome

from bot.quality.questions import load_questions

LINE = {
    "id": "q1",
    "question": "how many days, and who signs?",
    "kind": "partial",
    "answer": "Five days.",
    "missing": "Who signs.",
}


def test_the_reference_answer_and_what_is_missing_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(json.dumps(LINE), encoding="utf-8")
    [question] = load_questions(file, None)
    assert (question.answer, question.missing) == ("Five days.", "Who signs.")


def test_an_outcome_stands_beside_its_reference_answer() -> None:
    outcome = ranked_outcome([True])
    question = outcome.question.model_copy(update={"answer": "Five days."})
    told = replace(outcome, question=question)
    assert told.as_json()["reference"] == "Five days."
