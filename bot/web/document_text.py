"""A version's text as readable blocks, made of what the parser read and of nothing else.

Of a long document one part is made at a time, so that a page stays small whatever it shows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.web.cited_span import Span
from bot.web.views import Block, BlockKind, Body, Piece, Run
from retrieval.documents.holdings import Parsed
from retrieval.types import Fragment, FragmentKind, Sentence

MOST_CHARACTERS = 12_000
"""Of one part; a sentence that is longer by itself makes one alone."""
CONTEXT_CHARACTERS = 2_000
"""Before the citation, in the part where it stands."""
_KINDS = {FragmentKind.LIST_ITEM: BlockKind.ITEM, FragmentKind.TABLE_ROW: BlockKind.ROW}


@dataclass(frozen=True, slots=True)
class _Placed:
    """A sentence, and the fragment that it is of."""

    fragment: Fragment
    sentence: Sentence


def part(parsed: Parsed, span: Span, at: int | None) -> Body:
    """Return the part around the citation, or from sentence `at` on, which counts from 1."""
    every = _placed(parsed)
    first_cited = next((n for n, each in enumerate(every) if _cited(each.sentence, span)), 0)
    begin = _back(every, first_cited, CONTEXT_CHARACTERS) if at is None else at - 1
    begin = min(max(begin, 0), max(len(every) - 1, 0))
    end = _forth(every, begin)
    shown = every[begin:end]
    return Body(
        runs=_runs(shown, span),
        before=_back(every, begin, MOST_CHARACTERS) + 1 if begin else None,
        after=end + 1 if end < len(every) else None,
        holds_citation=any(_cited(each.sentence, span) for each in shown),
        cut_before=bool(begin) and every[begin - 1].fragment is every[begin].fragment,
        cut_after=end < len(every) and every[end - 1].fragment is every[end].fragment,
    )


def page_text(parsed: Parsed, span: Span, at: int | None) -> Body:
    """Return the text of the page where the citation begins, or of another page, from 1."""
    every = _placed(parsed)
    numbers = [each.sentence.page or 1 for each in every]
    last = max(numbers, default=1)
    cited = next(
        (
            number
            for number, each in zip(numbers, every, strict=True)
            if _cited(each.sentence, span)
        ),
        1,
    )
    page = min(max(at or cited, 1), last)
    shown = [each for number, each in zip(numbers, every, strict=True) if number == page]
    return Body(
        runs=_runs(shown, span),
        before=page - 1 if page > 1 else None,
        after=page + 1 if page < last else None,
        page=page,
        pages=last,
        holds_citation=any(_cited(each.sentence, span) for each in shown),
    )


def _placed(parsed: Parsed) -> list[_Placed]:
    return [_Placed(each, sentence) for each in parsed.fragments for sentence in each.sentences]


def _cited(sentence: Sentence, span: Span) -> bool:
    start, end = span
    return start < sentence.char_end and sentence.char_start < end


def _back(every: Sequence[_Placed], begin: int, most: int) -> int:
    """Return how far before `begin` a part may start."""
    characters = 0
    while begin > 0:
        characters += len(every[begin - 1].sentence.text)
        if characters > most:
            break
        begin -= 1
    return begin


def _forth(every: Sequence[_Placed], begin: int) -> int:
    end, characters = begin, 0
    while end < len(every):
        characters += len(every[end].sentence.text)
        if characters > MOST_CHARACTERS and end > begin:
            break
        end += 1
    return end


def _runs(shown: Sequence[_Placed], span: Span) -> tuple[Run, ...]:
    blocks = list(_blocks(shown, span))
    return tuple(
        Run(kind, tuple(some)) for kind, some in groupby(blocks, key=lambda block: block.kind)
    )


def _blocks(shown: Sequence[_Placed], span: Span) -> Iterator[Block]:
    path: tuple[str, ...] = ()
    for _, some in groupby(shown, key=lambda each: id(each.fragment)):
        placed = list(some)
        fragment = placed[0].fragment
        yield from _headings(path, fragment.section_path)
        path = fragment.section_path
        yield _block(fragment, [each.sentence for each in placed], span)


def _headings(before: Sequence[str], path: Sequence[str]) -> Iterator[Block]:
    """Those of a section that did not stand above the last block already."""
    same = next(
        (n for n, (one, other) in enumerate(zip(before, path, strict=False)) if one != other),
        min(len(before), len(path)),
    )
    for level, name in enumerate(path[same:], start=same + 1):
        if name.strip():
            yield Block(BlockKind.HEADING, (Piece(name),), level=level)


def _block(fragment: Fragment, sentences: Sequence[Sentence], span: Span) -> Block:
    return Block(
        kind=_KINDS.get(fragment.kind, BlockKind.TEXT),
        pieces=tuple(
            Piece(" ".join(each.text for each in some), cited)
            for cited, some in groupby(sentences, key=lambda each: _cited(each, span))
        ),
        number=_number(sentences),
        item_number=sentences[0].item_number,
    )


def _number(sentences: Sequence[Sentence]) -> str:
    first, last = sentences[0], sentences[-1]
    if first.line_start is None:
        return "" if first.paragraph is None else str(first.paragraph)
    end = last.line_end or first.line_start
    return str(first.line_start) if end == first.line_start else f"{first.line_start}-{end}"
