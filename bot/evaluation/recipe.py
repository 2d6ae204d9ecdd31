"""A recipe is a named way to answer: what it consists of, and how one is made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from bot.answering.pipeline import AnsweringPipeline
from retrieval.blending import BlendedRetriever
from retrieval.retrievers import EntryRetriever, Retriever
from retrieval.search import Search
from retrieval.selection import BestOfOrder

Compose = Callable[[AnsweringPipeline], AnsweringPipeline]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe has a name and says how the bot's stages are composed."""

    name: str
    compose: Compose
    decides: bool = True
    """Without a reranker nothing can be gated: such a recipe only ranks."""
    settings: Mapping[str, object] = field(default_factory=dict)
    """The fields of the bot's settings that it changes, for its documents to be cut, indexed and
    searched so; recipes that change the same ones share a library."""
    says: str = ""
    """What it is, in a few words, for the command's help."""


def searching(composed: Callable[[Search], Search]) -> Compose:
    """An answering whose search is composed in another way."""

    def compose(answering: AnsweringPipeline) -> AnsweringPipeline:
        finder = answering.evidence
        return replace(answering, evidence=replace(finder, search=composed(finder.search)))

    return compose


def as_typed(answering: AnsweringPipeline) -> AnsweringPipeline:
    """An answering that searches in the words that were typed, however they are spelt."""
    finder = replace(answering.evidence, plain_words=lambda text, _: text)
    return replace(answering, evidence=finder)


def ranked_by(*retrievers: str) -> Compose:
    """Some of the retrievers and their fusion alone: no reranker, no threshold, no gate.

    Where none is named all of them are meant.
    They search for what was typed, as published systems do, and each is weighed: no calibration
    is there for which some are left out.
    """

    def composed(search: Search) -> Search:
        chosen = tuple(
            _weighed(each)
            for each in search.retrievers
            if not retrievers or each.name in retrievers
        )
        return replace(
            search,
            retrievers=chosen,
            reranker=None,
            window_reranker=None,
            selection=BestOfOrder(),
        )

    return lambda answering: searching(composed)(as_typed(answering))


def _weighed(retriever: Retriever) -> Retriever:
    if isinstance(retriever, EntryRetriever | BlendedRetriever):
        return replace(retriever, weighed=True)
    return retriever
