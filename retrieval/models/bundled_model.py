"""A model in the form that ships with Vouch is read and checked when it is first used."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from retrieval.errors import ModelUnavailable
from retrieval.models.onnx import OnnxModel

MANIFEST = "model.json"
NETWORK = "model_int8.onnx"
TOKENIZER = "tokenizer.json"
WORDS = "words.npz"
"""Word embeddings, which may stand in a folder above, for several models."""
WHAT = {
    "embedder": "text: unit vector",
    "reranker": "question, passage: logit",
    "entailment": "passage, claim: logits of entailment, neutral, contradiction",
}
"""What goes in and what comes out, by the kind of model."""


@dataclass(frozen=True, slots=True)
class ModelManifest:
    """It is the content of `model.json`, written last: without it a folder is unfinished."""

    name: str
    what: str
    """One of `WHAT`."""
    max_tokens: int
    """Longer texts are cut; as in training."""
    source: str
    """What it was made from."""
    files: Mapping[str, str]
    """SHA-256 in hexadecimal by path from the folder."""

    @property
    def identity(self) -> str:
        """The name with a short hash of all files: other weights are another model."""
        return identity_of(self.name, self.files.values())

    @property
    def words(self) -> str | None:
        """The path of the word embeddings; None where the network has them."""
        return next((file for file in self.files if Path(file).name == WORDS), None)

    def check(self, folder: Path, kind: str) -> None:
        """Raise `ModelUnavailable` for another kind, and a file missing or not what it was."""
        if self.what != WHAT[kind]:
            raise _unusable(folder, f"it is no {kind} model, but reads and says {self.what!r}")
        for file, digest in self.files.items():
            try:
                found = digest_of(folder / file)
            except OSError as error:
                raise _unusable(folder, f"{file}: {error.strerror}") from error
            if found != digest:
                raise _unusable(folder, f"{file} is damaged")

    def write(self, folder: Path) -> None:
        text = json.dumps(asdict(self), indent=2) + "\n"
        (folder / MANIFEST).write_text(text, encoding="utf-8")


def read_manifest(folder: Path) -> ModelManifest:
    """Raise `ModelUnavailable` where the folder holds no finished model."""
    try:
        content = json.loads((folder / MANIFEST).read_bytes())
        return ModelManifest(
            str(content["name"]),
            str(content["what"]),
            int(content["max_tokens"]),
            str(content["source"]),
            _files(content["files"]),
        )
    except OSError as error:
        raise _unusable(folder, f"{MANIFEST}: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _unusable(folder, f"{MANIFEST} is damaged") from error


def _files(stated: Mapping[object, object]) -> dict[str, str]:
    """Raise `KeyError` where a file is missing without which there is no model."""
    files = {str(file): str(digest) for file, digest in stated.items()}
    return {NETWORK: files.pop(NETWORK), TOKENIZER: files.pop(TOKENIZER), **files}


def identity_of(name: str, digests: Iterable[str]) -> str:
    """The name with a short hash of all files' hashes."""
    together = hashlib.sha256("".join(sorted(digests)).encode())
    return f"{name} ({together.hexdigest()[:8]})"


def digest_of(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _unusable(folder: Path, reason: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The model in {folder} cannot be used ({reason}). "
        "Install Vouch again if it is a bundled one, or name another model in the settings."
    )


BUNDLED = Path(__file__).parent / "bundled"
"""A folder for each: `embedder`, `reranker`, `entailment`; and the word embeddings of all."""


def in_shipped_form(folder: Path) -> bool:
    """Whether it is, as far as its files' names tell; a folder that is closed to us is not."""
    return any(folder.glob(MANIFEST))


class BundledModel:
    """It is ONNX int8 with a tokenizer; whatever reads a file may raise `ModelUnavailable`."""

    def __init__(self, kind: str, folder: Path | None, threads: int) -> None:
        """`kind` is one of `WHAT`; no folder stands for the bundled one."""
        self._kind = kind
        self._folder = folder or BUNDLED / kind
        self._threads = threads

    @property
    def name(self) -> str:
        """Reads `model.json` alone: whoever asks for a name waits for no model."""
        return self._manifest.identity

    @cached_property
    def _manifest(self) -> ModelManifest:
        return read_manifest(self._folder)

    @cached_property
    def _model(self) -> OnnxModel:
        self._manifest.check(self._folder, self._kind)
        network, tokenizer = self._folder / NETWORK, self._folder / TOKENIZER
        stated = self._manifest.words
        words = None if stated is None else self._folder / stated
        return OnnxModel(network, tokenizer, self._manifest.max_tokens, self._threads, words)
