"""`vouch bench` tells how long each stage takes on this machine."""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.wiring import Container

if TYPE_CHECKING:
    from retrieval.ports import Reranker, RerankPair

SUBJECTS = ("leave", "travel", "exam", "library", "laptop", "licence", "grant", "parking", "visa")
ACTIONS = ("request", "approve", "cancel", "renew", "extend", "submit", "appeal", "transfer")
UNITS = ("students", "staff", "visitors", "lecturers", "contractors", "graduates")
TIMES = ("days", "weeks", "months", "terms")
SENTENCES_IN_PASSAGE = 6
"""Of about 16 words each, so that a passage has about 95: as in real handbooks."""
PASSAGES_IN_DOCUMENT = 25
QUESTIONS = 30
PAIRS = 50
RERANK_RUNS = 5
"""Each of other pairs; the best one counts."""
SEED = 0


def bench(
    passages: Annotated[
        int, typer.Option(min=100, help="Passages to make up and ingest.")
    ] = 10_000,
    slack: Annotated[bool, typer.Option(help="Time questions asked in Slack too.")] = True,
    parsing: Annotated[
        bool, typer.Option(help="Measure how fast documents of each format are read too.")
    ] = True,
    audit: Annotated[bool, typer.Option(help="Time the audit log too.")] = True,
    audit_url: Annotated[
        str, typer.Option(help="An empty PostgreSQL database, to time the audit log there too.")
    ] = "",
    asking: Annotated[
        bool, typer.Option(help="Ingest, and time asking; without, only what comes before.")
    ] = True,
) -> None:
    """Time ingesting and asking on made-up documents, in a home of its own."""
    from bot.cli.console import progress_bar
    from bot.lab.commands.bench_audit import audit_table
    from bot.lab.commands.bench_parsing import parsing_table
    from bot.lab.commands.bench_slack import slack_table
    from bot.wiring.retrieval import build_parsing
    from retrieval.metadata.access import EVERYBODY

    console = Terminal()
    if parsing:
        with console.status("Reading documents of each format"):
            console.print(parsing_table(build_parsing(open_container().settings)))
    if audit:
        with console.status("Appending to an audit log, and verifying it"):
            console.print(audit_table(server=audit_url))
    if not asking:
        return
    with (
        tempfile.TemporaryDirectory(prefix="vouch-bench-") as folder,
        open_container().aside() as container,
    ):
        documents = Path(folder) / "documents"
        _write_documents(documents, passages)
        for embedder in container.models.named.embedders.values():
            embedder.embed(["prepared before the clock starts"])
        start = time.perf_counter()
        with progress_bar(Terminal(stderr=True), "Ingesting") as progress:
            report = container.ingest.run(documents, EVERYBODY, progress)
        seconds = time.perf_counter() - start
        stages = report.milliseconds | {"all": seconds * 1000}
        console.print(_ingest_table(stages, report.passages, len(report.added)))
        console.print(_ask_table(container))
        alone, together = _questions_a_second(container)
        console.print(
            f"Questions a minute: {60 * alone:.0f} from one person, "
            f"{60 * together:.0f} from four at once"
        )
        reranked = seconds_to_rerank(container.models.reranker, list(_candidates()))
        console.print(aims_table(reranked, together, report.passages / seconds, PAIRS))
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


def _candidates() -> "Iterator[list[RerankPair]]":
    from retrieval.ports import RerankPair

    questions = _questions()
    for run in range(RERANK_RUNS):
        dice = random.Random(SEED + 3 + run)  # noqa: S311  # made-up text, the same at every run
        yield [
            RerankPair(questions[n % QUESTIONS], " ".join(_sentences(dice)), {})
            for n in range(PAIRS)
        ]


def _ingest_table(stages: dict[str, float], passages: int, documents: int) -> Table:
    table = Table("stage", title=f"Ingest: {documents} documents, {passages} passages")
    for column in ("seconds", "share", "passages a second"):
        table.add_column(column, justify="right")
    for stage, spent in stages.items():
        rate = passages / (spent / 1000)
        table.add_row(stage, f"{spent / 1000:.1f}", f"{spent / stages['all']:.0%}", f"{rate:,.0f}")
    return table


def _ask_table(container: Container) -> Table:
    from bot.answering.values import Question

    runs: dict[str, list[float]] = {}
    for number, text in enumerate(_questions()):
        reply = container.answering(Question(text, None, date.today()))
        if number:  # the first loads the models
            for stage, milliseconds in reply.stages_ms.items():
                runs.setdefault(stage, []).append(milliseconds)
    table = Table(
        "stage", title=f"Ask: {QUESTIONS - 1} questions, one after another, models loaded"
    )
    for column in ("median ms", "95th percentile ms", "share of the median"):
        table.add_column(column, justify="right")
    whole = median(runs["total"])
    for stage, spent in runs.items():
        slow = sorted(spent)[int(0.95 * len(spent))]
        table.add_row(stage, f"{median(spent):.1f}", f"{slow:.1f}", f"{median(spent) / whole:.0%}")
    return table


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


RERANKED_S = 0.25
"""Seconds for 50 candidates; this and the other aims are for two cores."""
QUESTIONS_A_SECOND = 3.0
"""From four people at once."""
PASSAGES_A_SECOND = 300.0


def seconds_to_rerank(reranker: "Reranker", runs: Sequence[Sequence["RerankPair"]]) -> float:
    """At the best of the runs, each of pairs that nobody read before: what was read is kept."""
    seconds = []
    for pairs in runs:
        start = time.perf_counter()
        reranker.scores(pairs)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def aims_table(
    reranked_s: float, questions_a_second: float, passages_a_second: float, candidates: int
) -> Table:
    """The share that is reached is the speed beside the aim's, so that more is always better."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    table = Table("speed", title=f"Aims for two cores; here are {cores}")
    for column in ("measured", "aim", "reached"):
        table.add_column(column, justify="right")
    rows = (
        (f"seconds to rerank {candidates}", reranked_s, RERANKED_S, RERANKED_S / reranked_s),
        (
            "questions a second, four people at once",
            questions_a_second,
            QUESTIONS_A_SECOND,
            questions_a_second / QUESTIONS_A_SECOND,
        ),
        (
            "passages ingested a second",
            passages_a_second,
            PASSAGES_A_SECOND,
            passages_a_second / PASSAGES_A_SECOND,
        ),
    )
    for what, measured, aim, reached in rows:
        table.add_row(what, f"{measured:,.3g}", f"{aim:,g}", f"{reached:.0%}")
    return table
