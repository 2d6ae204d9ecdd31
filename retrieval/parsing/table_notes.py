"""A note under a table is told with the values that its mark stands behind.

People write "7 days*" in a cell, and "* During exams 2 days." below: the value alone would be
false.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from retrieval.parsing.limits import LONGEST_SENTENCE
from retrieval.types import FragmentKind, Sentence

_BRACKETED = r"\((?:\d{1,2}|[a-e])\)"
_NOTE = re.compile(
    rf"(?P<mark>\*{{1,4}}|[†‡§]{{1,2}}|[¹²³⁴-⁹]|{_BRACKETED})\s*(?P<text>\S.*)", re.DOTALL
)
_NO_LETTER = r"(?<![^\W\d_])"
_NO_AREA = "".join(rf"(?<!{_NO_LETTER}{unit})" for unit in ("m", "[kcdmµ]m", "ft"))
_MARKED = re.compile(
    rf"(?<=[^\W_]|[.)%€$£])\s?"
    rf"(?P<mark>\*{{1,4}}|[†‡§]{{1,2}}|{_NO_AREA}[¹²³⁴-⁹]+|{_BRACKETED})(?=\s*(?:$|[;:,)]))"
)
"""Behind a unit of length, a raised digit is none."""
_LONGEST_NOTE = 500
_MOST_NOTES = 10
"""Paragraphs below a table that are looked at."""


_ROW = FragmentKind.TABLE_ROW
_Path = TypeVar("_Path")
Block = tuple[FragmentKind, _Path, tuple[Sentence, ...]]
"""A fragment in the making, under some headings."""


def with_notes(blocks: Sequence[Block[_Path]]) -> Iterator[Block[_Path]]:
    """Each block, the sentences of rows with the notes that they refer to."""
    for (kind, path, sentences), below in zip(blocks, _notes_below(blocks), strict=True):
        is_row = kind is _ROW and below
        yield kind, path, tuple(_noted(e, below) for e in sentences) if is_row else sentences


def _notes_below(blocks: Sequence[Block[_Path]]) -> list[Mapping[str, str]]:
    """By mark, what stands below the table that a block is a row of."""
    found: list[Mapping[str, str]] = [{}] * len(blocks)
    end = 0
    for is_row, run in groupby(range(len(blocks)), lambda at: blocks[at][0] is _ROW):
        start, end = end, end + len(list(run))
        if is_row:
            below = _by_mark(blocks[end : end + _MOST_NOTES], blocks[start:end])
            found[start:end] = [below] * (end - start)
    return found


def _by_mark(blocks: Sequence[Block[_Path]], rows: Sequence[Block[_Path]]) -> Mapping[str, str]:
    """Where a mark has two notes, nobody can tell which one is meant.

    Clauses are numbered in brackets, too: they are notes where the rows refer to each of them.
    """
    notes = list(_notes(blocks))
    count = Counter(mark for mark, _ in notes)
    told = {mark: text for mark, text in notes if count[mark] == 1}
    marks = {found["mark"] for _, _, row in rows for e in row for found in _MARKED.finditer(e.text)}
    bracketed = {mark for mark in told if mark.startswith("(")}
    return told if marks >= bracketed else {mark: told[mark] for mark in told.keys() - bracketed}


def _notes(blocks: Sequence[Block[_Path]]) -> Iterator[tuple[str, str]]:
    """Of the blocks right below a table, as long as they are notes."""
    for kind, _, sentences in blocks:
        text = " ".join(each.text for each in sentences)
        note = _NOTE.fullmatch(text)
        if kind is _ROW or note is None or len(text) > _LONGEST_NOTE:
            return
        yield note["mark"], note["text"]


def _noted(sentence: Sentence, notes: Mapping[str, str]) -> Sentence:
    marks = dict.fromkeys(found["mark"] for found in _MARKED.finditer(sentence.text))
    told = {mark: notes[mark].rstrip(".") for mark in marks if mark in notes}
    said = "".join(
        f" ({mark[1:-1]}: {note})" if mark.startswith("(") else f" ({mark} {note})"
        for mark, note in told.items()
    )
    if not said or len(sentence.text) + len(said) > LONGEST_SENTENCE:
        return sentence
    return replace(sentence, text=sentence.text + said)
