"""`vouch sources` lists what was ingested and changes its readers; all sources are read again."""

import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.errors import AuditError
from bot.cli.arguments import AsJson, utf8
from bot.cli.console import Terminal, print_json, progress_bar
from bot.cli.container import open_container_to_ask
from bot.errors import BadConfiguration, InboxUnavailable, UnknownDocument, WrongUse
from bot.wiring import Container
from bot.wiring.container import Stores
from bot.wording import documents as wording
from bot.wording.names import closest_names
from retrieval.errors import (
    MissingExtra,
    RetrievalError,
    SourceNameTaken,
    SourceUnavailable,
    UnreadableDocument,
    WrongReaders,
)
from retrieval.metadata.access import audience_said

if TYPE_CHECKING:
    from datetime import datetime

    from retrieval.documents.holdings import KnownSource, SourceTimes
    from retrieval.ingest.source_files import IngestReport
    from retrieval.ingest.sources import ToRead
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


@dataclass(frozen=True, slots=True)
class SourceOptions:
    readers: list[str] | None = None
    """Who may read it, as somebody says now."""
    source: str = ""
    """What it is called; empty for as it is known."""
    seals: bool = False
    may_shrink: bool = False


def read_url(
    container: Container, given: str, asked: SourceOptions, console: Terminal
) -> "IngestReport":
    """Copy a source elsewhere, and read the copy in. Raise `SourceUnavailable`."""
    from bot.wiring.sources import copied, name_of
    from retrieval.remote.urls import source_url

    url = source_url(given).text
    name = name_of(container.stores, url, asked.source)
    with ExitStack() as held:
        with progress_bar(console, f"Copying {url}") as copying:
            coming = copied(container, url, name, copying, may_shrink=asked.may_shrink)
            ready = held.enter_context(coming)
        audience = readers_of(container, ready.folder, asked.readers, name, url)
        with progress_bar(console, f"Reading {url}") as progress:
            return container.ingest.run(
                ready.folder, audience, progress, name, asked.seals, ready.mirrored
            )


def readers_of(
    container: Container, path: Path, said: list[str] | None, source: str, shown: str = ""
) -> "Audience | None":
    """Who may read a path's source as somebody says now; None where it was said, or nobody can."""
    facets = container.stores.ontology.facets
    if said:
        return audience_said(said, facets)
    files = container.ingest.without_readers(path, source) if sys.stdin.isatty() else ()
    while files:
        typed = typer.prompt(wording.ask(shown or str(path), files), err=True)
        try:
            return audience_said(typed.split(), facets)
        except WrongReaders as error:
            Terminal(stderr=True).print(str(error), style="yellow")
    return None


def sources(
    name: Annotated[
        str, typer.Argument(help="A source, to change its readers.", callback=utf8)
    ] = "",
    readers: For = None,
    as_json: AsJson = False,
) -> None:
    """List sources with their readers, or change who may read one."""
    container = open_container_to_ask()
    if readers:
        if not name:
            raise WrongUse("Name the source: `vouch sources NAME --for everyone`.")
        _change(container, name, readers)
        return
    if name:
        demand_source(container.stores, name)
    next_at = _next_readings(container)
    shown = [
        _Listed.of(container, each, times, next_at.get(each.name))
        for each, times in _with_times(container.stores)
        if name in ("", each.name)
    ]
    if as_json:
        print_json([each.as_json() for each in shown])
        return
    console = Terminal()
    for each in shown:
        console.print(each.in_words(), highlight=False)


def _change(container: Container, name: str, readers: list[str]) -> None:
    audience = audience_said(readers, container.stores.ontology.facets)
    demand_source(container.stores, name)
    console = Terminal(stderr=True)
    container.ingest.say_readers(name, audience)
    console.print(wording.changed(name, audience))
    if not read_all_again(container, console, name).is_clean:
        sys.exit(1)


def demand_source(stores: Stores, name: str) -> None:
    """Raise `UnknownDocument`, which names those that may be meant."""
    known = {each.name: (each.name,) for each in stores.library.sources()}
    if name not in known:
        raise UnknownDocument(wording.unknown_source(name, closest_names(name, known)))


def _with_times(stores: Stores) -> "list[tuple[KnownSource, SourceTimes]]":
    times = {each.name: each for each in stores.library.source_times()}
    return [(each, times[each.name]) for each in stores.library.sources()]


def _next_readings(container: Container) -> "dict[str, datetime | None]":
    from bot.wiring.jobs import job_statuses

    with suppress(InboxUnavailable):
        return {each.source: each.next_at for each in job_statuses(container) if each.source}
    return {}


@dataclass(frozen=True, slots=True)
class _Listed:
    source: "KnownSource"
    times: "SourceTimes"
    documents: int
    out: int
    fault: str
    """Why it was not read the last time; empty where it was."""
    next_at: "datetime | None"

    @classmethod
    def of(
        cls,
        container: Container,
        source: "KnownSource",
        times: "SourceTimes",
        next_at: "datetime | None",
    ) -> "_Listed":
        from retrieval.ingest.sources import known_paths

        library = container.stores.library
        kept_out = [each for each in library.kept_out() if each.source == source.name]
        unread = [each.reason for each in kept_out if each.file == "."]
        wanted = [each.problem for each in known_paths(library, source.name)]
        fault = next(filter(None, [*unread, *wanted]), "")
        out = len(kept_out) - len(unread)
        return cls(source, times, len(library.holdings(source.name)), out, fault, next_at)

    def in_words(self) -> str:
        from bot.answering.standard import SOURCE

        audience = self.source.audience
        readers = wording.NOBODY_SAID if audience is None else f"for {wording.who(audience)}"
        if self.source.name == SOURCE:
            readers = wording.EACH_ITS_OWN
        place, read_at = self.source.url or self.source.root, self.times.read_at
        said = wording.standing(self.documents, self.out, read_at, self.next_at, self.fault)
        return f"{self.source.name} ({place}): {readers}; {said}"

    def as_json(self) -> dict[str, object]:
        audience = self.source.audience
        return {
            "name": self.source.name,
            "root": self.source.root,
            "url": self.source.url or None,
            "audience": None if audience is None else {f: list(v) for f, v in audience},
            "documents": self.documents,
            "kept_out": self.out,
            "fault": self.fault or None,
            "read_at": self.times.read_at and self.times.read_at.isoformat(),
            "next_at": self.next_at and self.next_at.isoformat(),
            "changed_at": self.times.changed_at and self.times.changed_at.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class ReadAgain:
    reports: "tuple[IngestReport, ...]"
    failed: "tuple[ToRead, ...]"

    @property
    def is_clean(self) -> bool:
        return not self.failed and all(report.is_clean for report in self.reports)

    def numbers(self) -> dict[str, object]:
        reports = self.reports
        return {
            "new": sum(len(each.added) for each in reports),
            "changed": sum(len(each.changed) for each in reports),
            "gone": sum(len(each.removed) for each in reports),
            "unchanged": sum(each.unchanged for each in reports),
            "passages": sum(each.passages for each in reports),
            "left_out": sum(len(each.problems) + len(each.unused) for each in reports),
            "read_in_part": sum(len(each.unread) for each in reports),
            "without_readers": sum(each.unsaid for each in reports),
            "failed": [{"source": each.source, "reason": each.problem} for each in self.failed],
        }


def read_all_again(container: Container, console: Terminal, only: str = "") -> ReadAgain:
    """Read one source after another, or only the one; one that fails holds up no other."""
    from bot.wiring.given_answers import SOURCE
    from bot.wiring.given_files import lacking
    from retrieval.ingest.sources import known_paths

    passed_over = lacking(container.home, container.stores.library)
    for name in passed_over:
        console.print(wording.passed_over(name), style="yellow")
    reports: list[IngestReport] = []
    failed: list[ToRead] = []
    for each in known_paths(container.stores.library, only):
        if each.source in (SOURCE, *passed_over):
            continue
        try:
            reports.append(_read(container, each, console))
        except _NotRead as error:
            said = f"{each.source}: {error}"
            console.print(said, style="red")
            failed.append(replace(each, problem=str(error)))
    failed += given_answers_anew(container)
    return ReadAgain(tuple(reports), tuple(failed))


def given_answers_anew(container: Container) -> "list[ToRead]":
    """Bring people's answers up to date with what they rest on; return them where that fails."""
    from bot.wiring.given_answers import SOURCE, publish_answers
    from retrieval.ingest.sources import ToRead

    try:
        publish_answers(container)
    except (OSError, RetrievalError, AuditError) as error:
        return [ToRead(SOURCE, container.home / SOURCE, str(error))]
    return []


class _NotRead(Exception):
    """A source cannot be read; the message is the reason."""


def _read(container: Container, wanted: "ToRead", console: Terminal) -> "IngestReport":
    from bot.cli.ingest import print_report

    if wanted.problem:
        raise _NotRead(wanted.problem)
    try:
        if wanted.url:
            report = read_url(container, wanted.url, SourceOptions(source=wanted.source), console)
        else:
            with progress_bar(console, f"Reading {wanted.path}") as progress:
                report = container.ingest.run(wanted.path, progress=progress, again=True)
    except (
        UnreadableDocument,
        SourceNameTaken,
        SourceUnavailable,
        MissingExtra,
        BadConfiguration,
    ) as error:
        raise _NotRead(str(error)) from error
    except FileNotFoundError as error:
        raise _NotRead(f"{wanted.path} went away while it was read") from error
    print_report(report, console)
    return report
