"""What is read from the folder of training data, and what of it is never trained on."""

import json
import lzma
import shutil
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from zlib import crc32

import pytest
import torch

from retrieval.training.data import (
    CLAIMS_WRITTEN,
    FAMILIES,
    TABLES,
    TrainingData,
)
from retrieval.training.embedder import Asked, EmbedderTask
from retrieval.training.entailment import EntailmentTask
from retrieval.training.labels import JudgedQuestion, Labels
from retrieval.training.reranker import RerankerTask
from retrieval.training.run import Plan

SMALL = Plan(steps=1, learning_rate=1e-4, batch=48)

TWO_EPOCHS = 12
"""Batches, at least."""


@pytest.fixture(scope="module")
def data(training_folder: Path) -> TrainingData:
    return TrainingData(training_folder)


@pytest.fixture(scope="module")
def embedder_task(data: TrainingData, tiny_weights: Path) -> EmbedderTask:
    return EmbedderTask(data, tiny_weights, torch.device("cpu"), SMALL)


@pytest.mark.parametrize("seed", [1, 20])
def test_nothing_held_out_is_trained_on(
    embedder_task: EmbedderTask, data: TrainingData, held_out_word: str, seed: int
) -> None:
    seen = [pair for batch in islice(embedder_task.batches(seed), TWO_EPOCHS) for pair in batch]
    assert held_out_word not in repr(seen)
    sources = {asked.passage.source for asked, _ in seen}
    assert sources == {"meltano", FAMILIES, TABLES, "artsy", "squad"}
    held_out = {q.question for q in data.general_questions if q.dev}
    assert held_out
    assert held_out.isdisjoint(asked.question for asked, _ in seen)


def test_a_public_set_that_shares_passages_with_held_out_handbooks_is_not_read(
    training_folder: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(training_folder, folder)
    passages = [{"pid": "p", "doc": "handbook/1.md", "text": "Rules."}]
    questions = [{"src": "sourcegraph", "q": "What of it?", "pid": "p", "doc": "handbook/1.md"}]
    for name, rows in (("r_passages", {"sourcegraph": passages}), ("r_questions", questions)):
        (folder / f"{name}.json.xz").write_bytes(lzma.compress(json.dumps(rows).encode()))
    assert TrainingData(folder).general_questions == []


def test_no_wrong_answer_is_the_right_one(embedder_task: EmbedderTask) -> None:
    for batch in islice(embedder_task.batches(3), TWO_EPOCHS):
        for asked, negative in batch:
            assert negative.text != asked.passage.text


def test_labelled_questions_are_asked_of_their_answers_beside_what_does_not_answer(
    data: TrainingData, tiny_weights: Path
) -> None:
    one, two, three, *_ = [p for p in data.passages.values() if p.source == "meltano" and not p.dev]
    ids = (one.passage_id,), (two.passage_id,), (three.passage_id,)
    asked = JudgedQuestion("meltano", "a salary?", False, *ids, {one.passage_id: (0,)})
    gym = replace(asked, question="a gym?", answers=(), partial=(), wrong=(one.passage_id,))
    labels = Labels(unread=[asked, gym, replace(asked, question="held out?", dev=True)])
    task = EmbedderTask(data, tiny_weights, torch.device("cpu"), SMALL, labels=labels)
    pairs = [pair for batch in islice(task.batches(3), TWO_EPOCHS) for pair in batch]
    found = [(each, wrong) for each, wrong in pairs if each.question == "a salary?"]
    assert found
    for each, wrong in found:
        assert (each.passage, wrong) == (one, three)
        assert each.answer == f"{one.heading}\n{one.sentences[0]}"
        assert each.near_miss == "a gym?"
        assert each.answered_by == {one.passage_id, two.passage_id}
    assert not {"a gym?", "held out?"} & {each.question for each, _ in pairs}


def test_what_also_answers_is_no_wrong_answer(data: TrainingData, tiny_weights: Path) -> None:
    task = EmbedderTask(data, tiny_weights, torch.device("cpu"), SMALL)
    one, two, three, *_ = [p for p in data.passages.values() if p.source == "meltano" and not p.dev]
    salary = Asked("a salary?", one, one.whole, None)
    both = Asked("a salary?", one, one.whole, None, frozenset({two.passage_id}))
    other = (Asked("a desk?", two, two.whole, None), three)
    with torch.no_grad():
        wrong, right = (float(task.loss([(asked, three), other])) for asked in (salary, both))
    assert right < wrong


def test_the_same_seed_brings_the_same_batches(embedder_task: EmbedderTask) -> None:
    first, second = (list(islice(embedder_task.batches(5), TWO_EPOCHS)) for _ in range(2))
    assert first == second
    assert first != list(islice(embedder_task.batches(6), TWO_EPOCHS))


def test_the_same_documents_are_held_out_at_every_reading(training_folder: Path) -> None:
    readings = [TrainingData(training_folder) for _ in range(2)]
    held_out, again = ({q.passage_id for q in each.general_questions if q.dev} for each in readings)
    assert held_out == again
    by_document = {f"squad-{n}" for n in range(60) if crc32(f"article {n}".encode()) % 5 == 0}
    assert held_out == by_document


def test_a_table_is_a_passage_whose_sentences_are_its_rows(data: TrainingData) -> None:
    tables = [p for p in data.passages.values() if p.source == TABLES]
    assert [p.position for p in tables if p.dev] == [0, 0]
    table = next(p for p in tables if not p.dev)
    assert table.whole == "Fees 1: Prices\nThing: locker 1; Fee: 4 EUR\nThing: key 1; Fee: 9 EUR"
    [item] = [item for item in data.items if item.passage_id == table.passage_id]
    assert [table.cut_to(answers) for answers in item.answers[1:3]] == [
        "Fees 1: Prices\nThing: key 1; Fee: 9 EUR"
    ] * 2
    assert table.cut_to([0, 1]) == table.whole


def test_short_questions_stand_beside_what_else_was_written_for_their_passage(
    data: TrainingData, embedder_task: EmbedderTask
) -> None:
    items = [item for item in data.items if item.passage_id == "meltano-1-0"]
    assert [len(item.questions) for item in items] == [2, 3]
    assert [item.yes for item in items] == ["Members sign for meltano-1-0.", ""]
    batches = islice(embedder_task.batches(1), 2 * TWO_EPOCHS)
    asked = {a.question: a.near_miss for batch in batches for a, _ in batch}
    assert [asked[question] for question in items[1].questions] == [
        "cost of meltano-1-0",
        "who runs meltano-1-0",
        "cost of meltano-1-0",
    ]


def test_every_tenth_premise_and_what_the_data_say_are_held_out(
    data: TrainingData, held_out_word: str
) -> None:
    held_out = [each for each in data.model_claims if each.dev]
    assert Counter(each.source for each in held_out) == {CLAIMS_WRITTEN: 2, TABLES: 2, "artsy": 4}
    for each in data.model_claims:
        assert each.dev == (held_out_word in each.premise)
        assert 2 * sum(true for _, true, _ in each.claims) == len(each.claims)


def test_batches_and_dropout_are_the_plans(data: TrainingData, tiny_weights: Path) -> None:
    plan = Plan(steps=1, learning_rate=1e-4, batch=3, dropout=0.1)
    for make in (EmbedderTask, RerankerTask, EntailmentTask):
        task = make(data, tiny_weights, torch.device("cpu"), plan)
        dropped = {each.p for each in task.network.modules() if isinstance(each, torch.nn.Dropout)}
        assert dropped == {0.1}
    cpu = torch.device("cpu")
    embedder = EmbedderTask(data, tiny_weights, cpu, plan)
    reranker = RerankerTask(data, tiny_weights, cpu, plan)
    assert max(len(batch) for batch in islice(embedder.batches(1), TWO_EPOCHS)) == 3
    assert len({group.question for group in next(reranker.batches(1))}) <= 3
