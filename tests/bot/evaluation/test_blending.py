"""Entries beside the index lead to passages, by stated cosines: alone, and blended as published."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np

from bot.lab.published.entries import BlendedRetriever, Entries, EntryRetriever, folded
from retrieval.search.ranking import Query
from retrieval.types import AccessRule, Document, Metadata, Passage, Scope, Sentence

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
