"""What is sent to Slack."""

from dataclasses import dataclass
from typing import Any

Block = dict[str, Any]
View = dict[str, Any]
"""A modal, as `views.open` takes it."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message; `text` is what notifications show and screen readers read."""

    text: str
    blocks: tuple[Block, ...]
