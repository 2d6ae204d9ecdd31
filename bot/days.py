"""Days are named by a word wherever administrators ask."""

from datetime import date, timedelta

_DAYS_AGO = {"today": 0, "yesterday": 1}


def named_day(word: str, today: date) -> date | None:
    """None for a word that names no day."""
    ago = _DAYS_AGO.get(word.strip().casefold())
    return None if ago is None else today - timedelta(days=ago)
