"""Stores what became of a step, trying as long as the inbox cannot be written."""

from collections.abc import Callable
from threading import Event

from tenacity import (
    RetryCallState,
    RetryError,
    Retrying,
    retry_if_exception_type,
    retry_if_not_exception_type,
    sleep_using_event,
    stop_when_event_set,
    wait_fixed,
)

from bot.errors import LeaseLost


def stored(
    store: Callable[[], None],
    every: float,
    stopping: Event,
    complain: Callable[[Exception], None],
) -> bool:
    """Try `every` so many seconds; False where it is stopping and could not be stored.

    Each failure is handed to `complain`. Raise `LeaseLost`, after which nobody need try.
    """

    def failed(state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, Exception):
            complain(error)

    retrying = Retrying(
        retry=retry_if_exception_type(Exception) & retry_if_not_exception_type(LeaseLost),
        wait=wait_fixed(every),
        stop=stop_when_event_set(stopping),
        sleep=sleep_using_event(stopping),
        after=failed,
    )
    try:
        retrying(store)
    except RetryError:
        return False
    return True
