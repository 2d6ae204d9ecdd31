"""Every command prints through the one terminal that foreign words cannot steer."""

import ast
from pathlib import Path

import pytest

COMMANDS = sorted((Path(__file__).parents[2] / "bot" / "cli").glob("*.py"))


@pytest.mark.parametrize("file", COMMANDS, ids=lambda file: file.stem)
def test_no_command_has_a_console_of_its_own(file: Path) -> None:
    called = {
        node.func.id
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "Console" not in called
