"""All find evidence by one road: the pipeline, evaluations and calibrations."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from bot.access import Person
from bot.answering.followups import (
    asked_on,
    begins_with_what_it_asks,
    names_another_section,
    of_another_topic,
    standalone,
    with_its_subject,
    with_what_it_adds,
    with_what_it_asks,
)
from bot.answering.query_rewriting import QueryRewriting, RewrittenQuery
from bot.answering.quoting import LIKELY
from bot.answering.values import Question, Upcoming
from retrieval.filters import permits
from retrieval.language.anaphora import asks_for_one_like_it
from retrieval.language.asking import says_something
from retrieval.language.dates import Times, times_of
from retrieval.language.question_parts import parts_of
from retrieval.search import Search
from retrieval.timing import Stages
from retrieval.types import Evidence, Passage, QuestionPart, Scope
from retrieval.validity import first_begun, over_by

ScopeFor = Callable[[Person | None, str | None, date], Scope]
"""Tells what a person (None: a guest) may read in a channel (None: in private) on a day; a channel
that nobody knows is open to what is for everyone alone. Raises nothing."""
MOST_PARTS = 5
"""Of a question, since for each the best passages are reread; what else it asks is missing."""


@dataclass(frozen=True, slots=True)
class Found:
    """A search found evidence for a question that was understood so."""

    understood: RewrittenQuery
    evidence: Evidence
    """Of its scope's day, which may be one ahead that was asked about."""
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

    @property
    def _beside(self) -> "EvidenceFinder":
        """Without a language model that rereads: what no reply will show is sent nowhere."""
        return replace(self, search=replace(self.search, listwise_reranker=None))

    def __call__(self, question: Question, stages: Stages) -> Found:
        """Raise `WriterUnavailable` or one of retrieval's errors."""
        scope = self.scope_for(question.person, question.channel, question.on)
        understood = self.understanding(question.text, question.previous, stages)
        text, previous = asked_on(understood.text, understood.previous)
        understood = replace(understood, text=text, previous=previous)
        times = times_of(understood.text, scope.on, understood.previous)
        undated = _undated(understood, scope.on, times)
        if times.ahead is None:
            earlier = self._of_the_past(understood, scope, times, stages)
            return earlier or Found(undated, self.within(undated, scope, stages))
        then = replace(scope, on=times.ahead)
        begins = first_begun(self._beside.within(undated, then, Stages()), scope.on, LIKELY)
        upcoming = Upcoming(then.on, begins) if begins else None
        if upcoming and not times.present:
            return Found(undated, self.within(undated, then, stages), upcoming)
        found = Found(understood, self.within(understood, scope, stages), upcoming)
        if not found.evidence.plain:
            evidence = self.within(undated, scope, stages)
            found = Found(undated, evidence, upcoming) if evidence.plain else found
        if not times.present and over_by(times.ahead, found.evidence):
            found = Found(undated, self.within(undated, then, stages))
        return found

    def _of_the_past(
        self, asked: RewrittenQuery, scope: Scope, times: Times, stages: Stages
    ) -> Found | None:
        """What held at the time that is asked about, where that no longer holds; else None."""
        if times.past is None or not self.search.library.has_expired(scope.on):
            return None
        then, undated = replace(scope, on=times.past), replace(asked, text=times.without_past)
        evidence = self.within(undated, then, stages)
        return Found(undated, evidence) if over_by(scope.on, evidence) else None

    def in_private(self, question: Question, found: Found) -> InPrivate:
        """What a search by the asker's own rights finds that the channel's audience may not read.

        Of it no more than that there is something: its words are for the asker alone.
        """
        if question.channel is None or question.person is None:
            return InPrivate()
        scope = found.evidence.scope
        own = self.scope_for(question.person, None, scope.on)
        if own.facets == scope.facets:
            return InPrivate()
        hits = self._beside.within(found.understood, own, Stages()).plain
        kept = {
            hit.passage.passage_id
            for hit in hits
            if not permits(hit.passage.document.metadata.access, scope)
        }
        shown = {hit.passage.passage_id for hit in found.evidence.hits}
        overrides = any(
            hit.overridden_by in kept and hit.passage.passage_id in shown for hit in hits
        )
        return InPrivate(more=bool(kept), own_rule=overrides)

    def expired(self, found: Found) -> tuple[Passage, ...]:
        """What would have been evidence, had its time not run out: one passage a document."""
        if found.evidence.plain:
            return ()
        scope = found.evidence.scope
        if not self.search.library.has_expired(scope.on):
            return ()
        ever = replace(scope, expired=True)
        over: dict[str, Passage] = {}
        for hit in self._beside.within(found.understood, ever, Stages()).plain:
            document = hit.passage.document
            if not permits(document.metadata.access, scope):
                over.setdefault(document.document_id, hit.passage)
        return tuple(over.values())

    def within(self, asked: RewrittenQuery, scope: Scope, stages: Stages) -> Evidence:
        """Question and parts are made to stand alone; a part refers to those before it."""
        if not asked.in_english:
            return _nothing_sought(asked.text, scope)
        asked = self._in_plain_words(asked, scope)
        query = standalone(asked.text, asked.previous)
        asks = asked.parts or parts_of(asked.text)
        texts, unsought = asks[:MOST_PARTS], asks[MOST_PARTS:]
        if len(texts) == 1:
            evidence = self._of_one_thing(query, asked, scope, stages)
            other = of_another_topic(asked.text, asked.previous)
            if evidence.plain or other == asked.text:
                return evidence
            found = self._of_one_thing(other, asked, scope, stages)
            return _with_tokens_of(found if found.plain else evidence, evidence, found)
        parts = (
            texts
            if asked.parts
            else [standalone(text, (*asked.previous, *texts[:n])) for n, text in enumerate(texts)]
        )
        evidence = self.search(query, scope, stages, parts, asked.hypothetical)
        own_words = dict(zip(parts, texts, strict=True))
        named = tuple(replace(part, asked=own_words[part.text]) for part in evidence.parts)
        left = tuple(QuestionPart(text, relevance=0.0, covered=False) for text in unsought)
        return replace(evidence, parts=(*named, *left))

    def _of_one_thing(
        self, query: str, asked: RewrittenQuery, scope: Scope, stages: Stages
    ) -> Evidence:
        evidence = self._followed_up(query, asked, scope, stages)
        if query != asked.text and names_another_section(evidence, asked.text):
            evidence = self.search(asked.text, scope, stages)  # another topic
        return with_what_it_adds(evidence, asked.text, asked.previous)

    def _in_plain_words(self, asked: RewrittenQuery, scope: Scope) -> RewrittenQuery:
        """Corrected for this scope alone: another reader's correction may tell of their pages."""
        return replace(
            asked,
            text=self.plain_words(asked.text, scope),
            previous=tuple(self.plain_words(each, scope) for each in asked.previous),
            parts=tuple(self.plain_words(each, scope) for each in asked.parts),
        )

    def _followed_up(
        self, query: str, asked: RewrittenQuery, scope: Scope, stages: Stages
    ) -> Evidence:
        """What is found for a follow-up, with the earlier question where it finds nothing alone.

        By their form two of five do not show that they refer to it ("do I get a break halfway?").
        Where neither finds anything, the reply tells of the search that came nearer; but where
        this question alone comes near something, or the earlier one alone brings it nearer, it
        is taken for a new one.
        """
        evidence = self.search(query, scope, stages, hypothetical=asked.hypothetical)
        if evidence.plain or not asked.previous or query != asked.text:
            return evidence
        joined = with_its_subject(asked.text, asked.previous)
        if joined == asked.text:
            return evidence
        found = self.search(joined, scope, stages, hypothetical=asked.hypothetical)
        nearer = evidence
        if found.plain:
            together = with_what_it_asks(found, asked.text)
            nearer = together if together.plain else evidence
        elif evidence.parts[0].relevance < LIKELY and (
            asks_for_one_like_it(asked.text) or begins_with_what_it_asks(found, asked.text)
        ):
            nearer = _nearer(evidence, found)
        return _with_tokens_of(nearer, evidence, found)


def _nearer(one: Evidence, other: Evidence) -> Evidence:
    """That which comes nearer to the question; each asks one thing."""
    return max(one, other, key=lambda each: each.parts[0].relevance)


def _with_tokens_of(evidence: Evidence, one: Evidence, other: Evidence) -> Evidence:
    return replace(evidence, tokens=Counter(one.tokens) + Counter(other.tokens))


def _undated(asked: RewrittenQuery, on: date, times: Times) -> RewrittenQuery:
    """Without what its scope says of when: no rule says "in February 2027"."""
    text, previous, parts = times_of(asked.text, on).undated, asked.previous, asked.parts
    if times.ahead or times.present:
        previous = tuple(times_of(each, on).undated for each in previous)
        parts = tuple(times_of(each, on).undated for each in parts)
    if not says_something(text):  # "And from January?"
        text = with_its_subject(text, previous).removesuffix(f": {text}")
    return replace(asked, text=text, previous=previous, parts=parts)


def _nothing_sought(question: str, scope: Scope) -> Evidence:
    unanswered = QuestionPart(question, relevance=0.0, covered=False)
    return Evidence(question, scope, candidates=(), hits=(), parts=(unanswered,))
