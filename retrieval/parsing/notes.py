"""Notes under tables and texts, and the raised digits and signs that refer to them.

People write "7 days*" in a cell, and "* During exams 2 days." below: the value alone would be
false, so a row is told with its notes. Written on the line, 30 with a raised 1 behind it would be
301.
"""

import re
from calendar import month_name
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from retrieval.language.words import RAISED_DIGITS
from retrieval.parsing.limits import LONGEST_SENTENCE
from retrieval.types import FragmentKind, Sentence

_SIGNS = "-+\u2212\u2013"
_EXPONENT = re.compile(rf"[{_SIGNS}]?\d{{0,4}}\)?|\d{{1,2}}(?:,\s?\d{{1,2}})+|[a-e]", re.ASCII)
_DIGITS = f"0123456789{_SIGNS}"
_WRITTEN: Mapping[str, tuple[dict[int, int], re.Pattern[str]]] = {
    "super": (
        str.maketrans(_DIGITS, f"{RAISED_DIGITS}⁻⁺⁻⁻"),
        re.compile(
            rf"(?:^|[\s\d.!?⁻⁺{RAISED_DIGITS}])$|(?<![^\W_])(?:[b-hj-zA-HJ-Zµ]|[kcdmµ]m|ft|in)$"
        ),
    ),
    "sub": (str.maketrans(_DIGITS, "₀₁₂₃₄₅₆₇₈₉₋₊₋₋"), re.compile(r"[\d₋₊]$")),
}
"""What is written in place of digits and signs, and behind what: a number, above the line also a
unit of length, a variable, a sentence or nothing. Behind any other word a raised number is the mark
of a note, written as one in a cell, and a lowered one part of a name that people type on the line:
CO2."""
LONGEST_TAIL = 4
"""Characters before such a text that are looked at."""


def is_exponent(text: str) -> bool:
    """Whether a text is a short number, a sign, or marks of notes, as is set above a line."""
    return bool(text) and _EXPONENT.fullmatch(text) is not None


def as_set(how: str, text: str, before: str, *, in_cell: bool) -> str:
    """A text that is set above the line ("super", as in CSS) or below it ("sub"), as it is seen.

    A letter that is the mark of a note stands in brackets.
    """
    if how not in _WRITTEN or not is_exponent(text):
        return text
    written, follows = _WRITTEN[how]
    is_mark = how == "super" and in_cell
    if text.isalpha():
        return f"({text})" if is_mark else text
    is_apart = text[0] in _SIGNS or is_mark or follows.search(before[-LONGEST_TAIL:])
    return text.translate(written) if is_apart else text


_SENTENCE_ENDS = re.compile(r"[.!?]\s+")


def in_brackets(note: str) -> str:
    """A note as a part of the sentence that it is about."""
    return _SENTENCE_ENDS.sub("; ", " ".join(note.split()).rstrip("."))


_NOTE_SIGNS = r"\*{1,4}|[†‡§]{1,2}"
_RAISED = f"[{RAISED_DIGITS}]+"
_BRACKETED = r"\((?:\d{1,2}|[a-e])\)"
_MARK = re.compile(rf"{_NOTE_SIGNS}|{_RAISED}|{_BRACKETED}")
_NOTE = re.compile(
    rf"(?:(?P<first>^)|(?<=\s))(?P<mark>{_MARK.pattern})[\s:)]*(?=[^\s:)])", re.MULTILINE
)
_NO_LETTER = r"(?<![^\W\d_])"
_NO_AREA = "".join(rf"(?<!{_NO_LETTER}{unit})" for unit in ("m", "[kcdmµ]m", "ft"))
_MARKED = re.compile(
    rf"(?<=[^\W_]|[.)%€$£])\s?"
    rf"(?P<mark>{_NOTE_SIGNS}|{_NO_AREA}{_RAISED}|{_BRACKETED})(?=\s*(?:$|[;:,)]))"
)
"""Behind a unit of length, a raised digit is none."""
_PLAIN = re.compile(
    rf"^(?:\d{{1,2}}|[a-e])(?= (?!(?:{'|'.join(month_name[1:])})\b)[A-Z\u00c0-\u00de])",
    re.MULTILINE,
)
"""A mark that is raised in the table alone; a number of things or a day begins a text, too."""
_LONGEST_NOTE, _LONGEST_MARK = 500, 8
_MOST_NOTES = 10
"""Paragraphs below a table that are looked at."""
_ROW = FragmentKind.TABLE_ROW
_Path = TypeVar("_Path")
Block = tuple[FragmentKind, _Path, tuple[Sentence, ...]]
"""A fragment in the making, under some headings."""


def with_notes(blocks: Sequence[Block[_Path]], source: str) -> Iterator[Block[_Path]]:
    """Each block, the sentences of rows with the notes that they refer to."""
    for (kind, path, sentences), below in zip(blocks, _notes_below(blocks, source), strict=True):
        is_row = kind is _ROW and below
        yield kind, path, tuple(_noted(e, below) for e in sentences) if is_row else sentences


def _notes_below(blocks: Sequence[Block[_Path]], source: str) -> list[Mapping[str, str]]:
    """By mark, what stands below the table that a block is a row of."""
    found: list[Mapping[str, str]] = [{}] * len(blocks)
    end = 0
    for is_row, run in groupby(range(len(blocks)), lambda at: blocks[at][0] is _ROW):
        start, end = end, end + len(list(run))
        if is_row:
            below = _by_mark(blocks[end : end + _MOST_NOTES], blocks[start:end], source)
            found[start:end] = [below] * (end - start)
    return found


def _by_mark(
    blocks: Sequence[Block[_Path]], rows: Sequence[Block[_Path]], source: str
) -> Mapping[str, str]:
    """Where a mark has two notes, nobody can tell which one is meant.

    Clauses are numbered in brackets, too: they are notes where the rows refer to each of them.
    """
    marks = {found["mark"] for _, _, row in rows for e in row for found in _MARKED.finditer(e.text)}
    notes = list(_notes(blocks, rows[-1][1], marks, source))
    count = Counter(mark for mark, _ in notes)
    told = {mark: text for mark, text in notes if count[mark] == 1 and len(text) <= _LONGEST_NOTE}
    bracketed = {mark for mark in told if mark.startswith("(")}
    return told if marks >= bracketed else {mark: told[mark] for mark in told.keys() - bracketed}


def _notes(
    blocks: Sequence[Block[_Path]], path: _Path, marks: Set[str], source: str
) -> Iterator[tuple[str, str]]:
    """Of the blocks right below a table, or below what else stands under its heading.

    There, numbers in brackets are those of clauses.
    """

    def raised(found: re.Match[str]) -> str:
        mark = as_set("super", found[0], "", in_cell=True)
        return mark if mark in marks else found[0]

    is_right_below, is_begun = True, False
    for kind, own_path, sentences in blocks:
        text = _as_printed(kind, sentences, source)
        notes = list(_notes_in(_PLAIN.sub(raised, text) if is_right_below else text, marks))
        if kind is _ROW or (not notes and (is_begun or own_path != path)):
            return
        is_right_below, is_begun = is_right_below and bool(notes), bool(notes)
        yield from (each for each in notes if is_right_below or not each[0].startswith("("))


def _as_printed(kind: FragmentKind, sentences: Sequence[Sentence], source: str) -> str:
    """The sentences, one a line; an item behind its mark, which may be that of a note."""
    text = "\n".join(each.text for each in sentences)
    start = sentences[0].char_start
    before = source[max(start - _LONGEST_MARK, 0) : start].rpartition("\n")[2].strip()
    is_marked = kind is FragmentKind.LIST_ITEM and _MARK.fullmatch(before)
    return f"{before} {text}" if is_marked else text


def _notes_in(text: str, marks: Set[str]) -> Iterator[tuple[str, str]]:
    """A note begins with a sentence, or within one at a mark of the table that stands there alone.

    People write notes one below the other, also without full stops.
    """
    found = list(_NOTE.finditer(text))
    first = {each["mark"] for each in found if each["first"] is not None}
    count = Counter(each["mark"] for each in found)
    alone = {mark for mark in marks - first if first and count[mark] == 1}
    begins = [each for each in found if each["first"] is not None or each["mark"] in alone]
    ends = [*(each.start() for each in begins[1:]), len(text)]
    for each, end in zip(begins, ends, strict=False):
        yield each["mark"], " ".join(text[each.end() : end].split())


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
