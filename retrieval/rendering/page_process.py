"""The program of the process that draws pages: `python -m`, started by `renderer`."""

import sys

from retrieval.errors import NoPicture
from retrieval.limited.serving import serve
from retrieval.rendering.page_drawing import Drawn, draw
from retrieval.types import Box


def drawn(request: tuple[object, ...]) -> Drawn | int:
    """A page, as `draw` takes it."""
    content, number, boxes, context = request
    if not (isinstance(content, bytes) and isinstance(number, int) and isinstance(boxes, tuple)):
        raise TypeError("no page, number and boxes")
    marked = [box for box in boxes if isinstance(box, Box)]
    return draw(content, number, marked, context if isinstance(context, int) else None)


if __name__ == "__main__":
    serve(drawn, NoPicture, *map(int, sys.argv[1:]))
