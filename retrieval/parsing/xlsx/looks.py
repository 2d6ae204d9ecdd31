"""Whether a cell's text can be told from what is behind it."""

from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.styles.colors import COLOR_INDEX, Color

from retrieval.parsing.hiding import BLACK, WHITE, Rgb, Way, cannot_be_told
from retrieval.parsing.xlsx.shown import is_hidden_by

_THEME = (WHITE, BLACK)
"""The first two colours of every theme that programs ship: background and text."""
SMALLEST_SIZE = 1
"""Points: text of this size or smaller is not read by people."""


class Looks:
    """It looks at each style of a workbook once."""

    def __init__(self) -> None:
        self._ways: dict[int, Way | None] = {}

    def way(self, cell: ReadOnlyCell) -> Way | None:
        """How a cell's text is hidden by its own style; None where it is seen."""
        if is_hidden_by(cell.number_format, cell.value):
            return Way.INVISIBLE
        style = cell._style_id  # noqa: SLF001  # what equal cells share has no public name
        if style not in self._ways:
            self._ways[style] = _way(cell)
        return self._ways[style]


def _way(cell: ReadOnlyCell) -> Way | None:
    if cell.font.sz is not None and cell.font.sz <= SMALLEST_SIZE:
        return Way.TINY
    colour = _rgb(cell.font.color)
    pattern = cell.fill.fill_type if hasattr(cell.fill, "fill_type") else "gradient"
    if pattern in (None, "none"):
        ground: Rgb | None = WHITE
    else:
        ground = _rgb(cell.fill.fgColor) if pattern == "solid" else None
    if colour is None or ground is None:
        return None
    return Way.COLOUR if cannot_be_told(colour, ground) else None


def _rgb(colour: Color | None) -> Rgb | None:
    """None where it is automatic, toned or not known."""
    if colour is None or colour.tint:
        return None
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
