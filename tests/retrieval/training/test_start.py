"""Training starts from a public model's ONNX, which somebody has as a jar."""

import subprocess
import sys
import zipfile
from pathlib import Path

import onnx
import pytest
import torch
from transformers import BertConfig, BertModel

from retrieval.models.bundled_model import BUNDLED, TOKENIZER
from retrieval.training import CannotTrain
from retrieval.training.encoder import load_tokenizer, load_trunk
from retrieval.training.start import ARTEFACT, start_of, write_start

TOKENS = torch.tensor([[101, 7592, 2088, 102, 2023, 102], [101, 7592, 102, 0, 0, 0]])


class Published(BertModel):
    """It takes positional inputs, as tracing wants them."""

    def forward(self, *inputs, **named):
        names = ("input_ids", "attention_mask", "token_type_ids")
        states = super().forward(**dict(zip(names, inputs, strict=False)), **named)
        return states.last_hidden_state if inputs else states


@pytest.fixture(scope="module")
def published() -> torch.nn.Module:
    torch.manual_seed(3)
    config = BertConfig(
        hidden_size=48, num_hidden_layers=2, num_attention_heads=12, intermediate_size=64
    )
    network = Published(config, add_pooling_layer=False)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn_like(weight) * 0.05)
    return network.eval()


@pytest.fixture(scope="module")
def exported(published: torch.nn.Module, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As in the jar: weights of products turned round, under numbers."""
    file = tmp_path_factory.mktemp("exported") / "small-en.onnx"
    inputs = ["input_ids", "attention_mask", "token_type_ids"]
    torch.onnx.export(
        published,
        (TOKENS, (TOKENS > 0).long(), torch.zeros_like(TOKENS)),
        str(file),
        input_names=inputs,
        output_names=["last_hidden_state"],
        dynamic_axes={name: {0: "texts", 1: "tokens"} for name in inputs},
        opset_version=18,
        dynamo=False,
    )
    return file


def jar_of(exported: Path, folder: Path) -> Path:
    file = folder / "small.jar"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
        archive.write(exported, "small-en.onnx")
        archive.write(BUNDLED / "reranker" / TOKENIZER, "small-en-tokenizer.json")
    return file


def test_the_folder_reads_as_what_was_published(
    exported: Path, published: torch.nn.Module, tmp_path: Path
) -> None:
    numbered = [each.name for each in onnx.load(exported).graph.initializer]
    assert sum(name.startswith("onnx::MatMul_") for name in numbered) == 2 * 6
    write_start(jar_of(exported, tmp_path), tmp_path)
    inputs = {"input_ids": TOKENS, "attention_mask": (TOKENS > 0).long()}
    with torch.no_grad():
        was, now = (
            network(**inputs).last_hidden_state
            for network in (published, load_trunk(tmp_path).eval())
        )
    assert torch.allclose(was, now, atol=1e-5)
    assert load_tokenizer(tmp_path).encode("hello").ids == [101, 7592, 102]
    assert start_of(tmp_path) == tmp_path


@pytest.mark.parametrize("name", ["none.jar", "text.jar", "empty.jar"])
def test_what_holds_no_model_is_named_with_what_to_get(name: str, tmp_path: Path) -> None:
    (tmp_path / "text.jar").write_text("not a jar")
    with zipfile.ZipFile(tmp_path / "empty.jar", "w") as archive:
        archive.writestr("README", "nothing")
    with pytest.raises(CannotTrain, match=rf"{name} holds no BERT.*{ARTEFACT}"):
        write_start(tmp_path / name, tmp_path / "start")


@pytest.mark.parametrize("folder", [None, Path("nowhere")])
def test_without_a_start_it_is_said_how_to_get_one(folder: Path | None) -> None:
    with pytest.raises(CannotTrain, match=rf"{ARTEFACT}.*retrieval\.training start JAR.*--start"):
        start_of(folder)


@pytest.mark.parametrize(
    "command",
    [
        ("train", "embedder", "--data", "none"),
        ("start", "none.jar"),
    ],
)
def test_each_command_says_what_it_starts_from(command: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "retrieval.training", *command, "--out", tmp_path / "out"],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.returncode == 1
    assert ARTEFACT in done.stderr
    assert "Traceback" not in done.stderr
