"""A signal that asks the program to end comes at any moment of its waiting."""

import signal
import sys
from types import FrameType

import pytest

from bot.stopping import StopSignal


class At:
    """Sends SIGTERM before the line with this number that is executed from now on."""

    def __init__(self, number: int) -> None:
        self._left = number

    def __call__(self, frame: FrameType, what: str, _: object) -> "At":
        if what == "line" and "signal" not in frame.f_code.co_filename:
            self._left -= 1
            if self._left == 0:
                signal.raise_signal(signal.SIGTERM)
        return self


@pytest.mark.timeout(20)
@pytest.mark.parametrize("moment", range(1, 9))
def test_it_is_heard_whatever_the_program_does_just_then(moment: int) -> None:
    with StopSignal() as stop:
        sys.settrace(At(moment))
        try:
            stop.wait()
        finally:
            sys.settrace(None)
        assert stop.came


def test_afterwards_signals_do_what_they_did_before() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with StopSignal():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before
