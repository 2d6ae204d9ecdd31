"""Several embedders search side by side, each in a vector space of its own."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fakes import DIMENSION, WordsEmbedder
from libraries import library_in
from numpy.typing import NDArray
from shelves import GUEST, TODAY, Shelves

from bot.lab.recipe import BestOfOrder
from retrieval.index.certificate import Space
from retrieval.index.lance_index import LanceIndex
from retrieval.ingest.indexed_library import IndexedLibrary
from retrieval.metadata.ontology import load_ontology
from retrieval.ports import TEXT_SPACE
from retrieval.search.retrievers import Embedders, dense_retrievers, space_of
from retrieval.search.search import Search
from retrieval.timing import Stages
from retrieval.types import AccessRule, Metadata, Scope

SECOND = space_of(2)


class LengthEmbedder:
    """To it texts are alike that are about as long."""

    name, dimension = "length", 2

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        turned = [min(len(text), 150) / 100 for text in texts]
        return np.array([[np.cos(t), np.sin(t)] for t in turned], np.float32)


@pytest.fixture
def shelves(tmp_path: Path) -> Shelves:
    shelves = Shelves(tmp_path / "first")
    shelves.library = library_in(tmp_path)
    spaces = {TEXT_SPACE: Space("words", DIMENSION), SECOND: Space("length", 2)}
    shelves.index = LanceIndex(tmp_path / "both", spaces, load_ontology().facets)
    embedders: Embedders = {TEXT_SPACE: WordsEmbedder(), SECOND: LengthEmbedder()}
    shelves.indexed = IndexedLibrary(shelves.library, shelves.index, embedders)
    return shelves


def searching(shelves: Shelves, most: int = 5) -> Search:
    """Dense retrievers alone, without reranking."""
    spaces = [TEXT_SPACE, SECOND]
    return replace(
        shelves.composed(),
        embedders={TEXT_SPACE: WordsEmbedder(), SECOND: LengthEmbedder()},
        retrievers=dense_retrievers(shelves.index, spaces, most),
        reranker=None,
        selection=BestOfOrder(),
    )


LONG = "Cats " + "sleep and sleep " * 8
QUESTION = "dogs " + "bark or bark " * 10


def test_each_finds_its_own_and_keeps_its_scores_under_names_of_its_own(shelves: Shelves) -> None:
    shelves.add("dogs", "dogs bark")
    shelves.add("cats", LONG)
    found = searching(shelves, 1)(QUESTION, GUEST, Stages())
    scores = {hit.passage.passage_id: hit.scores for hit in found.candidates}
    assert scores["dogs-0"]["dense_rank"] == 1
    assert "dense_rank_2" not in scores["dogs-0"]
    assert scores["cats-0"]["dense_rank_2"] == 1
    assert scores["cats-0"]["cosine_2"] > 0.9
    assert "cosine" in scores["cats-0"], "the first embedder's, of every candidate"


def test_what_both_find_comes_before_what_one_finds(shelves: Shelves) -> None:
    shelves.add("dogs", "dogs bark")
    shelves.add("both", QUESTION)
    shelves.add("cats", LONG)
    found = searching(shelves)(QUESTION, GUEST, Stages())
    first = found.candidates[0]
    assert first.passage.passage_id == "both-0"
    ranks = first.scores["dense_rank"], first.scores["dense_rank_2"]
    assert first.scores["fusion"] == pytest.approx(sum(1 / (60 + rank) for rank in ranks))


def test_no_space_shows_what_a_reader_may_not_see(shelves: Shelves) -> None:
    """The closed document is nearest in both spaces."""
    closed = Metadata(access=AccessRule((("departments", ("cs",)),)))
    shelves.add("closed", QUESTION, metadata=closed)
    shelves.add("dogs", "dogs bark")
    search = searching(shelves)
    for nobody in (GUEST, Scope({"departments": frozenset({"is"})}, TODAY)):
        found = search(QUESTION, nobody, Stages(), hypothetical=QUESTION)
        assert [hit.passage.passage_id for hit in found.candidates] == ["dogs-0"]
    reader = Scope({"departments": frozenset({"cs"})}, TODAY)
    assert search(QUESTION, reader, Stages()).candidates[0].passage.passage_id == "closed-0"


def test_an_embedder_whose_retriever_is_left_out_reads_no_question(shelves: Shelves) -> None:
    """So that one retriever alone costs what it costs."""

    class Unable(LengthEmbedder):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise AssertionError("it was asked")

    shelves.add("dogs", "dogs bark")
    search = searching(shelves)
    embedders: Embedders = {TEXT_SPACE: WordsEmbedder(), SECOND: Unable()}
    alone = replace(search, embedders=embedders, retrievers=search.retrievers[:1])
    assert alone("dogs", GUEST, Stages()).candidates
    with pytest.raises(AssertionError, match="it was asked"):
        replace(search, embedders=embedders)("dogs", GUEST, Stages())
