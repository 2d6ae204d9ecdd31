"""What a second look at the best candidates finds, and what a reranker's scores mean."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from answering_values import passage
from numpy.typing import NDArray

from bot.wiring.calibration import kept_or_fitted
from retrieval.language.words import FUNCTION_WORDS, words_of
from retrieval.search.reranking import (
    RelevanceCalibration,
    WindowReranker,
    fitted_on_labelled,
    read_whole,
)
from retrieval.search.scores import RELEVANT, reranked_logit
from retrieval.types import Hit


class SharedWords:
    """A cross-encoder whose logit is the share of two texts' words that both have."""

    name = "shared words"

    def __init__(self) -> None:
        self.calls = 0
        self.read: list[str] = []

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.calls += 1
        self.read += [text for _, text in pairs]
        words = [[set(re.findall(r"\w+", text.lower())) for text in pair] for pair in pairs]
        shares = [len(asked & read) / len(asked | read) for asked, read in words]
        return np.array(shares, np.float32).reshape(-1, 1)


def hit(name: str, *texts: str, heading: str = "Rules") -> Hit:
    whole = replace(passage(name, *texts, title=heading), section_path=())
    return Hit(whole, {"logit": 0.0, "cosine": 0.3, "relevance": 0.1})


def ids(hits: Sequence[Hit]) -> list[str]:
    return [each.passage.passage_id for each in hits]


CALIBRATION = RelevanceCalibration(2.0, -1.0)
QUESTION = "six hours of leave"
ONE_IN_MANY = hit("one", "Ask early.", "Six hours of leave.", "Nothing else counts at all.")
SPREAD = hit("spread", "Six offices.", "They close.", "After hours.", "Go.", "Leave them.")


READER = WindowReranker(SharedWords(), CALIBRATION)


def test_one_sentence_that_answers_beats_words_spread_over_many() -> None:
    assert ids(READER(QUESTION, [SPREAD, ONE_IN_MANY])) == ["one", "spread"]


def test_an_answer_in_two_sentences_is_read_together() -> None:
    apart = hit("apart", "Six hours.", "Ask early.", "Of leave.")
    beside = hit("beside", "Ask early.", "Six hours.", "Of leave.")
    first, second = READER(QUESTION, [apart, beside])
    assert ids([first, second]) == ["beside", "apart"]
    assert first.scores["window_logit"] == pytest.approx(4 / 5)
    assert second.scores["window_logit"] == pytest.approx(2 / 5)


def test_a_sentence_is_read_under_its_heading() -> None:
    """A sentence alone often leaves out what it is about."""
    headed = hit("headed", "It is six hours.", heading="leave")
    bare = hit("bare", "It is six hours.", heading="parking")
    assert ids(READER("six hours leave", [bare, headed])) == ["headed", "bare"]


def test_the_relevance_is_that_of_the_mean_of_passage_and_best_window() -> None:
    [read] = READER(QUESTION, [replace(ONE_IN_MANY, scores={"logit": 3.2, "cosine": 0.3})])
    judged = {"window_logit": 4 / 5, "relevance": CALIBRATION.relevance(2.0)}
    assert read.scores == pytest.approx({"logit": 3.2, "cosine": 0.3, **judged})
    assert reranked_logit(read.scores) == pytest.approx(2.0)
    assert reranked_logit({"logit": 3.0}) == 3.0
    assert reranked_logit({"cosine": 0.3}) is None


def test_all_is_read_in_one_call_and_nothing_in_none() -> None:
    model = SharedWords()
    reader = WindowReranker(model, CALIBRATION)
    assert reader(QUESTION, []) == []
    assert model.calls == 0
    assert len(reader(QUESTION, [SPREAD, ONE_IN_MANY, hit("blank")])) == 3
    assert model.calls == 1


ALLOWANCES = hit(
    "allowances",
    "Travel is paid for.",
    "Sum: 90 EUR; Group: Drivers",
    "Sum: 150 EUR; Group: Welders",
    heading="Clothes",
)


def test_a_row_is_read_about_the_cell_that_is_named_behind_the_line_above_its_table() -> None:
    model = SharedWords()
    WindowReranker(model, CALIBRATION)("what is paid for welders", [ALLOWANCES])
    assert model.read == [
        "Clothes\nTravel is paid for.",
        "Clothes\nThe group of the sum 90 EUR is Drivers.",
        "Clothes\nThe sum of the group Welders is 150 EUR.",
        "Clothes\nTravel is paid for. The group of the sum 90 EUR is Drivers.",
        "Clothes\nTravel is paid for. The sum of the group Welders is 150 EUR.",
    ]


LIFT = hit("lift", "Firm: Hub; Interval: 3 months")
LIFT = replace(LIFT, passage=replace(LIFT.passage, section_path=("Lift",)))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("how often", "The firm of the lift is Hub. The interval of the lift is 3 months."),
        ("how often does Hub come", "The interval of the firm Hub is 3 months."),
    ],
)
def test_a_row_that_stands_alone_is_about_what_its_heading_names(question: str, read: str) -> None:
    model = SharedWords()
    WindowReranker(model, CALIBRATION)(question, [LIFT])
    assert model.read == [f"Rules: Lift\n{read}"]
    assert read_whole(question, LIFT.passage) == f"Rules: Lift\n{read}"


def test_several_rows_are_read_together_as_they_are_kept() -> None:
    assert read_whole("welders", ALLOWANCES.passage) == ALLOWANCES.passage.with_heading


ZONES = hit(
    "zones", "Zone: Blue; Fee: 4 EUR; Open: 8 to 18", "Zone: Green; Fee: 2 EUR; Open: all day"
)
LEAVE = hit(
    "leave", "Grade: A; Annual: 25; Study: 3", "Grade: B; Annual: 28; Study: 5", heading="Leave"
)


FEES = hit(
    "fees",
    "Who comes: Non-members; Fee: 20 EUR; Opening day: Monday; Closing hour: 18",
    "Who comes: Vice president; Fee: 5 EUR; Opening day: Friday; Closing hour: 17",
    "Who comes: All except children; Fee: 4 EUR; Opening day: Sunday; Closing hour: 12",
)
NAMED = [
    ("What is the fee in the blue zone?", ZONES),
    ("blue fee", ZONES),
    ("how many days of study leave does grade B get", LEAVE),
]
IN_PART = [
    ("What is the fee in the blue zone on Sundays?", ZONES),
    ("What is the fee in the red zone?", ZONES),
    ("Who may park in the blue zone?", ZONES),
    ("Which zones have no fee?", ZONES),
    ("Is there a fee before 8 in the blue zone?", ZONES),
    ("how many days of study leave does grade C get", LEAVE),
    ("how many hours of study does grade B write", LEAVE),
    ("which zone has a fee", ZONES),
    ("who is in grade B", LEAVE),
    ("fee in the blue zone", hit("prose", "The fee in the blue zone rises.")),
    ("", ZONES),
    ("What is the fee for members?", FEES),
    ("What is the fee of the president?", FEES),
    ("What is the fee for children?", FEES),
    ("closing day for non-members", FEES),
    ("Why is there a fee for non-members?", FEES),
    ("Who pays the fee of non-members?", FEES),
    ("When is the fee for non-members due?", FEES),
    ("How long is the fee for non-members?", FEES),
    ("How much discount on the fee for non-members?", FEES),
    ("How many non-members pay a fee?", FEES),
    ("May non-members get the fee back?", FEES),
]


def looked_up(question: str, table: Hit) -> bool:
    reader = WindowReranker(SharedWords(), RelevanceCalibration(1.0, -1.0, near=0.2))
    [read] = reader(question, [table])
    by_reading = read.scores.get("read_relevance", 1.0)
    is_looked_up = read.scores["relevance"] == 0.97
    assert (by_reading < 0.97) is is_looked_up, "an administrator sees what the reranker made of it"
    assert is_looked_up or read.scores["relevance"] < 0.9
    return is_looked_up


@pytest.mark.parametrize(("question", "table"), NAMED)
def test_a_cell_whose_row_and_column_are_named_is_surely_what_is_asked(
    question: str, table: Hit
) -> None:
    assert looked_up(question, table)


@pytest.mark.parametrize(("question", "table"), IN_PART)
def test_what_no_cell_is_named_for_or_only_in_part_is_left_to_the_model(
    question: str, table: Hit
) -> None:
    assert not looked_up(question, table)


STEPS = replace(
    hit("steps", "Turn the sign.", "Count the till.", "Lower the shutters.", heading="Closing"),
    passage=replace(
        passage("steps", "Turn the sign.", "Count the till.", "Lower the shutters."),
        sentences=tuple(
            replace(each, item_number=number, list_lead="The last person in the shop does this:")
            for number, each in enumerate(
                passage("steps", "Turn the sign.", "Count.", "Lower the shutters.").sentences, 1
            )
        ),
    ),
)


@pytest.mark.parametrize(
    ("question", "is_there"),
    [
        ("What is step 3 in the shop?", True),
        ("what's the third step of the last person", True),
        ("What happens in step 3 in the shop?", True),
        ("What is step 3 when the last person does this?", True),
        ("When is step 3 in the shop?", False),
        ("Tell me when the last person does step 3", False),
        ("step two", False),
        ("Why is step 3 needed in the shop?", False),
        ("Who does step 3 in the shop?", False),
        ("What is step 4 in the shop?", False),
        ("What is step 3 in the warehouse?", False),
        ("What comes before step 3 in the shop?", False),
        ("Are steps 1 and 3 needed in the shop?", False),
        ("How many steps are there in the shop?", False),
    ],
)
def test_an_item_is_looked_up_by_its_number(question: str, is_there: bool) -> None:
    assert looked_up(question, STEPS) is is_there


def test_what_the_model_finds_far_away_stays_there_though_words_name_a_cell() -> None:
    far = WindowReranker(SharedWords(), RelevanceCalibration(1.0, -9.0))
    [read] = far("What is the fee in the blue zone?", [ZONES])
    assert read.scores["relevance"] < far.calibration.near


class AskedWords:
    """Its logit is a multiple of the share of the question's words that the text has."""

    def __init__(self, times: float = 20.0, name: str = "shared words") -> None:
        self.name = name
        self.asked = 0
        self._times = times

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        self.asked += 1
        return np.array([[self._times * _shared(*pair)] for pair in pairs], np.float32)


def _shared(question: str, text: str) -> float:
    asked = set(words_of(question)) - FUNCTION_WORDS
    return len(asked & set(words_of(text))) / max(1, len(asked))


def test_whatever_the_scale_of_its_logits_as_few_near_misses_pass() -> None:
    small, large = (fitted_on_labelled(AskedWords(times), RELEVANT) for times in (2.0, 40.0))
    assert small is not None
    assert large is not None
    assert small.slope / large.slope == pytest.approx(20, rel=0.05)
    assert small.relevance(2.0) == pytest.approx(large.relevance(40.0), abs=0.01)


def test_wherever_the_threshold_lies_the_same_logit_reaches_it() -> None:
    lax, strict = (fitted_on_labelled(AskedWords(), each) for each in (0.5, 0.9))
    assert lax is not None
    assert strict is not None
    reached = (math.log(0.9 / 0.1) - strict.intercept) / strict.slope
    assert strict.relevance(reached) == pytest.approx(0.9)
    assert lax.relevance(reached) == pytest.approx(0.5)


def test_one_that_ranks_the_wrong_way_round_is_not_trusted() -> None:
    assert fitted_on_labelled(AskedWords(-20.0)) is None


def test_what_was_found_out_is_kept_for_the_same_model_and_threshold(tmp_path: Path) -> None:
    file, model = tmp_path / "home" / "reranker.json", AskedWords()
    first = kept_or_fitted(model, RELEVANT, file)
    asked = model.asked
    assert kept_or_fitted(model, RELEVANT, file) == first
    assert model.asked == asked
    kept_or_fitted(model, 0.8, file)
    assert model.asked == 2 * asked
    another = AskedWords(name="another")
    kept_or_fitted(another, 0.8, file)
    assert another.asked == asked


@pytest.mark.parametrize("content", [b"", b"{", b'{"reranker": 1}', b"\xff"])
def test_a_kept_file_that_is_damaged_is_made_anew(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "reranker.json"
    file.write_bytes(content)
    assert kept_or_fitted(AskedWords(), RELEVANT, file) is not None
    assert b"shared words" in file.read_bytes()


def test_that_one_tells_nothing_is_found_out_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file, model = tmp_path / "reranker.json", AskedWords(-1.0)
    assert kept_or_fitted(model, RELEVANT, file) is None
    assert "VOUCH_RERANKER" in caplog.text
    caplog.clear()
    asked = model.asked
    assert kept_or_fitted(model, RELEVANT, file) is None
    assert (model.asked, caplog.text) == (asked, "")
    assert kept_or_fitted(AskedWords(), RELEVANT, file) is None, "it has the same name"
    assert kept_or_fitted(AskedWords(name="another"), RELEVANT, file) is not None
