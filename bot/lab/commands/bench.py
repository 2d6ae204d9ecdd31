"""`vouch bench` tells how long each stage takes on this machine."""

import gzip
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bot.cli.console import Terminal, table_of
from bot.cli.container import open_container
from bot.quality.metrics import percentile
from bot.wiring import Container
from retrieval.errors import UnreadableDocument
from retrieval.types import FragmentKind, ParsedDocument

if TYPE_CHECKING:
    from retrieval.ingest.parser_pool import ParserPool

SUBJECTS = ("leave", "travel", "exam", "library", "laptop", "licence", "grant", "parking", "visa")
ACTIONS = ("request", "approve", "cancel", "renew", "extend", "submit", "appeal", "transfer")
UNITS = ("students", "staff", "visitors", "lecturers", "contractors", "graduates")
TIMES = ("days", "weeks", "months", "terms")
SENTENCES_IN_PASSAGE = 6
"""Of about 16 words each, so that a passage has about 95: as in real handbooks."""
PASSAGES_IN_DOCUMENT = 25
QUESTIONS = 30
SEED = 0


def bench(
    passages: Annotated[
        int, typer.Option(min=100, help="Passages to make up and ingest.")
    ] = 10_000,
    slack: Annotated[bool, typer.Option(help="Time questions asked in Slack too.")] = True,
    parsing: Annotated[
        bool, typer.Option(help="Measure how fast documents of each format are read too.")
    ] = True,
    tables: Annotated[
        bool, typer.Option(help="Count the cells of printed tables that are read right too.")
    ] = True,
    documents: Annotated[
        list[Path] | None,
        typer.Option(exists=True, file_okay=False, help="Folders of real documents to read too."),
    ] = None,
    audit: Annotated[bool, typer.Option(help="Time the audit log too.")] = True,
    audit_records: Annotated[
        int, typer.Option(min=1000, help="Records to ask administrators' questions of.")
    ] = 20_000,
    audit_url: Annotated[
        str, typer.Option(help="An empty PostgreSQL database, to time the audit log there too.")
    ] = "",
    asking: Annotated[
        bool, typer.Option(help="Ingest, and time asking; without, only what comes before.")
    ] = True,
) -> None:
    """Time ingesting and asking on made-up documents, in a home of its own."""
    from bot.cli.console import progress_bar
    from bot.lab.commands.bench import documents_table
    from bot.lab.commands.bench_audit import audit_queries_tables, audit_table
    from bot.lab.commands.bench_parsing import parsing_table
    from bot.lab.commands.bench_slack import slack_table
    from bot.lab.commands.bench_tables import tables_table
    from bot.wiring.retrieval import build_parsing
    from retrieval.metadata.access import EVERYBODY

    console = Terminal()
    if parsing:
        with console.status("Reading documents of each format"):
            console.print(parsing_table(build_parsing(open_container().settings)))
    if tables:
        with console.status("Printing tables, and reading them"):
            console.print(tables_table())
    if documents:
        with console.status("Reading real documents"):
            console.print(documents_table(documents, build_parsing(open_container().settings)))
    if audit:
        with console.status("Appending to an audit log, and verifying it"):
            console.print(audit_table(server=audit_url))
        with console.status("Asking what administrators ask"):
            for table in audit_queries_tables(audit_records, audit_url):
                console.print(table)
    if not asking:
        return
    with (
        tempfile.TemporaryDirectory(prefix="vouch-bench-") as folder,
        open_container().aside() as container,
    ):
        rules = Path(folder) / "documents"
        _write_documents(rules, passages)
        container.models.named.embedder.embed(["prepared before the clock starts"])
        start = time.perf_counter()
        with progress_bar(Terminal(stderr=True), "Ingesting") as progress:
            report = container.ingest.run(rules, EVERYBODY, progress)
        seconds = time.perf_counter() - start
        stages = report.milliseconds | {"all": seconds * 1000}
        console.print(_ingest_table(stages, report.passages, len(report.added)))
        console.print(_ask_table(container))
        alone, together = _questions_a_second(container)
        console.print(
            f"Questions a minute: {60 * alone:.0f} from one person, "
            f"{60 * together:.0f} from four at once"
        )
        console.print(
            f"Cold start: `vouch ask` took {_cold_start(container):.1f} s as a new process"
        )
        if slack:
            with console.status("Asking in Slack, for some minutes"):
                console.print(slack_table(container, _questions()))


def _write_documents(folder: Path, passages: int) -> None:
    folder.mkdir()
    dice = random.Random(SEED)  # noqa: S311  # made-up text, the same at every run
    for number in range(-(-passages // PASSAGES_IN_DOCUMENT)):
        paragraphs = [
            f"## Section {n}\n\n{' '.join(_sentences(dice))}" for n in range(PASSAGES_IN_DOCUMENT)
        ]
        text = f"# Rules {number}\n\n" + "\n\n".join(paragraphs) + "\n"
        (folder / f"rules-{number}.md").write_text(text, encoding="utf-8")


def _sentences(dice: random.Random) -> Iterator[str]:
    for _ in range(SENTENCES_IN_PASSAGE):
        subject, other = dice.sample(SUBJECTS, 2)
        yield (
            f"To {dice.choice(ACTIONS)} a {subject}, {dice.choice(UNITS)} of group "
            f"{dice.randrange(9999)} write to the {other} office at least "
            f"{dice.randrange(2, 90)} {dice.choice(TIMES)} before."
        )


def _questions() -> list[str]:
    dice = random.Random(SEED + 1)  # noqa: S311  # made-up text, the same at every run
    return [
        f"how do {dice.choice(UNITS)} {dice.choice(ACTIONS)} a {dice.choice(SUBJECTS)} "
        f"in group {dice.randrange(9999)}"
        for _ in range(QUESTIONS)
    ]


def _ingest_table(stages: dict[str, float], passages: int, documents: int) -> Table:
    rows = (
        (
            stage,
            f"{spent / 1000:.1f}",
            f"{spent / stages['all']:.0%}",
            f"{passages / (spent / 1000):,.0f}",
        )
        for stage, spent in stages.items()
    )
    title = f"Ingest: {documents} documents, {passages} passages"
    return table_of(("stage", "seconds", "share", "passages a second"), rows, title)


def _ask_table(container: Container) -> Table:
    from bot.answering.values import Question

    runs: dict[str, list[float]] = {}
    for number, text in enumerate(_questions()):
        reply = container.answering(Question(text, None, date.today()))
        if number:  # the first loads the models
            for stage, milliseconds in reply.stages_ms.items():
                runs.setdefault(stage, []).append(milliseconds)
    whole = median(runs["total"])
    rows = (
        (stage, f"{median(ms):.1f}", f"{percentile(ms):.1f}", f"{median(ms) / whole:.0%}")
        for stage, ms in runs.items()
    )
    head = ("stage", "median ms", "95th percentile ms", "share of the median")
    title = f"Ask: {QUESTIONS - 1} questions, one after another, models loaded"
    return table_of(head, rows, title)


def _questions_a_second(container: Container) -> tuple[float, float]:
    """From one person, and from four at once."""
    from bot.answering.values import Question

    questions = [Question(text, None, date.today()) for text in _questions()]
    rates = []
    for people in (1, 4):
        start = time.perf_counter()
        with ThreadPoolExecutor(people) as pool:
            list(pool.map(container.answering, questions))
        rates.append(len(questions) / (time.perf_counter() - start))
    return rates[0], rates[1]


def _cold_start(container: Container) -> float:
    command = [sys.executable, "-m", "bot.cli", "ask", _questions()[0]]
    environment = os.environ | {"VOUCH_HOME": str(container.home)}
    start = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)  # noqa: S603  # our own
    return time.perf_counter() - start


_MOST_OF_A_KIND = 40
"""Documents; those that come first by their path."""
_MOST_BYTES = 10_000_000
_CHARACTERS_OF_A_PAGE = 3_000
"""Of a kind that has no pages."""


@dataclass(slots=True)
class _Read:
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, parsed: ParsedDocument, seconds: float) -> None:
        self.seconds += seconds
        rows = (each for each in parsed.fragments if each.kind is FragmentKind.TABLE_ROW)
        cells = [cell for row in rows for sentence in row.sentences for cell in sentence.cells]
        pages = len(parsed.pages) or -(-len(parsed.source) // _CHARACTERS_OF_A_PAGE)
        self.counts += Counter(
            read=1, pages=pages, cells=len(cells), named=sum(bool(cell.name) for cell in cells)
        )

    def row(self) -> Iterator[str]:
        counts = self.counts
        yield from (str(counts[name]) for name in ("files", "read", "pages", "cells", "named"))
        yield f"{self.seconds / max(counts['pages'], 1):.3f}"


def documents_table(folders: Sequence[Path], pool: "ParserPool") -> Table:
    """By kind: of how many files how many were read, their pages and cells, seconds a page."""
    kinds: dict[str, _Read] = defaultdict(_Read)
    with pool.of(1) as reading:
        for name, content in _documents(folders):
            kind = kinds[Path(name).suffix.lower()]
            kind.counts["files"] += 1
            start = time.perf_counter()
            try:
                parsed = reading.parse(name, content)
            except UnreadableDocument:
                continue
            kind.add(parsed, time.perf_counter() - start)
    head = ("kind", "files", "read", "pages", "cells", "under a name", "seconds a page")
    rows = ([suffix, *kind.row()] for suffix, kind in sorted(kinds.items()))
    return table_of(head, rows, "Real documents")


def _documents(folders: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    from retrieval.parsing import is_read

    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(each for folder in folders for each in folder.rglob("*")):
        name = path.name.removesuffix(".gz")
        if is_read(name) and path.is_file() and not path.is_symlink():
            found[Path(name).suffix.lower()].append(path)
    for paths in found.values():
        for path in islice((p for p in paths if p.stat().st_size <= _MOST_BYTES), _MOST_OF_A_KIND):
            content = path.read_bytes()
            is_packed = path.suffix == ".gz"
            yield path.name.removesuffix(".gz"), gzip.decompress(content) if is_packed else content
