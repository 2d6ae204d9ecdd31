"""Documents in a real library and answers in a real audit store, to open their citations."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from libraries import library_in
from sample_records import a_record, an_event

from audit.log import open_reader, open_writer
from audit.record import AuditRecord, Candidate, Decision, EventKind, NearestRecord, SearchFilter
from audit.values import Channel, CitationRecord, ClaimRecord, PersonRecord, Status
from bot.access.channels import Channels
from bot.access.people import Access, People, Person
from bot.access.reading import RecordAccess
from bot.answering.exact.table_rows import cited_boxes
from bot.web.citations import Citations, Draw
from bot.web.views import CitationView
from retrieval.documents.holdings import Acquisition, Fingerprint, Parsed
from retrieval.ingest.chunking import cut
from retrieval.parsing import parser_for
from retrieval.types import AccessRule, Document, Metadata, Passage

TODAY = date(2026, 3, 2)
ANA = Person("ana", "Ana Silva", "", {"departments": frozenset({"cs"})})
BEN = Person("ben", "Ben Okafor", "", {"departments": frozenset({"cs"})})
HANNA = Person("hanna", "Hanna", "", {"departments": frozenset({"hr"})})
ROOT = Person("root", "Root", "", {}, admin=True)
CS = "C0CS"
CHANNELS = Channels({CS: {"departments": frozenset({"cs"})}})
LEAVE = """# Leave

Everybody has annual leave.

## Parental

Parental leave is 14 weeks. It is fully paid.

A form is needed.

## Sick

Sick leave needs a note after three days.
"""
FOR_HR = AccessRule((("departments", ("hr",)),))
FOR_CS = AccessRule((("departments", ("cs",)),))


@dataclass
class CitedShelf:
    """What people asked of these documents, and who may open which citation."""

    folder: Path
    draw: Draw | None = None
    asked: int = 0
    access: Access = field(
        default_factory=lambda: Access(
            People({each.id: each for each in (ANA, BEN, HANNA, ROOT)}), CHANNELS
        )
    )

    def __post_init__(self) -> None:
        self.library = library_in(self.folder)
        url = f"sqlite:///{self.folder / 'audit.sqlite'}"
        self.writer, self.reader = open_writer(url), open_reader(url)

    @property
    def citations(self) -> Citations:
        return Citations(
            self.reader,
            self.library,
            RecordAccess(
                self.access.scope_for, self.library.access_of, self.library.rules_at, lambda: TODAY
            ),
            self.access.scope_for,
            self.access.channels.is_listed,
            lambda: TODAY,
            self.draw,
        )

    def put(
        self,
        file: str,
        content: bytes | str,
        rule: AccessRule | None = None,
        title: str = "",
        owner: str = "",
    ) -> Document:
        content = content if isinstance(content, bytes) else content.encode()
        parsed = parser_for(file)(content)
        document_id = self.library.identity("docs", file)
        document = Document(
            document_id,
            file,
            self.library.next_version(document_id),
            datetime(2026, 2, 1, 12, int(self.library.next_version(document_id)), tzinfo=UTC),
            title or parsed.title or file,
            Metadata(access=rule or AccessRule(), owner=owner),
        )
        kept = Fingerprint(len(content), 1, hashlib.sha256(content).hexdigest(), "")
        passages, read = cut(document, parsed), Parsed.of(parsed)
        self.library.store([Acquisition("docs", document, kept, passages, content, read, "4")])
        return document

    def cite(self, document: Document, words: str, **changes: Any) -> CitationRecord:
        passage, number = self._sentence(document, words)
        ordinary: dict[str, Any] = {
            "passage_id": passage.passage_id,
            "document_id": document.document_id,
            "file": document.file,
            "title": document.title,
            "version": document.version,
            "status": Status.VERIFIED,
            "score": 0.97,
            "place": passage.place(number, number),
            "boxes": cited_boxes("", passage.sentences[number]),
            "quote": passage.quote(number, number),
        }
        return CitationRecord(**ordinary | changes)

    def answer(
        self,
        *cited: CitationRecord,
        text: str = "The reply's own words.",
        channel: str = "",
        person: Person = ANA,
        claims: Sequence[ClaimRecord] = (),
        **changes: Any,
    ) -> AuditRecord:
        """Answer with one claim that cites all of these, or with several, into the audit store."""
        self.asked += 1
        claim = ClaimRecord(text=text, status=Status.VERIFIED, score=0.97, citations=cited)
        said = tuple(claims) or (claim,)
        places = [citation for each in said for citation in each.citations]
        record = a_record(
            self.asked,
            **{
                "person": PersonRecord(id=person.id, name=person.name),
                "channel": Channel(id=channel),
                "filter": SearchFilter(on=TODAY),
                "claims": said,
                "candidates": tuple(
                    Candidate(
                        passage_id=each.passage_id,
                        document_id=each.document_id,
                        file=each.file,
                        version=each.version,
                        used=True,
                    )
                    for each in places
                ),
            }
            | changes,
        )
        self.writer.append(record)
        return record

    def left_open(
        self,
        question: str,
        *near: NearestRecord,
        person: Person = ANA,
        channel: str,
        told: bool = True,
        **changes: Any,
    ) -> AuditRecord:
        """Answer a question with what came near it and nothing else."""
        asked = {"question": question, "standalone_question": question, "nearest": near}
        nothing = {"claims": (), "candidates": (), "decision": Decision.ABSTAIN}
        record = self.answer(person=person, channel=channel, **asked | nothing | changes)
        if told:
            self.writer.append(an_event(record, kind=EventKind.DELIVERED))
        return record

    def nearest(self, document: Document, words: str) -> NearestRecord:
        cited = self.cite(document, words).model_dump()
        shared = {name: cited[name] for name in NearestRecord.model_fields if name in cited}
        return NearestRecord(**shared, text=words)

    def knows(self, person: Person) -> None:
        self.access = replace(
            self.access, people=People({**self.access.people.by_id, person.id: person})
        )

    def _sentence(self, document: Document, words: str) -> tuple[Passage, int]:
        found = [
            (passage, number)
            for passage in self.library.all_passages()
            if passage.document.document_id == document.document_id
            for number, sentence in enumerate(passage.sentences)
            if words in sentence.text
        ]
        assert found, words
        return found[0]


def seen(found: CitationView | None) -> CitationView:
    assert found is not None
    return found


def words_of(view: CitationView, *, cited: bool) -> list[str]:
    """The document's words that are shown, or those that are marked as cited alone."""
    assert view.body is not None
    blocks = [block for run in view.body.runs for block in run.blocks]
    return [piece.text for each in blocks for piece in each.pieces if piece.cited or not cited]
