"""What is sent to Slack."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Block = Mapping[str, Any]
View = Mapping[str, Any]
"""A modal, as `views.open` takes it."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message; `text` is what notifications show and screen readers read."""

    text: str
    blocks: tuple[Block, ...]
