"""A home with a document for staff alone, and one server for all agents that come to it."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agents import ASKED, BEN, CEM, DOCUMENTS, HR_ANA, PATIENCE, PAY, Served, text
from vouch_home import LENIENT, Home, write


@pytest.fixture(scope="package")
def read(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home in which the documents were read; a test that changes it puts it back."""
    folder: Path = tmp_path_factory.mktemp("agents")
    home = Home(folder / "home", LENIENT)
    home.people(HR_ANA, BEN, CEM)
    home.ingest(write(folder / "docs", DOCUMENTS))
    return home


@pytest.fixture(scope="package")
def served(read: Home) -> Iterator[Served]:
    program = read.start("mcp", "--http", "0")
    try:
        yield Served(read, _address(program))
    finally:
        program.terminate()
        _, err = program.communicate(timeout=PATIENCE)
    assert (program.returncode, "Traceback" in err) == (0, False), err


def _address(program: "subprocess.Popen[str]") -> str:
    assert program.stderr is not None
    said = ""
    for line in program.stderr:
        said += line
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise AssertionError(said)


@pytest.fixture(scope="package")
def staff(served: Served) -> str:
    return served.token("ana")


@pytest.fixture(scope="package")
def student(served: Served) -> str:
    return served.token("ben")


@pytest.fixture(scope="package")
def staffs_answer(served: Served, staff: str) -> Any:
    """What Ana's agent was told, of the document for staff."""
    told = served.call(staff, "ask", question=ASKED)
    assert PAY in text(told), told
    return told.structured_content
