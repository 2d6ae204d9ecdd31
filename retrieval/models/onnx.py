"""Running a small BERT-like model on the CPU with ONNX Runtime alone.

Importing PyTorch costs a second and sentence-transformers three more, which a person
at the command line would wait for; the bundled models need neither.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelUnavailable

if TYPE_CHECKING:
    from tokenizers import Encoding

BATCH_SIZE = 4
"""Small batches of like length waste least on padding: measured on two cores, 50 pairs
of 93 words take 0.30 s in fours, 0.41 s in sixteens, 1.13 s at once."""


class OnnxModel:
    """A tokenizer and a network with one output row for each text or pair of texts."""

    def __init__(self, network: Path, tokenizer: Path, max_tokens: int, threads: int = 2) -> None:
        """Raise `ModelUnavailable` where a file is missing or damaged."""
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        try:
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
            self._session = onnxruntime.InferenceSession(
                str(network), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # both libraries raise bare Exception subclasses
            raise ModelUnavailable(
                f"The model in {network.parent} cannot be loaded ({error}). "
                "Install Vouch again, or name another model in the settings."
            ) from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)
        self._inputs = [each.name for each in self._session.get_inputs()]

    def __call__(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """The network's first output, shape (len(texts), outputs), in the order given."""
        encodings = self._tokenizer.encode_batch(list(texts))
        order = sorted(range(len(encodings)), key=lambda i: len(encodings[i].ids))
        rows: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(encodings)
        for start in range(0, len(order), BATCH_SIZE):
            batch = order[start : start + BATCH_SIZE]
            output = self._run([encodings[i] for i in batch])
            for i, row in zip(batch, output, strict=True):
                rows[i] = row
        return np.stack(rows) if rows else np.empty((0, 0), np.float32)

    def _run(self, encodings: "Sequence[Encoding]") -> NDArray[np.float32]:
        longest = max(len(encoding.ids) for encoding in encodings)

        def padded(values: list[list[int]]) -> NDArray[np.int64]:
            return np.array([row + [0] * (longest - len(row)) for row in values], np.int64)

        feeds = {
            "input_ids": padded([each.ids for each in encodings]),
            "attention_mask": padded([each.attention_mask for each in encodings]),
            "token_type_ids": padded([each.type_ids for each in encodings]),
        }
        output = self._session.run(None, {name: feeds[name] for name in self._inputs})[0]
        return np.asarray(output, np.float32)
