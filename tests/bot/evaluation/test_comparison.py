"""Recipes are compared over the questions of which both say something."""

from collections.abc import Sequence
from dataclasses import replace

from quality_runs import ranked_outcome

from audit.record import Decision
from bot.lab.comparison import Held, differences, side_by_side
from bot.quality.run import LabelledOutcome

RIGHT, WRONG = ranked_outcome([True]), ranked_outcome([False])
HELD = Held(passages=10, words=50.0, text_bytes=1024 * 1024, index_bytes=None)


def runs(**asked: Sequence[LabelledOutcome]) -> dict[str, Sequence[LabelledOutcome]]:
    return asked


def test_a_recipe_that_finds_more_is_told_apart_and_its_equal_is_not() -> None:
    first = [WRONG] * 12 + [RIGHT] * 12
    found = differences(runs(first=first, same=first, better=[RIGHT] * 24))["P@1"]
    assert (found["same"].mean, found["same"].p, found["same"].corrected) == (0, 1, 1)
    better = found["better"]
    assert (better.mean, better.questions) == (0.5, 24)
    assert better.corrected == 2 * better.p < 0.01


def test_a_question_that_failed_in_one_recipe_is_left_out_of_the_pair() -> None:
    failed = replace(WRONG, failure="away")
    found = differences(runs(first=[failed, RIGHT], other=[RIGHT, RIGHT]))["P@1"]
    assert (found["other"].mean, found["other"].questions) == (0, 1)


def test_what_only_ranks_is_not_compared_in_what_it_does_not_do() -> None:
    decided = [replace(RIGHT, decision=Decision.ABSTAIN)]
    found = differences(runs(first=[RIGHT], other=decided))
    assert "coverage" not in found
    assert "other" in found["P@1"]
    assert differences(runs(first=decided, other=[RIGHT]))["coverage"] == {}


def test_only_a_difference_that_chance_does_not_make_is_marked() -> None:
    first = [WRONG] * 12 + [RIGHT] * 12
    asked = runs(first=first, same=first, better=[RIGHT] * 24)
    table = side_by_side(asked, dict.fromkeys(asked, HELD), differences(asked))
    rows = {row[0]: list(row[1:]) for section in table.sections for row in section}
    assert rows["P@1"] == ["0.500", "0.500 (+0.000)", "1.000 (+0.500*)"]
    assert rows["index, MB"] == ["-"] * 3
    assert rows["the documents' text, MB"] == ["1.00"] * 3
    assert "over the same 24 questions" in table.notes[0]
    assert "for the 2 recipes beside first" in table.notes[0]


def test_one_recipe_alone_is_compared_with_nothing() -> None:
    asked = runs(only=[RIGHT])
    table = side_by_side(asked, {"only": HELD}, differences(asked))
    assert table.notes == ()
    assert all(
        cell.count("(") == 0 for section in table.sections for row in section for cell in row[1:]
    )
