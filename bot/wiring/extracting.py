"""Fields are read out of documents: the parts put together, and the function for Python."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from audit.values import ATTACHED
from bot.errors import WrongUse
from bot.settings import Settings
from bot.wiring.container import Container
from bot.wording import extracting as wording

if TYPE_CHECKING:
    from bot.access.people import Person
    from bot.answering.verification import ClaimVerifier
    from bot.extracting.by_model import FieldReader
    from bot.extracting.schema import Field
    from bot.extracting.service import Accept, Extracting
    from bot.extracting.values import Extraction, Opened


def build_extracting(container: Container) -> "Extracting":
    from bot.access.reading import documents_of_sources
    from bot.extracting.extractor import Extractor
    from bot.extracting.service import Extracting
    from bot.wiring.answering import build_verification, circumstances_of

    stores, models = container.stores, container.models
    verification = build_verification(container.settings, stores, models)
    return Extracting(
        stores.library,
        partial(documents_of_sources, stores.library),
        stores.access.scope_for,
        Extractor(
            models.named.embedder,
            models.reranker,
            verification,
            by_model=_field_reader(container, verification),
        ),
        stores.audit_writer.append,
        circumstances_of(container.settings, models),
        date.today,
    )


def _field_reader(container: Container, verification: "ClaimVerifier") -> "FieldReader | None":
    from bot.extracting.by_model import FieldReader

    models, settings = container.models, container.settings
    if models.language_models is None:
        return None
    fall_back = settings.on_writer_failure == "extractive"
    server = models.language_models.server
    return FieldReader(server, models.named.embedder, verification, fall_back)


def open_file(settings: Settings, file: Path) -> "Opened":
    """Open a file without any library; raise `WrongUse` or `UnreadableDocument`."""
    from bot.extracting.values import Opened
    from bot.wiring.retrieval import parsed_file
    from retrieval.documents.holdings import Parsed
    from retrieval.errors import UnreadableDocument
    from retrieval.ingest.reading import passages_of
    from retrieval.types import Metadata

    parsed, content = parsed_file(settings, file)
    document_id = f"{ATTACHED}{hashlib.sha256(content).hexdigest()[:24]}"
    try:
        passages = passages_of(file.name, parsed, document_id, Metadata(), datetime.now(UTC))
    except UnreadableDocument as error:
        raise UnreadableDocument(f"{file.name} {error}.") from error
    return Opened(tuple(passages), Parsed.of(parsed), content)


def extract(
    container: Container,
    source_or_file: str | Path,
    schema: "type[BaseModel] | Mapping[str, Any]",
    who: "Person | None" = None,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> "list[Extraction]":
    """Read fields out of a file, or of documents of the library that `who` or a guest may read."""
    fields, accept = wanted(schema)
    service = build_extracting(container)
    file = Path(source_or_file)
    documents: Iterable[Opened]
    if file.is_file():
        documents = [open_file(container.settings, file)]
    else:
        documents = filter(None, map(service.opened, service.documents(str(source_or_file), who)))
    return [service(each, fields, who, accept=accept, progress=progress) for each in documents]


def wanted(schema: "type[BaseModel] | Mapping[str, Any]") -> "tuple[tuple[Field, ...], Accept]":
    """Return the fields, and pydantic's validation where it made the schema; raise `BadSchema`."""
    from bot.extracting.schema import fields_of
    from bot.extracting.service import anything

    if isinstance(schema, Mapping):
        return fields_of(schema), anything
    return fields_of(schema.model_json_schema(), limits=True), partial(_accepted, schema)


def _accepted(model: type[BaseModel], values: Mapping[str, Any]) -> Mapping[str, str]:
    """What pydantic says against values; a field that is not stated is nobody's fault."""
    nested: dict[str, Any] = {}
    for name, value in values.items():
        *above, last = name.split(".")
        inner = nested
        for each in above:
            inner = inner.setdefault(each, {})
        if value is not None:
            inner[last] = value
    try:
        model.model_validate(nested)
    except ValidationError as error:
        told: dict[str, str] = {}
        for fault in error.errors(include_input=False, include_url=False, include_context=False):
            steps = [str(step) for step in fault["loc"]]
            names = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
            refused = next((name for name in names if values.get(name) is not None), None)
            if refused:
                told.setdefault(refused, fault["msg"])
        return told
    except Exception as error:  # whatever somebody's own validator does
        raise WrongUse(wording.not_checked(f"{type(error).__name__}: {error}")) from error
    return {}
