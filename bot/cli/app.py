"""The program `vouch` gathers its commands, and says what became of errors."""

import importlib.metadata
import os
import sys
from typing import Annotated

import typer

from audit.errors import AuditError
from bot.cli.answers import answers
from bot.cli.ask import ask, open_source
from bot.cli.audit import audit
from bot.cli.backup import backup, restore
from bot.cli.check import check
from bot.cli.container import UMASK
from bot.cli.documents import glossary, purge, why
from bot.cli.extract import extract, parse
from bot.cli.ingest import ingest
from bot.cli.jobs import jobs
from bot.cli.mcp import mcp
from bot.cli.quality import quality, replay, what_if
from bot.cli.sources import sources
from bot.cli.tour import tour
from bot.cli.up import up
from bot.errors import BotError, WrongUse
from bot.lab.commands import add_commands, lab
from bot.wording.untrusted_text import unbroken
from retrieval.errors import RetrievalError

WRONG_USE = 2
FAILURE = 1

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)
app.command()(up)
app.command()(ingest)
app.command()(sources)
app.command()(purge)
app.command()(ask)
app.command(name="open")(open_source)
app.add_typer(mcp, name="mcp")
audit.command()(replay)
audit.command(name="what-if")(what_if)
app.add_typer(audit, name="audit")
app.add_typer(answers, name="answers")
app.add_typer(quality, name="quality")
app.command()(backup)
app.command()(restore)
app.add_typer(jobs, name="jobs")
app.command()(check)
app.command()(parse)
app.command()(extract)
app.command()(why)
app.command()(glossary)
app.command()(tour)
app.add_typer(lab, name="lab")
add_commands(app, hidden=True)


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"vouch {importlib.metadata.version('vouch')}\n")
        raise typer.Exit


@app.callback()
def vouch(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Answers questions from your own documents, and vouches for every sentence."""


def main() -> None:
    """Run a command; what goes wrong on purpose ends in one line and a status."""
    os.umask(UMASK)
    try:
        app()
    except (BotError, RetrievalError, AuditError) as error:
        print(f"vouch: {unbroken(str(error))}", file=sys.stderr)  # noqa: T201  # the command line's own voice
        sys.exit(WRONG_USE if isinstance(error, WrongUse) else FAILURE)
