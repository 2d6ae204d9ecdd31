"""The published fusion of several retrievers, and that recipes ask for settings that there are."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.lab.published.entries import EntryRetriever
from bot.lab.published.plain import MULTI_RRF, SWEEP
from bot.lab.recipe import Recipe
from bot.lab.recipes import RECIPES, alike
from bot.settings import Settings
from bot.wiring import Container
from retrieval.search.ranking import DenseRetriever, LexicalRetriever, Retriever

Known = DenseRetriever | EntryRetriever | LexicalRetriever


def known(retrievers: Sequence[Retriever]) -> list[Known]:
    return [each for each in retrievers if isinstance(each, Known)]


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=lambda each: each.name)
def test_what_a_recipe_changes_an_operator_could_set(recipe: Recipe) -> None:
    Settings(_env_file=None, **recipe.settings)  # type: ignore[call-arg, arg-type]  # by name


@pytest.mark.slow
def test_the_published_fusion_asks_each_retriever_for_four(tmp_path: Path) -> None:
    container = Container(Settings(_env_file=None, home=tmp_path))  # type: ignore[call-arg]  # pydantic-settings' own
    answering = MULTI_RRF.compose(container.with_settings(MULTI_RRF.settings).answering)
    search = answering.evidence.search
    found = [(each.name, each.most) for each in known(search.retrievers)]
    assert found == [("dense", 4), ("dense-2", 4), ("bm25", 4)]
    assert search.settings.rrf_k == 60
    assert search.embedder.name.startswith("all-MiniLM-L6-v2 (")
    [other] = [each.embedder for each in search.retrievers if isinstance(each, EntryRetriever)]
    assert other
    assert other.name.startswith("vouch-embedder-")


@pytest.mark.slow
def test_the_published_sweep_asks_each_retriever_for_one_to_ten_in_one_library(
    tmp_path: Path,
) -> None:
    container = Container(Settings(_env_file=None, home=tmp_path))  # type: ignore[call-arg]  # pydantic-settings' own
    answering = container.with_settings(MULTI_RRF.settings).answering
    for number, recipe in enumerate(SWEEP, start=1):
        retrievers = known(recipe.compose(answering).evidence.search.retrievers)
        assert [each.most for each in retrievers] == [number] * 3
    assert len(alike([MULTI_RRF, *SWEEP])) == 1
