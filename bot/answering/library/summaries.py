"""A document that is named is summed up: by a language model where there is one, or in outline."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from audit.record import Confidence, Decision
from bot.answering.anchors import anchor
from bot.answering.gate import Decide
from bot.answering.library.values import (
    BY_NAME,
    Asking,
    FromLibrary,
    lead_in,
    left_open,
    listed,
    surely,
)
from bot.answering.recording import SUMMED_UP
from bot.answering.values import Brief, Draft, DraftClaim, Verdict
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.answer_spans import AnswerSpan, answer_spans, text_of, whole_span
from bot.answering.writers.port import Writer
from bot.errors import WriterUnavailable
from bot.wording import FALLBACK_WRITER
from bot.wording import library as wording
from retrieval.types import Passage

MOST_SECTIONS = 14
"""Of an outline."""
MOST_SUMMED_UP = 40
"""Passages of a document that a language model is shown: some 10,000 tokens."""


@dataclass(frozen=True, slots=True)
class Summaries:
    verification: ClaimVerifier
    gate: Decide
    writer: Writer | None = None
    """The language model that sums documents up; None: an outline stands for a summary."""
    falls_back: bool = False
    """Whether an outline stands for it, too, where the model fails."""
    is_understood: Callable[[str, Passage], bool] = lambda *_: True
    """As `Search` has it."""

    def __call__(self, asking: Asking, title: str, text: Sequence[Passage]) -> FromLibrary | None:
        """Of a document's passages; None where there is nothing to say of them.

        Raise `WriterUnavailable`.
        """
        outline = self._outline(asking, title, text)
        if self.writer is None:
            return outline
        try:
            return self._summary(asking, title, text, self.writer, outline)
        except WriterUnavailable as error:
            if not self.falls_back:
                raise
            why = f"{FALLBACK_WRITER} ({error})"
            return outline and replace(outline, draft=replace(outline.draft, degraded=why))

    def _summary(
        self,
        asking: Asking,
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
            decision=surely(verdict),
            claims=(lead_in(lead), *verdict.claims),
            confidence=Confidence(entailment=verdict.confidence.entailment),
            reasons=(SUMMED_UP, *left_open(verdict)),
        )
        return FromLibrary(asking.evidence(passages), draft, said, by_writer=True)

    def _outline(self, asking: Asking, title: str, text: Sequence[Passage]) -> FromLibrary | None:
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
        said = (lead_in(lead), *verdict.claims)
        told = replace(listed(surely(verdict), *said), dropped=verdict.dropped)
        told = replace(told, reasons=(*told.reasons, *left_open(verdict)))
        return FromLibrary(asking.evidence(passages), draft, told)


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
    begun: dict[tuple[str, tuple[str, ...]], _Beginning] = {}
    for passage in passages:
        section, spans = passage.section_path[:depth], answer_spans(passage)
        key = passage.document.document_id, section
        if key not in begun and spans:
            begun[key] = _Beginning(section, passage, whole_span(passage, spans[0]))
    return list(begun.values())
