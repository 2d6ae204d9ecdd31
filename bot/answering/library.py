"""Questions about the library itself are answered from it: by titles, headings, owners and dates.

Nothing is said of what the scope may not read, and nothing of what holds no longer. Where the
library has nothing to say, the question is asked like any other; where it was asked which documents
there are, a refusal then says that there are none.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType

from audit.record import Confidence, Decision
from audit.values import ClaimKind, Status
from bot.answering.anchors import anchor
from bot.answering.gate import Decide
from bot.answering.recording import FROM_LIBRARY, SUMMED_UP
from bot.answering.values import Brief, Citation, Claim, Draft, DraftClaim, Verdict
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.answer_spans import AnswerSpan, answer_spans, text_of, whole_span
from bot.answering.writers.port import Writer
from bot.errors import WriterUnavailable
from bot.wording import DOUBTFUL, FALLBACK_WRITER, document_kind
from bot.wording import library as wording
from retrieval.language.library_questions import Wanted
from retrieval.language.since import period_of
from retrieval.search.catalogue import Catalogue, CatalogueEntry
from retrieval.search.scores import RELEVANCE, Scores
from retrieval.types import Document, Eligibility, Evidence, Hit, Passage, QuestionPart, Scope

MOST_LISTED = 7
"""Documents that are named; on a phone each takes three lines, and one more below."""
UNJUDGED: Scores = MappingProxyType({})
BY_NAME: Scores = MappingProxyType({RELEVANCE: 1.0})
"""Of a document that was asked for by what it is called."""
MOST_SECTIONS = 14
"""Of an outline."""
MOST_SUMMED_UP = 40
"""Passages of a document that a language model is shown: some 10,000 tokens."""


@dataclass(frozen=True, slots=True)
class FromLibrary:
    """The library says this, and the gate has let it through."""

    evidence: Evidence
    draft: Draft
    verdict: Verdict
    by_writer: bool = False
    """Whether a language model wrote it."""


@dataclass(frozen=True, slots=True)
class LibraryAnswers:
    wanted: Callable[[str], Wanted | None]
    """Tells what a question wants to know of the library; None for an ordinary one."""
    topic: Callable[[str], str]
    """What such a question is about; empty for everything."""
    catalogue: Catalogue
    verification: ClaimVerifier
    gate: Decide
    writer: Writer | None = None
    """The language model that sums documents up; None: an outline stands for a summary."""
    falls_back: bool = False
    """Whether an outline stands for it, too, where the model fails."""
    is_understood: Callable[[str, Passage], bool] = lambda *_: True
    """As `Search` has it."""

    def __call__(self, asked: str, scope: Scope, *, alone: bool) -> FromLibrary | None:
        """None for a question that is to be answered like any other; it abstains for want of any.

        `alone`: only who asks reads the reply. Raise what index and library raise, and
        `WriterUnavailable`.
        """
        wanted = self.wanted(asked)
        if wanted is None:
            return None
        asking = _Asking(asked, scope, wording.ALONE if alone else wording.IN_CHANNEL)
        match wanted:
            case Wanted.LIST:
                return self._list(asking)
            case Wanted.CHANGES:
                return self._changes(asking)
            case Wanted.ABOUT:
                return self._about(asking)
            case Wanted.OUTLINE:
                return self._summed_up(asking)

    def _list(self, asking: "_Asking") -> FromLibrary | None:
        topic = self.topic(asking.asked)
        found, all_seen = self._on(topic, asking.scope)
        if topic and not found:
            return self._none(asking)
        few = found[:MOST_LISTED]
        lead = wording.listed(
            len(found), shown=len(few), topic=topic, readers=asking.readers, complete=all_seen
        )
        return self._listing(asking, lead, few)

    def _changes(self, asking: "_Asking") -> FromLibrary | None:
        period, undated = period_of(asking.asked, asking.scope.on)
        topic = self.topic(undated)
        found, _ = self._on(topic, asking.scope)
        if topic and not found:
            return self._none(asking)
        if period:
            found = [e for e in found if period.first <= _read_in(e.document) <= period.last]
        latest = sorted(found, key=lambda each: each.document.ingested_at, reverse=True)
        few = latest[:MOST_LISTED]
        lead = wording.changed(
            len(found),
            shown=len(few),
            topic=topic,
            readers=asking.readers,
            since=period.first if period else None,
            until=period.last if period and period.last < asking.scope.on else None,
        )
        return self._listing(asking, lead, few)

    def _about(self, asking: "_Asking") -> FromLibrary | None:
        meant = self.catalogue.called(self.topic(asking.asked), asking.scope)[:MOST_LISTED]
        return (
            self._listing(asking, "", [CatalogueEntry(each) for each in meant]) if meant else None
        )

    def _summed_up(self, asking: "_Asking") -> FromLibrary | None:
        """A document's summary by the language model, where there is one; else its outline.

        Where several are called so, they are named: none is guessed.
        """
        meant = self.catalogue.called(self.topic(asking.asked), asking.scope)
        if len(meant) > 1:
            few = [CatalogueEntry(each) for each in meant[:MOST_LISTED]]
            return self._listing(asking, wording.several(len(meant), shown=len(few)), few)
        for document in meant:
            text = self.catalogue.text(document, asking.scope)
            outline = self._outline(asking, document.title, text)
            if self.writer is None:
                return outline
            try:
                return self._summary(asking, document.title, text, self.writer, outline)
            except WriterUnavailable as error:
                if not self.falls_back:
                    raise
                why = f"{FALLBACK_WRITER} ({error})"
                return outline and replace(outline, draft=replace(outline.draft, degraded=why))
        return None

    def _summary(
        self,
        asking: "_Asking",
        title: str,
        text: Sequence[Passage],
        writer: Writer,
        outline: FromLibrary | None,
    ) -> FromLibrary | None:
        """Written and checked as any draft is; the outline where too little of it is borne out."""
        passages = text[:MOST_SUMMED_UP]
        draft = writer.write(Brief(asking.asked, asking.evidence(passages), None))
        verdict = self.gate(asking.evidence(passages, BY_NAME), draft, self.verification(draft))
        if verdict.decision is Decision.ABSTAIN:
            return outline and _instead_of(outline, draft, verdict)
        lead = wording.summary(title, shown=len(passages), of=len(text))
        said = replace(
            verdict,
            decision=_surely(verdict),
            claims=(_lead(lead), *verdict.claims),
            confidence=Confidence(entailment=verdict.confidence.entailment),
            reasons=(SUMMED_UP, *_open(verdict)),
        )
        return FromLibrary(asking.evidence(passages), draft, said, by_writer=True)

    def _outline(
        self, asking: "_Asking", title: str, text: Sequence[Passage]
    ) -> FromLibrary | None:
        """The first sentence of each section, copied and checked as an answer is.

        None of a text that is not understood: it is asked about like any other.
        """
        if not all(self.is_understood(asking.asked, each) for each in text[:MOST_SECTIONS]):
            return None
        begun = _beginnings(text)
        few = begun[:MOST_SECTIONS]
        passages = tuple(dict.fromkeys(each.passage for each in few))
        drafted = tuple(each.as_claim(passages.index(each.passage) + 1) for each in few)
        raw = "\n".join(each.text for each in drafted)
        draft = Draft(drafted, passages, raw=raw, only_copies=True)
        copies = (self.verification.copy(each, passages) for each in drafted)
        named = asking.evidence(passages, BY_NAME)
        verdict = self.gate(named, draft, [each for each in copies if each])
        if verdict.decision is Decision.ABSTAIN:
            return None
        headings = dict.fromkeys(each.section[-1] for each in few if each.section)
        lead = wording.outline(title, list(headings), shown=len(few), of=len(begun))
        said = (_lead(lead), *verdict.claims)
        told = replace(_verdict(_surely(verdict), *said), dropped=verdict.dropped)
        told = replace(told, reasons=(*told.reasons, *_open(verdict)))
        return FromLibrary(asking.evidence(passages), draft, told)

    def _on(self, topic: str, scope: Scope) -> tuple[list[CatalogueEntry], bool]:
        """The documents on a topic, and whether that is all of them."""
        if not topic:
            return [CatalogueEntry(each) for each in self.catalogue.all(scope)], True
        found = self.catalogue.on(topic, scope)
        return list(found.documents), found.complete

    def _listing(self, asking: "_Asking", lead: str, few: Sequence[CatalogueEntry]) -> FromLibrary:
        begins = self.catalogue.begins([e.document for e in few if not e.passage], asking.scope)
        placed = [(e, e.passage or begins.get(e.document.document_id)) for e in few]
        unowned = "" if lead else wording.NOT_STATED  # of a document itself that may be asked
        claims = [_entry(each, passage, unowned) for each, passage in placed if passage]
        passages = tuple(passage for _, passage in placed if passage)
        verdict = _verdict(Decision.ANSWER, *([_lead(lead)] if lead else []), *claims)
        return FromLibrary(asking.evidence(passages), Draft((), passages), verdict)

    def _none(self, asking: "_Asking") -> FromLibrary:
        return FromLibrary(asking.evidence(()), Draft((), ()), _verdict(Decision.ABSTAIN))


def _instead_of(outline: FromLibrary, draft: Draft, verdict: Verdict) -> FromLibrary:
    """The outline, and what became of the summary for which it stands."""
    told = replace(
        outline.draft,
        degraded=wording.NOT_BORNE_OUT,
        prompt_hash=draft.prompt_hash,
        template_hash=draft.template_hash,
        tokens=draft.tokens,
    )
    fell = replace(outline.verdict, dropped=verdict.dropped)
    return replace(outline, draft=told, verdict=fell)


@dataclass(frozen=True, slots=True)
class _Asking:
    asked: str
    scope: Scope
    readers: str

    def evidence(self, passages: Sequence[Passage], scores: Scores = UNJUDGED) -> Evidence:
        """What was named; `scores`: of each."""
        hits = tuple(Hit(each, scores, eligibility=Eligibility.OVER_THRESHOLD) for each in passages)
        part = QuestionPart(self.asked, 1.0, covered=True)
        return Evidence(self.asked, self.scope, candidates=hits, hits=hits, parts=(part,))


def _entry(listed: CatalogueEntry, passage: Passage, unowned: str) -> Claim:
    document = listed.document
    metadata = document.metadata
    text = wording.entry(
        passage.heading if listed.by_heading else document.title,
        kind=document_kind(metadata.subtype, metadata.level),
        owner=metadata.owner or unowned,
        version=document.version,
        read_in=_read_in(document),
        effective=metadata.effective,
    )
    cited = Citation(passage, 0, 0, Status.VERIFIED, 1.0)
    return Claim(text, Status.VERIFIED, ClaimKind.LISTED, (cited,), 1.0)


def _verdict(decision: Decision, *claims: Claim) -> Verdict:
    return Verdict(decision, claims, (), (), Confidence(), reasons=(FROM_LIBRARY,))


def _open(verdict: Verdict) -> tuple[str, ...]:
    """Why it is doubtful: a template leaves a value or a condition of it open."""
    return tuple(each for each in verdict.reasons if each == DOUBTFUL)


def _surely(verdict: Verdict) -> Decision:
    return Decision.PARTIAL if _open(verdict) else Decision.ANSWER


def _lead(said: str) -> Claim:
    return Claim(said, Status.VERIFIED, ClaimKind.LISTED, ())


def _read_in(document: Document) -> date:
    return document.ingested_at.astimezone().date()


@dataclass(frozen=True, slots=True)
class _Beginning:
    section: tuple[str, ...]
    passage: Passage
    span: AnswerSpan

    def as_claim(self, number: int) -> DraftClaim:
        """`number`: of its passage, from 1."""
        first, last = self.span
        cited = tuple(anchor(number, sentence + 1) for sentence in range(first, last + 1))
        return DraftClaim(text_of(self.passage, self.span), cited)


def _beginnings(passages: Sequence[Passage]) -> list[_Beginning]:
    """What may be copied first of each section, or of each outermost one, where they are many."""
    every = _first_of_each(passages, depth=None)
    return every if len(every) <= MOST_SECTIONS else _first_of_each(passages, depth=1)


def _first_of_each(passages: Sequence[Passage], depth: int | None) -> list[_Beginning]:
    begun: dict[tuple[str, ...], _Beginning] = {}
    for passage in passages:
        section, spans = passage.section_path[:depth], answer_spans(passage)
        if section not in begun and spans:
            begun[section] = _Beginning(section, passage, whole_span(passage, spans[0]))
    return list(begun.values())
