"""All find evidence by one road: the pipeline, evaluations and calibrations."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from audit.record import Upcoming
from bot.access.people import Person
from bot.answering.followups import (
    Attempt,
    asked_on,
    attempts_of,
    by_steps,
    chosen,
    corrected,
    with_its_subject,
)
from bot.answering.query_rewriting import QueryRewriting, RewrittenQuery
from bot.answering.quoting import LIKELY
from bot.answering.values import Question
from retrieval.language.dates import Times, times_of
from retrieval.language.questions import says_something, stands_alone
from retrieval.metadata.access import first_begun, over_by, permits
from retrieval.search.search import Search
from retrieval.search.timing import Stages
from retrieval.types import Evidence, Passage, Scope

MOST_NEAREST = 8
"""Passages that tell whether a question takes two steps."""
ScopeFor = Callable[[Person | None, str | None, date], Scope]
"""Tells what a person (None: a guest) may read in a channel (None: in private) on a day; a channel
that nobody knows is open to what is for everyone alone. Raises nothing."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    understood: RewrittenQuery
    evidence: Evidence
    """Of its scope's day, which may be one ahead that was asked about."""
    attempts: tuple[Attempt, ...] = ()
    """Those made."""
    upcoming: Upcoming | None = None


@dataclass(frozen=True, slots=True)
class InPrivate:
    """What the asker may read, and not everyone in the channel, that bears on the answer."""

    more: bool = False
    """Some evidence."""
    own_rule: bool = False
    """A rule of the asker's own unit, over one that the answer there may rest on."""


@dataclass(frozen=True, slots=True)
class EvidenceFinder:
    """Finds what a person may read that answers their question, and tells what is beside it."""

    scope_for: ScopeFor
    search: Search
    understanding: QueryRewriting
    plain_words: Callable[[str, Scope], str] = lambda text, _: text
    """Corrects what is misspelt, by what a scope may read alone; unchanged where nothing does."""
    documents_of: Callable[[Collection[str]], frozenset[str]] = lambda _: frozenset()
    """Ids of the documents of sources by name."""
    corrects: Callable[[str], bool] = lambda _: False
    """Tells whether a line says that something else was meant."""

    def __call__(self, question: Question, stages: Stages) -> SearchResult:
        """Raise `WriterUnavailable` or one of retrieval's errors."""
        if question.attached or question.searched:
            return self._with(question)(replace(question, attached=(), searched=()), stages)
        scope = self.scope_of(question)
        understood = self.understanding(question.text, question.previous, stages)
        text, previous = asked_on(understood.text, understood.previous)
        if question.goes_on and previous and not stands_alone(text):
            mend = partial(corrected, embed=self.search.embedder.embed, corrects=self.corrects)
            join = mend if question.corrects else with_its_subject
            text, previous = join(text, previous), ()
        understood = replace(understood, text=text, previous=previous)
        times = times_of(understood.text, scope.on, understood.previous)
        undated = _undated(understood, scope.on, times)
        if times.ahead is not None:
            then = replace(scope, on=times.ahead)
            return self._ahead(understood, undated, scope, then, times, stages)
        earlier = self._of_the_past(understood, scope, times, stages)
        return earlier or self.within(undated, scope, stages)

    def scope_of(self, question: Question) -> Scope:
        scope = self.scope_for(question.person, question.channel, question.on)
        if question.sources:
            scope = replace(scope, documents=self.documents_of(question.sources))
        return scope

    def _with(self, question: Question) -> "EvidenceFinder":
        """The same for what came with a question; an attached file may know its words as typed."""
        search = replace(self.search, attached=(*question.attached, *question.searched))
        if not question.attached:
            return replace(self, search=search)
        return replace(self, search=search, plain_words=lambda text, _: text)

    def _ahead(
        self,
        dated: RewrittenQuery,
        undated: RewrittenQuery,
        scope: Scope,
        then: Scope,
        times: Times,
        stages: Stages,
    ) -> SearchResult:
        """What begins by the day that is asked about, else what holds on both, else what did not.

        Where it is asked of now as well, that is what is found. A time of every year is never left
        out of what is searched on both: "can I have porter in July" is not about porter.
        """
        attempts = attempts_of(self._in_plain_words(undated, then))
        later, _ = chosen(attempts, lambda each: self._beside(each, then, scope))
        begins = first_begun(later, scope.on, LIKELY)
        upcoming = Upcoming(then.on, begins) if begins else None
        if upcoming and not times.present:
            return replace(self.within(undated, then, stages), upcoming=upcoming)
        found = self.within(dated, scope, stages)
        if not found.evidence.plain and not times.recurs:
            again = self.within(undated, scope, stages)
            found = max(again, found, key=lambda each: _how_near(each.evidence))
        if not times.present and over_by(then.on, found.evidence, LIKELY):
            return self.within(undated, then, stages)
        return replace(found, upcoming=upcoming)

    def _of_the_past(
        self, asked: RewrittenQuery, scope: Scope, times: Times, stages: Stages
    ) -> SearchResult | None:
        """What held at the time that is asked about, where that no longer holds; else None."""
        if times.past is None or not self.search.library.has_expired(scope.on):
            return None
        undated = replace(asked, text=times.without_past)
        found = self.within(undated, replace(scope, on=times.past), stages)
        return found if over_by(scope.on, found.evidence) else None

    def in_private(self, question: Question, found: SearchResult) -> InPrivate:
        """What the asker's own rights find for it that the channel's audience may not read.

        Of it no more than that there is something: its words are for the asker alone.
        """
        if question.channel is None or question.person is None:
            return InPrivate()
        scope = found.evidence.scope
        own = self.scope_for(question.person, None, scope.on)
        if own.facets == scope.facets:
            return InPrivate()
        shown = {hit.passage.passage_id for hit in found.evidence.hits}
        for attempt in found.attempts:
            hits = attempt.keep(self._beside(attempt, own, scope)).plain
            kept = {
                hit.passage.passage_id
                for hit in hits
                if not permits(hit.passage.document.metadata.access, scope)
            }
            if kept:
                overridden = (hit for hit in hits if hit.passage.passage_id in shown)
                return InPrivate(True, any(hit.overridden_by in kept for hit in overridden))
        return InPrivate()

    def expired(self, found: SearchResult) -> tuple[Passage, ...]:
        """What would have been evidence, had its time not run out: one passage a document."""
        scope = found.evidence.scope
        if found.evidence.plain or not self.search.library.has_expired(scope.on):
            return ()
        over: dict[str, Passage] = {}
        for attempt in found.attempts:
            ever = self._beside(attempt, replace(scope, expired=True), scope)
            for passage in (hit.passage for hit in attempt.keep(ever).plain):
                if not permits(passage.document.metadata.access, scope):
                    over.setdefault(passage.document.document_id, passage)
            if over:
                break
        return tuple(over.values())

    def within(self, asked: RewrittenQuery, scope: Scope, stages: Stages) -> SearchResult:
        """What a scope finds; the question and its parts are made to stand alone."""

        def search(each: Attempt) -> Evidence:
            return self.search(each.query, scope, stages, each.parts)

        evidence, made = chosen(attempts_of(self._in_plain_words(asked, scope)), search)
        return SearchResult(asked, evidence, made)

    def in_steps(self, found: SearchResult, stages: Stages) -> SearchResult:
        """What is found for a question that takes two steps; else the same, with what that cost."""
        first = found.evidence
        if len(first.parts) > 1 or found.upcoming or not found.attempts:
            return found
        asked = replace(found.understood, text=first.query, parts=())
        nearest = [hit.passage for hit in first.candidates[:MOST_NEAREST]]
        taken = self.understanding.in_steps(asked, nearest, stages)
        understood = replace(found.understood, tokens=taken.tokens, degraded=taken.degraded)
        if not taken.parts:
            return replace(found, understood=understood)
        attempt = by_steps(first.query, taken.parts)
        searched = self.search(attempt.query, first.scope, stages, attempt.parts)
        tokens = Counter(first.tokens) + Counter(searched.tokens)
        evidence = replace(attempt.keep(searched), tokens=dict(tokens))
        return SearchResult(understood, evidence, (*found.attempts, attempt))

    def _beside(self, each: Attempt, scope: Scope, known: Scope) -> Evidence:
        return self.search.beside(each.query, scope, known, each.parts)

    def _in_plain_words(self, asked: RewrittenQuery, scope: Scope) -> RewrittenQuery:
        """Corrected for this scope alone: another reader's correction may tell of their pages."""
        if not asked.in_english:
            return asked
        return replace(
            asked,
            text=self.plain_words(asked.text, scope),
            previous=tuple(self.plain_words(each, scope) for each in asked.previous),
            parts=tuple(self.plain_words(each, scope) for each in asked.parts),
        )


def _undated(asked: RewrittenQuery, on: date, times: Times) -> RewrittenQuery:
    text, previous, parts = times_of(asked.text, on).undated, asked.previous, asked.parts
    if times.ahead or times.present:
        previous = tuple(times_of(each, on).undated for each in previous)
        parts = tuple(times_of(each, on).undated for each in parts)
    if not says_something(text):  # "And from January?"
        text = with_its_subject(text, previous).removesuffix(f": {text}")
    return replace(asked, text=text, previous=previous, parts=parts)


def _how_near(evidence: Evidence) -> tuple[bool, float]:
    return bool(evidence.plain), max(part.relevance for part in evidence.parts)
