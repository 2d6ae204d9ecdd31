"""Who may read a source: said with `--for`, or asked of whoever sits at the terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.ask import utf8
from bot.cli.console import Terminal
from bot.wiring import Container

if TYPE_CHECKING:
    from retrieval.metadata.access import Audience

For = Annotated[
    list[str] | None,
    typer.Option(
        "--for",
        help="Who may read the source: everyone, nobody, or departments=hr,finance, once a facet. "
        "It is kept; documents can only narrow it.",
        callback=utf8,
    ),
]


def readers_of(
    container: Container, path: Path, said: list[str] | None, source: str
) -> "Audience | None":
    """Who may read a path's source as somebody says now; None where it was said, or nobody can."""
    from bot.wording import readers as wording
    from retrieval.errors import WrongReaders
    from retrieval.metadata.access import audience_said

    facets = container.ontology.facets
    if said:
        return audience_said(said, facets)
    files = container.ingest.without_readers(path, source) if sys.stdin.isatty() else ()
    while files:
        typed = typer.prompt(wording.ask(path, files), err=True)
        try:
            return audience_said(typed.split(), facets)
        except WrongReaders as error:
            Terminal(stderr=True).print(str(error), style="yellow", soft_wrap=True)
    return None
