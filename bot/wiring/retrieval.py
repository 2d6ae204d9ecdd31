"""What brings documents into library and index, and what finds passages; each part built anew."""

from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import WrongUse
from bot.settings import Settings
from bot.wiring.container import ModelsInUse, Stores
from bot.wording.documents import cannot_be_opened

if TYPE_CHECKING:
    from retrieval.ingest.chunking import Chunking
    from retrieval.ingest.parser_pool import ParserPool
    from retrieval.ingest.reading import AttachmentReader
    from retrieval.ingest.sync import Ingest
    from retrieval.language.glossary import Glossary
    from retrieval.ports import PassageIndex
    from retrieval.search.query_understanding import PlainWords
    from retrieval.search.search import Search
    from retrieval.types import ParsedDocument


def build_index(settings: Settings, stores: Stores, models: ModelsInUse) -> "PassageIndex":
    from retrieval.index.entries import Certificate

    embedder = models.named.embedder
    mine = Certificate(embedder.name, embedder.dimension, tuple(stores.ontology.facets))
    if folder := index_files(settings):
        from retrieval.index.lance_index import LanceIndex

        return LanceIndex(folder, mine)
    from retrieval.index.weaviate_index import WeaviateIndex
    from retrieval.index.weaviate_server import Address, Server

    address = Address(
        settings.weaviate_url.get_secret_value(),
        settings.weaviate_grpc_port,
        settings.weaviate_key.get_secret_value(),
        settings.weaviate_timeout_seconds,
    )
    return WeaviateIndex(
        Server(address),
        f"Vouch_{stores.library.library_id()}",
        mine,
        consistency=settings.weaviate_consistency,
        replicas=settings.weaviate_replicas,
    )


def index_files(settings: Settings) -> Path | None:
    """The folder of the index; None on a server, whose files are its own."""
    return settings.home / "index" if settings.index == "lancedb" else None


MOST_PARSING = 4
"""Processes that read documents, unless the settings say more: each may take a gigabyte."""


def build_parsing(settings: Settings) -> "ParserPool":
    from retrieval.ingest.parser_pool import ParserPool, ParsingLimits
    from retrieval.models.onnx import usable_processors
    from retrieval.parsing.recognition import OFF, Recognition

    on = Recognition(
        settings.ocr_languages, settings.ocr_seconds, is_required=settings.ocr == "required"
    )
    limits = ParsingLimits(
        settings.parsing_megabytes, settings.parsing_processor_seconds, settings.parsing_seconds
    )
    workers = settings.parsing_workers or min(usable_processors(), MOST_PARSING)
    return ParserPool(workers, limits, OFF if settings.ocr == "off" else on)


def parsed_file(settings: Settings, file: Path) -> "tuple[ParsedDocument, bytes]":
    """What is read of a file, and its bytes; raise `WrongUse` or `UnreadableDocument`."""
    from retrieval.errors import UnreadableDocument

    try:
        content = file.read_bytes()
    except OSError as error:
        raise WrongUse(cannot_be_opened(str(file), error.strerror or "")) from error
    with build_parsing(settings) as apart:
        try:
            return apart.parse(file.name, content), content
        except UnreadableDocument as error:
            raise UnreadableDocument(f"{file.name} {error}.") from error


ATTACHMENT_SECONDS = 60
"""Somebody waits: an attached file is read so long at most, and recognised as long again."""


def build_attachment_reader(settings: Settings) -> "AttachmentReader":
    from retrieval.ingest.parser_pool import ParsingLimits
    from retrieval.ingest.reading import AttachmentReader
    from retrieval.parsing.recognition import OFF, Recognition, missing

    processor, by_clock, recognising = (
        min(ATTACHMENT_SECONDS, each)
        for each in (
            settings.parsing_processor_seconds,
            settings.parsing_seconds,
            settings.ocr_seconds,
        )
    )
    limits = ParsingLimits(settings.parsing_megabytes, processor, by_clock)
    on = Recognition(settings.ocr_languages, recognising)
    reads_pictures = settings.ocr != "off" and not missing(on)
    return AttachmentReader(limits, on if reads_pictures else OFF)


def build_ingest(
    settings: Settings,
    stores: Stores,
    models: ModelsInUse,
    index: "PassageIndex",
    cut_by: "Chunking | None" = None,
) -> "Ingest":
    from retrieval.ingest.chunking import PARAGRAPHS
    from retrieval.ingest.indexed_library import IndexedLibrary
    from retrieval.ingest.sync import Ingest

    return Ingest(
        IndexedLibrary(stores.library, index, models.named.embedder),
        stores.ontology,
        settings.largest_megabytes,
        build_parsing(settings),
        chunking=cut_by or PARAGRAPHS,
    )


def build_search(
    settings: Settings, stores: Stores, models: ModelsInUse, index: "PassageIndex"
) -> "Search":
    """What finds evidence for a question within a scope."""
    from retrieval.search.ranking import DenseRetriever, LexicalRetriever
    from retrieval.search.reranking import WindowReranker
    from retrieval.search.search import Search, SearchSettings
    from retrieval.search.selection import (
        OrganisationalSelection,
        neighbours_of,
        nothing_around,
        sections_of,
    )

    most = settings.candidates
    around = {"neighbours": neighbours_of, "section": sections_of, "none": nothing_around}
    return Search(
        stores.library,
        index,
        models.named.embedder,
        stores.ontology,
        (DenseRetriever(index, most), LexicalRetriever(index, most)),
        models.reranker,
        WindowReranker(models.named.cross_encoder, models.calibration.relevance),
        models.listwise_reranker,
        OrganisationalSelection(
            settings.relevance_threshold,
            settings.most_passages,
            floor=settings.reading_floor if models.language_models else None,
        ),
        context=around[settings.context],
        settings=SearchSettings(most),
    )


def build_plain_words(settings: Settings, stores: Stores, index: "PassageIndex") -> "PlainWords":
    """What corrects misspelt words by what a reader may read."""
    from retrieval.search.query_understanding import PlainWords, SpellingProposals

    return PlainWords(stores.library, index, SpellingProposals(), glossary_of(settings))


def glossary_of(settings: Settings) -> "Glossary":
    """Empty where none is named; raise `BadGlossary`."""
    from retrieval.language.glossary import Glossary, load_glossary

    return load_glossary(settings.glossary) if settings.glossary else Glossary()
