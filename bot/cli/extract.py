"""`vouch extract` reads the fields of a schema out of documents."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.arguments import AsJson, AsPerson, file_to_write, utf8
from bot.cli.console import Terminal, print_json, progress_bar
from bot.cli.container import open_container, open_container_to_ask
from bot.errors import WrongUse
from bot.wording import extracting as wording
from bot.wording.documents import WRITES_OVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import BaseModel

    from bot.extracting.values import Extraction, Opened
    from bot.web.extracted import Shown
    from bot.wiring.stores_and_models import Stores


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
            help="FILE.py:Name of a pydantic model, which is imported; or FILE.json.",
            callback=utf8,
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
    from bot.web.extracted import as_page
    from bot.wiring.extracting import build_extracting, open_file, wanted

    fields, accept = wanted(_schema(schema))
    file = Path(document)
    is_file = file.is_file()
    if html and is_file and html.resolve() == file.resolve():
        raise WrongUse(WRITES_OVER)
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
    """The name of the source whose folder this is; empty for none."""
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
    from bot.cli.parse import page_pictures
    from bot.web.extracted import marked_pages, shown

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
