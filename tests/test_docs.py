"""README.md and docs/ say what the program does, and lead where they say."""

import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from mutants import ROOMS, file_of
from pages import DOCS, PAGES, README, ROOT, Page
from pydantic import SecretStr

from bot.cli.app import app
from bot.settings import Settings
from retrieval.parsing import suffixes

LARGEST_README = 9_000
PROGRAM = typer.main.get_command(app)
BESIDE = [
    Page(ROOT / path)
    for path in ("CHANGELOG.md", "deploy/sample/README.md", "retrieval/models/bundled/README.md")
]


def named(page: Page) -> str:
    return str(page.path.relative_to(ROOT))


def setting_row(name: str) -> str:
    field = Settings.model_fields[name]
    default = field.default
    shown = default.get_secret_value() if isinstance(default, SecretStr) else default
    cell = "" if shown in (None, "") else f"`{shown}`"
    return f"| `VOUCH_{name.upper()}` | {cell} | {field.description} |"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_stands_in_the_table_as_it_is(name: str) -> None:
    assert setting_row(name) in DOCS["settings.md"].text.splitlines()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_no_page_names_a_setting_that_is_not(page: Page) -> None:
    told = set(re.findall(r"VOUCH_(?!TEST_)([A-Z_]+)", page.text))
    assert told <= {name.upper() for name in Settings.model_fields}


def test_every_command_stands_in_the_table_and_no_other() -> None:
    rows = re.findall(r"^\| `vouch ((?:lab )?[a-z-]+)", DOCS["operations.md"].text, re.MULTILINE)
    commands = PROGRAM.commands  # type: ignore[attr-defined]  # a group, by Typer
    shown = {name for name, command in commands.items() if not command.hidden} - {"lab"}
    measuring = {f"lab {name}" for name in commands["lab"].commands}
    assert sorted(rows) == sorted(shown | measuring)


def test_what_measures_is_understood_by_its_name_of_before() -> None:
    commands = PROGRAM.commands  # type: ignore[attr-defined]  # a group, by Typer
    before = {name for name, command in commands.items() if command.hidden}
    assert before == set(commands["lab"].commands)


def options(command: Any) -> set[str]:
    """Of a command and all below it."""
    below = getattr(command, "commands", {}).values()
    own = {option for each in command.params for option in each.opts}
    return own.union(*map(options, below))


def taking_a_value(command: Any) -> set[str]:
    """Its own options behind which a word is no command."""
    return {option for each in command.params if not each.is_flag for option in each.opts}


def unknown(words: list[str]) -> Iterator[str]:
    """Of what is typed after `vouch`, the commands and options that it does not have."""
    command: Any = PROGRAM
    said_before = ""
    for word in words:
        commands = getattr(command, "commands", None)
        if commands is not None and said_before in taking_a_value(command):
            commands = None
        said_before = word
        if commands is not None and not word.startswith("--"):
            command = commands.get(word)
        if command is None or (word.startswith("--") and word not in options(command)):
            yield word
            return


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_what_a_page_says_to_type_is_understood(page: Page) -> None:
    assert [word for words in page.typed("vouch") for word in unknown(words)] == []
    apart = {span.split()[0] for span in page.spans() if span.startswith("--")}
    assert apart <= options(PROGRAM)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_make_target_that_is_named_exists(page: Page) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {words[-1] for words in page.typed("make")} <= targets


def test_the_pages_are_read_as_a_reader_reads_them() -> None:
    assert ["run"] in list(README.typed("make"))
    assert ["-C", "/opt/vouch", "install"] in list(DOCS["operations.md"].typed("make"))
    for_all = ["ingest", "/documents", "--for", "everyone"]
    assert for_all in list(DOCS["operations.md"].typed("vouch"))
    assert ["audit", "verify"] in list(DOCS["operations.md"].typed("vouch"))
    assert "5-say-who-may-read-what" in DOCS["slack.md"].anchors()


@pytest.mark.parametrize("page", [*PAGES, *BESIDE], ids=named)
def test_every_link_leads_somewhere(page: Page) -> None:
    assert [link for link in page.links() if not leads_somewhere(*page.destination(link))] == []


def leads_somewhere(path: Path, anchor: str) -> bool:
    in_the_repository = path.exists() and path.is_relative_to(ROOT)
    return in_the_repository and (not anchor or anchor in Page(path).anchors())


def test_every_page_is_named_on_the_first_and_every_picture_is_shown() -> None:
    pictures = set((ROOT / "deploy" / "pictures").iterdir())
    assert {page.path for page in DOCS.values()} <= destinations(README)
    assert pictures <= set().union(*map(destinations, PAGES))


def destinations(page: Page) -> set[Path]:
    return {page.destination(link)[0] for link in page.links()}


def test_the_readme_is_short() -> None:
    assert README.path.stat().st_size < LARGEST_README


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split("|")]


def table(page: Page, first_cell: str) -> Iterator[list[str]]:
    """The rows of the table whose first row begins so."""
    lines = page.text.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith(f"| {first_cell} |"))
    for line in lines[start:]:
        if not line.startswith("|"):
            return
        yield cells(line)


def test_the_first_page_shows_the_figures_that_the_measurements_tell() -> None:
    first_page = {row[0].split(" (")[0]: row[1] for row in table(README, "on the test split")}
    names, _, whole, *_ = table(DOCS["measurements.md"], "without")
    measured = dict(zip(names, whole, strict=True))
    assert measured["without"] == "nothing"
    assert first_page["the right passage stands first"] == measured["P@1"]
    assert first_page["false answers"] == measured["false answers"]
    assert first_page["coverage"] == measured["coverage"]
    precision, _ = first_page["citation precision / recall"].split(" / ")
    assert precision == measured["citation precision"]


def test_the_kinds_of_files_that_are_read_are_told() -> None:
    told = DOCS["documents.md"].text.split("## What is read")[1].split("\n## ")[0]
    assert set(re.findall(r"`(\.[a-z.]+)`", told)) == set(suffixes())


MOST_ROOMS = 15


def test_every_room_of_the_architecture_exists_and_the_bots_are_all_there() -> None:
    first_cells = [row[0] for row in table(DOCS["architecture.md"], "room")][2:]
    rooms = {room.strip("/") for cell in first_cells for room in re.findall(r"`([^`]+)`", cell)}
    modules = [*(ROOT / "bot").glob("[!_]*.py"), *(ROOT / "bot").glob("*/__init__.py")]
    existing = {m.parent if m.name == "__init__.py" else m.with_suffix("") for m in modules}
    assert {str(path.relative_to(ROOT)) for path in existing} <= rooms
    assert len(list((ROOT / "bot").glob("*/__init__.py"))) <= MOST_ROOMS
    assert [room for room in rooms if not list(ROOT.glob(f"{room}*"))] == []


@pytest.mark.parametrize("way", ["question", "document"])
def test_every_step_of_a_way_names_what_takes_it(way: str) -> None:
    steps = DOCS["architecture.md"].text.split(f"## The way of a {way}")[1].split("\n## ")[0]
    named = re.findall(r"`((?:audit|bot|retrieval)\.[\w.]+)`", steps)
    assert len(named) >= 10
    assert [name for name in named if not callable(pkgutil.resolve_name(name))] == []


def test_the_pages_that_the_program_and_its_files_name_exist() -> None:
    sources = [
        file for room in ("audit", "bot", "retrieval") for file in (ROOT / room).rglob("*.py")
    ]
    deployed = [file for file in (ROOT / "deploy").iterdir() if file.is_file()]
    files = [*sources, *deployed, ROOT / "Makefile", ROOT / "pyproject.toml"]
    told = {page for file in files for page in re.findall(r"\bdocs/([\w-]+\.md)", file.read_text())}
    assert {"operations.md", "settings.md", "slack.md"} <= told <= set(DOCS)


def test_the_tests_that_mutants_are_to_meet_are_there() -> None:
    named = " ".join(ROOMS.values()).split()
    assert [file_of(each).stem.removeprefix("test_") for each in named] == named
    with pytest.raises(FileNotFoundError, match="test_flood"):
        file_of("flood")
