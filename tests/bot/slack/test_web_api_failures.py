"""When something that failed is tried again."""

import pytest

from bot.slack.blocks.system_messages import Trouble
from bot.slack.failures import Failure

LIMITED = [Failure(Trouble.NETWORK, of_slack=True, retry_after=seconds) for seconds in (0, 1, 60)]


@pytest.mark.parametrize("failure", LIMITED)
def test_those_whom_slack_slows_down_together_come_back_one_after_another(failure: Failure) -> None:
    asked = failure.retry_after or 0
    waits = [failure.wait(1, lambda: n / 10).total_seconds() for n in range(11)]  # noqa: B023
    assert waits[0] == asked, "never sooner than Slack asks"
    assert waits == sorted(set(waits)), "each at another time"
    assert waits[-1] == asked + max(1, asked / 4)


def test_what_failed_is_tried_less_and_less_often() -> None:
    failure = Failure(Trouble.INDEX)
    waits = [failure.wait(attempts, lambda: 0.5).total_seconds() for attempts in range(1, 9)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
