"""The recipes by name: ours, with one of its stages left out, and published systems."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bot.answering.gate import UNCALIBRATED, Gate
from bot.answering.pipeline import AnsweringPipeline
from bot.lab.published.accountable import ACCOUNTABLE
from bot.lab.published.index_rag import INDEX_RAG, MULTI_RRF, PLAIN, SWEEP
from bot.lab.published.university import UNIVERSITY
from bot.lab.recipe import (
    GateOfOnePart,
    Recipe,
    as_typed,
    ranked_by,
    searching,
    without_comparison,
    without_verification,
)
from retrieval.search.search import Search
from retrieval.search.selection import OrganisationalSelection

if TYPE_CHECKING:
    from bot.wiring import Container


def library_of(
    recipe: Recipe, opened: "Container", people: Path | None
) -> AbstractContextManager["Container"]:
    """A home aside that cuts, indexes and searches as a recipe does, and those like it."""
    chunking = recipe.chunking() if recipe.chunking else None
    return opened.aside(people, recipe.settings, chunking)


def alike(recipes: Iterable[Recipe]) -> list[list[Recipe]]:
    """Those that can share a library together, in the order in which they first stand."""
    groups: list[list[Recipe]] = []
    for recipe in recipes:
        held = (recipe.settings, recipe.chunking)
        like = next((g for g in groups if (g[0].settings, g[0].chunking) == held), None)
        if like is None:
            groups.append([recipe])
        else:
            like.append(recipe)
    return groups


def _ranking(name: str, *retrievers: str, says: str) -> Recipe:
    return Recipe(name, ranked_by(*retrievers), decides=False, says=says)


def _without_threshold(search: Search) -> Search:
    """The best passages are evidence whatever their relevance."""
    selection = search.selection
    if not isinstance(selection, OrganisationalSelection):
        raise TypeError("a selection that is composed already has no threshold to leave out")
    return replace(search, selection=replace(selection, threshold=0.0))


def _without_calibration(answering: AnsweringPipeline) -> AnsweringPipeline:
    """The composite confidence is taken for a probability."""
    gate = answering.gate
    if not isinstance(gate, Gate):
        raise TypeError("a gate that is composed already has no calibration to leave out")
    return replace(answering, gate=replace(gate, calibration=UNCALIBRATED))


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("vouch", lambda answering: answering, says="as it answers people"),
        _ranking("dense", "dense", says="ranked by meaning alone"),
        _ranking("bm25", "bm25", says="by words alone"),
        _ranking("fusion", says="by all retrievers"),
        Recipe(
            "no-windows",
            searching(lambda search: replace(search, window_reranker=None)),
            says="this and all no-...: vouch without that stage",
        ),
        Recipe("no-plain-words", as_typed),
        Recipe("no-threshold", searching(_without_threshold)),
        Recipe("no-verification", without_verification),
        Recipe("no-exact-comparison", without_comparison),
        Recipe("no-source-words", lambda answering: replace(answering, source_words=False)),
        Recipe("no-coverage", lambda a: replace(a, gate=GateOfOnePart(a.gate))),
        Recipe("no-calibration", _without_calibration),
        PLAIN,
        INDEX_RAG,
        MULTI_RRF,
        *SWEEP,
        UNIVERSITY,
        ACCOUNTABLE,
    )
}
