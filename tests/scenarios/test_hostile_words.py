"""Somebody hides commands, mentions and false addresses in a document and its name."""

import logging
import re
from pathlib import Path

import pytest
from rich.spinner import Spinner
from rich.text import Text
from vouch_home import Finished, Home, write

from bot.cli.console import Terminal
from bot.cli.container import LONG, log_to_stderr

ESCAPES = "\x1b[2J\x1b]8;;http://evil.example\x07\x9b31m\u202e\u200b"
CARD = f"A lost student card{ESCAPES} costs 20 euros; tell <!channel> and <@U012AB3CD>."
SEEN = "A lost student card"
QUESTION = f"how much does a lost student card cost?{ESCAPES}"
ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\u2028]")


@pytest.fixture
def hostile(home: Home, tmp_path: Path) -> Home:
    folder = write(
        tmp_path / "docs",
        {
            f"card{ESCAPES}.md".replace("/", ""): f"# Cards{ESCAPES}\n\n{CARD}\n",
            f"[bold]bad{ESCAPES}.md".replace("/", ""): "---\naudience: {nobody: [x]}\n---\nText.",
        },
    )
    assert harmless(home.vouch("ingest", "--for=everyone", folder)).status == 1
    assert harmless(home.vouch("check-documents", folder)).out
    return home


def harmless(finished: Finished) -> Finished:
    """What reached the terminal, of which nothing steers it."""
    assert not ACTS.search(finished.out + finished.err)
    return finished


def test_nothing_of_it_reaches_a_terminal_at_any_door(hostile: Home) -> None:
    told = harmless(hostile.vouch("ask", QUESTION))
    assert SEEN in told.said
    reply = harmless(hostile.vouch("ask", QUESTION, "--json")).json
    assert reply["claims"][0]["text"].startswith(SEEN)
    assert "\x1b" in reply["claims"][0]["citations"][0]["quote"], "in JSON nothing is lost"
    assert SEEN in harmless(hostile.vouch("ask", typed=f"{QUESTION}\n")).said
    assert harmless(hostile.vouch("audit", "list")).out
    assert harmless(hostile.vouch("audit", "show", reply["audit_id"])).out
    assert harmless(hostile.vouch("audit", "show", reply["audit_id"], "--json")).json
    assert harmless(hostile.vouch("ask", QUESTION, "--as", f"nobody{ESCAPES}")).status == 2
    for text in (reply["text"], told.out):
        assert not ACTS.search(text)
    assert not re.search("<[!@]", reply["text"])


def test_a_file_that_is_left_out_is_named_and_its_name_is_no_markup(
    home: Home, tmp_path: Path
) -> None:
    folder = write(tmp_path / "docs", {f"[bold]bad{ESCAPES[:4]}.md": "---\nlink: x:y\n---\nText."})
    left_out = harmless(home.vouch("ingest", "--for=everyone", folder))
    assert left_out.status == 1
    assert "Left out: [bold]bad[2J.md states `link: x:y` in its front matter" in left_out.said


FORGED = "FAIL library: all is lost"
BREAKS = ("\n", "\r", "\r\n", "\x0b", "\x85", "\u2028")


def test_no_line_break_in_a_name_forges_a_line_at_any_door(home: Home, tmp_path: Path) -> None:
    def unforged(*command: str | Path) -> Finished:
        finished = harmless(home.vouch(*command))
        assert not any(
            line.strip(" │").startswith(FORGED)
            for line in f"{finished.out}\n{finished.err}".splitlines()
        )
        return finished

    names = [f"card{each}{FORGED}" for each in BREAKS]
    folder = write(
        tmp_path / f"docs\n{FORGED}",
        {
            **{f"{name}.md": f"A lost card costs {n + 20} euros." for n, name in enumerate(names)},
            **{f"{name}.html": "<p hidden>A card.</p><p>A card." for name in names},
            **{f"{name}.txt": "" for name in names},
            **{f"{name}.png": "" for name in names},
            "rules/metadata.yaml": f"{names[0]!r}: {{level: policy}}".replace("'", '"'),
            "rules/card.md": "A card is blue.",
        },
    )
    assert FORGED in unforged("ingest", folder, "--for=everyone").said
    for name in names:
        (folder / f"{name}.md").rename(folder / f"a{name}.md")
    assert "Renamed: card" in unforged("ingest", folder).said
    for command in (
        ("check-documents", folder),
        ("check",),
        ("why", "guest", f"a{names[0]}.md"),
        ("why", "guest", f"{names[0]}.txt"),
        ("why", "guest", f"no{names[0]}"),
        ("ask", "how much does a lost student card cost?"),
        ("audit", "list"),
        ("ingest", folder / f"no\n{FORGED}"),
    ):
        assert unforged(*command).said
    reply = home.vouch("ask", "how much does a lost card cost?", "--json").json
    assert unforged("audit", "show", reply["audit_id"]).out
    assert unforged("ingest", "--remove", folder).said


@pytest.mark.parametrize("line_end", BREAKS)
def test_no_line_break_in_a_name_forges_an_entry_of_the_log(
    line_end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    before = root.handlers[:]
    log_to_stderr((), LONG)
    try:
        try:
            raise ValueError(f"a{line_end}{FORGED}")
        except ValueError:
            logging.getLogger("vouch").exception("No picture of %s", f"a{line_end}{FORGED}.pdf")
    finally:
        root.handlers[:] = before
    entry = capsys.readouterr().err
    assert FORGED in entry
    assert len([line for line in entry.splitlines() if not line.startswith(" ")]) == 1


def test_a_name_in_a_line_of_progress_is_no_markup() -> None:
    spinner = Terminal().status("Reading [red]x.md").renderable
    assert isinstance(spinner, Spinner)
    assert isinstance(spinner.text, Text)
    assert spinner.text.plain == "Reading [red]x.md"
