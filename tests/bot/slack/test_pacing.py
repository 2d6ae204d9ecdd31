"""Who asks much is slowed, who asks now and then is not."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from inboxes import NOON, at

from bot.slack.inbox.queries import pace_of


def starts(arrivals: Sequence[float]) -> list[float]:
    """Seconds after noon at which questions have their turn that come at such seconds."""
    expected, turns = None, []
    for seconds in arrivals:
        turn = pace_of(expected, at(seconds))
        expected = turn.next_expected
        turns.append((turn.starts - NOON).total_seconds())
    return turns


def test_ten_questions_at_once_have_their_turn_at_once_and_the_rest_one_by_one() -> None:
    assert starts([0] * 12) == [0] * 10 + [5, 10]


def test_somebody_who_rests_may_ask_ten_at_once_again() -> None:
    assert starts([0] * 11 + [60] * 11) == [0] * 10 + [5] + [60] * 10 + [65]


def test_somebody_who_tries_things_out_never_waits() -> None:
    for arrivals in ([5.0 * n for n in range(50)], [3.0 * n for n in range(15)]):
        assert starts(arrivals) == arrivals


@given(st.lists(st.floats(0, 1000), max_size=40).map(sorted))
def test_turns_never_come_early_nor_faster_than_the_pace(arrivals: list[float]) -> None:
    turns = starts(arrivals)
    assert turns == sorted(turns)
    # Times are whole microseconds.
    assert all(turn >= came - 1e-6 for came, turn in zip(arrivals, turns, strict=True))
    for first, later in zip(turns, turns[10:], strict=False):
        assert later - first >= 5 - 1e-5
