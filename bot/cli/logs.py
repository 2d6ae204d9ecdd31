"""In the log on standard error no secret stands, nothing steers a terminal or forges an entry."""

import logging
from collections.abc import Sequence

from bot.address import without
from bot.visible import visible

SHORT = "%(message)s"
"""For a command that somebody waits for."""
LONG = "%(asctime)s %(levelname)s %(name)s: %(message)s"
"""For a program that runs on."""


class _Discreet(logging.Formatter):
    """It repeats no secret, whatever a library puts into a message or a traceback.

    An entry begins at the margin, and its further lines do not: no name in it begins another.
    """

    def __init__(self, form: str, secrets: Sequence[str]) -> None:
        super().__init__(form)
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        entry = visible(without(self._secrets, super().format(record)))
        return "\n    ".join(entry.splitlines())


def log_to_stderr(secrets: Sequence[str], form: str = SHORT) -> None:
    """Warnings and worse; the long form takes the place of the short one."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Discreet(form, secrets))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=form == LONG)
