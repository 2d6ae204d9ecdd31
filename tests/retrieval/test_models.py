"""The bundled models, and models that somebody names instead."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from retrieval.calibration import UNCALIBRATED, LogisticWeights
from retrieval.errors import ModelUnavailable
from retrieval.models.cross_encoders import (
    BUNDLED,
    BundledCrossEncoder,
    NamedCrossEncoder,
    named_entailment,
)
from retrieval.models.embedders import NamedEmbedder
from retrieval.models.minilm import MiniLMEmbedder, packaged_weights
from retrieval.models.onnx import OnnxModel
from retrieval.ports import EntailmentPair, RerankPair
from retrieval.rerank import CalibratedReranker

TEXTS = ["annual leave", "", "How many days may I carry over to the next year? " * 40, "été ☃"]


@pytest.fixture(scope="module")
def embedder(embedder_cache: Path) -> MiniLMEmbedder:
    return MiniLMEmbedder(embedder_cache)


@pytest.fixture(scope="module")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random cross-encoder of two layers with the labels of an inference model."""
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    folder = tmp_path_factory.mktemp("small-cross-encoder")
    config = BertConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        id2label={0: "contradiction", 1: "neutral", 2: "ENTAILMENT"},
        label2id={"contradiction": 0, "neutral": 1, "ENTAILMENT": 2},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    AutoTokenizer.from_pretrained(packaged_weights()).save_pretrained(folder)
    return folder


def test_the_exported_embedder_is_the_packaged_one(embedder: MiniLMEmbedder) -> None:
    from sentence_transformers import SentenceTransformer

    original = SentenceTransformer(str(packaged_weights()), device="cpu")
    wanted = original.encode(TEXTS, normalize_embeddings=True)
    assert np.abs(embedder.embed(TEXTS) - wanted).max() < 1e-5


def test_a_named_embedder_is_loaded_from_its_folder(embedder: MiniLMEmbedder) -> None:
    named = NamedEmbedder(str(packaged_weights()))
    assert named.dimension == embedder.dimension
    assert np.abs(named.embed(["leave"]) - embedder.embed(["leave"])).max() < 1e-5


def test_vectors_are_unit_length_and_of_the_stated_shape(embedder: MiniLMEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_a_score_does_not_depend_on_the_texts_beside_it() -> None:
    model = BundledCrossEncoder("reranker")
    pairs = [("how much leave", text) for text in TEXTS]
    together = model.logits(pairs)
    alone = np.vstack([model.logits([pair]) for pair in pairs])
    assert np.array_equal(together, alone)
    assert np.array_equal(model.logits(pairs[::-1])[::-1], together)


def test_a_named_cross_encoder_can_rerank(small_model: Path) -> None:
    reranker = CalibratedReranker(NamedCrossEncoder(str(small_model)), UNCALIBRATED.look, "none")
    scores = reranker.scores([RerankPair("how much leave", "six hours", 0.5, 1.0)] * 2)
    assert len(scores) == 2
    assert all(0 <= score.relevance <= 1 for score in scores)
    assert reranker.scores([]) == []


def test_a_named_inference_model_is_asked_for_its_entailment_label(small_model: Path) -> None:
    model = named_entailment(str(small_model))
    [support] = model.supported([EntailmentPair("It rains.", "It rains.")])
    logits = NamedCrossEncoder(str(small_model)).logits([("It rains.", "It rains.")])[0]
    assert support == pytest.approx(float(np.exp(logits[2]) / np.exp(logits).sum()), abs=1e-4)


def test_a_model_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    for missing in (NamedCrossEncoder(str(tmp_path)), NamedCrossEncoder("no-such/model")):
        with pytest.raises(ModelUnavailable, match="Name a folder"):
            missing.logits([("a", "b")])
    with pytest.raises(ModelUnavailable, match="Name a folder"):
        NamedEmbedder(str(tmp_path)).embed(["a"])


def test_a_damaged_model_says_what_to_do(tmp_path: Path) -> None:
    network, tokenizer = tmp_path / "model.onnx", tmp_path / "tokenizer.json"
    shutil.copy(BUNDLED / "reranker" / "tokenizer.json", tokenizer)
    network.write_bytes((BUNDLED / "reranker" / "model_int8.onnx").read_bytes()[:100_000])
    with pytest.raises(ModelUnavailable, match="Install Vouch again"):
        OnnxModel(network, tokenizer, 256)


def test_a_calibration_weighs_its_features() -> None:
    weights = LogisticWeights(-3.0, {"logit": 1.0, "cosine": 2.0, "bm25": 0.5})
    known = {"cosine": 0.5, "bm25": 2.0, "of no weight": 9.0}
    assert weights.probability({"logit": 1.0, **known}) == pytest.approx(0.5)
    assert weights.probability({"logit": 1e9, **known}) == pytest.approx(1)
    assert weights.probability({"logit": -1e9, **known}) == pytest.approx(0)
