"""Citations of one page of a document are one source with one number, at every door."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from retrieval.cells import CellRange
from retrieval.types import Location

Page = tuple[str, int | None]
"""A document's id and a page of it; a document without pages is one."""


def numbered(pages: Iterable[Page]) -> dict[Page, int]:
    """Number each page once, from 1, in the order in which it is first cited."""
    return {page: number for number, page in enumerate(dict.fromkeys(pages), start=1)}


@dataclass(frozen=True, slots=True)
class Place:
    """A place that is cited, and which cells of its rows, where not all of them are."""

    location: Location
    cells: tuple[str, ...] = ()


def in_words(cited: Iterable[Place], file: str = "") -> str:
    """Say places of one page: such as `pay.md, page 2, lines 3-5; line 9 (Pay); line 20 (Leave)`.

    Lines that touch are one run; file and page are named once, a section once behind its runs, and
    that some of them may be misread is said of all.
    """
    distinct = _distinct(cited)
    sections = list(dict.fromkeys(each.location.section_path for each in distinct))
    said: list[str] = []
    for section in sections:
        runs = _runs([each for each in distinct if each.location.section_path == section])
        for run in runs:
            named = replace(run.location, section_path=section if run is runs[-1] else ())
            begins = not said
            misread = begins and any(each.location.misread for each in distinct)
            named = replace(named, misread=misread)
            shown = named if begins else replace(named, page=None, page_label="")
            said.append(shown.in_words(file if begins else "", run.cells))
    return "; ".join(filter(None, said))


def _distinct(cited: Iterable[Place]) -> list[Place]:
    """Each location once, with all cells of it that are cited."""
    places: dict[Location, Place] = {}
    for each in cited:
        known = places.get(each.location, each)
        places[each.location] = replace(each, cells=_both(known, each))
    return list(places.values())


def _both(one: Place, other: Place) -> tuple[str, ...]:
    """The cells of both; none, and so all, where one of them is whole."""
    return tuple(dict.fromkeys((*one.cells, *other.cells))) if one.cells and other.cells else ()


def _runs(places: list[Place]) -> list[Place]:
    """Join the lines, or the rows of cells, that touch or overlap, in the order of the page."""
    runs: list[Place] = []
    for place in sorted(places, key=lambda place: _order(place.location)):
        if runs and _touch(runs[-1].location, place.location):
            around = _joined(runs[-1].location, place.location)
            runs[-1] = Place(around, _both(runs[-1], place))
        else:
            runs.append(place)
    return runs


def _order(place: Location) -> tuple[int, int, int]:
    cells = _cells(place)
    return place.line_start or 0, place.paragraph or 0, cells.first_row if cells else 0


def _touch(before: Location, after: Location) -> bool:
    if before.line_start is not None and after.line_start is not None:
        return after.line_start <= _end(before) + 1
    above, below = _cells(before), _cells(after)
    return bool(above and below and below.first_row <= above.last_row + 1)


def _joined(before: Location, after: Location) -> Location:
    end = max(_end(before), _end(after)) if before.line_start is not None else None
    above, below = _cells(before), _cells(after)
    around = above | below if above and below else above or below
    return replace(before, line_end=end, cell_range=str(around or ""))


def _cells(place: Location) -> CellRange | None:
    return CellRange.of(place.cell_range) if place.cell_range else None


def _end(place: Location) -> int:
    return place.line_end or place.line_start or 0
