"""A text right below or above a picture on a slide that begins as a caption does is its caption."""

from collections.abc import Sequence

from retrieval.language.sentences import names_picture
from retrieval.parsing.office import DRAWN, GRAPHIC
from retrieval.parsing.pptx.shapes import Placed
from retrieval.types import Box

_NEAR = 24.0
"""Points between a picture and its caption; and by which they may share a place:"""
_INTO = 12.0


def is_picture(placed: Placed) -> bool:
    """Whether a shape is one, also where a layout left a place for it."""
    element = placed.shape._element  # noqa: SLF001
    is_image = str(element.tag).endswith("}pic")
    return is_image or any(each.get("uri") in DRAWN for each in element.iter(GRAPHIC))


def picture_of(text: str, box: Box | None, pictures: Sequence[Box]) -> Box | None:
    """The nearest picture that a text in a box is the caption of; None for none."""
    if box is None or not names_picture(text):
        return None
    near = [(gap, at) for at, each in enumerate(pictures) if (gap := _gap(box, each)) <= _NEAR]
    return pictures[min(near)[1]] if near else None


def _gap(caption: Box, picture: Box) -> float:
    beside = caption.x1 <= picture.x0 or picture.x1 <= caption.x0
    gap = max(caption.y0 - picture.y1, picture.y0 - caption.y1)
    return float("inf") if beside or gap < -_INTO else gap
