"""The models that ship: whole, small, the same whatever is read beside, and quick to start."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.errors import ModelUnavailable
from retrieval.models.bundled_model import (
    BUNDLED,
    MANIFEST,
    NETWORK,
    TOKENIZER,
    WORDS,
    read_manifest,
)
from retrieval.models.cross_encoders import BundledCrossEncoder
from retrieval.models.embedders import BundledEmbedder

NAMES = ("embedder", "reranker", "entailment")
LARGEST, LARGEST_WORDS, LARGEST_TOGETHER = 24_000_000, 12_000_000, 85_000_000
HEAVY = ("torch", "transformers", "sentence_transformers", "huggingface_hub")
RUNNING = ("onnxruntime", "tokenizers", "lancedb")
TEXTS = ["annual leave", "", "How many days may I carry over to the next year? " * 40, "été ☃"]
EMBEDDER = BundledEmbedder()
RERANKER = BundledCrossEncoder("reranker")


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_model_is_whole_and_small(name: str) -> None:
    folder = BUNDLED / name
    read_manifest(folder).check(folder, name)
    assert {file.name for file in folder.iterdir()} >= {MANIFEST, NETWORK, TOKENIZER}
    assert sum(file.stat().st_size for file in folder.iterdir()) <= LARGEST


def test_word_embeddings_ship_once_and_all_together_is_small() -> None:
    files = [file for file in BUNDLED.rglob("*") if file.is_file()]
    [words] = [file for file in files if file.name == WORDS]
    assert words.stat().st_size <= LARGEST_WORDS
    assert sum(file.stat().st_size for file in files) <= LARGEST_TOGETHER


def test_vectors_are_unit_length_and_of_the_stated_shape() -> None:
    vectors = EMBEDDER.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), EMBEDDER.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert EMBEDDER.embed([]).shape == (0, EMBEDDER.dimension)


def test_a_paraphrase_is_nearer_than_another_subject() -> None:
    question, near, far = EMBEDDER.embed(
        ["how do I get a parking permit", "Apply for parking permits online.", "Soup is at noon."]
    )
    assert question @ near > question @ far + 0.2


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(st.text(max_size=200), min_size=1, max_size=4))
def test_a_row_does_not_depend_on_the_texts_beside_it(texts: list[str]) -> None:
    together = EMBEDDER.embed(texts)
    alone = np.vstack([EMBEDDER.embed([text]) for text in texts])
    assert np.array_equal(together, alone)
    assert np.array_equal(EMBEDDER.embed(texts[::-1])[::-1], together)


def test_a_score_does_not_depend_on_the_texts_beside_it() -> None:
    pairs = [("how much leave", text) for text in TEXTS]
    together = RERANKER.logits(pairs)
    alone = np.vstack([RERANKER.logits([pair]) for pair in pairs])
    assert np.array_equal(together, alone)
    assert np.array_equal(RERANKER.logits(pairs[::-1])[::-1], together)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the bundled embedder, with the words beside it, that a test may damage."""
    shutil.copy(BUNDLED / WORDS, tmp_path)
    return Path(shutil.copytree(BUNDLED / "embedder", tmp_path / "embedder"))


def test_a_model_elsewhere_is_the_same_model(copied: Path) -> None:
    elsewhere = BundledEmbedder(copied)
    assert elsewhere.name == EMBEDDER.name
    assert np.array_equal(elsewhere.embed(TEXTS), EMBEDDER.embed(TEXTS))


def test_other_files_are_another_model(copied: Path) -> None:
    manifest = json.loads((copied / MANIFEST).read_text())
    manifest["files"][NETWORK] = "0" * 64
    (copied / MANIFEST).write_text(json.dumps(manifest))
    assert BundledEmbedder(copied).name != EMBEDDER.name


@pytest.mark.parametrize("file", [MANIFEST, NETWORK, TOKENIZER, f"../{WORDS}"])
@pytest.mark.parametrize("harm", ["gone", "half", "a bit changed", "a folder"])
def test_a_damaged_model_says_what_to_do(copied: Path, file: str, harm: str) -> None:
    path = copied / file
    content = bytearray(path.read_bytes())
    path.unlink()
    if harm == "half":
        path.write_bytes(content[: len(content) // 2])
    elif harm == "a bit changed":
        content[content.find(b'"files"') if file == MANIFEST else len(content) // 2] ^= 1
        path.write_bytes(content)
    elif harm == "a folder":
        path.mkdir()
    with pytest.raises(ModelUnavailable, match=f"{copied}.*{file}.*Install Vouch again"):
        BundledEmbedder(copied).embed(["x"])


def loaded_by(home: Path, *arguments: str) -> set[str]:
    """Which of the large libraries a command has imported by its end."""
    code = (
        "import sys\nfrom bot.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print('LOADED', *(m for m in {HEAVY + RUNNING} if m in sys.modules))"
    )
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("VOUCH_")}
    finished = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=inherited | {"VOUCH_HOME": str(home)},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return set(finished.stdout.rsplit("LOADED", 1)[1].split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [("--help",), ("audit", "list"), ("ask", "--help"), ("audit", "--help")]
)
def test_what_needs_no_model_loads_none(tmp_path: Path, command: tuple[str, ...]) -> None:
    assert loaded_by(tmp_path, *command) == set()


@pytest.mark.exhaustive
@pytest.mark.slow
def test_asking_the_bundled_models_loads_no_pytorch(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "leave.md").write_text("# Leave\n\nStaff may take five days of leave.")
    for command in (("ingest", "docs"), ("ask", "how many days of leave?"), ("check",)):
        loaded = loaded_by(tmp_path, *command)
        assert loaded == set(RUNNING)
