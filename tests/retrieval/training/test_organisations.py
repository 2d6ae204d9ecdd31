"""Small handbooks of invented organisations: what ships, and what is trained on of it."""

import pytest

from retrieval.training.judged import judged_for_training
from retrieval.training.labels import Labels


@pytest.fixture(scope="module")
def shipped() -> Labels:
    return Labels.shipped()


def test_every_answer_names_sentences_that_are_there(shipped: Labels) -> None:
    for asked in shipped.organisations:
        for name in asked.answers:
            sentences = shipped.passages[name].sentences
            assert asked.sentences[name]
            assert all(0 <= i < len(sentences) for i in asked.sentences[name])


def test_each_question_is_judged_against_every_passage_of_its_organisation(
    shipped: Labels,
) -> None:
    passages: dict[str, set[str]] = {}
    for passage in shipped.passages.values():
        passages.setdefault(passage.file, set()).add(passage.passage_id)
    for asked in shipped.organisations:
        named = [*asked.answers, *asked.partial, *asked.wrong]
        assert len(named) == len(set(named))
        assert set(named) == passages[asked.source]


def test_half_of_the_questions_have_no_answer_and_all_passages_are_wrong_for_those(
    shipped: Labels,
) -> None:
    unanswered = [asked for asked in shipped.organisations if not asked.answers]
    assert 0.4 < len(unanswered) / len(shipped.organisations) < 0.6
    assert not any(asked.partial for asked in unanswered)


def test_whole_organisations_are_held_out_from_training(shipped: Labels) -> None:
    held_out = {asked.question for asked in shipped.organisations if asked.dev}
    assert held_out
    trained = judged_for_training(shipped, {})
    assert trained
    for judged in trained:
        assert judged.question not in held_out
        beside = (*judged.answers, *judged.wrong)
        assert not any(passage.dev for passage in beside)
        [organisation] = {passage.file for passage in beside}
        for other in judged.unanswered:
            assert {passage.file for passage in other.wrong} == {organisation}
            assert set(other.near) <= set(other.wrong)
