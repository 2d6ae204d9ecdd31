"""Tables as reports are set, drawn by ReportLab: what their cells are is written out beside."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from itertools import compress
from operator import not_
from typing import Any

Rows = Sequence[Sequence[str]]
Tables = Mapping[str, tuple[Rows, Rows]]
"""The rows of names, and those below; `2*` before a cell that takes two columns."""

CARDS: Sequence[Rows] = (
    [
        ["Name", "Ana Ruiz", "Room", "K12"],
        ["Unit", "Registry", "Phone", "555-0142"],
        ["Start", "1 May 2025", "Grade", "B1"],
    ],
    [
        ["Code", "LAW-101", "Level", "Undergraduate"],
        ["Credits", "10", "Semester", "Autumn"],
        ["Lecturer", "Dr Amsel", "Language", "English"],
    ],
    [
        ["Owner", "Bursary", "Version", "2.1"],
        ["Approved", "4 June 2025", "Review", "June 2028"],
    ],
)
"""Labels and values."""
_LONG = "It is paid where no other body pays it, on what was spent, and against a bill. " * 8
SHORT = "They are as below."
_NAME_IN_LINES = "as agreed"
_WIDE, _NARROW = 1000, 215
_BLACK = (0, 0, 0)
_RULED = [("LINEABOVE", (0, 0), (-1, 0), 1, _BLACK), ("LINEBELOW", (0, -1), (-1, -1), 1, _BLACK)]


def spanned(cell: str) -> tuple[int, str]:
    """How many columns a cell takes, and its text."""
    count, star, text = cell.partition("*")
    return (int(count), text) if star and count.isdecimal() else (1, cell)


def drawn(tables: Tables, before: str) -> Iterator[tuple[str, Tables, bytes]]:
    """By style, the tables with what was changed in them, and a PDF; none without ReportLab."""
    if not find_spec("reportlab"):
        return
    page = _Page(before)
    tall = {name: (head, _with_tall_cell(body)) for name, (head, body) in tables.items()}
    lined = {name: ([*head[:-1], _longer(head[-1])], body) for name, (head, body) in tables.items()}
    yield "ReportLab, rules under names", tables, page.each(tables)
    yield "ReportLab, a rule under each row", tables, page.each(tables, between=True)
    yield "ReportLab, a tall cell", tall, page.each(tall)
    yield "ReportLab, names of three lines", lined, page.each(lined, lines=True)
    yield "ReportLab, over a page's end", tables, page.each(tables, down=575)
    yield "ReportLab, beside each other", tables, page.beside(tables)
    for lead in ("", SHORT):
        headed = _Page(before, f"<b>What holds here</b><br/>{lead}".removesuffix("<br/>"))
        style = "ReportLab, under a heading" + " and a line" * bool(lead)
        yield style, tables, headed.each(tables, down=0, filled=True)
    rows = [row for card in CARDS for row in card]
    cards = {value: ([["", name]], [[value, other]]) for _, value, name, other in rows}
    for style in ("bold", "coloured"):
        yield f"ReportLab, {style} labels", cards, page.cards(style)


def _with_tall_cell(body: Rows) -> Rows:
    at = next(number for number, row in enumerate(body) if len(row) > 1)
    return [*body[:at], [*body[at][:1], _LONG.strip(), *body[at][2:]], *body[at + 1 :]]


def _longer(names: Sequence[str]) -> Sequence[str]:
    return [names[0], *(f"{name} {_NAME_IN_LINES}" for name in names[1:])]


class _Page:
    """What sets a table with text on a page of its own; `above` it that stands, else the text."""

    def __init__(self, text: str, above: str = "") -> None:
        from reportlab.lib.styles import getSampleStyleSheet

        self._normal = getSampleStyleSheet()["Normal"]
        self._above, self._below = above or text * 2, text * 2

    def each(self, tables: Tables, *, down: float = 10, **how: bool) -> bytes:
        made = [[self._table(head, body, **how)] for head, body in tables.values()]
        return self._built(made, down)

    def beside(self, tables: Tables) -> bytes:
        """The narrow ones, two and two; the others below each other."""
        from reportlab.platypus import Table

        made = [self._table(*table) for table in tables.values()]
        are_narrow = [table.wrap(_WIDE, _WIDE)[0] < _NARROW for table in made]
        narrow = list(compress(made, are_narrow))
        others = compress(tables.values(), map(not_, are_narrow))
        pairs = [[Table([narrow[n : n + 2]])] for n in range(0, len(narrow), 2)]
        wide = [[self._table(*table)] for table in others]
        return self._built([*pairs, *wide])

    def cards(self, style: str) -> bytes:
        from reportlab.platypus import Table

        label = {
            "bold": ("FONTNAME", "Helvetica-Bold"),
            "coloured": ("BACKGROUND", (0.85, 0.85, 0.9)),
        }[style]
        marks = [(label[0], (n, 0), (n, -1), label[1]) for n in (0, 2)]
        grid = ("GRID", (0, 0), (-1, -1), 0.5, _BLACK)
        return self._built([[Table(rows, style=[grid, *marks])] for rows in CARDS])

    def _built(self, pages: Sequence[Sequence[Any]], down: float = 10) -> bytes:
        from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer

        content = []
        for tables in pages:
            before, after = (Paragraph(text, self._normal) for text in (self._above, self._below))
            content += [before, Spacer(1, down), *tables, Spacer(1, 10), after, PageBreak()]
        file = BytesIO()
        SimpleDocTemplate(file).build(content)
        return file.getvalue()

    def _table(
        self,
        head: Rows,
        body: Rows,
        *,
        between: bool = False,
        lines: bool = False,
        filled: bool = False,
    ) -> Any:
        """Names over several columns are ruled below; `lines`: names stand a word a line.

        `filled`: names stand in white on dark, and are not bold.
        """
        from reportlab.platypus import Paragraph, Table

        width = max(map(len, body))
        style: list[tuple[Any, ...]] = [
            *_RULED,
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("FONTNAME", (0, 0), (-1, len(head) - 1), "Helvetica-Bold"),
            ("LINEBELOW", (0, len(head) - 1), (-1, len(head) - 1), 0.7, _BLACK),
            *[("LINEBELOW", (0, len(head)), (-1, -1), 0.3, _BLACK)] * between,
        ]
        if filled:
            names = (0, 0), (-1, len(head) - 1)
            dark, white = ("BACKGROUND", *names, (0, 0, 0.5)), ("TEXTCOLOR", *names, (1, 1, 1))
            style = [style[2], dark, white]
        rows: list[list[Any]] = []
        for number, row in enumerate([*head, *body]):
            cells: list[Any] = []
            for count, text in map(spanned, row):
                over = (len(cells), number), (len(cells) + count - 1, number)
                style += [("SPAN", *over)] if count > 1 else []
                if count > 1 and number < len(head):
                    style += [("ALIGN", *over, "CENTER"), ("LINEBELOW", *over, 0.5, _BLACK)]
                shown = text.replace(" ", "\n") if lines and number == len(head) - 1 else text
                is_long = number >= len(head) and len(text) > 40
                cells += [Paragraph(text, self._normal) if is_long else shown, *[""] * (count - 1)]
            rows.append(cells)
        tall = [max(len(row[n]) for row in body if len(row) == width) > 40 for n in range(width)]
        return Table(rows, colWidths=[180 if each else None for each in tall], style=style)
