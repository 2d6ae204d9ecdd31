"""Labels that ship with the program, and what is trained on of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.training.data import TrainingData
from retrieval.training.labels import ContrastPairs, JudgedQuestion, Labels, judged_for_training


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
            assert set(other.near_misses) <= set(other.wrong)


def test_the_shipped_labels_tell_each_passage_once(shipped: Labels) -> None:
    assert all(shipped.elsewhere.values())
    assert all(each.previous for each in shipped.followups)
    for judged in (shipped.unread, shipped.followups):
        assert {each.dev for each in judged} == {True, False}
        for each in judged:
            read = [*each.answers, *each.partial, *each.wrong]
            assert read
            assert len(set(read)) == len(read)
            assert set(each.sentences) <= set(each.answers)


def test_no_handbook_is_both_trained_on_and_held_out(shipped: Labels) -> None:
    judged = [*shipped.unread, *shipped.followups]
    trained, held_out = ({e.source for e in judged if e.dev is dev} for dev in (False, True))
    assert trained
    assert held_out
    assert not trained & held_out


def test_labels_about_passages_that_the_data_lack_are_left_out(training_folder: Path) -> None:
    data = TrainingData(training_folder)
    answering = next(p.passage_id for p in data.passages.values() if p.source == "clef")
    known = JudgedQuestion("clef", "am I paid when ill?", True, (answering,), (), ())
    labels = Labels(
        {answering: ["gone"]},
        [known, replace(known, partial=("gone",))],
        [ContrastPairs("gone", (), ""), ContrastPairs(answering, (), "")],
        [replace(known, wrong=("gone",)), known],
    )
    about = labels.about(data.passages)
    assert about == Labels({}, [known], [ContrastPairs(answering, (), "")], [known])
