"""Somebody measures the answers to labelled questions about their own documents."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from vouch_home import Finished, Home, write

from bot.lab.recipes import RECIPES

DOCS = {
    "cards.md": "# Cards\n\nThe fee for a lost student card is twenty euros.",
    "staff/leave.md": "---\naudience: {programmes: [staff]}\n---\n\n"
    "Staff may carry over five days of leave.",
    "parking.txt": "Parking is free on Sundays and on public holidays.",
}
QUESTIONS: tuple[dict[str, Any], ...] = (
    {
        "id": "q-1",
        "question": "what is the fee for a lost student card?",
        "kind": "answerable",
        "gold": [{"file": "cards.md", "line_start": 3, "line_end": 3}],
        "split": "test",
    },
    {
        "id": "q-2",
        "question": "how many days of leave may staff carry over?",
        "kind": "restricted",
        "gold": [],
        "as": "ana",
        "forbidden": ["staff/leave.md"],
        "split": "test",
    },
    {
        "id": "q-3",
        "question": "how many days of leave may staff carry over?",
        "kind": "answerable",
        "gold": [{"file": "staff/leave.md", "line_start": 5, "line_end": 5}],
        "as": "priya",
        "split": "calibration",
    },
)
PEOPLE = ({"id": "ana", "programmes": ["bsc"]}, {"id": "priya", "programmes": ["staff"]})


@pytest.fixture(scope="module")
def measured(shared_home: Home) -> Home:
    shared_home.people(*PEOPLE)
    docs = write(shared_home.path.parent / "docs", DOCS)
    lines = "".join(json.dumps(question) + "\n" for question in QUESTIONS)
    write(docs.parent, {"questions.jsonl": lines})
    shared_home.ingest(docs / "parking.txt")
    return shared_home


def evaluate(home: Home, out: Path, *options: str | Path) -> Finished:
    folder = home.path.parent
    arguments = (folder / "questions.jsonl", "--docs", folder / "docs", "--json", out)
    return home.vouch("evaluate", *arguments, *options)


def state(home: Home) -> dict[str, bytes]:
    files = (path for path in home.path.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files}


def test_every_outcome_is_written_and_the_own_home_is_not_touched(
    measured: Home, tmp_path: Path
) -> None:
    before, out = state(measured), tmp_path / "out.json"
    finished = evaluate(measured, out, "--recipe", "vouch", "--recipe", "bm25")
    assert finished.status == 0, finished.said
    assert state(measured) == before
    recipes = json.loads(out.read_text(encoding="utf-8"))["recipes"]
    assert recipes.keys() == {"vouch", "bm25"}
    assert recipes["vouch"]["summary"]["questions"] == 3
    outcomes = {outcome["id"]: outcome for outcome in recipes["vouch"]["questions"]}
    assert list(outcomes) == ["q-1", "q-2", "q-3"]
    for outcome in outcomes.values():
        assert outcome.keys() >= {
            *("id", "decision", "text", "claims", "confidence", "latency_ms", "ranked"),
        }
        assert outcome["decision"] in ("ANSWER", "PARTIAL", "ABSTAIN")
        for place in outcome["ranked"]:
            assert place.keys() >= {"file", "line_start", "line_end", "score"}
    best = outcomes["q-1"]["ranked"][0]
    assert (best["file"], best["line_start"], best["line_end"]) == ("cards.md", 3, 3)
    assert outcomes["q-1"]["claims"][0]["citations"][0]["file"] == "cards.md"
    assert "staff/leave.md" not in json.dumps(outcomes["q-2"])
    assert outcomes["q-3"]["ranked"][0]["file"] == "staff/leave.md"


def test_a_question_that_fails_is_counted_and_the_run_goes_on(
    measured: Home, tmp_path: Path
) -> None:
    lines = [
        {"id": "empty", "question": "and then?", "kind": "unanswerable"},
        {**QUESTIONS[0], "id": "next"},
        {**QUESTIONS[0], "id": "on", "question": "and?", "previous": [QUESTIONS[0]["question"]]},
    ]
    said = "".join(json.dumps(each) + "\n" for each in lines)
    write(tmp_path, {"questions.jsonl": said})
    docs, out = measured.path.parent / "docs", tmp_path / "out.json"
    finished = measured.does(
        "evaluate", tmp_path / "questions.jsonl", "--docs", docs, "--json", out
    )
    assert "1 of 3 questions failed" in " ".join(finished.said.split())
    run = json.loads(out.read_text(encoding="utf-8"))["recipes"]["vouch"]
    assert run["summary"]["failed"] == 1
    outcomes = {each["id"]: each for each in run["questions"]}
    assert outcomes["empty"]["decision"] is None
    assert "ask a question" in outcomes["empty"]["failure"]
    for asked in ("next", "on"):
        assert outcomes[asked]["ranked"][0]["file"] == "cards.md"


def test_recipes_stand_side_by_side_in_one_table(measured: Home, tmp_path: Path) -> None:
    """Of three questions nothing is told apart from chance."""
    out, table = tmp_path / "out.json", tmp_path / "table.md"
    options: tuple[str | Path, ...] = ("--recipe", "dense", "--recipe", "vouch")
    options += ("--markdown", table, "--picture", tmp_path / "table.png")
    finished = evaluate(measured, out, *options)
    assert finished.status == 0, finished.said
    rows, notes = read_table(table.read_text(encoding="utf-8"))
    assert rows["measure"] == ["dense", "vouch"]
    assert rows["P@1"] == rows["P@1 by document"] == ["1.000", "1.000 (+0.000)"]
    assert rows["coverage"][0] == "-", "a recipe that only ranks covers nothing"
    assert rows["citation precision by document"][1] == "1.000"
    assert rows["passages"] == ["3", "3"]
    assert rows["words of a passage, on average"] == ["9", "9"]
    assert all(float(size) > 0 for size in rows["index, MB"])
    assert "the same 3 questions in pairs (2 with gold, 2 that the documents answer)" in notes
    assert "dense: only ranks" in notes
    assert "Side by side" in finished.said
    assert "1.000 (+0.000)" in finished.said
    assert (tmp_path / "table.png").stat().st_size > 10_000
    written = json.loads(out.read_text(encoding="utf-8"))
    assert written["comparison"]["first"] == "dense"
    found = written["comparison"]["differences"]["P@1"]["vouch"]
    assert (found["mean"], found["p"], found["corrected"], found["questions"]) == (0, 1, 1, 2)
    text = sum(len(words) for words in DOCS.values())
    assert written["recipes"]["vouch"]["library"]["text_bytes"] == text


def test_a_recipe_that_changes_settings_has_a_library_of_its_own(
    measured: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = replace(RECIPES["vouch"], name="few", settings={"candidates": 1})
    monkeypatch.setitem(RECIPES, "few", few)
    out = tmp_path / "out.json"
    finished = evaluate(measured, out, "--recipe", "few", "--recipe", "vouch")
    assert finished.status == 0, finished.said
    recipes = json.loads(out.read_text(encoding="utf-8"))["recipes"]
    found = {name: len(each["questions"][0]["ranked"]) for name, each in recipes.items()}
    assert found == {"few": 1, "vouch": 2}


def test_a_recipe_cannot_change_a_setting_that_there_is_not(
    measured: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would be measured as if it had."""
    wrong = replace(RECIPES["vouch"], name="wrong", settings={"candidate": 1})
    monkeypatch.setitem(RECIPES, "wrong", wrong)
    with pytest.raises(ValueError, match="no setting 'candidate'"):
        evaluate(measured, tmp_path / "out.json", "--recipe", "wrong")


def read_table(text: str) -> tuple[dict[str, list[str]], str]:
    """Its rows by their first cell, and what stands under it."""
    lines = text.splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    return {row[0]: row[1:] for row in cells}, text[text.index("\n\n") :]


def test_the_help_lists_every_recipe_by_itself(measured: Home) -> None:
    told = measured.vouch("evaluate", "--help").said
    assert all(name in told for name in RECIPES)


def test_what_a_stage_is_worth_shows_by_leaving_it_out(measured: Home, tmp_path: Path) -> None:
    """Without a threshold every question has evidence, also the one that has no answer."""
    out = tmp_path / "out.json"
    names = ("vouch", "no-threshold", "no-windows", "no-calibration")
    finished = evaluate(measured, out, *(word for name in names for word in ("--recipe", name)))
    assert finished.status == 0, finished.said
    recipes = json.loads(out.read_text())["recipes"]
    assert tuple(recipes) == names
    drafted = {
        name: sum(bool(each["claims"] or each["dropped"]) for each in recipe["questions"])
        for name, recipe in recipes.items()
    }
    assert drafted["no-threshold"] == 3
    confidences = [
        recipes[name]["questions"][0]["confidence"]["overall"]
        for name in ("vouch", "no-calibration")
    ]
    assert confidences[0] != confidences[1]


def test_a_split_restricts_the_questions(measured: Home, tmp_path: Path) -> None:
    out, others = tmp_path / "out.json", tmp_path / "people.yaml"
    others.write_text("people: [{id: ana, programmes: [staff]}]")
    finished = evaluate(measured, out, "--split", "test", "--people", others)
    assert finished.status == 0, finished.said
    outcomes = json.loads(out.read_text())["recipes"]["vouch"]["questions"]
    assert [outcome["id"] for outcome in outcomes] == ["q-1", "q-2"]
    assert "staff/leave.md" in json.dumps(outcomes[1]), "these people hold, not the home's"


def test_questions_are_asked_as_of_a_day(measured: Home, tmp_path: Path) -> None:
    folder, ends = measured.path.parent, "---\nvalid_to: 2025-12-31\n---\n\n"
    docs = write(tmp_path / "docs", {"cards.md": ends + DOCS["cards.md"]})
    found = {}
    for day in ("2025-06-01", "2026-06-01"):
        out = tmp_path / f"{day}.json"
        arguments = (folder / "questions.jsonl", "--docs", docs, "--json", out)
        measured.does("evaluate", *arguments, "--split", "test", "--on", day)
        [first, _] = json.loads(out.read_text())["recipes"]["vouch"]["questions"]
        found[day] = [each["file"] for each in first["ranked"]]
    assert found == {"2025-06-01": ["cards.md"], "2026-06-01": []}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--recipe", "magic"), "vouch, dense, bm25, fusion"),
        (("--people", "nowhere.yaml"), "nowhere.yaml"),
        (("--picture", "no/such/folder/picture.png"), "no/such/folder"),
        (("--docs", "no/such/docs"), "no/such/docs"),
        (("--split", "tset"), "tset"),
    ],
)
def test_a_wrong_option_ends_it_before_any_question(
    measured: Home, tmp_path: Path, options: tuple[str, str], reason: str
) -> None:
    finished = evaluate(measured, tmp_path / "out.json", *options)
    assert finished.status == 2
    assert reason in finished.said
    assert not (tmp_path / "out.json").exists()


def test_the_published_baseline_reads_documents_in_its_own_cut(
    measured: Home, tmp_path: Path
) -> None:
    """Paragraphs make two passages of a page that is one chunk of 512 tokens."""
    docs, asked = tmp_path / "docs", tmp_path / "questions.jsonl"
    long = " ".join(["Rooms are booked at the front desk."] * 12)
    write(
        docs, {"rooms.md": f"# Rooms\n\n{long}\n\n## Keys\n\nA lost key costs ten euros. {long}\n"}
    )
    gold = [{"file": "rooms.md", "line_start": 7, "line_end": 7}]
    question = {"id": "k", "question": "what does a lost key cost?", "kind": "answerable"}
    asked.write_text(json.dumps({**question, "gold": gold, "split": "test"}) + "\n")
    table = tmp_path / "table.md"
    measured.does(
        *("evaluate", asked, "--docs", docs, "--markdown", table),
        *("--recipe", "plain", "--recipe", "dense", "--recipe", "no-windows"),
    )
    rows, _ = read_table(table.read_text(encoding="utf-8"))
    assert rows["passages"] == ["1", "2", "2"]
    assert rows["P@1"][0] == "1.000"
