"""`vouch sources` lists what was ingested, with its readers, and changes who they are."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.ask import utf8
from bot.cli.console import Terminal
from bot.cli.container import open_container_to_ask
from bot.cli.readers import For
from bot.errors import UnknownDocument, WrongUse
from bot.visible import json_text
from bot.wiring import Container

if TYPE_CHECKING:
    from retrieval.documents.holdings import KnownSource, SourceTimes


def sources(
    name: Annotated[
        str, typer.Argument(help="A source, to change its readers.", callback=utf8)
    ] = "",
    readers: For = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """List sources with their readers, or change who may read one."""
    container = open_container_to_ask()
    if readers:
        if not name:
            raise WrongUse("Name the source: `vouch sources NAME --for everyone`.")
        _change(container, name, readers)
        return
    known = [_Listed.of(container, each, times) for each, times in _with_times(container)]
    shown = [each for each in known if name in ("", each.source.name)]
    if name and not shown:
        raise _unknown(container, name)
    if as_json:
        sys.stdout.write(f"{json_text([each.as_json() for each in shown])}\n")
        return
    console = Terminal(soft_wrap=True)
    for each in shown:
        console.print(each.in_words(), highlight=False)


def _change(container: Container, name: str, readers: list[str]) -> None:
    from bot.cli.ingest_all import read_all_again
    from bot.wording import readers as wording
    from retrieval.metadata.access import audience_said

    audience = audience_said(readers, container.ontology.facets)
    if name not in {each.name for each in container.library.sources()}:
        raise _unknown(container, name)
    console = Terminal(stderr=True)
    container.ingest.say_readers(name, audience)
    console.print(wording.changed(name, audience), soft_wrap=True)
    if not read_all_again(container, console, name).is_clean:
        sys.exit(1)


def _unknown(container: Container, name: str) -> UnknownDocument:
    from bot.near import near
    from bot.wording import readers as wording

    known = {each.name: (each.name,) for each in container.library.sources()}
    return UnknownDocument(wording.unknown_source(name, near(name, known)))


def _with_times(container: Container) -> "list[tuple[KnownSource, SourceTimes]]":
    times = {each.name: each for each in container.library.source_times()}
    return [(each, times[each.name]) for each in container.library.sources()]


@dataclass(frozen=True, slots=True)
class _Listed:
    source: "KnownSource"
    times: "SourceTimes"
    documents: int
    out: int

    @classmethod
    def of(cls, container: Container, source: "KnownSource", times: "SourceTimes") -> "_Listed":
        held = container.library.holdings(source.name)
        kept_out = [each for each in container.library.kept_out() if each.source == source.name]
        return cls(source, times, len(held), len(kept_out))

    def in_words(self) -> str:
        from bot.wording import readers as wording

        audience = self.source.audience
        readers = wording.NOBODY_SAID if audience is None else f"for {wording.who(audience)}"
        read = self.times.read_at
        said = [readers, wording.counted(self.documents)]
        said += [f"{self.out} kept out"] if self.out else []
        said += [f"read {read:%Y-%m-%d %H:%M} UTC"] if read else []
        return f"{self.source.name} ({self.source.root}): {'; '.join(said)}"

    def as_json(self) -> dict[str, object]:
        audience = self.source.audience
        return {
            "name": self.source.name,
            "root": self.source.root,
            "audience": None if audience is None else {f: list(v) for f, v in audience},
            "documents": self.documents,
            "kept_out": self.out,
            "read_at": self.times.read_at and self.times.read_at.isoformat(),
            "changed_at": self.times.changed_at and self.times.changed_at.isoformat(),
        }
