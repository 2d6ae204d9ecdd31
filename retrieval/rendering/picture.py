"""A picture of a place, and which part of its page it shows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page, of a part of it, or of some lines."""

    png: bytes
    width: int
    """In pixels, as is `height`."""
    height: int
    scale: float = 1.0
    """Pixels to a point."""
    left: float = 0.0
    """Where on the page its left edge is, in points from the page's, as is `top`."""
    top: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document that has no pages of its own to be drawn."""

    label: str
    """Beside it: its number, or those of the lines that it spans; may be empty."""
    text: str
    is_cited: bool
