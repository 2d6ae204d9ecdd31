"""`vouch parse` shows what is read of one file, and where it stands."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.arguments import file_to_write
from bot.cli.console import Terminal, print_json
from bot.cli.container import open_container
from bot.errors import WrongUse
from bot.wording import documents as wording
from bot.wording.untrusted_text import printable
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
        print_json(ReadDocument.model_json_schema())
        return
    if file is None:
        raise WrongUse(wording.NO_FILE_TO_PARSE)
    if html and html.resolve() == file.resolve():
        raise WrongUse(wording.WRITES_OVER)
    from bot.wiring.retrieval import parsed_file

    with Terminal(stderr=True).status(wording.reading(file.name)):
        parsed, content = parsed_file(open_container().settings, file)
    read = described(file.name, hashlib.sha256(content).hexdigest(), parsed)
    if html:
        from bot.web.files import parsed_page

        drawn = page_pictures(file.name, [page.number for page in read.pages], content)
        html.write_text(parsed_page(read, drawn), encoding="utf-8")
        Terminal(stderr=True).print(wording.written_to(str(html)))
    if as_json:
        print_json(read.model_dump(mode="json"))
    elif not html:
        _print(read)


def page_pictures(name: str, pages: Iterable[int], content: bytes) -> dict[int, bytes]:
    """PNG files of pages of a PDF, by number; that one cannot be drawn is said."""
    from retrieval.errors import NoPicture
    from retrieval.rendering.renderer import PageRenderer

    pictures: dict[int, bytes] = {}
    if not name.lower().endswith(".pdf") or not content:
        return pictures
    with PageRenderer() as renderer:
        for page in pages:
            try:
                pictures[page] = renderer.page(content, page).png
            except NoPicture as error:
                Terminal(stderr=True).print(wording.no_picture(page, str(error)), style="yellow")
    return pictures


def _print(read: ReadDocument) -> None:
    console = Terminal()
    for fragment in read.fragments:
        console.print(_where(fragment), style="dim", highlight=False)
        for sentence in fragment.sentences:
            console.print(f"  {printable(sentence.text)}", highlight=False)
    for page in read.unread:
        console.print(wording.page_unread(page.page, page.why), style="yellow")
    if read.hidden:
        console.print(wording.hidden_too(len(read.hidden)), style="yellow")


def _where(fragment: ReadFragment) -> str:
    """Such as `table_row · page 2, line 4`."""
    first = fragment.sentences[0]
    page = first.page_label or (f"page {first.page}" if first.page else "")
    line = f"line {first.line_start}" if first.line_start else ""
    paragraph = f"paragraph {first.paragraph}" if first.paragraph else ""
    place = ", ".join(filter(None, (page, line, paragraph)))
    return " · ".join(filter(None, (fragment.kind.value, place)))
