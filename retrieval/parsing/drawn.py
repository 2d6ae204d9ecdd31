"""Charts, diagrams (SmartArt) and pictures of Office: what they say in words and numbers."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Protocol

from lxml import etree
from openpyxl.styles.numbers import is_date_format
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel
from pptx.chart.chart import Chart
from pptx.chart.series import XySeries
from pptx.oxml import parse_xml
from pptx.oxml.xmlchemy import BaseOxmlElement

from retrieval.parsing.limits import LONGEST_SENTENCE, MOST_PLACES, require_at_most
from retrieval.parsing.tables import Cell
from retrieval.parsing.xlsx.cells import shown

_DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_ID, _DATA = f"{_RELATION}id", f"{_RELATION}dm"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_VALUES = (f"{_CHART}val", f"{_CHART}yVal")
_LABEL_FORMATS = (
    "(../c:dLbls | ../../c:dLbls)/c:numFmt[@sourceLinked='0' or @sourceLinked='false']/@formatCode"
)
_LITERAL = re.compile(r'"[^"]*"|\\.')


_NO_DESCRIPTION = re.compile(
    r"description automatically generated\W*$|ai-generated content may be incorrect\W*$"
    r"|^\S*\.(?:png|jpe?g|gif|bmp|tiff?|svg|emf|wmf|webp)$",
    re.IGNORECASE,
)
"""What no author wrote: a program's guess, or the name of a file."""


def description(stated: str | None) -> str:
    """What its author says a picture shows, for who does not see it; empty where nobody does."""
    text = _folded(stated or "")
    return "" if _NO_DESCRIPTION.search(text) else text


class Part(Protocol):
    @property
    def blob(self) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart is a table of its values, a diagram has points in order."""

    title: str = ""
    names: tuple[str, ...] = ()
    """Of the columns of `rows`: the first has the categories."""
    rows: Sequence[Sequence[Cell]] = ()
    points: tuple[str, ...] = ()


def drawn_in(graphics: Iterable[etree._Element], related: Callable[[str], Part]) -> Drawn | None:
    """What the first chart or diagram among them draws; None where there is none.

    `related`: the parts of the slide or document that they stand in, by their ids. Raise whatever
    it raises, and what libraries raise for a part that is damaged.
    """
    for held in chain.from_iterable(graphics):
        if held.tag == f"{_CHART}chart":
            return _chart(parse_xml(related(held.get(_ID)).blob))
        if held.tag == f"{{{_DIAGRAM}}}relIds":
            return Drawn(points=tuple(_points(parse_xml(related(held.get(_DATA)).blob))))
    return None


def _chart(space: BaseOxmlElement) -> Drawn:
    chart = Chart(space, None)
    title = chart.chart_title.text_frame.text if chart.has_title else ""
    series = [each for plot in chart.plots for each in plot.series]
    epoch = MAC_EPOCH if space.xpath("c:date1904[not(@val='0' or @val='false')]") else WINDOWS_EPOCH
    values = [_told(each._element.xpath("c:val | c:yVal"), epoch) for each in series]  # noqa: SLF001
    labels = _labels(space, len(series), epoch)
    rows = [
        [Cell(label), *(Cell(told.get(at, "")) for told in values)]
        for at, label in enumerate(labels)
    ]
    for column, each in enumerate(series):
        if isinstance(each, XySeries):
            across = _told(each._element.xpath("c:xVal"), epoch)  # noqa: SLF001
            require_at_most(len(values[column]) * len(series), MOST_PLACES, "values in a chart")
            before = [Cell("")] * column
            for at, value in values[column].items():
                rows.append([Cell(across.get(at, str(at + 1))), *before, Cell(value)])
    names = ("", *(_folded(each.name or "") for each in series))
    return Drawn(_folded(title), names, rows)


def _labels(space: BaseOxmlElement, series: int, epoch: datetime) -> list[str]:
    """Of each category: what those above it are called comes first."""
    stated = space.xpath(".//c:ser/c:cat")[:1]
    if not stated:
        return []
    count = max((int(each) for each in stated[0].xpath(".//c:ptCount/@val")), default=0)
    levels = stated[0].xpath(".//c:lvl") or stated
    require_at_most(count * (series + len(levels)), MOST_PLACES, "values in a chart")
    labels = [""] * count
    for depth, level in enumerate(levels):
        told, above = _told([level], epoch), ""
        for at, label in enumerate(labels):
            above = told.get(at, above if depth else "")
            labels[at] = f"{above} {label}".strip()
    return labels


def _told(stated: Sequence[BaseOxmlElement], epoch: datetime) -> dict[int, str]:
    """What points read as, by their index: dates and per cent by their format."""
    if not stated:
        return {}
    held = stated[0]
    codes = held.xpath(_LABEL_FORMATS) if held.tag in _VALUES else []
    codes += held.xpath(".//c:formatCode/text()")
    is_number = bool(held.xpath("c:numRef | c:numLit"))
    told = {}
    for point in held.iter(f"{_CHART}pt"):
        text = _folded(point.findtext(f"{_CHART}v") or "")
        if is_number and text:
            text = _shown(text, [point.get("formatCode") or "", *codes], epoch)
        told[int(point.get("idx"))] = text
    return told


def _shown(text: str, codes: Sequence[str], epoch: datetime) -> str:
    """A value as a slide shows it; what is no number, such as #N/A, stays."""
    try:
        value = float(text)
    except ValueError:
        return text
    for code in codes:
        if is_date_format(code):
            return shown(from_excel(value, epoch), code)
        if "%" in _LITERAL.sub("", code):
            return f"{value * 100:.15g}%"
    return f"{value:.15g}"


def _points(diagram: etree._Element) -> Iterator[str]:
    """Of a diagram's data; placeholders have no text."""
    for point in diagram.iter(f"{{{_DIAGRAM}}}pt"):
        if text := _folded(" ".join(_paragraphs(point))):
            yield text[:LONGEST_SENTENCE]


def _paragraphs(point: etree._Element) -> Iterator[str]:
    for paragraph in point.iter(_TEXT.replace("}t", "}p")):
        yield "".join(each.text or "" for each in paragraph.iter(_TEXT))


def _folded(text: str) -> str:
    return " ".join(text.split())
