"""Slack says no by an error code, and for some codes with more."""

from collections.abc import Mapping
from typing import Any


class Refused(Exception):
    """A request cannot be carried out; `code` is one of Slack's."""

    def __init__(
        self, code: str, *, more: Mapping[str, Any] | None = None, retry_after: int | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.more = dict(more or {})
        self.retry_after = retry_after
        """Whole seconds; given with `ratelimited` alone."""

    @classmethod
    def blocks(cls, code: str, problems: list[str]) -> "Refused":
        """Refuse with what is wrong with the blocks, as Slack lists it."""
        messages = [f"[ERROR] {problem}" for problem in problems]
        return cls(code, more={"errors": problems, "response_metadata": {"messages": messages}})
