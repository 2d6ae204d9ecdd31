"""Who asks much is slowed, who asks now and then is not."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.slack.inbox.store import Pace

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PACE = Pace(burst=5, interval=timedelta(seconds=10))
AS_SHIPPED = Pace()


def starts(arrivals: Sequence[float], pace: Pace = PACE) -> list[float]:
    """Seconds after noon at which questions have their turn that come at such seconds."""
    expected, turns = None, []
    for seconds in arrivals:
        turn = pace.turn(expected, NOON + timedelta(seconds=seconds))
        expected = turn.next_expected
        turns.append((turn.starts - NOON).total_seconds())
    return turns


def test_five_questions_at_once_have_their_turn_at_once_and_the_rest_one_by_one() -> None:
    assert starts([0] * 8) == [0, 0, 0, 0, 0, 10, 20, 30]


def test_somebody_who_rests_may_ask_five_at_once_again() -> None:
    assert starts([0] * 6 + [60] * 6) == [0, 0, 0, 0, 0, 10, 60, 60, 60, 60, 60, 70]


def test_somebody_who_asks_every_ten_seconds_never_waits() -> None:
    every_ten = [10.0 * n for n in range(50)]
    assert starts(every_ten) == every_ten


def test_somebody_who_tries_things_out_never_waits() -> None:
    every_few_seconds = [5.0 * n for n in range(50)]
    assert starts(every_few_seconds, AS_SHIPPED) == every_few_seconds
    assert starts([3.0 * n for n in range(15)], AS_SHIPPED) == [3.0 * n for n in range(15)]


def test_as_shipped_ten_pass_at_once_and_then_one_every_five_seconds() -> None:
    assert starts([0] * 12, AS_SHIPPED) == [0] * 10 + [5, 10]


@given(st.lists(st.floats(0, 1000), max_size=40).map(sorted))
def test_turns_never_come_early_nor_faster_than_the_pace(arrivals: list[float]) -> None:
    turns = starts(arrivals)
    assert turns == sorted(turns)
    # Times are whole microseconds.
    assert all(turn >= came - 1e-6 for came, turn in zip(arrivals, turns, strict=True))
    for first, later in zip(turns, turns[5:], strict=False):
        assert later - first >= 10 - 1e-5
