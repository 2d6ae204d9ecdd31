"""`vouch ingest` reads documents in."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.arguments import utf8
from bot.cli.console import Terminal, print_json, progress_bar
from bot.cli.container import open_container, open_container_to_ask
from bot.cli.sources import (
    For,
    SourceOptions,
    demand_source,
    given_answers_anew,
    read_all_again,
    read_url,
    readers_of,
)
from bot.errors import NoSuchPath, WrongUse
from bot.settings import Settings
from bot.wiring import Container
from bot.wording import documents as wording
from bot.wording.names import listed
from retrieval.remote.urls import is_url, source_url

if TYPE_CHECKING:
    from retrieval.ingest.source_files import IngestReport
    from retrieval.ingest.sources import ToRead


def ingest(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="Documents, folders, or URLs of where documents live."),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Let the documents of these paths leave.")
    ] = False,
    readers: For = None,
    source: Annotated[
        str,
        typer.Option(
            "--source",
            "--name",
            help="What the source is called; by default as its folder. Documents are known by it, "
            "wherever the folder stands. With --all: that one alone is read again.",
            callback=utf8,
        ),
    ] = "",
    may_shrink: Annotated[
        bool,
        typer.Option(
            "--may-shrink",
            help="Let documents of a URL leave, also where more than half are gone at once.",
        ),
    ] = False,
    seals: Annotated[
        bool,
        typer.Option(
            "--seals",
            help="Look at the seal of every passage first, and not of some: what was changed "
            "behind Vouch's back is read anew.",
        ),
    ] = False,
    re_embed: Annotated[
        bool, typer.Option("--re-embed", help="Make the index anew, after a change of embedder.")
    ] = False,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Read again all that was read before; nothing of a folder "
            "that is gone is removed.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --all: print numbers.")] = False,
) -> None:
    """Read documents in, incrementally; the exit status is 1 where a file was left out."""
    if every:
        alone = not (paths or remove or re_embed or readers)
        _ingest_all(source, as_json=as_json, alone=alone)
        return
    given = [] if remove else list(paths or ())
    asked = SourceOptions(readers, source, seals, may_shrink)
    if as_json:
        raise WrongUse("--json goes with --all.")
    if not paths and not re_embed:
        raise WrongUse("Name the documents or folders to ingest: `vouch ingest FOLDER`.")
    _demand_sense(given, asked)
    _demand_urls(paths or ())
    container, console = open_container(), Terminal(stderr=True)
    _demand_no_mirror(container.settings, paths or ())
    if re_embed:
        embed_anew(container, console)
    renew_outdated_index(container, console)
    for path in paths or () if remove else ():
        console.print(f"{_removed(container, path)} documents removed")
    clean = [_is_read_well(container, each, asked, console) for each in given]
    clean += [_tell_failed(each, console) for each in given_answers_anew(container)]
    forget_old_versions(container, console)
    if not all(clean):
        sys.exit(1)


def _tell_failed(source: "ToRead", console: Terminal) -> bool:
    console.print(f"{source.source}: {source.problem}", style="red")
    return False


def _is_read_well(
    container: Container, given: str, asked: SourceOptions, console: Terminal
) -> bool:
    from retrieval.errors import SourceUnavailable

    if is_url(given):
        try:
            report = read_url(container, given, asked, console)
        except SourceUnavailable as error:
            console.print(wording.not_read(given, str(error)), style="red")
            return False
    else:
        path = Path(given)
        audience = readers_of(container, path, asked.readers, asked.source)
        with progress_bar(console, f"Reading {path}") as progress:
            report = container.ingest.run(path, audience, progress, asked.source, asked.seals)
    print_report(report, console)
    return report.is_clean


def _demand_sense(given: Sequence[str], asked: SourceOptions) -> None:
    if asked.source and len(given) != 1:
        raise WrongUse("--source names one folder: `vouch ingest FOLDER --source NAME`.")
    if asked.readers and not given:
        raise WrongUse("--for goes with folders to ingest: `vouch ingest FOLDER --for everyone`.")
    if asked.may_shrink and not all(map(is_url, given or [""])):
        raise WrongUse("--may-shrink goes with URLs: `vouch ingest s3://PLACE/FOLDER`.")
    for path in given:
        if not is_url(path):
            _demand_there(Path(path))


def _demand_urls(paths: Sequence[str]) -> None:
    """Before anything is opened: what is no URL, or holds a password, is said at once."""
    from retrieval.errors import BadSource

    for each in filter(is_url, paths):
        try:
            source_url(each)
        except BadSource as error:
            raise WrongUse(f"{error}.") from None


def _demand_no_mirror(settings: Settings, paths: Sequence[str]) -> None:
    """A mirror is read with what is known of its source now, or not at all."""
    from bot.wiring.sources import FOLDER

    mirrors = (settings.home / FOLDER).resolve()
    for each in paths:
        if not is_url(each) and Path(each).expanduser().resolve().is_relative_to(mirrors):
            raise WrongUse(f"{each} is a copy of a source elsewhere: name that one's URL.")


def _removed(container: Container, given: str) -> int:
    from bot.wiring.given_files import take_back
    from bot.wiring.sources import remove

    if is_url(given):
        return remove(container, given)
    take_back(container.home, Path(given))
    return len(container.ingest.remove(Path(given)))


def _ingest_all(only: str, *, as_json: bool, alone: bool) -> None:
    if not alone:
        raise WrongUse("--all reads everything again: leave all but --source out.")
    container, console = open_container_to_ask(), Terminal(stderr=True)
    if only:
        demand_source(container.stores, only)
    renew_outdated_index(container, console)
    read = read_all_again(container, console, only)
    forget_old_versions(container, console)
    if as_json:
        print_json(read.numbers())
    if not read.is_clean:
        sys.exit(1)


def _demand_there(path: Path) -> None:
    if not path.exists():
        raise NoSuchPath(
            f"{path} does not exist. If its documents should leave, run "
            f"`vouch ingest --remove {path}`."
        )


def embed_anew(container: Container, console: Terminal) -> None:
    with progress_bar(console, "Embedding") as progress:
        embedded = container.ingest.embed_all(progress)
    console.print(f"{embedded} passages embedded anew")


def renew_outdated_index(container: Container, console: Terminal) -> None:
    """Make an index of another form anew, before anything is added to it."""
    if container.index.is_outdated:
        console.print("The index is of another version, or for other facets: it is made anew")
        with progress_bar(console, "Embedding") as progress:
            embedded = container.ingest.renew(progress)  # by another process, since, as may be
        console.print(f"{embedded} passages embedded anew")


def forget_old_versions(container: Container, console: Terminal) -> None:
    """Let go of the text of what left long ago, but for what an answer cites."""
    if forgotten := container.forget_old_versions():
        console.print(f"{forgotten} earlier versions, which no answer cites, are not kept any more")


def print_report(report: "IngestReport", console: Terminal) -> None:
    """Counts in one line, every file that was left out and why, and who may read the others."""
    for said, style in (*_told(report), *_as_read(report), *_readers(report)):
        console.print(said, style=style)


def _told(report: "IngestReport") -> Iterator[tuple[str, str]]:
    if report.moved_from:
        yield f"The source {report.source} stood at {report.moved_from} before", "yellow"
    for old, new in report.renamed:
        yield f"Renamed: {old} is {new} now", ""
    yield (
        f"{len(report.added)} new, {len(report.changed)} changed, {len(report.removed)} gone, "
        f"{report.unchanged} unchanged; {report.passages} passages written",
        "",
    )
    if report.left_alone:
        endings = Counter(PurePath(file).suffix.lower() for file in report.left_alone)
        yield wording.kinds_left_alone(endings.most_common()), ""
    if report.links:
        yield f"Links, which are not followed: {listed(report.links, most=5)}", ""
    if report.suspended:
        suspended = listed(report.suspended, most=5)
        yield f"Not served until their folder can be listed: {suspended}", "yellow"
    for source in report.gone:
        yield (
            f"No longer there, and its documents are still served: {source.root}. If they should "
            f"leave: vouch ingest --remove {source.root}. If it moved: vouch ingest FOLDER "
            f"--source {source.name} (if that folder was read under another name, let it leave "
            "first)",
            "yellow",
        )
    for entry in report.unused:
        yield f"Names no file: {entry}. Correct the entry, or remove it.", "red"


def _as_read(report: "IngestReport") -> Iterator[tuple[str, str]]:
    for document in report.unread:
        yield f"Read in part: of {document.file} {document.reason}", "yellow"
    if report.foreign:
        yield wording.not_in_english(listed(report.foreign, most=5)), "yellow"
    for problem in report.problems:
        yield f"Left out: {problem.file} {problem.reason}", "red"


def _readers(report: "IngestReport") -> Iterator[tuple[str, str]]:
    from retrieval.parsing import suffixes

    if report.is_empty:
        yield wording.empty(report.root, ", ".join(suffixes())), "red"
    for document in report.alike:
        yield wording.alike(document.file, document.reason), "yellow"
    for audience, number in sorted(report.readers.items()):
        yield wording.audience_may_read(number, audience), ""
    if report.unsaid:
        yield wording.unsaid(report.source, report.root), "red"
