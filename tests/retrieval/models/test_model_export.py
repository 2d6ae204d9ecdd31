"""A trained network becomes the folder that ships, and says what it said before."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from transformers import AutoModelForSequenceClassification, BertConfig, BertModel

from retrieval.errors import ModelUnavailable
from retrieval.models.bundled_model import (
    BUNDLED,
    NETWORK,
    TOKENIZER,
    WORDS,
    BundledModel,
    read_manifest,
)
from retrieval.models.cross_encoders import BundledCrossEncoder
from retrieval.models.embedders import BundledEmbedder
from retrieval.models.onnx import WORDS_INPUT, read_words, session
from retrieval.training import export
from retrieval.training.encoder import load_tokenizer, mean_pooled, padded
from retrieval.training.export import share_words, write_cross_encoder, write_encoder

TOKENIZER_FILE = BUNDLED / "embedder" / TOKENIZER
TEXTS = ["How much leave do I have?", "", "Parking is free on Sundays. " * 60, "été ☃ 12,5 %"]
PAIRS = [("how much leave", text) for text in TEXTS]
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def trained() -> BertModel:
    """Random, with some channels ten times as large as the others, as trained ones have."""
    torch.manual_seed(0)
    network = BertModel(
        BertConfig(
            hidden_size=64, num_hidden_layers=3, num_attention_heads=4, intermediate_size=256
        ),
        add_pooling_layer=False,
    ).eval()
    with torch.no_grad():
        for layer in network.encoder.layer:
            layer.output.LayerNorm.weight[:3] *= 10
    return network


@pytest.fixture(scope="module")
def shipped(trained: BertModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "embedder"
    write_encoder(trained, TOKENIZER_FILE, folder)
    return folder


@torch.no_grad()
def wanted_vectors(network: BertModel) -> NDArray[np.float32]:
    inputs = padded(load_tokenizer(TOKENIZER_FILE.parent).encode_batch(TEXTS), CPU)
    states = network(**inputs).last_hidden_state
    return np.asarray(mean_pooled(states, inputs["attention_mask"]).numpy(), np.float32)


def test_an_embedder_in_eight_bits_says_nearly_what_it_said_before(
    trained: BertModel, shipped: Path
) -> None:
    vectors = BundledEmbedder(shipped).embed(TEXTS)
    cosines = (vectors * wanted_vectors(trained)).sum(axis=1)
    assert cosines.min() > 0.998


def test_a_text_in_a_padded_batch_is_what_it_is_alone(shipped: Path) -> None:
    encodings = load_tokenizer(TOKENIZER_FILE.parent).encode_batch(TEXTS)
    network, words = session(str(shipped / NETWORK)), read_words(shipped / WORDS)
    inputs = {name: each.numpy() for name, each in padded(encodings, CPU).items()}
    inputs[WORDS_INPUT] = np.stack([words(ids) for ids in inputs["input_ids"]])
    [batched] = network.run(None, inputs)
    assert np.abs(batched - BundledEmbedder(shipped).embed(TEXTS)).max() < 1e-5


@pytest.mark.parametrize(("labels", "kind"), [(1, "reranker"), (3, "entailment")])
def test_a_cross_encoder_in_eight_bits_says_nearly_what_it_said_before(
    trained: BertModel, labels: int, kind: str, tmp_path: Path
) -> None:
    torch.manual_seed(labels)
    config = BertConfig(**(trained.config.to_dict() | {"num_labels": labels}))
    network = AutoModelForSequenceClassification.from_config(config).eval()
    with torch.no_grad():
        network.classifier.weight *= 20
    write_cross_encoder(network.to(torch.bfloat16), TOKENIZER_FILE, tmp_path / kind)
    network.float()
    inputs = padded(load_tokenizer(TOKENIZER_FILE.parent).encode_batch(PAIRS), CPU)
    with torch.no_grad():
        wanted = network(**inputs).logits.numpy()
    logits = BundledCrossEncoder(kind, tmp_path / kind).logits(PAIRS)
    assert logits.shape == (len(PAIRS), labels)
    assert np.abs(logits - wanted).max() < 0.05 * np.abs(wanted).max()
    assert kind in BundledModel(kind, tmp_path / kind, 1).name


def test_a_network_is_left_as_it_was(trained: BertModel, tmp_path: Path) -> None:
    before = {name: value.clone() for name, value in trained.state_dict().items()}
    trained.train()
    write_encoder(trained, TOKENIZER_FILE, tmp_path / "embedder")
    assert trained.training
    trained.eval()
    assert all(torch.equal(value, before[name]) for name, value in trained.state_dict().items())


def test_models_with_the_same_words_keep_them_once_and_say_the_same(
    shipped: Path, tmp_path: Path
) -> None:
    folders = [Path(shutil.copytree(shipped, tmp_path / name)) for name in ("one", "other")]
    share_words(folders)
    assert list(tmp_path.rglob(WORDS)) == [tmp_path / WORDS]
    before = BundledEmbedder(shipped)
    for shared in map(BundledEmbedder, folders):
        assert shared.name == before.name
        assert np.array_equal(shared.embed(TEXTS), before.embed(TEXTS))


def test_models_with_words_of_their_own_each_are_refused_and_left_as_they_were(
    trained: BertModel, shipped: Path, tmp_path: Path
) -> None:
    folders = [Path(shutil.copytree(shipped, tmp_path / "one")), tmp_path / "other"]
    write_encoder(BertModel(trained.config, add_pooling_layer=False), TOKENIZER_FILE, folders[1])
    with pytest.raises(ValueError, match="of their own each"):
        share_words(folders)
    for folder in folders:
        read_manifest(folder).check(folder, "embedder")


def test_an_export_that_was_killed_leaves_no_model(
    trained: BertModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_encoder(trained, TOKENIZER_FILE, tmp_path)

    def killed(*_: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(export, "quantise", killed)
    with pytest.raises(KeyboardInterrupt):
        write_encoder(trained, TOKENIZER_FILE, tmp_path)
    with pytest.raises(ModelUnavailable, match="Install Vouch again"):
        BundledEmbedder(tmp_path).embed(["x"])
