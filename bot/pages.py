"""Citations of one page of a document are one source with one number, at every door."""

from collections.abc import Iterable
from dataclasses import replace

from retrieval.types import Location

Page = tuple[str, int | None]
"""A document's id and a page of it; a document without pages is one."""


def numbered(pages: Iterable[Page]) -> dict[Page, int]:
    """Number each page once, from 1, in the order in which it is first cited."""
    return {page: number for number, page in enumerate(dict.fromkeys(pages), start=1)}


def in_words(places: Iterable[Location], file: str = "") -> str:
    """Say places of one page: such as `pay.md, page 2, lines 3-5; line 9 (Pay); line 20 (Leave)`.

    Lines that touch are one run; file and page are named once, a section once behind its runs.
    """
    distinct = list(dict.fromkeys(places))
    sections = list(dict.fromkeys(each.section_path for each in distinct))
    said: list[str] = []
    for section in sections:
        runs = _runs([each for each in distinct if each.section_path == section])
        for run in runs:
            named = replace(run, section_path=section if run is runs[-1] else ())
            begins = not said
            shown = named if begins else replace(named, page=None)
            said.append(shown.in_words(file if begins else ""))
    return "; ".join(filter(None, said))


def _runs(places: list[Location]) -> list[Location]:
    """Join the lines that touch or overlap, in the order of the page."""
    ordered = sorted(places, key=lambda each: (each.line_start or 0, each.paragraph or 0))
    runs: list[Location] = []
    for place in ordered:
        if runs and _touch(runs[-1], place):
            end = max(_end(runs[-1]), _end(place))
            runs[-1] = replace(runs[-1], line_end=end)
        else:
            runs.append(place)
    return runs


def _touch(before: Location, after: Location) -> bool:
    both = before.line_start is not None and after.line_start is not None
    return both and (after.line_start or 0) <= _end(before) + 1


def _end(place: Location) -> int:
    return place.line_end or place.line_start or 0
