"""Somebody measures the product on the handbooks that were held out."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from retrieval.training.alterations import INVENTED
from retrieval.training.corpora import write_claims, write_corpora
from retrieval.training.data import FAMILIES, TrainingData
from retrieval.training.labels import JudgedQuestion, Labels


@pytest.fixture
def corpora(training_folder: Path, tmp_path: Path) -> Path:
    write_corpora(TrainingData(training_folder), tmp_path, Labels())
    return tmp_path


def asked(corpora: Path, source: str) -> list[dict[str, Any]]:
    text = (corpora / source / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.rstrip("\n").split("\n")]


def test_every_held_out_question_is_asked_and_no_other(
    corpora: Path, training_folder: Path
) -> None:
    data = TrainingData(training_folder)
    wanted: dict[str, int] = {}
    for item in data.items:
        passage = data.passages[item.passage_id]
        if passage.dev:
            wanted[passage.source] = (
                wanted.get(passage.source, 0) + len(item.questions) + len(item.near_misses)
            )
    found = {folder.name: len(asked(corpora, folder.name)) for folder in corpora.iterdir()}
    assert found == wanted


def test_the_answer_stands_in_the_lines_that_are_named(
    corpora: Path, training_folder: Path
) -> None:
    data = TrainingData(training_folder)
    questions = {q["id"]: q for folder in corpora.iterdir() for q in asked(corpora, folder.name)}
    for item in data.items:
        passage = data.passages[item.passage_id]
        for number in range(len(item.questions) if passage.dev else 0):
            [gold] = questions[f"{item.passage_id}-{number}"]["gold"]
            source = corpora / passage.source / "docs" / gold["file"]
            lines = source.read_text(encoding="utf-8").split("\n")
            shown = "\n".join(lines[gold["line_start"] - 1 : gold["line_end"]])
            answers = item.answers[number] if number < len(item.answers) else ()
            assert all(passage.sentences[i] in shown for i in answers)
            assert shown.strip()


def test_a_near_miss_has_no_answer(corpora: Path) -> None:
    near = [q for q in asked(corpora, "clef") if q["id"].endswith("-near")]
    assert near
    assert all((q["kind"], q["gold"]) == ("unanswerable", []) for q in near)


def test_a_near_miss_that_another_passage_answers_is_answerable_there(
    training_folder: Path, tmp_path: Path
) -> None:
    data = TrainingData(training_folder)
    [item, other, *_] = [
        each for each in data.items if data.passages[each.passage_id].source == "clef"
    ]
    write_corpora(data, tmp_path, Labels({item.passage_id: [other.passage_id]}))
    near = {q["id"]: q for q in asked(tmp_path, "clef") if q["id"].endswith("-near")}
    answered = near.pop(f"{item.passage_id}-near")
    assert answered["kind"] == "answerable"
    [gold] = answered["gold"]
    lines = (tmp_path / "clef" / "docs" / gold["file"]).read_text(encoding="utf-8").split("\n")
    shown = [line for line in lines[gold["line_start"] - 1 : gold["line_end"]] if line]
    assert "\n".join(shown) == data.passages[other.passage_id].text
    assert all((q["kind"], q["gold"]) == ("unanswerable", []) for q in near.values())


def test_questions_of_who_had_not_read_are_a_split_of_their_own(
    training_folder: Path, tmp_path: Path
) -> None:
    data = TrainingData(training_folder)
    [answering, *_] = [p for p in data.passages.values() if p.source == "clef"]
    gym = JudgedQuestion("clef", "is there a gym?", True, (), (), (answering.passage_id,))
    write_corpora(
        data,
        tmp_path,
        Labels(
            unread=[
                JudgedQuestion(
                    "clef", "am I paid when ill?", True, (answering.passage_id,), (), ()
                ),
                JudgedQuestion("clef", "and how much?", True, (), (answering.passage_id,), ()),
                gym,
                replace(gym, dev=False),
            ]
        ),
    )
    found = [q for q in asked(tmp_path, "clef") if q["split"] == "unread"]
    assert [(q["question"], q["kind"], len(q["gold"])) for q in found] == [
        ("am I paid when ill?", "answerable", 1),
        ("and how much?", "partial", 1),
        ("is there a gym?", "unanswerable", 0),
    ]
    [gold] = found[0]["gold"]
    lines = (tmp_path / "clef" / "docs" / gold["file"]).read_text(encoding="utf-8").split("\n")
    shown = [line for line in lines[gold["line_start"] - 1 : gold["line_end"]] if line]
    assert "\n".join(shown) == answering.text


def test_a_follow_up_is_asked_with_what_was_asked_before(
    training_folder: Path, tmp_path: Path
) -> None:
    data = TrainingData(training_folder)
    [answering, *_] = [p for p in data.passages.values() if p.source == "clef"]
    before = ("am I paid when ill?", "ok, found the form")
    ids = (answering.passage_id,), (), ()
    followup = JudgedQuestion("clef", "and how much?", True, *ids, previous=before)
    write_corpora(data, tmp_path, Labels(followups=[followup, replace(followup, dev=False)]))
    [found] = [q for q in asked(tmp_path, "clef") if q["split"] == "followups"]
    assert (found["question"], tuple(found["previous"])) == ("and how much?", before)
    assert found["kind"] == "answerable"


def test_look_alikes_of_a_family_are_documents_of_their_own(corpora: Path) -> None:
    documents = list((corpora / FAMILIES / "docs").rglob("*.md"))
    families = {document.stem.rsplit("-", 1)[0] for document in documents}
    assert len(documents) == 4 * len(families)


def test_every_held_out_claim_is_written_with_its_premise(
    training_folder: Path, tmp_path: Path, held_out_word: str
) -> None:
    data, file = TrainingData(training_folder), tmp_path / "claims.jsonl"
    written = write_claims(data, file)
    claims = [json.loads(line) for line in file.read_text(encoding="utf-8").strip("\n").split("\n")]
    assert written == len(claims)
    supported = {(claim["premise"], claim["claim"]) for claim in claims if claim["supported"]}
    dev = [item for item in data.items if item.yes and data.passages[item.passage_id].dev]
    assert dev
    for item in dev:
        assert (data.passages[item.passage_id].whole, item.yes) in supported
    question = "I come to club 0 heldout at nine; is it open?"
    premise = f"Club 0 heldout\nWe open at 0 on Mondays.\nAsked: {question}"
    assert (premise, "At nine club 0 heldout is open.") in supported
    assert len({(c["kind"], c["premise"], c["claim"]) for c in claims}) == written
    assert all(
        held_out_word in f"{c['premise']} {c['claim']}" for c in claims if c["kind"] != "sibling"
    )
    kinds = Counter(c["kind"] for c in claims)
    assert kinds["sibling"] == 4 * 3
    altered = {f"changed: {kind}" for kind in ("number", "condition", "negation", INVENTED)}
    assert {*altered, "changed: unseen connection", "handbook", FAMILIES} <= {*kinds}
    of_models = {name: count for name, count in kinds.items() if "models write" in name}
    assert of_models == {
        "as models write: written claims": 2 * 4,
        "as models write: tables": 2 * 2,
        "as models write: further handbooks": 4 * 4,
    }
    asked = [c for c in claims if "models write" in c["kind"] and "\nAsked: " in c["premise"]]
    assert len(asked) == 2 * 2 + 4 * 2
    assert not any("studio" in c["premise"] for c in claims if c["kind"] in altered)
    again = tmp_path / "again.jsonl"
    write_claims(TrainingData(data.folder), again)
    assert again.read_bytes() == file.read_bytes()
