"""Threads are as many as the bot may use processors, whatever the machine has."""

import os
from pathlib import Path

import pytest

from retrieval.models.onnx import MOST, usable_processors

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
