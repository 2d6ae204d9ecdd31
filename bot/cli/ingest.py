"""`vouch ingest` and `vouch check-documents`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from bot.cli.house import open_house
from bot.errors import WrongUse

if TYPE_CHECKING:
    from retrieval.ingest.sync import IngestReport


def ingest(
    paths: Annotated[list[Path] | None, typer.Argument(help="Documents or folders.")] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Let the documents of these paths leave.")
    ] = False,
    re_embed: Annotated[
        bool, typer.Option("--re-embed", help="Make the index anew, after a change of embedder.")
    ] = False,
) -> None:
    """Read documents in, incrementally; the exit status is 1 where a file was left out."""
    from bot.cli.progress import progress_bar

    if not paths and not re_embed:
        raise WrongUse("Name the documents or folders to ingest: `vouch ingest FOLDER`.")
    house, console = open_house(), Console(stderr=True)
    if re_embed:
        with progress_bar(console, "Embedding") as progress:
            embedded = house.ingest.embed_all(house.clear_index, progress)
        console.print(f"{embedded} passages embedded anew")
    failed = False
    for path in paths or ():
        if remove:
            console.print(f"{len(house.ingest.remove(path))} documents removed")
            continue
        with progress_bar(console, f"Reading {path}") as progress:
            try:
                report = house.ingest.run(path, progress)
            except FileNotFoundError as error:
                raise WrongUse(
                    f"{path} does not exist. If its documents should leave, run "
                    f"`vouch ingest --remove {path}`."
                ) from error
        print_report(report, console)
        failed = failed or bool(report.problems)
    if failed:
        sys.exit(1)


def print_report(report: "IngestReport", console: Console) -> None:
    """Counts in one line, then every file that was left out and why."""
    console.print(
        f"{len(report.added)} new, {len(report.changed)} changed, {len(report.removed)} gone, "
        f"{report.unchanged} unchanged; {report.passages} passages written"
    )
    if report.left_alone:
        console.print(
            f"Not read, of other kinds: {_listed(report.left_alone)}", markup=False, soft_wrap=True
        )
    for above in report.metadata_above:
        console.print(
            f"Not read, as it stands above what was ingested: {above}. If it says who may read "
            "these documents, ingest its folder instead.",
            style="red",
            markup=False,
        )
    for entry in report.unused:
        console.print(f"Describes no document: {entry}", style="yellow", markup=False)
    for problem in report.problems:
        said = f"Left out: {problem.file} {problem.reason}"
        console.print(said, style="red", markup=False, soft_wrap=True)


def _listed(files: Sequence[str], most: int = 5) -> str:
    more = f" and {len(files) - most} more" if len(files) > most else ""
    return ", ".join(files[:most]) + more


def check_documents(
    folder: Annotated[Path, typer.Argument(help="A folder of documents.")],
) -> None:
    """Prove on a folder that every passage stands where it says, and that nothing is hidden."""
    from bot.cli.progress import progress_bar
    from retrieval.ingest.proof import prove

    if not folder.is_dir():
        raise WrongUse(f"{folder} is no folder.")
    console = Console()
    house = open_house()
    with (
        progress_bar(Console(stderr=True), f"Checking {folder}") as progress,
        house.parsing as apart,
    ):
        proof = prove(folder, house.ontology, progress, apart.parse)
    console.print(
        f"{proof.documents} documents, {proof.passages} passages, {proof.sentences} sentences"
    )
    for fault in proof.faults:
        console.print(f"{fault.file} {fault.reason}", style="red", markup=False)
    for problem in proof.left_out:
        console.print(f"Left out: {problem.file} {problem.reason}", style="yellow", markup=False)
    if proof.faults:
        sys.exit(1)
    console.print("Every quote stands verbatim at its place; nothing hidden is indexed.")
