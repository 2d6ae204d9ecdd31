"""`vouch extract` reads fields out of documents; `vouch parse` shows what is read of one file."""

import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.arguments import AsJson, AsPerson, file_to_write, utf8
from bot.cli.console import Terminal, print_json, progress_bar
from bot.cli.container import open_container, open_container_to_ask
from bot.errors import WrongUse
from bot.wording import documents
from bot.wording import extracting as wording
from bot.wording.untrusted_text import printable
from retrieval.parsing.described import ReadDocument, ReadFragment, described

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import BaseModel

    from bot.extracting.values import Extraction, Opened
    from bot.web.files import Shown
    from bot.wiring.container import Stores


def extract(
    document: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE_OR_FILE",
            help="A file; or a document or a source that was ingested.",
            callback=utf8,
        ),
    ],
    schema: Annotated[
        str,
        typer.Option(
            help="FILE.py:Name of a pydantic model, which is imported; or FILE.json.", callback=utf8
        ),
    ],
    person: AsPerson = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, a row for each field.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            help="Write a page that shows them beside the document.", callback=file_to_write
        ),
    ] = None,
) -> None:
    """Read fields out of documents: each with its place and whether it holds, or null and why."""
    from bot.extracting import service as extracting
    from bot.web.files import as_page
    from bot.wiring.extracting import build_extracting, open_file, wanted

    fields, accept = wanted(_schema(schema))
    file = Path(document)
    is_file = file.is_file()
    if html and is_file and html.resolve() == file.resolve():
        raise WrongUse(documents.WRITES_OVER)
    container = open_container() if is_file else open_container_to_ask()
    who = container.stores.access.people.find(person) if person is not None else None
    service = build_extracting(container)
    named = _source_at(container.stores, file) or document
    ids = [] if is_file else service.documents(named, who)
    opened = (
        [open_file(container.settings, file)] if is_file else filter(None, map(service.opened, ids))
    )
    found: list[Extraction] = []
    shown: list[Shown] = []
    with progress_bar(Terminal(stderr=True), wording.READING) as report:
        for at, each in enumerate(opened):
            name = each.passages[0].document.file

            def tell(done: int, of: int, at: int = at, name: str = name) -> None:
                report(at * of + done, max(len(ids), 1) * of, name)

            found.append(service(each, fields, who, accept=accept, progress=tell))
            if html:
                shown.append(_shown(container.stores, each, found, all_pages=len(ids) < 2))
    found.sort(key=lambda each: each.document.file)
    if html and shown:
        shown.sort(key=lambda each: each.file)
        html.write_text(as_page(shown), encoding="utf-8")
    if as_json:
        print_json([extracting.as_json(each) for each in found])
    elif as_csv:
        sys.stdout.write(extracting.as_csv(found))
    elif not html:
        _print(found)


def _source_at(stores: "Stores", folder: Path) -> str:
    roots = {each.root: each.name for each in stores.library.sources() if each.root}
    return roots.get(str(folder.resolve()), "") if folder.is_dir() else ""


def _print(extractions: "Sequence[Extraction]") -> None:
    from bot.extracting.service import line_of, text_of

    console = Terminal()
    for extraction in extractions:
        console.print(extraction.document.file, style="bold")
        for each in extraction.fields:
            console.print(f"  {line_of(each)}", highlight=False)
            for found in each.places:
                where = [cited.place.in_words() for cited in found.claim.citations[:1]]
                said = " ".join([f"“{' '.join(text_of(found).split())}”", *where])
                console.print(f"    {said}", style="dim", highlight=False)
        console.print(wording.audit(extraction.audit_id), style="dim", highlight=False)


def _shown(
    stores: "Stores", opened: "Opened", found: "Sequence[Extraction]", *, all_pages: bool
) -> "Shown":
    """The last that was found; of several PDFs the pages alone are drawn that something is on."""
    from bot.web.files import marked_pages, shown

    extraction, document = found[-1], found[-1].document
    pages = [each.number for each in opened.parsed.pages] if opened.parsed else []
    if not all_pages:
        pages = marked_pages(extraction)
    kept = stores.library.original
    content = opened.content or kept(document.document_id, document.version) or b""
    return shown(
        extraction, len(found), opened.parsed, page_pictures(document.file, pages, content)
    )


def _schema(named: str) -> "type[BaseModel] | Mapping[str, Any]":
    """Raise `WrongUse` where it cannot be had; a Python file is run."""
    path, colon, name = named.rpartition(":")
    if named.endswith(".json"):
        return _json_schema(Path(named))
    if not colon or not path.endswith(".py") or not name:
        raise WrongUse(wording.NOT_NAMED)
    return model_of(Path(path), name)


def _json_schema(file: Path) -> "Mapping[str, Any]":
    if not file.is_file():
        raise WrongUse(wording.no_schema(str(file)))
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, OSError, RecursionError) as error:
        raise WrongUse(wording.no_json_schema(str(file), str(error))) from error
    if not isinstance(said, dict):
        raise WrongUse(wording.no_json_schema(str(file), "it is no object"))
    return said


def model_of(file: Path, name: str) -> "type[BaseModel]":
    """Raise `WrongUse` where a Python file, which is run, has no such pydantic model."""
    from pydantic import BaseModel

    spec = importlib.util.spec_from_file_location("vouch_schema", file)
    if not file.is_file() or spec is None or spec.loader is None:
        raise WrongUse(wording.no_schema(str(file)))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # pydantic looks there for names of types
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever somebody's own program does
        why = f"{type(error).__name__}: {error}"
        raise WrongUse(wording.not_imported(str(file), why)) from error
    models = {
        key: each
        for key, each in vars(module).items()
        if isinstance(each, type) and issubclass(each, BaseModel) and each is not BaseModel
    }
    if name not in models:
        raise WrongUse(wording.no_model(str(file), name, sorted(models)))
    return models[name]


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
        raise WrongUse(documents.NO_FILE_TO_PARSE)
    if html and html.resolve() == file.resolve():
        raise WrongUse(documents.WRITES_OVER)
    from bot.wiring.retrieval import parsed_file

    with Terminal(stderr=True).status(documents.reading(file.name)):
        parsed, content = parsed_file(open_container().settings, file)
    read = described(file.name, hashlib.sha256(content).hexdigest(), parsed)
    if html:
        from bot.web.files import parsed_page

        drawn = page_pictures(file.name, [page.number for page in read.pages], content)
        html.write_text(parsed_page(read, drawn), encoding="utf-8")
        Terminal(stderr=True).print(documents.written_to(str(html)))
    if as_json:
        print_json(read.model_dump(mode="json"))
    elif not html:
        _print_read(read)


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
                Terminal(stderr=True).print(documents.no_picture(page, str(error)), style="yellow")
    return pictures


def _print_read(read: ReadDocument) -> None:
    console = Terminal()
    for fragment in read.fragments:
        console.print(_where(fragment), style="dim", highlight=False)
        for sentence in fragment.sentences:
            console.print(f"  {printable(sentence.text)}", highlight=False)
    for page in read.unread:
        console.print(documents.page_unread(page.page, page.why), style="yellow")
    if read.hidden:
        console.print(documents.hidden_too(len(read.hidden)), style="yellow")


def _where(fragment: ReadFragment) -> str:
    first = fragment.sentences[0]
    page = first.page_label or (f"page {first.page}" if first.page else "")
    line = f"line {first.line_start}" if first.line_start else ""
    paragraph = f"paragraph {first.paragraph}" if first.paragraph else ""
    place = ", ".join(filter(None, (page, line, paragraph)))
    return " · ".join(filter(None, (fragment.kind.value, place)))
