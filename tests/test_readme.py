"""The README says what the program does: its settings, commands and targets."""

import re
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr

from bot.cli.app import app
from bot.settings import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def setting_row(name: str) -> str:
    field = Settings.model_fields[name]
    default = field.default
    shown = default.get_secret_value() if isinstance(default, SecretStr) else default
    cell = "" if shown in (None, "") else f"`{shown}`"
    return f"| `VOUCH_{name.upper()}` | {cell} | {field.description} |"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_stands_in_the_table_as_it_is(name: str) -> None:
    assert setting_row(name) in README.splitlines()


def test_the_readme_names_no_setting_that_is_not() -> None:
    named = set(re.findall(r"VOUCH_(?!TEST_)([A-Z_]+)", README))
    assert named == {name.upper() for name in Settings.model_fields}


def test_every_command_is_named_and_no_other() -> None:
    command = typer.main.get_command(app)
    commands = set(getattr(command, "commands", {}))
    named = set(re.findall(r"`vouch ([a-z-]+)", README)) | set(
        re.findall(r"^    vouch ([a-z-]+)", README, re.MULTILINE)
    )
    assert named == commands


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)`|^    make ([a-z-]+)", README, re.MULTILINE))
    assert {first or second for first, second in named} <= targets


@pytest.mark.parametrize("target", re.findall(r"\]\(((?!http)[^)#]+)\)", README))
def test_every_link_leads_somewhere(target: str) -> None:
    assert (ROOT / target).exists()
