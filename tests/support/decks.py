"""Presentations for tests, written with python-pptx."""

import io
from collections.abc import Sequence

import pptx
from pptx.presentation import Presentation
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide
from pptx.table import Table
from pptx.util import Pt

TITLE_SLIDE, TITLED, COMPARISON, BLANK = 0, 1, 4, 6
"""Layouts of python-pptx's own template, which is 720 by 540 points."""


def deck() -> Presentation:
    return pptx.Presentation()


def slide(made: Presentation, title: str = "", body: str = "") -> Slide:
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


def add_table(on: Slide, *rows: Sequence[str]) -> Table:
    """At (60, 150) in points, 300 wide, its rows 30 high."""
    place = Pt(60), Pt(150), Pt(300), Pt(30 * len(rows))
    table = on.shapes.add_table(len(rows), len(rows[0]), *place).table
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(number, column).text = text
    return table


def saved(made: Presentation) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()
