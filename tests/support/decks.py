"""Presentations for tests, written with python-pptx."""

import io

import pptx
from pptx.presentation import Presentation
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide
from pptx.util import Pt

TITLE_SLIDE, TITLED, BLANK = 0, 1, 6
"""Layouts of python-pptx's own template, which is 720 by 540 points."""


def deck() -> Presentation:
    return pptx.Presentation()


def slide(made: Presentation, title: str = "", body: str = "") -> Slide:
    """A new one at the end; the lines of `body` are its items."""
    added = made.slides.add_slide(made.slide_layouts[TITLED if title or body else BLANK])
    if title:
        added.shapes.title.text = title
    if body:
        added.placeholders[1].text = body
    return added


def text_box(on: Slide, text: str, *, x: float = 72, y: float = 72, width: float = 200) -> Shape:
    """A text box at (x, y) in points, 40 points high."""
    box = on.shapes.add_textbox(Pt(x), Pt(y), Pt(width), Pt(40))
    box.text_frame.text = text
    return box


def saved(made: Presentation) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()
