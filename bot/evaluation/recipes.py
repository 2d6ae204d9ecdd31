"""A recipe is a named way to answer: it composes the bot's stages, or leaves one of them out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.answering.gate import UNCALIBRATED, Gate
from bot.answering.pipeline import AnsweringPipeline
from bot.evaluation.ablations import GateOfOnePart, NoComparison
from retrieval.search import Search
from retrieval.selection import BestOfOrder, OrganisationalSelection

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


def alike(recipes: Sequence[Recipe]) -> list[tuple[Mapping[str, object], list[Recipe]]]:
    """Recipes by the settings that they change, in the order in which they first stand."""
    grouped: list[tuple[Mapping[str, object], list[Recipe]]] = []
    for recipe in recipes:
        sharing = next((group for settings, group in grouped if settings == recipe.settings), None)
        if sharing is None:
            grouped.append((recipe.settings, [recipe]))
        else:
            sharing.append(recipe)
    return grouped


def _as_shipped(answering: AnsweringPipeline) -> AnsweringPipeline:
    return answering


def _searching(composed: Callable[[Search], Search]) -> Compose:
    def compose(answering: AnsweringPipeline) -> AnsweringPipeline:
        finder = answering.evidence
        return replace(answering, evidence=replace(finder, search=composed(finder.search)))

    return compose


def _ranking(name: str, *retrievers: str, says: str) -> Recipe:
    """Some of the retrievers and their fusion alone."""

    def composed(search: Search) -> Search:
        chosen = tuple(each for each in search.retrievers if each.name in retrievers)
        return replace(
            search,
            retrievers=chosen,
            reranker=None,
            sentence_reranker=None,
            selection=BestOfOrder(),
        )

    return Recipe(name, _searching(composed), decides=False, says=says)


def _without_sentence_reranking(search: Search) -> Search:
    return replace(search, sentence_reranker=None)


def _without_threshold(search: Search) -> Search:
    """The best passages are evidence whatever their relevance."""
    selection = search.selection
    if not isinstance(selection, OrganisationalSelection):
        raise TypeError("a selection that is composed already has no threshold to leave out")
    return replace(search, selection=replace(selection, threshold=0.0))


def _without_verification(answering: AnsweringPipeline) -> AnsweringPipeline:
    """A claim passes whose anchors were given, whatever it says."""
    checked = _without_comparison(answering).verification
    return replace(answering, verification=replace(checked, threshold=0.0, sure=0.0))


def _without_comparison(answering: AnsweringPipeline) -> AnsweringPipeline:
    """The entailment model alone checks a claim."""
    verification = replace(answering.verification, comparison=NoComparison())
    return replace(answering, verification=verification)


def _without_coverage(answering: AnsweringPipeline) -> AnsweringPipeline:
    """A part of the question that is missing goes for answered."""
    return replace(answering, gate=GateOfOnePart(answering.gate))


def _without_calibration(answering: AnsweringPipeline) -> AnsweringPipeline:
    """The composite confidence is taken for a probability."""
    gate = answering.gate
    if not isinstance(gate, Gate):
        raise TypeError("a gate that is composed already has no calibration to leave out")
    return replace(answering, gate=replace(gate, calibration=UNCALIBRATED))


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe("vouch", _as_shipped, says="as it answers people"),
        _ranking("dense", "dense", says="ranked by meaning alone"),
        _ranking("bm25", "bm25", says="by words alone"),
        _ranking("fusion", "dense", "bm25", says="by both"),
        Recipe(
            "no-sentence-reranking",
            _searching(_without_sentence_reranking),
            says="this and all no-...: vouch without that stage",
        ),
        Recipe("no-threshold", _searching(_without_threshold)),
        Recipe("no-verification", _without_verification),
        Recipe("no-exact-comparison", _without_comparison),
        Recipe("no-coverage", _without_coverage),
        Recipe("no-calibration", _without_calibration),
    )
}
