"""What it costs to ask in another wording is told in pairs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError
from ranked_outcomes import GOLD, ranked_outcome

from audit.record import Decision
from bot.errors import WrongUse
from bot.lab.comparison import Runs
from bot.lab.wordings import CLEAN, TYPED, Wordings, reworded, wording_table
from bot.quality.questions import LabelledQuestion, read_lines
from bot.quality.run import LabelledOutcome

RIGHT, WRONG = ranked_outcome([True]), ranked_outcome([False])
LABELLED = LabelledQuestion.model_validate(
    {"id": "q-1", "question": "how late?", "kind": "answerable", "gold": [GOLD], "as": "ana"}
)
PAIRS = Path(__file__).parents[3] / "deploy" / "measured" / "wording-pairs.jsonl"
PAIR = Wordings(id="q-1", clean="Until when?", typed="hi, til when pls")


def test_a_reworded_question_keeps_its_labels() -> None:
    other = LABELLED.model_copy(update={"id": "q-2"})
    worded = reworded([other, LABELLED], [PAIR])
    assert {wording: [each.question for each in some] for wording, some in worded.items()} == {
        CLEAN: ["Until when?"],
        TYPED: ["hi, til when pls"],
    }
    for [each] in worded.values():
        assert each == LABELLED.model_copy(update={"question": each.question})


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([PAIR, PAIR.model_copy(update={"id": "q-9"})], "q-9"),
        ([PAIR, PAIR], "'q-1' is worded twice"),
    ],
)
def test_a_pair_that_belongs_to_no_question_or_twice_to_one_is_refused(
    pairs: Sequence[Wordings], said: str
) -> None:
    with pytest.raises(WrongUse, match=said):
        reworded([LABELLED], pairs)


def test_a_wording_that_is_empty_is_refused() -> None:
    with pytest.raises(ValidationError):
        Wordings(id="q-1", clean="Until when?", typed="")


def test_the_pairs_that_were_measured_can_be_read_and_differ() -> None:
    pairs = read_lines(PAIRS, Wordings)
    assert len({pair.id for pair in pairs}) == len(pairs) == 44
    assert all(pair.clean != pair.typed for pair in pairs)


def asked(clean: Sequence[LabelledOutcome], typed: Sequence[LabelledOutcome]) -> Runs:
    return {CLEAN: clean, TYPED: typed}


def test_a_loss_that_chance_does_not_make_is_marked() -> None:
    table = wording_table(
        {
            "lost": asked([RIGHT] * 12, [RIGHT] * 3 + [WRONG] * 9),
            "chance": asked([RIGHT] * 12, [RIGHT] * 11 + [WRONG]),
        }
    )
    [[lost, chance]] = table.sections
    assert table.columns[:2] == ("P@1", "nDCG@10")
    assert lost[:2] == ("lost", "1.000 / 0.250 (-0.750*)")
    assert chance[:2] == ("chance", "1.000 / 0.917 (-0.083)")
    assert table.as_markdown().startswith("| recipe | P@1 | nDCG@10 | recall@50 |\n")
    assert "the same 12 questions" in table.notes[0]


def test_what_only_ranks_stands_beside_what_decides() -> None:
    decided = [replace(RIGHT, decision=Decision.ABSTAIN)]
    table = wording_table(
        {"ranks": asked([RIGHT], [RIGHT]), "decides": asked(decided, decided)},
    )
    [[ranks, decides]] = table.sections
    at = table.columns.index("coverage") + 1
    assert (ranks[at], decides[at]) == ("-", "0.000 / 0.000 (+0.000)")
