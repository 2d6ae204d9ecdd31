"""A writer turns evidence into a draft, by copying or by asking a language model."""

from typing import Protocol

from bot.answering.values import Brief, Draft


class Writer(Protocol):
    """Turns a brief into a draft. The claims it makes are checked by others."""

    @property
    def name(self) -> str:
        """The name of the writer and of the model behind it, for the audit; never empty."""
        ...

    def write(self, brief: Brief) -> Draft:
        """Return claims in the order of the reply; none where nothing in the brief answers.

        `Draft.passages` stand in the order that anchors number them, from 1, and are passages
        of the brief's evidence; without hits there are neither passages nor claims. Raise
        `bot.errors.WriterUnavailable` where the writer cannot be reached or answers nonsense.
        """
        ...
