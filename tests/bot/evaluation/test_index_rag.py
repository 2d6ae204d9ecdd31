"""Index-RAG as a recipe: what it is composed of, and that no question meets its own entry."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from vouch_home import write

from bot.lab.commands.evaluate import ingest_documents
from bot.lab.published.entries import BLEND, BlendedRetriever, Entries, EntryRetriever
from bot.lab.published.index_rag import INDEX_RAG, INDEX_RAG_BY_RANKS
from bot.settings import Settings
from bot.wiring import Container
from retrieval.ports import TEXT_SPACE
from retrieval.scores import BM25_RANK, COSINE, DENSE_RANK, FUSION, LOGIT
from retrieval.search.retrievers import Query
from retrieval.timing import Stages
from retrieval.types import AccessRule, Document, Hit, Metadata, Passage, Scope, Sentence

MADE = "how many days of leave  may staff carry over"
"""As the rules make it of the page, but for case and marks."""
ASKED = "how many leave days may we carry over"
DOCS = {
    "leave.md": "# Leave\n\nStaff may carry over five days of leave. Ask Human Resources first.\n",
    "pets.md": "# Pets\n\nDogs may bark in the yard.\n",
}
EVERYONE = Scope({}, date(2026, 3, 2))
OF_HR = Scope({"departments": frozenset({"hr"})}, date(2026, 3, 2))
OPEN, HR = AccessRule(), AccessRule((("departments", ("hr",)),))


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", DOCS)


def found(recipe: str, docs: Path, asked: str = ASKED) -> list[Hit]:
    chosen = {each.name: each for each in (INDEX_RAG, INDEX_RAG_BY_RANKS)}[recipe]
    opened = Container(Settings(_env_file=None, home=docs.parent))  # type: ignore[call-arg]  # pydantic-settings' own
    with opened.aside(settings=chosen.settings) as container:
        ingest_documents(container, docs)
        composed = chosen.compose(container.answering_unrecorded)
        return list(composed.evidence.search(asked, EVERYONE, Stages()).candidates)


@pytest.mark.slow
def test_a_blend_of_passage_and_question_is_all_that_it_ranks_by(docs: Path) -> None:
    first, *others = found("index-rag", docs)
    assert first.passage.document.file == "leave.md"
    assert first.scores[BLEND] > 0.6 * first.scores[COSINE] + 0.4 * 0.8
    assert not first.scores.keys() & {DENSE_RANK, BM25_RANK, LOGIT}
    assert first.scores[FUSION] == 1 / 61
    assert all(each.scores[BLEND] < first.scores[BLEND] for each in others)


@pytest.mark.slow
def test_by_ranks_passages_and_questions_are_fused(docs: Path) -> None:
    first = found("index-rag-by-ranks", docs)[0]
    assert first.passage.document.file == "leave.md"
    assert first.scores[FUSION] == 2 / 61
    assert BLEND not in first.scores


@pytest.mark.slow
def test_a_question_that_is_asked_never_meets_its_own_entry(docs: Path) -> None:
    first = found("index-rag", docs, MADE)[0]
    assert first.passage.document.file == "leave.md"
    assert first.scores[BLEND] < 0.6 * first.scores[COSINE] + 0.4 * 0.99


# --- the blend, by stated cosines -----------------------------------------------------


QUERY = Query("what", {TEXT_SPACE: np.array([1, 0], np.float32)})


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
