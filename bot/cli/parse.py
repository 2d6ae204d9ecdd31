"""`vouch parse` shows what is read of one file, and where it stands."""

import hashlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.arguments import file_to_write
from bot.cli.console import Terminal
from bot.cli.container import open_container
from bot.errors import WrongUse
from bot.wording import documents as wording
from bot.wording.untrusted_text import json_text, visible
from retrieval.errors import UnreadableDocument
from retrieval.parsing.described import ReadDocument, ReadFragment, described


def parse(
    file: Annotated[Path | None, typer.Argument(help="A file of a kind that is read.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print fragments, places, boxes and cells as JSON.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            help="Write a page that shows them over the document's pages.", callback=file_to_write
        ),
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON's own schema.")] = False,
) -> None:
    """Show what is read of one file and where it stands; nothing is kept."""
    if schema:
        sys.stdout.write(f"{json_text(ReadDocument.model_json_schema())}\n")
        return
    if file is None:
        raise WrongUse(wording.NO_FILE_TO_PARSE)
    if html and html.resolve() == file.resolve():
        raise WrongUse(wording.WRITES_OVER)
    read, content = _read(file)
    if html:
        html.write_text(_page(read, content), encoding="utf-8")
        Terminal(stderr=True).print(wording.written_to(str(html)), markup=False)
    if as_json:
        sys.stdout.write(f"{json_text(read.model_dump(mode='json'))}\n")
    elif not html:
        _print(read)


def _read(file: Path) -> tuple[ReadDocument, bytes]:
    """Raise `WrongUse` where it cannot be opened, and `UnreadableDocument`, with what to do."""
    from bot.wiring.retrieval import build_parsing

    try:
        content = file.read_bytes()
    except OSError as error:
        raise WrongUse(wording.cannot_be_opened(str(file), error.strerror or "")) from error
    said = Terminal(stderr=True).status(wording.reading(file.name))
    with said, build_parsing(open_container().settings) as apart:
        try:
            parsed = apart.parse(file.name, content)
        except UnreadableDocument as error:
            raise UnreadableDocument(f"{file.name} {error}.") from error
    return described(file.name, hashlib.sha256(content).hexdigest(), parsed), content


def _page(read: ReadDocument, content: bytes) -> str:
    from bot.web.parsed import parsed_page
    from retrieval.errors import NoPicture
    from retrieval.rendering.renderer import PageRenderer

    pictures: dict[int, bytes] = {}
    with PageRenderer() as renderer:
        for page in read.pages if read.file.lower().endswith(".pdf") else ():
            try:
                pictures[page.number] = renderer.page(content, page.number).png
            except NoPicture as error:
                said = wording.no_picture(page.number, str(error))
                Terminal(stderr=True).print(said, style="yellow", markup=False)
    return parsed_page(read, pictures)


def _print(read: ReadDocument) -> None:
    console = Terminal(soft_wrap=True)
    for fragment in read.fragments:
        console.print(_where(fragment), style="dim", markup=False, highlight=False)
        for sentence in fragment.sentences:
            console.print(f"  {visible(sentence.text)}", markup=False, highlight=False)
    for page in read.unread:
        console.print(wording.page_unread(page.page, page.why), style="yellow", markup=False)
    if read.hidden:
        console.print(wording.hidden_too(len(read.hidden)), style="yellow", markup=False)


def _where(fragment: ReadFragment) -> str:
    """Such as `table_row · page 2, line 4`."""
    first = fragment.sentences[0]
    page = first.page_label or (f"page {first.page}" if first.page else "")
    line = f"line {first.line_start}" if first.line_start else ""
    paragraph = f"paragraph {first.paragraph}" if first.paragraph else ""
    place = ", ".join(filter(None, (page, line, paragraph)))
    return " · ".join(filter(None, (fragment.kind.value, place)))
