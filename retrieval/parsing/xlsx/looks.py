"""Whether a cell's text can be told from what is behind it."""

from collections.abc import Iterator

from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from openpyxl.styles.colors import COLOR_INDEX, Color

from retrieval.parsing.hiding import BLACK, SMALLEST_TYPE, WHITE, Rgb, Way, cannot_be_told, toned
from retrieval.parsing.xlsx.shown import is_hidden_by, shown

_THEME = (WHITE, BLACK)
"""The first two colours of every theme that programs ship: background and text."""


class Looks:
    """It looks at each style of a workbook once."""

    def __init__(self) -> None:
        self._ways: dict[int, Way | None] = {}

    def pieces(self, cell: ReadOnlyCell) -> Iterator[tuple[str, Way | None]]:
        """The runs of a cell's text, and how its style or their own hides them; None: seen.

        A cell whose text is formatted as a whole has one.
        """
        value = cell.value
        if is_hidden_by(cell.number_format, value):
            yield shown(value, cell.number_format) or str(value), Way.INVISIBLE
        elif isinstance(value, CellRichText):
            for run in value:
                own = isinstance(run, TextBlock)
                yield str(run), _way(cell, run.font) if own else self._way_of_style(cell)
        else:
            yield shown(value, cell.number_format) or str(value), self._way_of_style(cell)

    def _way_of_style(self, cell: ReadOnlyCell) -> Way | None:
        style = cell._style_id  # noqa: SLF001  # what equal cells share has no public name
        if style not in self._ways:
            self._ways[style] = _way(cell, cell.font)
        return self._ways[style]


def _way(cell: ReadOnlyCell, font: Font | InlineFont) -> Way | None:
    if font.sz is not None and font.sz <= SMALLEST_TYPE:
        return Way.TINY
    if font.strike:
        return Way.STRUCK
    colour = _rgb(font.color)
    pattern = cell.fill.fill_type if hasattr(cell.fill, "fill_type") else "gradient"
    if pattern in (None, "none"):
        ground: Rgb | None = WHITE
    else:
        ground = _rgb(cell.fill.fgColor) if pattern == "solid" else None
    if colour is None or ground is None:
        return None
    return Way.COLOUR if cannot_be_told(colour, ground) else None


def _rgb(colour: Color | None) -> Rgb | None:
    """None where it is automatic or not known; toned as ECMA-376, part 1, 18.8.19 has it."""
    plain = None if colour is None else _untoned(colour)
    if colour is None or plain is None or not colour.tint:
        return plain
    return toned(plain, 1 - abs(colour.tint), max(colour.tint, 0.0))


def _untoned(colour: Color) -> Rgb | None:
    if colour.type == "theme":
        return _THEME[colour.theme] if colour.theme < len(_THEME) else None
    if colour.type == "indexed":
        found = COLOR_INDEX[colour.indexed] if colour.indexed < len(COLOR_INDEX) else ""
    else:
        found = colour.rgb if isinstance(colour.rgb, str) else ""
    try:
        number = int(found[-6:], 16) if len(found) in (6, 8) else None
    except ValueError:
        return None
    if number is None:
        return None
    return (number >> 16) / 255, (number >> 8 & 255) / 255, (number & 255) / 255
