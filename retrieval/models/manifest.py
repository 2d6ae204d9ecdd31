"""A shipped model's folder says what it is, and can be seen to be whole."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from retrieval.errors import ModelUnavailable

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
class Manifest:
    """It is the content of `model.json`, written last: without it a folder is unfinished."""

    name: str
    """With its version."""
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


def read_manifest(folder: Path) -> Manifest:
    """Raise `ModelUnavailable` where the folder holds no finished model."""
    try:
        content = json.loads((folder / MANIFEST).read_bytes())
        return Manifest(
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
