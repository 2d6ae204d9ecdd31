"""What the reranker is shown: an answer first, then what only looks like one."""

import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path
from unittest.mock import Mock

import pytest
import torch

from retrieval.training import reranker
from retrieval.training.data import TrainingData
from retrieval.training.embedder import EmbedderTask
from retrieval.training.labels import JudgedQuestion, Labels
from retrieval.training.reranker import DRAWN, Group, RerankerTask
from retrieval.training.run import Plan

SMALL = Plan(steps=1, learning_rate=1e-4, batch=8)

BATCHES = 12


@pytest.fixture(scope="module")
def task(training_folder: Path, tiny_weights: Path) -> RerankerTask:
    return RerankerTask(TrainingData(training_folder), tiny_weights, torch.device("cpu"), SMALL)


def labelled(folder: Path, weights: Path, labels: Labels) -> RerankerTask:
    return RerankerTask(TrainingData(folder), weights, torch.device("cpu"), SMALL, labels=labels)


def drawn(task: RerankerTask, seed: int, batches: int = BATCHES) -> list[Group]:
    return [group for batch in islice(task.batches(seed), batches) for group in batch]


def test_nothing_held_out_is_trained_on(task: RerankerTask, held_out_word: str) -> None:
    misses = 0
    for group in drawn(task, 1):
        assert held_out_word not in " ".join([group.question, *group.texts])
        for miss in group.misses:
            assert held_out_word not in f"{miss.question} {miss.text}"
            misses += 1
    assert misses


def test_a_near_miss_is_asked_of_its_passage_and_of_others_that_are_found_for_it(
    task: RerankerTask,
) -> None:
    groups = drawn(task, 1)
    asked = [group.misses for group in groups if group.misses]
    assert all(len({miss.question for miss in misses}) == 1 for misses in asked)
    assert all(len({miss.text for miss in misses}) == len(misses) for misses in asked)
    assert max(map(len, asked)) == 1 + DRAWN


def test_an_answer_is_pushed_above_the_best_of_what_is_found_for_a_near_miss(
    task: RerankerTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = next(g for batch in task.batches(1) for g in batch if len(g.misses) == 1 + DRAWN)

    def push(*misses: float) -> float:
        scores = [1.0, *[-4.0] * (len(group.texts) - 1), *misses]
        logits = torch.tensor(scores, requires_grad=True)
        monkeypatch.setattr(task, "logits", Mock(return_value=logits))
        task.loss([group]).backward()
        assert logits.grad is not None
        return -float(logits.grad[0])

    assert push(2, -6, -6) > push(-6, -6, -6) + 0.5
    assert push(2, -6, -6) == pytest.approx(push(-6, -6, 2))


def test_questions_of_who_had_not_read_are_asked_of_what_was_read_for_them(
    training_folder: Path, tiny_weights: Path
) -> None:
    data = TrainingData(training_folder)
    passages = [p for p in data.passages.values() if p.source == "meltano"]
    one, two, three, *_ = [p.passage_id for p in passages if not p.dev]
    held_out = next(p.passage_id for p in passages if p.dev)
    asked = JudgedQuestion("meltano", "am I paid?", False, (one,), (two,), (three, held_out))
    unanswered = replace(asked, question="a gym?", answers=(), partial=(), wrong=(two, held_out))
    left_out = [
        replace(asked, question="about what is held-out", dev=True),
        replace(asked, question="answered by what is held-out", answers=(held_out,)),
        replace(asked, question="answered in part", answers=()),
    ]
    unread = [asked, unanswered, *left_out]
    task = labelled(training_folder, tiny_weights, Labels(unread=unread))
    groups = drawn(task, 1, 4 * BATCHES)
    found = [group for group in groups if "paid" in group.question]
    assert found
    text = {p.passage_id: p.text for p in passages}
    for group in found:
        assert [text[one] in group.texts[0], text[three] in group.texts[1]] == [True, True]
        [miss] = group.misses
        assert "gym" in miss.question
        assert text[two] in miss.text
    asked_at_all = " ".join(group.question for group in groups)
    assert "held-out" not in asked_at_all
    assert "in part" not in asked_at_all


def test_single_sentences_that_answer_who_had_not_read_are_put_before_what_is_closest_to_another(
    training_folder: Path, tiny_weights: Path
) -> None:
    data = TrainingData(training_folder)
    passages = [p for p in data.passages.values() if p.source == "meltano" and not p.dev]
    one = next(p for p in passages if len(p.sentences) > 1)
    other = next(p for p in passages if p is not one)
    ids = (one.passage_id,), (), (other.passage_id,)
    asked = JudgedQuestion("meltano", "am I paid?", False, *ids, sentences={one.passage_id: (1,)})
    unanswered = replace(asked, question="a gym?", answers=(), sentences={})
    labels = Labels(unread=[asked, unanswered])
    task = labelled(training_folder, tiny_weights, labels)
    groups = drawn(task, 1, 4 * BATCHES)
    [*found] = [g for g in groups if "paid" in g.question and one.text not in g.texts[0]]
    assert found
    alone = {f"{other.heading}\n{sentence}" for sentence in other.sentences}
    for group in found:
        assert group.texts[0] == f"{one.heading}\n{one.sentences[1]}"
        assert group.misses
        assert {miss.text for miss in group.misses} <= alone
        assert all("gym" in miss.question for miss in group.misses)


def test_the_answer_stands_first_and_once_in_its_group(task: RerankerTask) -> None:
    for group in drawn(task, 2):
        assert group.texts[0] not in group.texts[1:]


def test_where_it_goes_on_from_a_cross_encoder_the_shipped_embedder_finds_what_to_tell_apart(
    task: RerankerTask,
    training_folder: Path,
    tiny_weights: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here that has the tiny weights, too; an earlier run's cross-encoder makes no vectors."""
    task.network.float().save_pretrained(tmp_path)
    shutil.copyfile(tiny_weights / "tokenizer.json", tmp_path / "tokenizer.json")
    data, cpu = TrainingData(training_folder), torch.device("cpu")
    shipped = Mock(embed=EmbedderTask(data, tiny_weights, cpu, SMALL).vectors)
    monkeypatch.setattr(reranker, "BundledEmbedder", Mock(return_value=shipped))
    going_on = RerankerTask(data, tmp_path, cpu, SMALL)
    assert list(islice(going_on.batches(4), 4)) == list(islice(task.batches(4), 4))
    trained = dict(task.network.named_parameters())["bert.pooler.dense.weight"]
    begun = dict(going_on.network.named_parameters())["bert.pooler.dense.weight"]
    assert torch.allclose(begun.float(), trained, atol=0.01)


def test_rows_of_a_table_are_read_singly_and_on_lines_of_their_own(task: RerankerTask) -> None:
    groups = drawn(task, 6, 2 * BATCHES)
    texts = {text for group in groups for text in group.texts if "Thing: " in text}
    assert any(text.count("Thing: ") == 1 for text in texts)
    for text in texts:
        rows = [line for line in text.split("\n") if "Thing: " in line]
        assert all(row.startswith("Thing: ") and row.count("Thing: ") == 1 for row in rows)
