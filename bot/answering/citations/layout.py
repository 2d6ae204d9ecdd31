"""How a reply says what it cites: a number for each page of a document; lists line by line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from audit.places import Place
from audit.values import CitationRecord, ClaimLine, ClaimRecord
from retrieval.documents.cells import CellRange, named

Page = tuple[str, int | None]
"""A document's id and a page of it; a document without pages is one."""


def page_of(citation: CitationRecord) -> Page:
    return citation.document_id, citation.place.page


def numbered(pages: Iterable[Page]) -> dict[Page, int]:
    """Number each page once, from 1, in the order in which it is first cited."""
    return {page: number for number, page in enumerate(dict.fromkeys(pages), start=1)}


def marks(numbers: Iterable[int]) -> str:
    """Such as `[1][3]`, each once; empty for none."""
    return "".join(f"[{number}]" for number in dict.fromkeys(numbers))


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place that is cited, and which cells of its rows, where not all of them are."""

    place: Place
    cells: tuple[str, ...] = ()


def place_in_words(place: Place, file: str = "", cells: Sequence[str] = ()) -> str:
    """Say a place as every door says it; `cells`: which are meant of its rows, none for all."""
    return place.in_words(file, named(cells, place.cell_range))


def places_in_words(cited: Iterable[CitedPlace], file: str = "") -> str:
    """Say places of one page: such as `pay.md, page 2, lines 3-5; line 9 (Pay); line 20 (Leave)`.

    Lines that touch are one run; file and page are named once, a section once behind its runs, and
    that some of them may be misread is said of all.
    """
    distinct = _distinct(cited)
    sections = list(dict.fromkeys(each.place.section_path for each in distinct))
    said: list[str] = []
    label = ""
    for section in sections:
        runs = _runs([each for each in distinct if each.place.section_path == section])
        for run in runs:
            section_path = section if run is runs[-1] else ()
            begins = not said
            misread = begins and any(each.place.misread for each in distinct)
            shown = replace(run.place, section_path=section_path, misread=misread)
            if not begins:
                own = "" if shown.page_label == label else shown.page_label
                shown = replace(shown, page=None, page_label=own)
            label = run.place.page_label
            said.append(place_in_words(shown, file if begins else "", run.cells))
    return "; ".join(filter(None, said))


def _distinct(cited: Iterable[CitedPlace]) -> list[CitedPlace]:
    """Each location once, with all cells of it that are cited."""
    places: dict[Place, CitedPlace] = {}
    for each in cited:
        known = places.get(each.place, each)
        places[each.place] = replace(each, cells=_both(known, each))
    return list(places.values())


def _both(one: CitedPlace, other: CitedPlace) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one.cells, *other.cells))) if one.cells and other.cells else ()


def _runs(places: list[CitedPlace]) -> list[CitedPlace]:
    """Join the lines, or the rows of cells, that touch or overlap, in the order of the page."""
    runs: list[CitedPlace] = []
    for place in sorted(places, key=lambda place: _order(place.place)):
        if runs and _touch(runs[-1].place, place.place):
            around = _joined(runs[-1].place, place.place)
            runs[-1] = CitedPlace(around, _both(runs[-1], place))
        else:
            runs.append(place)
    return runs


def _order(place: Place) -> tuple[int, int, int]:
    cells = _cells(place)
    return place.line_start or 0, place.paragraph or 0, cells.first_row if cells else 0


def _touch(before: Place, after: Place) -> bool:
    if before.line_start is not None and after.line_start is not None:
        return after.line_start <= _end(before) + 1
    above, below = _cells(before), _cells(after)
    return bool(above and below and below.first_row <= above.last_row + 1)


def _joined(before: Place, after: Place) -> Place:
    end = max(_end(before), _end(after)) if before.line_start is not None else None
    above, below = _cells(before), _cells(after)
    around = above | below if above and below else above or below
    return replace(before, line_end=end, cell_range=str(around or ""))


def _cells(place: Place) -> CellRange | None:
    return CellRange.of(place.cell_range) if place.cell_range else None


def _end(place: Place) -> int:
    return place.line_end or place.line_start or 0


Source = TypeVar("Source")
BULLET = "•"


def has_lines(claim: ClaimRecord, *, alone: bool) -> bool:
    """Of a step that is `alone` in a reply the number says nothing; beside others it is kept."""
    return len(claim.lines) > int(alone)


def marked(line: ClaimLine) -> str:
    """A line with its number or bullet."""
    if line.number is not None:
        return f"{line.number}. {line.text}"
    return f"{BULLET} {line.text}" if line.in_list else line.text


def in_one_text(claim: ClaimRecord) -> str:
    """The claim with the numbers of its steps, where it is shown as one text."""
    numbered = any(each.number is not None for each in claim.lines)
    return " ".join(map(marked, claim.lines)) if numbered and len(claim.lines) > 1 else claim.text


def cited_by_line(lines: Sequence[ClaimLine], sources: Sequence[Source]) -> list[list[Source]]:
    """The sources of each line; `sources`: of each of the claim's citations."""
    found = [[sources[each.citation]] for each in lines]
    told = [source for some in found for source in some]
    found[-1] += [each for each in dict.fromkeys(sources) if each not in told]
    return found
