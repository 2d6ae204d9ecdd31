"""What a second look at the best candidates finds, and what it leaves as it was."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from fakes import WordsEmbedder
from numpy.typing import NDArray

from retrieval.calibration import LogisticWeights
from retrieval.rerank import SentenceReranker
from retrieval.types import Document, Hit, Metadata, Passage, Sentence


class SharedWords:
    """A cross-encoder whose logit is the share of the second text's words in the first."""

    name = "shared words"

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        shares = [
            len(set(one.split()) & set(other.split())) / len(set(other.split()))
            for one, other in pairs
        ]
        return np.array(shares, np.float32).reshape(-1, 1)


def hit(name: str, *texts: str, heading: str = "Rules") -> Hit:
    document = Document(name, f"{name}.md", "1", datetime.now(UTC), heading, Metadata())
    sentences, start = [], 0
    for text in texts:
        sentences.append(Sentence(text, start, start + len(text)))
        start += len(text) + 1
    passage = Passage(name, document, 0, (), tuple(sentences), " ".join(texts))
    return Hit(passage, {"logit": 0.0, "cosine": 0.0, "relevance": 0.1})


def reader(**weights: float) -> SentenceReranker:
    fitted = LogisticWeights(0.0, weights)
    return SentenceReranker(SharedWords(), WordsEmbedder(), fitted, fitted)


QUESTION = "six hours of leave"
VECTOR = WordsEmbedder().embed([QUESTION])[0]
ONE_IN_MANY = hit("one", "Ask early.", "six hours of leave", "Nothing else counts here at all.")
SPREAD = hit("spread", "six offices open.", "They close after hours.", "Please leave of course.")


def test_one_sentence_that_answers_beats_words_spread_over_many() -> None:
    read = reader(sentence_logit=10.0)(QUESTION, VECTOR, [SPREAD, ONE_IN_MANY])
    assert [each.passage.passage_id for each in read] == ["one", "spread"]


def test_a_heading_alone_does_not_make_the_text_beneath_it_answer() -> None:
    headed = hit("headed", "Ask the office.", heading=QUESTION)
    [read] = reader(bare_logit=1.0)(QUESTION, VECTOR, [headed])
    assert read.scores["bare_logit"] == 0


def test_which_comes_first_and_whether_it_answers_are_two_questions() -> None:
    order = LogisticWeights(0.0, {"sentence_logit": 10.0})
    answering = LogisticWeights(-2.0, {"fusion": 100.0})
    both = SentenceReranker(SharedWords(), WordsEmbedder(), order, answering)
    found_twice = replace(SPREAD, scores={**SPREAD.scores, "fusion": 0.03})
    first, second = both(QUESTION, VECTOR, [found_twice, ONE_IN_MANY])
    assert first.passage.passage_id == "one"
    assert first.scores["relevance"] == pytest.approx(1 / (1 + math.exp(2)))
    assert second.scores["relevance"] == pytest.approx(1 / (1 + math.exp(-1)))


def test_every_score_is_kept_beside_the_ones_before() -> None:
    [read] = reader(sentence_cosine=1.0)(QUESTION, VECTOR, [ONE_IN_MANY])
    scores = read.scores
    assert (scores["logit"], scores["cosine"]) == (0.0, 0.0)
    assert {"sentence_logit", "sentence_cosine", "bare_cosine"} <= set(scores)
    assert scores["relevance"] != 0.1


def test_a_sentence_is_read_under_its_heading() -> None:
    """A sentence alone often leaves out what it is about."""
    headed = hit("headed", "It is six hours.", heading="leave")
    bare = hit("bare", "It is six hours.", heading="parking")
    read = reader(sentence_logit=10.0)("six hours leave", VECTOR, [bare, headed])
    assert [each.passage.passage_id for each in read] == ["headed", "bare"]


def test_nothing_to_read_is_nothing_read() -> None:
    assert reader()(QUESTION, VECTOR, []) == []
