"""`vouch purge`: a document's bytes and text are erased, its hashes stay."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.ask import utf8
from bot.cli.console import Terminal
from bot.cli.container import open_container_to_ask
from bot.errors import UnknownDocument, WrongUse

if TYPE_CHECKING:
    from retrieval.documents.port import Library


def purge(
    document: Annotated[
        str, typer.Argument(help="A document's id, path, name or title.", callback=utf8)
    ],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase all versions of a document; it stays out until its file changes."""
    from bot.cli.progress import progress_bar
    from bot.wording import purging as wording

    container, console = open_container_to_ask(), Terminal(stderr=True)
    document_id, named = _meant(container.library, document)
    if not yes and not typer.confirm(wording.sure(named), err=True):
        raise WrongUse(wording.NOT_DONE)
    with progress_bar(console, "Embedding") as progress:
        erased = container.ingest.purge(document_id, progress)
    console.print(
        wording.erased(erased.file, erased.versions, erased.passages), markup=False, soft_wrap=True
    )
    for file in erased.also_stands_as:
        console.print(wording.also(file), style="yellow", markup=False, soft_wrap=True)
    console.print(wording.RECORDS, markup=False, soft_wrap=True)


def _meant(library: "Library", named: str) -> tuple[str, str]:
    """Return the id and the file of the one document that is meant."""
    from bot.cli.near_documents import near_documents
    from bot.wording import purging as wording

    found = library.documents_named(named)
    if not found:
        raise UnknownDocument(wording.unknown(named, near_documents(named, library)))
    if len(found) > 1:
        raise WrongUse(wording.ambiguous(named, list(found.items())))
    return next(iter(found.items()))
