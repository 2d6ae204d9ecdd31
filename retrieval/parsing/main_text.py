"""The main text of a page that others wrote, which stands among menus, notices and advertisements.

trafilatura says what it is (Barbaresi 2021, "Trafilatura: A Web Scraping Library and Command-Line
Tool for Text Discovery and Extraction"). Its text stands on no line of the page, so it only chooses
among what was read of it.
"""

from collections.abc import Set
from dataclasses import replace

from retrieval.language.words import words_of
from retrieval.types import Fragment, FragmentKind, ParsedDocument

FEWEST_WORDS = 4
"""A shorter block may stand in the main text by chance: it counts where it is a line of that, or a
row, whose cells may stand on lines of their own."""


def without_surroundings(page: ParsedDocument) -> ParsedDocument:
    """Make no passage of what stands before and after the main text; of all, where none is found.

    What stands between two blocks of it stays, whatever it is. What the page says of itself, such
    as who may read it, holds wherever that stands.
    """
    import trafilatura

    text = trafilatura.extract(page.source, favor_recall=True, include_comments=False) or ""
    words, lines = words_of(text), {tuple(words_of(line)) for line in text.splitlines()}
    runs = {
        tuple(words[at : at + length])
        for length in range(1, FEWEST_WORDS + 1)
        for at in range(len(words) - length + 1)
    }
    main = [n for n, each in enumerate(page.fragments) if _is_among(each, lines, runs)]
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


_Words = tuple[str, ...]


def _is_among(block: Fragment, lines: Set[_Words], runs: Set[_Words]) -> bool:
    """By each run of its words; `runs`: those of the main text."""
    values = [each.text[cell.start : cell.end] for each in block.sentences for cell in each.cells]
    words = tuple(words_of(" ".join(values or [each.text for each in block.sentences])))
    if len(words) < FEWEST_WORDS:
        return words in (runs if block.kind is FragmentKind.TABLE_ROW else lines)
    return all(words[n : n + FEWEST_WORDS] in runs for n in range(len(words) - FEWEST_WORDS + 1))
