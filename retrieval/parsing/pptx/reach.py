"""How far text may reach out of its shape's box, where it is more than fits: rather too far."""

from collections.abc import Iterator
from itertools import zip_longest
from math import ceil

from pptx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.pptx.shapes import EMU, Placed

Rectangle = tuple[float, float, float, float]
"""Left, top, right, bottom, in points."""
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_LETTER, _SQUARE, _HIGH = 0.65, 1.05, 1.3
"""Of letters, of signs as wide as high, and of lines, as shares of the size of the text: most are
less."""
_FIRST_SQUARE = "\u2e80"
_INSETS = 14.4
"""Left and right together, as PowerPoint has them."""
_LEAST = 1.0
"""Points: a box of less has no room for a letter."""
_SIZE, _SIZE_OF_PLACEHOLDER = 18.0, 44.0
"""Where nothing says another, as in python-pptx's and PowerPoint's own templates."""


def reach_of(placed: Placed, box: Rectangle) -> Rectangle:
    """Where some of a shape's text may be painted; the box at the least."""
    shape = placed.shape
    if getattr(shape, "has_table", False):
        return _below(box, _table_height(shape.table._tbl))  # noqa: SLF001
    if not shape.has_text_frame:
        return box
    body = shape._element.txBody  # noqa: SLF001
    size = _size(body, _SIZE_OF_PLACEHOLDER if shape.is_placeholder else _SIZE)
    longest = max(map(_width, _lines(body)), default=0.0) * size + _INSETS
    height = _height(body, box[2] - box[0], size)
    properties = body.find(f"{_DRAWING}bodyPr")
    stated = {} if properties is None else properties.attrib
    if stated.get("vert", "horz") != "horz" or stated.get("rot", "0") != "0":
        most = max(height, _height(body, box[3] - box[1], size))
        return _around(box, max(most, longest), max(most, longest))
    if stated.get("wrap") == "none":
        return _around(box, longest, _height(body, longest, size))
    if shape.is_placeholder or stated.get("anchor", "t") != "t":
        return _around(box, 0.0, height)
    return _below(box, height)


def _around(box: Rectangle, width: float, height: float) -> Rectangle:
    """At least so wide and high whichever edge it is aligned to."""
    across, down = (max(0.0, size) for size in (width - box[2] + box[0], height - box[3] + box[1]))
    return box[0] - across, box[1] - down, box[2] + across, box[3] + down


def _below(box: Rectangle, height: float) -> Rectangle:
    return box[0], box[1], box[2], max(box[3], box[1] + height)


def _height(body: BaseOxmlElement, width: float, size: float) -> float:
    fits = max(1.0, (width - _INSETS) / size)
    rows = sum(max(1, ceil(_width(line) / fits)) for line in _lines(body))
    return rows * size * _HIGH + _INSETS / 2


def _width(line: str) -> float:
    """In sizes of the text."""
    squares = sum(each >= _FIRST_SQUARE for each in line)
    return squares * _SQUARE + (len(line) - squares) * _LETTER


def _lines(body: BaseOxmlElement) -> Iterator[str]:
    """Paragraphs, and what breaks part in them."""
    for paragraph in body.iterfind(f"{_DRAWING}p"):
        line = ""
        for each in paragraph.iter(f"{_DRAWING}t", f"{_DRAWING}br"):
            if each.tag == f"{_DRAWING}br":
                yield line
                line = ""
            else:
                line += each.text or ""
        yield line


def _size(body: BaseOxmlElement, otherwise: float) -> float:
    """The largest that is stated; `otherwise` where a run states none and it is larger."""
    runs = [each.find(f"{_DRAWING}rPr") for each in body.iter(f"{_DRAWING}r", f"{_DRAWING}fld")]
    all_state = all(run is not None and "sz" in run.attrib for run in runs)
    stated = (each.get("sz", "") for each in body.iter())
    sizes = [int(each[:9]) / 100 for each in stated if each.isdecimal()]
    return max(sizes if runs and all_state else [*sizes, otherwise])


def _table_height(table: BaseOxmlElement) -> float:
    widths = [int(each.get("w", 0)) / EMU for each in table.iterfind(f".//{_DRAWING}gridCol")]
    return sum(_row_height(row, widths) for row in table.iterfind(f"{_DRAWING}tr"))


def is_squeezed(placed: Placed) -> bool:
    """Whether its box has no width to write in, or cuts off what does not fit in its height.

    LibreOffice paints such text all the same, letter below letter, so somebody may see it.
    """
    shape, box = placed.shape, placed.box
    if box is None or not shape.has_text_frame:
        return False
    properties = shape._element.txBody.find(f"{_DRAWING}bodyPr")  # noqa: SLF001
    stated = {} if properties is None else properties.attrib
    narrow, low = box.x1 - box.x0 < _LEAST, box.y1 - box.y0 < _LEAST
    is_cut = stated.get("vertOverflow", "overflow") != "overflow"
    return (narrow and stated.get("wrap", "square") != "none") or (low and is_cut)


def _row_height(row: BaseOxmlElement, widths: list[float]) -> float:
    cells = zip_longest(row.iterfind(f"{_DRAWING}tc"), widths, fillvalue=None)
    heights = [
        _height(body, width or 0.0, _size(body, _SIZE))
        for cell, width in cells
        if cell is not None and (body := cell.find(f"{_DRAWING}txBody")) is not None
    ]
    return max([int(row.get("h", 0)) / EMU, *heights])
