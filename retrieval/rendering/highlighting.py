"""What is cited is coloured as with a marker, and outlined, so that colour is not the only sign."""

from collections.abc import Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

MARKER = (255, 232, 92)
"""Multiplied with what is below, so that black stays black: its contrast to black is 17:1."""
OUTLINE = (150, 92, 0)
"""At least 3:1 both to white and to the marker (WCAG 2.2, 1.4.11)."""

Pixels = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def highlighted(image: Image.Image, boxes: Sequence[Pixels], outline: int = 1) -> Image.Image:
    """Mark the boxes; where they meet they are one shape with one outline, `outline` pixels wide.

    What reaches beyond the picture is cut there.
    """
    shape = Image.new("L", image.size, 0)
    draw = ImageDraw.Draw(shape)
    for box in boxes:
        left, top, right, bottom = (round(edge) for edge in box)
        if left < image.width and top < image.height and right >= 0 and bottom >= 0:
            draw.rectangle((left, top, max(left, right), max(top, bottom)), fill=255)
    marked = ImageChops.multiply(image, Image.new("RGB", image.size, MARKER))
    marked = Image.composite(marked, image, shape)
    inner = shape.filter(ImageFilter.MinFilter(2 * outline + 1))
    edge = ImageChops.subtract(shape, inner)
    return Image.composite(Image.new("RGB", image.size, OUTLINE), marked, edge)
