"""The bot with a stage that is broken as it might break: it runs on, and does its work badly."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from bot.access.people import Person
from bot.answering.pipeline import AnsweringPipeline
from bot.answering.query_rewriting import QueryRewriting, RewrittenQuery
from bot.answering.values import Brief, Draft, Writer
from bot.lab.recipe import Compose
from bot.lab.recipes import RECIPES
from retrieval.ports import EntailmentPair, RerankPair, RerankScore
from retrieval.search.search import Search
from retrieval.search.timing import Stages
from retrieval.types import Scope

NUMBER = re.compile(r"\d+")
VERB = re.compile(r"\b(is|are|was|must|may|can|will|should)\b(?: (not)\b)?")
INVENTED = "Everybody is given a free lunch on that occasion."


def altered(sentence: str) -> str:
    """With another number, or where it has none, with a negation more or less."""
    if NUMBER.search(sentence):
        return NUMBER.sub(lambda found: str(int(found[0]) + 1), sentence, count=1)
    return VERB.sub(lambda found: found[1] if found[2] else f"{found[1]} not", sentence, count=1)


def invented(_: str) -> str:
    return INVENTED


@dataclass(frozen=True, slots=True)
class LyingWriter:
    """Says something else in place of what another writer says, and cites the same."""

    writer: Writer
    instead: Callable[[str], str]

    @property
    def name(self) -> str:
        return f"lying {self.writer.name}"

    def write(self, brief: Brief) -> Draft:
        draft = self.writer.write(brief)
        said = ((each, self.instead(each.text)) for each in draft.claims)
        lies = tuple(replace(each, text=text) for each, text in said if text != each.text)
        return replace(draft, claims=lies)


def lying(instead: Callable[[str], str]) -> Compose:
    return lambda answering: replace(answering, writer=LyingWriter(answering.writer, instead))


@dataclass(frozen=True, slots=True)
class DullReranker:
    """Finds every passage equally good."""

    name: str = "dull"

    def scores(self, pairs: Sequence[RerankPair]) -> list[RerankScore]:
        return [RerankScore(0.0, 0.8)] * len(pairs)


@dataclass(frozen=True, slots=True)
class CredulousEntailment:
    """Believes everything."""

    name: str = "credulous"

    def supported(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        return [1.0] * len(pairs)


def _searching(change: Callable[[Search], Search]) -> Compose:
    def compose(answering: AnsweringPipeline) -> AnsweringPipeline:
        finder = answering.evidence
        return replace(answering, evidence=replace(finder, search=change(finder.search)))

    return compose


def _expired_documents_too(answering: AnsweringPipeline) -> AnsweringPipeline:
    """The day is not looked at."""
    return _scoped(answering, lambda scope: replace(scope, expired=True))


def _scoped(answering: AnsweringPipeline, change: Callable[[Scope], Scope]) -> AnsweringPipeline:
    own = answering.evidence.scope_for

    def scope_for(person: Person | None, channel: str | None, on: date) -> Scope:
        return change(own(person, channel, on))

    return replace(answering, evidence=replace(answering.evidence, scope_for=scope_for))


def _forgetful(answering: AnsweringPipeline) -> AnsweringPipeline:
    """A follow-up is heard alone."""
    return replace(answering, evidence=replace(answering.evidence, understanding=_Forgetful()))


@dataclass(frozen=True, slots=True)
class _Forgetful(QueryRewriting):
    def __call__(self, text: str, _previous: tuple[str, ...], _stages: Stages) -> RewrittenQuery:
        return RewrittenQuery(text, ())


def _without_levels(search: Search) -> Search:
    """No unit is nearer to a reader than another."""
    whole = tuple(level for level in search.ontology.levels if level.facet is None)
    return replace(search, ontology=replace(search.ontology, levels=whole))


BROKEN: Mapping[str, Compose] = {
    "a dull reranker": _searching(
        lambda search: replace(search, reranker=DullReranker(), window_reranker=None)
    ),
    "no windows": RECIPES["no-windows"].compose,
    "no threshold": RECIPES["no-threshold"].compose,
    "no levels": _searching(_without_levels),
    "no days": _expired_documents_too,
    "no memory": _forgetful,
}


def _believing(answering: AnsweringPipeline) -> AnsweringPipeline:
    verification = replace(answering.verification, entailment=CredulousEntailment())
    return replace(answering, verification=verification)


UNCHECKED: Mapping[str, Compose] = {
    "no verification": RECIPES["no-verification"].compose,
    "no exact comparison": RECIPES["no-exact-comparison"].compose,
    "a credulous model": _believing,
}
