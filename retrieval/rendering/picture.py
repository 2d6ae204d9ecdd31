"""A picture of a place, and which part of its page it shows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page, or of a part of it."""

    png: bytes
    width: int
    """In pixels, as is `height`."""
    height: int
    scale: float = 1.0
    """Pixels to a point."""
    left: float = 0.0
    """Where on the page its left edge is, in points from the page's, as is `top`."""
    top: float = 0.0
