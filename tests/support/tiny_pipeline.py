"""The way from a question to a reply, over shelves, with models that see words alone."""

from dataclasses import replace
from datetime import date

from fakes import SameEntailment, StatedReranker
from shelves import Shelves

from audit.record import SettingsRecord, Versions
from bot.access.people import Person
from bot.answering.corroboration import Corroboration
from bot.answering.evidence import EvidenceFinder
from bot.answering.gate import UNCALIBRATED, Gate
from bot.answering.pipeline import AnsweringPipeline, Record
from bot.answering.query_rewriting import QueryRewriting
from bot.answering.recording import Circumstances
from bot.answering.values import Writer
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.extractive import ExtractiveWriter
from retrieval.search.selection import OrganisationalSelection
from retrieval.types import Scope

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
