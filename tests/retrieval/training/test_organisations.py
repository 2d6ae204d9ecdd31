"""Small handbooks of invented organisations: what ships, and what is trained on of it."""

import numpy as np
import pytest

from retrieval.training.figures import judged_figures, judged_for_training, judged_held_out
from retrieval.training.labels import JudgedQuestion, Labels


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
    measured = judged_held_out(shipped, {})["organisations"]
    assert {each.question for each in measured} == held_out


def test_questions_about_clef_measure_no_step_of_a_training(shipped: Labels) -> None:
    passages = {passage.passage_id: passage for passage in shipped.passages.values()}
    one, two, *_ = passages
    asked = JudgedQuestion("meltano", "am I paid?", True, (one,), (), (two,))
    clefs = JudgedQuestion("clef", "am I insured?", True, (one,), (), (two,))
    held_out = judged_held_out(Labels(unread=[asked, clefs]), passages)["unread"]
    assert [each.question for each in held_out] == ["am I paid?"]


def test_a_question_counts_as_right_where_an_answer_is_first_and_surer_than_what_has_none() -> None:
    figures = judged_figures(
        [
            (np.array([3.0, 1.0], np.float32), 1),  # first, and above all that have no answer
            (np.array([1.5, 0.0], np.float32), 1),  # first, but not as sure as those
            (np.array([2.0, 2.5, 1.0], np.float32), 2),  # either of two answers may be first
            (np.array([4.0, 4.0], np.float32), 1),  # another is first, too
            (np.array([2.0, 1.0], np.float32), 0),
            (np.array([1.0, 1.0], np.float32), 0),
        ]
    )
    assert figures["P@1"] == 0.75
    assert figures["right at 5 %"] == 0.5
    assert figures["AUROC"] == pytest.approx(7 / 8)
