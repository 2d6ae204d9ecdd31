"""Days and times as they are typed on the command line."""

from datetime import UTC, date, datetime

from bot.days import named_day
from bot.errors import WrongUse

A_DAY = "YYYY-MM-DD"
A_TIME = "YYYY-MM-DD[THH:MM]|today|yesterday"


def day(typed: str) -> date:
    """A typer parser. Raise `WrongUse`."""
    try:
        return datetime.strptime(typed.strip(), "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError as error:
        raise WrongUse(f"{typed!r} is no date. Write it as 2026-01-31.") from error


def time(typed: str) -> datetime:
    """A typer parser: in UTC where nothing else is stated, a day is its beginning.

    A day may be named, such as `today`. Raise `WrongUse`.
    """
    named = named_day(typed, datetime.now(UTC).date())
    try:
        read = datetime.fromisoformat(named.isoformat() if named else typed.strip())
    except ValueError as error:
        raise WrongUse(
            f"{typed!r} is no date. Write it as 2026-01-31, 2026-01-31T14:00, today or yesterday."
        ) from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)
