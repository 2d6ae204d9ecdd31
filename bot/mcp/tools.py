"""What agents may do: ask, search, open a citation, extract fields, each for one person.

That person is told and no other. Nothing that cannot be seen reaches an agent, for it would read
it: a document may hide words there.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from audit.record import AuditRecord
from audit.values import AGENTS
from bot.access.people import Person
from bot.answering.anchors import for_people, is_for_people
from bot.answering.as_json import outcome_as_json, quotation_as_json
from bot.answering.citations.layout import marks, numbered, page_of
from bot.answering.citations.links import CitationRef, CitedLinks, own_link
from bot.answering.outcome import Outcome
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.quoting import Quotation
from bot.answering.recording import GUEST
from bot.answering.reply import listing_text, reply_text
from bot.answering.values import LONGEST_QUESTION, Question
from bot.errors import BotError, UnknownDocument
from bot.extracting.schema import BadSchema, fields_of
from bot.extracting.service import Extracting, as_json, line_of
from bot.web.addresses import may_be_cited
from bot.web.opening import Exchanges, OpenedCitation, Opening, freshness_of
from bot.wording import mcp as wording
from bot.wording.names import several_documents
from bot.wording.untrusted_text import in_one_line, printable
from retrieval.documents.port import LibraryReader
from retrieval.search.scores import FUSION, RELEVANCE
from retrieval.types import Passage

MOST_FOUND = 10
"""Passages that a search lists."""
LONGEST_READ = 100_000
"""Characters of a document out of which fields are read: some 1,000 sentences."""
FIELDS_READ = 500_000
"""The same for all fields together: each of them is sought in the whole document."""
_MARK = re.compile(r"\[?([1-9][0-9]{0,3})\]?")


class Refused(BotError):
    """A tool was asked for what it does not do; the message is for the agent."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    text: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tools:
    """Safe to share between threads; `who`: None is a guest. They raise `Refused`, and more."""

    answering: AnsweringPipeline
    opening: Opening
    exchanges: Exchanges
    library: LibraryReader
    extracting: Extracting
    pages_at: Callable[[], str]
    """Where what is cited opens in a browser now; empty where it does not."""
    today: Callable[[], date]

    def ask(self, who: Person | None, question: str, on: str | None = None) -> ToolResult:
        """As `vouch ask --json`, but for what was held back: agents would take it for said."""
        outcome = self.answering(self._question(who, question, on))
        links = CitedLinks(self.pages_at(), outcome.audit_id)
        values = links.among(outcome_as_json(outcome))
        del values["dropped"]
        return _said(_answer_text(outcome, links), values)

    def search(self, who: Person | None, query: str) -> ToolResult:
        outcome = self.answering.search(self._question(who, query), MOST_FOUND)
        links = CitedLinks(self.pages_at(), outcome.audit_id)
        passages = [
            _found(outcome, number, found) | _opening(links.of_nearest(number - 1))
            for number, found in enumerate(outcome.nearest, start=1)
        ]
        text = f"{listing_text(outcome)}\n\n{wording.audit_id(outcome.audit_id)}"
        return _said(text, {"audit_id": outcome.audit_id, "passages": passages})

    def open_citation(self, who: Person | None, audit_id: str, number: str) -> ToolResult:
        record = self.opening.record(audit_id) if may_be_cited(audit_id, "1") else None
        if record is None or not self._may_read(record, who):
            raise Refused(wording.NOT_OPEN)
        ref = _ref(record, number.strip())
        opened = self.opening(audit_id, ref, who) if may_be_cited(audit_id, ref) else None
        if opened is None:
            raise Refused(wording.NOT_OPEN)
        return self._shown(opened)

    def extract(self, who: Person | None, document: str, schema: Mapping[str, Any]) -> ToolResult:
        try:
            fields = fields_of(schema)
            found = self.extracting.documents(document, who)
            documents = [*filter(None, map(self.extracting.opened, found[:MOST_FOUND]))]
            files = [in_one_line(each.passages[0].document.file) for each in documents]
            if len(files) != 1:  # it may have left meanwhile
                raise Refused(several_documents(document, files) if files else wording.TRY_AGAIN)
            characters = sum(len(each.text) for each in documents[0].passages)
            most = min(LONGEST_READ, FIELDS_READ // len(fields))
            if characters > most:
                raise Refused(wording.too_long_to_read(characters, most, len(fields)))
            extraction = self.extracting(documents[0], fields, who, place=AGENTS)
        except (BadSchema, UnknownDocument) as error:
            raise Refused(str(error)) from error
        lines = [line_of(each) for each in extraction.fields]
        text = "\n".join([*lines, "", wording.audit_id(extraction.audit_id)])
        return _said(text, as_json(extraction))

    def _question(self, who: Person | None, text: str, on: str | None = None) -> Question:
        if len(text) > LONGEST_QUESTION:
            raise Refused(wording.too_long(len(text), LONGEST_QUESTION))
        return Question(printable(text), who, self._day(on), place=AGENTS)

    def _day(self, said: str | None) -> date:
        try:
            return date.fromisoformat(said.strip()) if said else self.today()
        except ValueError as error:
            raise Refused(wording.no_day(said or "")) from error

    def _may_read(self, record: AuditRecord, who: Person | None) -> bool:
        """As on a citation's page; what guests asked here is guests'."""
        own = who is None and record.person.id == GUEST.id
        return own or self.exchanges.may_read(record, who)

    def _shown(self, opened: OpenedCitation) -> ToolResult:
        cited, ref = opened.cited, str(opened.ref)
        key = (cited.document_id, cited.version, cited.passage_id)
        passage = self.library.passages_at([key]).get(cited.passage_id)
        before, after = self._around(passage, cited.quote) if passage else ("", "")
        place = cited.place.in_words(cited.file)
        freshness = freshness_of(opened, self.library)
        url = CitedLinks(self.pages_at(), opened.record.audit_id).of_ref(opened.ref)
        values = {
            "audit_id": opened.record.audit_id,
            "number": ref,
            "file": cited.file,
            "title": cited.title,
            **asdict(cited.place),
            "section_path": list(cited.place.section_path),
            "quote": cited.quote,
            "before": before,
            "after": after,
            "standing": freshness.value,
            "link": own_link(cited),
            **_opening(url),
        }
        around = {wording.BEFORE: before, wording.CITED: cited.quote, wording.AFTER: after}
        said = [f"{name}:\n{text}" for name, text in around.items() if text]
        heading = f"{in_one_line(cited.title)} ({place})"
        return _said("\n\n".join([heading, *said, wording.FRESHNESS[freshness.value]]), values)

    def _around(self, passage: Passage, quote: str) -> tuple[str, str]:
        """What stands before and after a quote, with its neighbours, as far as it is for people."""
        runs = [
            (first, last)
            for first in range(len(passage.sentences))
            for last in range(first, len(passage.sentences))
            if passage.quote(first, last) == quote and is_for_people(passage, first, last)
        ]
        if not runs:
            return "", ""
        first, last = runs[0]
        beside = [
            each
            for each in self.library.neighbours(passage, 1)
            if each.document.version == passage.document.version
        ]
        earlier = [each for each in beside if each.ordinal < passage.ordinal]
        later = [each for each in beside if each.ordinal > passage.ordinal]
        before = [*map(_text, earlier), _part(passage, 0, first)]
        after = [_part(passage, last + 1, len(passage.sentences)), *map(_text, later)]
        return "\n".join(filter(None, before)), "\n".join(filter(None, after))


def _found(outcome: Outcome, number: int, found: Quotation) -> dict[str, Any]:
    """What a search found, with the name by which it opens and how near it is, 0 to 1."""
    hits = {hit.passage.passage_id: hit for hit in outcome.evidence.candidates}
    scores = hits[found.passage.passage_id].scores
    score = scores.get(RELEVANCE, scores.get(FUSION))
    return {"number": f"n{number}", "score": score, **quotation_as_json(found)}


def _opening(url: str) -> dict[str, str]:
    return {"url": url} if url else {}


def _text(passage: Passage) -> str:
    return " ".join(for_people(passage))


def _part(passage: Passage, start: int, end: int) -> str:
    shown = (n for n in range(start, end) if is_for_people(passage, n, n))
    return " ".join(passage.sentences[n].text for n in shown)


def _ref(record: AuditRecord, number: str) -> str:
    """The name of a citation: of a mark in the reply that of the first with it."""
    mark = _MARK.fullmatch(number)
    if not mark:
        return number
    if not record.claims:
        return f"n{mark[1]}"
    cited = [
        (str(CitationRef(claim, at)), page_of(each))
        for claim, said in enumerate(record.claims, start=1)
        for at, each in enumerate(said.citations, start=1)
    ]
    numbers = numbered(page for _, page in cited)
    return next((ref for ref, page in cited if numbers[page] == int(mark[1])), number)


def _answer_text(outcome: Outcome, links: CitedLinks) -> str:
    """The reply, each place that it cites with its mark and its name, and the audit id."""
    claims = outcome.claims
    numbers = numbered(page_of(each) for claim in claims for each in claim.citations)
    cited = [
        f"{marks([numbers[page_of(each)]])} {CitationRef(number, at)}: "
        f"{each.place.in_words(each.file)}"
        for number, claim in enumerate(claims, start=1)
        for at, each in enumerate(claim.citations, start=1)
    ]
    sources = [f"{wording.SOURCES}:", *cited] if cited else []
    said = [f"{outcome.decision.value}: {reply_text(outcome, links)}", "\n".join(sources)]
    return "\n\n".join(filter(None, [*said, wording.audit_id(outcome.audit_id)]))


def _said(text: str, values: Mapping[str, Any]) -> ToolResult:
    return ToolResult(printable(text), {name: _seen(value) for name, value in values.items()})


def _seen(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {name: _seen(each) for name, each in value.items()}
    return [_seen(each) for each in value] if isinstance(value, list | tuple) else value
