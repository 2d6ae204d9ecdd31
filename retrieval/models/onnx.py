"""A small BERT-like model runs on the CPU with ONNX Runtime alone.

Importing PyTorch costs a second and sentence-transformers three more, which a person
at the command line would wait for; the bundled models need neither.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelUnavailable
from retrieval.models.int8_sums import fast_kernels_are_exact
from retrieval.models.words import read_words

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding

WORDS_INPUT = "words"
"""Of a network without word embeddings: theirs, shape (texts, tokens, width)."""
PRECISION = "session.x64quantprecision"
"""Of ONNX Runtime: 1 for the kernels that add int8 products in 32 bits, 0 for the fast ones."""


def session(network: str | bytes, precise: bool | None = None) -> "InferenceSession":
    """One that computes the same on every processor, to the last bit.

    The precise kernels add int8 products in 32 bits on any x64 processor, and take up to 1.8
    times as long for a whole network; None takes them only where the fast ones are not exact.
    """
    import onnxruntime

    if precise is None:
        precise = not fast_kernels_are_exact()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_session_config_entry(PRECISION, str(int(precise)))
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])


class OnnxModel:
    """A tokenizer and a network give one output row for each text or pair of texts.

    Each text is run alone, several at a time on threads of their own, so that its row is
    the same to the last bit whatever stands beside it. Where int8 arithmetic has one scale
    for a whole tensor, a batch would move a score by up to 0.6 of a logit; with a scale for
    each word piece, as `training.int8` makes them, by the last bits. It is faster, too: 50
    pairs of 93 words take 0.26 s on two cores, and 0.30 s in the best batches.
    """

    def __init__(
        self,
        network: Path,
        tokenizer: Path,
        max_tokens: int,
        threads: int = 2,
        words: Path | None = None,
    ) -> None:
        """`words` has the word embeddings; None where the network has them itself.

        Raise `ModelUnavailable` where a file is missing or damaged.
        """
        from tokenizers import Tokenizer

        try:
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
            self._session = session(str(network))
            self._words = words and read_words(words)
        except Exception as error:  # both libraries raise bare Exception subclasses
            raise ModelUnavailable(
                f"The model in {network.parent} cannot be loaded ({error}). "
                "Install Vouch again if it is a bundled one, or name another model in the settings."
            ) from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)
        self._inputs = [each.name for each in self._session.get_inputs()]
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=network.parent.name)

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return int(self._session.get_outputs()[0].shape[1])

    def __call__(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """The network's first output, shape (len(texts), outputs), in the order given."""
        encodings = self._tokenizer.encode_batch(list(texts))
        return np.stack(list(self._threads.map(self._run, encodings)))

    def _run(self, encoding: "Encoding") -> NDArray[np.float32]:
        feeds = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        named: dict[str, NDArray[np.int64] | NDArray[np.float32]] = {
            name: np.array([feeds[name]], np.int64) for name in self._inputs if name != WORDS_INPUT
        }
        if self._words:
            named[WORDS_INPUT] = self._words(encoding.ids)[None]
        return np.asarray(self._session.run(None, named)[0][0], np.float32)
