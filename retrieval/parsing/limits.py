"""So much of a document is read; beyond it a document is refused, by name.

Each limit is far above what people write and low enough that one file holds up no ingest.
Time and memory are limited apart, by the process that parses (`retrieval.ingest.parser_pool`).
"""

from retrieval.errors import UnreadableDocument

MOST_CHARACTERS = 5_000_000
"""Of a document as it reads: some 2,000 pages. More takes minutes, and is a mistake or a trap,
such as pages that all draw the same stream, or a cell that is repeated in a thousand rows."""
MOST_MARKUP = 32 * 1024 * 1024
"""Characters of all chapters of a book, and bytes of one of its parts."""
LEAST_MARKUP, MOST_MARKUP_A_BYTE = 200_000, 30
"""Characters of all chapters of a book that is small, and for each byte of it: real ones are packed
to a third, seldom to a tenth. A few kilobytes could hold what takes minutes to read."""
MOST_CHARACTERS_A_PAGE = 100_000
"""Of a PDF: thirty times a full page. Lines and tables are found among all of a page's."""
MOST_CHARACTERS_A_BYTE = 20
"""Of a PDF larger than a page may be: real text is packed to a third, seldom to a tenth. Where
there is more, many pages draw the same stream."""
LONGEST_SENTENCE = 5_000
"""Characters: the models read some 1,000. A longer one is cut at white space, or anywhere in
what has none; a longer list item or table row is read sentence by sentence, cell by cell."""
LONGEST_HEADING = 1_000
"""Characters: a longer one is a paragraph, for it would be repeated with every passage below."""
LONGEST_LABEL = 100
"""Characters of what a page is called: Excel takes 31 for the name of a sheet."""
DEEPEST_HEADING = 20
"""Levels of sections: what is deeper counts as this deep. Word has 9, HTML 6."""
DEEPEST_LIST = 7
"""Lists that an item's own stands in; Slack sets in a list eight times at the most."""
LONGEST_COLUMN_NAME = 300
"""Characters: a longer one is text; as a name it would be repeated in every row."""
MOST_SPANNED = 1_000
"""Columns or rows that one cell may take, as in browsers."""
MOST_PLACES = 1_000_000
"""Of a table's grid, rows times columns: a sheet of 10,000 rows by 100 columns."""
MOST_ELEMENTS = 300_000
"""Of a page or a book: as many as on 2,000 pages with some ten to a paragraph."""
MOST_RUNS = 600_000
"""Of a Word document, its paragraphs counted: a run is what looks alike in a paragraph."""
DEEPEST_ELEMENT = 512
"""Elements within each other, as in browsers; those below are read as part of the last."""
DEEPEST_STYLE = 50
"""Styles based on each other; Word itself makes a handful."""
MOST_UNFINISHED = 20
"""Tags that never end: for each the whole rest is searched for its end."""
LONGEST_LEAD = 5_000
"""Characters of the lines that lead to a list: each of its passages carries them."""


def require_at_most(count: int, most: int, what: str) -> None:
    """Raise `UnreadableDocument` where there is more of something than is read."""
    if count > most:
        raise UnreadableDocument(f"has more than {most:,} {what}, the most that is read; split it")
