"""The main text of a page that others wrote, which stands among menus, notices and advertisements.

trafilatura says what it is (Barbaresi 2021, "Trafilatura: A Web Scraping Library and Command-Line
Tool for Text Discovery and Extraction"). Its text stands on no line of the page, so it only chooses
among what was read of it.
"""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.language.words import words_of
from retrieval.types import Fragment, FragmentKind, ParsedDocument

FEWEST_WORDS = 4
"""A shorter block may stand in the main text by chance: it counts where it is a line of that."""


def without_surroundings(page: ParsedDocument) -> ParsedDocument:
    """Make no passage of what stands before and after the main text; of all, where none is found.

    What stands between two blocks of it stays, whatever it is. What the page says of itself, such
    as who may read it, holds wherever that stands.
    """
    import trafilatura

    text = trafilatura.extract(page.source, favor_recall=True, include_comments=False) or ""
    lines = [words_of(line) for line in text.splitlines()]
    main = [n for n, each in enumerate(page.fragments) if _is_among(each, lines)]
    if not main:
        return page
    first, last = main[0], main[-1] + 1
    around = (*page.fragments[:first], *page.fragments[last:])
    left_out = tuple(replace(each, kind=FragmentKind.RUNNING) for each in around)
    return replace(
        page,
        fragments=page.fragments[first:last],
        left_out=(*page.left_out, *left_out),
    )


def _is_among(block: Fragment, lines: Sequence[Sequence[str]]) -> bool:
    values = [each.text[cell.start : cell.end] for each in block.sentences for cell in each.cells]
    words = words_of(" ".join(values or [each.text for each in block.sentences]))
    if len(words) < FEWEST_WORDS:
        return words in lines
    wanted = f" {' '.join(words)} "
    return any(wanted in f" {' '.join(line)} " for line in lines)
