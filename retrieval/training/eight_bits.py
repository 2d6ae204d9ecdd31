"""The weights of a network are read back from a file that has them in eight bits.

Read are the eight bits in which Vouch ships its models (`int8`), and what ONNX Runtime's dynamic
quantisation writes of a BERT with a head, the form of Vouch's first models.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from retrieval.training.encoder import load_classifier, load_trunk

Arrays = Mapping[str, NDArray[Any]]
Parameters = Mapping[str, torch.nn.Parameter]
_OWN_PRODUCT = re.compile(r"^/(.+)/MatMul_output_0_unscaled$")
_EIGHT_BITS = re.compile(r"_(quantized|int8)$")
_PRODUCT = re.compile(r"/(bert/.+|classifier)/MatMul")


class NotRecoverable(ValueError):
    """The file has no weights for a part of the network."""


def recover(network_file: Path, trunk: Path) -> torch.nn.Module:
    """The network in float32; raise `NotRecoverable` where a weight is missing.

    Word embeddings are those of `trunk`: training leaves them as they are.
    """
    graph = onnx.load(network_file).graph
    arrays = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    labels = next((len(a) for name, a in arrays.items() if name.endswith("classifier.bias")), 0)
    headed = any("classifier" in name or "pooler" in name for name in arrays)
    if headed and not labels:
        raise NotRecoverable(f"{network_file} has no bias of a classifier")
    names = [str(number) for number in range(labels)]
    network = load_classifier(trunk, names, seed=0) if headed else load_trunk(trunk)
    parameters = dict(network.named_parameters())
    found = {
        **_kept_as_floats(arrays, parameters),
        **_products(graph, arrays, parameters),
        **_even_products(graph, arrays, parameters),
        **_embeddings(arrays, parameters),
    }
    words = next(name for name in parameters if name.endswith("word_embeddings.weight"))
    missing = sorted(set(parameters) - set(found) - {words})
    if missing:
        raise NotRecoverable(f"{network_file} has no {', '.join(missing[:3])}")
    for name in set(found) - {words}:
        parameters[name].data.copy_(torch.from_numpy(found[name].astype(np.float32)))
    return network


def _kept_as_floats(arrays: Arrays, parameters: Parameters) -> dict[str, NDArray[Any]]:
    own = ((_own(name, parameters), array) for name, array in arrays.items())
    return {name: array for name, array in own if name and array.dtype == np.float32}


def _products(
    graph: onnx.GraphProto, arrays: Arrays, parameters: Parameters
) -> dict[str, NDArray[Any]]:
    """Of the nodes that multiply: their names tell the layer, their input the weights."""
    found = {}
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            continue
        stem = node.input[1].removesuffix("_quantized")
        named = _PRODUCT.search(node.name)
        layer = f"{named[1].replace('/', '.')}.weight" if named else ""
        name = layer if layer in parameters else _own(stem, parameters)
        if name:
            found[name] = _floats(arrays, stem).T
    return found


def _even_products(
    graph: onnx.GraphProto, arrays: Arrays, parameters: Parameters
) -> dict[str, NDArray[Any]]:
    """Of `int8`: the size of each channel of what is read moved into the weights, and back here."""
    found = {}
    for node in graph.node:
        if node.op_type != "MatMulIntegerToFloat":
            continue
        layer = _OWN_PRODUCT.search(node.output[0])
        name = layer and _own(f"{layer[1].replace('/', '.')}.weight", parameters)
        if name:
            size = arrays[f"{node.input[0].removesuffix('_uint8')}_size"]
            found[name] = (arrays[node.input[1]] * arrays[node.input[3]] * size[:, None]).T
    return found


def _embeddings(arrays: Arrays, parameters: Parameters) -> dict[str, NDArray[Any]]:
    stems = [_EIGHT_BITS.sub("", name) for name in arrays if _EIGHT_BITS.search(name)]
    return {
        name: _floats(arrays, stem)
        for stem in stems
        if "embeddings" in stem and (name := _own(stem, parameters))
    }


def _floats(arrays: Arrays, stem: str) -> NDArray[Any]:
    quantised = next(
        arrays[name] for name in (f"{stem}_quantized", f"{stem}_int8") if name in arrays
    )
    zero = np.asarray(arrays.get(f"{stem}_zero_point", 0), np.float32)
    return cast("NDArray[Any]", (quantised.astype(np.float32) - zero) * arrays[f"{stem}_scale"])


def _own(name: str, parameters: Parameters) -> str | None:
    """The network's name of an array, which the exporter wrapped into others."""
    parts = name.split(".")
    suffixes = (".".join(parts[start:]) for start in range(len(parts)))
    return next((suffix for suffix in suffixes if suffix in parameters), None)
