"""What a document said around the cited words, beside what another version says there.

Sentences are compared, and words within sentences that are nearly the same. Of a long section the
part around the citation is compared, so that the work is bounded whatever the document is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from bot.web.document_text import NOWHERE, CitedSpan
from bot.web.views import ComparedSentence, Now, VersionComparison, WordChange
from retrieval.documents.holdings import Parsed
from retrieval.types import Fragment, Sentence

MOST_AROUND = 60
SHOWN_AROUND = 2
"""Sentences beside a difference that are shown with it."""
ALIKE = 0.5
"""The share of their words from which on two sentences are one that was changed."""
MOST_WORDS = 120
"""Of a sentence whose words are compared; that takes quadratic time."""
_EQUAL = "equal"


def compared(then: Parsed, now: Parsed, span: CitedSpan) -> VersionComparison:
    cited = next(each for each in then.fragments if any(span.covers(s) for s in each.sentences))
    place = [s for each in of_section(then, cited.section_path) for s in each.sentences]
    first = next(n for n, each in enumerate(place) if span.covers(each))
    before = [each.text for each in place]
    words = [each.text for each in place if span.covers(each)]
    after = [s.text for each in of_section(now, cited.section_path) for s in each.sentences]
    if not after:
        elsewhere = section_with(now, words)
        state = Now.SECTION_GONE if elsewhere is None else Now.ELSEWHERE
        return VersionComparison(state, (), elsewhere or ())
    old, old_cut = _around(before, first)
    new, new_cut = _around(after, counterpart(before, first, after))
    differences = list(_differences(old, new))
    if old_cut or new_cut:
        differences = _without_ends(differences)
    stands = set(words) <= set(after)
    elsewhere = None if stands else section_with(now, words)
    state = Now.STANDS if stands else Now.CHANGED if elsewhere is None else Now.ELSEWHERE
    return VersionComparison(state, tuple(_abridged(differences)), elsewhere or ())


def of_section(parsed: Parsed, path: tuple[str, ...]) -> list[Fragment]:
    return [each for each in parsed.fragments if each.section_path == path]


def section_with(parsed: Parsed, words: Sequence[str]) -> tuple[str, ...] | None:
    sections: dict[tuple[str, ...], set[str]] = {}
    for each in parsed.fragments:
        sections.setdefault(each.section_path, set()).update(s.text for s in each.sentences)
    return next((path for path, texts in sections.items() if set(words) <= texts), None)


def counterpart(before: Sequence[str], first: int, after: Sequence[str]) -> int:
    """Return about where in `after` that stands which stood at `first`: by its nearest sentence."""
    places = {text: n for n, text in reversed(list(enumerate(after)))}
    nearest = sorted(range(len(before)), key=lambda n: abs(n - first))[: 2 * MOST_AROUND]
    known = next((n for n in nearest if before[n] in places), None)
    if known is None:
        return first * len(after) // max(len(before), 1)
    return min(max(places[before[known]] + first - known, 0), len(after) - 1)


def _around(texts: Sequence[str], place: int) -> tuple[Sequence[str], bool]:
    shown = texts[max(place - MOST_AROUND, 0) : place + MOST_AROUND + 1]
    return shown, len(shown) < len(texts)


def _differences(old: Sequence[str], new: Sequence[str]) -> Iterator[ComparedSentence]:
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == _EQUAL:
            yield from (ComparedSentence(((WordChange.SAME, text),)) for text in old[i1:i2])
        else:
            yield from _replaced(old[i1:i2], new[j1:j2])


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[ComparedSentence]:
    """Pair those that stand at the same place and are alike; the others left, and came."""
    if len(old) == len(new) and all(map(_are_alike, old, new)):
        yield from (
            ComparedSentence(tuple(_by_words(*pair))) for pair in zip(old, new, strict=True)
        )
        return
    yield from (ComparedSentence(((WordChange.REMOVED, text),)) for text in old)
    yield from (ComparedSentence(((WordChange.ADDED, text),)) for text in new)


def _are_alike(old: str, new: str) -> bool:
    one, other = old.split(), new.split()
    if max(len(one), len(other)) > MOST_WORDS:
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= ALIKE


def _by_words(old: str, new: str) -> Iterator[tuple[WordChange, str]]:
    one, other = old.split(), new.split()
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if kind == _EQUAL:
            yield WordChange.SAME, " ".join(one[i1:i2])
            continue
        if i1 < i2:
            yield WordChange.REMOVED, " ".join(one[i1:i2])
        if j1 < j2:
            yield WordChange.ADDED, " ".join(other[j1:j2])


def _without_ends(differences: list[ComparedSentence]) -> list[ComparedSentence]:
    """Leave out what differs at the ends of parts that were cut: it may stand beyond them."""
    same = [n for n, each in enumerate(differences) if each.is_same]
    return differences[same[0] : same[-1] + 1] if same else []


def _abridged(differences: Sequence[ComparedSentence]) -> Iterator[ComparedSentence]:
    """Keep what differs with the sentences beside it; for a longer run of others, a gap."""
    near = {
        n
        for place, each in enumerate(differences)
        if not each.is_same
        for n in range(place - SHOWN_AROUND, place + SHOWN_AROUND + 1)
    }
    left_out = False
    for number, each in enumerate(differences):
        if number in near:
            if left_out:
                yield ComparedSentence(())
            yield each
        left_out = number not in near


_Said = tuple[str, tuple[tuple[int, int, str], ...]]


@dataclass(frozen=True, slots=True)
class Corresponding:
    around: CitedSpan
    """What stands there; `NOWHERE` in a version without text."""
    same: CitedSpan
    """The cited sentences, where they stand there word for word; else `NOWHERE`."""


def corresponding(then: Parsed, now: Parsed, span: CitedSpan) -> Corresponding:
    """By the nearest sentence that both have; without such a section, about as far into it all."""
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
    words: Sequence[Sentence], after: Sequence[Sentence], place: int, span: CitedSpan
) -> CitedSpan:
    """Return the run of these very sentences that is the nearest to a place."""
    said = [_said(each) for each in words]
    runs = (
        after[n : n + len(words)] for n in sorted(range(len(after)), key=lambda n: abs(n - place))
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
