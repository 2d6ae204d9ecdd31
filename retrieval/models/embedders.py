"""The embedder is the bundled bi-encoder, any other by name, or a model on a server."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import EmbedderUnavailable, ModelUnavailable
from retrieval.models.bundled_model import BundledModel
from retrieval.models.named import CROSS_ENCODER, identity, load_named
from retrieval.models.openai_client import OpenAIClient

if TYPE_CHECKING:
    from collections.abc import Callable

    from openai import OpenAI


class BundledEmbedder(BundledModel):
    """It ships with Vouch as ONNX int8, and loads at its first use."""

    def __init__(self, folder: Path | None = None, threads: int = 2) -> None:
        """`folder` holds another in the same form."""
        super().__init__("embedder", folder, threads)

    @property
    def dimension(self) -> int:
        return self._model.width

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return self._model(texts)


class NamedEmbedder:
    """It has a folder's or a hub's name, and loads at its first use."""

    def __init__(self, setting: str) -> None:
        self._setting = setting

    @cached_property
    def name(self) -> str:
        return identity(self._setting)

    @property
    def dimension(self) -> int:
        return int(self._model.get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        vectors = self._model.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, np.float32)

    @cached_property
    def _model(self):  # type: ignore[no-untyped-def]  # the library's own, untyped here
        def load(source: str):  # type: ignore[no-untyped-def]  # the same
            from sentence_transformers import SentenceTransformer

            model = SentenceTransformer(source)
            config = getattr(model.transformers_model, "config", None)
            architectures = getattr(config, "architectures", None) or []
            if any(each.endswith(CROSS_ENCODER) for each in architectures):
                raise self._no_embedder()
            return model

        return load_named(self._setting, load)

    def _no_embedder(self) -> ModelUnavailable:
        """Its hidden layers would be averaged into vectors that mean nothing."""
        return ModelUnavailable(
            f"The model {self._setting!r} is no embedder: it reads two texts together. Name a "
            "bi-encoder in VOUCH_EMBEDDER instead, or leave it out for the bundled one."
        )


PREFIX = "openai:"
"""In front of the name of any model but those that OpenAI is known for."""
DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072}
"""As OpenAI documents them; any other model is asked once."""
TEXTS_AT_ONCE = 128
BYTES_AT_ONCE = 250_000
"""Of one request: OpenAI takes 300,000 tokens, and no token has less than a byte."""
LONGEST = 16_000
"""Characters that are sent of a text: OpenAI's models read 8,192 tokens, about four each."""
NOTHING = " "
"""Sent for an empty text, which the protocol refuses."""


@dataclass(frozen=True)
class OpenAIEmbedder:
    """It implements `Embedder`; the texts that it embeds leave this machine."""

    setting: str
    """One of `DIMENSIONS`, or any other model with `PREFIX` in front."""
    client: OpenAIClient
    host: str
    hide: "Callable[[str], str]" = field(repr=False)
    """Takes secrets out of what a server says."""

    @property
    def name(self) -> str:
        """As the setting has it, wherever the model is served: an index belongs to the model."""
        return self.setting

    @cached_property
    def dimension(self) -> int:
        """Known, or asked once. Raise `EmbedderUnavailable` where the server does not say."""
        known = DIMENSIONS.get(self.setting)
        return known or self._asked([NOTHING]).shape[1]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Raise `EmbedderUnavailable` where the server gives no vectors, or others than it said."""
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        made = [
            self._asked(some) for some in _batches([text[:LONGEST] or NOTHING for text in texts])
        ]
        vectors = np.concatenate(made) if len({each.shape[1] for each in made}) == 1 else made[0]
        if vectors.shape != (len(texts), self.dimension):
            raise self._nonsense(f"vectors of {vectors.shape[1]} numbers, not {self.dimension}")
        return vectors

    def _asked(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of one request's texts."""
        from openai import OpenAIError
        from pybreaker import CircuitBreakerError

        from retrieval.models.openai_client import ModelRequest, explanation, resting

        asked = ModelRequest(
            self.host,
            "The embedder",
            "VOUCH_EMBEDDER",
            "VOUCH_EMBEDDINGS_BASE_URL",
            "VOUCH_EMBEDDINGS_API_KEY",
        )
        try:
            return self._read(self.client.ask(lambda client: self._sent(client, texts)), len(texts))
        except CircuitBreakerError:
            raise EmbedderUnavailable(resting(asked)) from None
        except OpenAIError as error:
            # Without its cause: that holds the request, and may repeat the key.
            raise EmbedderUnavailable(explanation(error, asked, self.hide)) from None

    def _sent(self, client: "OpenAI", texts: Sequence[str]) -> bytes:
        """As numbers: not every server knows the client's own packed form."""
        response = client.embeddings.with_raw_response.create(
            model=self.setting.removeprefix(PREFIX), input=list(texts), encoding_format="float"
        )
        return response.http_response.content

    def _read(self, content: bytes, count: int) -> NDArray[np.float32]:
        """In the order of the texts, of length 1."""
        try:
            data: list[dict[str, Any]] = json.loads(content)["data"]
            placed = {int(each["index"]): each["embedding"] for each in data}
            vectors = np.array([placed[at] for at in range(count)], np.float32)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise self._nonsense("no vector for each text") from error
        if vectors.ndim != 2 or not vectors.shape[1]:
            raise self._nonsense("no vector for each text")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._nonsense("vectors that point nowhere")
        return np.asarray(vectors / lengths, np.float32)

    def _nonsense(self, what: str) -> EmbedderUnavailable:
        return EmbedderUnavailable(
            f"The embedder {self.setting} at {self.host} answers with {what}. The operator should "
            "check VOUCH_EMBEDDER and VOUCH_EMBEDDINGS_BASE_URL."
        )


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """In order, each small enough for one request."""
    batch: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode("utf-8", "replace"))
        if batch and (len(batch) == TEXTS_AT_ONCE or size + length > BYTES_AT_ONCE):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch
