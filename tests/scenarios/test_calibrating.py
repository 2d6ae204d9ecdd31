"""An operator fits what scores mean to questions about their own documents."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from vouch_home import SAMPLE, STRICT, Finished, Home

QUESTIONS = SAMPLE / "questions.jsonl"
DOCUMENTS = SAMPLE / "documents"


@pytest.fixture(scope="module")
def calibrated(
    tmp_path_factory: pytest.TempPathFactory, new_home: Callable[[Path], Home]
) -> tuple[Home, Path, Finished]:
    """A home, a calibration made of some of the sample's questions, and what was said of it."""
    folder = tmp_path_factory.mktemp("calibrated")
    (folder / "few.jsonl").write_text("".join(QUESTIONS.read_text().splitlines(True)[::3]))
    home = Home(new_home(folder / "home").path, STRICT)
    out, picture = folder / "mine.json", folder / "mine.png"
    people = ("--people", SAMPLE / "people.yaml")
    wanted = ("--docs", DOCUMENTS, "--out", out, "--picture", picture)
    finished = home.does("calibrate", folder / "few.jsonl", *wanted, *people)
    assert picture.read_bytes().startswith(b"\x89PNG")
    return home, out, finished


def test_it_promises_nothing_of_so_few_questions(
    calibrated: tuple[Home, Path, Finished],
) -> None:
    """59 unanswerable questions without a false answer are needed; here are a few."""
    _, out, finished = calibrated
    assert "Nothing is promised beyond these questions" in finished.said
    assert "59 unanswerable ones without a false answer are needed" in finished.said
    risk = json.loads(out.read_text())["risk"]
    assert risk["promised"] is False
    assert risk["false_answers"] <= 0.05 * risk["asked"]
    assert risk["bound"] > 0.05


def test_it_says_what_keeping_to_the_risk_costs(calibrated: tuple[Home, Path, Finished]) -> None:
    _, _, finished = calibrated
    figures = re.findall(r"coverage (\d+)%, false answers ([\d.]+)%", finished.said)
    (kept, risked), (drafted, unbounded) = [(float(one), float(two)) for one, two in figures]
    assert "Were none held back to keep to that" in finished.said
    assert kept <= drafted
    assert risked <= unbounded


def test_the_file_names_models_and_writer_and_is_used(
    calibrated: tuple[Home, Path, Finished],
) -> None:
    home, out, _ = calibrated
    written = json.loads(out.read_text())
    assert written["models"].keys() == {"embedder", "reranker", "entailment"}
    assert written["writer"] == "extractive"
    assert written["relevance"].keys() == {"slope", "intercept", "near"}
    home.ingest(DOCUMENTS)
    asked = home.vouch(
        "ask", "how late may I hand in coursework?", "--json", VOUCH_CALIBRATION=str(out)
    )
    shown = home.vouch("audit", "show", asked.json["audit_id"], "--json")
    assert shown.json["calibration_id"] == written["name"]


def test_several_corpora_are_asked_together(
    calibrated: tuple[Home, Path, Finished], tmp_path: Path
) -> None:
    home, out, _ = calibrated
    more = tmp_path / "more"
    (more / "docs").mkdir(parents=True)
    (more / "docs" / "parking.md").write_text("# Parking\n\nParking is free on Sundays.\n")
    questions = [
        {"id": "a", "question": "is parking free on sundays?", "kind": "answerable",
         "gold": [{"file": "parking.md", "line_start": 3, "line_end": 3}]},
        {"id": "b", "question": "who invented parking meters?", "kind": "unanswerable", "gold": []},
    ]  # fmt: skip
    lines = "".join(json.dumps(each) + "\n" for each in questions)
    (more / "questions.jsonl").write_text(lines)
    both = tmp_path / "both.json"
    wanted = ("--docs", DOCUMENTS, "--out", both, "--corpus", more)
    few = out.with_name("few.jsonl")
    home.does("calibrate", few, *wanted, "--people", SAMPLE / "people.yaml")
    risks = [json.loads(file.read_text())["risk"]["asked"] for file in (out, both)]
    assert risks[1] == risks[0] + 1


def test_questions_that_are_all_alike_calibrate_nothing(
    calibrated: tuple[Home, Path, Finished], tmp_path: Path
) -> None:
    home, _, _ = calibrated
    questions = tmp_path / "questions.jsonl"
    asked = {"id": "a", "question": "who is the king?", "kind": "unanswerable", "gold": []}
    questions.write_text(json.dumps(asked | {"split": "calibration"}) + "\n")
    wanted = ("--docs", DOCUMENTS, "--out", tmp_path / "out.json")
    home.refuses("Add questions that the documents answer", "calibrate", questions, *wanted)
