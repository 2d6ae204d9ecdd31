"""The way from a question to a reply, over shelves, with models that see words alone."""

from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from fakes import SameEntailment, StatedReranker, WordsEmbedder
from shelves import Shelves

from audit.record import SettingsRecord, Versions
from bot.access.people import Person
from bot.access.reading import readable
from bot.answering.corroboration import Corroboration
from bot.answering.evidence import EvidenceFinder
from bot.answering.gate import UNCALIBRATED, Gate
from bot.answering.library.asking import LibraryAnswers
from bot.answering.library.documents import Comparison, Summaries
from bot.answering.pipeline import AnsweringPipeline, Record
from bot.answering.query_rewriting import QueryRewriting
from bot.answering.recording import Circumstances
from bot.answering.values import Writer
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.extractive import ExtractiveWriter
from retrieval.language.meanings import LibraryQuestions
from retrieval.metadata.ontology import load_ontology
from retrieval.models.embedders import BundledEmbedder
from retrieval.search.catalogue import Catalogue
from retrieval.search.selection import OrganisationalSelection
from retrieval.types import AccessRule, Metadata, Scope

VERSIONS = Versions(software="0", index="", models={}, settings=SettingsRecord(hash="", values={}))


def scope_for(person: Person | None, channel: str | None, on: date) -> Scope:
    """In private what the person's facets open; in a channel what is open to everyone."""
    return Scope(person.facets if person and channel is None else {}, on)


def copying(shelves: Shelves, record: Record) -> AnsweringPipeline:
    """Sentences are copied, and every claim is believed."""
    return AnsweringPipeline(
        evidence=EvidenceFinder(scope_for, shelves.composed(), QueryRewriting()),
        writer=ExtractiveWriter(StatedReranker()),
        verification=ClaimVerifier(SameEntailment(1.0)),
        gate=Gate(UNCALIBRATED),
        corroboration=Corroboration(SameEntailment(0.0)),
        record=record,
        circumstances=Circumstances(VERSIONS, "words", "extractive", "stated", "none"),
    )


def reading(
    shelves: Shelves, record: Record, writer: Writer, floor: float = 0.1
) -> AnsweringPipeline:
    """A language model reads what is over the floor, and writes; every claim is believed."""
    answering = copying(shelves, record)
    search = replace(answering.evidence.search, selection=OrganisationalSelection(floor=floor))
    return replace(
        answering,
        writer=writer,
        evidence=replace(answering.evidence, search=search),
        circumstances=replace(answering.circumstances, writer=writer.name, writer_model="a-model"),
    )


TODAY = date.today()
ASKED = LibraryQuestions(BundledEmbedder())
CS = AccessRule((("departments", ("cs",)),))
ANA = Person("ana", "Ana", "", {"departments": frozenset({"cs"})})
TRAVEL = Metadata(subtype="policy", owner="travel@example.org", effective=date(2026, 1, 1))
SECRET = Metadata(subtype="policy", owner="secret@example.org", access=CS)
OVER = Metadata(subtype="policy", access=AccessRule(valid_to=TODAY - timedelta(days=1)))


def filled(shelves: Shelves, *, hidden: bool = False) -> Shelves:
    hotels = "Hotels may cost 135 EUR a night."
    shelves.add("travel", hotels, metadata=TRAVEL, title="Travel policy")
    sections = (("Parking",), ("Keys",))
    texts = "Permits cost nothing, 0.9.", "Keys are kept by the porter."
    shelves.add("campus", *texts, sections=sections, title="Campus guide")
    if hidden:
        for title in ("Expenses policy", "Leave policy", "Travel policy", "Parking"):
            shelves.add(f"secret {title}", "Leave and travel.", metadata=SECRET, title=title)
            shelves.add(f"over {title}", "Leave and travel.", metadata=OVER, title=title)
    return shelves


def library_answers(
    shelves: Shelves,
    pipeline: AnsweringPipeline,
    writer: Writer | None = None,
    *,
    falls_back: bool = False,
) -> LibraryAnswers:
    """What answers from it, with the checks of a pipeline; `writer`: sums documents up."""
    of_library = partial(readable, shelves.library)
    parts = shelves.library, shelves.index, WordsEmbedder(), of_library, load_ontology()
    shelf = Catalogue(*parts, 1.0, 1.0)
    checks = pipeline.verification, pipeline.gate
    summed_up = Summaries(*checks, writer, falls_back)
    compared = Comparison(
        ASKED.is_around, shelf, pipeline.evidence.search, pipeline.writer, *checks
    )
    return LibraryAnswers(ASKED, shelf, summed_up, compared)
