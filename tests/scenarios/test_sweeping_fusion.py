"""Somebody asks how many candidates of each retriever to fuse, on their own documents."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vouch_home import SAMPLE, Finished, Home, write

DOCS = {
    "cards.md": "# Cards\n\nThe fee for a lost student card is twenty euros.",
    "parking.md": "# Parking\n\nParking is free on Sundays and on public holidays.",
    "library.md": "# Library\n\nThe library lends a book for four weeks.",
    "staff/leave.md": "---\naudience: {programmes: [staff]}\n---\n\n"
    "Staff may carry over five days of leave.",
}
LEAVE = "how many days of leave may staff carry over?"
ASKED: tuple[tuple[str, str, str, str, str, int], ...] = (
    ("q-1", "ana", "what is the fee for a lost student card?", "answerable", "cards.md", 3),
    ("q-2", "priya", LEAVE, "answerable", "staff/leave.md", 5),
    ("q-3", "ana", LEAVE, "answerable", "parking.md", 3),
    ("q-4", "ana", "who founded the choir?", "unanswerable", "", 0),
)
"""q-3 asks for what this person may not read, and has gold elsewhere for it to be asked."""


@pytest.fixture
def measured(tmp_path: Path, new_home: Callable[[Path], Home]) -> Home:
    home = new_home(tmp_path / "home")
    home.people({"id": "ana", "programmes": ["bsc"]}, {"id": "priya", "programmes": ["staff"]})
    write(tmp_path / "docs", DOCS)
    lines = [
        json.dumps(
            {
                "id": name,
                "question": text,
                "kind": kind,
                "as": person,
                "gold": [{"file": file, "line_start": line, "line_end": line}] if file else [],
            }
        )
        for name, person, text, kind, file, line in ASKED
    ]
    write(tmp_path, {"questions.jsonl": "".join(f"{line}\n" for line in lines)})
    return home


def swept(home: Home, *options: str | Path) -> Finished:
    folder = home.path.parent
    asked = (folder / "questions.jsonl", "--docs", folder / "docs")
    return home.vouch("evaluate-fusion", *asked, *options)


def test_tables_and_picture_say_what_each_number_of_candidates_brings_and_costs(
    measured: Home, tmp_path: Path
) -> None:
    out, table, picture = tmp_path / "out.json", tmp_path / "table.md", tmp_path / "fusion.png"
    written: tuple[str | Path, ...] = ("--json", out, "--markdown", table, "--picture", picture)
    finished = swept(measured, "--to", "3", *written)
    assert finished.status == 0, finished.said
    assert not [path for path in measured.path.iterdir() if path.name == "index"]
    found = json.loads(out.read_text(encoding="utf-8"))
    assert (found["candidates"], found["k"], found["questions"]) == ([1, 2, 3], 60, 3)
    assert list(found["figures"]["P@1"]) == ["dense", "bm25", "fusion"]
    assert found["figures"]["P@1"]["bm25"] == pytest.approx([2 / 3] * 3)
    assert found["library"]["passages"] == 4
    assert found["seconds"].keys() == {"dense", "bm25", "fusion"}
    assert "| n | dense | bm25 | fusion |" in table.read_text(encoding="utf-8")
    assert "times as long" in finished.said
    assert "3 questions with gold; 4 chunks" in finished.said
    assert picture.stat().st_size > 10_000


def test_no_ranking_holds_what_its_reader_may_not_read(measured: Home, tmp_path: Path) -> None:
    finished = swept(measured, "--to", "10", "--json", tmp_path / "out.json")
    assert finished.status == 0, finished.said
    rankings = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["rankings"]
    assert rankings.keys() == {"q-1", "q-2", "q-3"}
    assert rankings["q-2"]["bm25"][0]["file"] == "staff/leave.md"
    for name in ("q-1", "q-3"):
        assert rankings[name]["dense"], "the others are all found"
        assert "staff/leave.md" not in json.dumps(rankings[name])


@pytest.mark.exhaustive
def test_constant_and_embedders_are_those_of_the_settings(measured: Home, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    settings = {"VOUCH_RRF_K": "7", "VOUCH_MORE_EMBEDDERS": "all-MiniLM-L6-v2"}
    finished = measured.vouch(
        *("evaluate-fusion", tmp_path / "questions.jsonl", "--docs", tmp_path / "docs"),
        *("--from", "2", "--to", "2", "--json", out),
        **settings,
    )
    assert finished.status == 0, finished.said
    found = json.loads(out.read_text(encoding="utf-8"))
    assert (found["k"], found["candidates"], found["compared"]) == (7, [2], 2)
    assert list(found["models"]) == ["dense", "dense-2"]
    assert found["models"]["dense-2"].startswith("all-MiniLM-L6-v2 (")
    assert list(found["figures"]["P@1"]) == ["dense", "dense-2", "bm25", "fusion"]


@pytest.mark.exhaustive
def test_the_sweep_agrees_with_the_recipe_that_fuses_as_many(home: Home, tmp_path: Path) -> None:
    """Of questions with one part: the recipe searches for each part by itself."""
    every = [json.loads(line) for line in (SAMPLE / "questions.jsonl").read_text().splitlines()]
    plain = [each for each in every if each["gold"] and "and" not in each["question"].split()]
    lines = "".join(f"{json.dumps(each)}\n" for each in plain[:12])
    write(tmp_path, {"questions.jsonl": lines})
    asked = (tmp_path / "questions.jsonl", "--docs", SAMPLE / "documents")
    options = ("--people", SAMPLE / "people.yaml", "--json", tmp_path / "out.json")
    recipe = home.vouch("evaluate", *asked, *options, "--recipe", "multi-rrf")
    assert recipe.status == 0, recipe.said
    summary = json.loads((tmp_path / "out.json").read_text())["recipes"]["multi-rrf"]["summary"]
    embedders = {"VOUCH_EMBEDDER": "all-MiniLM-L6-v2", "VOUCH_MORE_EMBEDDERS": "bundled"}
    finished = home.vouch("evaluate-fusion", *asked, *options, "--to", "5", **embedders)
    assert finished.status == 0, finished.said
    figures: dict[str, Any] = json.loads((tmp_path / "out.json").read_text())["figures"]
    assert 0 < summary["P@1"] < 1
    for measure in ("P@1", "nDCG@10"):
        assert figures[measure]["fusion"][3] == pytest.approx(summary[measure])
    assert figures["gold among all candidates"]["fusion"][3] == summary["recall@50"]


def test_what_cannot_be_swept_is_said_before_a_document_is_read(
    measured: Home, tmp_path: Path
) -> None:
    finished = swept(measured, "--from", "5", "--to", "4")
    assert (finished.status, finished.out) == (2, "")
    assert "--from 5 is more than --to 4" in finished.said
    last = (tmp_path / "questions.jsonl").read_text(encoding="utf-8").splitlines()[-1]
    write(tmp_path, {"questions.jsonl": f"{last}\n"})
    finished = swept(measured)
    assert (finished.status, finished.out) == (2, "")
    assert "No question of" in finished.said
    assert "Reading" not in finished.said
