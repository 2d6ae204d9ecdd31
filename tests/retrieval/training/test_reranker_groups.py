"""What the reranker is shown: an answer first, then what only looks like one."""

from itertools import islice
from pathlib import Path

import pytest
import torch

from retrieval.training.data import TrainingData
from retrieval.training.reranker import PLAN, RerankerTask

BATCHES = 12


@pytest.fixture(scope="module")
def task(training_folder: Path, tiny_weights: Path) -> RerankerTask:
    return RerankerTask(TrainingData(training_folder), tiny_weights, torch.device("cpu"))


def test_nothing_held_out_is_trained_on(task: RerankerTask, held_out_word: str) -> None:
    for groups, misses in islice(task.batches(1), BATCHES):
        for group in groups:
            assert held_out_word not in " ".join([group.question, *group.texts])
        for miss in misses:
            assert held_out_word not in f"{miss.question} {miss.text}"


def test_the_answer_stands_first_and_once_in_its_group(task: RerankerTask) -> None:
    for groups, _ in islice(task.batches(2), BATCHES):
        for group in groups:
            assert len(group.texts) == len(group.cosines)
            assert group.texts[0] not in group.texts[1:]


def test_the_same_seed_draws_the_same(task: RerankerTask) -> None:
    assert list(islice(task.batches(3), 4)) == list(islice(task.batches(3), 4))


def test_a_step_against_the_loss_lessens_it(training_folder: Path, tiny_weights: Path) -> None:
    task = RerankerTask(TrainingData(training_folder), tiny_weights, torch.device("cpu"))
    task.network.float()
    batch = next(task.batches(PLAN.seed))
    optimizer = torch.optim.SGD([p for p in task.network.parameters() if p.requires_grad], 1e-3)
    before = task.loss(batch)
    before.backward()
    optimizer.step()
    assert task.loss(batch) < before
