"""README.md and docs/ say what the program does: its settings, commands and targets."""

import re
from pathlib import Path

import pytest
import typer
from pydantic import SecretStr

from bot.cli.app import app
from bot.settings import Settings

ROOT = Path(__file__).parent.parent
PAGES = {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md")}
PAGES["README.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
ALL = "\n".join(PAGES.values())


def setting_row(name: str) -> str:
    field = Settings.model_fields[name]
    default = field.default
    shown = default.get_secret_value() if isinstance(default, SecretStr) else default
    cell = "" if shown in (None, "") else f"`{shown}`"
    return f"| `VOUCH_{name.upper()}` | {cell} | {field.description} |"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_stands_in_the_table_as_it_is(name: str) -> None:
    assert setting_row(name) in PAGES["settings.md"].splitlines()


def test_no_page_names_a_setting_that_is_not() -> None:
    named = set(re.findall(r"VOUCH_(?!TEST_)([A-Z_]+)", ALL))
    assert named == {name.upper() for name in Settings.model_fields}


def test_every_command_is_named_and_no_other() -> None:
    command = typer.main.get_command(app)
    commands = set(getattr(command, "commands", {}))
    named = set(re.findall(r"`vouch ([a-z-]+)", ALL)) | set(
        re.findall(r"^    vouch ([a-z-]+)", ALL, re.MULTILINE)
    )
    assert named == commands


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)`|^    make ([a-z-]+)", ALL, re.MULTILINE))
    assert {first or second for first, second in named} <= targets


@pytest.mark.parametrize(
    ("page", "target"),
    [(page, to) for page in PAGES for to in re.findall(r"\]\(((?!http)[^)#]+)\)", PAGES[page])],
)
def test_every_link_leads_somewhere(page: str, target: str) -> None:
    folder = ROOT if page == "README.md" else ROOT / "docs"
    assert (folder / target).exists()
