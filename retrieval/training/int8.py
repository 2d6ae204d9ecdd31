"""A float32 network in ONNX becomes one that computes in eight bits.

ONNX Runtime's own dynamic quantisation takes one scale for a whole tensor, which a few large
channels and word pieces make coarse. Here each word piece has a scale of its own, and channels are
evened out first (SmoothQuant, Xiao et al. 2023): cosines of an embedder are off by 0.003 on
average instead of 0.008.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from retrieval.models.onnx import WORDS_INPUT, WordEmbeddings

Floats = NDArray[np.float32]
EVENING = 0.5
"""How much of a channel's size moves into the weights: 0 nothing, 1 all. Of 0.5, 0.6 and
0.7 the closest to float32 on handbook passages."""
LOOKS = 12
"""Random texts by which the sizes of channels are known: as good as real ones, since what
is large is so whatever is read."""
SEED = 0
WORDS = (1996, 29_000)
"""Ids of whole words and word pieces in BERT's uncased vocabulary."""
FIRST, LAST = 101, 102
"""Ids of [CLS] and [SEP]."""
WORD_TABLE = "word_embeddings.weight"
LARGE_TABLE = 256
"""Rows from which another embedding table is worth keeping in eight bits."""
SMALLEST = 1e-6
"""Scales are no less, so that a row or column of zeros divides by something."""
MICROSOFT = "com.microsoft"


def quantise(network: Path, quantised: Path, words: Path) -> None:
    """Write weights, and products with them, in eight bits; the word embeddings into `words`."""
    model = onnx.load(str(network))
    quantiser = _Quantiser(model.graph, _seen_by_products(network))
    quantiser.rewrite()
    model.opset_import.append(helper.make_opsetid(MICROSOFT, 1))
    onnx.save(model, str(quantised))
    quantiser.words().write(words)


def _seen_by_products(network: Path) -> dict[str, Floats]:
    """What reaches each product with weights, by tensor name; a row for each word piece."""
    model = onnx.load(str(network))
    names = sorted({node.input[0] for node in _products(model.graph)})
    model.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names
    )
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    inputs = {each.name for each in session.get_inputs()}
    runs = [
        session.run(names, {k: v for k, v in feeds.items() if k in inputs})
        for feeds in _random_texts()
    ]
    return {
        name: np.concatenate([run[i].reshape(-1, run[i].shape[-1]) for run in runs])
        for i, name in enumerate(names)
    }


def _random_texts() -> Iterator[dict[str, NDArray[np.int64]]]:
    """Each as a pair of texts; a network that reads single texts is not misled by the types."""
    dice = np.random.default_rng(SEED)
    for length in dice.integers(16, 200, LOOKS):
        words = dice.integers(*WORDS, length)
        ids = np.concatenate([[FIRST], words, [LAST]])[None].astype(np.int64)
        types = (np.arange(ids.shape[1]) > length // 4).astype(np.int64)[None]
        yield {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}


def _products(graph: Any) -> list[Any]:  # onnx types its messages loosely
    """The matrix products of which one factor is weights."""
    weights = {each.name for each in graph.initializer}
    return [node for node in graph.node if node.op_type == "MatMul" and node.input[1] in weights]


class _Quantiser:
    def __init__(self, graph: Any, seen: dict[str, Floats]) -> None:
        self._graph = graph
        self._seen = seen
        self._weights = {each.name: each for each in graph.initializer}
        self._nodes: list[Any] = []
        self._replaced: set[str] = set()
        self._added: dict[str, Any] = {}
        self._size = self._sizes()
        self._rows: dict[str, int] = {}

    def rewrite(self) -> None:
        products = {node.output[0] for node in _products(self._graph)}
        for node in list(self._graph.node):
            if node.output[0] in products:
                self._product(node)
            elif node.op_type == "Gather" and node.input[0].endswith(WORD_TABLE):
                self._take_out(node)
            elif node.op_type == "Gather" and self._is_large_table(node.input[0]):
                self._look_up(node)
            else:
                self._nodes.append(node)
        kept = [each for each in self._graph.initializer if each.name not in self._replaced]
        del self._graph.node[:]
        del self._graph.initializer[:]
        self._graph.node.extend(self._nodes)
        self._graph.initializer.extend([*kept, *self._added.values()])

    def _sizes(self) -> dict[str, Floats]:
        """By tensor the divisor of each channel, one for all products that read it."""
        heaviest: dict[str, Floats] = {}
        for node in _products(self._graph):
            largest = np.abs(self._array(node.input[1])).max(axis=1)
            before = heaviest.get(node.input[0], largest)
            heaviest[node.input[0]] = np.maximum(before, largest)
        return {
            name: _evened(np.abs(self._seen[name]).max(axis=0), weight)
            for name, weight in heaviest.items()
        }

    def _product(self, node: Any) -> None:
        seen, (result,) = node.input[0], node.output
        weights = self._array(node.input[1]) * self._size[seen][:, None]
        scale = np.maximum(np.abs(weights).max(axis=0) / 127, SMALLEST)
        zero = self._rows_of(seen)
        whole = self._constant(f"{node.input[1]}_int8", _rounded(weights / scale))
        scales = self._constant(f"{node.input[1]}_scale", scale.astype(np.float32))
        one = self._constant("int8_one", np.array(1, np.float32))
        middle = self._constant(f"int8_zero_{zero}", np.array(zero, np.uint8))
        self._replaced.add(node.input[1])
        self._add(
            "MatMulIntegerToFloat",
            [f"{seen}_uint8", whole, one, scales, middle],
            f"{result}_unscaled",
            domain=MICROSOFT,
        )
        self._add("Mul", [f"{result}_unscaled", f"{seen}_column"], f"{result}_rows")
        self._add("Reshape", [f"{result}_rows", f"{seen}_shape"], result)

    def _rows_of(self, seen: str) -> int:
        """Nodes that scale each row of a tensor into 0 to 255; the number that stands for 0."""
        if seen in self._rows:
            return self._rows[seen]
        size = self._size[seen]
        zero = self._rows[seen] = _zero_of(self._seen[seen] / size)
        flat = self._constant(f"int8_flat_{len(size)}", np.array([-1, len(size)], np.int64))
        last = self._constant("int8_last", np.array([1], np.int64))
        rest = self._constant("int8_rest", np.array([-1], np.int64))
        divisor = self._constant(f"{seen}_size", (1 / size).astype(np.float32))
        above = self._constant(f"int8_above_{zero}", np.array(1 / (255 - zero), np.float32))
        below = self._constant(f"int8_below_{zero}", np.array(-1 / zero, np.float32))
        least = self._constant("int8_least", np.array(SMALLEST, np.float32))
        self._add("Reshape", [seen, flat], f"{seen}_flat")
        self._add("Mul", [f"{seen}_flat", divisor], f"{seen}_even")
        self._add("ReduceMax", [f"{seen}_even", last], f"{seen}_high", keepdims=0)
        self._add("ReduceMin", [f"{seen}_even", last], f"{seen}_low", keepdims=0)
        self._add("Mul", [f"{seen}_high", above], f"{seen}_by_high")
        self._add("Mul", [f"{seen}_low", below], f"{seen}_by_low")
        self._add("Max", [f"{seen}_by_high", f"{seen}_by_low", least], f"{seen}_scale")
        self._add("Shape", [f"{seen}_scale"], f"{seen}_number")
        middle = helper.make_tensor("value", TensorProto.UINT8, [1], [zero])
        self._add("ConstantOfShape", [f"{seen}_number"], f"{seen}_zero", value=middle)
        scaled = [f"{seen}_even", f"{seen}_scale", f"{seen}_zero"]
        self._add("QuantizeLinear", scaled, f"{seen}_uint8", axis=0)
        self._add("Unsqueeze", [f"{seen}_scale", last], f"{seen}_column")
        self._add("Shape", [seen], f"{seen}_before", start=0, end=-1)
        self._add("Concat", [f"{seen}_before", rest], f"{seen}_shape", axis=0)
        return zero

    def words(self) -> WordEmbeddings:
        """The word embeddings that `rewrite` took out."""
        [table] = [name for name in self._replaced if name.endswith(WORD_TABLE)]
        return WordEmbeddings(*_by_rows(self._array(table)))

    def _take_out(self, node: Any) -> None:
        """The word embeddings, which the network is given instead."""
        table, (result,) = node.input[0], node.output
        width = self._weights[table].dims[1]
        shape = ["texts", "tokens", width]
        given = helper.make_tensor_value_info(WORDS_INPUT, TensorProto.FLOAT, shape)
        self._graph.input.append(given)
        self._replaced.add(table)
        self._add("Identity", [WORDS_INPUT], result)

    def _look_up(self, node: Any) -> None:
        """An embedding table, with a scale for each of its rows."""
        (table, ids), (result,) = node.input, node.output
        rows, scale = _by_rows(self._array(table))
        whole = self._constant(f"{table}_int8", rows)
        scales = self._constant(f"{table}_scale", scale)
        self._replaced.add(table)
        self._add("Gather", [whole, ids], f"{result}_int8")
        self._add("Cast", [f"{result}_int8"], f"{result}_whole", to=TensorProto.FLOAT)
        self._add("Gather", [scales, ids], f"{result}_scale")
        self._add("Mul", [f"{result}_whole", f"{result}_scale"], result)

    def _is_large_table(self, name: str) -> bool:
        return name in self._weights and self._weights[name].dims[0] >= LARGE_TABLE

    def _array(self, name: str) -> Floats:
        return np.asarray(numpy_helper.to_array(self._weights[name]), np.float32)

    def _constant(self, name: str, value: NDArray[Any]) -> str:
        self._added[name] = numpy_helper.from_array(value, name)
        return name

    def _add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> None:
        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))


def _evened(seen: Floats, weights: Floats) -> Floats:
    sizes = np.maximum(seen, SMALLEST) ** EVENING / np.maximum(weights, SMALLEST) ** (1 - EVENING)
    return np.asarray(sizes / np.exp(np.log(sizes).mean()), np.float32)


def _zero_of(rows: Floats) -> int:
    """Where 0 lies between 0 and 255 so that both ends of a common row are used."""
    low, high = -rows.min(axis=1), rows.max(axis=1)
    return int(np.clip(round(255 * float((low / (low + high)).mean())), 1, 254))


def _by_rows(weights: Floats) -> tuple[NDArray[np.int8], Floats]:
    """In eight bits, and the scale of each row, shape (rows, 1)."""
    scale = np.maximum(np.abs(weights).max(axis=1, keepdims=True) / 127, SMALLEST)
    return _rounded(weights / scale), scale.astype(np.float32)


def _rounded(values: Floats) -> NDArray[np.int8]:
    return np.clip(np.rint(values), -127, 127).astype(np.int8)
