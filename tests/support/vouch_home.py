"""A person's home of Vouch, used only as a person does: through the program."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import in_process
import yaml

from retrieval.documents.seal import stored_key
from retrieval.documents.sql_library import SqlLibrary
from retrieval.index.certificate import read_certificate
from retrieval.index.lance_index import LanceIndex

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
        return Finished(*in_process.run(words, set_up, self.path.anchor, typed))

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
