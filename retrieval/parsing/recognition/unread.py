"""Pages that nobody read, in words for whoever ingests."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from retrieval.types import UnreadPage


def unread_in_words(unread: Sequence[UnreadPage]) -> str:
    """Such as `pages 2, 4-6 were not read: Tesseract is not installed; ...`, a reason each."""
    by_reason: dict[str, list[int]] = {}
    for each in unread:
        by_reason.setdefault(each.why, []).append(each.page)
    return "; ".join(f"{_pages(pages)} not read: {why}" for why, pages in by_reason.items())


def _pages(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"page {numbers[0]} was"
    return f"pages {', '.join(_runs(sorted(numbers)))} were"


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"
