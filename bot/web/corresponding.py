"""Where in another version of a document that stands which was cited."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.web.cited_span import NOWHERE, CitedSpan
from bot.web.comparison import counterpart, of_section, section_with
from retrieval.documents.holdings import Parsed
from retrieval.types import Fragment, Sentence

_Said = tuple[str, tuple[tuple[int, int, str], ...]]


@dataclass(frozen=True, slots=True)
class Corresponding:
    """A place in another version."""

    around: CitedSpan
    """What stands there; `NOWHERE` in a version without text."""
    same: CitedSpan
    """The cited sentences, where they stand there word for word; else `NOWHERE`."""


def corresponding(then: Parsed, now: Parsed, span: CitedSpan) -> Corresponding:
    """Find the place in the section of the same name, by the nearest sentence that both have.

    Where there is no such section, it is the one in which the cited sentences stand, else about as
    far into the document.
    """
    cited = next(each for each in then.fragments if any(span.covers(s) for s in each.sentences))
    words = [each for each in _sentences(then.fragments) if span.covers(each)]
    before = _sentences(of_section(then, cited.section_path))
    after = _sentences(of_section(now, cited.section_path))
    if not after:
        path = section_with(now, [each.text for each in words])
        before = before if path is not None else _sentences(then.fragments)
        after = _sentences(now.fragments if path is None else of_section(now, path))
    if not after:
        return Corresponding(NOWHERE, NOWHERE)
    first = next(n for n, each in enumerate(before) if span.covers(each))
    place = counterpart([each.text for each in before], first, [each.text for each in after])
    same = _same(words, after, place, span)
    if any(same.covers(each) and each not in after for each in _sentences(now.fragments)):
        same = NOWHERE  # words of another section stand in between
    return Corresponding(_span_of([after[place]]) if same == NOWHERE else same, same)


def _same(
    words: Sequence[Sentence], after: Sequence[Sentence], near: int, span: CitedSpan
) -> CitedSpan:
    """Return the run of these very sentences that is the nearest to a place."""
    said = [_said(each) for each in words]
    runs = (
        after[n : n + len(words)] for n in sorted(range(len(after)), key=lambda n: abs(n - near))
    )
    for run in runs:
        if [_said(each) for each in run] != said:
            continue
        begins = {old.char_start: new.char_start for old, new in zip(words, run, strict=True)}
        cells = frozenset(
            (begins[start], name, value) for start, name, value in span.cells if start in begins
        )
        found = _span_of(run, cells)
        if [each for each in after if found.covers(each)] == list(run):
            return found
    return NOWHERE


def _said(sentence: Sentence) -> _Said:
    """All that a sentence says: a row whose columns are named otherwise says something else."""
    return sentence.text, tuple((cell.start, cell.end, cell.name) for cell in sentence.cells)


def _span_of(
    run: Sequence[Sentence], cells: frozenset[tuple[int, str, str]] = frozenset()
) -> CitedSpan:
    return CitedSpan(run[0].char_start, run[-1].char_end, cells)


def _sentences(fragments: Sequence[Fragment]) -> list[Sentence]:
    return [sentence for each in fragments for sentence in each.sentences]
