"""Commands that run in the tests' own process are the same, and nothing of one meets the next."""

import logging
import os
import sys
import warnings
from pathlib import Path

import pytest
from vouch_home import Home, write

COMMANDS = {
    "help": ["--help"],
    "no such command": ["evaporate"],
    "wrong use": ["ingest"],
    "a failure": ["ask", "when does the library open?"],
    "a result": ["audit", "list", "--json"],
    "a table": ["check"],
    "a broken setting": ["audit", "list"],
}


ONE_OF_EACH = {"a table", "a broken setting"}
"""What works and what fails: the others are tried at length."""


@pytest.mark.parametrize(
    "what",
    [
        each if each in ONE_OF_EACH else pytest.param(each, marks=pytest.mark.exhaustive)
        for each in COMMANDS
    ],
)
def test_a_command_ends_and_says_the_same_as_in_a_process_of_its_own(home: Home, what: str) -> None:
    settings = {"VOUCH_CANDIDATES": "none"} if what == "a broken setting" else {}
    here = home.vouch(*COMMANDS[what], **settings)
    apart = home.vouch_apart(*COMMANDS[what], **settings)
    assert here == apart


def state_of_process() -> dict[str, object]:
    logger = logging.getLogger("bot")
    return {
        "environment": dict(os.environ),
        "folder": Path.cwd(),
        "streams": (sys.stdin, sys.stdout, sys.stderr, sys.argv, sys.excepthook),
        "handlers": list(logging.getLogger().handlers),
        "levels": (logging.getLogger().level, logger.level),
        "warnings": list(warnings.filters),
    }


def open_files(folder: Path) -> list[str]:
    links = Path("/proc/self/fd").iterdir()
    opened = (link.readlink() for link in links if link.is_symlink())
    return [str(file) for file in opened if file.is_relative_to(folder)]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what is open")
def test_nothing_of_a_command_stays_in_the_process(home: Home, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", {"card.md": "A lost student card costs 20 euros."})
    before, mask = state_of_process(), os.umask(0o022)
    home.ingest(docs)
    home.ask("how much does a lost student card cost?", VOUCH_MOST_PASSAGES="3")
    assert home.vouch("ask", "?", VOUCH_CALIBRATION="nowhere.json").status == 1
    assert os.umask(mask) == 0o022
    assert state_of_process() == before
    assert open_files(tmp_path) == []
