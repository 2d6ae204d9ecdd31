"""Where in a version's source the words stand that a record quotes."""

from collections.abc import Iterator

from audit.record import SourcePlace
from retrieval.documents.holdings import Parsed
from retrieval.types import Passage

Span = tuple[int, int]
"""[start, end) in the source of a version."""


def cited_span(quote: str, place: SourcePlace, passage: Passage, parsed: Parsed) -> Span | None:
    """Return where a quote of a passage stands; None where the source says something else there.

    The passage is sealed and the record is chained, the parsed text is neither: so what it says
    is held to the quote before anything of it is marked as cited.
    """
    found = list(_spans(quote, passage))
    at_place = [span for span, line in found if line == place.line_start]
    for start, end in (*at_place, *(span for span, _ in found)):
        if parsed.source[start:end] == quote:
            return start, end
    return None


def _spans(quote: str, passage: Passage) -> Iterator[tuple[Span, int | None]]:
    """Each run of whole sentences that reads as the quote, and the line where it begins."""
    if not quote:
        return
    offset = passage.sentences[0].char_start
    ends = {each.char_end for each in passage.sentences}
    for sentence in passage.sentences:
        start, end = sentence.char_start, sentence.char_start + len(quote)
        if end in ends and passage.source.startswith(quote, start - offset):
            yield (start, end), sentence.line_start
