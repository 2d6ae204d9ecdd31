"""Named ways to answer, so that each stage can be compared with going without it."""

from dataclasses import dataclass, replace

from retrieval.search import SearchSettings


@dataclass(frozen=True, slots=True)
class Recipe:
    """A name and what it changes of retrieval."""

    name: str
    dense: bool = True
    lexical: bool = True
    rerank: bool = True
    """Without the reranker nothing can be gated: such a recipe only ranks."""

    def search_settings(self, settings: SearchSettings) -> SearchSettings:
        return replace(settings, dense=self.dense, lexical=self.lexical, rerank=self.rerank)


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("vouch"),
        Recipe("dense", lexical=False, rerank=False),
        Recipe("bm25", dense=False, rerank=False),
        Recipe("fusion", rerank=False),
    )
}
