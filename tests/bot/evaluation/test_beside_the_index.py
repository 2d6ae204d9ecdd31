"""Entries beside the index, as Index-RAG has them, and retrievers fused."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from fakes import WordsEmbedder
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from openai_fixtures import Scripted as Says
from openai_fixtures import ScriptedServer, a_server
from openai_fixtures import a_completion as completed
from shelves import GUEST, TODAY, Shelves

from bot.lab.published.accountable import Imagining, imagined_by
from bot.lab.published.entries import (
    MOST_QUESTIONS,
    BlendedRetriever,
    Entries,
    EntryRetriever,
    entities,
    entries_by,
    folded,
    questions,
    summary,
)
from bot.lab.published.index_rag import MULTI_RRF, SWEEP
from bot.lab.recipe import BestOfOrder, Recipe
from bot.lab.recipes import RECIPES, alike
from bot.settings import Settings
from bot.wiring import Container
from retrieval.search.ranking import DenseRetriever, LexicalRetriever, Query, Retriever
from retrieval.search.search import Search
from retrieval.search.timing import Stages
from retrieval.types import AccessRule, Document, Metadata, Passage, Scope, Sentence

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


EVERYONE = Scope({}, date(2026, 3, 2))
OF_HR = Scope({"departments": frozenset({"hr"})}, date(2026, 3, 2))
OPEN, HR = AccessRule(), AccessRule((("departments", ("hr",)),))


QUERY = Query("what", np.array([1, 0], np.float32))


def passage(passage_id: str, rule: AccessRule = OPEN) -> Passage:
    name = passage_id.partition("-")[0]
    metadata = Metadata(access=rule)
    document = Document(name, f"{name}.md", "1", datetime.now(UTC), name, metadata)
    return Passage(passage_id, document, 0, (), (Sentence("It.", 0, 3),), "It.")


def entries(*stated: tuple[Passage, float]) -> Entries:
    """Unit vectors of those cosines to the one that is searched for."""
    rows = [(cosine, (1 - cosine**2) ** 0.5) for _, cosine in stated]
    return Entries([each for each, _ in stated], np.array(rows, np.float32).reshape(-1, 2))


def blend(own: Entries, questions: Entries, scope: Scope = EVERYONE) -> Sequence[tuple[str, float]]:
    matches = BlendedRetriever(own, questions, 50)(QUERY, scope)
    return [(match.passage_id, round(match.score, 4)) for match in matches]


def test_six_tenths_are_of_the_passage_and_four_of_its_documents_best_question() -> None:
    a0, a1, b = passage("a-0"), passage("a-1"), passage("b-0")
    own = entries((a0, 0.5), (a1, 0.7), (b, 0.5))
    assert blend(own, entries((a0, 0.2), (a0, 0.9))) == [("a-1", 0.78), ("a-0", 0.66), ("b-0", 0.5)]
    assert blend(entries(), entries()) == []


def test_what_is_closed_is_not_found_nor_does_its_question_count() -> None:
    pay, a = passage("pay-0", HR), passage("a-0")
    own, questions = entries((pay, 1.0), (a, 0.5)), entries((pay, 1.0), (a, 0.5))
    assert blend(own, questions) == [("a-0", 0.5)]
    assert blend(own, questions, OF_HR) == [("pay-0", 1.0), ("a-0", 0.5)]
    led = EntryRetriever("question", questions, 1)(QUERY, EVERYONE)
    assert [each.passage_id for each in led] == ["a-0"]
    of_none = replace(OF_HR, documents=frozenset({"a"}))
    assert blend(own, questions, of_none) == [("a-0", 0.5)]


def test_no_more_than_the_most_come_the_nearest_first() -> None:
    led = entries(*((passage(f"{name}-0"), cosine) for name, cosine in (("a", 0.1), ("b", 0.9))))
    assert [e.passage_id for e in EntryRetriever("summary", led, 1)(QUERY, EVERYONE)] == ["b-0"]


def test_a_question_that_is_asked_does_not_meet_its_own_entry() -> None:
    asked, other = entries((passage("a-0"), 1.0)), entries((passage("b-0"), 0.5))
    made = Entries(
        [*asked.passages, *other.passages],
        np.concatenate([asked.vectors, other.vectors]),
        [folded("What  IS it?"), folded("Who is it?")],
    )
    query = replace(QUERY, text="what is it")
    led = EntryRetriever("question", made, 5)(query, EVERYONE)
    assert [each.passage_id for each in led] == ["b-0"]


def saying(*texts: str, title: str = "Leave", sections: tuple[str, ...] = ()) -> Passage:
    document = Document("leave", "leave.md", "1", datetime.now(UTC), title, Metadata())
    sentences = tuple(Sentence(text, 0, len(text)) for text in texts)
    return Passage("leave-0", document, 0, sections, sentences, " ".join(texts))


def test_a_passage_has_questions_of_its_heading_and_of_each_sentence() -> None:
    assert questions(saying("Staff may carry over five days of leave.", "This is so.")) == [
        "What are the rules for leave?",
        "May staff carry over five days of leave?",
        "How many days of leave may staff carry over?",
    ]


def test_a_summary_says_what_a_passage_says_most_with_the_heading_and_nothing_twice() -> None:
    texts = ("Leave is paid.", "Leave is paid leave.", "Forms go to Finance.")
    assert summary(saying(*texts)) == ["Leave Leave is paid. Forms go to Finance."]
    assert summary(saying(*texts[:2])) == []


def test_what_is_named_stands_together_with_the_heading() -> None:
    texts = ("Ask the Human Resources office or help@x.org.", "It needs form AB-12.")
    assert entities(saying(*texts)) == ["Leave help@x.org, Human Resources, AB-12"]
    assert entities(saying("Nothing is named in here.")) == []


WILD = st.text(st.characters(exclude_categories=()))
WORDS = "You must may is are To If 5 days within , : - HR ? AB-12".split()  # noqa: SIM905


@example(title="", sections=[], texts=["", "", ""])
@given(
    title=WILD,
    sections=st.lists(st.text(), max_size=3),
    texts=st.lists(
        WILD | st.lists(st.sampled_from(WORDS), max_size=15).map(" ".join), min_size=1, max_size=6
    ),
)
def test_whatever_a_passage_says_what_leads_to_it_is_distinct_and_says_something(
    title: str, sections: list[str], texts: list[str]
) -> None:
    wild = saying(*texts, title=title, sections=tuple(sections))
    made = questions(wild)
    assert len(set(made)) == len(made) <= MOST_QUESTIONS
    assert all(each.strip() for each in (*made, *summary(wild), *entities(wild)))


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
