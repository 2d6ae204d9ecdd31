"""Whoever installed only what the bot needs asks, and is told what is missing.

Every package that the lock of the light set does not name is kept from the program.
"""

import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from vouch_home import Finished, Home, write

ROOT = Path(__file__).resolve().parents[2]
BLOCKER = """
import sys

BLOCKED = frozenset({blocked!r})


class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)


sys.meta_path.insert(0, Blocker())
"""


def normal(name: str) -> str:
    """A package's name as locks have it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def left_out() -> list[str]:
    lock = (ROOT / "requirements" / "run.lock").read_text()
    locked = {normal(name) for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)} | {"vouch"}
    installed = packages_distributions().items()
    return [module for module, names in installed if locked.isdisjoint(map(normal, names))]


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("light")
    blocked = left_out()
    assert {"torch", "sentence_transformers", "sklearn", "scipy", "matplotlib"} <= set(blocked)
    write(folder / "site", {"sitecustomize.py": BLOCKER.format(blocked=blocked)})
    write(folder / "docs", {"library.md": "The library is open until 22:00 on every day of term."})
    home = Home(folder / "home", {"PYTHONPATH": f"{folder / 'site'}:{ROOT}"}, apart=True)
    home.path.mkdir()
    home.ingest(folder / "docs")
    return home


def test_a_question_is_answered_and_everything_checked(light: Home) -> None:
    reply = light.ask("How late is the library open?", VOUCH_RELEVANCE_THRESHOLD="0.1")
    assert reply["decision"] in {"ANSWER", "PARTIAL"}
    light.does("audit", "verify")
    light.does("check")


@pytest.mark.exhaustive
def test_a_measurement_asks_for_its_packages_before_it_begins(light: Home) -> None:
    folder = write(light.path.parent / "asked", {"questions.jsonl": questions()})
    asked: list[str | Path] = ["evaluate", folder / "questions.jsonl", "--docs"]
    asked.append(light.path.parent / "docs")
    assert_names(light.vouch(*asked), "evaluate", "ir_measures and scipy")
    named = "ir_measures and scipy and matplotlib"
    assert_names(light.vouch(*asked, "--picture", folder / "picture.png"), "evaluate", named)


@pytest.mark.exhaustive
def test_the_bot_measures_its_own_quality_all_the_same(light: Home) -> None:
    folder = write(light.path.parent / "watched", {"questions.jsonl": questions()})
    light.does("quality", "run", VOUCH_QUALITY_QUESTIONS=str(folder / "questions.jsonl"))


def questions() -> str:
    gold = '[{"file": "library.md", "line_start": 1, "line_end": 1}]'
    return (
        f'{{"id": "1", "question": "How late is the library open?", "kind": "answerable", "gold": '
        f"{gold}}}\n"
    )


@pytest.mark.exhaustive
def test_a_calibration_asks_for_its_packages_before_it_begins(light: Home) -> None:
    folder = write(light.path.parent / "fitted", {"questions.jsonl": questions()})
    finished = light.vouch(
        *("calibrate", folder / "questions.jsonl", "--docs", light.path.parent / "docs"),
        *("--out", folder / "mine.json"),
    )
    assert_names(finished, "evaluate", "sklearn and scipy")


def test_a_door_for_agents_asks_for_its_package(light: Home) -> None:
    assert_names(light.vouch("mcp"), "mcp", "mcp")


@pytest.mark.exhaustive
@pytest.mark.parametrize("setting", ["VOUCH_RERANKER", "VOUCH_EMBEDDER", "VOUCH_ENTAILMENT"])
def test_a_named_model_asks_for_its_packages(light: Home, setting: str) -> None:
    checked = light.vouch("check", **{setting: "somebody/model"})
    assert_names(checked, "models", "sentence_transformers and torch")


def test_a_question_to_a_named_model_asks_for_its_packages(light: Home) -> None:
    asked = light.vouch("ask", "How late is it open?", VOUCH_RERANKER="somebody/model")
    assert_names(asked, "models", "sentence_transformers and torch")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "command",
    [
        "retrieval.training train embedder --data none --out run",
        "retrieval.training mean none --out mean",
        "retrieval.training start none --out start",
        "retrieval.training corpora --data none --out corpora",
    ],
)
def test_training_asks_for_its_packages_before_it_reads_anything(light: Home, command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command.split()],
        env=os.environ | {"PYTHONPATH": f"{light.path.parent / 'site'}:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=100,
    )
    named = "torch and transformers and onnx"
    assert_names(Finished(done.returncode, done.stdout, done.stderr), "train", named)
    assert "Traceback" not in done.stderr


def test_make_installs_everything_for_what_the_light_set_cannot_do() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    needs = dict(re.findall(r"^([a-z-]+): (install\S*)", makefile, re.MULTILINE))
    assert needs["run"] == "install"
    assert makefile.count("\t$(READY)\n") == 2, "before the tests, and before all of them"
    everything = {"ready", "evaluate", "bench", "lock"} | {
        f"train-{model}" for model in ("embedder", "reranker", "entailment")
    }
    assert {needs[target] for target in everything} == {"install-all"}


def assert_names(finished: Finished, extra: str, packages: str) -> None:
    assert finished.status == 1
    assert f"This needs {packages}" in finished.said
    assert f"pip install 'vouch[{extra}]'" in finished.said
