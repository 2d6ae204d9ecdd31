"""`vouch bench-index` tells how the index in use does at sizes that no corpus at hand has."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.arguments import file_to_read, file_to_write, path_to_read
from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.errors import WrongUse
from bot.wiring import Container
from retrieval.extras import EVALUATE, require

if TYPE_CHECKING:
    from bot.lab.scale import ScaleRow, Seeds

SEED_WORDS, SEED_VECTORS = "seeds.json", "seeds.npy"
bench_index = typer.Typer(
    help="How the index does at a size: time, memory, disk, recall.", no_args_is_help=True
)


@bench_index.command()
def run(
    folder: Annotated[
        Path, typer.Option(help="Where it is filled; a run that was stopped goes on in it.")
    ],
    passages: Annotated[
        int, typer.Option(min=10_000, help="Passages, in whole ten thousands.")
    ] = 10_000,
    rules: Annotated[
        int, typer.Option(min=0, help="Access rules in all; 0 for one for each document.")
    ] = 10,
    docs: Annotated[
        Path, typer.Option(help="Documents that passages are made of.", callback=path_to_read)
    ] = Path("deploy/sample/documents"),
    queries: Annotated[int, typer.Option(min=2, help="Queries for each figure.")] = 50,
    server_process: Annotated[
        int | None, typer.Option(help="Process id of a Weaviate server here: for its memory.")
    ] = None,
    server_folder: Annotated[
        Path | None, typer.Option(help="Data folder of that server: for its disk.")
    ] = None,
    json_: Annotated[
        Path | None,
        typer.Option("--json", help="Add a row to this file.", callback=file_to_write),
    ] = None,
) -> None:
    """Fill the engine of VOUCH_INDEX with made-up passages, search it, and compare with truth."""
    from bot.lab.scale_searching import keep_row, row_tables

    folder.mkdir(parents=True, exist_ok=True)
    container, console = open_container(), Terminal()
    seeds = _seeds(container, folder, docs)
    on_server = container.settings.index == "weaviate"
    engine = EngineHere(
        server_process if on_server else os.getpid(),
        server_folder if on_server else folder / "index",
    )
    with _plainly():
        row = _measured(container.moved_to(folder), seeds, passages, rules, queries, engine)
    for table in row_tables(row):
        console.print(table)
    if json_:
        keep_row(json_, row)


@bench_index.command()
def curve(
    rows: Annotated[Path, typer.Argument(help="Rows of `run --json`.", callback=file_to_read)],
    picture: Annotated[
        Path, typer.Option(help="Draw the curves into this PNG.", callback=file_to_write)
    ],
) -> None:
    """Draw times and recall by size."""
    from bot.lab.scale_searching import draw_rows, kept_rows

    require(EVALUATE, "matplotlib")
    with _plainly():
        draw_rows(kept_rows(rows), picture)


@dataclass(frozen=True, slots=True)
class EngineHere:
    """Where on this machine an engine runs and keeps its files; None where that is not known."""

    process: int | None
    files: Path | None

    def memory(self) -> float | None:
        from bot.lab.scale import peak_megabytes

        return None if self.process is None else peak_megabytes(self.process)

    def disk(self) -> float | None:
        from bot.lab.scale import disk_megabytes

        return None if self.files is None else disk_megabytes(self.files)


def _measured(
    container: Container,
    seeds: "Seeds",
    passages: int,
    rules: int,
    queries: int,
    engine: EngineHere,
) -> "ScaleRow":
    from bot.cli.console import progress_bar
    from bot.lab.scale import BLOCK, MadeUp, ScaleRow, fill
    from bot.lab.scale_searching import recalls, search_times

    index, made_up, blocks = container.index, MadeUp(seeds, rules), -(-passages // BLOCK)
    asked, shown = made_up.queries(queries), Terminal(stderr=True)
    with progress_bar(shown, "Filling") as progress:
        filling = fill(index, made_up, blocks, container.home, engine.memory, progress)
    with progress_bar(shown, "Searching") as progress:
        times = search_times(index, asked, progress)
    peak = max(filter(None, (filling.peak_megabytes, engine.memory())), default=None)
    with progress_bar(shown, "Comparing") as progress:
        found = recalls(index, made_up, blocks, asked, progress)
    return ScaleRow(
        engine=index.name,
        exact=index.exact,
        passages=blocks * BLOCK,
        rules=rules,
        build_seconds=filling.seconds,
        folding_seconds=filling.folding_seconds,
        peak_megabytes=peak,
        disk_megabytes=engine.disk(),
        queries=queries,
        times=tuple(times),
        recalls=tuple(found),
    )


def _seeds(container: Container, folder: Path, docs: Path) -> "Seeds":
    """Real passages with their vectors; kept in the folder, so that a later run has the same."""
    import numpy as np

    from bot.cli.console import progress_bar
    from bot.lab.scale import Seeds
    from retrieval.metadata.access import EVERYBODY

    words, vectors = folder / SEED_WORDS, folder / SEED_VECTORS
    if not words.exists():
        with container.aside() as read, progress_bar(Terminal(stderr=True), "Reading") as progress:
            read.ingest.run(docs, EVERYBODY, progress)
            passages = read.stores.library.all_passages()
            by_id = {each.passage_id: each.with_heading for each in passages}
            found = read.index.vectors(list(by_id))
        np.save(vectors, np.stack([found[each] for each in by_id]))
        words.write_text(json.dumps(list(by_id.values())), encoding="utf-8")
    return Seeds(json.loads(words.read_text(encoding="utf-8")), np.load(vectors))


@contextmanager
def _plainly() -> Iterator[None]:
    """What a folder or a file is not fit for is wrong use."""
    try:
        yield
    except ValueError as error:
        raise WrongUse(f"{error}.") from error
