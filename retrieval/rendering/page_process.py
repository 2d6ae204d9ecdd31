"""The program of the process that draws pages and lines: `python -m`, started by `renderer`."""

import sys

from retrieval.errors import NoPicture
from retrieval.limited.serving import serve
from retrieval.rendering.line_drawing import draw_lines
from retrieval.rendering.page_drawing import Drawn, draw
from retrieval.rendering.picture import Line
from retrieval.types import Box


def drawn(request: tuple[object, ...]) -> Drawn | int:
    """What is asked for: a page as `draw` takes it, or lines, each as its three values."""
    match request:
        case (bytes(content), int(number), tuple(boxes), context):
            marked = [box for box in boxes if isinstance(box, Box)]
            return draw(content, number, marked, context if isinstance(context, int) else None)
        case (tuple(lines),):
            return draw_lines([Line(str(label), str(text), bool(on)) for label, text, on in lines])
    raise TypeError("neither a page nor lines")


if __name__ == "__main__":
    serve(drawn, NoPicture, *map(int, sys.argv[1:]))
