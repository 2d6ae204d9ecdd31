"""One question goes in and one audited reply comes out, in a straight line."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from audit.errors import AuditError
from audit.record import AuditRecord, Decision
from audit.values import Status, is_attached, new_id
from bot import wording
from bot.answering.anchors import anchor, resolve
from bot.answering.contradictions import contradictions, gives_way
from bot.answering.copying import SentenceAt
from bot.answering.corroboration import Corroboration
from bot.answering.evidence import EvidenceFinder, SearchResult
from bot.answering.exact.near_copies import NEAR_COPY, content
from bot.answering.followups import goes_on
from bot.answering.gate import Decide, from_elsewhere, of_another_day, of_no_document
from bot.answering.library.asking import LibraryAnswers
from bot.answering.library.documents import FromLibrary
from bot.answering.outcome import Outcome
from bot.answering.premises import without_reported
from bot.answering.query_rewriting import RewrittenQuery
from bot.answering.quoting import ANYTHING, Nearness, Quote, runs_for_people
from bot.answering.recording import FROM_LIBRARY, SEARCH_ALONE, Circumstances, audit_record
from bot.answering.reply import closest_passages, listing_text
from bot.answering.standard import Drafted, Fallback
from bot.answering.surroundings import is_question
from bot.answering.values import (
    Brief,
    Claim,
    Contradiction,
    Draft,
    DraftClaim,
    Question,
    SearchElsewhere,
    Verdict,
    Writer,
    as_read,
    nowhere,
)
from bot.answering.verification import ClaimVerifier
from bot.answering.writers.answer_spans import AnswerSpan, answer_spans, text_of, whole_span
from bot.errors import EmptyLibrary, EmptyQuestion, NotAudited, WriterUnavailable
from retrieval.language.questions import says_something
from retrieval.search.timing import Stages, Watch, unwatched
from retrieval.types import Evidence, Passage, Scope

Record = Callable[[AuditRecord], object]
"""Appends a record durably, once whatever its calls; raises `AuditError` where it cannot."""


Observe = Callable[[Question, Stages], AbstractContextManager[Callable[[Outcome], None]]]
"""Is entered with each question and told of its outcome; an error passes through it unchanged."""


@contextmanager
def unobserved(_question: Question, _stages: Stages) -> Iterator[Callable[[Outcome], None]]:
    yield lambda _: None


@dataclass(frozen=True, slots=True)
class _Judged:
    searched: SearchResult
    drafted: Drafted
    verdict: Verdict
    contradictions: Sequence[Contradiction]

    def at_the_cost_of(self, led: SearchResult, *not_used: Draft) -> "_Judged":
        """With what was spent and done without for taking two steps, and for other drafts.

        What was attempted in steps may find something for the asker alone.
        """
        spent = Counter(led.understood.tokens.get("steps", {}))
        for draft in not_used:
            spent += Counter(draft.tokens)
        understood = replace(led.understood, tokens={**led.understood.tokens, "steps": spent})
        searched = replace(self.searched, understood=understood, attempts=led.attempts)
        return replace(self, searched=searched)


@dataclass(frozen=True, slots=True)
class AnsweringPipeline:
    evidence: EvidenceFinder
    writer: Writer
    verification: ClaimVerifier
    gate: Decide
    corroboration: Corroboration
    record: Record
    circumstances: Circumstances
    keep_shown: Callable[[Sequence[Passage]], None] = lambda _: None
    """Keeps what the writer was shown apart from the record, so that it can be erased."""
    unsearched: Callable[[], int] = lambda: 0
    """How many passages of the library the index lacks."""
    quote: Quote = lambda *_: ()
    """Quotes what came nearest, where there is no answer."""
    contact: Callable[[Scope], str] = lambda _: ""
    """Whom an audience may ask who gets no answer."""
    nearness: Nearness = ANYTHING
    """Tells what is named where there is no answer."""
    fallback: Fallback | None = None
    """Drafts where the writer cannot; None: that is an error."""
    source_words: bool = True
    """Whether the source itself is said where a claim that it does not bear out nearly says it."""
    library: LibraryAnswers | None = None
    """Answers questions about the library itself; None: they are asked like any other."""
    standard: Callable[[Evidence], Drafted | None] = lambda _: None
    """Drafts what a person reviewed, where that is what was asked."""
    observe: Observe = unobserved

    def __call__(
        self,
        question: Question,
        watch: Watch = unwatched,
        elsewhere: SearchElsewhere = nowhere,
    ) -> Outcome:
        """Answer, and keep a record before anyone sees it; `watch` is told of each stage.

        `elsewhere` is searched where no document answers.
        Raise `EmptyQuestion`, `EmptyLibrary`, `WriterUnavailable`, `NotAudited` or one of
        retrieval's errors; nothing is ever shown unrecorded.
        """
        stages = Stages(watch)
        with self.observe(question, stages) as told:
            demanded = self._demanded(question)
            held = self._from_library(demanded, stages)
            if held and (demanded.came_with or held.verdict.decision is not Decision.ABSTAIN):
                outcome = self._told(demanded, held, stages)
            else:
                search = elsewhere if held is None else nowhere
                outcome = self._answered(demanded, search, stages, none_held=held is not None)
            told(outcome)
        return outcome

    def _answered(
        self, question: Question, elsewhere: SearchElsewhere, stages: Stages, *, none_held: bool
    ) -> Outcome:
        """`none_held`: documents were asked for, and the library has none on it.

        Then only what is sure is shown: what comes near is not what was asked for.
        """
        time = datetime.now(UTC)
        with stages.stage("total"):
            judged = self._judged(question, self.evidence(question, stages), stages)
            if not judged.drafted.claims:
                judged = self._in_steps(question, judged, stages)
            question, judged = self._elsewhere(question, judged, elsewhere, stages)
            searched, drafted, verdict = judged.searched, judged.drafted, judged.verdict
            evidence = drafted.evidence
            none_held = none_held and verdict.decision is not Decision.ANSWER
            verdict = of_no_document(verdict) if none_held else verdict
            # Who asked of a file that could not be read is shown nothing that only comes near.
            bare = none_held or bool(question.came_with and not question.own_files)
            with stages.stage("quote"):
                abstains = verdict.decision is Decision.ABSTAIN
                fell = [e for e in verdict.dropped if not gives_way(e, judged.contradictions)]
                nearest = self.quote(evidence, fell) if abstains and not bare else ()
            with stages.stage("private"):
                private = self.evidence.in_private(question, searched)
            with stages.stage("expired"):
                upcoming = searched.upcoming
                expired = () if upcoming else self.evidence.expired(searched)
                if upcoming and upcoming.day != evidence.scope.on:
                    verdict = of_another_day(verdict)
        outcome = Outcome(
            audit_id=question.audit_id or new_id(time),
            time=time,
            question=question,
            understood=searched.understood,
            evidence=evidence,
            draft=drafted.draft,
            verdict=verdict,
            closest=() if bare else closest_passages(evidence, self.nearness, verdict.missing),
            nearest=nearest,
            more_in_private=private.more,
            own_rule_in_private=private.own_rule,
            expired=expired,
            upcoming=upcoming,
            contact=self.contact(evidence.scope),
            unsearched=self.unsearched(),
            stages_ms=dict(stages.milliseconds),
        )
        return self._recorded(outcome, drafted.circumstances, stages)

    def _judged(self, question: Question, searched: SearchResult, stages: Stages) -> _Judged:
        reviewed = None if question.came_with else self.standard(searched.evidence)
        drafted = reviewed or self._drafted(question, searched.evidence, stages)
        evidence, claims = drafted.evidence, drafted.claims
        with stages.stage("verify"):
            found = contradictions(claims, evidence)
            verdict = drafted.gate(evidence, drafted.draft, claims, found)
            says_so = (*evidence.hits, *evidence.duplicates)
            cited = self.corroboration(verdict.claims, says_so, found)
        return _Judged(searched, drafted, replace(verdict, claims=cited), found)

    def _in_steps(self, question: Question, first: _Judged, stages: Stages) -> _Judged:
        """What answers a question that takes two steps; else the same, with what that cost."""
        led = self.evidence.in_steps(first.searched, stages)
        if not led.evidence.plain or led.evidence is first.searched.evidence:
            return first.at_the_cost_of(led)
        second = self._judged(question, led, stages)
        if second.verdict.decision is Decision.ANSWER:
            return second.at_the_cost_of(led, first.drafted.draft)
        return first.at_the_cost_of(led, second.drafted.draft)

    def _elsewhere(
        self, question: Question, first: _Judged, search: SearchElsewhere, stages: Stages
    ) -> tuple[Question, _Judged]:
        """What is said elsewhere where no document answers; it settles nothing between documents.

        Not where a file came with the question, which is what it is about.
        """
        settled = first.verdict.decision is not Decision.ABSTAIN or first.verdict.contradictions
        if search is nowhere or settled or question.attached or question.came_with:
            return question, first
        with stages.stage("elsewhere"):
            found = search(first.searched.evidence.query)
        asked = replace(
            question,
            searched=found.passages,
            said_by=found.said_by,
            not_searched=found.why_not,
        )
        if not found.passages:
            return asked, first
        second = self._judged(asked, self.evidence(asked, stages), stages)
        if second.verdict.decision is Decision.ABSTAIN:
            return asked, first
        return asked, replace(second, verdict=from_elsewhere(second.verdict))

    def _from_library(self, question: Question, stages: Stages) -> FromLibrary | None:
        """What the library says of itself; None for a question that is answered like any other."""
        if self.library is None or question.goes_on:
            return None
        with stages.stage("library"):
            asked = self.evidence.understanding.what_is_asked
            scope, alone = self.evidence.scope_of(question), question.channel is None
            if question.came_with:
                files = question.own_files
                return self.library.of_files(asked(question.text), scope, files, alone=alone)
            previous = tuple(map(asked, question.previous))
            return self.library(asked(question.text), scope, previous, alone=alone)

    def _told(self, question: Question, found: FromLibrary, stages: Stages) -> Outcome:
        time = datetime.now(UTC)
        outcome = Outcome(
            audit_id=question.audit_id or new_id(time),
            time=time,
            question=question,
            understood=RewrittenQuery(found.evidence.query, ()),
            evidence=found.evidence,
            draft=found.draft,
            verdict=found.verdict,
            stages_ms={**stages.milliseconds, "total": stages.milliseconds["library"]},
        )
        of_library = replace(self.circumstances, writer=FROM_LIBRARY, writer_model="")
        made = self.circumstances if found.by_writer else of_library
        return self._recorded(outcome, made, stages)

    def search(self, question: Question, most: int) -> Outcome:
        """Quote the passages that came nearest, `most` of them, and draft nothing.

        Kept as an abstention that says so. Raise what a question does.
        """
        question = self._demanded(question)
        time, stages = datetime.now(UTC), Stages()
        with stages.stage("total"):
            searched = self.evidence(question, stages)
            evidence, draft = replace(searched.evidence, context=()), Draft((), ())
            verdict = replace(self.gate(evidence, draft, ()), reasons=(SEARCH_ALONE,))
        outcome = Outcome(
            audit_id=question.audit_id or new_id(time),
            time=time,
            question=question,
            understood=searched.understood,
            evidence=evidence,
            draft=draft,
            verdict=verdict,
            nearest=tuple(
                run for hit in evidence.candidates[:most] for run in runs_for_people(hit.passage)
            ),
            unsearched=self.unsearched(),
            stages_ms=dict(stages.milliseconds),
        )
        circumstances = replace(self.circumstances, writer=SEARCH_ALONE, writer_model="")
        return self._recorded(outcome, circumstances, stages, listing_text(outcome))

    def _demanded(self, question: Question) -> Question:
        """The question as far as it is read; raise where there is nothing to answer."""
        asked_on = question.previous and goes_on(question.text)
        if not says_something(question.text) and not asked_on:
            raise EmptyQuestion(wording.EMPTY_QUESTION)
        if not question.attached and self.evidence.search.library.is_empty():
            raise EmptyLibrary(wording.EMPTY_LIBRARY)
        return as_read(question)

    def _drafted(self, question: Question, evidence: Evidence, stages: Stages) -> Drafted:
        """By the writer, and checked.

        By the fallback, where there is one and the writer fails, or the model that checks.
        """
        brief = Brief.of(question, evidence)
        try:
            with stages.stage("write"):
                draft = self.writer.write(brief)
            with stages.stage("verify", claims=len(draft.claims)):
                claims = self.verification(draft)
                if self.source_words:
                    claims = with_source_words(brief.question, draft, claims, self.verification)
        except WriterUnavailable as error:
            if self.fallback is None:
                raise
            with stages.stage("write"):
                return self.fallback(brief, error)
        return Drafted(evidence, draft, claims, self.gate, self.circumstances)

    def _recorded(
        self, outcome: Outcome, circumstances: Circumstances, stages: Stages, reply: str = ""
    ) -> Outcome:
        """The same outcome, with the time that recording it took."""
        try:
            with stages.stage("audit"):
                self.keep_shown(_of_library(outcome.shown))
                record = audit_record(outcome, circumstances)
                self.record(record.model_copy(update={"reply": reply}) if reply else record)
        except AuditError as error:
            raise NotAudited(f"{wording.NOT_AUDITED} ({error})") from error
        return replace(outcome, stages_ms=dict(stages.milliseconds))


def _of_library(shown: Sequence[Passage]) -> list[Passage]:
    """Without what is attached: its words stay with whoever keeps the file."""
    return [each for each in shown if not is_attached(each.document.document_id)]


FEWEST = 3
"""Content words that claim and sentence must both have. Not measured; as of two sentences that
speak of one subject (`exact.opposition`)."""


def with_source_words(
    question: str, draft: Draft, claims: Sequence[Claim], verifier: ClaimVerifier
) -> tuple[Claim, ...]:
    """The checked claims of the draft; before one that fell, what it cites, if that says it."""
    return tuple(_each(question, draft, claims, verifier))


def _each(
    question: str, draft: Draft, claims: Sequence[Claim], verifier: ClaimVerifier
) -> Iterator[Claim]:
    said = {place for claim in claims for place in _borne_out_by(claim)}
    for written, claim in zip(draft.claims, claims, strict=True):
        if claim.status is Status.UNSUPPORTED:
            copy = _copy(question, written, draft.passages, verifier)
            if copy and not said.issuperset(_borne_out_by(copy)):
                said.update(_borne_out_by(copy))
                yield copy
        yield claim


def _borne_out_by(claim: Claim) -> Iterator[tuple[str, int]]:
    for each in claim.citations:
        if each.status is Status.VERIFIED:
            yield from ((each.passage.passage_id, n) for n in each.numbers)


def _copy(
    question: str, written: DraftClaim, passages: Sequence[Passage], verifier: ClaimVerifier
) -> Claim | None:
    """The cited sentence that the claim says most nearly, with what it leans on."""
    resolved = [place for each in written.anchors if (place := resolve(each, passages))]
    nearest = max(resolved, key=lambda each: _alike(question, written.text, each), default=None)
    if nearest is None or _alike(question, written.text, nearest) < NEAR_COPY:
        return None
    passage, index = nearest
    first, last = span = whole_span(passage, (index, index))
    if (index, index) not in answer_spans(passage) or not _states(passage, span):
        return None
    number = passages.index(passage) + 1
    anchors = tuple(anchor(number, n + 1) for n in range(first, last + 1))
    return verifier.copy(DraftClaim(text_of(passage, span), anchors, parts=written.parts), passages)


def _states(passage: Passage, span: AnswerSpan) -> bool:
    """Whether all of it says something itself: it neither asks nor reports, nor wants it said."""
    first, last = span
    texts = [each.text for each in passage.sentences[first : last + 1]]
    return not any(is_question(text) or without_reported(text) != text for text in texts)


def _alike(question: str, claim: str, place: SentenceAt) -> float:
    """Share of what the claim says, but for what is given, that the sentence says; 0 to 1."""
    passage, index = place
    own, words = content(claim), content(passage.sentences[index].text)
    shared, given = own & words, content(question) | content(passage.heading)
    return len(shared) / len(shared | (own - given)) if len(shared) >= FEWEST else 0.0
