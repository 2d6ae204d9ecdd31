"""What people see in a cell: its value by its number format, if it can be told from its ground.

Formats (ECMA-376, part 1, 18.8.30) of numbers, money and percents are followed; dates are written
as ISO 8601 has them; of any other the number is written as it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal

from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from openpyxl.styles.colors import COLOR_INDEX, Color

from retrieval.parsing.hiding import (
    BLACK,
    SMALLEST_TYPE,
    WHITE,
    Rgb,
    Way,
    look_alike,
    rgb_of,
    toned,
)
from retrieval.parsing.notes import as_set

_SECTION_END = re.compile(r'((?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*)(?:;|$)')
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<gap>.)|\*(?P<filler>.)'
    r"|\[\$(?P<money>[^\]-]*)[^\]]*\]|\[(?P<bracket>[^\]]*)\]"
    r"|(?P<digits>[#0?][#0?,]*(?:\.[#0?]*)?|\.[#0?]+)|(?P<percent>%)|(?P<plain>.)",
    re.DOTALL,
)
_LITERALS = frozenset(" -+()$£€¥'&~{}<>=!^:")
"""What stands for itself in a format without quotation marks, and currency signs, which do too."""
_CONDITION = re.compile(r"[<>=]")
_LONGEST_FORMAT = 255
_MOST_DIGITS = 30
_SIGNIFICANT = 11
"""Digits that Excel shows of a number without a format."""


def shown(value: object, number_format: str) -> str:
    """What people read in a cell; empty for none, and where its format hides it."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case int() | float():
            return _number(value, number_format)
        case datetime():
            day, at = value.date().isoformat(), value.time()
            return day if at == time() else f"{day} {_clock(at)}"
        case date():
            return value.isoformat()
        case time():
            return _clock(value)
        case timedelta():
            return _duration(value)
        case _:
            return str(value)


def is_hidden_by(number_format: str, value: object) -> bool:
    """Whether a format shows nothing of such a value, as `;;;` does."""
    sections = _sections(number_format)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    at = _section_for(value, len(sections)) if is_number else 3
    is_empty = at < len(sections) and not sections[at].strip()
    return is_empty and len(sections) > 1


def _clock(at: time) -> str:
    return at.isoformat("seconds" if at.second else "minutes")


def _duration(span: timedelta) -> str:
    seconds = round(abs(span).total_seconds())
    sign = "-" if span < timedelta() else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _number(value: float, number_format: str) -> str:
    sections = _sections(number_format)
    at = _section_for(value, len(sections))
    pattern = _Pattern.of(sections[at]) if at < len(sections) else None
    if pattern is None:
        return _plain(value)
    sign = "-" if value < 0 and at == 0 else ""
    return pattern.write(abs(value), sign)


def _sections(number_format: str) -> list[str]:
    if len(number_format) > _LONGEST_FORMAT:
        return []
    found = [each[1] for each in _SECTION_END.finditer(number_format)]
    return found[:4] if number_format.endswith(";") else found[:-1][:4] or [""]


def _section_for(value: object, count: int) -> int:
    """Formats are for positive numbers, negative ones, zero, and text."""
    number = value if isinstance(value, int | float) else 0
    if number < 0 and count > 1:
        return 1
    return 2 if number == 0 and count > 2 else 0


@dataclass(frozen=True, slots=True)
class _Pattern:
    before: str
    digits: str
    after: str
    percents: int

    @classmethod
    def of(cls, section: str) -> "_Pattern | None":
        """None for a format that is not followed, General among them."""
        texts, digits, percents = ["", ""], "", 0
        for token in _TOKEN.finditer(section):
            at = 1 if digits else 0
            match token.lastgroup:
                case "digits" if not digits:
                    digits = token["digits"]
                case "percent":
                    percents += 1
                    texts[at] += "%"
                case "quoted" | "escaped" | "money":
                    texts[at] += token[token.lastgroup]
                case "gap":
                    texts[at] += " "
                case "filler":
                    pass
                case "bracket" if not _CONDITION.search(token["bracket"]):
                    pass
                case "plain" if token["plain"] in _LITERALS:
                    texts[at] += token["plain"]
                case _:
                    return None
        return cls(texts[0], digits, texts[1], percents) if digits or texts[0].strip() else None

    def write(self, value: float, sign: str) -> str:
        if not self.digits:
            return f"{sign}{self.before.strip()}"
        whole, _, decimals = self.digits.partition(".")
        scale = len(whole) - len(whole.rstrip(","))
        if len(decimals) > _MOST_DIGITS:
            return sign + _plain(value)
        number = Decimal(repr(value)).scaleb(2 * self.percents - 3 * scale)
        if not number.is_finite() or number.adjusted() > _MOST_DIGITS:
            return sign + _plain(value)
        rounded = number.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
        grouped = "," in whole.rstrip(",")
        text = f"{rounded:,f}" if grouped else f"{rounded:f}"
        text = _without_optional(text, decimals)
        head, dot, tail = text.partition(".")
        least = sum(map(whole.count, "0?"))
        padded = head if grouped else head.zfill(least)
        written = f"{self.before}{padded}{dot}{tail}{self.after}"
        return " ".join(f"{sign}{written.strip()}".split())


def _without_optional(text: str, decimals: str) -> str:
    """Zeros at the end that the format has no place for, as `#` says."""
    kept = len(decimals.rstrip("#"))
    head, _, tail = text.partition(".")
    tail = tail[:kept] + tail[kept:].rstrip("0")
    return f"{head}.{tail}" if tail else head


def _plain(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    return (
        str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.{_SIGNIFICANT}g}"
    )


_SET = {"superscript": "super", "subscript": "sub"}
_THEME = (WHITE, BLACK)
"""The first two colours of every theme that programs ship: background and text."""


class Looks:
    """It looks at each style of a workbook once."""

    def __init__(self) -> None:
        self._ways: dict[int, Way | None] = {}

    def pieces(self, cell: ReadOnlyCell) -> Iterator[tuple[str, Way | None]]:
        """The runs of a cell's text, and how each is hidden; None: seen."""
        value = cell.value
        if is_hidden_by(cell.number_format, value):
            yield shown(value, cell.number_format) or str(value), Way.INVISIBLE
        elif isinstance(value, CellRichText):
            before = ""
            for run in value:
                font = run.font if isinstance(run, TextBlock) else None
                how = "" if font is None else _SET.get(font.vertAlign, "")
                text = as_set(how, str(run), before, in_cell=True)
                yield text, _way(cell, font) if font else self._way_of_style(cell)
                before = text
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
    return Way.COLOUR if look_alike(colour, ground) else None


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
    return rgb_of(found[-6:]) if len(found) in (6, 8) else None
