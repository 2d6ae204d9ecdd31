"""How many cells of printed tables are told with row and column, beside pdfplumber and Camelot."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from itertools import compress
from operator import not_
from pathlib import Path
from typing import Any

from rich.table import Table

from bot.cli.console import table_of

Rows = Sequence[Sequence[str]]
Tables = Mapping[str, tuple[Rows, Rows]]
"""The rows of names, and those below; `2*` before a cell that takes two columns."""
Cell = tuple[str, str, str]
"""What its row begins with, the name of its column, its value."""
_Found = Sequence[Sequence[Sequence[str | None]]]

_TABLES: Tables = {
    "fees": (
        [["Programme", "Home fee", "Overseas fee", "Due"]],
        [
            ["Biology", "4,200", "11,900", "1 September"],
            ["Computing", "4,600", "13,400", "1 September"],
            ["Medicine", "9,100", "24,000", "1 August"],
            ["Nursing", "3,200", "8,700", "15 September"],
        ],
    ),
    "leave": (
        [["Grade", "Annual leave", "Carry over", "Approval by"]],
        [
            ["A1 to A3", "24 days", "5 days", "line manager"],
            ["B1", "28 days", "8 days", "head of unit"],
            ["B2 and above", "30 days", "10 days", "director"],
        ],
    ),
    "rooms": (
        [["Room", "Seats", "Opening hours"]],
        [
            ["K 1.01", "24", "Mon to Fri, 8:00 to 20:00"],
            ["K 2.12", "40", "daily, 7:00 to 23:00"],
            ["North hall", "120", "during examinations alone"],
            ["Annex", "12", "by appointment"],
        ],
    ),
    "accounts": (
        [["", "2023", "2024", "2025"]],
        [
            ["Revenue", "463.2", "481.0", "502.7"],
            ["Cost of sales", "(211.4)", "(220.9)", "(231.5)"],
            ["Research", "(44.1)", "(47.9)", "(52.6)"],
            ["Operating profit", "109.4", "110.5", "114.6"],
        ],
    ),
    "incidents": (
        [["Situation", "What to do", "Within"]],
        [
            [
                "You lose your card",
                "Report it to the desk, which blocks it and prints one",
                "a day",
            ],
            [
                "Somebody is hurt",
                "Call the porter, who opens the gate for the ambulance",
                "at once",
            ],
            ["The lift stands still", "Press the bell and wait; do not open the doors", "an hour"],
        ],
    ),
    "allowances": (
        [["Class", "2*Domestic", "2*Abroad"], ["", "Day", "Night", "Day", "Night"]],
        [
            ["Staff", "28", "80", "42", "120"],
            ["Board", "35", "120", "55", "190"],
            ["Guests", "24", "70", "38", "110"],
        ],
    ),
    "offices": (
        [["Office", "Telephone", "E-mail", "Room"]],
        [
            ["Registry", "555-0101", "registry@example.org", "A 12"],
            ["Bursary", "555-0117", "bursary@example.org", "A 14"],
            ["Library", "555-0199", "books@example.org", "D 1"],
        ],
    ),
    "services": (
        [["Service", "Free", "With card", "Guests"]],
        [
            ["Copies", "100 a month", "5 cents", "8 cents"],
            ["Scans", "unlimited", "", ""],
            ["Posters", "", "9 euros", "14 euros"],
            ["Lockers", "one", "", "10 euros"],
        ],
    ),
    "limits": (
        [["Item", "Limit"]],
        [["Hotel per night", "140 EUR"], ["Taxi", "after 22:00"], ["Rail", "second class"]],
    ),
    "courses": (
        [["Course", "Credits", "Lecturer"]],
        [
            ["3*First year"],
            ["Algebra", "6", "Dr Amsel"],
            ["Analysis", "8", "Dr Brun"],
            ["3*Second year"],
            ["Databases", "5", "Dr Dohle"],
        ],
    ),
}
_BEFORE = (
    "What follows holds for everybody here, whatever a department agreed on before in writing. "
)
CSS = {
    "no lines": "",
    "ruled above and below": "table{border-top:1.5px solid;border-bottom:1.5px solid}"
    "thead tr:last-child th{border-bottom:1px solid}",
    "coloured rows": "tbody tr:nth-child(odd) td{background:#eee}th{background:#345;color:#fff}",
    "a rule under each row": "td,th{border-bottom:.7px solid #999}",
    "a rule every third row": "tbody tr:nth-child(3n) td{border-bottom:.7px solid}",
    "small and tight": "table{font-size:8pt}td,th{padding:1px 5px!important}",
    "as wide as the page": "table{width:100%}",
    "set to the middle": "td{vertical-align:middle!important}table{width:75%}",
    "names not bold": "th{font-weight:normal!important}",
    "lines around all cells": "td,th{border:1px solid}",
    "under a heading": ".long{display:none}h2{display:block}table{margin:0 auto}"
    "th{background:#345;color:#fff}",
    "under a heading and a line": ".long{display:none}h2,.short{display:block}"
    "thead{border-bottom:1px solid}table{margin:0 auto}",
}
LATEX = {
    "LaTeX, no lines": ("", "", "", ""),
    "LaTeX, booktabs": ("\\toprule", "\\midrule", "\\bottomrule", ""),
    "LaTeX, a rule under each row": ("\\hline", "\\hline", "", "\\hline"),
}
"""Rules above the names, under them, at the end, and under each row."""
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def tables_table() -> Table:
    """By style: how many cells there are, precision and recall, and those of others beside."""
    rows = []
    others = {"pdfplumber": _by_pdfplumber}
    if find_spec("camelot"):
        others["Camelot"] = _by_camelot
    with tempfile.TemporaryDirectory(prefix="vouch-bench-") as folder:
        for style, printed, content in _printed(Path(folder)):
            truth = {cell for head, body in printed.values() for cell in _cells(head, body)}
            found = [_read(content), *(_told(tables(content)) for tables in others.values())]
            shares = [share for each in found for share in _shares(each, truth)]
            rows.append((style, str(len(truth)), *(f"{share:.2f}" for share in shares)))
    beside = (title for name in others for title in (f"{name}: precision", "recall"))
    head = ("style", "cells", "precision", "recall", *beside)
    return table_of(head, rows, "Cells of printed tables, told with their row and column")


def _shares(read: set[Cell], truth: set[Cell]) -> tuple[float, float]:
    right = len(read & truth)
    return right / max(len(read), 1), right / len(truth)


def _cells(head: Rows, body: Rows) -> Iterator[Cell]:
    names: dict[int, list[str]] = {}
    for row in head:
        wide = [text for count, text in map(spanned, row) for _ in range(count)]
        for column, text in enumerate(wide):
            names.setdefault(column, []).extend([text] if text else [])
    for row in body:
        for column, value in enumerate(row[1:], start=1):
            if value:
                yield row[0], " ".join(names[column]), value


def _printed(folder: Path) -> Iterator[tuple[str, Tables, bytes]]:
    if browser := next(filter(None, map(shutil.which, _CHROMIUM)), None):
        for style, rules in CSS.items():
            page, printed = folder / "page.html", folder / "page.pdf"
            page.write_text(_html(rules), encoding="utf-8")
            options = ["--headless", "--no-sandbox", "--disable-pdf-tagging"]
            _run([browser, *options, f"--print-to-pdf={printed}", page.as_uri()], folder)
            yield style, _TABLES, printed.read_bytes()
    if latex := shutil.which("pdflatex"):
        for style, lines in LATEX.items():
            (folder / "page.tex").write_text(_tex(*lines), encoding="utf-8")
            _run([latex, "-interaction=batchmode", "page.tex"], folder)
            yield style, _TABLES, (folder / "page.pdf").read_bytes()
    yield from drawn(_TABLES, _BEFORE)


def _run(command: Sequence[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=120)  # noqa: S603


def _is_number(value: str) -> bool:
    return value.strip("()")[:1].isdigit() and len(value) < 9


def _html(rules: str) -> str:
    pages = []
    for name, (head, body) in _TABLES.items():
        numbers = [
            f"#{name} td:nth-child({n + 1}),#{name} thead tr:last-child th:nth-child({n + 1})"
            "{text-align:right}"
            for n in range(1, len(body[-1]))
            if all(len(row) == 1 or not row[n] or _is_number(row[n]) for row in body)
        ]
        rows = "".join(_html_row(row, "th") for row in head)
        held = "".join(_html_row(row, "td") for row in body)
        pages.append(
            f"<style>{''.join(numbers)}</style><section><p class=long>{_BEFORE * 2}</p>"
            f"<h2>{name}</h2><p class=short>{SHORT}</p><table id={name}>"
            f"<thead>{rows}</thead><tbody>{held}</tbody></table><p>{_BEFORE * 2}</p></section>"
        )
    basis = (
        "section{break-after:page}body{font:11pt serif}table{border-collapse:collapse;margin:1em 0}"
        "td,th{padding:3px 9px;text-align:left;vertical-align:top}th[colspan]{text-align:center}"
        "h2,.short{display:none}"
    )
    return f"<meta charset=utf-8><style>{basis}{rules}</style>{''.join(pages)}"


def _html_row(row: Sequence[str], tag: str) -> str:
    cells = map(spanned, row)
    wide = (f" colspan={count}" if count > 1 else "" for count, _ in map(spanned, row))
    parts = [f"<{tag}{span}>{escape(text)}" for span, (_, text) in zip(wide, cells, strict=True)]
    return f"<tr>{''.join(parts)}"


def _tex(top: str, middle: str, bottom: str, between: str) -> str:
    pages = []
    for head, body in _TABLES.values():
        width = max(map(len, body))
        columns = "".join(
            "p{6cm}" if max(len(row[n]) for row in body if len(row) == width) > 40 else "l"
            for n in range(width)
        )
        names = [_tex_row(row, "\\textbf{%s}") for row in head]
        held = [_tex_row(row, "%s") + between for row in body]
        rows = "\n".join([top, *names, middle, *held, bottom])
        pages.append(
            f"{_BEFORE * 2}\n\n\\medskip\\noindent\\begin{{tabular}}{{{columns}}}\n{rows}\n"
            f"\\end{{tabular}}\\medskip\n\n{_BEFORE * 2}\\newpage\n"
        )
    start = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n"
    return f"{start}{''.join(pages)}\\end{{document}}\n"


def _tex_row(row: Sequence[str], form: str) -> str:
    cells = [
        f"\\multicolumn{{{count}}}{{c}}{{{form % text}}}" if count > 1 else form % text
        for count, text in map(spanned, row)
    ]
    return " & ".join(cells) + "\\\\"


def _read(content: bytes) -> set[Cell]:
    from retrieval.parsing.pdf.parser import parse

    found: set[Cell] = set()
    for fragment in parse(content).fragments:
        for row in (each for each in fragment.sentences if len(each.cells) > 1):
            first, *others = row.cells
            begins = row.text[first.start : first.end]
            found.update((begins, cell.name, row.text[cell.start : cell.end]) for cell in others)
    return found


def _by_pdfplumber(content: bytes) -> _Found:
    """By its search for lines; that by words finds hardly any cell of these."""
    import pdfplumber

    with pdfplumber.open(BytesIO(content)) as document:
        return [table for page in document.pages for table in page.extract_tables()]


def _by_camelot(content: bytes) -> _Found:
    """By how words stand: of its searches it finds the most cells of these."""
    camelot = import_module("camelot")
    found = camelot.read_pdf(content, pages="all", flavor="network", suppress_stdout=True)
    return [table.data for table in found]


def _told(tables: _Found) -> set[Cell]:
    return {
        (_plain(row[0]), _plain(name), _plain(value))
        for head, *body in filter(None, tables)
        for row in body
        for name, value in zip(head[1:], row[1:], strict=True)
        if value
    }


def _plain(text: str | None) -> str:
    return " ".join((text or "").split())


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
    [["Owner", "Bursary", "Version", "2.1"], ["Approved", "4 June 2025", "Review", "June 2028"]],
)
_LONG = "It is paid where no other body pays it, on what was spent, and against a bill. " * 8
SHORT = "They are as below."
_NAME_IN_LINES = "as agreed"
_WIDE, _NARROW = 1000, 215
_BLACK = (0, 0, 0)
_RULED = [("LINEABOVE", (0, 0), (-1, 0), 1, _BLACK), ("LINEBELOW", (0, -1), (-1, -1), 1, _BLACK)]


def spanned(cell: str) -> tuple[int, str]:
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
        """Names over several columns are ruled; `lines`: a word a line; `filled`: white on dark."""
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
