"""The program run inside the tests' own process: as a person would, without waiting for imports.

Whatever a command changes of its process is put back when it ends, so that none meets another's:
environment, folder, umask, streams, log handlers and levels, filters of warnings. What a process
of its own would give up with its end, such as connections to databases, is given up here too.
"""

import gc
import io
import logging
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import loaded_once
import numpy as np
import typer.main
from numpy.typing import NDArray
from warm_parsing import warm_pool

from bot.cli import main
from retrieval.ingest import parser_pool
from retrieval.models import bundled_model
from retrieval.models.onnx import OnnxModel
from retrieval.search import query_understanding

COLUMNS = "80"
"""Of a terminal that nobody knows."""
CALLED = "bot.cli"
"""As which typer says that the program was called: `python -m bot.cli`."""


def run(
    arguments: Sequence[str], environment: Mapping[str, str], folder: str, typed: str
) -> tuple[int, str, str]:
    """Exit status, standard output and standard error; what was not foreseen is raised."""
    out, err = _Stream("strict"), _Stream("backslashreplace")
    said = io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8")
    changes: Sequence[AbstractContextManager[object]] = (
        _umask(),
        _logging(),
        warnings.catch_warnings(),
        _folder(folder),
        patch.dict(os.environ, {"COLUMNS": COLUMNS, **environment}, clear=True),
        patch.multiple(sys, stdin=said, stdout=out, stderr=err, excepthook=sys.excepthook),
        patch.object(sys, "argv", ["__main__.py", *arguments]),
        patch.object(sys.modules["__main__"], "__package__", CALLED),
        patch.object(typer.main, "get_command", _command),
        patch.object(bundled_model, "OnnxModel", _loaded),
        patch.object(parser_pool, "ParserPool", warm_pool),
        patch.object(query_understanding, "SpellingProposals", _spelling),
        _earlier_objects_left_alone(),
    )
    with ExitStack() as put_back:
        for change in changes:
            put_back.enter_context(change)
        status = _status()
        gc.collect()  # connections are closed with the container that opened them
    return status, out.text, err.text


def _status() -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


class _Stream(io.TextIOWrapper):
    """Standard output or error that leads to no terminal."""

    def __init__(self, errors: str) -> None:
        super().__init__(io.BytesIO(), "utf-8", errors, write_through=True)

    @property
    def text(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode()


class _ReadOnce:
    """Each text is read once: its row is the same whenever it is read, as `OnnxModel` promises."""

    def __init__(self, model: OnnxModel) -> None:
        self._model = model
        self._rows: dict[object, NDArray[np.float32]] = {}

    @property
    def width(self) -> int:
        return self._model.width

    def __call__(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        unread: list[Any] = [text for text in dict.fromkeys(texts) if text not in self._rows]
        if unread:
            self._rows.update(zip(unread, self._model(unread), strict=True))
        return np.stack([self._rows[text] for text in texts])


@cache
def _shipped(*of: Any) -> _ReadOnce:
    return _ReadOnce(loaded_once.shipped(*of))


def _loaded(network: Path, *others: Any) -> OnnxModel | _ReadOnce:
    load = _shipped if loaded_once.is_shipped(network) else OnnxModel
    return load(network, *others)


_command = cache(typer.main.get_command)
_spelling = cache(query_understanding.SpellingProposals)
"""Some tenths of a second, for what never changes."""


@contextmanager
def _earlier_objects_left_alone() -> Iterator[None]:
    """By garbage collection: only what the command itself left behind is looked through."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _folder(folder: str) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _umask() -> Iterator[None]:
    before = os.umask(0)
    os.umask(before)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def _logging() -> Iterator[None]:
    """As nobody has set it up yet; pytest's own handlers come back."""
    root, bot = logging.getLogger(), logging.getLogger("bot")
    before, levels = root.handlers[:], {each: each.level for each in (root, bot)}
    root.handlers.clear()
    root.setLevel(logging.WARNING)
    try:
        yield
    finally:
        root.handlers[:] = before
        for logger, level in levels.items():
            logger.setLevel(level)
