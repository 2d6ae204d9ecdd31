"""An index is filled block by block; whoever is stopped goes on where they stood."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from bot.evaluation.scale.made_up import BLOCK, MadeUp
from bot.evaluation.scale.values import Filling
from retrieval.ports import PassageIndex

NOTED = "filled.json"
AT_ONCE = 2_500
"""Passages in one writing."""

Progress = Callable[[int, int, str], None]


def filling_in(folder: Path, rules: int) -> Filling:
    """How far a former run came in this folder. Raise `ValueError` where it had other rules."""
    noted = folder / NOTED
    if not noted.exists():
        return Filling(rules)
    filling = Filling(**json.loads(noted.read_text()))
    if filling.rules != rules:
        raise ValueError(f"{folder} was filled under {filling.rules} rules; name another folder")
    return filling


def fill(
    index: PassageIndex,
    made_up: MadeUp,
    blocks: int,
    folder: Path,
    memory: Callable[[], float | None],
    progress: Progress,
) -> Filling:
    """Fill it with so many blocks, and fold them in. Raise `ValueError` where it holds more.

    The block in which a former run was stopped is written again, which changes nothing.
    """
    filling = filling_in(folder, made_up.rules)
    if filling.blocks > blocks:
        held = filling.blocks * BLOCK
        raise ValueError(f"{folder} holds {held:,} passages already; name another folder")
    for block in range(filling.blocks, blocks):
        progress(block, blocks, f"{block * BLOCK:,} passages")
        seconds = _write(index, made_up, block)
        filling = replace(
            filling,
            blocks=block + 1,
            seconds=filling.seconds + seconds,
            peak_megabytes=memory(),
            folded=False,
        )
        _note(folder, filling)
    if not filling.folded:
        progress(blocks, blocks, "folding in")
        start = time.perf_counter()
        index.optimize()
        seconds = time.perf_counter() - start
        filling = replace(
            filling,
            seconds=filling.seconds + seconds,
            folding_seconds=seconds,
            peak_megabytes=memory(),
            folded=True,
        )
        _note(folder, filling)
    return filling


def _write(index: PassageIndex, made_up: MadeUp, block: int) -> float:
    """Return the seconds that the engine took."""
    entries = made_up.entries(block)
    start = time.perf_counter()
    for first in range(0, BLOCK, AT_ONCE):
        index.upsert(entries[first : first + AT_ONCE])
    return time.perf_counter() - start


def _note(folder: Path, filling: Filling) -> None:
    """Whole or not at all."""
    new = folder / f"{NOTED}.new"
    new.write_text(json.dumps(asdict(filling)))
    new.replace(folder / NOTED)
