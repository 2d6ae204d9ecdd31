"""Index-RAG as a recipe: what it is composed of, and that no question meets its own entry."""

from datetime import date
from pathlib import Path

import pytest
from vouch_home import write

from bot.lab.commands.evaluate import ingest_documents
from bot.lab.published.entries import BLEND
from bot.lab.published.index_rag import INDEX_RAG
from bot.settings import Settings
from bot.wiring import Container
from retrieval.search.scores import BM25_RANK, COSINE, DENSE_RANK, FUSION, LOGIT
from retrieval.search.timing import Stages
from retrieval.types import Hit, Scope

MADE = "how many days of leave  may staff carry over"
"""As the rules make it of the page, but for case and marks."""
ASKED = "how many leave days may we carry over"
DOCS = {
    "leave.md": "# Leave\n\nStaff may carry over five days of leave. Ask Human Resources first.\n",
    "pets.md": "# Pets\n\nDogs may bark in the yard.\n",
}
EVERYONE = Scope({}, date(2026, 3, 2))

pytestmark = pytest.mark.slow


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    return write(tmp_path / "docs", DOCS)


def found(docs: Path, asked: str = ASKED) -> list[Hit]:
    opened = Container(Settings(_env_file=None, home=docs.parent))  # type: ignore[call-arg]  # pydantic-settings' own
    with opened.aside(settings=INDEX_RAG.settings) as container:
        ingest_documents(container, docs)
        composed = INDEX_RAG.compose(container.answering_unrecorded)
        return list(composed.evidence.search(asked, EVERYONE, Stages()).candidates)


def test_a_blend_of_passage_and_question_is_all_that_it_ranks_by(docs: Path) -> None:
    first, *others = found(docs)
    assert first.passage.document.file == "leave.md"
    assert first.scores[BLEND] > 0.6 * first.scores[COSINE] + 0.4 * 0.8
    assert not first.scores.keys() & {DENSE_RANK, BM25_RANK, LOGIT}
    assert first.scores[FUSION] == 1 / 61
    assert all(each.scores[BLEND] < first.scores[BLEND] for each in others)


def test_a_question_that_is_asked_never_meets_its_own_entry(docs: Path) -> None:
    first = found(docs, MADE)[0]
    assert first.passage.document.file == "leave.md"
    assert first.scores[BLEND] < 0.6 * first.scores[COSINE] + 0.4 * 0.99
