"""Every writer is one of these."""

from typing import Protocol

from bot.answering.values import Brief, Draft


class Writer(Protocol):
    """Turns a brief into a draft. The claims it makes are checked by others."""

    @property
    def name(self) -> str:
        """Of the writer and the model behind it, for the audit."""
        ...

    def write(self, brief: Brief) -> Draft:
        """A draft without claims where nothing in the brief answers.

        Raise `bot.errors.WriterUnavailable` where the writer cannot be reached or
        answers nonsense.
        """
        ...
