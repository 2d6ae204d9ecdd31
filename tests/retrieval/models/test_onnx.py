"""Int8 sums are exact on every processor, and threads are as many as the bot may use."""

import os
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from retrieval.models import onnx as models
from retrieval.models.bundled_model import BUNDLED, NETWORK, TOKENIZER, WORDS
from retrieval.models.onnx import (
    MOST,
    PRECISION,
    WEIGHTS,
    OnnxModel,
    adds_exactly,
    fast_kernels_are_exact,
    session,
    usable_processors,
)

TEXTS = [
    ("", ""),
    ("a", "b"),
    ("how much leave do I have", "Staff have 25 days of annual leave a year."),
    ("été ☃ 12,5 % 中文", "| 4/10s | 80 h | § 12 (3) |"),
    ("may I carry days over", "Up to five days may be carried over to March. " * 40),
    ("1 2 3 4 5 6 7 8 9 0", "zzzz qqqq 000 !!! ??? --- ___ " * 20),
]


def added_in_sixteen_bits(rows: NDArray[np.uint8]) -> NDArray[np.int32]:
    """As vpmaddubsw does it, which stands in for a processor without VNNI: neighbours together."""
    products = rows.astype(np.int32)[:, :, None] * WEIGHTS.astype(np.int32)
    pairs = products[:, 0::2] + products[:, 1::2]
    return np.asarray(np.clip(pairs, -32_768, 32_767).sum(axis=1), np.int32)


def added_exactly(rows: NDArray[np.uint8]) -> NDArray[np.int32]:
    return rows.astype(np.int32) @ WEIGHTS.astype(np.int32)


AT_LENGTH = [
    pytest.param(kind, marks=pytest.mark.exhaustive) for kind in ("embedder", "entailment")
]


@pytest.mark.parametrize("kind", ["reranker", *AT_LENGTH])
def test_a_shipped_model_says_the_same_to_the_last_bit_as_by_precise_kernels(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = (BUNDLED / kind / NETWORK, BUNDLED / kind / TOKENIZER)
    ours = OnnxModel(*files, max_tokens=512, words=BUNDLED / WORDS)
    monkeypatch.setattr(models, "session", lambda network: session(network, precise=True))
    precise = OnnxModel(*files, max_tokens=512, words=BUNDLED / WORDS)
    assert np.array_equal(ours(TEXTS), precise(TEXTS))


def test_sums_that_are_cut_off_are_noticed() -> None:
    assert adds_exactly(added_exactly)
    assert not adds_exactly(added_in_sixteen_bits)
    assert not adds_exactly(lambda rows: added_exactly(rows).clip(-8_000_000, None))


@pytest.mark.parametrize("exact", [True, False])
def test_precise_kernels_are_taken_only_where_the_fast_ones_are_not_exact(
    exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "fast_kernels_are_exact", lambda: exact)
    options = session(str(BUNDLED / "embedder" / NETWORK)).get_session_options()
    assert options.get_session_config_entry(PRECISION) == ("0" if exact else "1")


def test_what_is_asked_of_the_kernels_is_a_valid_network() -> None:
    network = onnx.load_from_string(models._network())  # noqa: SLF001  # no other door to it
    onnx.checker.check_model(network, full_check=True)
    assert isinstance(fast_kernels_are_exact(), bool)


def test_int8_products_do_not_overflow_on_any_processor() -> None:
    """Where they do, a probability moves with the machine that it is computed on."""
    length = 64
    weights = onnx.helper.make_tensor("w", onnx.TensorProto.INT8, [length, 1], [127] * length)
    node = onnx.helper.make_node("MatMulInteger", ["x", "w"], ["y"])
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.UINT8, [1, length])
    y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.INT32, [1, 1])
    graph = onnx.helper.make_graph([node], "sum", [x], [y], [weights])
    opsets = [onnx.helper.make_opsetid("", 17)]
    model = onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8)
    [found] = session(model.SerializeToString()).run(
        None, {"x": np.full((1, length), 255, np.uint8)}
    )
    assert found.item() == 255 * 127 * length


OWN = "system.slice/vouch.service"


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six processors, which no test can choose to have."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(6)), raising=False)


def usable(folder: Path, granted: dict[str, str], own: str = f"0::/{OWN}") -> int:
    cgroups, own_file = folder / "cgroup", folder / "own"
    for group, content in granted.items():
        (cgroups / group).mkdir(parents=True, exist_ok=True)
        (cgroups / group / "cpu.max").write_text(content)
    own_file.write_text(f"3:cpuset:/\n{own}\n")
    return usable_processors(cgroups, own_file)


@pytest.mark.parametrize(
    ("granted", "expected"),
    [
        ({}, 6),
        ({OWN: "max 100000\n"}, 6),
        ({OWN: "200000 100000\n"}, 2),
        ({OWN: "150000 100000\n"}, 2),
        ({OWN: "10000 100000\n"}, 1),
        ({OWN: "max 100000\n", "system.slice": "300000 100000\n"}, 3),
        ({"": "400000 100000\n", OWN: "900000 100000\n"}, 4),
        ({"another.slice": "100000 100000\n"}, 6),
        ({OWN: "unreadable\n"}, 6),
    ],
)
def test_a_control_group_may_grant_fewer(
    granted: dict[str, str], expected: int, tmp_path: Path
) -> None:
    assert usable(tmp_path, granted) == expected


def test_a_container_sees_its_own_group_as_the_top(tmp_path: Path) -> None:
    assert usable(tmp_path, {"": "200000 100000"}, own="0::/") == 2


def test_a_large_machine_is_not_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)))
    assert usable(tmp_path, {}) == MOST


def test_where_there_is_neither_the_machine_has_its_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert usable_processors(tmp_path, tmp_path / "none") == 3
