"""What the entailment model is trained on, and that it can learn from it."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest
import torch

from retrieval.training.alterations import (
    INVENTED,
    READ_CHARACTERS,
    Label,
    together,
)
from retrieval.training.changes.falsifying import CHANGES
from retrieval.training.data import FAMILIES, ClaimPair, TrainingData
from retrieval.training.entailment import (
    ALTERED_SHARE,
    FIRST_BATCHES,
    GENERAL_SHARE,
    EntailmentPairs,
    EntailmentTask,
    held_out,
)
from retrieval.training.labels import ContrastPairs, Labels
from retrieval.training.run import Plan

SMALL = Plan(steps=1, learning_rate=1e-4, batch=48)


@pytest.fixture(scope="module")
def data(training_folder: Path) -> TrainingData:
    return TrainingData(training_folder)


@pytest.fixture(scope="module")
def drawn(data: TrainingData) -> list[list[ClaimPair]]:
    """After the first batches, which are of public pairs alone."""
    return draw(data, seed=3)


def draw(data: TrainingData, seed: int) -> list[list[ClaimPair]]:
    return list(
        islice(EntailmentPairs(data, 48, Labels()).batches(seed), FIRST_BATCHES, FIRST_BATCHES + 60)
    )


@pytest.fixture
def task(data: TrainingData, tiny_weights: Path) -> EntailmentTask:
    return EntailmentTask(data, tiny_weights, torch.device("cpu"), SMALL)


def test_the_same_seed_draws_the_same_batches(
    data: TrainingData, drawn: list[list[ClaimPair]]
) -> None:
    assert draw(data, seed=3) == drawn
    assert draw(data, seed=4) != drawn


def test_the_first_batches_are_of_public_pairs_alone(data: TrainingData) -> None:
    for batch in islice(EntailmentPairs(data, 48, Labels()).batches(3), FIRST_BATCHES):
        assert {pair.source for pair in batch} == {"snli"}
        assert not any(held_out(pair) for pair in batch)


def test_every_batch_is_full_and_mixes_written_altered_and_public_pairs(
    drawn: list[list[ClaimPair]],
) -> None:
    for batch in drawn:
        assert len(batch) == 48
        assert sum(pair.source == "snli" for pair in batch) == round(48 * GENERAL_SHARE)
        assert sum(pair.source in {*CHANGES, INVENTED, "true"} for pair in batch) == round(
            48 * ALTERED_SHARE
        )


def test_nothing_held_out_is_drawn(drawn: list[list[ClaimPair]], held_out_word: str) -> None:
    for pair in (pair for batch in drawn for pair in batch):
        assert held_out_word not in pair.premise
        assert held_out_word not in pair.claim
        assert pair.source != "snli" or not held_out(pair)


def test_for_every_altered_claim_a_true_one_stands_beside_it(
    drawn: list[list[ClaimPair]],
) -> None:
    for batch in drawn:
        made = [pair for pair in batch if pair.source in {*CHANGES, INVENTED, "true"}]
        for altered, true in zip(made[::2], made[1::2], strict=True):
            assert altered.source != "true"
            assert altered.label != Label.ENTAILED
            assert (true.source, true.label) == ("true", Label.ENTAILED)
            assert true.premise == altered.premise
            assert true.claim != altered.claim


def test_a_written_claim_and_its_twin_are_read_with_the_same_passage(data: TrainingData) -> None:
    passages = {
        dev: next(p for p in data.passages.values() if p.dev is dev) for dev in (True, False)
    }
    trained, held_out_one = (
        ContrastPairs(passages[dev].passage_id, ((f"yes {dev}", f"no {dev}"),), f"maybe {dev}")
        for dev in (False, True)
    )
    batches = EntailmentPairs(data, 48, Labels(contrast_pairs=[trained, held_out_one])).batches(3)
    for batch in islice(batches, FIRST_BATCHES, FIRST_BATCHES + 3):
        assert len(batch) == 48
        contrasting = [pair for pair in batch if pair.source == "contrast pair"]
        assert len(contrasting) == 6
        assert {(pair.claim, pair.label) for pair in contrasting} == {
            ("yes False", Label.ENTAILED),
            ("no False", Label.NOT_ENTAILED),
            ("maybe False", Label.NEUTRAL),
        }
        assert all(passages[False].text in pair.premise for pair in contrasting)


def test_a_claim_that_repeats_the_asker_is_read_with_the_question_and_some_others_are(
    data: TrainingData, drawn: list[list[ClaimPair]]
) -> None:
    claims = {claim: each for each in data.model_claims for claim, _, _ in each.claims}
    found = [[pair for pair in batch if pair.claim in claims] for batch in drawn]
    assert all(len(pairs) == 6 for pairs in found)
    kinds: dict[tuple[str, bool], int] = {}
    for pair in (pair for pairs in found for pair in pairs):
        each = claims[pair.claim]
        asked = pair.premise == f"{each.premise}\nAsked: {each.question}"
        assert asked or pair.premise == each.premise
        assert (pair.label == Label.ENTAILED) == ((pair.claim, True, pair.source) in each.claims)
        key = (pair.source, asked)
        kinds[key] = kinds.get(key, 0) + 1
    assert ("asker", False) not in kinds
    assert ("tables", True) not in kinds
    assert kinds["asker", True] > kinds["roles", False] > kinds["roles", True] > 0


def test_a_true_claim_is_also_read_with_a_sibling_that_does_not_support_it(
    data: TrainingData, drawn: list[list[ClaimPair]]
) -> None:
    whole = {item.yes: data.passages[item.passage_id].whole for item in data.items}
    siblings = [pair for batch in drawn for pair in batch if pair.source == "sibling"]
    assert siblings
    for pair in siblings:
        assert pair.label == Label.NOT_ENTAILED
        assert whole[pair.claim] not in pair.premise


def test_passages_of_a_family_keep_the_heading_that_tells_them_apart(
    data: TrainingData, drawn: list[list[ClaimPair]]
) -> None:
    families = [passage for passage in data.passages.values() if passage.source == FAMILIES]
    for pair in (pair for batch in drawn for pair in batch):
        for passage in families:
            assert passage.text not in pair.premise or passage.heading in pair.premise


def test_two_passages_are_read_together_only_where_both_are_read_to_their_end() -> None:
    assert together("First.", "Second.", Random(1)) in ("First.\nSecond.", "Second.\nFirst.")
    assert together("First.", "x" * READ_CHARACTERS, Random(1)) is None
    assert together("First.", "First.", Random(1)) is None


def test_a_pair_that_is_only_known_as_not_entailed_counts_both_other_labels(
    task: EntailmentTask,
) -> None:
    pair = ClaimPair("any", "The office is open.", "The office is closed.", Label.NOT_ENTAILED)
    with torch.no_grad():
        supported = torch.softmax(task.logits([pair]), dim=1)[0, 0]
        assert float(task.loss([pair])) == pytest.approx(float(-torch.log(1 - supported)), rel=1e-3)
