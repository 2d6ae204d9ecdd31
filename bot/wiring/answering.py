"""What answers a question, from what is found to what is recorded; each part is built anew."""

import hashlib
import importlib.metadata
import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from audit.record import SettingsRecord, Versions
from bot.access.reading import documents_of_sources, readable
from bot.answering.corroboration import Corroboration
from bot.answering.evidence import EvidenceFinder
from bot.answering.gate import MARKED, Gate, GateCalibration
from bot.answering.library.asking import LibraryAnswers
from bot.answering.library.documents import Comparison, Summaries
from bot.answering.own_name import Organisation
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.query_rewriting import QueryRewriting
from bot.answering.quoting import NearestQuoter, Nearness
from bot.answering.recording import FROM_REVIEW, Circumstances
from bot.answering.standard import SOURCE, Fallback, StandardAnswers
from bot.answering.values import Writer
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.extractive import ExtractiveWriter
from bot.errors import BadConfiguration
from bot.settings import Settings, recorded
from bot.wiring.calibration import gate_of_copies
from bot.wiring.container import ModelsInUse, Stores
from retrieval.documents.port import LibraryReader
from retrieval.index.entries import SHIPPED
from retrieval.language.meanings import Meaning
from retrieval.language.sentences import asked_in_english, written_in_english
from retrieval.metadata.access import HOME, TEAM
from retrieval.metadata.ontology import Ontology, check_owner
from retrieval.ports import PassageIndex
from retrieval.search.catalogue import Catalogue
from retrieval.search.completeness import IndexCompleteness
from retrieval.search.query_understanding import PlainWords
from retrieval.search.scores import ABOUT, ON_TOPIC, ON_TOPIC_ALONE
from retrieval.search.search import Search
from retrieval.types import Passage, Scope

log = logging.getLogger(__name__)

PACKAGES = {"lancedb": "lancedb", "weaviate": "weaviate-client"}


def build_evidence(
    stores: Stores, models: ModelsInUse, search: Search, plain_words: PlainWords
) -> EvidenceFinder:
    """A language model understands the question where one writes, else rules; both in English."""
    by_model = models.language_models
    understanding = by_model.understanding() if by_model else QueryRewriting()
    understanding = replace(understanding, is_english=asked_in_english)
    search = replace(search, is_understood=in_english)
    documents_of = partial(documents_of_sources, stores.library)
    scope_for = stores.access.scope_for
    corrects = partial(_corrects, models)
    return EvidenceFinder(scope_for, search, understanding, plain_words, documents_of, corrects)


def _corrects(models: ModelsInUse, line: str) -> bool:
    return models.named.meanings(line).meaning is Meaning.CORRECTION


def in_english(question: str, passage: Passage) -> bool:
    return asked_in_english(question) and written_in_english(passage.with_heading)


def build_answering(
    settings: Settings,
    stores: Stores,
    models: ModelsInUse,
    index: PassageIndex,
    evidence: EvidenceFinder,
) -> AnsweringPipeline:
    """It leaves nothing behind: whoever shows its replies to people has it record them first."""
    if not models.calibrated_as and models.fitted.misfit:
        log.warning("%s", models.fitted.misfit)
    verification, near = build_verification(settings, stores, models), nearness(models)
    circumstances = circumstances_of(settings, models)
    gate = build_gate(settings, models.calibration.gate)
    return AnsweringPipeline(
        evidence=evidence,
        writer=build_writer(models),
        verification=verification,
        gate=gate,
        corroboration=Corroboration(models.named.entailment),
        record=lambda _: None,
        circumstances=circumstances,
        quote=NearestQuoter(models.reranker, models.named.embedder, near),
        unsearched=IndexCompleteness(stores.library, index),
        nearness=near,
        contact=contact_of(settings, stores.ontology),
        fallback=build_fallback(settings, models, verification, circumstances),
        library=build_library_answers(
            settings, stores, models, index, evidence.search, verification, gate
        ),
        standard=StandardAnswers(
            partial(documents_of_sources, stores.library, [SOURCE]),
            models.calibration.relevance.relevance,
            partial(_passages_of, stores.library),
            verification,
            gate,
            replace(circumstances, writer=FROM_REVIEW, writer_model=""),
        ),
    )


def _passages_of(library: LibraryReader, document_id: str) -> Collection[Passage]:
    return library.passages(library.passage_ids([document_id])).values()


def build_library_answers(
    settings: Settings,
    stores: Stores,
    models: ModelsInUse,
    index: PassageIndex,
    search: Search,
    verification: ClaimVerifier,
    gate: Gate,
) -> LibraryAnswers:
    """What tells what the library has; by likeness too where the embedder that ships searches."""
    asked, embedder = models.named.library_questions, models.named.embedder
    ships = embedder.name.startswith(SHIPPED)
    near = (ON_TOPIC, ON_TOPIC_ALONE) if ships else (1.0, 1.0)
    mine = partial(readable, stores.library)
    catalogue = Catalogue(stores.library, index, embedder, mine, stores.ontology, *near)
    summed_up = Summaries(
        verification,
        gate,
        writer=build_writer(models) if models.language_models else None,
        falls_back=settings.on_writer_failure == "extractive",
        is_understood=in_english,
    )
    compared = Comparison(
        asked.is_around, catalogue, search, ExtractiveWriter(models.reranker), verification, gate
    )
    return LibraryAnswers(asked, catalogue, summed_up, compared)


def build_writer(models: ModelsInUse) -> Writer:
    """A language model where the settings have one write; else what copies sentences."""
    by_model = models.language_models
    return by_model.writer() if by_model else ExtractiveWriter(models.reranker)


def build_verification(settings: Settings, stores: Stores, models: ModelsInUse) -> ClaimVerifier:
    levels = stores.ontology.levels
    units = frozenset(level.name for level in levels if level.facet is not None)
    return ClaimVerifier(
        models.entailment,
        organisation=Organisation(settings.organisation_names, units),
        by_language_model=settings.checks_by_language_model,
    )


def build_gate(settings: Settings, calibration: GateCalibration) -> Gate:
    marked = MARKED[settings.unsupported_claims]
    return Gate(calibration, settings.answer_at, settings.partial_at, marked=marked)


def build_fallback(
    settings: Settings,
    models: ModelsInUse,
    verification: ClaimVerifier,
    circumstances: Circumstances,
) -> Fallback | None:
    """None where sentences are copied anyway, or a failure is to be said; its models are here."""
    if models.language_models is None or settings.on_writer_failure == "error":
        return None
    named, relevance = models.named, models.calibration.relevance
    copies = gate_of_copies(settings.calibration, named.names, relevance)
    writer = ExtractiveWriter(models.reranker)
    return Fallback(
        writer,
        settings.relevance_threshold,
        replace(verification, entailment=named.entailment, by_language_model=False),
        build_gate(settings, copies.gate),
        replace(
            circumstances,
            writer=writer.name,
            writer_model=models.reranker.name,
            calibration=copies.name,
        ),
    )


def contact_of(settings: Settings, ontology: Ontology) -> Callable[[Scope], str]:
    if wrong := check_owner(settings.contact):
        raise BadConfiguration(f"VOUCH_CONTACT {wrong}.")

    def contact(scope: Scope) -> str:
        """Whom the home's own workspace asks, another knows nothing of."""
        if HOME not in scope.facets.get(TEAM, (HOME,)):
            return ""
        return ontology.contact_of(scope) or settings.contact

    return contact


def nearness(models: ModelsInUse) -> Nearness:
    ships = models.named.embedder.name.startswith(SHIPPED)
    return Nearness(models.calibration.relevance.near, ABOUT if ships else 1.0)


def circumstances_of(settings: Settings, models: ModelsInUse) -> Circumstances:
    """What all records have in common, as long as the writer in use writes."""
    return Circumstances(
        versions=versions_of(settings, models),
        embedding_model=models.named.embedder.name,
        writer=build_writer(models).name,
        writer_model=settings.openai_model if models.language_models else models.reranker.name,
        calibration=models.calibration.name,
    )


def versions_of(settings: Settings, models: ModelsInUse) -> Versions:
    """What an auditor needs to know of how an answer was made."""
    values = recorded(settings)
    digest = hashlib.sha256(repr(sorted(values.items())).encode()).hexdigest()
    return Versions(
        software=importlib.metadata.version("vouch"),
        index=f"{settings.index} {importlib.metadata.version(PACKAGES[settings.index])}",
        models={
            "embedder": models.named.embedder.name,
            "reranker": models.reranker.name,
            **models.listwise_name,
            "entailment": models.entailment.name,
            "writer": build_writer(models).name,
        },
        settings=SettingsRecord(hash=f"sha256:{digest}", values=values),
    )
