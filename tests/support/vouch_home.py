"""A person's home of Vouch, used only as a person does: through the program."""

import gc
import io
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

import loaded_once
import numpy as np
import typer.main
import yaml
from loaded_once import warm_pool
from numpy.typing import NDArray

from bot.cli import main
from retrieval.documents.database import stored_key
from retrieval.documents.sql_library import SqlLibrary
from retrieval.index.entries import read_certificate
from retrieval.index.lance_index import LanceIndex
from retrieval.ingest import parser_pool
from retrieval.models import bundled_model
from retrieval.models.onnx import OnnxModel
from retrieval.search import query_understanding

SAMPLE = Path(__file__).resolve().parents[2] / "deploy" / "sample"
LENIENT = {"VOUCH_RELEVANCE_THRESHOLD": "0.3", "VOUCH_PARTIAL_AT": "0.3", "VOUCH_CANDIDATES": "12"}
"""How well the models judge is measured, not tested: what is near counts as found here, and of some
200 passages the best 12 are read with the question."""
STRICT: Mapping[str, str] = {
    "VOUCH_RELEVANCE_THRESHOLD": "0.7",
    "VOUCH_PARTIAL_AT": "0.6",
    "VOUCH_CANDIDATES": "50",
}
PATIENCE = 240


@dataclass(frozen=True)
class Finished:
    status: int
    out: str
    err: str

    @cached_property
    def json(self) -> Any:
        assert self.out, self.err
        return json.loads(self.out)

    @property
    def said(self) -> str:
        return " ".join(re.sub(r"[│┃]", " ", f"{self.out} {self.err}").split())


@dataclass(frozen=True)
class Home:
    """A VOUCH_HOME; `environment` is what stands in the person's shell."""

    path: Path
    environment: Mapping[str, str] = field(default_factory=lambda: LENIENT)
    apart: bool = False
    """Whether each command has a process of its own: where that is what is tested."""

    def at_a_terminal(self, *arguments: str | Path, typed: str) -> Finished:
        theirs, ours = os.openpty()
        os.write(theirs, typed.encode())
        with self._program(arguments, {}, ours) as program:
            out, err = program.communicate(timeout=PATIENCE)
        os.close(ours)
        os.close(theirs)
        return Finished(program.returncode, out, err)

    def start(self, *arguments: str | Path, **environment: str) -> subprocess.Popen[str]:
        return self._program(arguments, environment)

    def _program(
        self,
        arguments: Sequence[str | Path],
        environment: Mapping[str, str],
        stdin: int = subprocess.PIPE,
    ) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "bot.cli", *map(str, arguments)],
            env=self._environment(environment),
            cwd=self.path.anchor,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def vouch(self, *arguments: str | Path, typed: str = "", **environment: str) -> Finished:
        if self.apart:
            return self.vouch_apart(*arguments, typed=typed, **environment)
        words = [str(each) for each in arguments]
        set_up = self._environment(environment)
        return Finished(*run_here(words, set_up, self.path.anchor, typed))

    def vouch_apart(self, *arguments: str | Path, typed: str = "", **environment: str) -> Finished:
        with self.start(*arguments, **environment) as program:
            out, err = program.communicate(typed, timeout=PATIENCE)
        assert "Traceback" not in err, err
        return Finished(program.returncode, out, err)

    def _environment(self, more: Mapping[str, str]) -> dict[str, str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("VOUCH_")}
        return {**inherited, "VOUCH_HOME": str(self.path), **self.environment, **more}

    def does(self, *arguments: str | Path, **environment: str) -> Finished:
        finished = self.vouch(*arguments, **environment)
        assert finished.status == 0, finished.said
        return finished

    def refuses(self, why: str, *arguments: str | Path, **environment: str) -> Finished:
        return self._ends(1, why, *arguments, **environment)

    def calls_wrong(self, why: str, *arguments: str | Path, **environment: str) -> Finished:
        return self._ends(2, why, *arguments, **environment)

    def _ends(
        self, status: int, why: str, /, *arguments: str | Path, **environment: str
    ) -> Finished:
        finished = self.vouch(*arguments, **environment)
        assert (finished.status, why in finished.said) == (status, True), finished.said
        return finished

    def ingest(self, *paths: Path) -> Finished:
        return self.does("ingest", *paths, "--for=everyone")

    def reads(self, documents: Mapping[str, str]) -> Path:
        docs = write(self.path.parent / "docs", documents)
        self.ingest(docs)
        return docs

    def ask(self, question: str, *options: str, **environment: str) -> dict[str, Any]:
        """The object that `--json` prints for a question that must be decided on."""
        reply: dict[str, Any] = self.does("ask", question, *options, "--json", **environment).json
        return reply

    def record(self, audit_id: str) -> dict[str, Any]:
        record: dict[str, Any] = self.vouch("audit", "show", audit_id, "--json").json
        return record

    def people(self, *people: Mapping[str, object]) -> None:
        self.path.mkdir(exist_ok=True)
        file = self.path / "people.yaml"
        before = yaml.safe_load(file.read_text()) if file.exists() else {}
        file.write_text(yaml.safe_dump({**before, "people": list(people)}))

    def copy_to(self, path: Path) -> "Home":
        """A home of one's own that knows the same."""
        shutil.copytree(self.path, path)
        return replace(self, path=path)

    def without_answers(self) -> "Home":
        for file in (*self.path.glob("audit.sqlite*"), *self.path.glob("audit-*.txt")):
            file.unlink()
        return self

    @property
    def library(self) -> SqlLibrary:
        path = self.path / "library.sqlite"
        return SqlLibrary(f"sqlite:///{path}", stored_key(self.path / "library.key"))

    def index(self) -> LanceIndex:
        """The index, whichever embedder's it is."""
        folder = self.path / "index"
        found = read_certificate(folder)
        assert found
        certificate, _ = found
        return LanceIndex(folder, certificate)

    def made_by_the_embedder_before(self) -> None:
        """Have its index be of the embedder that shipped before the present one."""
        file = self.path / "index" / "index.json"
        former = re.sub(r"vouch-embedder-\d+ \(\w+\)", "vouch-embedder-4 (aa)", file.read_text())
        file.write_text(former)

    def indexed(self) -> frozenset[str]:
        return self.index().ids()

    def is_whole(self) -> bool:
        """Whether library and index hold the same passages."""
        return self.library.passage_ids() == self.indexed()

    def texts(self) -> dict[str, str]:
        texts: dict[str, str] = {}
        for passage in self.library.all_passages():
            file = passage.document.file
            texts[file] = f"{texts.get(file, '')} {passage.text}".strip()
        return texts


def vouch_after(
    preparation: str, home: Home, *arguments: str | Path
) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, in which something was done before."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("VOUCH_")}
    return subprocess.run(
        [sys.executable, "-c", f"{preparation}\nfrom bot.cli import main; main()", *arguments],
        env={**inherited, "VOUCH_HOME": str(home.path)},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def cited_files(reply: Mapping[str, Any]) -> set[str]:
    return {c["file"] for claim in reply["claims"] for c in claim["citations"]}


COLUMNS = "80"
CALLED = "bot.cli"
"""As which typer says that the program was called: `python -m bot.cli`."""


def run_here(
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
