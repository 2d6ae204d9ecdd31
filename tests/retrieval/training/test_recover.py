"""Training goes on from a model of which only the eight bits are left."""

from pathlib import Path

import pytest
import torch

from retrieval.models.bundled_model import NETWORK
from retrieval.training.encoder import load_classifier, load_trunk, mean_pooled
from retrieval.training.export import _export, _Traced, write_encoder
from retrieval.training.int8 import NotRecoverable, quantise, recover


@pytest.fixture(scope="module")
def trained(tiny_weights: Path) -> torch.nn.Module:
    """Stands for a trained cross-encoder: nothing in it is as it was packaged."""
    network = load_classifier(tiny_weights, ("relevance",), seed=3)
    torch.manual_seed(7)
    with torch.no_grad():
        for weight in network.parameters():
            if weight.requires_grad:
                weight.add_(torch.randn_like(weight) * 0.05)
    return network.eval()


@pytest.fixture(scope="module")
def eight_bits(trained: torch.nn.Module, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("eight_bits")
    _export(_Traced(trained, lambda inputs, model: model(**inputs).logits), folder / "f.onnx")
    quantise(folder / "f.onnx", folder / "q.onnx", folder / "words.npz")
    return folder / "q.onnx"


def test_it_reads_pairs_as_the_lost_floats_did(
    trained: torch.nn.Module, eight_bits: Path, tiny_weights: Path
) -> None:
    recovered = recover(eight_bits, tiny_weights).eval()
    ids = torch.randint(5, 3000, (4, 20), generator=torch.Generator().manual_seed(2))
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    with torch.no_grad():
        was, now = trained(**inputs).logits, recovered(**inputs).logits
    assert torch.allclose(was, now, atol=0.02)
    assert was.std() > 0.02  # else anything would be close


def test_an_embedder_makes_the_vectors_of_the_lost_floats(
    tiny_weights: Path, tmp_path: Path
) -> None:
    network = load_trunk(tiny_weights)
    torch.manual_seed(7)
    with torch.no_grad():
        for weight in network.parameters():
            if weight.requires_grad:
                weight.add_(torch.randn_like(weight) * 0.05)
    write_encoder(network.eval(), tiny_weights / "tokenizer.json", tmp_path)
    recovered = recover(tmp_path / NETWORK, tiny_weights).eval()
    ids = torch.randint(5, 3000, (4, 20), generator=torch.Generator().manual_seed(2))
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    with torch.no_grad():
        was, now = (
            mean_pooled(each(**inputs).last_hidden_state, inputs["attention_mask"])
            for each in (network, recovered)
        )
    assert (was * now).sum(1).min() > 0.995
    assert (was[0] * was[1]).sum() < 0.99  # else anything would be close


def test_a_file_without_its_weights_is_refused(
    trained: torch.nn.Module, tiny_weights: Path, tmp_path: Path
) -> None:
    _export(_Traced(trained, lambda inputs, model: model(**inputs).logits), tmp_path / "f.onnx")
    with pytest.raises(NotRecoverable, match="has no"):
        recover(tmp_path / "f.onnx", tiny_weights)
