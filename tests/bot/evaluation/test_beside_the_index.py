"""Published systems search by another embedder, or towards what is imagined, beside the index."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from fakes import WordsEmbedder
from numpy.typing import NDArray
from openai_fixtures import Scripted as Says
from openai_fixtures import ScriptedServer, a_server
from openai_fixtures import a_completion as completed
from shelves import GUEST, TODAY, Shelves

from bot.lab.published.accountable import Imagining, imagined_by
from bot.lab.published.entries import EntryRetriever, entries_by
from bot.lab.recipe import BestOfOrder
from retrieval.search.search import Search
from retrieval.search.timing import Stages
from retrieval.types import AccessRule, Metadata, Scope

OF_CS = {"departments": frozenset({"cs"})}
FOR_CS = Metadata(access=AccessRule((("departments", ("cs",)),)))


class LengthEmbedder:
    """To it texts are alike that are about as long."""

    name, dimension = "length", 2

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        turned = [min(len(text), 150) / 100 for text in texts]
        return np.array([[np.cos(t), np.sin(t)] for t in turned], np.float32)


def by_meaning(shelves: Shelves, *others: EntryRetriever) -> Search:
    """Dense retrievers alone, without reranking."""
    search = shelves.composed()
    retrievers = (search.retrievers[0], *others)
    return replace(search, retrievers=retrievers, reranker=None, selection=BestOfOrder())


def with_lengths(shelves: Shelves) -> Search:
    lengths = LengthEmbedder()
    own = entries_by(lengths, shelves.composed())
    return by_meaning(shelves, EntryRetriever("dense-2", own, 5, lengths))


def found(search: Search, asked: str, scope: Scope = GUEST) -> list[str]:
    return [hit.passage.passage_id for hit in search(asked, scope, Stages()).candidates]


def test_what_both_embedders_find_comes_before_what_one_finds(shelves: Shelves) -> None:
    asked = "dogs " + "bark or bark " * 10
    shelves.add("dogs", "dogs bark")
    shelves.add("both", asked)
    shelves.add("cats", "Cats " + "sleep and sleep " * 8)
    assert found(with_lengths(shelves), asked)[0] == "both-0"


def test_another_embedder_shows_nothing_that_a_reader_may_not_see(shelves: Shelves) -> None:
    """The closed document is the nearest to both."""
    shelves.add("closed", "dogs bark at night", metadata=FOR_CS)
    shelves.add("dogs", "dogs bark")
    search = with_lengths(shelves)
    for nobody in (GUEST, Scope({"departments": frozenset({"is"})}, TODAY)):
        assert found(search, "dogs bark at night", nobody) == ["dogs-0"]
    assert found(search, "dogs bark at night", Scope(OF_CS, TODAY))[0] == "closed-0"


@pytest.fixture
def imagining(shelves: Shelves, server: ScriptedServer) -> Search:
    server.script = [Says(completed('{"passage": "Kennels open at eight"}'))]
    shelves.add("answer", "Kennels open at seven, 0.9.")
    shelves.add("closed", "Kennels open at eight", metadata=FOR_CS)
    for n in range(4):
        shelves.add(f"other{n}", f"Dogs of kind {n}, 0.1.")
    search = by_meaning(shelves)
    imagine = imagined_by(a_server(server.url), 0.0)
    retrievers = tuple(Imagining(each, imagine, WordsEmbedder()) for each in search.retrievers)
    return replace(search, retrievers=retrievers, settings=replace(search.settings, candidates=2))


def test_what_is_imagined_finds_what_the_questions_words_do_not(
    shelves: Shelves, imagining: Search, server: ScriptedServer
) -> None:
    plain = replace(by_meaning(shelves), settings=imagining.settings)
    assert "answer-0" not in found(plain, "dogs when")
    assert "answer-0" in found(imagining, "dogs when")
    found(imagining, "dogs when")
    assert len(server.received) == 1, "once for each question"


def test_what_is_imagined_finds_nothing_that_a_reader_may_not_see(imagining: Search) -> None:
    assert "closed-0" not in found(imagining, "dogs when")
    assert "closed-0" in found(imagining, "dogs when", Scope(OF_CS, TODAY))


def test_where_the_model_refuses_to_imagine_the_question_alone_is_searched_for(
    shelves: Shelves, imagining: Search, server: ScriptedServer
) -> None:
    server.script = [Says(completed(None, refusal="I won't."))]
    plain = replace(by_meaning(shelves), settings=imagining.settings)
    assert found(imagining, "dogs when") == found(plain, "dogs when")
