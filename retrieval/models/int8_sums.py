"""Whether this processor's fast kernels add int8 products exactly.

On x64 ONNX Runtime multiplies 0..255 by -128..127. Processors with VNNI or AMX add four products
in 32 bits. Others add neighbours in 16 bits, which hold 32,767 at most: 255 x 127 twice is cut off,
and every matrix of the shipped models has neighbours that are large enough for that. So the kernels
are asked for the largest sums there can be, before any model relies on them.
"""

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

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
    """ONNX for y = x @ `WEIGHTS`, written by hand: the library `onnx` is not among what runs.

    Field numbers are those of onnx.proto3.
    """
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
