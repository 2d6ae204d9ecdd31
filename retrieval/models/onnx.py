"""A small BERT-like model runs with ONNX Runtime alone, on the processors that may be used.

Importing PyTorch costs a second and sentence-transformers three more, which a person at the command
line would wait for; the bundled models need neither.

On x64 ONNX Runtime multiplies 0..255 by -128..127. Processors with VNNI or AMX add four products in
32 bits. Others add neighbours in 16 bits, which hold 32,767 at most: 255 x 127 twice is cut off,
and every matrix of the shipped models has neighbours that are large enough for that. So the kernels
are asked for the largest sums there can be, before any model relies on them.
"""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from retrieval.errors import ModelUnavailable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding


class WordEmbeddings:
    """A table of int8 whose rows, one for each word piece, have a scale each."""

    def __init__(self, whole: NDArray[np.int8], scale: NDArray[np.float32]) -> None:
        """`whole`: shape (word pieces, width); `scale`: shape (word pieces, 1)."""
        self._whole, self._scale = whole, scale

    def __call__(self, ids: Sequence[int]) -> NDArray[np.float32]:
        """Shape (len(ids), width)."""
        rows = list(ids)
        return np.asarray(self._whole[rows] * self._scale[rows], np.float32)

    def write(self, file: Path) -> None:
        with file.open("wb") as into:
            np.savez(into, int8=self._whole, scale=self._scale)


@cache
def read_words(file: Path) -> WordEmbeddings:
    """Once in a process, however many models share it; raise `OSError` or `ValueError`."""
    with np.load(file, allow_pickle=False) as arrays:
        return WordEmbeddings(arrays["int8"], arrays["scale"])


Products = Callable[[NDArray[np.uint8]], NDArray[np.int32]]
"""Rows of uint8, shape (rows, `LENGTH`), times `WEIGHTS`."""
LENGTH, COLUMNS = 256, 48
"""More than any kernel takes at once, and some left over by most."""
ROWS = (1, 2, 3, 16, 33)
"""Kernels of their own take one row, a few, or a tile of sixteen."""
LARGEST, SMALLEST = 127, -128
WEIGHTS = np.tile(np.array([LARGEST, SMALLEST], np.int8), (LENGTH, COLUMNS // 2))
"""Shape (`LENGTH`, `COLUMNS`): each column all the largest or all the smallest."""


def adds_exactly(products: Products) -> bool:
    """Whether no sum is cut off where both factors are as large as eight bits allow."""
    exact = WEIGHTS.astype(np.int64)
    return all(
        np.array_equal(products(rows), rows.astype(np.int64) @ exact) for rows in _largest_rows()
    )


@cache
def fast_kernels_are_exact() -> bool:
    """Of this processor; found out in a few milliseconds, once in a process."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    fast = onnxruntime.InferenceSession(_network(), options, providers=["CPUExecutionProvider"])
    return adds_exactly(lambda rows: np.asarray(fast.run(None, {"x": rows})[0], np.int32))


def _largest_rows() -> Iterator[NDArray[np.uint8]]:
    """All 255, and every second one or pair: neighbours, and what lies between them."""
    for rows in ROWS:
        yield np.full((rows, LENGTH), 255, np.uint8)
        yield np.tile(np.array([255, 0], np.uint8), (rows, LENGTH // 2))
        yield np.tile(np.array([255, 255, 0, 0], np.uint8), (rows, LENGTH // 4))


def _network() -> bytes:
    """ONNX for y = x @ `WEIGHTS`, written by hand; field numbers are those of onnx.proto3."""
    int8, uint8, int32 = 3, 2, 6
    sizes = _number(1, LENGTH) + _number(1, COLUMNS)
    weights = sizes + _number(2, int8) + _text(8, "w") + _bytes(9, WEIGHTS.tobytes())
    node = _text(1, "x") + _text(1, "w") + _text(2, "y") + _text(4, "MatMulInteger")
    graph = _bytes(1, node) + _text(2, "largest_sums") + _bytes(5, weights)
    graph += _bytes(11, _value("x", uint8, LENGTH)) + _bytes(12, _value("y", int32, COLUMNS))
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _text(1, "") + _number(2, 17))


def _value(name: str, kind: int, width: int) -> bytes:
    """A tensor with any number of rows."""
    shape = _bytes(1, _text(2, "rows")) + _bytes(1, _number(1, width))
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the eighth says that more follow."""
    if number < 128:
        return bytes([number])
    return bytes([number & 127 | 128]) + _varint(number >> 7)


MOST = 8
"""Each thread has a text of its own in work, which takes memory; 50 candidates gain little more."""
CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUP = Path("/proc/self/cgroup")


def usable_processors(cgroups: Path = CGROUPS, own: Path = OWN_CGROUP) -> int:
    """From 1 to `MOST`: those that it may run on, or its control groups (v2) grant, rounded up."""
    shares = [_share(folder / "cpu.max") for folder in _groups(cgroups, own)]
    return max(1, math.ceil(min(MOST, _allowed(), *shares)))


def _allowed() -> int:
    if hasattr(os, "sched_getaffinity"):  # on Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _groups(cgroups: Path, own: Path) -> Iterator[Path]:
    """The process's own group and those above it: each may grant less."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:  # no Linux
        return
    for line in lines:
        if line.startswith("0::/"):
            path = PurePosixPath(line.removeprefix("0::/"))
            yield from (cgroups / each for each in (path, *path.parents))


def _share(file: Path) -> float:
    """Of a file such as `150000 100000`, microseconds in each period; `max` for all."""
    try:
        granted, period = file.read_text(encoding="utf-8").split()
        return math.inf if granted == "max" else int(granted) / int(period)
    except (OSError, ValueError, ZeroDivisionError):  # the top group has no such file
        return math.inf


WORDS_INPUT = "words"
"""Of a network without word embeddings: theirs, shape (texts, tokens, width)."""
PRECISION = "session.x64quantprecision"
"""Of ONNX Runtime: 1 for the kernels that add int8 products in 32 bits, 0 for the fast ones."""


def session(network: str | bytes, precise: bool | None = None) -> "InferenceSession":
    """One that computes the same on every processor, to the last bit.

    None takes the precise kernels, up to 1.8 times slower, only where the fast ones are not exact.
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

    Each text is run alone, several at a time on threads of their own, so that its row is the same
    to the last bit whatever stands beside it; that is faster than batches, too.
    """

    def __init__(
        self,
        network: Path,
        tokenizer: Path,
        max_tokens: int,
        threads: int = 2,
        words: Path | None = None,
    ) -> None:
        """`words`: a file; None where the network has them. Raise `ModelUnavailable`."""
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
